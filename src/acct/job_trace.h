// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recorded jobs from slurmdbd. libslurm must have been pointed to slurm.conf.
 */
#ifndef GW_ACCT_JOB_TRACE_H
#define GW_ACCT_JOB_TRACE_H

#include "../sim/trace_record.h"

/*
 * All runs of a cluster between since and until that were not over before since. They go through
 * the intake; the caller ends it. Returns 0, or -1 with error. slurmdbd decides which records
 * the user may see.
 */
int gw_job_trace_load(const char *cluster, int64_t since, int64_t until,
		      struct gw_trace_intake *intake, struct gw_error *error);

#endif

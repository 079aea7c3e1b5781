// SPDX-License-Identifier: GPL-2.0-or-later
/* Run times and kinds of jobs of queues by the records of slurmdbd, for core's predictor to begin
 * with. */
#ifndef GW_ACCT_RUNTIMES_H
#define GW_ACCT_RUNTIMES_H

#include "../core/conf.h"
#include "../core/mix_seen.h"
#include "../core/predict.h"

/*
 * Tells predict, and seen of what they held on each node, of all jobs of queues that had GPUs and
 * ended by themselves between since and now. libslurm must have been pointed to slurm.conf. -1 with
 * error.
 */
int gw_runtimes_load(const struct gw_conf *conf, const char *cluster, int64_t since, int64_t now,
		     struct gw_predict *predict, struct gw_mix_seen *seen, struct gw_error *error);

#endif

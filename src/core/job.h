// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job as policy sees it: a plain value, filled in by plugins/common/snap from slurmctld's
 * record, by src/acct from accounting, or by a test. Core functions never keep a pointer to
 * one. Units: times are seconds since the epoch unless said otherwise, spans are seconds.
 */
#ifndef GW_CORE_JOB_H
#define GW_CORE_JOB_H

#include <stdbool.h>
#include <stdint.h>

/* "None of them", for every index into the configuration's arrays. */
#define GW_INDEX_NONE (-1)

enum gw_job_state {
	GW_JOB_PENDING,
	GW_JOB_RUNNING,
	GW_JOB_SUSPENDED, /* holds its GPUs, or not: see gpus */
};

struct gw_job {
	uint32_t id;
	uint32_t tasks; /* pending array head: tasks it still stands for; else 1 */
	enum gw_job_state state;

	/* Where it belongs, as indexes into the configuration. Outside jobs have no queue. */
	int32_t queue, flavor, job_class;
	uint32_t user; /* whose it is: nice orders one user's jobs */

	/* What one task asks for, or holds when it runs. */
	uint32_t gpus;    /* of its flavor, all nodes together */
	uint32_t nodes;   /* fewest nodes */
	double rate;      /* weighted units per second while it runs (UsageWeights) */
	bool whole_nodes; /* no GPU of its nodes is left for others */

	int64_t limit; /* time limit, or GW_TIME_INFINITE */
	int64_t submit;
	int64_t eligible; /* accrue time: kept over requeue */
	int64_t start;    /* running: when it started */
	int32_t nice;     /* the user's wish: larger goes later; 0 is normal */
	bool held;        /* by user or admin: not ranked */
	bool pinned;      /* priority set by an admin: kept as it is */
};

/* Since when it waits: its eligible time, or if there is none its submit. */
static inline int64_t gw_job_eligible_at(const struct gw_job *job)
{
	return job->eligible ? job->eligible : job->submit;
}

#endif

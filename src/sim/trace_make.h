// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Made-up jobs that look like those of a shared GPU cluster, for tests and benches where there
 * is no recorded trace. The same parameters give the same jobs.
 *
 * Shares of sizes, spreads of durations and the cycles of the day and week are rounded from
 * what was published of Microsoft's Philly (Jeon et al., ATC'19) and SenseTime's Helios (Hu et
 * al., SC'21).
 */
#ifndef GW_SIM_TRACE_MAKE_H
#define GW_SIM_TRACE_MAKE_H

#include "trace.h"

struct gw_trace_make {
	size_t jobs;
	double days;
	uint32_t gpus; /* of the cluster */
	double load;   /* GPU-seconds asked for over those that the cluster has in these days */
	uint64_t seed;
};

/* Those of the workload that results are quoted for: 8,000 jobs, 60 days, 832 GPUs, 0.95. */
void gw_trace_make_default(struct gw_trace_make *make);

/* "jobs=8000,days=60,gpus=832,load=0.95,seed=1", any of them, on top of what make has. */
int gw_trace_make_parse(const char *text, struct gw_trace_make *make, struct gw_error *error);

/*
 * Accounts are team1 to team4, with users of their own; team1 is the largest. QOS is "high" or
 * "normal". Times begin at 0, a Monday at midnight. Returns 0 with jobs appended to an empty
 * trace, or -1 with error.
 */
int gw_trace_make(const struct gw_trace_make *make, struct gw_trace *trace, struct gw_error *error);

#endif

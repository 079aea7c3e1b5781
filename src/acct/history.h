// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What jobs used, by the records of slurmdbd.
 *
 * Owns: reading the records and the tree of accounts, and finding queue, flavor and rate of a
 * job in them. Does not own: decay (ledger). libslurm must have been pointed to slurm.conf.
 */
#ifndef GW_ACCT_HISTORY_H
#define GW_ACCT_HISTORY_H

#include <stddef.h>

#include "../core/conf.h"
#include "../core/ledger.h"

/* One run of a job; a requeued one has several. */
struct gw_history_run {
	struct gw_run run; /* no queue: outside */
	char *account;
	double gpus;       /* of any type */
	int64_t suspended; /* seconds of the run in which it was suspended */
};

struct gw_history {
	struct gw_history_run *run;
	size_t count;
};

/*
 * All runs of a cluster that were not over before since, up to now. Returns 0 with a history
 * that gw_history_free() frees, or -1 with error and an empty one. slurmdbd decides which
 * records the user may see.
 */
int gw_history_load(const struct gw_conf *conf, const char *cluster, int64_t since, int64_t now,
		    struct gw_history *history, struct gw_error *error);
void gw_history_free(struct gw_history *history);

/* GPU-seconds of a run between since and now. */
double gw_history_gpu_seconds(const struct gw_history_run *run, int64_t since, int64_t now);

/* The flavor of what was allocated in a partition, or GW_INDEX_NONE. */
int32_t gw_history_flavor(const struct gw_conf *conf, const char *partition,
			  const struct gw_tres *alloc);

#endif

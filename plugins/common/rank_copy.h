// SPDX-License-Identifier: GPL-2.0-or-later
/* One look at slurmctld's jobs and accounts, copied under its locks for the ranks to be made. */
#ifndef GW_RANK_COPY_H
#define GW_RANK_COPY_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "plugins/common/snap.h"
#include "src/core/ledger.h"
#include "src/core/order.h"
#include "src/core/quota.h"

/* What the ranks need beside a pending job's gw_job. */
struct gw_pending_extra {
	uint32_t array_job; /* 0: no array */
	/* As Slurm has it: of its partitions the lowest and the highest; lowest 0: held. */
	uint32_t lowest, highest;
	bool accounting_waits; /* Slurm's reason is an association limit */
};

/* A job that holds GPUs and has a site factor. */
struct gw_marked {
	uint32_t job, array_job;
};

struct gw_rank_copy {
	struct gw_tres_positions positions;
	struct gw_job *pending;
	struct gw_pending_extra *extra; /* beside pending */
	size_t pending_count, pending_room;
	struct gw_job *running;
	size_t running_count, running_room;
	struct gw_run *runs; /* running, and ended since */
	size_t run_count, run_room;
	struct gw_marked *marked;
	size_t marked_count, marked_room;
	struct gw_order_gpus *gpus; /* by flavor */
	struct gw_order_gap *gaps;
	size_t gap_count;
	/* By node: all jobs there have ended by their limits; 0: none is there. NULL: no gaps
	 * wanted */
	time_t *until;
	struct gw_error quota_problem; /* gw_gate_qos_problem() */
	time_t now;
	unsigned int minute; /* of the week */
};

/*
 * Copies all jobs of queues; jobs that ended at or after ended_since are among the runs. Fills
 * quota with what pools hold. Takes slurmctld's job read lock, those of nodes and partitions, and
 * the association read lock: only while it has them it is not apart in call. The copy is freed by
 * gw_rank_copy_free(); a copy that was used before keeps its memory.
 */
void gw_rank_copy_take(struct gw_rank_copy *copy, struct gw_policy *policy, struct gw_quota *quota,
		       time_t ended_since, struct gw_call *call);
void gw_rank_copy_free(struct gw_rank_copy *copy);

#endif

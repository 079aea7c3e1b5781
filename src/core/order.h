// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One total order over all pending jobs of queues, by simulating their starts: take the best
 * job, add its GPUs to what its pool holds and, if so many are free, its rate to what its queue
 * holds, repeat. So a burst of starts is shared among queues, and jobs that only wait stand by
 * what their queues really hold: counting them as well costs fairness and strands GPUs
 * (docs/bench.md).
 *
 * Owns: the order key. Does not own: usage (ledger), what a pool may hold (quota), priority
 * numbers (numbers), and which nodes are free.
 *
 * The key, the first difference decides:
 *  1. may start by quota, loan and hold now; then would, did not those before it take the quota
 *     (GW_ORDER_WAITS); then may not (GW_ORDER_BLOCKED), so that it uses up no scheduling depth.
 *     Where a pool that was alone could have all GPUs of a flavor, and now can have all that
 *     are free, it is nodes that its jobs wait for: whatever gives them nodes gives back quota
 *     too, so quota takes none of them from its place. Only what is more than the pool could
 *     ever hold is blocked by it there
 *  2. inside its pool's quota before borrowing. Where nodes decide and the pool can not borrow,
 *     all are inside
 *  3. class, the higher rank first; then SmallHold: sub-node jobs younger than it behind all
 *     others of the class, while a whole-node job of it waits that quota would let start alone, on
 *     the same kind of GPU; not those with a gap or of a batch (both below). The highest class is
 *     exempt, when there is more than one
 *  4. pool, the least used/quota first; a quota of 0 last
 *  5. queue, the least (usage * ln2/H + ShareTerm * rate held) / Weight first. Without decay, H
 *     is taken as GW_ORDER_NO_DECAY. Each start adds ShareTerm * rate, and Charge * rate * ln2/H
 *  6. in the queue: older than QueueMaxWait first; then the shorter limit (WithinQueue, not in
 *     the highest class, when there is more than one), of a job with a gap or of a batch a part
 *     of it; then eligible time. Queues with equal keys: the one with the oldest job
 *  7. job id
 * OrderWithinClass=age leaves out 4, 5 and all of 6 but eligible time; usage-before-class puts 3
 * behind 5. Nice permutes the places of jobs that have one queue, flavor, class, user and, where
 * that decides, limit; it moves nobody else's job.
 *
 * A sub-node job has a gap when a node that is broken anyway has as many GPUs left and, by time
 * limits, stays broken for GapMatch of the job's own limit: it keeps nobody's node from becoming
 * whole for long. SmallHold is not for it then, and it is ordered as if its limit were
 * GW_ORDER_GAP_PART of what it is. The job with the longest limit, of equal ones the oldest, takes
 * the gap that lasts longest, of equal ones the first; what one has is not another's. An array has
 * gaps when there are some for all of its tasks. Nothing changes for the highest class, but its
 * jobs take gaps that others can not have then.
 *
 * Of the jobs for one kind of GPU that SmallHold puts back, SmallBatch GPUs go as a batch as soon
 * as they ask for so many in all, and as many again for each further SmallBatch: those with the
 * most GPUs first, of equal ones the oldest, until at least so many go. Together they fill whole
 * nodes, so that holding them saves none: SmallHold is not for them then, and they are ordered as
 * jobs with a gap are. An array counts with all its tasks and goes as a whole. Not counted are jobs
 * with a gap, blocked ones, and those that became eligible in this second. Nothing is remembered:
 * when others of a batch have started, too few may be left, and step back again.
 *
 * An array head takes part task by task and has the place of its first task.
 */
#ifndef GW_CORE_ORDER_H
#define GW_CORE_ORDER_H

#include "ledger_line.h"
#include "quota.h"

/* For UsageHalfLife=NONE: the seconds that make usage comparable with what is held. */
#define GW_ORDER_NO_DECAY (7 * 86400)

/* The part of its limit by which a job with a gap or of a batch is ordered. */
#define GW_ORDER_GAP_PART 0.15

/* Tasks beyond the first of each array that one simulation starts at most, all together. */
#define GW_ORDER_TASKS_MAX 65536

enum gw_order_state {
	GW_ORDER_INSIDE,    /* may start, inside its pool's quota */
	GW_ORDER_BORROWING, /* may start, of what its cohort lends */
	GW_ORDER_WAITS,     /* alone it might; jobs before it take the quota */
	GW_ORDER_BLOCKED,   /* quota, loan, a hold or its eligible time forbid it */
};

struct gw_order_rank {
	uint32_t job;   /* index into the jobs */
	uint32_t turn;  /* its tasks that start before a job of another queue that could use the
			   same GPUs: no more should until the next ranks. At least 1 */
	uint32_t again; /* how many jobs come before its next turn: those behind should not
			   start before that one; 0: it has none */
	enum gw_order_state state;
	bool borrowing; /* also of what GW_ORDER_WAITS alone would */
	bool gap;       /* it has one, and that counts for its place: see GapMatch above */
	bool back;      /* SmallHold puts it back; never of GW_ORDER_BLOCKED */
};

/*
 * Seconds for which SmallHold goes on to put back a job that became eligible then and steps back
 * (gw_order_rank.back); at least 1.
 */
int64_t gw_order_hold_left(const struct gw_conf *conf, int64_t eligible, int64_t now);

/* May start now: where it stands in the order and by the quota left there. */
static inline bool gw_order_startable(const struct gw_order_rank *rank)
{
	return rank->state == GW_ORDER_INSIDE || rank->state == GW_ORDER_BORROWING;
}

/* GPUs of a flavor on nodes that take jobs. */
struct gw_order_gpus {
	uint32_t all, free; /* free: that nobody holds */
};

/* GPUs left on a node that is broken. */
struct gw_order_gap {
	int32_t flavor;
	uint32_t free;
	int64_t until; /* all that runs there has ended by its time limit */
};

struct gw_order_input {
	const struct gw_conf *conf;
	const struct gw_job *jobs; /* not ranked: those held, pinned, or of no queue */
	size_t job_count;
	const double *usage; /* by line, decayed to now: gw_ledger_lines() */
	const double *held;  /* by line: rates that run now */
	/*
	 * What pools hold now. Starts are tried on it and taken back: it is the same afterwards.
	 * NULL: no quota. A pool that observes quota lets everything start.
	 */
	struct gw_quota *quota;
	/* By flavor. NULL: it is not known, so quota decides in every pool. */
	const struct gw_order_gpus *gpus;
	const struct gw_order_gap *gaps; /* in the order of nodes */
	size_t gap_count;
	const bool *barred; /* by job, or NULL: may not start for another reason */
	int64_t now;
};

/* Reusable memory. One thread at a time. After the largest input it allocates no more. */
struct gw_order_workspace;

struct gw_order_workspace *gw_order_workspace_new(struct gw_error *error);
void gw_order_workspace_free(struct gw_order_workspace *work);

/*
 * Ranks all jobs, the first first. The ranks are the workspace's, valid until its next use.
 * Eligible 0 means the time of submit; eligible in the future means that it is blocked. Returns
 * 0, or -1 with error when memory is out.
 */
int gw_order_ranks(struct gw_order_workspace *work, const struct gw_order_input *input,
		   const struct gw_order_rank **ranks, size_t *count, struct gw_error *error);

struct gw_order_place {
	size_t place;              /* 0 is the first; GW_NO_INDEX: such a job is not ranked */
	struct gw_order_rank rank; /* job: input->job_count */
	size_t before, after;      /* jobs next to it, as indexes, or GW_NO_INDEX */
};

/*
 * Where one more job belongs among the others: exactly where gw_order_ranks() would put it.
 * The simulation ends there, so that a job in front costs little more than the sorting.
 */
int gw_order_place(struct gw_order_workspace *work, const struct gw_order_input *input,
		   const struct gw_job *job, struct gw_order_place *place, struct gw_error *error);

#endif

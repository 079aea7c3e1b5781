// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ranks: a thread of the priority plugin that looks at all jobs, has core order them, and
 * writes the numbers of those that moved; and what the hooks ask of it in between.
 *
 * A pass: copy under slurmctld's read locks; compute without any; write under its job write
 * lock only what changed. The ledger is kept here and nowhere else.
 *
 * Locks: slurmctld's come before rank->lock, which is held for no longer than placing one job
 * takes; the thread never waits for slurmctld's locks while it holds it.
 */
#ifndef GW_RANK_H
#define GW_RANK_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "plugins/common/export.h"
#include "plugins/common/number.h"

/* Starts the thread; stock gives multifactor's number of a job. Slurm's locks are not held. */
GW_EXPORT int gw_rank_start(gw_stock_priority *stock);

/* Ends it. Does nothing if it was not started. */
GW_EXPORT void gw_rank_stop(void);

/* Something happened that moves jobs: a pass soon. Cheap, from any thread. */
GW_EXPORT void gw_rank_wake(void);

/*
 * The number of one job for slurmctld, which has just made or changed it and holds the job
 * write lock: its exact place among the others, never a provisional high one. Sets the job's
 * site factor. For outside, held and pinned jobs that is multifactor's own number. call is the
 * passage it is made in: multifactor's time is not ours.
 */
GW_EXPORT uint32_t gw_rank_priority(job_record_t *job, struct gw_call *call);

/*
 * True if this array has had its turn until the next ranks, or the job comes behind the next turn
 * of such an array. The job lock is held.
 */
GW_EXPORT bool gw_rank_turn_is_over(const job_record_t *job);

/*
 * True if nodes are all that the job waits for, by the last ranks: quota is not to be in its way
 * where it finds none. False while components of a het job may be about to start. The job lock is
 * held.
 */
GW_EXPORT bool gw_rank_waits_for_nodes(const job_record_t *job);

/* A component of a het job was found to start now. The job lock is held. */
GW_EXPORT void gw_rank_het_may_start(void);

/* A job starts: an array's turn is one shorter. The job lock is held. */
GW_EXPORT void gw_rank_job_began(const job_record_t *job);

#endif

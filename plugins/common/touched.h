// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which pending jobs have a site factor of ours, and what it was before: kept on disk too, so
 * that gangway off can put it back also when slurmctld died with it.
 */
#ifndef GW_TOUCHED_H
#define GW_TOUCHED_H

#include "plugins/common/rank_state.h"

/* Reads the list of the last run, once. */
void gw_touched_load(struct gw_rank *rank);

/* Takes in what the hooks noted since the last time. A job noted here is pending by then. */
void gw_touched_merge(struct gw_rank *rank);

/* What to put back of a job whose site factor is to become ours. */
uint32_t gw_touched_before(const job_record_t *job);

/* Notes a job before its first number of ours. The caller merged under the same job lock. */
void gw_touched_note(struct gw_rank *rank, const job_record_t *job);

/*
 * Takes out of the list the jobs that are not ranked any more: those that started, left their
 * queue, or ended; beside them tasks that started with the site factor of their array. Each is to
 * be given to gw_touched_restore(): it may wait again, after a requeue too. Freed by xfree().
 */
struct gw_touched *gw_touched_leavers(struct gw_rank *rank, size_t *count);

/* Puts one site factor back. The caller holds slurmctld's job write lock. */
void gw_touched_restore(struct gw_rank *rank, const struct gw_touched *touched);

/* Hands the list to the engine to be kept, if it changed. */
void gw_touched_publish(struct gw_rank *rank);

/* Puts all site factors back. Takes slurmctld's job write lock if there are any. */
void gw_touched_put_back(struct gw_rank *rank);

#endif

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

/* Notes a job before its first number of ours; before is its site factor as Slurm keeps it. */
void gw_touched_note(struct gw_rank *rank, uint32_t job, uint32_t before);

/*
 * Forgets jobs that are not pending any more, and hands the list to the engine to be kept if
 * that or the caller (changed) made it another.
 */
void gw_touched_publish(struct gw_rank *rank, bool changed);

/* Puts all site factors back. Takes slurmctld's job write lock if there are any. */
void gw_touched_put_back(struct gw_rank *rank);

#endif

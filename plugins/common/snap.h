// SPDX-License-Identifier: GPL-2.0-or-later
/* The only reader of Slurm's job and association records: copies them into core's values. */
#ifndef GW_SNAP_H
#define GW_SNAP_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "plugins/common/policy.h"
#include "src/common/assoc_mgr.h"
#include "src/core/job.h"

/* Where Slurm keeps the counts we need in its arrays of TRES. */
struct gw_tres_positions {
	int gpu;     /* gres/gpu; -1: AccountingStorageTRES lacks it */
	int *flavor; /* of each flavor, gres/gpu:TYPE (or gres/gpu); -1: not tracked */
	int *weight; /* of each entry of UsageWeights that is no GPU; -1: a GPU, or not tracked */
};

/* Fills positions; freed by gw_snap_positions_free(). Takes the TRES read lock. */
void gw_snap_positions(const struct gw_policy *policy, struct gw_tres_positions *positions);
void gw_snap_positions_free(struct gw_tres_positions *positions);

/*
 * Takes locks of the accounting manager, and fills positions before (NULL: not wanted), in a
 * passage: waiting for Slurm's locks is no time of its own.
 */
void gw_snap_lock(const struct gw_policy *policy, struct gw_tres_positions *positions,
		  assoc_mgr_lock_t *locks, struct gw_call *call);

/*
 * Index of the queue that owns the job: that of the nearest of its account and the account's
 * ancestors that is a queue. GW_INDEX_NONE: an outside job. The caller holds the job lock
 * and the association read lock.
 */
int32_t gw_snap_queue(const struct gw_policy *policy, const job_record_t *job);

/*
 * Copies job. False: an outside job (no queue, or no GPU of a flavor of its queue), *to then has
 * its state, queue and, where there is one, GPUs, flavor and times. The same locks as above.
 */
bool gw_snap_job(const struct gw_policy *policy, const struct gw_tres_positions *positions,
		 const job_record_t *job, struct gw_job *to);

/*
 * True for a pending job of a queue's account, outside by gw_snap_job() with what that left in
 * view, that may get GPUs of flavors all the same: it asks for some that are not for its queue, or
 * for none and gets whole nodes, of which Slurm counts all. The same locks as above.
 */
bool gw_snap_may_get_gpus(const struct gw_policy *policy, const job_record_t *job,
			  const struct gw_job *view);

/* True while Slurm waits for other jobs before this one may start. */
bool gw_snap_depends(const job_record_t *job);

/* The association of a queue's account, or NULL. The caller holds the association lock. */
slurmdb_assoc_rec_t *gw_snap_account(const struct gw_policy *policy, int32_t queue);

#endif

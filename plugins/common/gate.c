// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/gate.h"

#include <time.h>

#include "plugins/common/engine.h"
#include "plugins/common/weak.h"
#include "src/common/assoc_mgr.h"
#include "src/common/slurmdb_defs.h"

unsigned int gw_gate_minute(void)
{
	time_t now = time(NULL);
	struct tm tm;

	localtime_r(&now, &tm);
	return (unsigned int)(tm.tm_wday * GW_MINUTES_A_DAY + tm.tm_hour * 60 + tm.tm_min);
}

/* The nearest queue above the account of an association, or GW_INDEX_NONE. */
static int32_t queue_above(const struct gw_policy *policy, const slurmdb_assoc_rec_t *assoc)
{
	int32_t queue = GW_INDEX_NONE;

	while (queue == GW_INDEX_NONE && assoc->usage && assoc->usage->parent_assoc_ptr) {
		assoc = assoc->usage->parent_assoc_ptr;
		queue = gw_policy_queue(policy, assoc->acct);
	}
	return queue;
}

static void hold(const struct gw_policy *policy, struct gw_quota *quota, int32_t queue,
		 int32_t flavor, int64_t gpus)
{
	int32_t pool =
		queue == GW_INDEX_NONE ? GW_INDEX_NONE : gw_policy_pool(policy, queue, flavor);

	if (pool != GW_INDEX_NONE && gpus)
		gw_quota_hold(quota, pool, flavor, gpus);
}

void gw_gate_fill(const struct gw_policy *policy, const struct gw_tres_positions *positions,
		  struct gw_quota *quota, unsigned int minute)
{
	const struct gw_conf *conf = gw_policy_conf(policy);

	gw_quota_clear(quota);
	gw_quota_at(quota, minute);
	for (size_t flavor = 0; flavor < conf->flavor_count; flavor++) {
		int position = positions->flavor[flavor];

		if (position < 0)
			continue;
		/* An account's count includes those below it, so those are taken out; all additions
		 * come first, because what is held never falls below 0. */
		for (int pass = 0; pass < 2; pass++)
			for (size_t queue = 0; queue < conf->queue_count; queue++) {
				slurmdb_assoc_rec_t *assoc =
					gw_snap_account(policy, (int32_t)queue);
				int64_t gpus;

				if (!assoc || !assoc->usage || !assoc->usage->grp_used_tres)
					continue;
				gpus = (int64_t)assoc->usage->grp_used_tres[position];
				if (pass == 0)
					hold(policy, quota, (int32_t)queue, (int32_t)flavor, gpus);
				else
					hold(policy, quota, queue_above(policy, assoc),
					     (int32_t)flavor, -gpus);
			}
	}
}

/* What the admin allows the association to hold, or INFINITE64. */
static uint64_t admin_limit(const slurmdb_assoc_rec_t *assoc, int gpu_position)
{
	uint64_t limit = assoc->grp_tres ? slurmdb_find_tres_count_in_string(
						   assoc->grp_tres,
						   (int)assoc_mgr_tres_array[gpu_position]->id)
					 : INFINITE64;

	return limit;
}

static enum gw_quota_why ask(struct gw_policy *policy, const struct gw_tres_positions *positions,
			     const struct gw_job *job)
{
	struct gw_quota_ask question = {
		.pool = gw_policy_pool(policy, job->queue, job->flavor),
		.flavor = job->flavor,
		.gpus = job->gpus,
		.limit = job->limit,
	};
	struct gw_quota *quota = gw_policy_quota_lock(policy);
	struct gw_quota_answer answer;

	gw_gate_fill(policy, positions, quota, gw_gate_minute());
	answer = gw_quota_ask(quota, &question);
	gw_policy_quota_unlock(policy);
	return answer.why;
}

/* Mode= and ModeQuota=, of the pool too. */
static bool enforces(const struct gw_policy *policy, const struct gw_job *job)
{
	int32_t pool = gw_policy_pool(policy, job->queue, job->flavor);
	const struct gw_conf *conf = gw_policy_conf(policy);

	return gw_engine_enforces(GW_QUOTA) &&
	       (pool == GW_INDEX_NONE ||
		gw_conf_pool_mode(conf, &conf->pools[pool], GW_QUOTA) == GW_MODE_ENFORCE);
}

/* The association lock is held for writing. */
static enum gw_quota_why set_locked(struct gw_policy *policy,
				    const struct gw_tres_positions *positions, job_record_t *job,
				    bool turn_is_over)
{
	slurmdb_assoc_rec_t *assoc;
	enum gw_quota_why why;
	struct gw_job view;
	uint64_t used, reach, limit;

	if (positions->gpu < 0 || !gw_snap_job(policy, positions, job, &view))
		return GW_QUOTA_ALLOWED;
	assoc = gw_snap_account(policy, view.queue);
	if (!assoc || !assoc->usage || !assoc->grp_tres_ctld)
		return GW_QUOTA_ALLOWED;
	why = ask(policy, positions, &view);
	used = assoc->usage->grp_used_tres[positions->gpu];
	reach = why == GW_QUOTA_ALLOWED && !turn_is_over ? used + view.gpus : used;
	limit = admin_limit(assoc, positions->gpu);
	if (enforces(policy, &view))
		assoc->grp_tres_ctld[positions->gpu] = MIN(reach, limit);
	else if (why != GW_QUOTA_ALLOWED)
		debug("gangway: observe: %pJ would wait for quota: %s", job,
		      gw_quota_why_name(why));
	return why;
}

enum gw_quota_why gw_gate_set(struct gw_policy *policy, job_record_t *job, bool turn_is_over)
{
	assoc_mgr_lock_t locks = {.assoc = WRITE_LOCK, .tres = READ_LOCK};
	struct gw_tres_positions positions;
	enum gw_quota_why why;

	gw_snap_positions(policy, &positions);
	assoc_mgr_lock(&locks);
	why = set_locked(policy, &positions, job, turn_is_over);
	assoc_mgr_unlock(&locks);
	gw_snap_positions_free(&positions);
	return why;
}

bool gw_gate_is_ours(struct gw_policy *policy, const job_record_t *job)
{
	assoc_mgr_lock_t locks = {.assoc = READ_LOCK};
	bool ours;

	if (!gw_policy_conf(policy)->queue_count)
		return false;
	assoc_mgr_lock(&locks);
	ours = gw_snap_queue(policy, job) != GW_INDEX_NONE;
	assoc_mgr_unlock(&locks);
	return ours;
}

void gw_gate_restore(struct gw_policy *policy)
{
	assoc_mgr_lock_t locks = {.assoc = WRITE_LOCK, .tres = READ_LOCK};
	struct gw_tres_positions positions;

	gw_snap_positions(policy, &positions);
	assoc_mgr_lock(&locks);
	for (size_t queue = 0; queue < gw_policy_conf(policy)->queue_count; queue++) {
		slurmdb_assoc_rec_t *assoc = gw_snap_account(policy, (int32_t)queue);

		if (assoc && assoc->grp_tres_ctld && positions.gpu >= 0)
			assoc->grp_tres_ctld[positions.gpu] = admin_limit(assoc, positions.gpu);
	}
	assoc_mgr_unlock(&locks);
	gw_snap_positions_free(&positions);
}

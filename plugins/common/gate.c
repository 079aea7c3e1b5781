// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/gate.h"

#include <time.h>

#include "plugins/common/engine.h"
#include "plugins/common/gate_qos.h"
#include "plugins/common/weak.h"
#include "src/common/assoc_mgr.h"
#include "src/common/slurmdb_defs.h"
#include "src/core/predict.h"

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

/* Adds what a queue's account holds, of each flavor, to the pools of queue to, or takes it off. */
static void count(const struct gw_policy *policy, const struct gw_tres_positions *positions,
		  struct gw_quota *quota, const slurmdb_assoc_rec_t *assoc, int32_t to, int sign)
{
	for (size_t flavor = 0; flavor < gw_policy_conf(policy)->flavor_count; flavor++) {
		int position = positions->flavor[flavor];

		if (position >= 0)
			hold(policy, quota, to, (int32_t)flavor,
			     sign * (int64_t)assoc->usage->grp_used_tres[position]);
	}
}

void gw_gate_fill(const struct gw_policy *policy, const struct gw_tres_positions *positions,
		  struct gw_quota *quota, unsigned int minute)
{
	int32_t queues = (int32_t)gw_policy_conf(policy)->queue_count;

	gw_quota_clear(quota);
	gw_quota_at(quota, minute);
	/* An account's count includes those below it, so those are taken out; all additions come
	 * first, because what is held never falls below 0. */
	for (int sign = 1; sign >= -1; sign -= 2)
		for (int32_t queue = 0; queue < queues; queue++) {
			const slurmdb_assoc_rec_t *assoc = gw_snap_account(policy, queue);

			if (assoc && assoc->usage && assoc->usage->grp_used_tres)
				count(policy, positions, quota, assoc,
				      sign > 0 ? queue : queue_above(policy, assoc), sign);
		}
}

/* What the admin allows the association to hold, or INFINITE64. */
static uint64_t admin_limit(const slurmdb_assoc_rec_t *assoc, int gpu_position)
{
	return assoc->grp_tres
		       ? slurmdb_find_tres_count_in_string(
				 assoc->grp_tres, (int)assoc_mgr_tres_array[gpu_position]->id)
		       : INFINITE64;
}

/* True where quota decides for jobs of this pool (or of none). */
static bool acts_on(const struct gw_conf *conf, int32_t pool)
{
	enum gw_mode mode = pool == GW_INDEX_NONE
				    ? gw_conf_mode(conf, GW_QUOTA)
				    : gw_conf_pool_mode(conf, &conf->pools[pool], GW_QUOTA);

	return mode == GW_MODE_ENFORCE;
}

/* The same for a job of a queue, whatever GPUs it gets. */
static bool acts_on_queue(const struct gw_conf *conf, int32_t queue)
{
	const struct gw_refs *pools = &conf->queues[queue].pools;

	for (size_t i = 0; i < pools->names.count; i++)
		if (acts_on(conf, (int32_t)pools->index[i]))
			return true;
	return false;
}

bool gw_gate_acts(const struct gw_policy *policy)
{
	const struct gw_conf *conf = gw_policy_conf(policy);
	bool any = acts_on(conf, GW_INDEX_NONE);

	for (int32_t pool = 0; pool < (int32_t)conf->pool_count; pool++)
		any = any || acts_on(conf, pool);
	return any && conf->queue_count;
}

/* The most GPUs that a job like this one may take now. */
static uint32_t most_allowed(const struct gw_quota *quota, struct gw_quota_ask ask)
{
	uint32_t allowed = 0, refused = gw_quota_largest(quota, ask.pool, ask.flavor);

	for (refused += refused < UINT32_MAX; allowed + 1 < refused;) {
		ask.gpus = allowed + (refused - allowed) / 2;
		if (gw_quota_ask(quota, &ask).why == GW_QUOTA_ALLOWED)
			allowed = ask.gpus;
		else
			refused = ask.gpus;
	}
	return allowed;
}

static enum gw_quota_why ask(struct gw_policy *policy, const struct gw_tres_positions *positions,
			     const struct gw_job *job, int32_t pool, uint32_t *most)
{
	struct gw_quota_ask question = {
		.pool = pool,
		.flavor = job->flavor,
		.gpus = job->gpus,
		.limit = job->limit,
	};
	struct gw_quota *quota = gw_policy_quota_lock(policy);
	struct gw_quota_answer answer;

	gw_gate_fill(policy, positions, quota, gw_gate_minute());
	answer = gw_quota_ask(quota, &question);
	*most = most_allowed(quota, question);
	gw_policy_quota_unlock(policy);
	return answer.why;
}

/*
 * The same, and for a job that names no GPUs what is allowed of each flavor of its partition: Slurm
 * gives it any of them.
 */
static enum gw_quota_why ask_each(struct gw_policy *policy,
				  const struct gw_tres_positions *positions,
				  const job_record_t *job, struct gw_job view, uint32_t *most)
{
	const struct gw_conf *conf = gw_policy_conf(policy);
	const char *partition = job->part_ptr ? job->part_ptr->name : NULL;
	int32_t pool = gw_policy_pool(policy, view.queue, view.flavor);
	enum gw_quota_why why = ask(policy, positions, &view, pool, most);
	uint32_t one;

	for (size_t i = 0; !view.gpus && i < conf->flavor_count; i++) {
		if (xstrcmp(conf->flavors[i].partition, partition))
			continue;
		view.flavor = (int32_t)i;
		pool = gw_policy_pool(policy, view.queue, view.flavor);
		ask(policy, positions, &view, pool, &one);
		*most = MIN(*most, one);
	}
	return why;
}

static void set_limit(slurmdb_assoc_rec_t *assoc, int gpu_position, uint64_t reach)
{
	uint64_t limit = admin_limit(assoc, gpu_position);

	if (assoc->grp_tres_ctld)
		assoc->grp_tres_ctld[gpu_position] = MIN(reach, limit);
}

/* Slurm looks at all accounts above the job: what we set on a queue's for others is not for it. */
static void open_above(const struct gw_policy *policy, slurmdb_assoc_rec_t *assoc, int gpu_position)
{
	for (; assoc; assoc = assoc->usage ? assoc->usage->parent_assoc_ptr : NULL)
		if (gw_policy_queue(policy, assoc->acct) != GW_INDEX_NONE && !assoc->user)
			set_limit(assoc, gpu_position, INFINITE64);
}

/*
 * What quota is asked about: a job with GPUs of its queue's, and one outside that may get GPUs of
 * flavors. Such a one has no flavor where they are not for its queue, so that its queue may hold no
 * more than it does; nodes without GPUs do not count for it.
 */
static bool concerns(const struct gw_policy *policy, const struct gw_tres_positions *positions,
		     const job_record_t *job, struct gw_job *view)
{
	return gw_snap_job(policy, positions, job, view) || gw_snap_may_get_gpus(policy, job, view);
}

/* The association lock is held for writing, that of QOS for reading. */
static enum gw_quota_why set_locked(struct gw_policy *policy,
				    const struct gw_tres_positions *positions, job_record_t *job,
				    bool turn_is_over)
{
	const struct gw_conf *conf = gw_policy_conf(policy);
	slurmdb_assoc_rec_t *assoc;
	enum gw_quota_why why;
	struct gw_job view;
	uint32_t most;
	int32_t pool;
	bool ours;

	if (positions->gpu < 0)
		return GW_QUOTA_ALLOWED;
	ours = concerns(policy, positions, job, &view);
	if (gw_gate_acts(policy))
		open_above(policy, job->assoc_ptr, positions->gpu);
	assoc = ours ? gw_snap_account(policy, view.queue) : NULL;
	if (!assoc || !assoc->usage || !assoc->usage->grp_used_tres || !assoc->grp_tres_ctld)
		return GW_QUOTA_ALLOWED;
	pool = gw_policy_pool(policy, view.queue, view.flavor);
	why = ask_each(policy, positions, job, view, &most);
	if (pool == GW_INDEX_NONE ? acts_on_queue(conf, view.queue) : acts_on(conf, pool))
		set_limit(assoc, positions->gpu,
			  gw_gate_qos_limit(job, assoc->usage->grp_used_tres[positions->gpu] +
							 (turn_is_over ? 0 : most)));
	else if (why != GW_QUOTA_ALLOWED)
		debug("gangway: observe: %pJ would wait for quota: %s", job,
		      gw_quota_why_name(why));
	return why;
}

enum gw_quota_why gw_gate_set(struct gw_policy *policy, job_record_t *job, bool turn_is_over,
			      struct gw_call *call)
{
	assoc_mgr_lock_t locks = {.assoc = WRITE_LOCK, .qos = READ_LOCK, .tres = READ_LOCK};
	struct gw_tres_positions positions;
	enum gw_quota_why why;

	gw_snap_lock(policy, &positions, &locks, call);
	why = set_locked(policy, &positions, job, turn_is_over);
	assoc_mgr_unlock(&locks);
	gw_snap_positions_free(&positions);
	return why;
}

void gw_gate_open(struct gw_policy *policy, const job_record_t *job, struct gw_call *call)
{
	assoc_mgr_lock_t locks = {.assoc = WRITE_LOCK, .tres = READ_LOCK};
	struct gw_tres_positions positions;

	if (!gw_gate_acts(policy))
		return;
	gw_snap_lock(policy, &positions, &locks, call);
	if (positions.gpu >= 0)
		open_above(policy, job->assoc_ptr, positions.gpu);
	assoc_mgr_unlock(&locks);
	gw_snap_positions_free(&positions);
}

bool gw_gate_is_ours(struct gw_policy *policy, const job_record_t *job, uint32_t *queue,
		     struct gw_call *call)
{
	assoc_mgr_lock_t locks = {.assoc = READ_LOCK};
	int32_t index;

	if (!gw_policy_conf(policy)->queue_count)
		return false;
	gw_snap_lock(NULL, NULL, &locks, call);
	index = gw_snap_queue(policy, job);
	assoc_mgr_unlock(&locks);
	if (index != GW_INDEX_NONE)
		*queue = gw_predict_queue(gw_policy_conf(policy)->queues[index].name);
	return index != GW_INDEX_NONE;
}

void gw_gate_restore(struct gw_policy *policy)
{
	assoc_mgr_lock_t locks = {.assoc = WRITE_LOCK, .tres = READ_LOCK};
	struct gw_tres_positions positions;

	gw_snap_positions(policy, &positions);
	assoc_mgr_lock(&locks);
	for (size_t queue = 0; queue < gw_policy_conf(policy)->queue_count; queue++) {
		slurmdb_assoc_rec_t *assoc = gw_snap_account(policy, (int32_t)queue);

		if (assoc && positions.gpu >= 0)
			set_limit(assoc, positions.gpu, INFINITE64);
	}
	assoc_mgr_unlock(&locks);
	gw_snap_positions_free(&positions);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/snap.h"

#include <string.h>

#include "src/common/assoc_mgr.h"
#include "plugins/common/gres_name.h"
#include "plugins/common/weak.h"

/* The position of gres/NAME ("gpu:h100"), or -1. The TRES lock is held. */
static int gres_position(const char *name)
{
	slurmdb_tres_rec_t wanted = {.type = "gres", .name = (char *)name};

	return assoc_mgr_find_tres_pos(&wanted, true);
}

/* The position of a name of UsageWeights that is no GPU ("cpu", "mem", "gres/nic"). */
static int weight_position(const char *name)
{
	char *copy = xstrdup(name), *slash = strchr(copy, '/');
	slurmdb_tres_rec_t wanted = {.type = copy};
	int position = -1;

	if (slash) {
		*slash = '\0';
		wanted.name = slash + 1;
	}
	if (!slash || (xstrcasecmp(wanted.name, "gpu") && xstrncasecmp(wanted.name, "gpu:", 4)))
		position = assoc_mgr_find_tres_pos(&wanted, true);
	xfree(copy);
	return position;
}

void gw_snap_positions(const struct gw_policy *policy, struct gw_tres_positions *positions)
{
	const struct gw_conf *conf = gw_policy_conf(policy);
	assoc_mgr_lock_t locks = {.tres = READ_LOCK};

	positions->flavor = xcalloc(conf->flavor_count + 1, sizeof(int));
	positions->weight = xcalloc(conf->usage_weights.count + 1, sizeof(int));
	assoc_mgr_lock(&locks);
	positions->gpu = gres_position("gpu");
	for (size_t i = 0; i < conf->flavor_count; i++)
		positions->flavor[i] = gres_position(conf->flavors[i].gres);
	for (size_t i = 0; i < conf->usage_weights.count; i++)
		positions->weight[i] = weight_position(conf->usage_weights.entry[i].name);
	assoc_mgr_unlock(&locks);
}

void gw_snap_positions_free(struct gw_tres_positions *positions)
{
	xfree(positions->flavor);
	xfree(positions->weight);
}

void gw_snap_lock(const struct gw_policy *policy, struct gw_tres_positions *positions,
		  assoc_mgr_lock_t *locks, struct gw_call *call)
{
	gw_call_stock_begin(call);
	if (positions)
		gw_snap_positions(policy, positions);
	assoc_mgr_lock(locks);
	gw_call_stock_end(call);
}

int32_t gw_snap_queue(const struct gw_policy *policy, const job_record_t *job)
{
	const slurmdb_assoc_rec_t *assoc = job->assoc_ptr;
	int32_t queue = gw_policy_queue(policy, job->account);

	while (queue == GW_INDEX_NONE && assoc) {
		queue = gw_policy_queue(policy, assoc->acct);
		assoc = assoc->usage ? assoc->usage->parent_assoc_ptr : NULL;
	}
	return queue;
}

static const char *requested_type(const job_record_t *job)
{
	const gres_state_t *state = gw_gres_gpu_of(job->gres_list_req);

	return state && state->gres_data ? ((gres_job_state_t *)state->gres_data)->type_name : NULL;
}

static uint64_t count_at(const uint64_t *counts, int position)
{
	return counts && position >= 0 && counts[position] != NO_CONSUME_VAL64 ? counts[position]
									       : 0;
}

/* A running job's flavor is the one it holds most of. */
static int32_t held_flavor(const struct gw_policy *policy,
			   const struct gw_tres_positions *positions, const job_record_t *job,
			   int32_t queue)
{
	int32_t best = GW_INDEX_NONE;
	uint64_t most = 0;

	for (size_t i = 0; i < gw_policy_conf(policy)->flavor_count; i++) {
		uint64_t count = count_at(job->tres_alloc_cnt, positions->flavor[i]);

		if (count <= most)
			continue;
		most = count;
		best = (int32_t)i;
	}
	if (best != GW_INDEX_NONE && gw_policy_pool(policy, queue, best) == GW_INDEX_NONE)
		return GW_INDEX_NONE;
	return best;
}

static double rate_of(const struct gw_policy *policy, const struct gw_tres_positions *positions,
		      const uint64_t *counts, const struct gw_job *job)
{
	const struct gw_tres *weights = &gw_policy_conf(policy)->usage_weights;
	double rate = job->gpus * gw_policy_gpu_weight(policy, job->flavor);

	for (size_t i = 0; i < weights->count; i++)
		rate += weights->entry[i].value * (double)count_at(counts, positions->weight[i]);
	return rate;
}

static enum gw_job_state state_of(const job_record_t *job)
{
	if (IS_JOB_SUSPENDED(job))
		return GW_JOB_SUSPENDED;
	return IS_JOB_PENDING(job) ? GW_JOB_PENDING : GW_JOB_RUNNING;
}

static void copy_times(const job_record_t *job, struct gw_job *to)
{
	const gw_job_details_t *details = job->details;

	to->limit = job->time_limit == INFINITE || job->time_limit == NO_VAL
			    ? GW_TIME_INFINITE
			    : (int64_t)job->time_limit * 60;
	to->start = job->start_time;
	if (!details)
		return;
	to->submit = details->submit_time;
	to->eligible = details->accrue_time ? details->accrue_time : details->begin_time;
	if (!to->eligible)
		to->eligible = to->submit;
	to->nice = (int32_t)((int64_t)details->nice - NICE_OFFSET);
	to->nodes = details->min_nodes;
}

/* It leaves no GPU of its nodes to others: by --exclusive, or as it asks for all they have. */
static bool takes_whole_nodes(const struct gw_policy *policy, const job_record_t *job,
			      const struct gw_job *view)
{
	uint32_t most = gw_policy_node_gpus(policy, view->flavor);

	return (job->details && job->details->whole_node) ||
	       (most && view->gpus % most == 0 && view->gpus / most >= view->nodes);
}

bool gw_snap_depends(const job_record_t *job)
{
	return job->state_reason == WAIT_DEPENDENCY || job->state_reason == WAIT_DEP_INVALID;
}

bool gw_snap_job(const struct gw_policy *policy, const struct gw_tres_positions *positions,
		 const job_record_t *job, struct gw_job *to)
{
	const uint64_t *counts = IS_JOB_PENDING(job) ? job->tres_req_cnt : job->tres_alloc_cnt;

	memset(to, 0, sizeof(*to));
	to->id = job->job_id;
	to->state = state_of(job);
	to->flavor = GW_INDEX_NONE;
	to->queue = gw_snap_queue(policy, job);
	if (to->queue == GW_INDEX_NONE || !counts)
		return false;
	to->gpus = (uint32_t)count_at(counts, positions->gpu);
	if (to->state == GW_JOB_PENDING)
		to->flavor = gw_policy_flavor(policy, to->queue, requested_type(job),
					      job->part_ptr ? job->part_ptr->name : NULL);
	else
		to->flavor = held_flavor(policy, positions, job, to->queue);
	copy_times(job, to);
	if (!to->gpus || to->flavor == GW_INDEX_NONE)
		return false;
	to->user = job->user_id;
	to->tasks = job->array_recs && job->array_recs->task_cnt ? job->array_recs->task_cnt : 1;
	to->job_class = gw_policy_class(policy, job->qos_ptr ? job->qos_ptr->name : NULL);
	if (to->job_class == GW_INDEX_NONE)
		to->job_class = gw_policy_class(policy, NULL);
	to->rate = rate_of(policy, positions, counts, to);
	to->held = job->priority == 0 || gw_snap_depends(job);
	to->pinned = job->direct_set_prio != 0;
	to->whole_nodes = takes_whole_nodes(policy, job, to);
	return true;
}

bool gw_snap_may_get_gpus(const struct gw_policy *policy, const job_record_t *job,
			  const struct gw_job *view)
{
	const part_record_t *part = job->part_ptr;

	if (view->queue == GW_INDEX_NONE)
		return false;
	if (view->gpus)
		return gw_policy_has_gpus(policy, requested_type(job), part ? part->name : NULL);
	/* OverSubscribe=EXCLUSIVE. */
	return (job->details && GW_WHOLE_NODES(job->details)) || (part && !part->max_share);
}

slurmdb_assoc_rec_t *gw_snap_account(const struct gw_policy *policy, int32_t queue)
{
	slurmdb_assoc_rec_t key = {0}, *found = NULL;

	key.acct = gw_policy_conf(policy)->queues[queue].account;
	key.cluster = slurm_conf.cluster_name;
	key.uid = NO_VAL;
	assoc_mgr_fill_in_assoc(NULL, &key, 0, &found, true);
	return found;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* From view, slurm.conf and slurmctld's answers to the facts that core explains. */
#include "why.h"

#include <stdlib.h>
#include <string.h>

#include "../core/order.h"
#include "../core/route_gpus.h"

/* What Slurm's own reason means, where Gangway does not decide. */
static const struct meaning {
	enum job_state_reason reason;
	enum gw_explain_hold hold; /* GW_HOLD_NONE: Slurm does not offer the nodes */
	const char *words;
} meanings[] = {
	{WAIT_HELD, GW_HOLD_ADMIN, NULL},
	{WAIT_HELD_USER, GW_HOLD_USER, NULL},
	{WAIT_DEPENDENCY, GW_HOLD_DEPENDENCY, NULL},
	{WAIT_DEP_INVALID, GW_HOLD_DEPENDENCY, "it can not be fulfilled any more"},
	{WAIT_TIME, GW_HOLD_BEGIN_TIME, NULL},
	{WAIT_RESERVATION, GW_HOLD_RESERVATION, NULL},
	{WAIT_RESV_DELETED, GW_HOLD_RESERVATION, "it was deleted"},
	{WAIT_LICENSES, GW_HOLD_OTHER, "Slurm's licenses are in use"},
	{WAIT_ARRAY_TASK_LIMIT, GW_HOLD_OTHER, "its array runs as many tasks as it wants to"},
	{WAIT_PART_DOWN, GW_HOLD_NONE, "its partition is down"},
	{WAIT_PART_INACTIVE, GW_HOLD_NONE, "its partition is inactive"},
	{WAIT_PART_NODE_LIMIT, GW_HOLD_NONE, "its partition does not give so many nodes"},
	{WAIT_PART_TIME_LIMIT, GW_HOLD_NONE, "its partition does not give so long a limit"},
	{WAIT_PART_CONFIG, GW_HOLD_NONE, "its partition does not take such a job"},
	{WAIT_NODE_NOT_AVAIL, GW_HOLD_NONE, "nodes that it needs are down, drained or reserved"},
};

static const char *hold_on(const slurm_job_info_t *info, enum gw_explain_hold hold)
{
	if (hold == GW_HOLD_DEPENDENCY)
		return info->dependency;
	if (hold == GW_HOLD_RESERVATION)
		return info->resv_name;
	return NULL;
}

static void take_meaning(const struct meaning *meaning, const slurm_job_info_t *info, int64_t now,
			 struct gw_explain_facts *facts)
{
	if (meaning->hold == GW_HOLD_NONE) {
		facts->misconfigured = meaning->words;
		return;
	}
	facts->hold = meaning->hold;
	facts->hold_on = meaning->words ? meaning->words : hold_on(info, meaning->hold);
	if (meaning->hold == GW_HOLD_BEGIN_TIME && info->eligible_time > now)
		facts->hold_left = info->eligible_time - now;
}

/* Limits of accounting are Slurm's own, unless it is by them that Gangway holds the quota. */
static void take_own_limit(const struct gw_asked_job *slurm, struct gw_why_facts *why)
{
	if (why->quota.why != GW_QUOTA_ALLOWED ||
	    (strncmp(slurm->reason, "Assoc", 5) && strncmp(slurm->reason, "QOS", 3)))
		return;
	snprintf(why->words, sizeof(why->words), "a limit of Slurm's accounting, %s",
		 slurm->reason);
	why->facts.hold = GW_HOLD_OTHER;
	why->facts.hold_on = why->words;
}

static void take_slurm(const struct gw_asked_job *slurm, int64_t now, struct gw_why_facts *why)
{
	const slurm_job_info_t *info = slurm->info;

	if (!info)
		return;
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].reason == info->state_reason)
			take_meaning(&meanings[i], info, now, &why->facts);
	take_own_limit(slurm, why);
	if (info->start_time > now)
		why->facts.start_in = info->start_time - now;
}

static void take_view(const struct gw_known_job *job, struct gw_why_facts *why)
{
	const struct gw_view_job *view = job->view;
	struct gw_explain_facts *facts = &why->facts;

	why->quota = (struct gw_quota_answer){
		.why = view->why,
		.borrow = view->borrow,
		.missing = view->missing,
		.cohort = GW_INDEX_NONE,
		.peak = GW_INDEX_NONE,
	};
	facts->job = view->id;
	facts->gpus = view->gpus;
	facts->nodes = view->nodes;
	facts->limit = view->limit;
	facts->queue = view->queue;
	facts->flavor = *view->flavor ? view->flavor : NULL;
	facts->rank = view->rank;
	facts->gap = view->gap;
	facts->quota = *view->flavor ? &why->quota : NULL;
	if (!job->pool)
		return;
	facts->pool = job->pool->name;
	facts->cohort = *job->pool->cohort ? job->pool->cohort : NULL;
	facts->figures = &job->pool->figures;
}

/* The order has a place for it and quota: what more than is free would need is not in its way. */
static void take_startable(const struct gw_view_job *view, struct gw_why_facts *why)
{
	if (!view->startable)
		return;
	why->quota.why = GW_QUOTA_ALLOWED;
	why->quota.missing = 0;
}

static void take_conf(const struct gw_known_job *job, int64_t now, struct gw_explain_facts *facts)
{
	const struct gw_conf *conf = job->conf;

	if (conf && job->view->back) {
		int64_t since = job->view->eligible ? job->view->eligible : job->view->submit;

		facts->small_hold_left = gw_order_hold_left(conf, since, now);
		facts->small_batch = conf->small_batch;
	}
	for (size_t i = 0; conf && job->pool && i < conf->pool_count; i++)
		if (gw_same(conf->pools[i].name, job->pool->name))
			facts->loan_time = conf->pools[i].loan_time;
}

/* The job right before this one, and the queue that has had least. */
static void take_others(const struct gw_site *site, const struct gw_known_job *job,
			struct gw_explain_facts *facts)
{
	const struct gw_view *view = &site->view;
	const struct gw_view_queue *own = gw_view_queue(view, job->view->queue);
	const struct gw_view_queue *least = NULL;
	uint32_t before = 0;

	for (size_t i = 0; i < view->job_count; i++) {
		const struct gw_view_job *other = &view->job[i];

		if (other->running || other->rank <= before || other->rank >= job->view->rank)
			continue;
		before = other->rank;
		facts->next_job = other->id;
		facts->next_queue = other->queue;
	}
	for (size_t i = 0; own && i < view->queue_count; i++)
		if (gw_same(view->queue[i].pool, own->pool) &&
		    (!least || view->queue[i].key < least->key))
			least = &view->queue[i];
	if (!least)
		return;
	facts->key = own->key;
	facts->least_key = least->key;
	facts->least_queue = least->name;
}

/* Whether what a running job gives back is of use: to quota in the cohort, else to its nodes. */
static bool gives_back(const struct gw_site *site, const struct gw_known_job *job,
		       const struct gw_view_job *other)
{
	const struct gw_view_pool *pool;

	if (!other->running || !gw_same(other->flavor, job->view->flavor))
		return false;
	if (job->view->why == GW_QUOTA_ALLOWED || !job->pool)
		return true;
	pool = gw_view_pool_of(&site->view, other->queue, other->flavor);
	if (!pool)
		return false;
	if (job->view->why == GW_QUOTA_COHORT_EMPTY && *job->pool->cohort && *pool->cohort)
		return true;
	return gw_same(pool->name, job->pool->name);
}

static int by_end(const void *a, const void *b)
{
	const struct gw_explain_end *left = a, *right = b;

	if (left->in != right->in)
		return left->in < right->in ? -1 : 1;
	return left->job < right->job ? -1 : left->job > right->job;
}

static int take_ends(const struct gw_site *site, const struct gw_known_job *job,
		     struct gw_why_facts *why, struct gw_error *error)
{
	const struct gw_view *view = &site->view;
	/* Of GPUs that come free, those before it in the order have the first choice. */
	bool ends_help = job->view->why != GW_QUOTA_ALLOWED ||
			 (job->view->rank <= 1 && why->facts.placement_known);
	size_t count = 0;

	why->ends = calloc(view->job_count + 1, sizeof(*why->ends));
	if (!why->ends)
		return gw_error_memory(error);
	for (size_t i = 0; i < view->job_count; i++) {
		const struct gw_view_job *other = &view->job[i];
		int64_t in = other->start - site->now + other->limit;

		if (!ends_help || !gives_back(site, job, other) || other->limit == GW_TIME_INFINITE)
			continue;
		why->ends[count++] = (struct gw_explain_end){
			.job = other->id, .gpus = other->gpus, .in = in > 0 ? in : 0};
	}
	qsort(why->ends, count, sizeof(*why->ends), by_end);
	why->facts.ends = why->ends;
	why->facts.end_count = count;
	return 0;
}

/* GPUs on each node, as the user asked for them; 0: any spread will do. */
static uint32_t gpus_per_node(const slurm_job_info_t *info)
{
	struct gw_gpus gpus;
	struct gw_gpus_request request = {
		.tres = {[GW_PER_JOB] = info->tres_per_job,
			 [GW_PER_NODE] = info->tres_per_node,
			 [GW_PER_SOCKET] = info->tres_per_socket,
			 [GW_PER_TASK] = info->tres_per_task},
		.tasks = info->num_tasks,
		.nodes_min = info->num_nodes,
		.nodes_max = info->max_nodes,
	};

	return gw_gpus_read(&request, &gpus, NULL) ? 0 : gpus.per_node;
}

static struct gw_gpus_free count_free(const struct gw_site *site, const struct gw_known_job *job,
				      const char *flavor, uint32_t per_node)
{
	const struct gw_view_flavor *found = gw_view_flavor(&site->view, flavor);

	if (!found)
		return (struct gw_gpus_free){0};
	return gw_gpus_free_of(&job->nodes, found->gres, found->partition, per_node);
}

/* GPUs alone are counted here; of cores and memory only Slurm's own answer tells. */
static void take_placement(const struct gw_site *site, const struct gw_known_job *job,
			   struct gw_explain_facts *facts)
{
	struct gw_gpus_free free_gpus;
	bool enough;

	if (!job->nodes_known || !job->slurm.info || !facts->flavor)
		return;
	facts->gpus_per_node = gpus_per_node(job->slurm.info);
	free_gpus = count_free(site, job, facts->flavor, facts->gpus_per_node);
	facts->free = free_gpus.free;
	facts->free_on_a_node = free_gpus.on_a_node;
	facts->free_nodes = free_gpus.nodes;
	facts->placement_known = true;
	enough = facts->free >= facts->gpus &&
		 (!facts->gpus_per_node || facts->free_nodes >= facts->nodes);
	facts->fits_now = enough && job->slurm.info->state_reason != WAIT_RESOURCES;
}

static int take_flavors(const struct gw_site *site, const struct gw_known_job *job,
			struct gw_why_facts *why, struct gw_error *error)
{
	const struct gw_view *view = &site->view;
	struct gw_explain_facts *facts = &why->facts;

	why->flavors = calloc(view->flavor_count + 1, sizeof(*why->flavors));
	if (!why->flavors)
		return gw_error_memory(error);
	for (size_t i = 0; job->nodes_known && i < view->flavor_count; i++) {
		const struct gw_view_flavor *flavor = &view->flavor[i];
		const struct gw_view_pool *pool =
			gw_view_pool_of(view, job->view->queue, flavor->name);

		if (!pool || gw_same(flavor->name, job->view->flavor))
			continue;
		why->flavors[facts->flavor_count++] = (struct gw_explain_flavor){
			.name = flavor->name,
			.partition = flavor->partition,
			.free = count_free(site, job, flavor->name, 0).free,
			.room = pool->figures.reach - pool->figures.held,
		};
	}
	facts->flavors = why->flavors;
	return 0;
}

int gw_why_facts(const struct gw_site *site, const struct gw_known_job *job,
		 struct gw_why_facts *why, struct gw_error *error)
{
	*why = (struct gw_why_facts){.facts.may_name_others = site->names_others};
	take_view(job, why);
	take_slurm(&job->slurm, site->now, why);
	take_startable(job->view, why);
	take_conf(job, site->now, &why->facts);
	take_others(site, job, &why->facts);
	take_placement(site, job, &why->facts);
	return take_ends(site, job, why, error) || take_flavors(site, job, why, error) ? -1 : 0;
}

void gw_why_facts_free(struct gw_why_facts *why)
{
	free(why->ends);
	free(why->flavors);
}

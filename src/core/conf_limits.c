// SPDX-License-Identifier: GPL-2.0-or-later
/* Quotas and limits: from names to numbers of GPUs per flavor, and which queue draws from where. */
#include <stdlib.h>
#include <string.h>

#include "conf_impl.h"

static bool entry_means(const struct gw_tres_entry *entry, const struct gw_flavor *flavor)
{
	return gw_same_n(entry->name, "gres/", 5) ? gw_same(entry->name + 5, flavor->gres)
						  : gw_same(entry->name, flavor->name);
}

/* What there is to choose from, for an entry that means no flavor. */
static void refuse_entry(const struct gw_conf *conf, struct gw_where where, const char *key,
			 const char *name, struct gw_error *error)
{
	struct gw_str known = {0};

	for (size_t i = 0; i < conf->flavor_count && known.length < 200; i++)
		gw_str_appendf(&known, "%s%s (gres/%s)", i ? ", " : "", conf->flavors[i].name,
			       conf->flavors[i].gres);
	if (known.failed)
		gw_error_memory(error);
	else
		gw_conf_error(error, where, key, name,
			      "no FlavorName has this name or Gres; there is %.250s",
			      conf->flavor_count ? gw_str_text(&known) : "none");
	gw_str_free(&known);
}

/* The one flavor an entry means, or GW_NO_INDEX with an error. */
static size_t entry_flavor(const struct gw_conf *conf, const struct gw_limits *limits,
			   const char *key, const struct gw_tres_entry *entry,
			   struct gw_error *error)
{
	size_t found = GW_NO_INDEX;

	for (size_t i = 0; i < conf->flavor_count; i++) {
		if (!entry_means(entry, &conf->flavors[i]))
			continue;
		if (found != GW_NO_INDEX) {
			gw_conf_error(error, limits->where, key, entry->name,
				      "means both flavor %s and %s: write the name of one",
				      conf->flavors[found].name, conf->flavors[i].name);
			return GW_NO_INDEX;
		}
		found = i;
	}
	if (found == GW_NO_INDEX)
		refuse_entry(conf, limits->where, key, entry->name, error);
	return found;
}

/* served: flavors that may be named, or NULL for all. */
static int resolve_limits(const struct gw_conf *conf, struct gw_limits *limits, const char *key,
			  const uint32_t *served, struct gw_error *error)
{
	size_t count = conf->flavor_count ? conf->flavor_count : 1;

	limits->gpus = malloc(count * sizeof(*limits->gpus));
	if (!limits->gpus)
		return gw_error_memory(error);
	for (size_t i = 0; i < count; i++)
		limits->gpus[i] = GW_NOT_GIVEN;
	for (size_t i = 0; i < limits->given.count; i++) {
		const struct gw_tres_entry *entry = &limits->given.entry[i];
		size_t flavor = entry_flavor(conf, limits, key, entry, error);

		if (flavor == GW_NO_INDEX)
			return -1;
		if (limits->gpus[flavor] != GW_NOT_GIVEN)
			return gw_conf_error(error, limits->where, key, entry->name,
					     "flavor %s is named twice",
					     conf->flavors[flavor].name);
		if (served && served[flavor] == GW_NOT_GIVEN)
			return gw_conf_error(error, limits->where, key, entry->name,
					     "the pool has no Quota of flavor %s; write 0 there to "
					     "let it borrow only",
					     conf->flavors[flavor].name);
		limits->gpus[flavor] = (uint32_t)entry->value;
	}
	return 0;
}

static int resolve_three(const struct gw_conf *conf, struct gw_limits *quota,
			 struct gw_limits *borrow, struct gw_limits *lend, const uint32_t *served,
			 struct gw_error *error)
{
	if (resolve_limits(conf, quota, "Quota", served, error) ||
	    resolve_limits(conf, borrow, "BorrowLimit", served, error))
		return -1;
	return resolve_limits(conf, lend, "LendLimit", served, error);
}

static int resolve_pools(struct gw_conf *conf, struct gw_error *error)
{
	for (size_t i = 0; i < conf->pool_count; i++) {
		struct gw_pool *pool = &conf->pools[i];

		if (resolve_limits(conf, &pool->quota, "Quota", NULL, error) ||
		    resolve_limits(conf, &pool->borrow, "BorrowLimit", pool->quota.gpus, error) ||
		    resolve_limits(conf, &pool->lend, "LendLimit", pool->quota.gpus, error))
			return -1;
	}
	for (size_t i = 0; i < conf->peak_count; i++) {
		struct gw_peak *peak = &conf->peaks[i];
		const struct gw_pool *pool = &conf->pools[peak->pool.index];

		if (resolve_three(conf, &peak->quota, &peak->borrow, &peak->lend, pool->quota.gpus,
				  error))
			return -1;
	}
	for (size_t i = 0; i < conf->cohort_count; i++) {
		struct gw_cohort *cohort = &conf->cohorts[i];

		if (resolve_three(conf, &cohort->quota, &cohort->borrow, &cohort->lend, NULL,
				  error))
			return -1;
	}
	return 0;
}

/* How many of the queue's pools serve a flavor; *last: the last of them. */
static size_t pools_serving(const struct gw_conf *conf, const struct gw_queue *queue, size_t flavor,
			    size_t last[2])
{
	size_t serving = 0;

	for (size_t i = 0; i < queue->pools.names.count; i++) {
		size_t pool = queue->pools.index[i];

		if (conf->pools[pool].quota.gpus[flavor] == GW_NOT_GIVEN)
			continue;
		last[serving > 0] = pool;
		serving++;
	}
	return serving;
}

static int check_one_pool(const struct gw_conf *conf, const struct gw_queue *queue, size_t flavor,
			  struct gw_error *error)
{
	const char *name = conf->flavors[flavor].name;
	size_t pool[2] = {0};
	size_t serving = pools_serving(conf, queue, flavor, pool);

	if (serving > 1)
		return gw_conf_error(error, queue->where, "QueueName", queue->name,
				     "flavor %s comes from pool %s and pool %s: a queue draws each "
				     "flavor from one pool",
				     name, conf->pools[pool[0]].name, conf->pools[pool[1]].name);
	if (!serving)
		return gw_conf_error(error, queue->flavors.where, "Flavor", name,
				     "none of the pools of queue %s has a Quota of it",
				     queue->name);
	return 0;
}

/* A queue that names no flavor takes those of its pools, in file order. */
static int default_flavors(const struct gw_conf *conf, struct gw_queue *queue,
			   struct gw_error *error)
{
	size_t ignored[2];

	queue->flavors.index =
		calloc(conf->flavor_count ? conf->flavor_count : 1, sizeof(*queue->flavors.index));
	if (!queue->flavors.index)
		return gw_error_memory(error);
	queue->flavors.where = queue->where;
	for (size_t i = 0; i < conf->flavor_count; i++) {
		const char *name = conf->flavors[i].name;

		if (!pools_serving(conf, queue, i, ignored))
			continue;
		queue->flavors.index[queue->flavors.names.count] = i;
		if (gw_strings_add(&queue->flavors.names, name, strlen(name)))
			return gw_error_memory(error);
	}
	return 0;
}

int gw_conf_check_limits(struct gw_conf *conf, struct gw_error *error)
{
	if (resolve_pools(conf, error))
		return -1;
	for (size_t i = 0; i < conf->queue_count; i++) {
		struct gw_queue *queue = &conf->queues[i];

		if (!queue->flavors.names.count && default_flavors(conf, queue, error))
			return -1;
		for (size_t j = 0; j < queue->flavors.names.count; j++)
			if (check_one_pool(conf, queue, queue->flavors.index[j], error))
				return -1;
	}
	return 0;
}

static bool windows_meet(const struct gw_week_window *a, const struct gw_week_window *b)
{
	for (unsigned int minute = 0; minute < GW_MINUTES_A_WEEK; minute++)
		if (gw_week_window_has(a, minute) && gw_week_window_has(b, minute))
			return true;
	return false;
}

int gw_conf_check_peaks(const struct gw_conf *conf, struct gw_error *error)
{
	for (size_t i = 1; i < conf->peak_count; i++) {
		for (size_t j = 0; j < i; j++) {
			const struct gw_peak *a = &conf->peaks[i], *b = &conf->peaks[j];

			if (a->pool.index == b->pool.index && windows_meet(&a->window, &b->window))
				return gw_conf_error(error, a->where, "PoolName", a->pool.name,
						     "its Peak overlaps the one at %s:%d",
						     b->where.file, b->where.line);
		}
	}
	return 0;
}

struct owned_node {
	const char *name;
	const struct gw_shape *shape;
};

static int compare_nodes(const void *left, const void *right)
{
	const struct owned_node *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (order)
		return order;
	return a->shape < b->shape ? -1 : a->shape > b->shape;
}

static int find_shared_node(struct owned_node *nodes, size_t count, struct gw_error *error)
{
	qsort(nodes, count, sizeof(*nodes), compare_nodes);
	for (size_t i = 1; i < count; i++) {
		const struct gw_shape *before = nodes[i - 1].shape, *shape = nodes[i].shape;

		if (strcmp(nodes[i].name, nodes[i - 1].name))
			continue;
		return gw_conf_error(error, shape->where, "ShapeName", shape->name,
				     "node %.64s has a shape already, %s (%s:%d)", nodes[i].name,
				     before->name, before->where.file, before->where.line);
	}
	return 0;
}

int gw_conf_check_shapes(const struct gw_conf *conf, struct gw_error *error)
{
	struct owned_node *nodes;
	size_t total = 0, at = 0;
	int result;

	for (size_t i = 0; i < conf->shape_count; i++)
		total += conf->shapes[i].node.count;
	if (!total)
		return 0;
	nodes = calloc(total, sizeof(*nodes));
	if (!nodes)
		return gw_error_memory(error);
	for (size_t i = 0; i < conf->shape_count; i++)
		for (size_t j = 0; j < conf->shapes[i].node.count; j++)
			nodes[at++] =
				(struct owned_node){conf->shapes[i].node.item[j], &conf->shapes[i]};
	result = find_shared_node(nodes, total, error);
	free(nodes);
	return result;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* A tiny simulated cluster of 8-GPU nodes: jobs start where the policy says, or not at all. */
#ifndef GW_TESTS_PLACE_CLUSTER_H
#define GW_TESTS_PLACE_CLUSTER_H

#include <inttypes.h>
#include <stdio.h>

#include "shapes.h"
#include "unit.h"
#include "src/core/place.h"

#define CLUSTER_NODES 1024
#define NODE_CPUS     64
#define NODE_MEMORY   (1 << 20)

struct cluster {
	size_t count;
	struct gw_node node[CLUSTER_NODES];
	struct gw_choice choice[CLUSTER_NODES];
	const char *reason;
	struct gw_gpuset_table *table;
	const struct gw_gpuset_table *tables[1];
	struct gw_place *place;
};

static inline void cluster_make(struct cluster *cluster, size_t count, uint32_t gpus,
				const struct gw_shape_info *shape)
{
	struct gw_error error = {0};

	memset(cluster, 0, sizeof(*cluster));
	cluster->count = count;
	for (uint32_t i = 0; i < count; i++)
		cluster->node[i] = (struct gw_node){.index = i,
						    .shape = shape ? 0 : -1,
						    .weight = 1,
						    .all = gw_gpus_first(gpus),
						    .free = gw_gpus_first(gpus),
						    .cpus_free = NODE_CPUS,
						    .cpus_total = NODE_CPUS,
						    .memory_free = NODE_MEMORY,
						    .memory_total = NODE_MEMORY};
	cluster->table = shape ? gw_gpuset_table_create(shape, &error) : NULL;
	cluster->tables[0] = cluster->table;
	cluster->place = gw_place_create(cluster->tables, 1, CLUSTER_NODES, &error);
	ck_assert_msg(cluster->place != NULL, "%s", error.text);
}

static inline void cluster_free(struct cluster *cluster)
{
	gw_place_free(cluster->place);
	gw_gpuset_table_free(cluster->table);
}

/* All but these GPUs of a node are held by others, with the CPUs of their share. */
static inline void cluster_leave(struct cluster *cluster, size_t node, gw_gpus free)
{
	struct gw_node *it = &cluster->node[node];
	uint32_t gpus = gw_gpus_count(it->all), held = gpus - gw_gpus_count(free);

	it->free = free;
	it->cpus_free = it->cpus_total - it->cpus_total * held / gpus;
	it->memory_free = it->memory_total - it->memory_total * held / gpus;
	it->busy_until = held ? 3600 : 0;
}

static inline size_t cluster_ask(struct cluster *cluster, const struct gw_ask *ask)
{
	return gw_place_nodes(cluster->place, ask, cluster->node, cluster->count, cluster->choice,
			      CLUSTER_NODES, &cluster->reason);
}

static inline size_t cluster_fitting(const struct cluster *cluster, const struct gw_ask *ask)
{
	size_t fitting = 0;

	for (size_t i = 0; i < cluster->count; i++) {
		const struct gw_node *node = &cluster->node[i];
		bool whole = node->free == node->all && !node->busy_until && !node->gpus_other &&
			     node->cpus_free == node->cpus_total;

		fitting += gw_gpus_count(node->free) >= ask->gpus_per_node &&
			   node->cpus_free >= ask->cpus_per_node &&
			   node->memory_free >= ask->memory_per_node &&
			   (whole || !ask->whole_nodes);
	}
	return fitting;
}

/* CPUs that a node with so many of the GPUs gives, and memory. */
static inline uint32_t cluster_cpus(const struct gw_ask *ask, uint32_t gpus)
{
	uint32_t cpus = ask->cpus_per_gpu * gpus;

	if (ask->gpus && ask->cpus * gpus / ask->gpus > cpus)
		cpus = ask->cpus * gpus / ask->gpus;
	return cpus > ask->cpus_per_node ? cpus : ask->cpus_per_node;
}

static inline uint64_t cluster_memory(const struct gw_ask *ask, uint32_t gpus)
{
	uint64_t part = ask->gpus ? ask->memory * gpus / ask->gpus : 0;

	return part > ask->memory_per_node ? part : ask->memory_per_node;
}

/* Asks, checks the answer against the request, and takes what was chosen. */
static inline size_t cluster_start(struct cluster *cluster, const struct gw_ask *ask)
{
	size_t chosen = cluster_ask(cluster, ask);
	uint32_t gpus = 0;

	ck_assert(!chosen == (cluster->reason != NULL));
	/* Whatever can start gets a preference. */
	if (!ask->gpus && ask->max_nodes <= ask->min_nodes)
		ck_assert(!chosen == (cluster_fitting(cluster, ask) < ask->min_nodes));
	for (size_t i = 0; i < chosen; i++) {
		struct gw_node *node = &cluster->node[cluster->choice[i].index];
		gw_gpus set = cluster->choice[i].gpus;

		for (size_t j = 0; j < i; j++)
			ck_assert_uint_ne(cluster->choice[j].index, node->index);
		ck_assert_uint_eq(set & ~node->free, 0);
		ck_assert_uint_ge(gw_gpus_count(set), ask->gpus_per_node);
		ck_assert_uint_ge(node->cpus_free, cluster_cpus(ask, gw_gpus_count(set)));
		ck_assert_uint_ge(node->memory_free, cluster_memory(ask, gw_gpus_count(set)));
		if (ask->whole_nodes)
			ck_assert(node->free == node->all && !node->busy_until);
		gpus += gw_gpus_count(set);
		node->free &= ~set;
		node->cpus_free -= cluster_cpus(ask, gw_gpus_count(set));
		node->memory_free -= cluster_memory(ask, gw_gpus_count(set));
		node->busy_until = 3600;
	}
	if (chosen) {
		uint32_t min = ask->min_nodes ? ask->min_nodes : 1;

		ck_assert_uint_ge(chosen, min);
		ck_assert(chosen <= ask->max_nodes || chosen == min);
		ck_assert_uint_eq(gpus, ask->gpus ? ask->gpus : ask->gpus_per_node * chosen);
	}
	return chosen;
}

/* Indexes of the nodes chosen last, as text: "0 3". */
static inline const char *cluster_chosen(const struct cluster *cluster, size_t count)
{
	static char text[256];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < count && used < sizeof(text); i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%u", i ? " " : "",
				 cluster->choice[i].index);
	return text;
}

/* What was chosen last, and the GPUs on the first of its nodes. */
static inline void cluster_check(const struct cluster *cluster, size_t count, const char *what,
				 const char *nodes, gw_gpus gpus)
{
	ck_assert_msg(!strcmp(cluster_chosen(cluster, count), nodes), "%s: %s", what,
		      cluster_chosen(cluster, count));
	ck_assert_msg(cluster->choice[0].gpus == gpus, "%s: 0x%" PRIx64, what,
		      cluster->choice[0].gpus);
}

/* GPUs on one node. */
static inline size_t cluster_start_small(struct cluster *cluster, uint32_t gpus)
{
	struct gw_ask ask = {.min_nodes = 1, .max_nodes = 1, .gpus_per_node = gpus};

	ask.cpus_per_node = 1;
	return cluster_start(cluster, &ask);
}

/* GPUs on each of several nodes. */
static inline size_t cluster_start_gang(struct cluster *cluster, uint32_t nodes, uint32_t gpus)
{
	struct gw_ask ask = {.min_nodes = nodes, .max_nodes = nodes, .gpus_per_node = gpus};

	ask.cpus_per_node = 1;
	return cluster_start(cluster, &ask);
}

#endif

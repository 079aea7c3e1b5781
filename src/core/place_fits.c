// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a request could ever fit, and the nearest one that would: for the sentence at submit. */
#include <stdio.h>

#include "../util/arith.h"
#include "place.h"

/* What one node must have. */
struct need {
	uint32_t gpus, cpus;
	uint64_t memory; /* MiB */
};

/* Nodes that would do, by their number of GPUs. */
struct census {
	uint32_t nodes[GW_GPUS_MAX + 1];
};

static void take_census(const struct gw_node *nodes, size_t count, const struct need *need,
			struct census *census)
{
	*census = (struct census){0};
	for (size_t i = 0; i < count; i++)
		if (gw_gpus_count(nodes[i].all) >= need->gpus &&
		    nodes[i].cpus_total >= need->cpus && nodes[i].memory_total >= need->memory)
			census->nodes[gw_gpus_count(nodes[i].all)]++;
}

static uint64_t nodes_of(const struct census *census, uint32_t least)
{
	uint64_t nodes = 0;

	for (uint32_t gpus = least; gpus <= GW_GPUS_MAX; gpus++)
		nodes += census->nodes[gpus];
	return nodes;
}

/* GPUs of the `limit` largest nodes. */
static uint64_t gpus_of(const struct census *census, uint64_t limit)
{
	uint64_t sum = 0;

	for (uint32_t gpus = GW_GPUS_MAX; gpus && limit; gpus--) {
		uint64_t nodes = census->nodes[gpus] < limit ? census->nodes[gpus] : limit;

		sum += nodes * gpus;
		limit -= nodes;
	}
	return sum;
}

static uint32_t largest_of(const struct census *census)
{
	for (uint32_t gpus = GW_GPUS_MAX; gpus; gpus--)
		if (census->nodes[gpus])
			return gpus;
	return 0;
}

/* Most CPUs or memory of a node that has the rest of the need. */
static uint64_t most_of(const struct gw_node *nodes, size_t count, const struct need *need,
			bool memory)
{
	uint64_t most = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t have = memory ? nodes[i].memory_total : nodes[i].cpus_total;

		if (gw_gpus_count(nodes[i].all) >= need->gpus &&
		    nodes[i].cpus_total >= need->cpus && have > most)
			most = have;
	}
	return most;
}

static void set_lack(struct gw_place_fit *fit, enum gw_place_lack lack, uint64_t wanted,
		     uint64_t most)
{
	fit->lack = lack;
	fit->wanted = wanted;
	fit->most = most;
}

/* No node does: for want of what? */
static void find_node_lack(const struct gw_node *nodes, size_t count, const struct need *need,
			   struct gw_place_fit *fit)
{
	struct need without = *need;
	struct census census;

	take_census(nodes, count, &(struct need){0}, &census);
	if (largest_of(&census) < need->gpus) {
		set_lack(fit, GW_PLACE_LACKS_GPUS, need->gpus, largest_of(&census));
		return;
	}
	without.cpus = 0;
	if (most_of(nodes, count, &without, false) < need->cpus)
		set_lack(fit, GW_PLACE_LACKS_CPUS, need->cpus,
			 most_of(nodes, count, &without, false));
	else
		set_lack(fit, GW_PLACE_LACKS_MEMORY, need->memory,
			 most_of(nodes, count, need, true));
}

/* The fewest nodes with the same number of GPUs each; else any number of nodes. */
static void find_way(const struct gw_ask *ask, uint32_t min, uint64_t gpus,
		     const struct gw_node *nodes, size_t count, struct gw_place_fit *fit)
{
	struct census census;
	uint64_t fewest;

	take_census(nodes, count, &(struct need){.gpus = 1}, &census);
	if (!gpus || gpus > gpus_of(&census, UINT64_MAX))
		return;
	fewest = gw_divide_up(gpus, largest_of(&census));
	for (uint64_t n = fewest; n <= 2 * fewest && n <= count; n++) {
		struct need need = {.gpus = gpus / n,
				    .cpus = gw_divide_up((uint64_t)ask->cpus_per_node * min, n),
				    .memory = gw_divide_up(ask->memory_per_node * min, n)};

		if (gpus % n)
			continue;
		take_census(nodes, count, &need, &census);
		if (nodes_of(&census, need.gpus) < n)
			continue;
		fit->nodes = n;
		fit->gpus_per_node = need.gpus;
		return;
	}
	take_census(nodes, count,
		    &(struct need){
			    .gpus = 1, .cpus = ask->cpus_per_node, .memory = ask->memory_per_node},
		    &census);
	if (gpus_of(&census, UINT64_MAX) >= gpus)
		fit->gpus = gpus;
}

bool gw_place_fits(const struct gw_ask *ask, const struct gw_node *nodes, size_t count,
		   struct gw_place_fit *fit)
{
	uint32_t min = ask->min_nodes ? ask->min_nodes : 1;
	uint32_t max = ask->max_nodes > min ? ask->max_nodes : min;
	uint64_t total = ask->gpus ? ask->gpus : (uint64_t)ask->gpus_per_node * min;
	uint64_t spread = max < count ? max : count ? count : 1;
	struct need need = {.gpus = ask->gpus_per_node,
			    .cpus = ask->cpus_per_node,
			    .memory = ask->memory_per_node};
	struct census census;

	*fit = (struct gw_place_fit){0};
	if (total && !need.gpus)
		need.gpus = 1;
	take_census(nodes, count, &need, &census);
	if (!nodes_of(&census, 0))
		find_node_lack(nodes, count, &need, fit);
	else if (nodes_of(&census, 0) < min)
		set_lack(fit, GW_PLACE_LACKS_NODES, min, nodes_of(&census, 0));
	else if (total > gpus_of(&census, UINT64_MAX))
		set_lack(fit, GW_PLACE_LACKS_TOTAL, total, gpus_of(&census, UINT64_MAX));
	else if (total > gpus_of(&census, spread))
		set_lack(fit, GW_PLACE_LACKS_GPUS, gw_divide_up(total, spread),
			 largest_of(&census));
	if (fit->lack)
		find_way(ask, min, total, nodes, count, fit);
	return !fit->lack;
}

void gw_place_fit_way(const struct gw_place_fit *fit, char *text, size_t size)
{
	if (fit->gpus_per_node)
		snprintf(text, size, "-N%u --gpus-per-node=%u", fit->nodes, fit->gpus_per_node);
	else if (fit->gpus)
		snprintf(text, size, "--gpus=%u without -N", fit->gpus);
	else if (size)
		text[0] = '\0';
}

void gw_place_fit_lack(const struct gw_place_fit *fit, char *text, size_t size)
{
	static const struct {
		const char *before, *between, *after;
	} words[] = {
		[GW_PLACE_LACKS_NOTHING] = {"", "", ""},
		[GW_PLACE_LACKS_GPUS] = {"no node has ", " GPUs, the largest has ", ""},
		[GW_PLACE_LACKS_CPUS] = {"no such node has ", " CPUs, the largest has ", ""},
		[GW_PLACE_LACKS_MEMORY] = {"no such node has ", " MiB of memory, the largest has ",
					   ""},
		[GW_PLACE_LACKS_NODES] = {"", " nodes are asked, only ", " would do"},
		[GW_PLACE_LACKS_TOTAL] = {"", " GPUs are asked, all nodes together have ", ""},
	};

	if (fit->lack)
		snprintf(text, size, "%s%llu%s%llu%s", words[fit->lack].before,
			 (unsigned long long)fit->wanted, words[fit->lack].between,
			 (unsigned long long)fit->most, words[fit->lack].after);
	else if (size)
		text[0] = '\0';
}

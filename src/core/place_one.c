// SPDX-License-Identifier: GPL-2.0-or-later
/* One node of all: a single pass, and a second one when an idle node must be broken. */
#include "place_impl.h"

struct best {
	const struct gw_node *node; /* NULL: none yet */
	uint64_t cost;
};

/* Where it may be looked for. */
struct within {
	const struct gw_node *near; /* only its domain and no heavier nodes; NULL: anywhere */
	const struct gw_choice *taken;
	size_t taken_count;
};

static bool is_within(const struct within *within, const struct gw_node *node)
{
	if (within->near &&
	    (node->domain != within->near->domain || node->weight > within->near->weight))
		return false;
	for (size_t i = 0; i < within->taken_count; i++)
		if (within->taken[i].index == node->index)
			return false;
	return true;
}

static bool is_better(const struct gw_node *node, uint64_t cost, const struct best *best)
{
	if (!best->node || node->weight != best->node->weight)
		return !best->node || node->weight < best->node->weight;
	return cost != best->cost ? cost < best->cost : node->index < best->node->index;
}

/* Nodes that differ in nothing a cost is made of; in a quiet cluster most are alike. */
static bool are_alike(const struct gw_node *a, const struct gw_node *b)
{
	return a->free == b->free && a->offered == b->offered && a->all == b->all &&
	       a->shape == b->shape && a->cpus_free == b->cpus_free &&
	       a->cpus_total == b->cpus_total && a->cpus_offered == b->cpus_offered &&
	       a->memory_free == b->memory_free && a->memory_total == b->memory_total &&
	       a->gpus_other == b->gpus_other && a->busy_until == b->busy_until &&
	       a->ended == b->ended;
}

/* The cost of a node that may be alike to one whose cost is known; GW_COST_NONE: does not fit. */
static uint64_t cost_of(const struct gw_question *question, const struct gw_need *need,
			const struct gw_node *node, struct best *known, uint64_t above)
{
	uint64_t cost;

	if (known->node && are_alike(node, known->node))
		return known->cost;
	if (!gw_node_fits(node, need))
		return GW_COST_NONE;
	cost = gw_node_cost(node, need, gw_place_table(question->place, node), above);
	if (cost != GW_COST_NONE)
		*known = (struct best){node, cost};
	return cost;
}

static struct best find_best(const struct gw_question *question, const struct gw_need *need,
			     const struct within *within)
{
	struct best best = {NULL, GW_COST_NONE}, known = best;

	for (size_t i = 0; i < question->count; i++) {
		const struct gw_node *node = &question->nodes[i];
		bool lighter = !best.node || node->weight < best.node->weight;
		uint64_t cost;

		if ((need->gpus && !node->free) || (!lighter && node->weight > best.node->weight))
			continue;
		cost = cost_of(question, need, node, &known, lighter ? GW_COST_NONE : best.cost);
		if (cost != GW_COST_NONE && is_better(node, cost, &best) && is_within(within, node))
			best = (struct best){node, cost};
	}
	return best;
}

/* Of idle nodes as good as the best, one in the domain that has the fewest of them. */
static const struct gw_node *of_most_broken_domain(const struct gw_question *question,
						   const struct gw_need *need,
						   const struct within *within,
						   const struct best *best)
{
	struct gw_place *place = question->place;
	const struct gw_node *found = NULL;
	struct best known = *best;
	size_t equal = 0;

	gw_domains_begin(place);
	for (size_t i = 0; i < question->count; i++) {
		const struct gw_node *node = &question->nodes[i];

		if (node->free != node->all || node->weight != best->node->weight ||
		    cost_of(question, need, node, &known, best->cost) != best->cost ||
		    !is_within(within, node))
			continue;
		place->ranks[equal].position = i;
		place->ranks[equal++].slot = gw_domains_add(place, node);
	}
	gw_domains_share(place, 1);
	for (size_t i = 0; i < equal; i++) {
		const struct gw_node *node = &question->nodes[place->ranks[i].position];

		if (place->slots[place->ranks[i].slot].take &&
		    (!found || node->index < found->index))
			found = node;
	}
	return found;
}

static const struct gw_node *node_of(const struct gw_question *question, uint32_t index)
{
	for (size_t i = 0; i < question->count; i++)
		if (question->nodes[i].index == index)
			return &question->nodes[i];
	return NULL;
}

bool gw_place_one(struct gw_question *question, const struct gw_need *need, bool near_chosen)
{
	struct within within = {NULL, question->choices, question->chosen};
	const struct gw_node *node;
	struct best best;

	if (near_chosen && question->chosen)
		within.near = node_of(question, question->choices[question->chosen - 1].index);
	best = find_best(question, need, &within);
	if (!best.node)
		return false;
	node = best.node;
	if (need->gpus && node->free == node->all && !node->gpus_other)
		node = of_most_broken_domain(question, need, &within, &best);
	gw_place_take(question, node, need->gpus);
	return true;
}

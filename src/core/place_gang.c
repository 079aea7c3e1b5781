// SPDX-License-Identifier: GPL-2.0-or-later
/* Several nodes: whole gang or nothing, in as few domains as can be. */
#include "place_impl.h"

/* All nodes that fit, as ranks by weight; returns their number. */
static size_t collect(const struct gw_question *question, const struct gw_need *need)
{
	struct gw_rank *ranks = question->place->ranks;
	size_t count = 0;

	for (size_t i = 0; i < question->count; i++) {
		const struct gw_node *node = &question->nodes[i];

		if ((need->gpus && !node->free) || !gw_node_fits(node, need))
			continue;
		ranks[count++] = (struct gw_rank){
			.major = node->weight, .index = node->index, .position = i};
	}
	return count;
}

/* Keeps the nodes of the lightest weights that hold the gang; returns their number. */
static size_t keep_lightest(struct gw_rank *ranks, size_t count, uint32_t nodes)
{
	uint64_t heaviest = ranks[0].major, lightest = heaviest;
	size_t kept = 0;

	for (size_t i = 1; i < count; i++) {
		heaviest = ranks[i].major > heaviest ? ranks[i].major : heaviest;
		lightest = ranks[i].major < lightest ? ranks[i].major : lightest;
	}
	if (lightest == heaviest)
		return count;
	gw_heap_make(ranks, count);
	for (uint32_t i = 0; i < nodes; i++)
		heaviest = gw_heap_pop(ranks, count - i).major;
	for (size_t i = 0; i < count; i++)
		if (ranks[i].major <= heaviest)
			ranks[kept++] = ranks[i];
	return kept;
}

static void count_domains(const struct gw_question *question, size_t count)
{
	struct gw_place *place = question->place;

	gw_domains_begin(place);
	for (size_t i = 0; i < count; i++) {
		struct gw_rank *rank = &place->ranks[i];

		rank->slot = gw_domains_add(place, &question->nodes[rank->position]);
	}
}

/* Keeps the nodes of domains that shall give some, with their cost; returns their number. */
static size_t keep_sharing(const struct gw_question *question, const struct gw_need *need,
			   size_t count)
{
	struct gw_place *place = question->place;
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		struct gw_rank rank = place->ranks[i];
		const struct gw_node *node = &question->nodes[rank.position];

		if (!place->slots[rank.slot].take)
			continue;
		rank.minor = gw_node_cost(node, need, gw_place_table(place, node), GW_COST_NONE);
		place->ranks[kept++] = rank;
	}
	return kept;
}

bool gw_place_gang(struct gw_question *question, const struct gw_need *need,
		   const struct gw_form *form)
{
	struct gw_place *place = question->place;
	size_t count = collect(question, need);

	if (count < form->nodes)
		return false;
	count = keep_lightest(place->ranks, count, form->nodes);
	count_domains(question, count);
	gw_domains_share(place, form->nodes);
	count = keep_sharing(question, need, count);
	gw_heap_make(place->ranks, count);
	for (uint32_t wanted = form->nodes; wanted && count; count--) {
		struct gw_rank rank = gw_heap_pop(place->ranks, count);

		if (!place->slots[rank.slot].take)
			continue;
		place->slots[rank.slot].take--;
		gw_place_take(question, &question->nodes[rank.position],
			      form->gpus + (form->nodes - wanted < form->more));
		wanted--;
	}
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "place.h"

#include <stdlib.h>

#include "../util/arith.h"
#include "place_impl.h"

struct gw_place *gw_place_create(const struct gw_gpuset_table *const *tables, size_t table_count,
				 size_t nodes_max, struct gw_error *error)
{
	struct gw_place *place = calloc(1, sizeof(*place));
	size_t slots = 16;

	if (!place)
		goto fail;
	while (slots < 2 * nodes_max)
		slots *= 2;
	*place = (struct gw_place){.tables = tables,
				   .table_count = table_count,
				   .nodes_max = nodes_max,
				   .slot_mask = slots - 1};
	place->ranks = calloc(nodes_max + 1, sizeof(*place->ranks));
	place->order = calloc(nodes_max + 1, sizeof(*place->order));
	place->used = calloc(nodes_max + 1, sizeof(*place->used));
	place->slots = calloc(slots, sizeof(*place->slots));
	place->wide = calloc(slots, sizeof(*place->wide));
	if (place->ranks && place->order && place->used && place->slots && place->wide)
		return place;
fail:
	gw_error_memory(error);
	gw_place_free(place);
	return NULL;
}

void gw_place_free(struct gw_place *place)
{
	if (!place)
		return;
	free(place->ranks);
	free(place->order);
	free(place->used);
	free(place->slots);
	free(place->wide);
	free(place);
}

void gw_place_take(struct gw_question *question, const struct gw_node *node, uint32_t gpus)
{
	const struct gw_gpuset_table *table = gw_place_table(question->place, node);
	gw_gpus offered = gw_place_offered(node);
	gw_gpus set = gw_gpuset_choose_as(table, offered, gpus, question->gang);

	/* A node with more GPUs than its shape knows. */
	if (!set)
		set = gw_gpuset_choose(NULL, offered, gpus);
	question->choices[question->chosen++] = (struct gw_choice){node->index, set};
}

/* GPUs of the largest node that has the CPUs and the memory. */
static uint32_t largest_node(const struct gw_ask *ask, const struct gw_node *nodes, size_t count)
{
	uint32_t largest = 0;

	for (size_t i = 0; i < count; i++) {
		uint32_t gpus = gw_gpus_count(nodes[i].all);

		if (gpus > largest && nodes[i].cpus_total >= ask->cpus_per_node &&
		    nodes[i].memory_total >= ask->memory_per_node)
			largest = gpus;
	}
	return largest;
}

/* A number of GPUs without one for each node. Returns why there is no form, or NULL. */
static const char *form_of_total(uint32_t gpus, uint32_t min, uint32_t max, uint32_t largest,
				 struct gw_form *form)
{
	uint32_t fewest;

	if (!largest)
		return "no node has such GPUs";
	fewest = gpus / largest + (gpus % largest != 0);
	if (fewest > max)
		return "more GPUs than so many nodes have";
	if (min > gpus)
		return "fewer GPUs than nodes";
	if (min > fewest)
		*form = (struct gw_form){.nodes = min, .gpus = gpus / min, .more = gpus % min};
	else if (fewest == 1)
		*form = (struct gw_form){.nodes = 1, .gpus = gpus};
	else
		*form = (struct gw_form){
			.nodes = gpus / largest, .gpus = largest, .rest = gpus % largest};
	return NULL;
}

/* Returns why the request has no form of ours, or NULL. */
static const char *find_form(const struct gw_ask *ask, const struct gw_node *nodes, size_t count,
			     struct gw_form *form)
{
	uint32_t min = ask->min_nodes ? ask->min_nodes : 1;
	uint32_t max = ask->max_nodes > min ? ask->max_nodes : min;

	if (ask->gpus && !ask->gpus_per_node)
		return form_of_total(ask->gpus, min, max, largest_node(ask, nodes, count), form);
	if (ask->gpus) {
		uint32_t wanted = ask->gpus / ask->gpus_per_node;

		if (ask->gpus % ask->gpus_per_node || wanted < min || wanted > max)
			return "GPUs are not the same on each node";
		min = max = wanted;
	}
	if (min != max)
		return "the number of nodes is left open";
	*form = (struct gw_form){.nodes = min, .gpus = ask->gpus_per_node};
	return NULL;
}

/* Of what all nodes together give, that of one with so many of the GPUs. */
static uint64_t part_of(uint64_t all, const struct gw_ask *ask, uint32_t gpus)
{
	return ask->gpus ? all * gpus / ask->gpus : 0;
}

static void need_gpus(struct gw_need *need, const struct gw_ask *ask, uint32_t gpus)
{
	uint64_t cpus = gw_larger(ask->cpus_per_gpu * gpus, part_of(ask->cpus, ask, gpus));

	need->gpus = gpus;
	need->cpus = (uint32_t)gw_larger(cpus, ask->cpus_per_node);
	need->memory = gw_larger(part_of(ask->memory, ask, gpus), ask->memory_per_node);
}

static bool answer(struct gw_question *question, const struct gw_ask *ask, struct gw_need *need,
		   const struct gw_form *form)
{
	need_gpus(need, ask, form->gpus + (form->more > 0));
	if (form->nodes == 1 && !form->rest)
		return gw_place_one(question, need, false);
	if (!gw_place_gang(question, need, form))
		return false;
	need_gpus(need, ask, form->rest);
	return !form->rest || gw_place_one(question, need, true) ||
	       gw_place_one(question, need, false);
}

/* Times by limits count beside those expected, see place_drain.c. */
static uint32_t span_of(const struct gw_ask *ask)
{
	uint64_t limit = ask->limit > 0 ? (uint64_t)ask->limit : 0;
	uint64_t span = gw_place_stay_seconds(ask) + limit;

	return span < UINT32_MAX ? (uint32_t)span : UINT32_MAX;
}

size_t gw_place_nodes(struct gw_place *place, const struct gw_ask *ask, const struct gw_node *nodes,
		      size_t count, struct gw_choice *choices, size_t room, const char **reason)
{
	struct gw_need need = {.whole = ask->whole_nodes,
			       .limit = ask->limit,
			       .stays = ask->stays,
			       .mix = ask->mix};
	struct gw_question question = {
		.place = place, .nodes = nodes, .count = count, .choices = choices};
	struct gw_form form = {0};

	if (ask->mix && ask->stays)
		need.span = span_of(ask);
	*reason = count > place->nodes_max ? "more nodes than were prepared for"
					   : find_form(ask, nodes, count, &form);
	if (*reason)
		return 0;
	question.gang = form.nodes + (form.rest > 0) > 1;
	if (form.nodes + (form.rest > 0) > room) {
		*reason = "more nodes than there is room for";
		return 0;
	}
	if (answer(&question, ask, &need, &form))
		return question.chosen;
	*reason = form.nodes > 1 ? "too few nodes have room for it now"
				 : "no node has room for it now";
	return 0;
}

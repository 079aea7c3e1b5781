// SPDX-License-Identifier: GPL-2.0-or-later
/* A decision made again from what is recorded of it. */
#include <stdlib.h>
#include <string.h>

#include "decision.h"
#include "gpuset.h"
#include "place.h"

static void free_tables(struct gw_gpuset_table **tables, size_t count)
{
	for (size_t i = 0; tables && i < count; i++)
		gw_gpuset_table_free(tables[i]);
	free(tables);
}

/* One table a shape; NULL with error. */
static struct gw_gpuset_table **make_tables(const struct gw_decision_placement *placement,
					    struct gw_error *error)
{
	struct gw_gpuset_table **tables = calloc(placement->shape_count + 1, sizeof(*tables));

	if (!tables) {
		gw_error_memory(error);
		return NULL;
	}
	for (size_t i = 0; i < placement->shape_count; i++) {
		tables[i] = gw_gpuset_table_create(&placement->shapes[i], error);
		if (!tables[i]) {
			free_tables(tables, i);
			return NULL;
		}
	}
	return tables;
}

/* In the order in which nodes were chosen. */
static int compare_choices(const struct gw_decision_placement *placement,
			   const struct gw_choice *choices, size_t count,
			   struct gw_error *difference)
{
	if (count != placement->choice_count) {
		gw_error_set(difference, "%zu nodes instead of %zu", count,
			     placement->choice_count);
		return 1;
	}
	for (size_t i = 0; i < count; i++) {
		const struct gw_choice *was = &placement->choices[i];

		if (choices[i].index == was->index && choices[i].gpus == was->gpus)
			continue;
		gw_error_set(difference, "node %u with GPUs %x instead of node %u with GPUs %x",
			     choices[i].index, choices[i].gpus, was->index, was->gpus);
		return 1;
	}
	return 0;
}

static int repeat_placement(const struct gw_decision_placement *placement,
			    struct gw_error *difference, struct gw_error *error)
{
	struct gw_gpuset_table **tables = make_tables(placement, error);
	struct gw_choice *choices = NULL;
	struct gw_place *place = NULL;
	const char *reason;
	size_t count;
	int result = -1;

	if (!tables)
		return -1;
	place = gw_place_create((const struct gw_gpuset_table *const *)tables,
				placement->shape_count, placement->node_count, error);
	choices = calloc(placement->node_count + 1, sizeof(*choices));
	if (place && choices) {
		count = gw_place_nodes(place, &placement->ask, placement->nodes,
				       placement->node_count, choices, placement->node_count,
				       &reason);
		result = compare_choices(placement, choices, count, difference);
	} else {
		gw_error_memory(error);
	}
	free(choices);
	gw_place_free(place);
	free_tables(tables, placement->shape_count);
	return result;
}

static bool same_answer(const struct gw_quota_answer *a, const struct gw_quota_answer *b)
{
	return a->why == b->why && a->borrow == b->borrow && a->missing == b->missing &&
	       a->cohort == b->cohort && a->peak == b->peak;
}

static int repeat_quota(const struct gw_decision_quota *recorded, const struct gw_conf *conf,
			struct gw_error *difference, struct gw_error *error)
{
	struct gw_quota *quota = gw_quota_new(conf, error);
	struct gw_quota_answer answer;

	if (!quota)
		return -1;
	for (size_t i = 0; i < recorded->held_count; i++)
		gw_quota_hold(quota, recorded->held[i].pool, recorded->held[i].flavor,
			      recorded->held[i].gpus);
	gw_quota_at(quota, recorded->minute);
	answer = gw_quota_ask(quota, &recorded->ask);
	gw_quota_free(quota);
	if (same_answer(&answer, &recorded->answer))
		return 0;
	gw_error_set(difference,
		     "%s, %u borrowed, %u missing instead of %s, %u borrowed, %u missing",
		     gw_quota_why_name(answer.why), answer.borrow, answer.missing,
		     gw_quota_why_name(recorded->answer.why), recorded->answer.borrow,
		     recorded->answer.missing);
	return 1;
}

int gw_decision_repeat(const struct gw_decision *decision, const struct gw_conf *conf,
		       uint64_t conf_sum, struct gw_error *difference, struct gw_error *error)
{
	switch (decision->kind) {
	case GW_DECISION_PLACEMENT:
		return repeat_placement(&decision->placement, difference, error);
	case GW_DECISION_QUOTA:
		if (!conf || conf_sum != decision->conf)
			return gw_error_set(error, "it was made with another configuration");
		return repeat_quota(&decision->quota, conf, difference, error);
	default:
		return gw_error_set(error, "not a kind of decision");
	}
}

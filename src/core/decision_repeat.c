// SPDX-License-Identifier: GPL-2.0-or-later
/* A decision made again from what is recorded of it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "decision.h"
#include "gpuset.h"
#include "grid.h"
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
		gw_error_set(difference,
			     "node %u with GPUs %" PRIx64 " instead of node %u with GPUs %" PRIx64,
			     choices[i].index, choices[i].gpus, was->index, was->gpus);
		return 1;
	}
	return 0;
}

/* The inputs with grids that come to what was recorded: one point of which stays is one second,
 * and another what it stays in all. */
struct placement_inputs {
	struct gw_ask ask;
	struct gw_node *nodes;
	float *ended; /* a grid a node */
	struct gw_mix *mix;
	float stays[GW_GRID_POINTS];
};

static bool placement_inputs(const struct gw_decision_placement *placement,
			     struct placement_inputs *inputs, struct gw_error *error)
{
	const struct gw_mix_source *mix = &placement->mix;
	size_t count = placement->node_count;

	*inputs = (struct placement_inputs){.ask = placement->ask, .stays = {1}};
	if (placement->stays)
		inputs->stays[1] = (float)(placement->stays - 1);
	inputs->nodes = calloc(count + 1, sizeof(*inputs->nodes));
	inputs->ended = calloc(count + 1, GW_GRID_POINTS * sizeof(*inputs->ended));
	if (!inputs->nodes || !inputs->ended)
		return false;
	if (count)
		memcpy(inputs->nodes, placement->nodes, count * sizeof(*inputs->nodes));
	if (placement->broken_count)
		inputs->ask.stays = inputs->stays;
	for (size_t i = 0; i < placement->broken_count; i++) {
		const struct gw_decision_broken *broken = &placement->broken[i];
		float *ended = &inputs->ended[broken->node * (size_t)GW_GRID_POINTS];

		ended[0] = (float)broken->seconds;
		inputs->nodes[broken->node].ended = broken->seconds < UINT32_MAX ? ended : NULL;
	}
	if (mix->count)
		inputs->mix = gw_mix_create(mix->kinds, mix->count, mix->gpus_max, mix->cpus_max,
					    mix->memory_max, error);
	inputs->ask.mix = inputs->mix;
	return inputs->mix || !mix->count;
}

static int decide_again(const struct gw_decision_placement *placement,
			struct gw_gpuset_table *const *tables, struct gw_error *difference,
			struct gw_error *error)
{
	struct placement_inputs inputs;
	bool ready = placement_inputs(placement, &inputs, error);
	struct gw_choice *choices = calloc(placement->node_count + 1, sizeof(*choices));
	struct gw_place *place =
		gw_place_create((const struct gw_gpuset_table *const *)tables,
				placement->shape_count, placement->node_count, error);
	const char *reason;
	int result = -1;

	if (ready && choices && place) {
		size_t count =
			gw_place_nodes(place, &inputs.ask, inputs.nodes, placement->node_count,
				       choices, placement->node_count, &reason);

		result = compare_choices(placement, choices, count, difference);
	} else {
		gw_error_memory(error);
	}
	gw_place_free(place);
	free(choices);
	free(inputs.nodes);
	free(inputs.ended);
	gw_mix_free(inputs.mix);
	return result;
}

static int repeat_placement(const struct gw_decision_placement *placement,
			    struct gw_error *difference, struct gw_error *error)
{
	struct gw_gpuset_table **tables = make_tables(placement, error);
	int result;

	if (!tables)
		return -1;
	result = decide_again(placement, tables, difference, error);
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

/* Indexes and lines of this configuration, so that nothing is read out of bounds. */
static bool order_belongs(const struct gw_decision_order *order, const struct gw_conf *conf)
{
	if (order->usage_count != gw_lines(conf) || order->rate_count != gw_lines(conf) ||
	    (order->gpus_count && order->gpus_count != conf->flavor_count))
		return false;
	for (size_t i = 0; i < order->job_count; i++) {
		const struct gw_job *job = &order->jobs[i];

		if (!job->tasks || job->queue >= (int32_t)conf->queue_count ||
		    job->queue < GW_INDEX_NONE || job->flavor >= (int32_t)conf->flavor_count ||
		    job->flavor < GW_INDEX_NONE || job->job_class >= (int32_t)conf->class_count ||
		    job->job_class < GW_INDEX_NONE)
			return false;
	}
	for (size_t i = 0; i < order->gap_count; i++)
		if (order->gaps[i].flavor >= (int32_t)conf->flavor_count ||
		    order->gaps[i].flavor < GW_INDEX_NONE)
			return false;
	for (size_t i = 0; i < order->barred_count; i++)
		if (order->barred[i].job >= order->job_count)
			return false;
	return true;
}

static int compare_ranks(const struct gw_decision_order *order, const struct gw_order_rank *ranks,
			 size_t count, struct gw_error *difference)
{
	if (count != order->rank_count) {
		gw_error_set(difference, "%zu ranks instead of %zu", count, order->rank_count);
		return 1;
	}
	for (size_t i = 0; i < count; i++) {
		const struct gw_order_rank *is = &ranks[i], *was = &order->ranks[i];

		if (is->job == was->job && is->turn == was->turn && is->state == was->state &&
		    is->borrowing == was->borrowing)
			continue;
		gw_error_set(difference,
			     "rank %zu: item %u, turn %u, state %d instead of item %u, turn %u, "
			     "state %d",
			     i + 1, is->job, is->turn, (int)is->state, was->job, was->turn,
			     (int)was->state);
		return 1;
	}
	return 0;
}

/* What the ranks were made from, all of it freed by the caller. */
struct order_inputs {
	struct gw_quota *quota;
	struct gw_order_workspace *work;
	bool *barred;
};

static bool order_inputs(const struct gw_decision_order *order, const struct gw_conf *conf,
			 struct order_inputs *inputs, struct gw_error *error)
{
	inputs->work = gw_order_workspace_new(error);
	inputs->barred = calloc(order->job_count + 1, sizeof(*inputs->barred));
	inputs->quota = order->has_quota ? gw_quota_new(conf, error) : NULL;
	if (!inputs->work || !inputs->barred || (order->has_quota && !inputs->quota)) {
		gw_error_memory(error);
		return false;
	}
	for (size_t i = 0; i < order->barred_count; i++)
		inputs->barred[order->barred[i].job] = true;
	for (size_t i = 0; inputs->quota && i < order->held_count; i++)
		gw_quota_hold(inputs->quota, order->held[i].pool, order->held[i].flavor,
			      order->held[i].gpus);
	if (inputs->quota)
		gw_quota_at(inputs->quota, order->minute);
	return true;
}

static int repeat_order(const struct gw_decision_order *order, const struct gw_conf *conf,
			struct gw_error *difference, struct gw_error *error)
{
	struct order_inputs inputs = {0};
	const struct gw_order_rank *ranks;
	size_t count;
	int result = -1;

	if (!order_belongs(order, conf))
		return gw_error_set(error, "its jobs are not of this configuration");
	if (order_inputs(order, conf, &inputs, error)) {
		struct gw_order_input input = {.conf = conf,
					       .jobs = order->jobs,
					       .job_count = order->job_count,
					       .usage = order->usage,
					       .held = order->rates,
					       .quota = inputs.quota,
					       .gpus = order->gpus_count ? order->gpus : NULL,
					       .gaps = order->gaps,
					       .gap_count = order->gap_count,
					       .barred = inputs.barred,
					       .now = order->now};

		if (!gw_order_ranks(inputs.work, &input, &ranks, &count, error))
			result = compare_ranks(order, ranks, count, difference);
	}
	gw_order_workspace_free(inputs.work);
	gw_quota_free(inputs.quota);
	free(inputs.barred);
	return result;
}

int gw_decision_repeat(const struct gw_decision *decision, const struct gw_conf *conf,
		       uint64_t conf_sum, struct gw_error *difference, struct gw_error *error)
{
	if (decision->kind == GW_DECISION_PLACEMENT)
		return repeat_placement(&decision->placement, difference, error);
	if (!conf || conf_sum != decision->conf)
		return gw_error_set(error, "it was made with another configuration");
	if (decision->kind == GW_DECISION_ORDER)
		return repeat_order(&decision->order, conf, difference, error);
	return repeat_quota(&decision->quota, conf, difference, error);
}

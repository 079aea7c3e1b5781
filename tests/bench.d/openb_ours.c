// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gangway's own placement (src/core) in FGD's test. Pods that take whole GPUs, or none, go where
 * gw_place_nodes() says, told the mix of jobs. A part of a GPU is a shard or MPS in Slurm, which
 * the plugin leaves to stock; here it goes where the GPUs lose least worth: the worth that
 * gw_mix_worth() gives whole free GPUs, and by the same formula that of GPUs in part use.
 *
 * A CPU is a thousandth of one here, so that the trace's odd numbers stay what they are.
 */
#include "openb.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/grid.h"
#include "src/core/mix.h"
#include "src/core/mix_seen.h"
#include "src/core/place.h"

/* Kinds of pods that are told apart for parts of GPUs. */
#define LEARNED_PODS 1024
/* One starts each minute, and what is learned is looked at after so many. */
#define SECONDS_A_POD 60
#define PODS_A_LOOK   32

struct state {
	struct gw_mix *mix;
	struct gw_place *place;
	struct gw_node *node;         /* as many as the cluster has */
	double root[OPENB_WHOLE + 1]; /* 16th root of so many thousandths */
	/* Where the mix is learned. */
	struct gw_mix_seen *seen;
	struct gw_mix_nodes nodes;
	bool forever; /* as the plugin has it: when jobs end is known, and none does */
	float never[GW_GRID_POINTS], idle[GW_GRID_POINTS];
	struct openb_mix pods; /* with whole counts as popularity; LEARNED_PODS of them */
	size_t started;
};

static void end(void *argument)
{
	struct state *state = argument;

	if (!state)
		return;
	gw_mix_free(state->mix);
	gw_place_free(state->place);
	free(state->node);
	gw_mix_seen_free(state->seen);
	free(state->pods.shape);
	free(state);
}

static struct gw_mix *make_mix(const struct openb_cluster *cluster, const struct openb_mix *mix,
			       struct gw_error *error)
{
	struct gw_mix_kind *kinds = calloc(mix->count + 1, sizeof(*kinds));
	uint32_t cpu = 0, memory = 0;
	struct gw_mix *made = NULL;

	for (size_t i = 0; i < cluster->count; i++) {
		cpu = cluster->node[i].cpu_all > cpu ? cluster->node[i].cpu_all : cpu;
		memory =
			cluster->node[i].memory_all > memory ? cluster->node[i].memory_all : memory;
	}
	for (size_t i = 0; kinds && i < mix->count; i++) {
		const struct openb_pod *pod = &mix->shape[i].pod;

		kinds[i] = (struct gw_mix_kind){.gpus = pod->gpus,
						.shared = pod->part ? OPENB_WHOLE / pod->part : 0,
						.cpus = pod->cpu,
						.memory = pod->memory,
						.weight = mix->shape[i].popularity};
	}
	if (kinds)
		made = gw_mix_create(kinds, mix->count, OPENB_GPUS, cpu, memory, error);
	free(kinds);
	return made;
}

/* mix: NULL when it is not known. */
static void *start_with(const struct openb_cluster *cluster, const struct openb_mix *mix)
{
	struct state *state = calloc(1, sizeof(*state));
	struct gw_error error = {0};

	if (state) {
		state->mix = mix ? make_mix(cluster, mix, &error) : NULL;
		state->place = gw_place_create(NULL, 0, cluster->count, &error);
		state->node = calloc(cluster->count, sizeof(*state->node));
		for (uint32_t i = 0; i <= OPENB_WHOLE; i++)
			state->root[i] = sqrt(sqrt(sqrt(sqrt((double)i / OPENB_WHOLE))));
	}
	if (state && (state->mix || !mix) && state->place && state->node)
		return state;
	fprintf(stderr, "openb: %s\n", *error.text ? error.text : "out of memory");
	end(state);
	return NULL;
}

static void *start(const struct openb_cluster *cluster, const struct openb_mix *mix)
{
	return start_with(cluster, mix);
}

static void *start_unknown(const struct openb_cluster *cluster, const struct openb_mix *mix)
{
	(void)mix;
	return start_with(cluster, NULL);
}

static void *start_learning(const struct openb_cluster *cluster, const struct openb_mix *mix)
{
	struct state *state = start_unknown(cluster, mix);
	struct gw_error error = {0};

	if (!state)
		return NULL;
	state->forever = true;
	for (int i = 0; i < GW_GRID_POINTS; i++)
		state->idle[i] = 1;
	state->seen = gw_mix_seen_create(&error);
	state->pods.shape = calloc(LEARNED_PODS, sizeof(*state->pods.shape));
	for (size_t i = 0; i < cluster->count; i++)
		gw_mix_nodes_add(&state->nodes, cluster->node[i].gpus, cluster->node[i].cpu_all,
				 cluster->node[i].memory_all);
	if (state->seen && state->pods.shape)
		return state;
	end(state);
	return NULL;
}

/* What is left of a GPU in part use is worth to pods that take a part, in GPUs. */
static double worth_of_part(const struct state *state, const struct openb_mix *mix,
			    const struct openb_node *node, uint32_t left)
{
	double sum = 0, weights = 0;

	for (size_t i = 0; i < mix->count; i++) {
		const struct openb_pod *pod = &mix->shape[i].pod;
		uint32_t pods;

		if (!pod->gpus)
			continue;
		weights += mix->shape[i].popularity;
		if (pod->part == OPENB_WHOLE)
			continue;
		pods = left / pod->part;
		while (pods && (pods * pod->cpu > node->cpu || pods * pod->memory > node->memory))
			pods--;
		sum += mix->shape[i].popularity * state->root[pods * pod->part];
	}
	/* left * root(used / left) */
	return left ? sum / weights * left / OPENB_WHOLE / state->root[left] : 0;
}

/* GPUs with at least so much left. */
static uint32_t gpus_with(const struct openb_node *node, uint32_t left)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < node->gpus; i++)
		if (node->left[i] >= left)
			set |= UINT32_C(1) << i;
	return set;
}

static double worth(const struct state *state, const struct openb_mix *mix,
		    const struct openb_node *node)
{
	uint32_t whole = gw_gpus_count(gpus_with(node, OPENB_WHOLE));
	double sum = gw_mix_worth(state->mix, whole, node->cpu, node->memory);

	for (uint32_t i = 0; i < node->gpus; i++)
		if (node->left[i] && node->left[i] < OPENB_WHOLE)
			sum += GW_MIX_GPU * worth_of_part(state, mix, node, node->left[i]);
	return sum;
}

/* Whether another GPU of the node before this one has as much left. */
static bool is_again(const struct openb_node *node, uint32_t gpu)
{
	for (uint32_t i = 0; i < gpu; i++)
		if (node->left[i] == node->left[gpu])
			return true;
	return false;
}

static struct openb_place place_part(const struct state *state, const struct openb_cluster *cluster,
				     const struct openb_mix *mix, const struct openb_pod *pod)
{
	struct openb_place best = {NULL, 0};
	double least = HUGE_VAL;

	for (size_t i = 0; i < cluster->count; i++) {
		struct openb_node *node = &cluster->node[i];
		double before;

		if (!openb_fits(node, pod))
			continue;
		before = worth(state, mix, node);
		for (uint32_t gpu = 0; gpu < node->gpus; gpu++) {
			struct openb_node after = *node;
			double lost;

			if (node->left[gpu] < pod->part || is_again(node, gpu))
				continue;
			after.left[gpu] -= pod->part;
			after.cpu -= pod->cpu;
			after.memory -= pod->memory;
			lost = before - worth(state, mix, &after);
			if (lost < least || (lost == least && node->rank < best.node->rank)) {
				least = lost;
				best = (struct openb_place){node, UINT32_C(1) << gpu};
			}
		}
	}
	return best;
}

/* The first GPU with just so much left, as a set; 0: there is none. */
static uint32_t first_with(const struct openb_node *node, uint32_t left)
{
	for (uint32_t i = 0; i < node->gpus; i++)
		if (node->left[i] == left)
			return UINT32_C(1) << i;
	return 0;
}

/* To a pod without GPUs one in part use is as free as another: its CPUs are wanted too. */
static struct gw_node as_node(const struct state *state, const struct openb_node *node,
			      const struct openb_pod *pod)
{
	bool busy = node->cpu != node->cpu_all;

	return (struct gw_node){.index = node->rank,
				.shape = -1,
				.all = gw_gpus_first(node->gpus),
				.free = gpus_with(node, pod->gpus ? OPENB_WHOLE : 1),
				.cpus_free = node->cpu,
				.cpus_total = node->cpu_all,
				.memory_free = node->memory,
				.memory_total = node->memory_all,
				.busy_until = busy,
				.ended = !state->forever ? NULL
					 : busy          ? state->never
							 : state->idle};
}

static struct openb_node *of_rank(const struct openb_cluster *cluster, uint32_t rank)
{
	for (size_t i = 0; i < cluster->count; i++)
		if (cluster->node[i].rank == rank)
			return &cluster->node[i];
	return NULL;
}

/* By core, for a pod that takes so many whole GPUs; out of the nodes that have a GPU with just
 * so much left, 0: out of all that fit. */
static struct openb_place choose(struct state *state, const struct openb_cluster *cluster,
				 const struct openb_pod *pod, uint32_t gpus, uint32_t left)
{
	struct gw_ask ask = {.min_nodes = 1,
			     .max_nodes = 1,
			     .gpus_per_node = gpus,
			     .cpus_per_node = pod->cpu,
			     .memory_per_node = pod->memory,
			     .mix = state->mix,
			     .stays = state->forever ? gw_grid_weight : NULL};
	struct gw_choice choice;
	const char *reason;
	size_t count = 0;

	for (size_t i = 0; i < cluster->count; i++) {
		const struct openb_node *node = &cluster->node[i];

		if (openb_fits(node, pod) && (!left || first_with(node, left)))
			state->node[count++] = as_node(state, node, pod);
	}
	if (!gw_place_nodes(state->place, &ask, state->node, count, &choice, 1, &reason))
		return (struct openb_place){NULL, 0};
	return (struct openb_place){of_rank(cluster, choice.index), choice.gpus};
}

static bool is_part(const struct openb_pod *pod)
{
	return pod->gpus && pod->part < OPENB_WHOLE;
}

static struct openb_place place_known(void *argument, const struct openb_cluster *cluster,
				      const struct openb_mix *mix, const struct openb_pod *pod)
{
	if (is_part(pod))
		return place_part(argument, cluster, mix, pod);
	return choose(argument, cluster, pod, pod->gpus, 0);
}

/* The least that is left of a GPU in part use and holds the pod; OPENB_WHOLE: of none. */
static uint32_t tightest(const struct openb_cluster *cluster, const struct openb_pod *pod)
{
	uint32_t least = OPENB_WHOLE;

	for (size_t i = 0; i < cluster->count; i++) {
		const struct openb_node *node = &cluster->node[i];

		for (uint32_t gpu = 0; gpu < node->gpus; gpu++)
			if (node->left[gpu] >= pod->part && node->left[gpu] < least &&
			    openb_fits(node, pod))
				least = node->left[gpu];
	}
	return least;
}

/* Best fit for a part of a GPU, a whole one when no other holds it. */
static struct openb_place place_unknown(void *argument, const struct openb_cluster *cluster,
					const struct openb_mix *mix, const struct openb_pod *pod)
{
	struct openb_place place;
	uint32_t left;

	(void)mix;
	if (!is_part(pod))
		return choose(argument, cluster, pod, pod->gpus, 0);
	left = tightest(cluster, pod);
	if (left == OPENB_WHOLE)
		return choose(argument, cluster, pod, 1, 0);
	place = choose(argument, cluster, pod, 0, left);
	place.set = place.node ? first_with(place.node, left) : 0;
	return place;
}

static void count_pod(struct openb_mix *pods, const struct openb_pod *pod)
{
	size_t i = 0;

	while (i < pods->count && memcmp(&pods->shape[i].pod, pod, sizeof(*pod)) != 0)
		i++;
	if (i == LEARNED_PODS)
		return;
	if (i == pods->count)
		pods->shape[pods->count++].pod = *pod;
	pods->shape[i].popularity++;
}

/* A mix that can not be made leaves the last one. */
static void learn(struct state *state, const struct openb_pod *pod)
{
	struct gw_mix_kind kind = {.gpus = pod->gpus,
				   .shared = is_part(pod) ? OPENB_WHOLE / pod->part : 0,
				   .cpus = pod->cpu,
				   .memory = pod->memory};
	int64_t now = (int64_t)state->started++ * SECONDS_A_POD;
	struct gw_error error = {0};
	struct gw_mix *mix;

	gw_mix_seen_add(state->seen, &kind, 1, now);
	count_pod(&state->pods, pod);
	if (state->started % PODS_A_LOOK)
		return;
	mix = gw_mix_seen_make(state->seen, &state->nodes, now, &error);
	if (!mix)
		return;
	gw_mix_free(state->mix);
	state->mix = mix;
}

/* Told nothing: what started is what is known of those that come. */
static struct openb_place place_learning(void *argument, const struct openb_cluster *cluster,
					 const struct openb_mix *mix, const struct openb_pod *pod)
{
	struct state *state = argument;
	struct openb_place place = state->mix ? place_known(state, cluster, &state->pods, pod)
					      : place_unknown(state, cluster, mix, pod);

	if (place.node)
		learn(state, pod);
	return place;
}

const struct openb_policy openb_gangway_learning = {"Gangway, learning mix", place_learning,
						    start_learning, end};
const struct openb_policy openb_gangway = {"Gangway", place_known, start, end};
const struct openb_policy openb_gangway_unknown = {"Gangway, no mix", place_unknown, start_unknown,
						   end};

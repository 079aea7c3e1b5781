// SPDX-License-Identifier: GPL-2.0-or-later
/* Who arrives, and in which order. */
#include "openb.h"

#include <stdlib.h>

/* SplitMix64: small, and good enough for shuffling. */
static uint64_t draw(uint64_t *state)
{
	uint64_t value = (*state += UINT64_C(0x9e3779b97f4a7c15));

	value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
	return value ^ (value >> 31);
}

static size_t draw_below(uint64_t *state, size_t count)
{
	return (size_t)(draw(state) % count);
}

static uint64_t asked(const struct openb_pod *pod)
{
	return (uint64_t)pod->gpus * pod->part;
}

static void shuffle(struct openb_pods *pods, uint64_t *state)
{
	for (size_t i = pods->count; i > 1; i--) {
		size_t other = draw_below(state, i);
		struct openb_pod pod = pods->pod[i - 1];

		pods->pod[i - 1] = pods->pod[other];
		pods->pod[other] = pod;
	}
}

/* Drops random pods until no more is asked for; the order of the others stays as it is. */
static void drop_random(struct openb_pods *pods, uint64_t sum, double most, uint64_t *state)
{
	while (pods->count && (double)sum > most) {
		size_t dropped = draw_below(state, pods->count);

		sum -= asked(&pods->pod[dropped]);
		pods->count--;
		for (size_t i = dropped; i < pods->count; i++)
			pods->pod[i] = pods->pod[i + 1];
	}
}

/* Appends copies of random pods until the next would ask for more. */
static bool add_random(const struct openb_pods *from, struct openb_pods *pods, uint64_t sum,
		       double most, uint64_t *state)
{
	for (;;) {
		const struct openb_pod *pod = &from->pod[draw_below(state, from->count)];

		/* One of its GPUs only: so did the authors. */
		if ((double)(sum + pod->part) > most)
			return true;
		if (!openb_pods_add(pods, pod))
			return false;
		sum += asked(pod);
	}
}

bool openb_arrive(const struct openb_pods *pods, const struct openb_cluster *cluster, double ratio,
		  uint64_t seed, struct openb_pods *arriving)
{
	double most = ratio * (double)cluster->gpus;
	uint64_t sum = 0;

	*arriving = (struct openb_pods){0};
	for (size_t i = 0; i < pods->count; i++) {
		if (!openb_pods_add(arriving, &pods->pod[i]))
			return false;
		sum += asked(&pods->pod[i]);
	}
	if (!sum)
		return true;
	shuffle(arriving, &seed);
	drop_random(arriving, sum, most, &seed);
	return (double)sum >= most || add_random(pods, arriving, sum, most, &seed);
}

void openb_shuffle_nodes(struct openb_cluster *cluster, uint64_t seed)
{
	for (uint32_t i = 0; i < cluster->count; i++)
		cluster->node[i].rank = i;
	for (size_t i = cluster->count; i > 1; i--) {
		size_t other = draw_below(&seed, i);
		uint32_t rank = cluster->node[i - 1].rank;

		cluster->node[i - 1].rank = cluster->node[other].rank;
		cluster->node[other].rank = rank;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The kinds of pods that are common, and what a node's GPUs are worth to them. */
#include "openb.h"

#include <stdlib.h>

/* The rarest pods, this part of all, are left out of the mix. */
#define RARE 0.05

static int compare_pods(const struct openb_pod *a, const struct openb_pod *b)
{
	const uint32_t left[] = {a->cpu, a->part, a->gpus, a->models};
	const uint32_t right[] = {b->cpu, b->part, b->gpus, b->models};

	for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++)
		if (left[i] != right[i])
			return left[i] < right[i] ? -1 : 1;
	return 0;
}

/* The least memory first. */
static int by_pod(const void *a, const void *b)
{
	const struct openb_pod *left = &((const struct openb_shape *)a)->pod;
	const struct openb_pod *right = &((const struct openb_shape *)b)->pod;
	int kinds = compare_pods(left, right);

	if (kinds || left->memory == right->memory)
		return kinds;
	return left->memory < right->memory ? -1 : 1;
}

/* Most common first, equally common by pod: the order, and so the mix, is the same everywhere. */
static int by_popularity(const void *a, const void *b)
{
	double left = ((const struct openb_shape *)a)->popularity;
	double right = ((const struct openb_shape *)b)->popularity;

	if (left != right)
		return left > right ? -1 : 1;
	return -compare_pods(&((const struct openb_shape *)a)->pod,
			     &((const struct openb_shape *)b)->pod);
}

/* Memory is no part of a kind, as with the authors; it is hardly ever what is short here. */
static size_t merge_equal(struct openb_shape *shape, size_t count)
{
	size_t kinds = 0;

	qsort(shape, count, sizeof(*shape), by_pod);
	for (size_t i = 0; i < count; i++) {
		if (kinds && !compare_pods(&shape[kinds - 1].pod, &shape[i].pod))
			shape[kinds - 1].popularity += shape[i].popularity;
		else
			shape[kinds++] = shape[i];
	}
	qsort(shape, kinds, sizeof(*shape), by_popularity);
	return kinds;
}

bool openb_mix_make(const struct openb_pods *pods, struct openb_mix *mix)
{
	size_t kinds;
	double sum = 0;

	*mix = (struct openb_mix){calloc(pods->count + 1, sizeof(*mix->shape)), 0};
	if (!mix->shape) {
		fputs("openb: out of memory\n", stderr);
		return false;
	}
	for (size_t i = 0; i < pods->count; i++)
		mix->shape[i] = (struct openb_shape){pods->pod[i], 1};
	kinds = merge_equal(mix->shape, pods->count);
	while (mix->count < kinds && sum < (1 - RARE) * (double)pods->count)
		sum += mix->shape[mix->count++].popularity;
	for (size_t i = 0; i < mix->count; i++)
		mix->shape[i].popularity /= sum;
	return true;
}

bool openb_fits(const struct openb_node *node, const struct openb_pod *pod)
{
	uint32_t found = 0;

	if (node->cpu < pod->cpu || node->memory < pod->memory ||
	    (pod->models && !(pod->models & node->model)))
		return false;
	for (uint32_t i = 0; i < node->gpus; i++)
		found += node->left[i] >= pod->part;
	return found >= pod->gpus;
}

/* What is left of GPUs that have less left than a part; all of it when fewer than gpus have. */
static uint32_t too_small(const struct openb_node *node, uint32_t gpus, uint32_t part)
{
	uint32_t small = 0, large = 0;

	for (uint32_t i = 0; i < node->gpus; i++) {
		if (node->left[i] >= part) {
			large += node->left[i];
			gpus -= gpus > 0;
		} else {
			small += node->left[i];
		}
	}
	return gpus ? small + large : small;
}

double openb_frag(const struct openb_node *node, const struct openb_mix *mix)
{
	uint32_t all = too_small(node, 0, OPENB_WHOLE + 1);
	double frag = 0;

	if (!all)
		return 0;
	for (size_t i = 0; i < mix->count; i++) {
		const struct openb_pod *pod = &mix->shape[i].pod;
		uint32_t lost = all;

		if (pod->gpus && pod->cpu <= node->cpu &&
		    (!pod->models || (pod->models & node->model)))
			lost = too_small(node, pod->gpus, pod->part);
		frag += mix->shape[i].popularity * lost;
	}
	return frag;
}

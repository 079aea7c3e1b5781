// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Best fit and FGD as their authors measured them: scores are whole numbers from 0 to 100, equal
 * scores go to the node of the lowest rank.
 */
#include "openb.h"

#include <math.h>

/* What best fit measures the rest by: the largest node of the authors' clusters. */
#define CPU_MOST 128000.0
#define GPU_MOST 8000.0

static bool is_part(const struct openb_pod *pod)
{
	return pod->gpus && pod->part < OPENB_WHOLE;
}

/* A part of the GPU that has the least left and enough; whole ones by their number. */
static uint32_t tightest(const struct openb_node *node, const struct openb_pod *pod)
{
	uint32_t set = 0, found = 0, best = 0;

	for (uint32_t i = 0; i < node->gpus && found < pod->gpus; i++) {
		if (node->left[i] < pod->part)
			continue;
		if (!is_part(pod)) {
			set |= UINT32_C(1) << i;
			found++;
		} else if (!set || node->left[i] < node->left[best]) {
			set = UINT32_C(1) << i;
			best = i;
		}
	}
	return set;
}

static int fit_score(const struct openb_node *node, const struct openb_pod *pod)
{
	double gpus = 0;

	for (uint32_t i = 0; i < node->gpus; i++)
		gpus += node->left[i];
	gpus -= pod->gpus * pod->part;
	return (int)(100 * (1 - (node->cpu - pod->cpu) / CPU_MOST / 2 - gpus / GPU_MOST / 2));
}

/* Scores are stretched over 0 to 100 by whole numbers, which keeps their order: not done here. */
static struct openb_place place_best_fit(void *state, const struct openb_cluster *cluster,
					 const struct openb_mix *mix, const struct openb_pod *pod)
{
	struct openb_node *best = NULL;
	int most = -1;

	(void)state, (void)mix;
	for (size_t i = 0; i < cluster->count; i++) {
		struct openb_node *node = &cluster->node[i];
		int score;

		if (!openb_fits(node, pod))
			continue;
		score = fit_score(node, pod);
		if (score > most || (score == most && node->rank < best->rank)) {
			best = node;
			most = score;
		}
	}
	return (struct openb_place){best, best ? tightest(best, pod) : 0};
}

const struct openb_policy openb_best_fit = {"best fit", place_best_fit, NULL, NULL};

static int frag_score(const struct openb_node *node, const struct openb_mix *mix,
		      const struct openb_pod *pod, uint32_t set)
{
	struct openb_node after = *node;

	openb_take(&(struct openb_place){&after, set}, pod, mix);
	return (int)(100 / (1 + exp((after.frag - node->frag) / OPENB_WHOLE)));
}

/* The best of the GPUs for a part of one; the first when several are equal. */
static int frag_best(const struct openb_node *node, const struct openb_mix *mix,
		     const struct openb_pod *pod, uint32_t *set)
{
	int most = -1;

	*set = tightest(node, pod);
	if (!is_part(pod))
		return frag_score(node, mix, pod, *set);
	for (uint32_t i = 0; i < node->gpus; i++) {
		bool seen = false;
		int score;

		for (uint32_t j = 0; j < i; j++)
			seen |= node->left[j] == node->left[i];
		if (seen || node->left[i] < pod->part)
			continue;
		score = frag_score(node, mix, pod, UINT32_C(1) << i);
		if (score > most) {
			most = score;
			*set = UINT32_C(1) << i;
		}
	}
	return most;
}

static struct openb_place place_fgd(void *state, const struct openb_cluster *cluster,
				    const struct openb_mix *mix, const struct openb_pod *pod)
{
	struct openb_place best = {NULL, 0};
	int most = -1;

	(void)state;
	for (size_t i = 0; i < cluster->count; i++) {
		struct openb_node *node = &cluster->node[i];
		uint32_t set;
		int score;

		if (!openb_fits(node, pod))
			continue;
		score = frag_best(node, mix, pod, &set);
		if (score > most || (score == most && node->rank < best.node->rank)) {
			best = (struct openb_place){node, set};
			most = score;
		}
	}
	return best;
}

const struct openb_policy openb_fgd = {"FGD", place_fgd, NULL, NULL};

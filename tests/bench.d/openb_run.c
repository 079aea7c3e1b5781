// SPDX-License-Identifier: GPL-2.0-or-later
/* One run: all arrive, then what is left is looked at. */
#include "openb.h"

#include <stdlib.h>
#include <string.h>

void openb_take(const struct openb_place *place, const struct openb_pod *pod,
		const struct openb_mix *mix)
{
	struct openb_node *node = place->node;

	node->cpu -= pod->cpu;
	node->memory -= pod->memory;
	for (uint32_t i = 0; i < node->gpus; i++)
		if (place->set & (UINT32_C(1) << i))
			node->left[i] -= pod->part;
	node->frag = openb_frag(node, mix);
}

static struct openb_result look(const struct openb_cluster *cluster, uint64_t asked, uint64_t used)
{
	double frag = 0, all = (double)cluster->gpus;

	for (size_t i = 0; i < cluster->count; i++)
		frag += cluster->node[i].frag;
	return (struct openb_result){100 * frag / all, 100 * (double)used / all,
				     100 * (double)(asked - used) / (double)asked};
}

static struct openb_result arrive(const struct openb_policy *policy, void *state,
				  struct openb_cluster *cluster, const struct openb_pods *pods,
				  const struct openb_mix *mix)
{
	uint64_t asked = 0, used = 0;

	for (size_t i = 0; i < pods->count; i++) {
		const struct openb_pod *pod = &pods->pod[i];
		struct openb_place place = policy->place(state, cluster, mix, pod);

		asked += (uint64_t)pod->gpus * pod->part;
		if (!place.node)
			continue;
		used += (uint64_t)pod->gpus * pod->part;
		openb_take(&place, pod, mix);
	}
	return look(cluster, asked, used);
}

bool openb_run(const struct openb_policy *policy, const struct openb_cluster *cluster,
	       const struct openb_pods *pods, const struct openb_mix *mix, double ratio,
	       uint64_t seed, struct openb_result *result)
{
	struct openb_cluster copy = *cluster;
	struct openb_pods arriving = {0};
	void *state = NULL;
	bool good;

	copy.node = calloc(copy.count, sizeof(*copy.node));
	good = copy.node && openb_arrive(pods, cluster, ratio, seed, &arriving);
	if (good) {
		memcpy(copy.node, cluster->node, copy.count * sizeof(*copy.node));
		openb_shuffle_nodes(&copy, seed + 1000);
		for (size_t i = 0; i < copy.count; i++)
			copy.node[i].frag = openb_frag(&copy.node[i], mix);
		state = policy->start ? policy->start(&copy, mix) : NULL;
		good = state || !policy->start;
	}
	if (good)
		*result = arrive(policy, state, &copy, &arriving, mix);
	if (policy->end)
		policy->end(state);
	free(arriving.pod);
	free(copy.node);
	return good;
}

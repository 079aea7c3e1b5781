// SPDX-License-Identifier: GPL-2.0-or-later
/* The mix of jobs: what each job holds when it starts, and what nodes there are for them. */
#include "plugins/common/learned_state.h"

#include "plugins/common/gres_name.h"
#include "plugins/common/weak.h"
#include "src/core/cluster.h"

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return b ? (a + b - 1) / b : 0;
}

struct gw_mix_kind gw_learned_holds(const job_record_t *job, uint32_t gpus)
{
	const job_resources_t *held = job->job_resrcs;

	if (!held || !held->nhosts)
		return (struct gw_mix_kind){0};
	return (struct gw_mix_kind){
		.gpus = divide_up(gpus, held->nhosts),
		.cpus = divide_up(held->ncpus, held->nhosts),
		.memory = held->memory_allocated ? held->memory_allocated[0] : 0,
	};
}

/* list_for_each() callback. */
static int add_gpus(void *item, void *arg)
{
	const gres_state_t *state = item;
	const gres_node_state_t *has = state->gres_data;

	if (has && gw_gres_is_gpu(state))
		*(uint64_t *)arg += has->gres_cnt_avail;
	return 0;
}

static void add_node(struct gw_mix_nodes *nodes, const node_record_t *record)
{
	uint32_t cores = record->tot_cores - MIN(record->core_spec_cnt, record->tot_cores);
	uint64_t memory = record->real_memory - MIN(record->mem_spec_limit, record->real_memory);
	uint64_t gpus = 0;

	if (record->gres_list)
		list_for_each(record->gres_list, add_gpus, &gpus);
	gw_mix_nodes_add(nodes, (uint32_t)gpus, cores * record->tpc, memory);
}

void gw_learned_nodes_of_cluster(struct gw_mix_nodes *nodes)
{
	*nodes = (struct gw_mix_nodes){0};
	for (int i = 0; i < node_record_count; i++)
		if (node_record_table_ptr[i])
			add_node(nodes, node_record_table_ptr[i]);
}

void gw_learned_mix_renew(struct gw_learned *learned, const struct gw_mix_nodes *nodes, int64_t now)
{
	struct gw_error why = {{0}};

	if (learned->mix && now >= learned->mix_at && now - learned->mix_at < GW_MIX_SEEN_INTERVAL)
		return;
	gw_mix_free(learned->mix);
	learned->mix = gw_mix_seen_make(learned->seen, nodes, now, &why);
	learned->mix_at = now;
	if (gw_error_is_set(&why))
		error("gangway: mix of jobs: %s", why.text);
	else if (learned->mix)
		debug("gangway: placement weighs CPUs and memory by %zu kinds of jobs",
		      gw_mix_seen_kinds(learned->seen));
}

const struct gw_mix *gw_learned_mix(void)
{
	return gw_learned_get()->mix;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The nodes of a question as core sees them. */
#include "plugins/common/preference_impl.h"

#include <string.h>

#include "plugins/common/bits.h"
#include "plugins/common/cores_in_use.h"
#include "plugins/common/gpus_registered.h"
#include "plugins/common/gres_name.h"
#include "plugins/common/learned.h"
#include "plugins/common/stock.h"
#include "plugins/common/weak.h"

/* list_find_first() callback. The record of the job is one for all nodes; its name is the same. */
static int is_gpu(void *item, void *unused)
{
	const sock_gres_t *gres = item;

	(void)unused;
	return gres->gres_state_node &&
	       gw_gres_is_gpu(gres->gres_state_job ? gres->gres_state_job : gres->gres_state_node);
}

sock_gres_t *gw_preference_gpus(const avail_res_t *resources)
{
	return resources && resources->sock_gres_list
		       ? list_find_first(resources->sock_gres_list, is_gpu, NULL)
		       : NULL;
}

/* For a later time Slurm asks with copies of the nodes' GPUs, from which jobs were taken. */
bool gw_preference_is_of_now(const struct gw_placement *question)
{
	bitoff_t first = bit_ffs(question->node_map);
	const sock_gres_t *gres =
		first >= 0 ? gw_preference_gpus(question->avail_res[first]) : NULL;

	return gres &&
	       gres->gres_state_node == gw_gres_gpu_of(node_record_table_ptr[first]->gres_list);
}

static gw_gpus all_of_type(const gres_node_state_t *node, uint32_t type)
{
	bool words = gw_bits_are_words();
	gw_gpus all = 0, some;

	for (int i = 0; i < node->topo_cnt; i++)
		if (node->topo_type_id[i] == type &&
		    gw_bits_mask(node->topo_gres_bitmap[i], words, &some))
			all |= some;
	return all;
}

/* GPUs of the kind asked for: all of the node's, or those of the type, which seldom change. */
static gw_gpus all_of_kind(const gres_node_state_t *node, const gres_job_state_t *request,
			   struct gw_shapes *shapes, int index)
{
	struct gw_type_seen *seen;

	if (!request->type_id)
		return gw_gpus_first((uint32_t)bit_size(node->gres_bit_alloc));
	seen = gw_shapes_type_seen(shapes, index);
	if (!seen)
		return all_of_type(node, request->type_id);
	if (seen->type != request->type_id)
		*seen = (struct gw_type_seen){request->type_id,
					      all_of_type(node, request->type_id)};
	return seen->gpus;
}

/* The GPUs of a node in a question, free or not; false: too many. */
static bool offered_gpus(const sock_gres_t *gres, bool words, gw_gpus *offered)
{
	bool fits = gw_bits_mask(gres->bits_any_sock, words, offered);
	gw_gpus some;

	for (int s = 0; fits && gres->bits_by_sock && s < gres->sock_cnt; s++) {
		fits = gw_bits_mask(gres->bits_by_sock[s], words, &some);
		*offered |= some;
	}
	return fits;
}

bool gw_preference_free_gpus(const sock_gres_t *gres, gw_gpus *free)
{
	const gres_node_state_t *node = gres->gres_state_node->gres_data;
	bool words = gw_bits_are_words();
	gw_gpus busy;

	if (!gw_bits_mask(node->gres_bit_alloc, words, &busy) || !offered_gpus(gres, words, free))
		return false;
	*free &= ~busy;
	return true;
}

/* Whether slurm.conf has GRES that share GPUs: no node need be asked else. */
static bool gpus_may_share(void)
{
	const char *types = slurm_conf.gres_plugins;

	return types && (strstr(types, "mps") || strstr(types, "shard"));
}

/* The copies of a node's GPUs in which Slurm looks into the future do not say so. */
static bool shares_gpus(const node_record_t *record)
{
	const gres_state_t *gpus = gw_gres_gpu_of(record->gres_list);

	return gpus && gpus->gres_data && GW_GRES_SHARED((gres_node_state_t *)gpus->gres_data);
}

/* The GPUs of a job that asks for some. False: such a node is left to stock. */
static bool fill_gpus(const struct gw_placement *question, const gres_job_state_t *request,
		      const struct gw_ask *ask, struct gw_place_memory *memory,
		      struct gw_node *node)
{
	const sock_gres_t *gres = gw_preference_gpus(question->avail_res[node->index]);
	const gres_node_state_t *state = gres ? gres->gres_state_node->gres_data : NULL;
	gw_gpus busy;

	if (state && memory->run_now && !gw_gpus_are_known(state) &&
	    gw_gpus_must_wait(gres, node_record_table_ptr[node->index])) {
		memory->unregistered++;
		return false;
	}
	if (!state || !state->gres_bit_alloc ||
	    (memory->may_share && shares_gpus(node_record_table_ptr[node->index])) ||
	    !gw_bits_mask(state->gres_bit_alloc, memory->words, &busy) ||
	    !offered_gpus(gres, memory->words, &node->free))
		return false;
	node->free &= ~busy;
	node->shape = gw_shapes_of_node(memory->shapes, (int)node->index, state);
	if (node->shape == GW_SHAPES_LATER)
		return false;
	if (ask->sockets) {
		const struct gw_core_question asked = {question, request, ask, ask->min_nodes};

		node->offered = gw_preference_offer_sockets(&asked, gres, memory, node);
		if (!node->offered)
			return false;
	}
	node->all = all_of_kind(state, request, memory->shapes, (int)node->index);
	node->gpus_other = gw_gpus_count(busy & ~node->all);
	node->busy_until = busy ? 1 : 0;
	return true;
}

/* The GPUs of a node, of any kind, to a job that asks for none. */
static bool fill_any_gpus(const node_record_t *record, bool words, struct gw_node *node)
{
	const gres_state_t *state = gw_gres_gpu_of(record->gres_list);
	const gres_node_state_t *gpus = state ? state->gres_data : NULL;
	gw_gpus busy;

	node->shape = -1;
	if (!gpus || !gpus->gres_bit_alloc)
		return true;
	if (!gw_bits_mask(gpus->gres_bit_alloc, words, &busy))
		return false;
	node->all = gw_gpus_first((uint32_t)bit_size(gpus->gres_bit_alloc));
	node->free = node->all & ~busy;
	node->busy_until = busy ? 1 : 0;
	return true;
}

/*
 * Cores that the node keeps for the system, or the job for its own daemons, are nobody's. Of a
 * job without GPUs stock takes cores away that are more than its tasks on a node need; others
 * may have them, so they are free.
 */
static void fill_cpus(const struct gw_placement *question, bool trimmed,
		      const node_record_t *record, const struct gw_place_memory *memory,
		      struct gw_node *node)
{
	const avail_res_t *resources = question->avail_res[node->index];
	uint32_t worth = gw_preference_core_worth(question->job->details, record->tpc);
	uint32_t free = (uint32_t)bit_set_count(question->avail_core[node->index]);
	uint32_t cores = record->tot_cores;

	cores -= MIN(record->core_spec_cnt, cores);
	if (trimmed && free < cores && memory->parts)
		free = MAX(free, cores - MIN(gw_cores_in_use(*memory->parts, node->index), cores));
	node->cpus_free = free * worth;
	node->cpus_total = MAX(cores * worth, node->cpus_free);
	node->cpus_offered = resources ? resources->avail_cpus : 0;
	if (node->cpus_free < node->cpus_total)
		node->busy_until = 1;
}

/*
 * Memory as it is now. Stock may be asked about a later time, when more is free: how much, it
 * keeps to itself, and nodes that have too little then it takes out or gives few CPUs on.
 */
static void fill_memory(const struct gw_placement *question, const node_record_t *record,
			const node_use_record_t *usage, uint64_t later, struct gw_node *node)
{
	uint64_t total = record->real_memory, taken;

	if (!(question->cr_type & CR_MEMORY) || !usage)
		return;
	total -= MIN(record->mem_spec_limit, total);
	taken = MIN(usage[node->index].alloc_memory, total);
	node->memory_total = total;
	node->memory_free = MAX(total - taken, later);
}

static bool fill_node(const struct gw_placement *question, const gres_job_state_t *request,
		      const struct gw_ask *ask, struct gw_place_memory *memory,
		      struct gw_node *node)
{
	const node_record_t *record = node_record_table_ptr[node->index];

	if (!question->avail_core[node->index])
		return false;
	if (request ? !fill_gpus(question, request, ask, memory, node)
		    : !fill_any_gpus(record, memory->words, node))
		return false;
	node->domain = gw_domains_of(&memory->domains, 0, node->index);
	node->wider = gw_domains_wider(&memory->domains, 0, node->index);
	node->ended = ask->stays ? gw_learned_node(node->index) : NULL;
	/* Slurm's own order of nodes, whatever is in it: the low byte alone is about GPUs. */
	node->weight = record->sched_weight >> 8;
	fill_cpus(question, !request, record, memory, node);
	if (node->ended && node->busy_until)
		node->busy_until = MAX(gw_learned_until(node->index) - memory->now, 1);
	fill_memory(question, record, memory->usage ? *memory->usage : NULL,
		    memory->run_now ? 0 : ask->memory_per_node, node);
	return true;
}

size_t gw_preference_nodes(const struct gw_placement *question, const gres_job_state_t *request,
			   const struct gw_ask *ask, struct gw_place_memory *memory)
{
	bitstr_t *map = question->node_map;
	bitoff_t i;
	size_t count = 0;

	memory->now = time(NULL);
	memory->run_now = gw_engine_test()->run_now;
	memory->words = gw_bits_are_words();
	memory->may_share = gpus_may_share();
	memory->unregistered = 0;
	for (i = -1; (i = gw_bits_next(map, memory->words, i + 1)) >= 0;) {
		struct gw_node *node = &memory->node[count];

		*node = (struct gw_node){.index = (uint32_t)i};
		if (fill_node(question, request, ask, memory, node))
			count++;
	}
	return count;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The nodes of a question as core sees them. */
#include "plugins/common/preference_impl.h"

#include <stdatomic.h>

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

static gw_gpus first_gpus(bitoff_t count)
{
	return count >= GW_GPUS_MAX ? ~(gw_gpus)0 : ((gw_gpus)1 << count) - 1;
}

/* Where a bitmap has its size and its first word in the versions we know. */
enum { BITS_SIZE = 1, BITS_FIRST = 2 };

/* Slurm keeps how it stores bitmaps to itself: whether it still is so is tried once. */
static bool is_as_known(void)
{
	bitstr_t *bits = bit_alloc(30);
	bool same;

	bit_set(bits, 0);
	bit_set(bits, 5);
	bit_set(bits, 29);
	same = bits[BITS_SIZE] == 30 && bits[BITS_FIRST] == (1 << 29 | 1 << 5 | 1);
	FREE_NULL_BITMAP(bits);
	return same;
}

static bool words_are_known(void)
{
	enum { UNTRIED, KNOWN, UNKNOWN };
	static atomic_int answer = UNTRIED;

	if (atomic_load_explicit(&answer, memory_order_relaxed) == UNTRIED)
		atomic_store(&answer, is_as_known() ? KNOWN : UNKNOWN);
	return atomic_load_explicit(&answer, memory_order_relaxed) == KNOWN;
}

/* Bits 0..31 of a bitmap that has no more, one by one. */
static gw_gpus mask_by_bits(bitstr_t *bits, bitoff_t size)
{
	gw_gpus mask = 0;

	for (bitoff_t i = 0; i < size; i++)
		if (bit_test(bits, i))
			mask |= (gw_gpus)1 << i;
	return mask;
}

/* Bits 0..31 of a bitmap; false: it has more. Asked several times for each node. */
static bool mask_of(bitstr_t *bits, gw_gpus *mask)
{
	bool known = words_are_known();
	bitoff_t size = !bits ? 0 : known ? bits[BITS_SIZE] : bit_size(bits);

	*mask = 0;
	if (size > GW_GPUS_MAX)
		return false;
	if (size)
		*mask = known ? (gw_gpus)bits[BITS_FIRST] & first_gpus(size)
			      : mask_by_bits(bits, size);
	return true;
}

static gw_gpus all_of_type(const gres_node_state_t *node, uint32_t type)
{
	gw_gpus all = 0, some;

	for (int i = 0; i < node->topo_cnt; i++)
		if (node->topo_type_id[i] == type && mask_of(node->topo_gres_bitmap[i], &some))
			all |= some;
	return all;
}

/* GPUs of the kind asked for: all of the node's, or those of the type, which seldom change. */
static gw_gpus all_of_kind(const gres_node_state_t *node, const gres_job_state_t *request,
			   struct gw_shapes *shapes, int index)
{
	struct gw_type_seen *seen;

	if (!request->type_id)
		return first_gpus(bit_size(node->gres_bit_alloc));
	seen = gw_shapes_type_seen(shapes, index);
	if (!seen)
		return all_of_type(node, request->type_id);
	if (seen->type != request->type_id)
		*seen = (struct gw_type_seen){request->type_id,
					      all_of_type(node, request->type_id)};
	return seen->gpus;
}

bool gw_preference_free_gpus(const sock_gres_t *gres, gw_gpus *free)
{
	const gres_node_state_t *node = gres->gres_state_node->gres_data;
	gw_gpus some, busy;
	bool fits = mask_of(node->gres_bit_alloc, &busy) && mask_of(gres->bits_any_sock, free);

	for (int s = 0; fits && gres->bits_by_sock && s < gres->sock_cnt; s++) {
		fits = mask_of(gres->bits_by_sock[s], &some);
		*free |= some;
	}
	*free &= ~busy;
	return fits;
}

/* The GPUs of a job that asks for some. False: such a node is left to stock. */
static bool fill_gpus(const struct gw_placement *question, const gres_job_state_t *request,
		      struct gw_place_memory *memory, struct gw_node *node)
{
	const sock_gres_t *gres = gw_preference_gpus(question->avail_res[node->index]);
	const gres_node_state_t *state = gres ? gres->gres_state_node->gres_data : NULL;
	gw_gpus busy;

	if (gres && memory->run_now &&
	    gw_gpus_must_wait(gres, node_record_table_ptr[node->index])) {
		memory->unregistered++;
		return false;
	}
	if (!state || !state->gres_bit_alloc || GW_GRES_SHARED(state) ||
	    !gw_preference_free_gpus(gres, &node->free) || !mask_of(state->gres_bit_alloc, &busy))
		return false;
	node->shape = gw_shapes_of_node(memory->shapes, (int)node->index, state);
	if (node->shape == GW_SHAPES_LATER)
		return false;
	node->all = all_of_kind(state, request, memory->shapes, (int)node->index);
	node->gpus_other = gw_gpus_count(busy & ~node->all);
	node->busy_until = busy ? 1 : 0;
	return true;
}

/* The GPUs of a node, of any kind, to a job that asks for none. */
static bool fill_any_gpus(const node_record_t *record, struct gw_node *node)
{
	const gres_state_t *state =
		record->gres_list ? list_find_first(record->gres_list, gw_gres_find_gpu, NULL)
				  : NULL;
	const gres_node_state_t *gpus = state ? state->gres_data : NULL;
	gw_gpus busy;

	node->shape = -1;
	if (!gpus || !gpus->gres_bit_alloc)
		return true;
	if (!mask_of(gpus->gres_bit_alloc, &busy))
		return false;
	node->all = first_gpus(bit_size(gpus->gres_bit_alloc));
	node->free = node->all & ~busy;
	node->busy_until = busy ? 1 : 0;
	return true;
}

/* Cores that the node keeps for the system, or the job for its own daemons, are nobody's. */
static void fill_cpus(const struct gw_placement *question, const node_record_t *record,
		      struct gw_node *node)
{
	uint32_t cores = record->tot_cores;

	cores -= MIN(record->core_spec_cnt, cores);
	node->cpus_free = (uint32_t)bit_set_count(question->avail_core[node->index]) * record->tpc;
	node->cpus_total = MAX(cores * record->tpc, node->cpus_free);
	if (node->cpus_free < node->cpus_total)
		node->busy_until = 1;
}

/*
 * Memory as it is now. Stock may be asked about a later time, when more is free; it took out the
 * nodes that have too little, so that those in question have at least what the job needs.
 */
static void fill_memory(const struct gw_placement *question, const node_record_t *record,
			const node_use_record_t *usage, uint64_t needed, struct gw_node *node)
{
	uint64_t total = record->real_memory, taken;

	if (!(question->cr_type & CR_MEMORY) || !usage)
		return;
	total -= MIN(record->mem_spec_limit, total);
	taken = MIN(usage[node->index].alloc_memory, total);
	node->memory_total = total;
	node->memory_free = MAX(total - taken, needed);
}

/*
 * Slurm's own order of the node: 24 bits of the site's weight, above them, from bit 40 on, whether
 * it is outside of a flexible reservation or must boot first. The low byte is about GPUs.
 */
static uint32_t weight_of(const node_record_t *record)
{
	uint64_t weight = record->sched_weight;

	return (uint32_t)(weight >> 8 & 0xffffff) | (uint32_t)(weight >> 40) << 24;
}

static bool fill_node(const struct gw_placement *question, const gres_job_state_t *request,
		      const struct gw_ask *ask, struct gw_place_memory *memory,
		      struct gw_node *node)
{
	const node_record_t *record = node_record_table_ptr[node->index];

	if (!question->avail_core[node->index])
		return false;
	if (request ? !fill_gpus(question, request, memory, node) : !fill_any_gpus(record, node))
		return false;
	node->domain = gw_domains_of(&memory->domains, 0, node->index);
	node->ended = ask->stays ? gw_learned_node(node->index) : NULL;
	node->weight = weight_of(record);
	fill_cpus(question, record, node);
	if (node->ended && node->busy_until)
		node->busy_until = MAX(gw_learned_until(node->index) - memory->now, 1);
	fill_memory(question, record, memory->usage ? *memory->usage : NULL, ask->memory_per_node,
		    node);
	return true;
}

size_t gw_preference_nodes(const struct gw_placement *question, const gres_job_state_t *request,
			   const struct gw_ask *ask, struct gw_place_memory *memory)
{
	bitoff_t first = bit_ffs(question->node_map), last = bit_fls(question->node_map);
	size_t count = 0;

	memory->now = time(NULL);
	memory->run_now = gw_engine_test()->run_now;
	memory->unregistered = 0;
	for (bitoff_t i = first; i >= 0 && i <= last; i++) {
		struct gw_node *node = &memory->node[count];

		if (!bit_test(question->node_map, i))
			continue;
		*node = (struct gw_node){.index = (uint32_t)i};
		if (fill_node(question, request, ask, memory, node))
			count++;
	}
	return count;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/preference.h"

#include <string.h>

#include "plugins/common/engine.h"
#include "plugins/common/place_memory.h"
#include "plugins/common/recorder.h"
#include "plugins/common/weak.h"

/* list_find_first() callback. */
static int is_gpu(void *item, void *unused)
{
	const sock_gres_t *gres = item;

	(void)unused;
	return gres->gres_state_node && gres->gres_state_node->gres_name &&
	       !strcmp(gres->gres_state_node->gres_name, "gpu");
}

static sock_gres_t *gpus_of(const avail_res_t *resources)
{
	return resources && resources->sock_gres_list
		       ? list_find_first(resources->sock_gres_list, is_gpu, NULL)
		       : NULL;
}

/* The job's one request for GPUs; NULL if it has none, or asks for other GRES too. */
static const gres_job_state_t *only_request(const job_record_t *job)
{
	const gres_state_t *state;

	if (!job->gres_list_req || list_count(job->gres_list_req) != 1)
		return NULL;
	state = list_peek(job->gres_list_req);
	return state->gres_name && !strcmp(state->gres_name, "gpu") ? state->gres_data : NULL;
}

/* Why stock should answer without us, or NULL. */
static const char *leave_to_stock(const struct gw_placement *question)
{
	const job_record_t *job = question->job;

	if (job->details->req_node_bitmap)
		return "the user names nodes";
	if (job->details->contiguous || (job->bit_flags & SPREAD_JOB))
		return "contiguous or spread";
	if (job->req_switch)
		return "the user asks for switches";
	if ((question->cr_type & CR_LLN) ||
	    (job->part_ptr && (job->part_ptr->flags & PART_FLAG_LLN)))
		return "least loaded nodes are wanted";
	return NULL;
}

/* Fills what the job asks of GPUs; false: in a way that is left to stock. */
static bool ask_gpus(const job_record_t *job, const gres_job_state_t *request, struct gw_ask *ask)
{
	if (request->gres_per_socket)
		return false;
	if (request->gres_per_node) {
		ask->gpus_per_node = (uint32_t)request->gres_per_node;
		ask->max_nodes = ask->min_nodes;
		return true;
	}
	if (request->gres_per_job)
		ask->gpus = (uint32_t)request->gres_per_job;
	else if (request->gres_per_task && job->details->num_tasks)
		ask->gpus = (uint32_t)(request->gres_per_task * job->details->num_tasks);
	if (ask->min_nodes == 1 && ask->max_nodes == 1) {
		ask->gpus_per_node = ask->gpus;
		ask->gpus = 0;
		return ask->gpus_per_node > 0;
	}
	return ask->gpus > 0;
}

static uint32_t divide_up(uint32_t a, uint32_t b)
{
	return b ? (a + b - 1) / b : a;
}

static bool fill_ask(const struct gw_placement *question, const gres_job_state_t *request,
		     struct gw_ask *ask)
{
	const job_record_t *job = question->job;
	uint32_t tasks = job->details->num_tasks;

	memset(ask, 0, sizeof(*ask));
	ask->min_nodes = MAX(question->min_nodes, 1);
	ask->max_nodes = question->max_nodes ? question->max_nodes : INFINITE;
	/* As stock does: a job of few tasks gets no more nodes than tasks. */
	if (tasks && ask->max_nodes > tasks)
		ask->max_nodes = MAX(tasks, ask->min_nodes);
	if (!ask_gpus(job, request, ask))
		return false;
	ask->cpus_per_gpu =
		request->cpus_per_gres ? request->cpus_per_gres : request->def_cpus_per_gres;
	ask->cpus_per_node =
		MAX(divide_up(job->details->min_cpus, ask->min_nodes), job->details->pn_min_cpus);
	if (ask->gpus) /* how many nodes is not known yet */
		ask->cpus_per_node = MAX(job->details->pn_min_cpus, 1);
	ask->limit = job->time_limit == INFINITE || job->time_limit == NO_VAL
			     ? 0
			     : (int64_t)job->time_limit * 60;
	ask->whole_nodes = (job->details->whole_node & WHOLE_NODE_REQUIRED) != 0;
	return true;
}

/* Bits 0..31 of a bitmap; false: it has more. */
static bool mask_of(bitstr_t *bits, gw_gpus *mask)
{
	bitoff_t size = bits ? bit_size(bits) : 0;

	*mask = 0;
	if (size > GW_GPUS_MAX)
		return false;
	for (bitoff_t i = 0; i < size; i++)
		if (bit_test(bits, i))
			*mask |= (gw_gpus)1 << i;
	return true;
}

/* GPUs of the kind asked for: all of the node's, or those of the type. */
static gw_gpus all_of_kind(const gres_node_state_t *node, const gres_job_state_t *request)
{
	gw_gpus all = 0, some;
	bitoff_t size = bit_size(node->gres_bit_alloc);

	if (!request->type_id)
		return size >= GW_GPUS_MAX ? ~(gw_gpus)0 : ((gw_gpus)1 << size) - 1;
	for (int i = 0; i < node->topo_cnt; i++)
		if (node->topo_type_id[i] == request->type_id &&
		    mask_of(node->topo_gres_bitmap[i], &some))
			all |= some;
	return all;
}

/* The GPUs stock would choose from: in some socket's bitmap, and not in use. */
static bool free_gpus(const sock_gres_t *gres, const gres_node_state_t *node, gw_gpus *free)
{
	gw_gpus some, busy;
	bool fits = mask_of(node->gres_bit_alloc, &busy) && mask_of(gres->bits_any_sock, free);

	for (int s = 0; fits && gres->bits_by_sock && s < gres->sock_cnt; s++) {
		fits = mask_of(gres->bits_by_sock[s], &some);
		*free |= some;
	}
	*free &= ~busy;
	return fits;
}

static bool fill_node(const struct gw_placement *question, const gres_job_state_t *request,
		      uint32_t index, struct gw_shapes *shapes, struct gw_node *node)
{
	const node_record_t *record = node_record_table_ptr[index];
	const sock_gres_t *gres = gpus_of(question->avail_res[index]);
	const gres_node_state_t *state = gres ? gres->gres_state_node->gres_data : NULL;
	bitstr_t *cores = question->avail_core[index];
	gw_gpus busy;

	memset(node, 0, sizeof(*node));
	if (!state || !state->gres_bit_alloc || GW_GRES_SHARED(state) || !cores ||
	    !free_gpus(gres, state, &node->free) || !mask_of(state->gres_bit_alloc, &busy))
		return false;
	node->index = index;
	node->shape = gw_shapes_of_node(shapes, (int)index, state);
	node->weight = (uint32_t)(record->sched_weight >> 8);
	node->all = all_of_kind(state, request);
	node->gpus_other = gw_gpus_count(busy & ~node->all);
	node->cpus_free = (uint32_t)bit_set_count(cores) * record->tpc;
	node->cpus_total = (uint32_t)record->tot_cores * record->tpc;
	node->busy_until = busy || node->cpus_free < node->cpus_total ? 1 : 0;
	return true;
}

static size_t fill_nodes(const struct gw_placement *question, const gres_job_state_t *request,
			 struct gw_place_memory *memory)
{
	bitoff_t first = bit_ffs(question->node_map), last = bit_fls(question->node_map);
	size_t count = 0;

	for (bitoff_t i = first; i >= 0 && i <= last; i++)
		if (bit_test(question->node_map, i) &&
		    fill_node(question, request, (uint32_t)i, memory->shapes, &memory->node[count]))
			count++;
	return count;
}

static void record(const struct gw_placement *question, const struct gw_ask *ask,
		   struct gw_place_memory *memory, size_t nodes, size_t chosen)
{
	struct gw_policy *policy = gw_engine_policy();
	struct gw_decision decision = {
		.kind = GW_DECISION_PLACEMENT,
		.job = question->job->job_id,
		.placement =
			{
				.ask = *ask,
				.nodes = memory->node,
				.node_count = nodes,
				.choices = memory->choice,
				.choice_count = chosen,
			},
	};

	decision.placement.shapes = gw_shapes_info(memory->shapes, &decision.placement.shape_count);
	if (policy)
		gw_recorder_add(policy, &decision);
	gw_policy_put(policy);
}

static void choose(const struct gw_placement *question, const gres_job_state_t *request,
		   const struct gw_ask *ask, struct gw_place_memory *memory,
		   struct gw_preference *preference)
{
	size_t count = fill_nodes(question, request, memory);
	size_t chosen = gw_place_nodes(memory->place, ask, memory->node, count, memory->choice,
				       memory->size, &preference->reason);

	if (gw_recorder_wants(GW_DECISION_PLACEMENT))
		record(question, ask, memory, count, chosen);
	if (!chosen)
		return;
	preference->nodes = bit_alloc(bit_size(question->node_map));
	preference->choice = xcalloc(chosen, sizeof(*preference->choice));
	preference->count = chosen;
	memcpy(preference->choice, memory->choice, chosen * sizeof(*preference->choice));
	for (size_t i = 0; i < chosen; i++) {
		gw_gpus free;
		uint32_t index = preference->choice[i].index;
		const sock_gres_t *gres = gpus_of(question->avail_res[index]);

		bit_set(preference->nodes, index);
		if (free_gpus(gres, gres->gres_state_node->gres_data, &free) &&
		    free != preference->choice[i].gpus)
			preference->narrows_gpus = true;
	}
}

void gw_preference_make(const struct gw_placement *question, struct gw_preference *preference)
{
	const gres_job_state_t *request = only_request(question->job);
	struct gw_place_memory *memory;
	struct gw_ask ask;

	memset(preference, 0, sizeof(*preference));
	preference->reason = request ? leave_to_stock(question) : "no single request for GPUs";
	if (preference->reason)
		return;
	if (!fill_ask(question, request, &ask)) {
		preference->reason = "GPUs are asked for by socket";
		return;
	}
	memory = gw_engine_place_memory((size_t)bit_size(question->node_map));
	if (memory)
		choose(question, request, &ask, memory, preference);
	else
		preference->reason = "no memory";
}

void gw_preference_free(struct gw_preference *preference)
{
	FREE_NULL_BITMAP(preference->nodes);
	xfree(preference->choice);
}

void gw_preference_log(const struct gw_placement *question, const struct gw_preference *preference)
{
	const struct gw_choice *first = preference->choice;

	debug("gangway: observe: %pJ: would have %zu nodes, the first %s with GPUs 0x%x",
	      question->job, preference->count, node_record_table_ptr[first->index]->name,
	      first->gpus);
}

/* Clears what is not in mask; returns what is left. */
static uint64_t narrow(bitstr_t *bits, gw_gpus mask)
{
	bitoff_t size = bits ? bit_size(bits) : 0;
	uint64_t left = 0;

	for (bitoff_t i = 0; i < size; i++) {
		if (!(mask & ((gw_gpus)1 << i)))
			bit_clear(bits, i);
		left += bit_test(bits, i) ? 1 : 0;
	}
	return left;
}

/* The counts of stock's record follow its bitmaps: they are what its arithmetic uses. */
static void narrow_gres(sock_gres_t *gres, gw_gpus mask)
{
	gres->total_cnt = 0;
	if (gres->bits_any_sock) {
		gres->cnt_any_sock = narrow(gres->bits_any_sock, mask);
		gres->total_cnt += gres->cnt_any_sock;
	}
	for (int s = 0; gres->bits_by_sock && s < gres->sock_cnt; s++) {
		if (!gres->bits_by_sock[s])
			continue;
		gres->cnt_by_sock[s] = narrow(gres->bits_by_sock[s], mask);
		gres->total_cnt += gres->cnt_by_sock[s];
	}
}

void gw_preference_apply(const struct gw_preference *preference, struct gw_placement *question,
			 bool gpus)
{
	bit_and(question->node_map, preference->nodes);
	for (size_t i = 0; gpus && i < preference->count; i++)
		narrow_gres(gpus_of(question->avail_res[preference->choice[i].index]),
			    preference->choice[i].gpus);
}

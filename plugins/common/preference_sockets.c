// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GPUs by socket. Slurm gives them on each socket of which the job gets a core, and does not see to
 * it that these are as many sockets as are asked for. So a preference names the cores too: as many
 * as the job needs, on as many sockets, or else there is none.
 */
#include "plugins/common/preference_impl.h"

#include "plugins/common/bits.h"
#include "plugins/common/weak.h"

/* Fewest of a node, or more where tasks are given by socket. 0: these are not spread evenly. */
static uint32_t sockets_wanted(const gw_job_details_t *details, uint32_t nodes)
{
	const multi_core_data_t *wanted = details->mc_ptr;
	uint32_t tasks = nodes == 1 ? details->num_tasks : details->ntasks_per_node;
	uint32_t each = wanted->ntasks_per_socket;

	if (!gw_preference_is_given(wanted->ntasks_per_socket))
		return wanted->sockets_per_node;
	if (tasks % each || tasks / each < wanted->sockets_per_node)
		return 0;
	return tasks / each;
}

/* With a number for the whole job that says how many nodes. */
static bool fix_nodes(const gres_job_state_t *request, struct gw_ask *ask)
{
	uint64_t nodes =
		request->gres_per_job ? request->gres_per_job / ask->gpus_per_node : ask->min_nodes;

	if (request->gres_per_job % ask->gpus_per_node || nodes < ask->min_nodes ||
	    nodes > ask->max_nodes)
		return false;
	ask->min_nodes = ask->max_nodes = (uint32_t)nodes;
	return true;
}

const char *gw_preference_ask_sockets(const struct gw_placement *question,
				      const gres_job_state_t *request, struct gw_ask *ask)
{
	const gw_job_details_t *details = question->job->details;
	uint64_t gpus;

	if (!details->mc_ptr || !gw_preference_is_given(details->mc_ptr->sockets_per_node))
		return "GPUs are asked for by socket, and no number of sockets";
	ask->sockets = sockets_wanted(details, ask->min_nodes);
	gpus = request->gres_per_socket * ask->sockets;
	if (!gpus || gpus > GW_GPUS_MAX || ask->sockets > GW_SOCKETS_MAX ||
	    request->gres_per_task || (request->gres_per_node && request->gres_per_node != gpus))
		return "GPUs are asked for by socket and otherwise";
	ask->gpus_per_node = (uint32_t)gpus;
	if (!fix_nodes(request, ask))
		return "GPUs are not the same on each node";
	return gw_preference_may_narrow_cores(question, ask)
		       ? NULL
		       : "which cores go with GPUs by socket is Slurm's to say";
}

/* What each socket of a node has; returns their number, 0: this can not be said. */
static uint32_t find_sockets(const sock_gres_t *gres, bitstr_t *free, bool words,
			     const struct gw_node *node, struct gw_socket socket[GW_SOCKETS_MAX])
{
	uint32_t cores = node_record_table_ptr[node->index]->cores;

	if (!gres->bits_by_sock || gres->sock_cnt > GW_SOCKETS_MAX)
		return 0;
	for (int s = 0; s < gres->sock_cnt; s++) {
		bitoff_t first = (bitoff_t)s * cores;
		gw_gpus gpus;

		if (!gw_bits_mask(gres->bits_by_sock[s], words, &gpus))
			return 0;
		socket[s].free = gpus & node->free;
		socket[s].cores = (uint32_t)bit_set_count_range(free, first, first + cores);
	}
	return (uint32_t)gres->sock_cnt;
}

gw_gpus gw_preference_offer_sockets(const struct gw_core_question *asked, const sock_gres_t *gres,
				    const struct gw_place_memory *memory,
				    const struct gw_node *node)
{
	const struct gw_gpuset_table *table =
		node->shape >= 0 ? gw_shapes_tables(memory->shapes)[node->shape] : NULL;
	const struct gw_ask *ask = asked->ask;
	struct gw_sockets_ask wanted = {
		.sockets = ask->sockets,
		.gpus = ask->gpus_per_node / ask->sockets,
		.gang = asked->nodes > 1,
	};
	struct gw_socket socket[GW_SOCKETS_MAX];
	uint32_t count;

	if (!gw_preference_may_narrow_node(asked->question, node->index))
		return 0;
	wanted.cores = gw_preference_cores_needed(asked, node->index, ask->gpus_per_node);
	count = find_sockets(gres, asked->question->avail_core[node->index], memory->words, node,
			     socket);
	return gw_sockets_choose(table, socket, count, &wanted);
}

uint32_t gw_preference_sockets_of(const sock_gres_t *gres, gw_gpus gpus)
{
	bool words = gw_bits_are_words();
	uint32_t sockets = 0;
	gw_gpus here;

	for (int s = 0; gres->bits_by_sock && s < gres->sock_cnt && s < GW_SOCKETS_MAX; s++)
		if (gw_bits_mask(gres->bits_by_sock[s], words, &here) && (here & gpus))
			sockets |= UINT32_C(1) << s;
	return sockets;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* From model and configuration to the simulation's own records, and all memory it works in. */
#include <stdlib.h>

#include "sim_impl.h"

void *sim_memory(struct sim *sim, size_t count, size_t size)
{
	void *block = calloc(count + 1, size);

	if (!block)
		gw_error_memory(sim->error);
	return block;
}

static int load_nodes(struct sim *sim)
{
	sim->node_count = sim->model->node_count;
	sim->node = sim_memory(sim, sim->node_count, sizeof(*sim->node));
	sim->candidate = sim_memory(sim, sim->node_count, sizeof(*sim->candidate));
	sim->choice = sim_memory(sim, sim->node_count, sizeof(*sim->choice));
	sim->gap = sim_memory(sim, sim->node_count, sizeof(*sim->gap));
	sim->least = sim_memory(sim, sim->node_count, sizeof(*sim->least));
	sim->marked = sim_memory(sim, sim->node_count / 64, sizeof(*sim->marked));
	sim->reserved = sim_memory(sim, sim->node_count, sizeof(*sim->reserved));
	if (!sim->reserved || !sim->node || !sim->candidate || !sim->choice || !sim->gap ||
	    !sim->least || !sim->marked)
		return -1;
	for (size_t i = 0; i < sim->node_count; i++) {
		const struct gw_model_node *from = &sim->model->node[i];
		struct sim_node *node = &sim->node[i];

		node->all = gw_gpus_first(from->gpus);
		node->free = node->all;
		node->cpus_free = node->cpus_total = from->cpus;
		node->memory_free = node->memory_total = from->memory;
		sim->total_gpus += from->gpus;
		if (from->gpus >= sim->node_gpus_max) {
			sim->node_gpus_max = from->gpus;
			sim->largest = i;
		}
	}
	sim->free_gpus = sim->total_gpus;
	return 0;
}

size_t sim_queues_a_partition(const struct sim *sim)
{
	return sim->policy->private_nodes ? sim->policy->conf->queue_count + 1 : 1;
}

/* With private nodes each queue has a block of them, in proportion to its weight. */
static bool is_private_to(const struct sim *sim, size_t queue, size_t node)
{
	const struct gw_conf *conf = sim->policy->conf;
	double total = 0, before = 0;

	if (queue == conf->queue_count)
		return true;
	for (size_t i = 0; i < conf->queue_count; i++) {
		total += conf->queues[i].weight;
		before += i < queue ? conf->queues[i].weight : 0;
	}
	return node >= (size_t)(before / total * sim->node_count + 0.5) &&
	       node < (size_t)((before + conf->queues[queue].weight) / total * sim->node_count +
			       0.5);
}

static int load_lanes(struct sim *sim)
{
	size_t queues = sim_queues_a_partition(sim);

	sim->lane_count = sim->model->partition_count * queues;
	sim->lane_has = sim_memory(sim, sim->lane_count * sim->node_count, sizeof(bool));
	sim->lane_blocked = sim_memory(sim, sim->lane_count, sizeof(bool));
	if (!sim->lane_has || !sim->lane_blocked)
		return -1;
	for (size_t lane = 0; lane < sim->lane_count; lane++)
		for (size_t i = 0; i < sim->node_count; i++)
			sim->lane_has[lane * sim->node_count + i] =
				sim->model->partition[lane / queues].has[i] &&
				(queues == 1 || is_private_to(sim, lane % queues, i));
	return 0;
}

static int load_core(struct sim *sim)
{
	const struct gw_conf *conf = sim->policy->conf;
	size_t lines = gw_lines(conf);

	sim->ledger = gw_ledger_new(conf, sim->error);
	sim->usage = sim_memory(sim, lines, sizeof(double));
	sim->held = sim_memory(sim, lines, sizeof(double));
	sim->flavor_gpus = sim_memory(sim, conf->flavor_count, sizeof(*sim->flavor_gpus));
	sim->queue_usage = sim_memory(sim, conf->queue_count, sizeof(double));
	sim->queue_gpus = sim_memory(sim, conf->queue_count, sizeof(uint32_t));
	sim->queue_pending = sim_memory(sim, conf->queue_count, sizeof(uint32_t));
	sim->table = sim_memory(sim, sim->model->shape_count, sizeof(*sim->table));
	if (!sim->ledger || !sim->usage || !sim->held || !sim->flavor_gpus || !sim->queue_usage ||
	    !sim->queue_gpus || !sim->queue_pending || !sim->table)
		return -1;
	if (sim->policy->order == GW_SIM_ORDER_GANGWAY &&
	    (!(sim->quota = gw_quota_new(conf, sim->error)) ||
	     !(sim->order = gw_order_workspace_new(sim->error))))
		return -1;
	for (size_t i = 0; i < sim->model->shape_count; i++)
		if (!(sim->table[i] = gw_gpuset_table_create(&sim->model->shape[i], sim->error)))
			return -1;
	if (sim->policy->place == GW_SIM_PLACE_GANGWAY)
		sim->place = gw_place_create((const struct gw_gpuset_table *const *)sim->table,
					     sim->model->shape_count, sim->node_count, sim->error);
	return sim->policy->place == GW_SIM_PLACE_GANGWAY && !sim->place ? -1 : 0;
}

static int find_ready(struct sim *sim, uint32_t unit, uint32_t lane, uint32_t *index)
{
	struct sim_ready *grown;

	for (*index = 0; *index < sim->ready_count; ++*index)
		if (sim->ready[*index].unit == unit && sim->ready[*index].lane == lane)
			return 0;
	grown = realloc(sim->ready, (sim->ready_count + 1) * sizeof(*grown));
	if (!grown)
		return gw_error_memory(sim->error);
	sim->ready = grown;
	grown[*index] = (struct sim_ready){.unit = unit, .lane = lane};
	return sim_ready_new(sim, &grown[sim->ready_count++]);
}

static int load_ready(struct sim *sim)
{
	for (size_t i = 0; i < sim->need_count; i++) {
		struct sim_need *need = &sim->need[i];

		if (find_ready(sim, need->unit, need->lane, &need->ready) ||
		    (sim_has_rest(need) &&
		     find_ready(sim, need->rest, need->lane, &need->rest_ready)))
			return -1;
	}
	return sim_ready_log_new(sim);
}

/* Nobody asks for windows where nothing is reserved. */
static int load_windows(struct sim *sim)
{
	if (sim->policy->backfill == GW_SIM_BACKFILL_NONE || sim_is_pool(sim))
		return 0;
	sim->windows.end = sim_memory(sim, sim->job_count, sizeof(*sim->windows.end));
	return sim->windows.end ? 0 : -1;
}

int sim_load(struct sim *sim)
{
	if (load_nodes(sim) || load_lanes(sim) || load_core(sim) || sim_load_jobs(sim) ||
	    load_ready(sim) || load_windows(sim))
		return -1;
	sim->pending = sim_memory(sim, sim->job_count, sizeof(*sim->pending));
	sim->pending_view = sim_memory(sim, sim->job_count, sizeof(*sim->pending_view));
	sim->ends = sim_memory(sim, sim->job_count, sizeof(*sim->ends));
	sim->turn = sim_memory(sim, sim->job_count, sizeof(*sim->turn));
	sim->result->run = sim_memory(sim, sim->job_count, sizeof(*sim->result->run));
	return sim->pending && sim->pending_view && sim->ends && sim->turn && sim->result->run ? 0
											       : -1;
}

void sim_unload(struct sim *sim)
{
	for (size_t i = 0; sim->job && i < sim->job_count; i++)
		free(sim->job[i].nodes);
	for (size_t i = 0; sim->node && i < sim->node_count; i++)
		free(sim->node[i].hold);
	for (size_t i = 0; i < sim->ready_count; i++)
		sim_ready_free(&sim->ready[i]);
	for (size_t i = 0; sim->table && i < sim->model->shape_count; i++)
		gw_gpuset_table_free(sim->table[i]);
	gw_place_free(sim->place);
	gw_order_workspace_free(sim->order);
	gw_quota_free(sim->quota);
	gw_ledger_free(sim->ledger);
	sim_measure_free(sim->measure);
	sim_predict_free(sim);
	free(sim->job);
	free(sim->node);
	free(sim->ready);
	free(sim->table);
	free(sim->candidate);
	free(sim->choice);
	free(sim->gap);
	free(sim->least);
	free(sim->marked);
	free(sim->changed);
	free(sim->lane_has);
	free(sim->lane_blocked);
	free(sim->unit);
	free(sim->need);
	free(sim->pending);
	free(sim->pending_view);
	free(sim->ends);
	free(sim->turn);
	free(sim->windows.end);
	free(sim->reserved);
	free(sim->reservation);
	free(sim->usage);
	free(sim->held);
	free(sim->flavor_gpus);
	free(sim->queue_usage);
	free(sim->queue_gpus);
	free(sim->queue_pending);
	free(sim->fragments);
}

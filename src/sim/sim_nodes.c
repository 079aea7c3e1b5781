// SPDX-License-Identifier: GPL-2.0-or-later
/* Nodes: what is free on them now, and when, by the limits of the jobs that run. */
#include <stdlib.h>
#include <string.h>

#include "../core/drain.h"
#include "sim_impl.h"

/* An aligned cell of free GPUs that holds so many. */
static bool has_cell(gw_gpus free, uint32_t gpus)
{
	uint32_t size = 1;

	while (size < gpus)
		size *= 2;
	for (uint32_t at = 0; at + size <= GW_GPUS_MAX; at += size) {
		gw_gpus cell = gw_gpus_first(size) << at;

		if ((free & cell) == cell)
			return true;
	}
	return false;
}

bool sim_unit_fits(const struct sim *sim, const struct sim_unit *unit, gw_gpus free, uint32_t cpus,
		   uint64_t memory)
{
	if (gw_gpus_count(free) < unit->gpus || cpus < unit->cpus || memory < unit->memory)
		return false;
	return sim->policy->place != GW_SIM_PLACE_BUDDY || !unit->gpus ||
	       has_cell(free, unit->gpus);
}

int64_t sim_node_ready(const struct sim *sim, uint32_t index, uint32_t unit_index)
{
	const struct sim_node *node = &sim->node[index];
	const struct sim_unit *unit = &sim->unit[unit_index];
	gw_gpus free = node->free;
	uint32_t cpus = node->cpus_free;
	uint64_t memory = node->memory_free;

	if (sim_unit_fits(sim, unit, free, cpus, memory))
		return 0;
	for (uint32_t i = 0; i < node->hold_count; i++) {
		free |= node->hold[i].gpus;
		cpus += node->hold[i].unit.cpus;
		memory += node->hold[i].unit.memory;
		if (sim_unit_fits(sim, unit, free, cpus, memory))
			return node->hold[i].until;
	}
	return GW_SIM_NEVER;
}

void sim_node_at(const struct sim *sim, uint32_t node, int64_t at, struct gw_node *view)
{
	const struct sim_node *record = &sim->node[node];
	uint32_t i = 0;

	*view = (struct gw_node){
		.index = node,
		.shape = sim->model->node[node].shape,
		.domain = sim->model->node[node].domain,
		.weight = sim->model->node[node].weight,
		.all = record->all,
		.free = record->free,
		.cpus_free = record->cpus_free,
		.cpus_total = record->cpus_total,
		.memory_free = record->memory_free,
		.memory_total = record->memory_total,
	};
	if (sim->drain && at <= sim->now)
		view->ended = gw_drain_node(sim->drain, node);
	for (; i < record->hold_count && at > sim->now && record->hold[i].until <= at; i++) {
		view->free |= record->hold[i].gpus;
		view->cpus_free += record->hold[i].unit.cpus;
		view->memory_free += record->hold[i].unit.memory;
	}
	if (i < record->hold_count) {
		int64_t last = record->hold[record->hold_count - 1].until;

		view->busy_until = last > at ? last - at : 1;
	}
}

int sim_hold(struct sim *sim, uint32_t job, const struct gw_choice *choice,
	     const struct sim_unit *unit, int64_t until)
{
	struct sim_node *node = &sim->node[choice->index];
	uint32_t at = node->hold_count;

	if (node->hold_count == node->hold_room) {
		uint32_t room = node->hold_room ? 2 * node->hold_room : 8;
		struct sim_hold *hold = realloc(node->hold, room * sizeof(*hold));

		if (!hold)
			return gw_error_memory(sim->error);
		node->hold = hold;
		node->hold_room = room;
	}
	while (at && node->hold[at - 1].until > until)
		at--;
	memmove(&node->hold[at + 1], &node->hold[at],
		(node->hold_count - at) * sizeof(*node->hold));
	node->hold[at] = (struct sim_hold){job, choice->gpus, *unit, until};
	node->hold_count++;
	sim_measure_node(sim, choice->index, -1);
	node->free &= ~choice->gpus;
	node->cpus_free -= unit->cpus;
	node->memory_free -= unit->memory;
	sim->free_gpus -= gw_gpus_count(choice->gpus);
	sim_measure_node(sim, choice->index, 1);
	sim_ready_changed(sim, choice->index);
	return 0;
}

void sim_release(struct sim *sim, uint32_t job, uint32_t index)
{
	struct sim_node *node = &sim->node[index];
	uint32_t at = 0;

	while (node->hold[at].job != job)
		at++;
	sim_measure_node(sim, index, -1);
	node->free |= node->hold[at].gpus;
	node->cpus_free += node->hold[at].unit.cpus;
	node->memory_free += node->hold[at].unit.memory;
	sim->free_gpus += gw_gpus_count(node->hold[at].gpus);
	sim_measure_node(sim, index, 1);
	node->hold_count--;
	memmove(&node->hold[at], &node->hold[at + 1],
		(node->hold_count - at) * sizeof(*node->hold));
	sim_ready_changed(sim, index);
}

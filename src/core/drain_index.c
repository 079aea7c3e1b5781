// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory of a drain, and its jobs by id: open addressing, half of the slots are free. */
#include <stdlib.h>
#include <string.h>

#include "drain_impl.h"

#define JOBS_AT_FIRST 64

static uint32_t slot_of(const struct gw_drain *drain, uint32_t id)
{
	uint32_t mixed = (id ^ id >> 15) * UINT32_C(2654435769);

	return (mixed ^ mixed >> 13) & drain->slot_mask;
}

void gw_drain_index(struct gw_drain *drain, size_t at)
{
	uint32_t slot = slot_of(drain, drain->job[at].id);

	while (drain->slot[slot])
		slot = (slot + 1) & drain->slot_mask;
	drain->slot[slot] = (uint32_t)at + 1;
}

/* The slot that holds a job, which must be there. */
static uint32_t slot_with(const struct gw_drain *drain, uint32_t id, size_t at)
{
	uint32_t slot = slot_of(drain, id);

	while (drain->slot[slot] != (uint32_t)at + 1)
		slot = (slot + 1) & drain->slot_mask;
	return slot;
}

/* Those behind the gap that would not be found any more move up. */
void gw_drain_unindex(struct gw_drain *drain, size_t at)
{
	uint32_t mask = drain->slot_mask, gap = slot_with(drain, drain->job[at].id, at);

	drain->slot[gap] = 0;
	for (uint32_t slot = (gap + 1) & mask; drain->slot[slot]; slot = (slot + 1) & mask) {
		uint32_t home = slot_of(drain, drain->job[drain->slot[slot] - 1].id);

		if (((slot - home) & mask) < ((slot - gap) & mask))
			continue;
		drain->slot[gap] = drain->slot[slot];
		drain->slot[slot] = 0;
		gap = slot;
	}
}

void gw_drain_reindex(struct gw_drain *drain, size_t from, size_t to)
{
	drain->slot[slot_with(drain, drain->job[to].id, from)] = (uint32_t)to + 1;
}

size_t gw_drain_find(const struct gw_drain *drain, uint32_t id)
{
	if (!drain->slot)
		return drain->job_count;
	for (uint32_t slot = slot_of(drain, id); drain->slot[slot];
	     slot = (slot + 1) & drain->slot_mask)
		if (drain->job[drain->slot[slot] - 1].id == id)
			return drain->slot[slot] - 1;
	return drain->job_count;
}

static bool room_for_job(struct gw_drain *drain)
{
	size_t capacity = drain->job_capacity ? 2 * drain->job_capacity : JOBS_AT_FIRST;
	struct gw_drain_job *job;
	uint32_t *slot;

	if (drain->job_count < drain->job_capacity)
		return true;
	job = realloc(drain->job, capacity * sizeof(*job));
	if (!job)
		return false;
	drain->job = job;
	slot = calloc(2 * capacity, sizeof(*slot));
	if (!slot)
		return false;
	free(drain->slot);
	drain->slot = slot;
	drain->slot_mask = (uint32_t)(2 * capacity - 1);
	drain->job_capacity = capacity;
	for (size_t i = 0; i < drain->job_count; i++)
		gw_drain_index(drain, i);
	return true;
}

static bool room_for_node(struct gw_drain *drain, uint32_t index)
{
	size_t count = index + (size_t)1;
	struct gw_drain_node *node;

	if (count <= drain->node_count)
		return true;
	count += count / 4;
	node = realloc(drain->node, count * sizeof(*node));
	if (!node)
		return false;
	memset(node + drain->node_count, 0, (count - drain->node_count) * sizeof(*node));
	drain->node = node;
	drain->node_count = count;
	return true;
}

static bool room_on_node(struct gw_drain_node *node)
{
	uint32_t capacity = node->capacity ? 2 * node->capacity : 8;
	uint32_t *job;

	if (node->count < node->capacity)
		return true;
	job = realloc(node->job, capacity * sizeof(*job));
	if (!job)
		return false;
	node->job = job;
	node->capacity = capacity;
	return true;
}

bool gw_drain_room(struct gw_drain *drain, const uint32_t *nodes, size_t count)
{
	if (!room_for_job(drain))
		return false;
	for (size_t i = 0; i < count; i++)
		if (!room_for_node(drain, nodes[i]) || !room_on_node(&drain->node[nodes[i]]))
			return false;
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nodes in the order of the time at which they have room. A start or an end changes few of many
 * nodes, and most questions are about the first in order or how many have room now: so the order
 * is kept, and nodes that have changed since the last question are moved in it. What nobody asks
 * about costs nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_impl.h"

/* Of so many changed nodes, one part in this of all, it is cheaper to sort all anew. */
#define CHANGED_PART 8

int sim_ready_log_new(struct sim *sim)
{
	sim->changed_room = sim->node_count / CHANGED_PART + 1;
	sim->changed = calloc(sim->changed_room, sizeof(*sim->changed));
	return sim->changed ? 0 : gw_error_memory(sim->error);
}

void sim_ready_changed(struct sim *sim, uint32_t node)
{
	sim->changed[sim->changed_count++ % sim->changed_room] = node;
}

int sim_ready_new(struct sim *sim, struct sim_ready *ready)
{
	const bool *has = &sim->lane_has[ready->lane * sim->node_count];

	ready->at = calloc(sim->node_count + 1, sizeof(*ready->at));
	ready->order = calloc(sim->node_count + 1, sizeof(*ready->order));
	if (!ready->at || !ready->order)
		return gw_error_memory(sim->error);
	for (uint32_t i = 0; i < sim->node_count; i++)
		if (has[i])
			ready->order[ready->count++] = i;
	return 0;
}

void sim_ready_free(struct sim_ready *ready)
{
	free(ready->at);
	free(ready->order);
}

static int compare(const void *a, const void *b, void *arg)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	const struct sim_ready *ready = arg;

	if (ready->at[left] != ready->at[right])
		return ready->at[left] < ready->at[right] ? -1 : 1;
	return left < right ? -1 : left > right;
}

static void sort_all(const struct sim *sim, struct sim_ready *ready)
{
	ready->now_count = 0;
	for (size_t i = 0; i < ready->count; i++) {
		uint32_t node = ready->order[i];

		ready->at[node] = sim_node_ready(sim, node, ready->unit);
		ready->now_count += !ready->at[node];
	}
	qsort_r(ready->order, ready->count, sizeof(*ready->order), compare, ready);
}

static bool is_before(int64_t at, uint32_t node, int64_t other_at, uint32_t other)
{
	return at < other_at || (at == other_at && node < other);
}

/* How many nodes are before this one, were it ready at that time. */
static size_t place_of(const struct sim_ready *ready, uint32_t node, int64_t at)
{
	size_t low = 0, high = ready->count;

	while (low < high) {
		size_t middle = (low + high) / 2;
		uint32_t other = ready->order[middle];

		if (is_before(ready->at[other], other, at, node))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void move(const struct sim *sim, struct sim_ready *ready, uint32_t node)
{
	int64_t at = sim_node_ready(sim, node, ready->unit);
	size_t from, to;
	uint32_t *order = ready->order;

	if (at == ready->at[node])
		return;
	from = place_of(ready, node, ready->at[node]);
	to = place_of(ready, node, at);
	if (to > from)
		memmove(&order[from], &order[from + 1], (--to - from) * sizeof(*order));
	else
		memmove(&order[to + 1], &order[to], (from - to) * sizeof(*order));
	order[to] = node;
	ready->now_count += !at;
	ready->now_count -= !ready->at[node];
	ready->at[node] = at;
}

const struct sim_ready *sim_ready(struct sim *sim, uint32_t index)
{
	struct sim_ready *ready = &sim->ready[index];
	const bool *has = &sim->lane_has[ready->lane * sim->node_count];

	if (!ready->known || sim->changed_count - ready->seen > sim->changed_room) {
		sort_all(sim, ready);
		ready->seen = sim->changed_count;
		ready->known = true;
	}
	for (; ready->seen < sim->changed_count; ready->seen++) {
		uint32_t node = sim->changed[ready->seen % sim->changed_room];

		if (has[node])
			move(sim, ready, node);
	}
	return ready;
}

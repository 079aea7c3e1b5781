// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The future of a backfill pass: reservations of whole nodes, and the earliest time at which
 * enough nodes have room at once, by limits of what runs and around reservations.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_impl.h"

void sim_reserve_begin(struct sim *sim)
{
	sim->pass++;
	sim->reservation_count = 0;
	for (size_t i = 0; i < sim->node_count; i++)
		sim->reserved[i] = UINT32_MAX;
	sim_windows_begin(&sim->windows);
}

static int64_t first_reservation_end(const struct sim *sim, uint32_t index, int64_t at,
				     int64_t limit)
{
	for (uint32_t next = sim->reserved[index]; next != UINT32_MAX;
	     next = sim->reservation[next].next) {
		const struct sim_reservation *reservation = &sim->reservation[next];

		if (reservation->end > at && reservation->start >= at + limit)
			break;
		if (reservation->end > at)
			at = reservation->end;
	}
	return at;
}

bool sim_is_reserved(const struct sim *sim, uint32_t node, int64_t at, int64_t limit)
{
	return first_reservation_end(sim, node, at, limit) > at;
}

/* When Slurm sees room on a node of which it is known when jobs leave it. */
static int64_t noticed(struct sim *sim, int64_t ready)
{
	const struct gw_model_sched *sched = &sim->model->sched;

	if (!ready)
		return sim->now;
	if (ready <= sim->now)
		ready = sim->now + 1;
	return sched->bf_windows ? sim_windows_notice(&sim->windows, ready, sched->bf_window_linear)
				 : ready;
}

/* Puts a time among the least so far, which are in order; returns their number, at most most. */
static size_t keep_least(int64_t *least, size_t count, size_t most, int64_t at)
{
	size_t place;

	if (count == most && at >= least[count - 1])
		return count;
	place = count < most ? count++ : count - 1;
	for (; place && least[place - 1] > at; place--)
		least[place] = least[place - 1];
	least[place] = at;
	return count;
}

/*
 * The first time from `from` on by which so many nodes could each hold a unit for as long as
 * limit, if not at once. No node can before it is ready: the others in order need no look.
 */
static int64_t kth_earliest(struct sim *sim, const struct sim_ready *ready, uint32_t nodes,
			    int64_t from, int64_t limit)
{
	int64_t *least = sim->least;
	size_t count = 0;

	for (size_t i = 0; i < ready->count; i++) {
		uint32_t node = ready->order[i];
		int64_t at = ready->at[node];

		if (at == GW_SIM_NEVER)
			break;
		at = noticed(sim, at);
		at = at > from ? at : from;
		if (count == nodes && at >= least[count - 1])
			break;
		count = keep_least(least, count, nodes,
				   first_reservation_end(sim, node, at, limit));
	}
	return count == nodes ? least[count - 1] : GW_SIM_NEVER;
}

/* Marks nodes that can hold a unit at a time for as long as limit, until there are enough. */
static size_t mark_free(struct sim *sim, const struct sim_ready *ready, int64_t at, int64_t limit,
			size_t enough)
{
	size_t count = 0;

	for (size_t i = 0; i < ready->count && count < enough; i++) {
		uint32_t node = ready->order[i];

		if (ready->at[node] > at || noticed(sim, ready->at[node]) > at)
			break;
		if (sim_is_reserved(sim, node, at, limit))
			continue;
		sim->marked[node / 64] |= UINT64_C(1) << node % 64;
		count++;
	}
	return count;
}

static void unmark_all(struct sim *sim)
{
	memset(sim->marked, 0, (sim->node_count / 64 + 1) * sizeof(*sim->marked));
}

static bool enough_free(struct sim *sim, const struct sim_need *need, int64_t at, int64_t limit)
{
	bool enough =
		mark_free(sim, sim_ready(sim, need->ready), at, limit, need->nodes) == need->nodes;

	if (enough && sim_has_rest(need))
		enough = mark_free(sim, sim_ready(sim, need->rest_ready), at, limit,
				   need->nodes + 1) > need->nodes;
	unmark_all(sim);
	return enough;
}

/* The first time at which enough nodes are free at once. */
static int64_t first_common(struct sim *sim, const struct sim_need *need, int64_t from,
			    int64_t limit)
{
	const struct sim_ready *units = sim_ready(sim, need->ready);
	bool rest = sim_has_rest(need);

	for (;;) {
		int64_t at = kth_earliest(sim, units, need->nodes, from, limit);

		if (rest && at != GW_SIM_NEVER) {
			int64_t at_rest = kth_earliest(sim, sim_ready(sim, need->rest_ready),
						       need->nodes + 1, from, limit);

			at = at > at_rest ? at : at_rest;
		}
		if (at == GW_SIM_NEVER || at == from || (need->nodes == 1 && !rest))
			return at;
		/* Some may be taken again by then: look from there. */
		if (enough_free(sim, need, at, limit))
			return at;
		from = at;
	}
}

int64_t sim_earliest_start(struct sim *sim, const struct sim_job *job)
{
	struct sim_need *need = &sim->need[job->need];
	bool known = need->pass == sim->pass && job->limit >= need->least_limit;
	int64_t at = known ? need->earliest : sim->now;

	if (at <= sim->now + sim->model->sched.bf_window)
		at = first_common(sim, need, at, job->limit);
	if (need->pass != sim->pass || job->limit <= need->least_limit) {
		need->pass = sim->pass;
		need->least_limit = job->limit;
		need->earliest = at;
	}
	return at;
}

static int add_reservation(struct sim *sim, int64_t start, int64_t end, uint32_t next)
{
	if (sim->reservation_count == sim->reservation_room) {
		size_t room = sim->reservation_room ? 2 * sim->reservation_room : 1024;
		struct sim_reservation *grown = realloc(sim->reservation, room * sizeof(*grown));

		if (!grown)
			return gw_error_memory(sim->error);
		sim->reservation = grown;
		sim->reservation_room = room;
	}
	sim->reservation[sim->reservation_count++] = (struct sim_reservation){start, end, next};
	return 0;
}

static int reserve_node(struct sim *sim, uint32_t index, int64_t start, int64_t end)
{
	uint32_t before = UINT32_MAX, next = sim->reserved[index];
	uint32_t added = (uint32_t)sim->reservation_count;

	while (next != UINT32_MAX && sim->reservation[next].start < start) {
		before = next;
		next = sim->reservation[next].next;
	}
	if (add_reservation(sim, start, end, next))
		return -1;
	*(before == UINT32_MAX ? &sim->reserved[index] : &sim->reservation[before].next) = added;
	return 0;
}

/* Those that are marked become the candidates, in order of index, as they will be then. */
static size_t candidates_at(struct sim *sim, int64_t at)
{
	size_t count = 0;

	for (size_t word = 0; word <= sim->node_count / 64; word++)
		for (uint64_t left = sim->marked[word]; left; left &= left - 1) {
			uint32_t node = (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(left);

			sim_node_at(sim, node, at, &sim->candidate[count++]);
		}
	unmark_all(sim);
	return count;
}

int sim_reserve(struct sim *sim, const struct sim_job *job, int64_t at)
{
	const struct sim_need *need = &sim->need[job->need];
	size_t chosen;

	mark_free(sim, sim_ready(sim, sim_has_rest(need) ? need->rest_ready : need->ready), at,
		  job->limit, SIZE_MAX);
	chosen = sim_choose(sim, job, candidates_at(sim, at));
	for (size_t i = 0; i < chosen; i++)
		if (reserve_node(sim, sim->choice[i].index, at, at + job->limit))
			return -1;
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slurm's two schedulers. The main pass goes down the order; in each partition the first job
 * that finds no nodes stops the rest. Backfill goes on: each job that can not start reserves
 * whole nodes from its earliest start for as long as its limit, and a job may start only on
 * nodes that nobody before it has reserved within its own limit.
 *
 * A pass can only matter by what it starts. So it ends as soon as nobody left could start even
 * without reservations; which jobs start is not changed by that.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_impl.h"

/*
 * Slurm takes ends of running jobs in windows: the first 30 s wide, each twice the one before, or
 * by bf_window_linear wider.
 */
#define FIRST_WINDOW 30

static bool has_rest(const struct sim_need *need)
{
	return need->rest != UINT32_MAX;
}

static int64_t first_reservation_end(const struct sim *sim, const struct sim_node *node, int64_t at,
				     int64_t limit)
{
	uint32_t next = node->reserved_pass == sim->pass ? node->reserved : UINT32_MAX;

	for (; next != UINT32_MAX; next = sim->reservation[next].next) {
		const struct sim_reservation *reservation = &sim->reservation[next];

		if (reservation->end > at && reservation->start >= at + limit)
			break;
		if (reservation->end > at)
			at = reservation->end;
	}
	return at;
}

static void add_candidate(struct sim *sim, const struct sim_need *need, uint32_t index, int64_t at,
			  size_t *count)
{
	struct gw_node *view = &sim->candidate[*count];
	uint32_t unit = has_rest(need) ? need->rest : need->unit;

	sim_node_at(sim, index, at, view);
	if (sim_unit_fits(sim, &sim->unit[unit], view->free, view->cpus_free, view->memory_free))
		++*count;
}

/* Nodes for a start now, reservations of this pass respected. */
static size_t candidates_now(struct sim *sim, const struct sim_job *job, bool reserved)
{
	const struct sim_need *need = &sim->need[job->need];
	uint32_t unit = has_rest(need) ? need->rest : need->unit;
	size_t count = 0;

	for (uint32_t i = 0; i < sim->node_count; i++)
		if (sim_node_fits(sim, i, unit) && sim_lane_has(sim, need, i) &&
		    (!reserved ||
		     first_reservation_end(sim, &sim->node[i], sim->now, job->limit) <= sim->now))
			add_candidate(sim, need, i, sim->now, &count);
	return count;
}

static size_t choose_now(struct sim *sim, const struct sim_job *job, bool reserved)
{
	size_t count;

	if (!sim_may_start(sim, job->need))
		return 0;
	count = candidates_now(sim, job, reserved);
	return count >= sim->need[job->need].nodes ? sim_choose(sim, job, count) : 0;
}

/* Starts it if it can now. *started says whether. */
static int try_now(struct sim *sim, uint32_t index, bool reserved, bool *started)
{
	const struct sim_job *job = &sim->job[index];
	size_t chosen;

	*started = false;
	if (sim_is_pool(sim)) {
		*started = sim->need[job->need].gpus <= sim->free_gpus;
		return *started ? sim_start(sim, index, 0) : 0;
	}
	chosen = choose_now(sim, job, reserved);
	if (!chosen)
		return 0;
	*started = true;
	return sim_start(sim, index, chosen);
}

static bool fits_now(struct sim *sim, const struct sim_job *job)
{
	return sim_is_pool(sim) ? sim->need[job->need].gpus <= sim->free_gpus
				: sim_may_start(sim, job->need);
}

/* Whether anybody who waits could start, reservations and quota aside. */
static bool anybody_may_start(struct sim *sim)
{
	for (uint32_t i = 0; i < sim->need_count; i++)
		if (sim->need[i].pending && sim_may_start(sim, i))
			return true;
	return false;
}

int sim_pass_submit(struct sim *sim, uint32_t index)
{
	const struct sim_need *need = &sim->need[sim->job[index].need];
	bool started;

	if (sim->model->sched.defer || !sim_may_start(sim, sim->job[index].need))
		return 0;
	if (sim_order(sim))
		return -1;
	for (size_t i = 0; i < sim->turn_count && sim->turn[i].job != index; i++)
		if (!sim->turn[i].barred &&
		    sim->need[sim->job[sim->turn[i].job].need].lane == need->lane)
			return 0; /* it is not the first of its partition */
	for (size_t i = 0; i < sim->turn_count; i++)
		if (sim->turn[i].job == index && sim->turn[i].barred)
			return 0;
	return sim_quota_allows(sim, &sim->job[index]) ? try_now(sim, index, false, &started) : 0;
}

int sim_pass_main(struct sim *sim)
{
	size_t depth = 0;

	sim->result->main_passes++;
	if (!anybody_may_start(sim))
		return 0;
	if (sim_order(sim))
		return -1;
	memset(sim->lane_blocked, 0, sim->lane_count * sizeof(*sim->lane_blocked));
	for (size_t i = 0; i < sim->turn_count && depth < sim->model->sched.default_queue_depth;
	     i++) {
		const struct sim_turn turn = sim->turn[i];
		const struct sim_job *job = &sim->job[turn.job];
		bool *blocked = &sim->lane_blocked[sim->need[job->need].lane];
		bool started;

		if (turn.barred || *blocked)
			continue;
		depth++;
		if (!sim_quota_allows(sim, job)) {
			*blocked = turn.for_nodes && !fits_now(sim, job);
			continue;
		}
		if (try_now(sim, turn.job, false, &started))
			return -1;
		if (started)
			sim_order_started(sim, job, i + 1);
		*blocked = !started;
	}
	return 0;
}

static int compare_times(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return left < right ? -1 : left > right;
}

/* The ends at which Slurm asks again whether a job fits: the last of each window. */
static void find_boundaries(struct sim *sim)
{
	int64_t window = FIRST_WINDOW, linear = sim->model->sched.bf_window_linear, first;
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < sim->end_count; i++) {
		const struct sim_job *job = &sim->job[sim->ends[i].job];

		sim->boundary[count++] = job->start + job->limit;
	}
	qsort(sim->boundary, count, sizeof(*sim->boundary), compare_times);
	first = count ? sim->boundary[0] + FIRST_WINDOW - sim->boundary[0] % FIRST_WINDOW : 0;
	for (size_t i = 0; i < count; i++) {
		if (i + 1 < count && sim->boundary[i + 1] <= first + window)
			continue;
		sim->boundary[kept++] = sim->boundary[i];
		while (i + 1 < count && sim->boundary[i + 1] > first + window)
			window += linear ? linear : window;
	}
	sim->boundary_count = kept;
}

/* When Slurm notices that room has come: at the next boundary. */
static int64_t noticed(const struct sim *sim, int64_t ready)
{
	size_t low = 0, high = sim->boundary_count;

	if (ready <= sim->now || !sim->model->sched.bf_windows)
		return ready;
	while (low < high) {
		size_t middle = (low + high) / 2;

		if (sim->boundary[middle] < ready)
			low = middle + 1;
		else
			high = middle;
	}
	return low < sim->boundary_count ? sim->boundary[low] : ready;
}

/* The first time from `from` on when a node could hold a unit for as long as limit. */
static int64_t earliest_on(struct sim *sim, uint32_t node, uint32_t unit, int64_t from,
			   int64_t limit)
{
	int64_t ready = sim_node_ready(sim, node, unit);

	if (ready == GW_SIM_NEVER)
		return GW_SIM_NEVER;
	ready = ready ? noticed(sim, ready > sim->now ? ready : sim->now + 1) : sim->now;
	return first_reservation_end(sim, &sim->node[node], ready > from ? ready : from, limit);
}

/* The k-th smallest of values, k from 1. Partitions a copy around ever closer pivots. */
static int64_t kth(struct sim *sim, const int64_t *values, size_t count, size_t k)
{
	int64_t *v = sim->sorted, least = GW_SIM_NEVER;
	size_t low = 0, high = count;

	if (k > count)
		return GW_SIM_NEVER;
	if (k == 1) {
		for (size_t i = 0; i < count; i++)
			least = values[i] < least ? values[i] : least;
		return least;
	}
	memcpy(v, values, count * sizeof(*v));
	while (high - low > 1) {
		int64_t pivot = v[low + (high - low) / 2];
		size_t i = low, less = low, more = high;

		while (i < more) {
			int64_t value = v[i];

			if (value < pivot) {
				v[i++] = v[less];
				v[less++] = value;
			} else if (value > pivot) {
				v[i] = v[--more];
				v[more] = value;
			} else {
				i++;
			}
		}
		if (k - 1 < less)
			high = less;
		else if (k - 1 >= more)
			low = more;
		else
			return pivot;
	}
	return v[low];
}

/* one: only the earliest of all is wanted; nodes that are ready later are left at "never". */
static void find_earliest(struct sim *sim, const struct sim_job *job, uint32_t unit, int64_t from,
			  int64_t *earliest, bool one)
{
	const struct sim_need *need = &sim->need[job->need];
	int64_t least = GW_SIM_NEVER;

	for (uint32_t i = 0; i < sim->node_count; i++) {
		earliest[i] = GW_SIM_NEVER;
		if (!sim_lane_has(sim, need, i) || (one && sim_node_ready(sim, i, unit) > least))
			continue;
		earliest[i] = earliest_on(sim, i, unit, from, job->limit);
		least = earliest[i] < least ? earliest[i] : least;
	}
}

static size_t count_at(const int64_t *earliest, size_t count, int64_t at)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++)
		found += earliest[i] == at;
	return found;
}

/* Of times by node, the first at which enough nodes are free at once. */
static int64_t first_common(struct sim *sim, const struct sim_job *job, int64_t from)
{
	const struct sim_need *need = &sim->need[job->need];
	bool rest = has_rest(need), one = need->nodes == 1 && !rest;

	for (;;) {
		int64_t at, at_rest = 0;

		find_earliest(sim, job, need->unit, from, sim->earliest, one);
		at = kth(sim, sim->earliest, sim->node_count, need->nodes);
		if (rest) {
			find_earliest(sim, job, need->rest, from, sim->earliest_rest, false);
			at_rest = kth(sim, sim->earliest_rest, sim->node_count, need->nodes + 1);
		}
		at = at > at_rest ? at : at_rest;
		if (at == GW_SIM_NEVER || at == from || one)
			return at;
		/* Some may be taken again by then: look from there. */
		find_earliest(sim, job, need->unit, at, sim->earliest, false);
		if (rest)
			find_earliest(sim, job, need->rest, at, sim->earliest_rest, false);
		if (count_at(sim->earliest, sim->node_count, at) >= need->nodes &&
		    (!rest || count_at(sim->earliest_rest, sim->node_count, at) > need->nodes))
			return at;
		from = at;
	}
}

/*
 * The earliest start of a job. In one pass room only becomes less: a job of the same need and no
 * shorter limit can not start before one that was asked for earlier.
 */
static int64_t earliest_start(struct sim *sim, const struct sim_job *job)
{
	struct sim_need *need = &sim->need[job->need];
	bool known = need->pass == sim->pass && job->limit >= need->least_limit;
	int64_t at = first_common(sim, job, known ? need->earliest : sim->now);

	if (need->pass != sim->pass || job->limit <= need->least_limit) {
		need->pass = sim->pass;
		need->least_limit = job->limit;
		need->earliest = at;
	}
	return at;
}

static int reserve_node(struct sim *sim, uint32_t index, int64_t start, int64_t end)
{
	struct sim_node *node = &sim->node[index];
	uint32_t *link = &node->reserved, added = (uint32_t)sim->reservation_count;

	if (sim->reservation_count == sim->reservation_room) {
		size_t room = sim->reservation_room ? 2 * sim->reservation_room : 1024;
		struct sim_reservation *grown = realloc(sim->reservation, room * sizeof(*grown));

		if (!grown)
			return gw_error_memory(sim->error);
		sim->reservation = grown;
		sim->reservation_room = room;
	}
	if (node->reserved_pass != sim->pass) {
		node->reserved_pass = sim->pass;
		node->reserved = UINT32_MAX;
	}
	while (*link != UINT32_MAX && sim->reservation[*link].start < start)
		link = &sim->reservation[*link].next;
	sim->reservation[added] = (struct sim_reservation){start, end, *link};
	*link = added;
	sim->reservation_count++;
	return 0;
}

/* Nodes as they will be then, chosen by the same rule as for a start. */
static int reserve(struct sim *sim, const struct sim_job *job, int64_t at)
{
	const struct sim_need *need = &sim->need[job->need];
	const int64_t *earliest = has_rest(need) ? sim->earliest_rest : sim->earliest;
	size_t count = 0, chosen;

	for (uint32_t i = 0; i < sim->node_count; i++)
		if (earliest[i] == at)
			add_candidate(sim, need, i, at, &count);
	chosen = sim_choose(sim, job, count);
	for (size_t i = 0; i < chosen; i++)
		if (reserve_node(sim, sim->choice[i].index, at, at + job->limit))
			return -1;
	return 0;
}

/* How many of the turns are worth a look: up to the last that could start. */
static size_t last_hope(struct sim *sim, size_t from)
{
	size_t last = sim->turn_count;

	while (last > from && (sim->turn[last - 1].barred ||
			       !sim_may_start(sim, sim->job[sim->turn[last - 1].job].need)))
		last--;
	return last;
}

/* One job of a pass: it starts, if quota allows it, or it reserves. */
static int backfill_one(struct sim *sim, uint32_t index, bool allowed, bool may_reserve,
			bool *started)
{
	const struct sim_job *job = &sim->job[index];
	int64_t at;

	*started = false;
	at = may_reserve || sim_may_start(sim, job->need) ? earliest_start(sim, job) : GW_SIM_NEVER;
	if (at <= sim->now)
		return allowed ? try_now(sim, index, true, started) : 0;
	if (!may_reserve || at == GW_SIM_NEVER || at > sim->now + sim->model->sched.bf_window)
		return 0;
	return reserve(sim, job, at);
}

static bool may_reserve(const struct sim *sim, size_t blocked)
{
	return sim->policy->backfill == GW_SIM_BACKFILL_ALL || !blocked;
}

int sim_pass_backfill(struct sim *sim)
{
	const struct gw_model_sched *sched = &sim->model->sched;
	size_t tested = 0, blocked = 0, last;

	sim->result->backfill_passes++;
	if (!anybody_may_start(sim))
		return 0;
	if (sim_order(sim) || sim_limits(sim))
		return -1;
	if (sim_is_pool(sim))
		return sim_pool_backfill(sim);
	sim->pass++;
	sim->reservation_count = 0;
	find_boundaries(sim);
	last = last_hope(sim, 0);
	for (size_t i = 0; i < last && tested < sched->bf_max_job_test; i++) {
		const struct sim_turn turn = sim->turn[i];
		const struct sim_job *job = &sim->job[turn.job];
		bool allowed = !turn.barred && sim_quota_allows(sim, job), started;

		if (!allowed && !turn.for_nodes)
			continue;
		tested++;
		if (backfill_one(sim, turn.job, allowed, may_reserve(sim, blocked), &started))
			return -1;
		blocked += !started;
		if (!started)
			continue;
		sim_order_started(sim, job, i + 1);
		last = last_hope(sim, i + 1);
	}
	return 0;
}

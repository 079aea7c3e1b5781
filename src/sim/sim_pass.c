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
#include <string.h>

#include "sim_impl.h"

/* Nodes for a start now, reservations of this pass respected. */
static size_t candidates_now(struct sim *sim, const struct sim_job *job, bool reserved)
{
	const struct sim_need *need = &sim->need[job->need];
	const struct sim_ready *ready =
		sim_ready(sim, sim_has_rest(need) ? need->rest_ready : need->ready);
	size_t count = 0;

	for (size_t i = 0; i < ready->now_count; i++)
		if (!reserved || !sim_is_reserved(sim, ready->order[i], sim->now, job->limit))
			sim_node_at(sim, ready->order[i], sim->now, &sim->candidate[count++]);
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
	const struct sim_job *job = &sim->job[index];
	bool first, started;

	if (sim->model->sched.defer || !sim_may_start(sim, job->need))
		return 0;
	if (sim_order_is_first(sim, index, &first))
		return -1;
	return first && sim_quota_allows(sim, job) ? try_now(sim, index, false, &started) : 0;
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
	at = may_reserve || sim_may_start(sim, job->need) ? sim_earliest_start(sim, job)
							  : GW_SIM_NEVER;
	if (at <= sim->now)
		return allowed ? try_now(sim, index, true, started) : 0;
	if (!may_reserve || at == GW_SIM_NEVER || at > sim->now + sim->model->sched.bf_window)
		return 0;
	return sim_reserve(sim, job, at);
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
	sim_reserve_begin(sim);
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

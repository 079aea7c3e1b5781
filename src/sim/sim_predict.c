// SPDX-License-Identifier: GPL-2.0-or-later
/* Run times as the plugin learns them: from the ends that the simulation has seen. */
#include "../core/drain.h"
#include "sim_impl.h"

/* The plugin's thread moves the grids this often. */
#define REFRESH_SECONDS 300

static struct gw_predict_kind kind_of(const struct sim *sim, const struct sim_job *job)
{
	return (struct gw_predict_kind){
		.queue = (uint32_t)job->queue,
		.user = sim->trace->job[job->trace].user,
		.gpus = sim->need[job->need].gpus,
		.limit = job->limit,
	};
}

int sim_predict_new(struct sim *sim)
{
	if (sim->policy->place != GW_SIM_PLACE_GANGWAY)
		return 0;
	sim->predict = gw_predict_create(sim->from, sim->error);
	sim->drain = gw_drain_create(sim->error);
	return sim->predict && sim->drain ? 0 : -1;
}

void sim_predict_free(struct sim *sim)
{
	gw_drain_free(sim->drain);
	gw_predict_free(sim->predict);
}

int sim_predict_started(struct sim *sim, uint32_t index)
{
	const struct sim_job *job = &sim->job[index];
	struct gw_predict_running running = {kind_of(sim, job), job->start};

	return sim->drain ? gw_drain_start(sim->drain, sim->predict, index + 1, &running,
					   job->nodes, job->node_count, sim->now, sim->error)
			  : 0;
}

int sim_predict_ended(struct sim *sim, uint32_t index)
{
	const struct sim_job *job = &sim->job[index];
	struct gw_predict_kind kind = kind_of(sim, job);

	if (!sim->drain)
		return 0;
	gw_drain_end(sim->drain, index + 1, NULL);
	return gw_predict_add(sim->predict, &kind, job->duration, sim->now, sim->error);
}

int sim_predict_refresh(struct sim *sim)
{
	if (!sim->drain || sim->now < sim->refreshed_at + REFRESH_SECONDS)
		return 0;
	sim->refreshed_at = sim->now;
	return gw_drain_refresh(sim->drain, sim->predict, sim->now, sim->error);
}

void sim_predict_ask(const struct sim *sim, const struct sim_job *job, float *stays)
{
	struct gw_predict_kind kind = kind_of(sim, job);

	gw_drain_ask(sim->predict, &kind, stays);
}

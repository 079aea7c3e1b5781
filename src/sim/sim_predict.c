// SPDX-License-Identifier: GPL-2.0-or-later
/* What the plugin learns of jobs: run times by their ends, and the mix of them by their starts. */
#include "../core/drain.h"
#include "sim_impl.h"

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
	sim->seen = gw_mix_seen_create(sim->error);
	return sim->predict && sim->drain && sim->seen ? 0 : -1;
}

void sim_predict_free(struct sim *sim)
{
	gw_drain_free(sim->drain);
	gw_predict_free(sim->predict);
	gw_mix_free(sim->worth);
	gw_mix_seen_free(sim->seen);
}

static void see(struct sim *sim, uint32_t unit, uint32_t nodes)
{
	const struct sim_unit *from = &sim->unit[unit];
	const struct gw_mix_kind kind = {
		.gpus = from->gpus, .cpus = from->cpus, .memory = from->memory};

	gw_mix_seen_add(sim->seen, &kind, nodes, sim->now);
}

int sim_predict_started(struct sim *sim, uint32_t index)
{
	const struct sim_job *job = &sim->job[index];
	const struct sim_need *need = &sim->need[job->need];
	struct gw_predict_running running = {kind_of(sim, job), job->start};

	if (!sim->drain)
		return 0;
	see(sim, need->unit, need->nodes);
	if (need->rest != UINT32_MAX)
		see(sim, need->rest, 1);
	return gw_drain_start(sim->drain, sim->predict, index + 1, &running, job->nodes,
			      job->node_count, sim->now, sim->error);
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

static int refresh_mix(struct sim *sim)
{
	struct gw_mix_nodes nodes = {0};

	if (sim->now < sim->worth_at + GW_MIX_SEEN_INTERVAL)
		return 0;
	for (size_t i = 0; i < sim->node_count; i++)
		gw_mix_nodes_add(&nodes, gw_gpus_count(sim->node[i].all), sim->node[i].cpus_total,
				 sim->node[i].memory_total);
	gw_error_clear(sim->error);
	gw_mix_free(sim->worth);
	sim->worth = gw_mix_seen_make(sim->seen, &nodes, sim->now, sim->error);
	sim->worth_at = sim->now;
	return gw_error_is_set(sim->error) ? -1 : 0;
}

int sim_predict_refresh(struct sim *sim)
{
	if (!sim->drain || sim->now < sim->refreshed_at + GW_DRAIN_REFRESH_SECONDS)
		return 0;
	sim->refreshed_at = sim->now;
	if (refresh_mix(sim))
		return -1;
	return gw_drain_refresh(sim->drain, sim->predict, sim->now, sim->error);
}

void sim_predict_ask(const struct sim *sim, const struct sim_job *job, float *stays)
{
	struct gw_predict_kind kind = kind_of(sim, job);

	gw_drain_ask(sim->predict, &kind, stays);
}

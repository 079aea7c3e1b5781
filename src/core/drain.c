// SPDX-License-Identifier: GPL-2.0-or-later
#include "drain.h"

#include <stdlib.h>
#include <string.h>

#include "drain_impl.h"

static const float no_jobs[GW_GRID_POINTS] = {
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
};

/* A job is judged anew when it has run longer by this part, or has less left by it. */
#define STALE_PART 64

/* Smaller chances are 0: products of them would become denormal, which is slow. */
#define CHANCE_MIN 1e-12F

struct gw_drain *gw_drain_create(struct gw_error *error)
{
	struct gw_drain *drain = calloc(1, sizeof(*drain));

	if (!drain)
		gw_error_memory(error);
	return drain;
}

void gw_drain_free(struct gw_drain *drain)
{
	if (!drain)
		return;
	for (size_t i = 0; i < drain->job_count; i++)
		free(drain->job[i].node);
	for (size_t i = 0; i < drain->node_count; i++)
		free(drain->node[i].job);
	free(drain->job);
	free(drain->node);
	free(drain->slot);
	free(drain);
}

/* Slurm takes a year for a job without limit. */
#define UNLIMITED (365 * 86400)

static int64_t until_of(const struct gw_predict_running *running)
{
	int64_t limit = running->kind.limit;

	return running->start + (limit > 0 && limit < UNLIMITED ? limit : UNLIMITED);
}

static void add_job(struct gw_drain_node *node, const struct gw_drain_job *job)
{
	int64_t until = until_of(&job->running);

	if (until > node->until)
		node->until = until;
	for (int i = 0; i < GW_GRID_POINTS; i++) {
		node->ended[i] *= job->ended[i];
		if (node->ended[i] < CHANCE_MIN)
			node->ended[i] = 0;
	}
}

static void rebuild_node(struct gw_drain *drain, struct gw_drain_node *node)
{
	memcpy(node->ended, no_jobs, sizeof(node->ended));
	node->until = 0;
	for (uint32_t i = 0; i < node->count; i++)
		add_job(node, &drain->job[node->job[i]]);
}

static void judge(struct gw_drain_job *job, const struct gw_predict *predict, int64_t now)
{
	gw_predict_survival(predict, &job->running.kind, now - job->running.start, job->ended);
	for (int i = 0; i < GW_GRID_POINTS; i++)
		job->ended[i] = 1 - job->ended[i];
	job->judged = now;
}

/* Whether its chances have moved since it was judged. */
static bool is_stale(const struct gw_drain_job *job, int64_t now)
{
	int64_t elapsed = job->judged - job->running.start, span = elapsed;
	int64_t left = job->running.kind.limit - elapsed;

	if (left > 0 && left < span)
		span = left;
	return now - job->judged > span / STALE_PART;
}

/* Puts the job, which is complete, on its nodes, which have room. */
static void enter(struct gw_drain *drain, size_t at)
{
	const struct gw_drain_job *job = &drain->job[at];

	for (size_t i = 0; i < job->node_count; i++) {
		struct gw_drain_node *node = &drain->node[job->node[i]];

		if (!node->count) {
			memcpy(node->ended, no_jobs, sizeof(node->ended));
			node->until = 0;
		}
		node->job[node->count++] = (uint32_t)at;
		add_job(node, job);
	}
}

int gw_drain_start(struct gw_drain *drain, const struct gw_predict *predict, uint32_t id,
		   const struct gw_predict_running *job, const uint32_t *nodes, size_t count,
		   int64_t now, struct gw_error *error)
{
	uint32_t *copy = calloc(count + 1, sizeof(*copy));
	struct gw_drain_job *added;

	if (!copy || !gw_drain_room(drain, nodes, count)) {
		free(copy);
		return gw_error_memory(error);
	}
	gw_drain_end(drain, id, NULL);
	if (count)
		memcpy(copy, nodes, count * sizeof(*copy));
	added = &drain->job[drain->job_count];
	*added =
		(struct gw_drain_job){.id = id, .running = *job, .node = copy, .node_count = count};
	judge(added, predict, now);
	enter(drain, drain->job_count);
	gw_drain_index(drain, drain->job_count++);
	return 0;
}

/* Takes one job off a node's list; the order of the others stays. */
static void take_off(struct gw_drain_node *node, uint32_t job)
{
	uint32_t at = 0;

	while (at < node->count && node->job[at] != job)
		at++;
	if (at == node->count)
		return;
	node->count--;
	memmove(&node->job[at], &node->job[at + 1], (node->count - at) * sizeof(*node->job));
}

/* The last job of the array takes this place. */
static void fill_gap(struct gw_drain *drain, size_t at)
{
	size_t last = --drain->job_count;
	struct gw_drain_job *moved = &drain->job[last];

	if (at == last)
		return;
	for (size_t i = 0; i < moved->node_count; i++) {
		struct gw_drain_node *node = &drain->node[moved->node[i]];

		for (uint32_t j = 0; j < node->count; j++)
			if (node->job[j] == last)
				node->job[j] = (uint32_t)at;
	}
	drain->job[at] = *moved;
	gw_drain_reindex(drain, last, at);
}

bool gw_drain_end(struct gw_drain *drain, uint32_t id, struct gw_predict_running *job)
{
	size_t at = gw_drain_find(drain, id);
	struct gw_drain_job ended;

	if (at == drain->job_count)
		return false;
	ended = drain->job[at];
	gw_drain_unindex(drain, at);
	for (size_t i = 0; i < ended.node_count; i++) {
		take_off(&drain->node[ended.node[i]], (uint32_t)at);
		rebuild_node(drain, &drain->node[ended.node[i]]);
	}
	fill_gap(drain, at);
	if (job)
		*job = ended.running;
	free(ended.node);
	return true;
}

size_t gw_drain_jobs(const struct gw_drain *drain)
{
	return drain->job_count;
}

static int build_tables(const struct gw_drain *drain, struct gw_predict *predict, int64_t now,
			struct gw_error *error)
{
	struct gw_predict_running *running = calloc(drain->job_count + 1, sizeof(*running));
	int result;

	if (!running)
		return gw_error_memory(error);
	for (size_t i = 0; i < drain->job_count; i++)
		running[i] = drain->job[i].running;
	result = gw_predict_build(predict, running, drain->job_count, now, error);
	free(running);
	return result;
}

int gw_drain_refresh(struct gw_drain *drain, struct gw_predict *predict, int64_t now,
		     struct gw_error *error)
{
	bool due = gw_predict_due(predict, now);
	int result = due ? build_tables(drain, predict, now, error) : 0;

	for (size_t i = 0; i < drain->job_count; i++) {
		struct gw_drain_job *job = &drain->job[i];

		if (!due && !is_stale(job, now))
			continue;
		judge(job, predict, now);
		for (size_t j = 0; j < job->node_count; j++)
			drain->node[job->node[j]].stale = true;
	}
	for (size_t i = 0; i < drain->node_count; i++) {
		if (drain->node[i].stale)
			rebuild_node(drain, &drain->node[i]);
		drain->node[i].stale = false;
	}
	return result;
}

const float *gw_drain_node(const struct gw_drain *drain, uint32_t node)
{
	if (node >= drain->node_count || !drain->node[node].count)
		return no_jobs;
	return drain->node[node].ended;
}

int64_t gw_drain_until(const struct gw_drain *drain, uint32_t node)
{
	return node < drain->node_count && drain->node[node].count ? drain->node[node].until : 0;
}

void gw_drain_ask(const struct gw_predict *predict, const struct gw_predict_kind *kind,
		  float stays[GW_GRID_POINTS])
{
	gw_predict_survival(predict, kind, 0, stays);
	for (int i = 0; i < GW_GRID_POINTS; i++)
		stays[i] *= gw_grid_weight[i];
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The figures that are averages over time. Between two events nothing changes, so each is a sum
 * of value times span. C: GPUs in all; f: free GPUs of a node.
 *
 *   F1  stranded: sum of f with 0 < f < all of the node, over C, while somebody waits
 *   F2  blocked by shape: free GPUs over C, while somebody whom quota allows waits for no more
 *       GPUs than are free, and no nodes would do; nothing at all other times
 *   F3  sum over nodes and the mix of jobs of part * f * [f < GPUs asked of a node], over C
 *       (FGD, ATC'23)
 *   D   sum over queues of max(0, entitled - held), over C. Entitled: the weighted max-min share
 *       of C with running and waiting GPUs as demand
 *   D7  the same, of means over windows of seven days
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_impl.h"

#define WINDOW_SECONDS (7 * 86400)
#define SHORT_OF_SHARE 86400

struct sim_measure {
	int64_t from, until, now;
	double waited;   /* seconds in which somebody waited */
	double measured; /* seconds in all */
	double f1, f2, f3, d, used;
	double d7, d7_span;                    /* of windows that are over */
	double *entitled;                      /* now, by queue */
	double *window_entitled, *window_held; /* GPU-seconds, by queue */
	int64_t window_from;
	double stranded, fragmented; /* now, of all nodes */
	double *class_started;       /* GPUs, by class */
	int64_t *short_since;        /* by queue; -1: it has its share */
	bool *short_told;
	uint64_t interventions;
	uint64_t version; /* of the machine for which the next holds */
	size_t pending;
	bool shape_blocks;
};

static double *doubles(struct sim *sim, size_t count)
{
	double *block = calloc(count + 1, sizeof(*block));

	if (!block)
		gw_error_memory(sim->error);
	return block;
}

static int series_new(struct sim *sim)
{
	struct gw_sim_series *series = &sim->result->series;
	size_t queues = sim->policy->conf->queue_count, bins = sim->options->samples;

	if (!bins || sim->until <= sim->from)
		return 0;
	series->bins = bins;
	series->queue_count = queues;
	series->from = sim->from;
	series->width = (sim->until - sim->from + (int64_t)bins - 1) / (int64_t)bins;
	series->pending_jobs = doubles(sim, bins);
	series->pending_gpus = doubles(sim, bins);
	series->used = doubles(sim, bins);
	series->stranded = doubles(sim, bins);
	series->held = doubles(sim, bins * queues);
	series->entitled = doubles(sim, bins * queues);
	return series->pending_jobs && series->pending_gpus && series->used && series->stranded &&
			       series->held && series->entitled
		       ? 0
		       : -1;
}

int sim_measure_new(struct sim *sim)
{
	size_t queues = sim->policy->conf->queue_count;
	struct sim_measure *measure = calloc(1, sizeof(*measure));
	double warmup = sim->options->warmup * (double)(sim->until - sim->from);

	sim->measure = measure;
	if (!measure)
		return gw_error_memory(sim->error);
	measure->from = sim->from + (int64_t)warmup;
	measure->until = sim->until;
	measure->now = measure->window_from = measure->from;
	measure->entitled = doubles(sim, queues);
	measure->window_entitled = doubles(sim, queues);
	measure->window_held = doubles(sim, queues);
	measure->class_started = doubles(sim, sim->policy->conf->class_count);
	measure->short_since = calloc(queues + 1, sizeof(*measure->short_since));
	measure->short_told = calloc(queues + 1, sizeof(*measure->short_told));
	if (!measure->entitled || !measure->window_entitled || !measure->window_held ||
	    !measure->class_started || !measure->short_since || !measure->short_told)
		return gw_error_memory(sim->error);
	for (size_t i = 0; i < queues; i++)
		measure->short_since[i] = -1;
	for (uint32_t i = 0; i < sim->node_count; i++)
		sim_measure_node(sim, i, 1);
	return series_new(sim);
}

void sim_measure_free(struct sim_measure *measure)
{
	if (!measure)
		return;
	free(measure->entitled);
	free(measure->window_entitled);
	free(measure->window_held);
	free(measure->class_started);
	free(measure->short_since);
	free(measure->short_told);
	free(measure);
}

void sim_measure_node(struct sim *sim, uint32_t index, int sign)
{
	const struct sim_node *node = &sim->node[index];
	uint32_t free = gw_gpus_count(node->free);

	if (free && node->free != node->all)
		sim->measure->stranded += sign * (double)free;
	sim->measure->fragmented += sign * sim->fragments[free];
}

/* GPUs are whole nodes first when they belong to no node. */
static double stranded_now(const struct sim *sim)
{
	if (sim_is_pool(sim))
		return sim->node_gpus_max ? sim->free_gpus % sim->node_gpus_max : 0;
	return sim->measure->stranded;
}

/*
 * Weighted max-min: fill all queues at the pace of their weights; one whose demand is met leaves
 * what it does not need to the others.
 */
static void find_entitled(const struct sim *sim, double *entitled)
{
	const struct gw_conf *conf = sim->policy->conf;
	double left = sim->total_gpus;

	for (size_t i = 0; i < conf->queue_count; i++)
		entitled[i] = -1;
	for (;;) {
		double weights = 0, level;
		bool met = false;

		for (size_t i = 0; i < conf->queue_count; i++)
			weights += entitled[i] < 0 ? conf->queues[i].weight : 0;
		if (weights <= 0)
			return;
		level = left / weights;
		for (size_t i = 0; i < conf->queue_count; i++) {
			double demand = sim->queue_gpus[i] + sim->queue_pending[i];

			if (entitled[i] >= 0 || demand > level * conf->queues[i].weight)
				continue;
			entitled[i] = demand;
			left -= demand;
			met = true;
		}
		if (met)
			continue;
		for (size_t i = 0; i < conf->queue_count; i++)
			if (entitled[i] < 0)
				entitled[i] = level * conf->queues[i].weight;
		return;
	}
}

static bool need_is_blocked(struct sim *sim, uint32_t index)
{
	const struct sim_need *need = &sim->need[index];

	if (!need->pending || !need->gpus || need->gpus > sim->free_gpus ||
	    sim_may_start(sim, index))
		return false;
	if (!sim->quota)
		return true;
	for (size_t i = 0; i < sim->pending_count; i++)
		if (sim->job[sim->pending[i]].need == index &&
		    sim_quota_allows(sim, &sim->job[sim->pending[i]]))
			return true;
	return false;
}

static bool shape_blocks(struct sim *sim)
{
	struct sim_measure *measure = sim->measure;

	if (measure->version == sim->version && measure->pending == sim->pending_count)
		return measure->shape_blocks;
	measure->version = sim->version;
	measure->pending = sim->pending_count;
	measure->shape_blocks = false;
	for (uint32_t i = 0; i < sim->need_count && !measure->shape_blocks; i++)
		measure->shape_blocks = need_is_blocked(sim, i);
	return measure->shape_blocks;
}

static void end_window(struct sim *sim, int64_t until)
{
	struct sim_measure *measure = sim->measure;
	double span = (double)(until - measure->window_from), lacking = 0;

	for (size_t i = 0; i < sim->policy->conf->queue_count; i++) {
		lacking += fmax(0, measure->window_entitled[i] - measure->window_held[i]);
		measure->window_entitled[i] = measure->window_held[i] = 0;
	}
	measure->d7 += lacking;
	measure->d7_span += span;
	measure->window_from = until;
}

/* A team that has less than half its share for a day is one that calls the admin. */
static void watch_shares(struct sim *sim, int64_t now)
{
	struct sim_measure *measure = sim->measure;

	for (size_t i = 0; i < sim->policy->conf->queue_count; i++) {
		if (sim->queue_gpus[i] >= measure->entitled[i] / 2) {
			measure->short_since[i] = -1;
			continue;
		}
		if (measure->short_since[i] < 0) {
			measure->short_since[i] = measure->now;
			measure->short_told[i] = false;
		}
		if (measure->short_told[i] || now - measure->short_since[i] < SHORT_OF_SHARE)
			continue;
		measure->short_told[i] = true;
		measure->interventions++;
	}
}

static double pending_gpus(const struct sim *sim)
{
	double gpus = 0;

	for (uint32_t i = 0; i < sim->need_count; i++)
		gpus += (double)sim->need[i].pending * sim->need[i].gpus;
	return gpus;
}

/* One span into the bins it lies in. */
static void add_series(struct sim *sim, int64_t from, int64_t to)
{
	struct gw_sim_series *series = &sim->result->series;
	size_t queues = series->queue_count;

	while (series->bins && from < to) {
		size_t bin = (size_t)((from - series->from) / series->width);
		int64_t end = series->from + (int64_t)(bin + 1) * series->width;
		double part;

		if (bin >= series->bins)
			return;
		end = end < to ? end : to;
		part = (double)(end - from) / (double)series->width;
		series->pending_jobs[bin] += part * (double)sim->pending_count;
		series->pending_gpus[bin] += part * pending_gpus(sim);
		series->used[bin] += part * (double)(sim->total_gpus - sim->free_gpus);
		series->stranded[bin] += part * stranded_now(sim);
		for (size_t i = 0; i < queues; i++) {
			series->held[bin * queues + i] += part * sim->queue_gpus[i];
			series->entitled[bin * queues + i] += part * sim->measure->entitled[i];
		}
		from = end;
	}
}

static void add_span(struct sim *sim, double span)
{
	struct sim_measure *measure = sim->measure;
	double lacking = 0;

	for (size_t i = 0; i < sim->policy->conf->queue_count; i++) {
		lacking += fmax(0, measure->entitled[i] - sim->queue_gpus[i]);
		measure->window_entitled[i] += span * measure->entitled[i];
		measure->window_held[i] += span * sim->queue_gpus[i];
	}
	measure->measured += span;
	measure->d += span * lacking;
	if (!sim->pending_count)
		return;
	measure->waited += span;
	measure->f1 += span * stranded_now(sim);
	measure->f3 += span * (sim_is_pool(sim) ? 0 : measure->fragmented);
	measure->f2 += shape_blocks(sim) ? span * sim->free_gpus : 0;
	measure->used += span * (sim->total_gpus - sim->free_gpus);
}

void sim_measure_to(struct sim *sim, int64_t now)
{
	struct sim_measure *measure = sim->measure;
	int64_t from = sim->now > sim->from ? sim->now : sim->from;

	if (now > measure->until)
		now = measure->until;
	if (now <= from || !sim->total_gpus)
		return;
	find_entitled(sim, measure->entitled);
	add_series(sim, from, now);
	while (now > measure->now) {
		int64_t end = measure->window_from + WINDOW_SECONDS;

		end = end < now ? end : now;
		add_span(sim, (double)(end - measure->now));
		if (end == measure->window_from + WINDOW_SECONDS)
			end_window(sim, end);
		watch_shares(sim, end);
		measure->now = end;
	}
}

/* GPUs that lower classes have started so far. */
double sim_measure_lower(const struct sim *sim, const struct sim_job *job)
{
	const struct gw_conf *conf = sim->policy->conf;
	double gpus = 0;

	for (size_t i = 0; job->job_class != GW_INDEX_NONE && i < conf->class_count; i++)
		if (conf->classes[i].rank < conf->classes[job->job_class].rank)
			gpus += sim->measure->class_started[i];
	return gpus;
}

void sim_measure_started(struct sim *sim, uint32_t index)
{
	struct sim_measure *measure = sim->measure;
	struct sim_job *job = &sim->job[index];
	uint32_t gpus = sim->need[job->need].gpus;

	if (job->job_class == GW_INDEX_NONE)
		return;
	measure->class_started[job->job_class] += gpus;
	job->lower_started = sim_measure_lower(sim, job) - job->lower_started;
}

int sim_measure_end(struct sim *sim)
{
	struct sim_measure *measure = sim->measure;
	struct gw_sim_metrics *metrics = &sim->result->metrics;
	double waited, measured;

	sim_measure_to(sim, measure->until); /* a window may be longer than anything runs */
	waited = measure->waited * sim->total_gpus;
	measured = measure->measured * sim->total_gpus;
	if (measure->now > measure->window_from)
		end_window(sim, measure->now);
	metrics->f1 = measure->f1 / waited;
	metrics->f2 = measure->f2 / measured;
	metrics->f3 = measure->f3 / waited;
	metrics->util = measure->used / waited;
	metrics->d = measure->d / measured;
	metrics->d7 = measure->d7 / (measure->d7_span * sim->total_gpus);
	if (sim_waits(sim))
		return -1;
	metrics->interventions = (metrics->interventions + (double)measure->interventions) /
				 (measure->measured / WINDOW_SECONDS);
	return 0;
}

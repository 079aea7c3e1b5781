// SPDX-License-Identifier: GPL-2.0-or-later
/* Waits, from eligible to start, of jobs that became eligible in the window after the warm-up. */
#include <math.h>
#include <stdlib.h>

#include "sim_impl.h"

#define HOUR 3600.0
/* A job of the highest class that waits so long while others start is one to call the admin. */
#define HIGH_WAITS (12 * 3600)

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return left < right ? -1 : left > right;
}

/* Of sorted values the one below which such a part lies: the nearest rank. */
static double percentile(const double *sorted, size_t count, double part)
{
	size_t rank = (size_t)ceil(part * (double)count);

	return sorted[rank ? rank - 1 : 0];
}

static struct gw_sim_waits summary(double *waits, size_t count)
{
	struct gw_sim_waits result = {.count = count};

	if (!count) {
		result.mean = result.p50 = result.p95 = result.p99 = result.max = NAN;
		return result;
	}
	qsort(waits, count, sizeof(*waits), compare);
	for (size_t i = 0; i < count; i++)
		result.mean += waits[i] / (double)count;
	result.p50 = percentile(waits, count, 0.5);
	result.p95 = percentile(waits, count, 0.95);
	result.p99 = percentile(waits, count, 0.99);
	result.max = waits[count - 1];
	return result;
}

/* Which jobs: an index of each, or GW_INDEX_NONE for any. */
struct filter {
	int32_t job_class, queue, size;
	bool below_node; /* only jobs of less than a whole node */
	bool from_node;  /* only jobs of a whole node and more */
};

#define ANY                                                                                        \
	{                                                                                          \
		GW_INDEX_NONE, GW_INDEX_NONE, GW_INDEX_NONE, false, false                          \
	}

/* Of a trace without an end of its own, jitter and holds may move the last jobs out of it. */
static bool is_in_window(const struct sim *sim, int64_t eligible)
{
	double warmup = sim->options->warmup * (double)(sim->until - sim->from);

	return eligible >= sim->from + (int64_t)warmup &&
	       (!sim->options->until || eligible <= sim->until);
}

static bool is_wanted(const struct sim *sim, const struct sim_job *job, const struct filter *filter)
{
	uint32_t gpus = sim->need[job->need].gpus;

	if (!job->end || !is_in_window(sim, job->eligible))
		return false;
	if (filter->below_node && (!gpus || gpus >= sim->node_gpus_max))
		return false;
	if (filter->from_node && gpus < sim->node_gpus_max)
		return false;
	return (filter->job_class == GW_INDEX_NONE || filter->job_class == job->job_class) &&
	       (filter->queue == GW_INDEX_NONE || filter->queue == job->queue) &&
	       (filter->size == GW_INDEX_NONE ||
		(gpus && (size_t)filter->size == gw_sim_size_of(gpus)));
}

static struct gw_sim_waits waits_of(const struct sim *sim, double *room, struct filter filter)
{
	size_t count = 0;

	for (size_t i = 0; i < sim->job_count; i++)
		if (is_wanted(sim, &sim->job[i], &filter))
			room[count++] = (double)(sim->job[i].start - sim->job[i].eligible);
	return summary(room, count);
}

static int32_t ranked_class(const struct gw_conf *conf, bool highest)
{
	int32_t found = GW_INDEX_NONE;

	for (size_t i = 0; i < conf->class_count; i++)
		if (found == GW_INDEX_NONE ||
		    (conf->classes[i].rank > conf->classes[found].rank) == highest)
			found = (int32_t)i;
	return found;
}

static void count_overtaken(struct sim *sim, int32_t high)
{
	const struct filter any = ANY;

	for (size_t i = 0; i < sim->job_count; i++) {
		const struct sim_job *job = &sim->job[i];

		sim->result->metrics.interventions +=
			is_wanted(sim, job, &any) && job->job_class == high &&
			job->start - job->eligible > HIGH_WAITS &&
			job->lower_started >= sim->need[job->need].gpus;
	}
}

static void find_metrics(struct sim *sim, double *room)
{
	const struct gw_conf *conf = sim->policy->conf;
	struct gw_sim_metrics *metrics = &sim->result->metrics;
	struct filter below = ANY, from = ANY, high = ANY, low = ANY;
	struct gw_sim_waits waits;

	below.below_node = from.from_node = true;
	high.job_class = ranked_class(conf, true);
	low.job_class = ranked_class(conf, false);
	waits = waits_of(sim, room, from);
	metrics->p95_ge8_h = waits.p95 / HOUR;
	metrics->max_ge8_h = waits.max / HOUR;
	waits = waits_of(sim, room, below);
	metrics->p95_lt8_h = waits.p95 / HOUR;
	metrics->mean_lt8_h = waits.mean / HOUR;
	waits = waits_of(sim, room, high);
	metrics->p95_high_h = waits.p95 / HOUR;
	metrics->max_high_h = waits.max / HOUR;
	metrics->mean_low_h = waits_of(sim, room, low).mean / HOUR;
	metrics->mean_h = sim->result->all.mean / HOUR;
	metrics->p99_h = sim->result->all.p99 / HOUR;
	if (conf->class_count > 1)
		count_overtaken(sim, high.job_class);
}

static void find_tables(struct sim *sim, double *room)
{
	const struct gw_conf *conf = sim->policy->conf;
	struct gw_sim_result *result = sim->result;
	struct filter filter = ANY;

	result->all = waits_of(sim, room, filter);
	for (int32_t c = 0; c < (int32_t)conf->class_count; c++) {
		filter = (struct filter)ANY;
		filter.job_class = c;
		result->by_class[c] = waits_of(sim, room, filter);
		for (int32_t size = 0; size < GW_SIM_SIZES; size++) {
			filter.size = size;
			result->by_class_size[c * GW_SIM_SIZES + size] =
				waits_of(sim, room, filter);
		}
	}
	for (int32_t q = 0; q < (int32_t)conf->queue_count; q++) {
		filter = (struct filter)ANY;
		filter.queue = q;
		result->by_queue[q] = waits_of(sim, room, filter);
	}
	for (int32_t size = 0; size < GW_SIM_SIZES; size++) {
		filter = (struct filter)ANY;
		filter.size = size;
		result->by_size[size] = waits_of(sim, room, filter);
	}
}

int sim_waits(struct sim *sim)
{
	const struct gw_conf *conf = sim->policy->conf;
	struct gw_sim_result *result = sim->result;
	double *room = calloc(sim->job_count + 1, sizeof(*room));

	result->class_count = conf->class_count;
	result->queue_count = conf->queue_count;
	result->by_class = calloc(conf->class_count + 1, sizeof(*result->by_class));
	result->by_queue = calloc(conf->queue_count + 1, sizeof(*result->by_queue));
	result->by_class_size =
		calloc(conf->class_count * GW_SIM_SIZES + 1, sizeof(*result->by_class_size));
	if (!room || !result->by_class || !result->by_queue || !result->by_class_size) {
		free(room);
		return gw_error_memory(sim->error);
	}
	find_tables(sim, room);
	find_metrics(sim, room);
	free(room);
	return 0;
}

const char *gw_sim_size_name(size_t size)
{
	static const char *const names[GW_SIM_SIZES] = {"1-7", "8", "9-31", "32+"};

	return size < GW_SIM_SIZES ? names[size] : "";
}

size_t gw_sim_size_of(uint32_t gpus)
{
	return gpus < 8 ? 0 : gpus == 8 ? 1 : gpus < 32 ? 2 : 3;
}

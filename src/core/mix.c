// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Worth by GPUs and CPUs, and by GPUs and memory: two tables and the lower of their answers, so
 * that a node costs two looks. Exact where only one of the two is short.
 */
#include "mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cluster.h"

/* Steps of the memory table, at most. */
#define MEMORY_STEPS 1024

/* worth[gpus][have >> shift], steps + 1 for each number of GPUs. */
struct table {
	uint16_t *worth;
	size_t steps;
	uint32_t shift;
};

struct gw_mix {
	struct table cpus, memory;
	struct gw_mix_kind *kinds;
	struct gw_mix_source source;
};

static uint32_t per_gpu(const struct gw_mix_kind *kind)
{
	return kind->shared > 1 ? kind->shared : 1;
}

/* What g GPUs are worth when so many jobs of a kind have the rest they need there. */
static double worth(const struct gw_mix_kind *kind, uint32_t gpus, uint32_t jobs)
{
	double used = (double)jobs * kind->gpus / per_gpu(kind);

	return gpus * sqrt(sqrt(sqrt(sqrt(used / gpus))));
}

/* Where the worth of so many GPUs to a kind grows, with room for one more job. */
static void add_changes(double *change, const struct table *table, uint64_t each,
			const struct gw_mix_kind *kind, uint32_t gpus)
{
	uint32_t most = gpus * per_gpu(kind) / kind->gpus;

	for (uint32_t jobs = 1; jobs <= most; jobs++) {
		uint64_t step = (jobs * each + (UINT64_C(1) << table->shift) - 1) >> table->shift;

		if (step > table->steps)
			return;
		change[step] +=
			kind->weight * (worth(kind, gpus, jobs) - worth(kind, gpus, jobs - 1));
	}
}

static void sum_up(const double *change, double weights, struct table *table, uint32_t gpus)
{
	uint16_t *line = &table->worth[gpus * (table->steps + 1)];
	double sum = 0;

	for (size_t step = 0; step <= table->steps; step++) {
		sum += change[step];
		line[step] = (uint16_t)(sum / weights * GW_MIX_GPU + 0.5);
	}
}

static double weigh(const struct gw_mix_kind *kinds, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += kinds[i].gpus ? kinds[i].weight : 0;
	return sum;
}

/* is_memory: else CPUs. */
static bool fill(struct table *table, const struct gw_mix_kind *kinds, size_t count,
		 uint32_t gpus_max, bool is_memory)
{
	double *change = calloc(table->steps + 1, sizeof(*change));
	double weights = weigh(kinds, count);

	table->worth = calloc((gpus_max + 1) * (table->steps + 1), sizeof(*table->worth));
	for (uint32_t gpus = 1; change && table->worth && gpus <= gpus_max; gpus++) {
		memset(change, 0, (table->steps + 1) * sizeof(*change));
		for (size_t i = 0; i < count; i++)
			if (kinds[i].gpus)
				add_changes(change, table,
					    is_memory ? kinds[i].memory : kinds[i].cpus, &kinds[i],
					    gpus);
		sum_up(change, weights, table, gpus);
	}
	free(change);
	return change && table->worth;
}

struct gw_mix *gw_mix_create(const struct gw_mix_kind *kinds, size_t count, uint32_t gpus_max,
			     uint32_t cpus_max, uint64_t memory_max, struct gw_error *error)
{
	struct gw_mix *mix;

	if (weigh(kinds, count) <= 0 || gpus_max > GW_MIX_GPUS_MAX) {
		gw_error_set(error, "no jobs with GPUs, or a node with more than %d GPUs",
			     GW_MIX_GPUS_MAX);
		return NULL;
	}
	mix = calloc(1, sizeof(*mix));
	if (mix) {
		mix->source = (struct gw_mix_source){NULL, count, gpus_max, cpus_max, memory_max};
		mix->kinds = calloc(count, sizeof(*kinds));
		mix->cpus = (struct table){NULL, cpus_max, 0};
		while (memory_max >> mix->memory.shift > MEMORY_STEPS)
			mix->memory.shift++;
		mix->memory.steps = memory_max >> mix->memory.shift;
	}
	if (mix && mix->kinds && fill(&mix->cpus, kinds, count, gpus_max, false) &&
	    fill(&mix->memory, kinds, count, gpus_max, true)) {
		memcpy(mix->kinds, kinds, count * sizeof(*kinds));
		mix->source.kinds = mix->kinds;
		return mix;
	}
	gw_error_memory(error);
	gw_mix_free(mix);
	return NULL;
}

void gw_mix_free(struct gw_mix *mix)
{
	if (!mix)
		return;
	free(mix->cpus.worth);
	free(mix->memory.worth);
	free(mix->kinds);
	free(mix);
}

const struct gw_mix_source *gw_mix_source(const struct gw_mix *mix)
{
	return &mix->source;
}

static uint32_t look_up(const struct table *table, uint32_t gpus, uint64_t have)
{
	uint64_t step = have >> table->shift;

	return table
		->worth[gpus * (table->steps + 1) + (step < table->steps ? step : table->steps)];
}

uint32_t gw_mix_worth(const struct gw_mix *mix, uint32_t gpus, uint32_t cpus, uint64_t memory)
{
	uint32_t by_cpus, by_memory;

	if (gpus > mix->source.gpus_max)
		gpus = mix->source.gpus_max;
	by_cpus = look_up(&mix->cpus, gpus, cpus);
	by_memory = look_up(&mix->memory, gpus, memory);
	return by_cpus < by_memory ? by_cpus : by_memory;
}

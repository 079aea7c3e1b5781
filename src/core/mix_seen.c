// SPDX-License-Identifier: GPL-2.0-or-later
#include "mix_seen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mix_seen_impl.h"

/* Weights are moved to a later origin, by a power of two, before they lose bits. */
#define HALVES_MAX 512

/* One GPU in so many. */
#define MATTERS_PART 20

struct gw_mix_seen *gw_mix_seen_create(struct gw_error *error)
{
	struct gw_mix_seen *seen = calloc(1, sizeof(*seen));

	if (!seen)
		gw_error_memory(error);
	return seen;
}

void gw_mix_seen_free(struct gw_mix_seen *seen)
{
	free(seen);
}

size_t gw_mix_seen_kinds(const struct gw_mix_seen *seen)
{
	return seen->count;
}

static void move_origin(struct gw_mix_seen *seen, int64_t start)
{
	int64_t halves;

	if (!seen->count)
		seen->origin = start;
	halves = (start - seen->origin) / GW_MIX_SEEN_HALF;
	if (halves < HALVES_MAX)
		return;
	for (size_t i = 0; i < seen->count; i++)
		seen->kind[i].weight =
			ldexp(seen->kind[i].weight, halves > INT16_MAX ? -INT16_MAX : -(int)halves);
	seen->origin += halves * GW_MIX_SEEN_HALF;
}

static double weight_at(const struct gw_mix_seen *seen, int64_t at)
{
	return exp2((double)(at - seen->origin) / GW_MIX_SEEN_HALF);
}

static bool is_same(const struct gw_mix_kind *a, const struct gw_mix_kind *b)
{
	return a->gpus == b->gpus && a->shared == b->shared && a->cpus == b->cpus &&
	       a->memory == b->memory;
}

/* The row of a kind, that of the rarest when all are in use. */
static struct gw_mix_kind *row_of(struct gw_mix_seen *seen, const struct gw_mix_kind *kind)
{
	struct gw_mix_kind *rarest = seen->kind;

	for (size_t i = 0; i < seen->count; i++) {
		if (is_same(&seen->kind[i], kind))
			return &seen->kind[i];
		if (seen->kind[i].weight < rarest->weight)
			rarest = &seen->kind[i];
	}
	if (seen->count < GW_MIX_SEEN_KINDS)
		rarest = &seen->kind[seen->count++];
	*rarest = *kind;
	rarest->weight = 0;
	return rarest;
}

void gw_mix_seen_add(struct gw_mix_seen *seen, const struct gw_mix_kind *kind, uint32_t nodes,
		     int64_t start)
{
	if (!kind->gpus || !nodes)
		return;
	move_origin(seen, start);
	row_of(seen, kind)->weight += nodes * weight_at(seen, start);
}

void gw_mix_nodes_add(struct gw_mix_nodes *nodes, uint32_t gpus, uint32_t cpus, uint64_t memory)
{
	if (!gpus)
		return;
	nodes->gpus += gpus;
	nodes->cpus += cpus;
	nodes->memory += memory;
	gpus = gpus < GW_MIX_GPUS_MAX ? gpus : GW_MIX_GPUS_MAX;
	nodes->gpus_max = gpus > nodes->gpus_max ? gpus : nodes->gpus_max;
	nodes->cpus_max = cpus > nodes->cpus_max ? cpus : nodes->cpus_max;
	nodes->memory_max = memory > nodes->memory_max ? memory : nodes->memory_max;
}

/* More than what so many GPUs have of it on average. */
static bool is_above_share(double wanted, double gpus, uint64_t all,
			   const struct gw_mix_nodes *nodes)
{
	return wanted * (double)nodes->gpus > gpus * (double)all;
}

bool gw_mix_seen_matters(const struct gw_mix_seen *seen, const struct gw_mix_nodes *nodes)
{
	double above = 0, all = 0;

	for (size_t i = 0; i < seen->count; i++) {
		const struct gw_mix_kind *kind = &seen->kind[i];
		double gpus = kind->gpus / (double)(kind->shared > 1 ? kind->shared : 1);

		all += gpus * kind->weight;
		if (is_above_share(kind->cpus, gpus, nodes->cpus, nodes) ||
		    is_above_share((double)kind->memory, gpus, nodes->memory, nodes))
			above += gpus * kind->weight;
	}
	return above > 0 && above * MATTERS_PART >= all;
}

static double jobs_at(const struct gw_mix_seen *seen, int64_t now)
{
	double sum = 0;

	for (size_t i = 0; i < seen->count; i++)
		sum += seen->kind[i].weight;
	return sum / weight_at(seen, now);
}

struct gw_mix *gw_mix_seen_make(const struct gw_mix_seen *seen, const struct gw_mix_nodes *nodes,
				int64_t now, struct gw_error *error)
{
	if (!nodes->gpus_max || jobs_at(seen, now) < GW_MIX_SEEN_ENOUGH ||
	    !gw_mix_seen_matters(seen, nodes))
		return NULL;
	return gw_mix_create(seen->kind, seen->count, nodes->gpus_max, nodes->cpus_max,
			     nodes->memory_max, error);
}

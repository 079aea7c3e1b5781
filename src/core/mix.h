// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What free GPUs are worth to the jobs that a site runs, and so what a job spoils on a node beyond
 * the GPUs it takes: CPUs or memory that others need beside them, a node that was whole.
 *
 * A kind of jobs values the g free GPUs of a node at g * (u / g)^(1/16), u being the GPUs that jobs
 * of this kind alone could use there. The root says that room for one job matters most and room
 * for each further one little; u alone, or whether one job fits, are both worse guides. The worth
 * is the mean over the kinds, each counted as often as its jobs come.
 */
#ifndef GW_CORE_MIX_H
#define GW_CORE_MIX_H

#include <stddef.h>
#include <stdint.h>

#include "../util/error.h"

/* A GPU as a number of worth, and the most of them told apart: in 14 bits and one more value. */
#define GW_MIX_GPU      512
#define GW_MIX_GPUS_MAX 32

struct gw_mix_kind {
	uint32_t gpus;   /* of one node; 0: tells nothing about GPUs, not counted */
	uint32_t shared; /* so many such jobs fit on one GPU (shards, MPS); 0 or 1: its own GPUs */
	uint32_t cpus;   /* on that node, at least */
	uint64_t memory; /* on that node, MiB */
	double weight;   /* how often they come, in any unit */
};

struct gw_mix;

/*
 * For nodes of up to so many GPUs (at most GW_MIX_GPUS_MAX), CPUs and so much memory; more than
 * that counts as that. Takes about 2 bytes * (gpus_max + 1) * cpus_max. Immutable, may be used by
 * several threads; the caller frees it. NULL on error: no kind with GPUs, too many GPUs, no memory.
 */
struct gw_mix *gw_mix_create(const struct gw_mix_kind *kinds, size_t count, uint32_t gpus_max,
			     uint32_t cpus_max, uint64_t memory_max, struct gw_error *error);
void gw_mix_free(struct gw_mix *mix);

/* What it was made of: gw_mix_create() of these and the same sizes gives an equal one. */
struct gw_mix_source {
	const struct gw_mix_kind *kinds;
	size_t count;
	uint32_t gpus_max, cpus_max;
	uint64_t memory_max;
};

/* Valid as long as the mix. */
const struct gw_mix_source *gw_mix_source(const struct gw_mix *mix);

/* Of free GPUs with so many free CPUs and so much free memory, in 1/GW_MIX_GPU of a GPU. */
uint32_t gw_mix_worth(const struct gw_mix *mix, uint32_t gpus, uint32_t cpus, uint64_t memory);

#endif

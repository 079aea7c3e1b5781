// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which cores of one node go with GPUs that are chosen there: those near the GPUs; where these are
 * too few, with the rest from the nearest others:
 *   1. of the sockets that the near ones are on, cores that no other free GPU is near to;
 *   2. other cores of these sockets;
 *   3. and 4. the same of other sockets.
 * Of each those of the lowest index, just as many as are needed.
 */
#ifndef GW_CORE_CORESET_H
#define GW_CORE_CORESET_H

#include <stdbool.h>
#include <stdint.h>

/* The most cores a node may have here; more are left to the caller's own choice. */
#define GW_CORES_MAX 1024

#define GW_CORES_WORDS (GW_CORES_MAX / 64)

/* A set of cores of one node: bit i % 64 of word i / 64 is the core with Slurm's index i there. */
struct gw_cores {
	uint64_t word[GW_CORES_WORDS];
};

static inline void gw_cores_add(struct gw_cores *cores, uint32_t core)
{
	cores->word[core / 64] |= (uint64_t)1 << core % 64;
}

static inline bool gw_cores_have(const struct gw_cores *cores, uint32_t core)
{
	return cores->word[core / 64] >> core % 64 & 1;
}

uint32_t gw_cores_count(const struct gw_cores *cores);

/* How many are in both. */
uint32_t gw_cores_common(const struct gw_cores *a, const struct gw_cores *b);

/* Adds up to count of from's lowest cores to chosen; returns how many. */
uint32_t gw_cores_add_lowest(struct gw_cores *chosen, const struct gw_cores *from, uint32_t count);

/* What a job needs on a node, as Slurm counts it. */
struct gw_core_need {
	uint32_t tasks, cpus_per_task;
	uint32_t threads;        /* of a core that it uses; at least 1 */
	uint32_t tasks_per_core; /* at most; 0: not given */
	uint32_t cpus;           /* fewest, whatever the tasks are */
};

/* CPUs that a core is worth to it: fewer than its threads where one task may not use all. */
uint32_t gw_core_need_worth(const struct gw_core_need *need);

/* Whole cores; 0 for no tasks. A task alone on its cores takes all threads of the last one. */
uint32_t gw_core_need_cores(const struct gw_core_need *need);

struct gw_coreset_ask {
	uint32_t per_socket;          /* cores of each socket; 0: sockets are not known */
	uint32_t wanted;              /* cores that the job needs */
	bool exact;                   /* and it would get no more of them anyway */
	bool bound;                   /* only from sockets that near ones are on */
	const struct gw_cores *free;  /* to be had */
	const struct gw_cores *near;  /* to the chosen GPUs, free or not */
	const struct gw_cores *other; /* near other GPUs that are free */
};

/*
 * Writes the cores to use. False: any would do, because none are near, all are needed, or only more
 * than may be taken would be enough; then *chosen has no meaning. Where the near ones are enough
 * all of them are written, else, if the number wanted is exact, just that many.
 */
bool gw_coreset_choose(const struct gw_coreset_ask *ask, struct gw_cores *chosen);

/* How many of the cores that a job holds are where. */
struct gw_coreset_count {
	uint32_t near;
	uint32_t same_socket; /* as a near core, and not near */
	uint32_t elsewhere;
};

struct gw_coreset_count gw_coreset_count(const struct gw_cores *held, const struct gw_cores *near,
					 uint32_t per_socket);

#endif

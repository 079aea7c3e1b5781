// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the cores of a running job are, seen from its GPUs. */
#ifndef GW_TOOLS_WHY_CORES_H
#define GW_TOOLS_WHY_CORES_H

#include "../core/cluster.h"
#include "../core/coreset.h"
#include "../util/str.h"

/* One node: cores are counted without threads. */
struct gw_core_map {
	uint32_t cores, per_socket, threads;     /* of the node; a socket; a core */
	uint32_t gpus;                           /* of which near is known */
	struct gw_cores near[GW_SHAPE_GPUS_MAX]; /* by GPU */
};

/* Who knows the nodes: false where it is not known what is near there. */
typedef bool gw_core_map_function(void *arg, const char *node, struct gw_core_map *map);

/*
 * record: what scontrol show job -d prints of the job, which has the CPUs and GPUs that Slurm gave
 * it on each node. Appends how many are not near its GPUs, and where these are; nothing where all
 * are near, or nothing is known.
 */
void gw_why_cores(const char *record, gw_core_map_function *ask, void *arg, struct gw_str *text);

#endif

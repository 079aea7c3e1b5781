// SPDX-License-Identifier: GPL-2.0-or-later
/* Which cores are near which GPU of a node, as placement in slurmctld has it of the same files. */
#ifndef GW_TOOLS_WHY_MAP_H
#define GW_TOOLS_WHY_MAP_H

#include "../topo/topo.h"
#include "site.h"
#include "why.h"
#include "why_cores.h"

struct gw_map_source {
	const struct gw_site *site;
	const struct gw_known_job *job;
	struct gw_slurm_conf gres; /* gres.conf; empty where it can not be read */
	/* The file read last. */
	const struct gw_shape *shape;
	bool is_read;
	struct gw_shape_info info;
	struct gw_topo_cores cores;
};

/* source is always to be closed. */
void gw_map_source_open(struct gw_map_source *source, const struct gw_site *site,
			const struct gw_known_job *job);
void gw_map_source_close(struct gw_map_source *source);

/*
 * Of gw_core_map_function; arg is the source. By the file of ShapeName= where the node has one and
 * has as many cores, else by Cores= of gres.conf.
 */
bool gw_map_source_ask(void *arg, const char *node, struct gw_core_map *map);

#endif

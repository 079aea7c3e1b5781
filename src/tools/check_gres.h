// SPDX-License-Identifier: GPL-2.0-or-later
/* What the two halves of the check of gres.conf share. */
#ifndef GW_TOOLS_CHECK_GRES_H
#define GW_TOOLS_CHECK_GRES_H

#include "../topo/node.h"
#include "check.h"
#include "gres_shape.h"

/* One node as all files describe it. */
struct gw_check_node {
	const struct gw_check *check;
	const char *name;
	const struct gw_slurm_line *line; /* of slurm.conf */
	uint64_t wanted;                  /* GPUs, by its Gres= there */
	struct gw_gres_cores cores;
	const struct gw_gres_gpus *gpus;
	const struct gw_topo_node *hwloc; /* NULL: it has no shape */
};

/* Adds a finding unless it was said already, and frees text. */
void gw_check_say(const struct gw_check_node *node, enum gw_severity severity,
		  const struct gw_slurm_line *line, struct gw_str *text);

/* check_hwloc.c: shape is that of gres.conf, NULL when it has none. The node has hwloc and GPUs. */
void gw_check_hwloc(const struct gw_check_node *node, const struct gw_shape_info *shape);

#endif

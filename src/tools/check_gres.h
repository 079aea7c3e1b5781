// SPDX-License-Identifier: GPL-2.0-or-later
/* What the parts of the check of gres.conf share. */
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
	const char *gres;                 /* its Gres= there */
	uint64_t wanted;                  /* GPUs in that */
	struct gw_gres_cores cores;
	const struct gw_gres_gpus *gpus;
	const struct gw_topo_node *hwloc; /* NULL: it has no shape */
};

/* Adds a finding unless it was said already, and frees text. */
void gw_check_say(const struct gw_check_node *node, enum gw_severity severity,
		  const struct gw_slurm_line *line, struct gw_str *text);

/* check_gres_lines.c: what Slurm refuses or leaves out in any line, whichever its nodes. */
void gw_check_gres_lines(const struct gw_check *check, const struct gw_slurm_conf *gres);

/* check_gres_node.c: tells lines that the slurmd of the node does not start with. True: some. */
bool gw_check_refusals(const struct gw_check_node *node);

/* The number of GPUs, of each type, against slurm.conf. */
void gw_check_count(const struct gw_check_node *node);

/* The type of the next item of a Gres= that has one, of GPUs; false: none is left. */
bool gw_check_next_type(const char **gres, char type[GW_GRES_ITEM_SIZE]);

/* Whether some of them are slices of a GPU. */
bool gw_check_have_slices(const struct gw_gres_gpus *gpus);

/* More GPUs than placement does all for. */
void gw_check_placement(const struct gw_check_node *node);

/* False when some Cores= are no cores of the node at all. */
bool gw_check_cores(const struct gw_check_node *node);

/* check_hwloc.c: whether slurm.conf has the cores that hwloc sees, or there is no hwloc. */
bool gw_check_hwloc_cores(const struct gw_check_node *node);

/* slurm.conf against hwloc, which the node has. */
void gw_check_hwloc_node(const struct gw_check_node *node);

/* gres.conf too: shape is that of gres.conf, NULL when it has none. The node has GPUs. */
void gw_check_hwloc(const struct gw_check_node *node, const struct gw_shape_info *shape);

#endif

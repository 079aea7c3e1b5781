// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway topo: one machine in words, as a tree, a matrix, gres.conf lines and JSON. */
#ifndef GW_TOOLS_TOPO_SHOW_H
#define GW_TOOLS_TOPO_SHOW_H

#include "../core/gpuset.h"
#include "../topo/node.h"
#include "output.h"

#define GW_SET_SIZE   (4 * GW_SHAPE_GPUS_MAX)
#define GW_LABEL_SIZE 16

/* Where the shape says links_unknown. */
#define GW_TOPO_LINKS_UNKNOWN                                                                      \
	"NVLink and XGMI are not known (hwloc without NVML or RSMI or before 2.5, or a file of "   \
	"format 1)"

struct gw_topo_show {
	const struct gw_topo_node *node;
	const struct gw_gpuset_table *table; /* NULL: more GPUs than placement knows */
	const char *from;                    /* path, or "this machine" */
	const char *nodes;                   /* for NodeName=; NULL: all */
	bool utf8;                           /* lines may be drawn */
};

#define GW_LEVELS_MAX (2 * GW_SHAPE_GPUS_MAX)

/* GPUs that are joined by links of this strength and stronger ones, or so near and nearer. */
struct gw_topo_level {
	uint8_t strength;
	char label[GW_LABEL_SIZE];
	gw_gpus island[GW_SHAPE_GPUS_MAX]; /* of two GPUs and more, by lowest GPU */
	uint32_t islands;
};

/* Sets of one size as placement gives them out on an idle node, one after another. */
struct gw_topo_given {
	gw_gpus set[GW_GPUSET_MAX];
	uint32_t sets;
	/* Of all sets of that size, those as good as the first: network cards aside. */
	uint32_t as_good, all;
};

/* topo_sets.c */
/* "0-3,6" */
const char *gw_topo_set_text(gw_gpus set, char text[GW_SET_SIZE]);
/* "NV", or "NV@50" (GB/s) when some pairs have more of it than others. */
const char *gw_topo_label(const struct gw_topo_node *node, uint32_t a, uint32_t b,
			  char text[GW_LABEL_SIZE]);
const char *gw_topo_path_name(enum gw_topo_path path);
/* "50", "0.98" */
const char *gw_topo_gigabytes(uint32_t megabytes, char text[GW_LABEL_SIZE]);
/* Whether it is known near which cores a GPU is. */
bool gw_topo_has_place(const struct gw_topo_node *node, uint32_t gpu);
/* GPUs of which it is not. */
gw_gpus gw_topo_unplaced(const struct gw_topo_node *node);
/*
 * By links, strongest first, then by PCIe and NUMA where links of GPUs hide that. A level that
 * joins nothing new is left out. Returns how many there are.
 */
uint32_t gw_topo_levels(const struct gw_topo_node *node,
			struct gw_topo_level levels[GW_LEVELS_MAX]);
/* gang: to jobs of several nodes. */
void gw_topo_given(const struct gw_topo_show *show, uint32_t size, bool gang,
		   struct gw_topo_given *given);
/*
 * Network cards nearest to a GPU of those that count, "mlx5_0,mlx5_1", and the way there. False:
 * there are none.
 */
bool gw_topo_near_nics(const struct gw_topo_node *node, uint32_t gpu, struct gw_str *names,
		       enum gw_topo_path *path);

/* topo_draw.c */
void gw_topo_print(const struct gw_topo_show *show, const struct gw_output *output);

/* topo_gres.c: appends lines, comments first; one line a GPU. */
void gw_topo_gres(const struct gw_topo_show *show, struct gw_str *text);

/* topo_json.c: NULL when memory is out. */
json_t *gw_topo_json(const struct gw_topo_show *show);

#endif

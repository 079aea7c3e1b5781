// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The shapes of the nodes slurmctld knows, made from what each node registered: gres.conf's
 * Links= and Cores=. Nodes of one kind share one table of best GPU subsets.
 */
#ifndef GW_SHAPES_H
#define GW_SHAPES_H

#include "plugins/common/compat/compat.h"

#include "src/core/gpuset.h"

/* More kinds of node than this and the rest are placed without regard to links. */
#define GW_SHAPES_MAX 32

struct gw_shapes;

struct gw_shapes *gw_shapes_create(void);
void gw_shapes_free(struct gw_shapes *shapes);

/*
 * Index of the shape of node number node_index with these GPUs, or -1: links not known, or
 * no more room. The caller holds the job and node locks. Cheap while the node has not responded
 * again.
 */
int32_t gw_shapes_of_node(struct gw_shapes *shapes, int node_index, const gres_node_state_t *gpus);

/* Tables by shape index, as core's place wants them. Valid until gw_shapes_free(). */
const struct gw_gpuset_table *const *gw_shapes_tables(const struct gw_shapes *shapes);

/* What the shapes are, by index, and how many; the same lifetime. */
struct gw_shape_info *gw_shapes_info(struct gw_shapes *shapes, size_t *count);

#endif

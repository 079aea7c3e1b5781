// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The shapes of the nodes slurmctld knows: that of ShapeName= where the node is what its file
 * says (with Links= of gres.conf where the file does not know links between GPUs), else made from
 * what the node registered: gres.conf's Links= and Cores=. Nodes of one kind share one table of
 * best GPU subsets.
 */
#ifndef GW_SHAPES_H
#define GW_SHAPES_H

#include "plugins/common/compat/compat.h"

#include "src/core/coreset.h"
#include "src/core/gpuset.h"

/* More kinds of node than this and the rest are placed without regard to links. */
#define GW_SHAPES_MAX 32

/* The shape of a node is being made: leave the node to stock. */
#define GW_SHAPES_LATER (-2)

struct gw_shapes;

struct gw_shapes *gw_shapes_create(void);
void gw_shapes_free(struct gw_shapes *shapes);

/* Takes the shapes into use that were read since; cheap when there are none. The same locks. */
void gw_shapes_refresh(struct gw_shapes *shapes);

/*
 * Index of the shape of node number node_index with these GPUs, or -1: links not known, or
 * no more room; or GW_SHAPES_LATER. The caller holds the job and node locks. Cheap while the node
 * has not responded again.
 */
int32_t gw_shapes_of_node(struct gw_shapes *shapes, int node_index, const gres_node_state_t *gpus);

/* GPUs of the type last asked for; type 0: none was. */
struct gw_type_seen {
	uint32_t type;
	gw_gpus gpus;
};

/*
 * What was found of the node's types since it last responded, for the caller to keep; NULL: it
 * can not be kept. After gw_shapes_of_node() of that node, and as long as that is valid.
 */
struct gw_type_seen *gw_shapes_type_seen(struct gw_shapes *shapes, int node_index);

/* Adds the cores of a bitmap that has no more than GW_CORES_MAX. */
void gw_shapes_add_bits(bitstr_t *bits, struct gw_cores *cores);

/*
 * Adds to cores those of node number node_index that are near any GPU of set: by the file of its
 * shape, else by Cores= of gres.conf. False: it is not known of some GPU, or there are too many.
 */
bool gw_shapes_near(const struct gw_shapes *shapes, int node_index, const gres_node_state_t *gpus,
		    gw_gpus set, struct gw_cores *cores);

/* Tables by shape index, as core's place wants them. Valid until gw_shapes_free(). */
const struct gw_gpuset_table *const *gw_shapes_tables(const struct gw_shapes *shapes);

/* What the shapes are, by index, and how many; the same lifetime. */
struct gw_shape_info *gw_shapes_info(struct gw_shapes *shapes, size_t *count);

#endif

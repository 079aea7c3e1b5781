// SPDX-License-Identifier: GPL-2.0-or-later
/* How well two GPUs are linked: see topo.h for the numbers. */
#include "topo_impl.h"

enum {
	SHARE_MACHINE = 1,
	SHARE_PACKAGE,
	SHARE_NUMA,
	SHARE_HOST_BRIDGE, /* and one more for each bridge further down, to the largest */
	SHARE_LARGEST = 15,
	LINK_LEAST = 16,
	LINK_RANGE = 200,
};

static uint8_t strength_by_ancestor(hwloc_topology_t topology, hwloc_obj_t a, hwloc_obj_t b)
{
	hwloc_obj_t shared = gw_topo_shared(a, b);

	if (shared->type == HWLOC_OBJ_BRIDGE) {
		unsigned int strength = SHARE_HOST_BRIDGE + shared->attr->bridge.depth;

		return strength < SHARE_LARGEST ? strength : SHARE_LARGEST;
	}
	shared = hwloc_get_non_io_ancestor_obj(topology, shared);
	if (shared->type == HWLOC_OBJ_MACHINE)
		return SHARE_MACHINE;
	if (shared->nodeset && hwloc_bitmap_weight(shared->nodeset) == 1)
		return SHARE_NUMA;
	return SHARE_PACKAGE;
}

/* Index of the GPU that an object of a matrix is or belongs to, or -1. */
static int gpu_of(const struct gw_topo_gpus *gpus, hwloc_obj_t obj)
{
	for (; obj; obj = obj->parent)
		for (uint32_t i = 0; i < gpus->count; i++)
			if (gpus->gpu[i] == obj)
				return (int)i;
	return -1;
}

/* Bandwidth both ways: the smaller. */
static uint64_t bandwidth(const struct hwloc_distances_s *matrix, unsigned int i, unsigned int j)
{
	uint64_t there = matrix->values[i * matrix->nbobjs + j];
	uint64_t back = matrix->values[j * matrix->nbobjs + i];

	return there < back ? there : back;
}

/* Links of one kind. */
struct links {
	const char *name;
	enum gw_topo_path path;
};

/* Two GPUs of a matrix and the bandwidth between them. */
struct pair {
	int a, b;
	uint64_t wide;
};

/* False: they are not two linked GPUs. */
static bool read_link(const struct hwloc_distances_s *matrix, const struct gw_topo_gpus *gpus,
		      unsigned int i, unsigned int j, struct pair *pair)
{
	pair->a = gpu_of(gpus, matrix->objs[i]);
	pair->b = gpu_of(gpus, matrix->objs[j]);
	pair->wide = bandwidth(matrix, i, j);
	return pair->a >= 0 && pair->b >= 0 && pair->a != pair->b && pair->wide;
}

/* Visits the pairs of GPUs of a matrix. Without shape it only finds the largest bandwidth. */
static uint64_t visit_matrix(const struct hwloc_distances_s *matrix,
			     const struct gw_topo_gpus *gpus, struct gw_shape_info *shape,
			     uint64_t largest)
{
	for (unsigned int i = 0; i < matrix->nbobjs; i++) {
		for (unsigned int j = 0; j < i; j++) {
			struct pair pair;

			if (!read_link(matrix, gpus, i, j, &pair))
				continue;
			if (!shape)
				largest = pair.wide > largest ? pair.wide : largest;
			else
				shape->link[pair.a][pair.b] = shape->link[pair.b][pair.a] =
					LINK_LEAST + pair.wide * LINK_RANGE / largest;
		}
	}
	return largest;
}

/*
 * Joins the paths through switches, if there are any: hwloc (2.9) sets a matrix without switches to
 * zero instead.
 */
static void join_paths(hwloc_topology_t topology, struct hwloc_distances_s *matrix,
		       const struct gw_topo_gpus *gpus)
{
	for (unsigned int i = 0; i < matrix->nbobjs; i++) {
		if (!matrix->objs[i] || gpu_of(gpus, matrix->objs[i]) >= 0)
			continue;
		hwloc_distances_transform(topology, matrix,
					  HWLOC_DISTANCES_TRANSFORM_TRANSITIVE_CLOSURE, NULL, 0);
		return;
	}
}

static void keep_bandwidths(const struct hwloc_distances_s *matrix, const struct gw_topo_gpus *gpus,
			    enum gw_topo_path path, struct gw_topo_node *node)
{
	for (unsigned int i = 0; i < matrix->nbobjs; i++) {
		for (unsigned int j = 0; j < i; j++) {
			struct pair pair;

			if (!read_link(matrix, gpus, i, j, &pair))
				continue;
			node->path[pair.a][pair.b] = node->path[pair.b][pair.a] = path;
			node->bandwidth[pair.a][pair.b] = node->bandwidth[pair.b][pair.a] =
				(uint32_t)(pair.wide < UINT32_MAX ? pair.wide : UINT32_MAX);
		}
	}
}

static void use_bandwidths(hwloc_topology_t topology, const struct links *links,
			   const struct gw_topo_gpus *gpus, struct gw_shape_info *shape,
			   struct gw_topo_node *node)
{
	struct hwloc_distances_s *matrix = NULL;
	unsigned int count = 1;
	uint64_t largest;

	if (hwloc_distances_get_by_name(topology, links->name, &count, &matrix, 0) < 0 || !count)
		return;
	join_paths(topology, matrix, gpus);
	largest = visit_matrix(matrix, gpus, NULL, 0);
	if (largest)
		visit_matrix(matrix, gpus, shape, largest);
	if (node)
		keep_bandwidths(matrix, gpus, links->path, node);
	hwloc_distances_release(topology, matrix);
}

static void find_pair(hwloc_topology_t topology, const struct gw_topo_gpus *gpus, uint32_t a,
		      uint32_t b, struct gw_shape_info *shape, struct gw_topo_node *node)
{
	hwloc_obj_t one = gpus->gpu[a], other = gpus->gpu[b];

	shape->near[a][b] = strength_by_ancestor(topology, one, other);
	shape->link[a][b] = shape->near[a][b];
	if (node) {
		node->pci_path[a][b] = gw_topo_path_of(topology, one, other);
		node->path[a][b] = node->pci_path[a][b];
	}
}

void gw_topo_find_links(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			struct gw_shape_info *shape, struct gw_topo_node *node)
{
	static const struct links kinds[] = {{"NVLinkBandwidth", GW_PATH_NV},
					     {"XGMIBandwidth", GW_PATH_XGMI}};

	for (uint32_t a = 0; a < gpus->count; a++)
		for (uint32_t b = 0; b < gpus->count; b++)
			if (a != b)
				find_pair(topology, gpus, a, b, shape, node);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		use_bandwidths(topology, &kinds[i], gpus, shape, node);
}

void gw_topo_find_sockets(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			  struct gw_shape_info *shape)
{
	int packages = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PACKAGE);

	shape->sockets = packages > 0 ? packages : 1;
	for (uint32_t a = 0; a < gpus->count; a++) {
		hwloc_obj_t package =
			hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_PACKAGE, gpus->gpu[a]);

		if (package)
			shape->socket[a] = package->logical_index;
		else
			shape->socket[a] = shape->sockets > 1 ? GW_SHAPE_NO_SOCKET : 0;
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the way between two PCI devices passes. */
#include "topo_impl.h"

/* hwloc's own function for it (2.9) needs both equally deep. */
hwloc_obj_t gw_topo_shared(hwloc_obj_t a, hwloc_obj_t b)
{
	for (; a->parent; a = a->parent)
		for (hwloc_obj_t above = b; above; above = above->parent)
			if (above == a)
				return a;
	return a;
}

/* Bridges between a device and one above it. */
static unsigned int bridges_below(hwloc_obj_t top, hwloc_obj_t device)
{
	unsigned int bridges = 0;

	for (hwloc_obj_t at = device->parent; at && at != top; at = at->parent)
		bridges++;
	return bridges;
}

/*
 * A switch is one bridge up and one for each port down: with at most one bridge between its upper
 * side and both devices they meet inside one switch.
 */
static enum gw_topo_path path_below_bridge(hwloc_obj_t bridge, hwloc_obj_t a, hwloc_obj_t b)
{
	if (bridge->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_HOST)
		return GW_PATH_PHB;
	if (bridges_below(bridge, a) <= 1 && bridges_below(bridge, b) <= 1)
		return GW_PATH_PIX;
	return GW_PATH_PXB;
}

enum gw_topo_path gw_topo_path_of(hwloc_topology_t topology, hwloc_obj_t a, hwloc_obj_t b)
{
	hwloc_obj_t shared = gw_topo_shared(a, b);

	/* Functions of one card. */
	if (shared->type == HWLOC_OBJ_PCI_DEVICE)
		return GW_PATH_PIX;
	if (shared->type == HWLOC_OBJ_BRIDGE)
		return path_below_bridge(shared, a, b);
	shared = hwloc_get_non_io_ancestor_obj(topology, shared);
	if (shared->nodeset && hwloc_bitmap_weight(shared->nodeset) == 1)
		return GW_PATH_NODE;
	return shared->type == HWLOC_OBJ_MACHINE ? GW_PATH_SYS : GW_PATH_SOCKET;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The machine as a tree of what matters for GPUs: sockets, NUMA nodes, bridges where ways part,
 * GPUs and network cards. Caches, groups and other devices are left out.
 */
#include <stdio.h>

#include "topo_impl.h"

struct growing {
	hwloc_topology_t topology;
	const struct gw_topo_gpus *gpus;
	const struct gw_topo_nics *nics;
	struct gw_topo_node *node;
	bool full;
};

static int number_of(const hwloc_obj_t *objs, uint32_t count, hwloc_obj_t obj)
{
	for (uint32_t i = 0; i < count; i++)
		if (objs[i] == obj)
			return (int)i;
	return -1;
}

static bool is_leaf(const struct growing *growing, hwloc_obj_t obj)
{
	return number_of(growing->gpus->gpu, growing->gpus->count, obj) >= 0 ||
	       number_of(growing->nics->nic, growing->nics->count, obj) >= 0;
}

static bool has_leaf(const struct growing *growing, hwloc_obj_t obj)
{
	if (is_leaf(growing, obj))
		return true;
	for (hwloc_obj_t child = obj->io_first_child; child; child = child->next_sibling)
		if (has_leaf(growing, child))
			return true;
	return false;
}

static unsigned int ways_down(const struct growing *growing, hwloc_obj_t bridge)
{
	unsigned int ways = 0;

	for (hwloc_obj_t child = bridge->io_first_child; child; child = child->next_sibling)
		ways += has_leaf(growing, child);
	return ways;
}

/* Returns the new item's index, or the parent's when there is no room. */
static int add(struct growing *growing, int parent, enum gw_topo_kind kind, uint32_t number,
	       const char *name)
{
	struct gw_topo_item *item = &growing->node->item[growing->node->items];

	if (growing->node->items == GW_TOPO_ITEMS_MAX) {
		growing->full = true;
		return parent;
	}
	item->parent = (int16_t)parent;
	item->kind = kind;
	item->number = number;
	snprintf(item->name, sizeof(item->name), "%s", name ? name : "");
	return (int)growing->node->items++;
}

static int add_with_cores(struct growing *growing, int parent, enum gw_topo_kind kind,
			  hwloc_obj_t obj, uint32_t number, const char *name)
{
	int at = add(growing, parent, kind, number, name);

	if (!growing->full)
		gw_topo_write_cores(growing->topology, obj->cpuset, growing->node->item[at].cores);
	return at;
}

static void name_bridge(hwloc_obj_t bridge, char *name, size_t size)
{
	const struct hwloc_bridge_attr_s *attr = &bridge->attr->bridge;

	if (attr->upstream_type == HWLOC_OBJ_BRIDGE_HOST)
		snprintf(name, size, "%04x:%02x", attr->downstream.pci.domain,
			 attr->downstream.pci.secondary_bus);
	else
		snprintf(name, size, "%04x:%02x:%02x.%x", attr->upstream.pci.domain,
			 attr->upstream.pci.bus, attr->upstream.pci.dev, attr->upstream.pci.func);
}

static int add_bridge(struct growing *growing, int parent, hwloc_obj_t bridge)
{
	bool host = bridge->attr->bridge.upstream_type == HWLOC_OBJ_BRIDGE_HOST;
	char name[GW_TOPO_NAME_SIZE];

	if (!host && ways_down(growing, bridge) < 2)
		return parent;
	name_bridge(bridge, name, sizeof(name));
	return add(growing, parent, host ? GW_TOPO_HOST_BRIDGE : GW_TOPO_SWITCH, 0, name);
}

static void add_io(struct growing *growing, int parent, hwloc_obj_t obj)
{
	int gpu = number_of(growing->gpus->gpu, growing->gpus->count, obj);
	int nic = number_of(growing->nics->nic, growing->nics->count, obj);

	if (!has_leaf(growing, obj))
		return;
	if (gpu >= 0)
		add(growing, parent, GW_TOPO_GPU, (uint32_t)gpu, NULL);
	else if (nic >= 0)
		add(growing, parent, GW_TOPO_NIC, (uint32_t)nic, NULL);
	else if (obj->type == HWLOC_OBJ_BRIDGE)
		parent = add_bridge(growing, parent, obj);
	for (hwloc_obj_t child = obj->io_first_child; child; child = child->next_sibling)
		add_io(growing, parent, child);
}

/* NUMA nodes of one object; what else it has belongs to the first of them. */
static int add_memory(struct growing *growing, int parent, hwloc_obj_t obj)
{
	int first = parent;

	for (hwloc_obj_t child = obj->memory_first_child; child; child = child->next_sibling) {
		hwloc_obj_t numa = child;
		int at;

		/* A cache of the memory may stand before it. */
		while (numa && numa->type != HWLOC_OBJ_NUMANODE)
			numa = numa->memory_first_child;
		if (!numa)
			continue;
		at = add_with_cores(growing, parent, GW_TOPO_NUMA, numa, numa->os_index, NULL);
		first = first == parent ? at : first;
	}
	return first;
}

static void add_obj(struct growing *growing, int parent, hwloc_obj_t obj)
{
	if (obj->type == HWLOC_OBJ_PACKAGE)
		parent = add_with_cores(growing, parent, GW_TOPO_SOCKET, obj, obj->logical_index,
					hwloc_obj_get_info_by_name(obj, "CPUModel"));
	parent = add_memory(growing, parent, obj);
	for (hwloc_obj_t child = obj->first_child; child; child = child->next_sibling)
		add_obj(growing, parent, child);
	for (hwloc_obj_t child = obj->io_first_child; child; child = child->next_sibling)
		add_io(growing, parent, child);
}

int gw_topo_find_tree(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
		      const struct gw_topo_nics *nics, struct gw_topo_node *node,
		      struct gw_error *error)
{
	struct growing growing = {topology, gpus, nics, node, false};
	hwloc_obj_t root = hwloc_get_root_obj(topology);
	const char *name = hwloc_obj_get_info_by_name(root, "DMIProductName");
	int machine = add(&growing, -1, GW_TOPO_MACHINE, 0,
			  name ? name : hwloc_obj_get_info_by_name(root, "HostName"));

	add_obj(&growing, machine, root);
	if (growing.full)
		return gw_error_set(error, "more than %d sockets, NUMA nodes, bridges and cards",
				    GW_TOPO_ITEMS_MAX);
	return 0;
}

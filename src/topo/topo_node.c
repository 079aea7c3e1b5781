// SPDX-License-Identifier: GPL-2.0-or-later
/* A whole machine for those who look at it. */
#include <stdio.h>
#include <string.h>

#include "topo_impl.h"

static void bus_text(hwloc_obj_t pci, char *text, size_t size)
{
	const struct hwloc_pcidev_attr_s *at = &pci->attr->pcidev;

	snprintf(text, size, "%04x:%02x:%02x.%x", at->domain, at->bus, at->dev, at->func);
}

/* OS index of the NUMA node a device is near, when that is exactly one. */
static int numa_of(hwloc_topology_t topology, hwloc_obj_t pci)
{
	hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology, pci);

	if (!near->nodeset || hwloc_bitmap_weight(near->nodeset) != 1)
		return -1;
	return hwloc_bitmap_first(near->nodeset);
}

static bool is_local(hwloc_topology_t topology, hwloc_obj_t pci)
{
	hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology, pci);

	return near->cpuset && !hwloc_bitmap_iszero(near->cpuset) &&
	       !hwloc_bitmap_isequal(near->cpuset, hwloc_get_root_obj(topology)->cpuset);
}

static bool begins(const char *name, const char *with)
{
	return name && !strncmp(name, with, strlen(with));
}

/* nvml3 is /dev/nvidia3, renderD128 its own name; others do not tell their file. */
static void take_os_device(struct gw_topo_gpu *gpu, hwloc_obj_t device)
{
	if (begins(device->name, "nvml"))
		snprintf(gpu->device, sizeof(gpu->device), "/dev/nvidia%.16s", device->name + 4);
	else if (begins(device->name, "renderD") && !gpu->device[0])
		snprintf(gpu->device, sizeof(gpu->device), "/dev/dri/%.16s", device->name);
	if (begins(device->name, "renderD") || begins(device->name, "card"))
		return;
	if (!gpu->os[0] || begins(device->name, "nvml") || begins(device->name, "rsmi"))
		snprintf(gpu->os, sizeof(gpu->os), "%.15s", device->name);
}

/* On the machine itself the driver of NVIDIA says which file is whose. */
static void ask_driver(struct gw_topo_gpu *gpu)
{
	char path[96], line[128];
	unsigned int minor;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/driver/nvidia/gpus/%s/information", gpu->bus);
	file = fopen(path, "r");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "Device Minor: %u", &minor) == 1)
			snprintf(gpu->device, sizeof(gpu->device), "/dev/nvidia%u", minor);
	fclose(file);
}

static void describe_gpu(hwloc_topology_t topology, hwloc_obj_t pci, bool live,
			 struct gw_topo_gpu *gpu)
{
	bus_text(pci, gpu->bus, sizeof(gpu->bus));
	gpu->vendor = pci->attr->pcidev.vendor_id;
	gpu->numa = numa_of(topology, pci);
	gpu->local = is_local(topology, pci);
	for (hwloc_obj_t device = pci->io_first_child; device; device = device->next_sibling)
		if (device->name)
			take_os_device(gpu, device);
	gw_topo_model_of(pci, gpu->model);
	gw_topo_type_of(gpu->model, gpu->vendor, pci->attr->pcidev.device_id, gpu->type,
			sizeof(gpu->type));
	if (live)
		ask_driver(gpu);
}

static void describe_nics(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			  const struct gw_topo_nics *nics, struct gw_topo_node *node)
{
	node->nics = nics->count;
	for (uint32_t i = 0; i < nics->count; i++) {
		bus_text(nics->nic[i], node->nic[i].bus, sizeof(node->nic[i].bus));
		gw_topo_name_nic(nics->nic[i], node->nic[i].name);
		node->nic[i].numa = numa_of(topology, nics->nic[i]);
		node->nic[i].counts = gw_topo_nic_counts(topology, nics->nic[i]);
		for (uint32_t gpu = 0; gpu < gpus->count; gpu++)
			node->nic_path[gpu][i] =
				gw_topo_path_of(topology, gpus->gpu[gpu], nics->nic[i]);
	}
}

static void describe_cores(hwloc_topology_t topology, struct gw_topo_node *node)
{
	hwloc_obj_t pu = NULL;

	for (uint32_t i = 0; i < GW_TOPO_PUS_MAX; i++)
		node->core_of_pu[i] = GW_TOPO_NO_PU;
	node->sockets = node->shape.sockets;
	node->numas = (uint32_t)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_NUMANODE);
	node->pu_count = (uint32_t)hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
	node->core_count = node->cores.count;
	while ((pu = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PU, pu))) {
		hwloc_obj_t core = hwloc_get_ancestor_obj_by_type(topology, HWLOC_OBJ_CORE, pu);

		if (pu->os_index < GW_TOPO_PUS_MAX)
			node->core_of_pu[pu->os_index] =
				(uint16_t)(core ? core->logical_index : pu->logical_index);
	}
}

static int describe(hwloc_topology_t topology, bool live, unsigned int format,
		    struct gw_topo_node *node, struct gw_error *error)
{
	struct gw_topo_gpus gpus = {.count = 0};
	struct gw_topo_nics nics = {.count = 0};

	if (live && !hwloc_get_next_pcidev(topology, NULL))
		return gw_error_set(error, "no PCI devices, so no GPU");
	if (gw_topo_find_gpus(topology, &gpus, error) < 0 ||
	    gw_topo_find_nics(topology, &nics, error) < 0 ||
	    gw_topo_find_cores(topology, &gpus, &node->cores, error) < 0 ||
	    gw_topo_find_tree(topology, &gpus, &nics, node, error) < 0)
		return -1;
	node->shape.gpus = gpus.count;
	gw_topo_find_links(topology, &gpus, &node->shape, node);
	gw_topo_doubt_links(topology, format, &gpus, &node->shape);
	gw_topo_find_sockets(topology, &gpus, &node->shape);
	gw_topo_find_cards(topology, &gpus, &node->shape);
	for (uint32_t i = 0; i < gpus.count; i++)
		describe_gpu(topology, gpus.gpu[i], live, &node->gpu[i]);
	describe_nics(topology, &gpus, &nics, node);
	describe_cores(topology, node);
	return 0;
}

int gw_topo_describe_node(const char *path, struct gw_topo_node *node, struct gw_error *error)
{
	unsigned int format;
	hwloc_topology_t topology = gw_topo_open(path, &format, error);
	int rc;

	if (!topology)
		return -1;
	rc = describe(topology, !path, format, node, error);
	if (rc < 0)
		gw_error_prefix(error, "%s: ", path ? path : "this machine");
	hwloc_topology_destroy(topology);
	return rc;
}

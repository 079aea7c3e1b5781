// SPDX-License-Identifier: GPL-2.0-or-later
/* Which PCI devices are network cards, and what Linux calls them. */
#include <stdio.h>
#include <string.h>

#include "topo_impl.h"

#define CLASS_NETWORK        0x02 /* the upper half: Ethernet, InfiniBand, ... */
#define CLASS_INFINIBAND     0x0207
#define FORMAT_3_OPENFABRICS 32 /* what format 3 writes for HWLOC_OBJ_OSDEV_OPENFABRICS */

static bool is_network_device(hwloc_obj_t device)
{
	return device->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK ||
	       device->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS;
}

static bool is_nic(hwloc_obj_t pci)
{
	return pci->attr->pcidev.class_id >> 8 == CLASS_NETWORK;
}

/* The next network card after this PCI device (NULL: the first); NULL: there is none. */
static hwloc_obj_t next_nic(hwloc_topology_t topology, hwloc_obj_t pci)
{
	do
		pci = hwloc_get_next_pcidev(topology, pci);
	while (pci && !is_nic(pci));
	return pci;
}

static bool does_rdma(hwloc_obj_t nic)
{
	if (nic->attr->pcidev.class_id == CLASS_INFINIBAND)
		return true;
	for (hwloc_obj_t device = nic->io_first_child; device; device = device->next_sibling)
		if (device->type == HWLOC_OBJ_OS_DEVICE &&
		    (device->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS ||
		     (int)device->attr->osdev.type == FORMAT_3_OPENFABRICS))
			return true;
	return false;
}

/* Some card does RDMA. */
static bool have_rdma(hwloc_topology_t topology)
{
	hwloc_obj_t nic = NULL;

	while ((nic = next_nic(topology, nic)))
		if (does_rdma(nic))
			return true;
	return false;
}

bool gw_topo_nic_counts(hwloc_topology_t topology, hwloc_obj_t nic)
{
	return does_rdma(nic) || !have_rdma(topology);
}

static enum gw_card_near near_by_path(enum gw_topo_path path)
{
	switch (path) {
	case GW_PATH_SOCKET:
		return GW_CARD_SOCKET;
	case GW_PATH_NODE:
		return GW_CARD_NUMA;
	case GW_PATH_PHB:
		return GW_CARD_BRIDGE;
	case GW_PATH_PXB:
	case GW_PATH_PIX:
		return GW_CARD_SWITCH;
	default:
		return GW_CARD_FAR;
	}
}

void gw_topo_find_cards(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			struct gw_shape_info *shape)
{
	hwloc_obj_t nic = NULL;

	while ((nic = next_nic(topology, nic))) {
		if (!gw_topo_nic_counts(topology, nic))
			continue;
		for (uint32_t gpu = 0; gpu < gpus->count; gpu++) {
			uint8_t near = near_by_path(gw_topo_path_of(topology, gpus->gpu[gpu], nic));

			if (near > shape->card[gpu])
				shape->card[gpu] = near;
		}
	}
}

static void insert(struct gw_topo_nics *nics, hwloc_obj_t nic)
{
	uint32_t at = nics->count++;

	for (; at && gw_topo_pci_address(nics->nic[at - 1]) > gw_topo_pci_address(nic); at--)
		nics->nic[at] = nics->nic[at - 1];
	nics->nic[at] = nic;
}

int gw_topo_find_nics(hwloc_topology_t topology, struct gw_topo_nics *nics, struct gw_error *error)
{
	hwloc_obj_t nic = NULL;

	while ((nic = next_nic(topology, nic))) {
		if (nics->count == GW_TOPO_NICS_MAX)
			return gw_error_set(error, "more than %d network cards", GW_TOPO_NICS_MAX);
		insert(nics, nic);
	}
	return 0;
}

void gw_topo_name_nic(hwloc_obj_t pci, char name[GW_TOPO_NAME_SIZE])
{
	size_t used = 0;

	name[0] = '\0';
	for (hwloc_obj_t device = pci->io_first_child; device; device = device->next_sibling) {
		size_t length = device->name ? strlen(device->name) : 0;

		/* Format 3 writes kinds that hwloc 2 reads as another: the name tells as well. */
		if (!length || used + length + 2 > GW_TOPO_NAME_SIZE ||
		    !(is_network_device(device) ||
		      device->attr->osdev.type > HWLOC_OBJ_OSDEV_COPROC))
			continue;
		used += snprintf(name + used, GW_TOPO_NAME_SIZE - used, "%s%s", used ? "," : "",
				 device->name);
	}
}

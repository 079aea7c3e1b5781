// SPDX-License-Identifier: GPL-2.0-or-later
/* Which PCI devices are network cards, and what Linux calls them. */
#include <stdio.h>
#include <string.h>

#include "topo_impl.h"

#define CLASS_NETWORK 0x02 /* the upper half: Ethernet, InfiniBand, ... */

static bool is_network_device(hwloc_obj_t device)
{
	return device->attr->osdev.type == HWLOC_OBJ_OSDEV_NETWORK ||
	       device->attr->osdev.type == HWLOC_OBJ_OSDEV_OPENFABRICS;
}

static bool is_nic(hwloc_obj_t pci)
{
	return pci->attr->pcidev.class_id >> 8 == CLASS_NETWORK;
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
	hwloc_obj_t pci = NULL;

	while ((pci = hwloc_get_next_pcidev(topology, pci))) {
		if (!is_nic(pci))
			continue;
		if (nics->count == GW_TOPO_NICS_MAX)
			return gw_error_set(error, "more than %d network cards", GW_TOPO_NICS_MAX);
		insert(nics, pci);
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

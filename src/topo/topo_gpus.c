// SPDX-License-Identifier: GPL-2.0-or-later
/* Which PCI devices are GPUs. */
#include <string.h>

#include "topo_impl.h"

/* How sure it is that a device is a GPU. Only those of the surest kind found are taken. */
enum sureness {
	NO_GPU,
	GPU_BY_VENDOR, /* a display of a vendor of GPUs: a card, or what drives the console */
	GPU_BY_CLASS,  /* by PCI class: also those whose driver was not loaded */
	GPU_BY_API,    /* a programming interface knows it */
	GPU_BY_DRIVER, /* the vendor's management library knows it */
};

static const struct {
	const char *name; /* what the OS device's name begins with */
	enum sureness sureness;
} devices[] = {
	{"nvml", GPU_BY_DRIVER}, {"rsmi", GPU_BY_DRIVER}, {"cuda", GPU_BY_API},
	{"opencl", GPU_BY_API},  {"ze", GPU_BY_API},
};

#define VENDOR_NVIDIA     0x10de
#define VENDOR_AMD        0x1002
#define CLASS_VGA         0x0300 /* of other vendors: the console of a board controller */
#define CLASS_3D          0x0302
#define CLASS_DISPLAY     0x0380
#define CLASS_ACCELERATOR 0x1200 /* of AMD: MI300 */

static enum sureness by_class(const struct hwloc_pcidev_attr_s *pci)
{
	bool known = pci->vendor_id == VENDOR_NVIDIA || pci->vendor_id == VENDOR_AMD;

	switch (pci->class_id) {
	case CLASS_3D:
	case CLASS_DISPLAY:
		return GPU_BY_CLASS;
	case CLASS_VGA:
		return known ? GPU_BY_VENDOR : NO_GPU;
	case CLASS_ACCELERATOR:
		return pci->vendor_id == VENDOR_AMD ? GPU_BY_CLASS : NO_GPU;
	default:
		return NO_GPU;
	}
}

static enum sureness sureness_of(hwloc_obj_t pci)
{
	enum sureness sureness = by_class(&pci->attr->pcidev);

	for (hwloc_obj_t device = pci->io_first_child; device; device = device->next_sibling)
		for (size_t i = 0; device->name && i < sizeof(devices) / sizeof(devices[0]); i++)
			if (!strncmp(device->name, devices[i].name, strlen(devices[i].name)) &&
			    devices[i].sureness > sureness)
				sureness = devices[i].sureness;
	return sureness;
}

uint64_t gw_topo_pci_address(hwloc_obj_t pci)
{
	const struct hwloc_pcidev_attr_s *at = &pci->attr->pcidev;

	return (uint64_t)at->domain << 32 | (uint64_t)at->bus << 16 | (uint64_t)at->dev << 8 |
	       at->func;
}

static void insert(struct gw_topo_gpus *gpus, hwloc_obj_t gpu)
{
	uint32_t at = gpus->count++;

	for (; at && gw_topo_pci_address(gpus->gpu[at - 1]) > gw_topo_pci_address(gpu); at--)
		gpus->gpu[at] = gpus->gpu[at - 1];
	gpus->gpu[at] = gpu;
}

int gw_topo_find_gpus(hwloc_topology_t topology, struct gw_topo_gpus *gpus, struct gw_error *error)
{
	enum sureness surest = NO_GPU;
	hwloc_obj_t pci = NULL;
	unsigned int found = 0;

	while ((pci = hwloc_get_next_pcidev(topology, pci)))
		if (sureness_of(pci) > surest)
			surest = sureness_of(pci);
	if (surest == NO_GPU)
		return gw_error_set(error, hwloc_get_next_pcidev(topology, NULL)
						   ? "no GPU among its PCI devices"
						   : "no PCI devices: make it without --no-io");
	while ((pci = hwloc_get_next_pcidev(topology, pci)))
		found += sureness_of(pci) == surest;
	if (found > GW_SHAPE_GPUS_MAX)
		return gw_error_set(error, "%u GPUs: at most %d are supported", found,
				    GW_SHAPE_GPUS_MAX);
	while ((pci = hwloc_get_next_pcidev(topology, pci)))
		if (sureness_of(pci) == surest)
			insert(gpus, pci);
	return 0;
}

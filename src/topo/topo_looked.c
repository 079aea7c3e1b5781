// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Whether whoever made a file looked for links between GPUs. hwloc does so with NVML or RSMI, since
 * 2.5, and writes them in format 2; then it tells of none only where there are none.
 */
#include <stdio.h>
#include <string.h>

#include "src/util/str.h"
#include "topo_impl.h"

#define VENDOR_NVIDIA 0x10de
#define VENDOR_AMD    0x1002

/* Types that have neither NVLink nor XGMI, however they are built. */
static bool is_pcie_only(const char *type)
{
	static const char *const types[] = {"a10", "a10g", "a16",    "a2",   "k80",     "l2",
					    "l20", "l4",   "l40",    "l40g", "l40s",    "m10",
					    "m40", "m60",  "p4",     "p40",  "rtx5070", "rtx5080",
					    "t4",  "t4g",  "rtx5090"};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(type, types[i]))
			return true;
	/* Radeon RX; GeForce GTX; RTX 4000 to 4090 of any generation. */
	return gw_same_n(type, "rx", 2) || gw_same_n(type, "gtx", 3) || gw_same_n(type, "rtx40", 5);
}

static bool may_have_links(hwloc_obj_t pci)
{
	uint16_t vendor = pci->attr->pcidev.vendor_id;
	char model[GW_TOPO_NAME_SIZE], type[32];

	if (vendor != VENDOR_NVIDIA && vendor != VENDOR_AMD)
		return false;
	gw_topo_model_of(pci, model);
	gw_topo_type_of(model, vendor, pci->attr->pcidev.device_id, type, sizeof(type));
	/* An "RTX 6000 Ada" has none, unlike the RTX 6000 before it; nor has an "RTX PRO 6000". */
	return !is_pcie_only(type) && !strstr(model, " Ada") && !strstr(model, "RTX PRO");
}

static bool knows_library(hwloc_obj_t pci)
{
	for (hwloc_obj_t device = pci->io_first_child; device; device = device->next_sibling)
		if (device->name &&
		    (!strncmp(device->name, "nvml", 4) || !strncmp(device->name, "rsmi", 4)))
			return true;
	return false;
}

static bool could_write_links(hwloc_topology_t topology, unsigned int format)
{
	hwloc_obj_t root = hwloc_get_root_obj(topology);
	const char *version = hwloc_obj_get_info_by_name(root, "hwlocVersion");
	unsigned int major, minor;

	if (format < 2)
		return false;
	return !version || sscanf(version, "%u.%u", &major, &minor) != 2 || major > 2 || minor >= 5;
}

static bool have_links(const struct gw_shape_info *shape)
{
	for (uint32_t a = 0; a < shape->gpus; a++)
		for (uint32_t b = 0; b < a; b++)
			if (shape->link[a][b] != shape->near[a][b])
				return true;
	return false;
}

void gw_topo_doubt_links(hwloc_topology_t topology, unsigned int format,
			 const struct gw_topo_gpus *gpus, struct gw_shape_info *shape)
{
	bool could = could_write_links(topology, format);
	uint32_t unknown = 0;

	for (uint32_t i = 0; i < gpus->count; i++)
		unknown += may_have_links(gpus->gpu[i]) && !(could && knows_library(gpus->gpu[i]));
	shape->links_unknown = unknown > 1 && !have_links(shape);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of src/topo share. */
#ifndef GW_TOPO_TOPO_IMPL_H
#define GW_TOPO_TOPO_IMPL_H

#include <hwloc.h>

#include "topo.h"

/* GPUs of a machine, by PCI address. */
struct gw_topo_gpus {
	hwloc_obj_t gpu[GW_GPUS_MAX];
	uint32_t count;
};

/* topo_gpus.c: returns 0, or -1 with an error. */
int gw_topo_find_gpus(hwloc_topology_t topology, struct gw_topo_gpus *gpus, struct gw_error *error);

/* topo_strength.c: fills in link and socket. */
void gw_topo_find_links(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			struct gw_shape_info *shape);
void gw_topo_find_sockets(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			  struct gw_shape_info *shape);

/* topo_cores.c: returns 0, or -1 with an error. */
int gw_topo_find_cores(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
		       struct gw_topo_cores *cores, struct gw_error *error);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of src/topo share. */
#ifndef GW_TOPO_TOPO_IMPL_H
#define GW_TOPO_TOPO_IMPL_H

#include <hwloc.h>

#include "node.h"

/* GPUs of a machine, by PCI address. */
struct gw_topo_gpus {
	hwloc_obj_t gpu[GW_SHAPE_GPUS_MAX];
	uint32_t count;
};

/* Network cards of a machine, by PCI address. */
struct gw_topo_nics {
	hwloc_obj_t nic[GW_TOPO_NICS_MAX];
	uint32_t count;
};

/* topo_gpus.c: returns 0, or -1 with an error. */
int gw_topo_find_gpus(hwloc_topology_t topology, struct gw_topo_gpus *gpus, struct gw_error *error);
uint64_t gw_topo_pci_address(hwloc_obj_t pci);

/* topo_nics.c: returns 0, or -1 with an error. */
int gw_topo_find_nics(hwloc_topology_t topology, struct gw_topo_nics *nics, struct gw_error *error);
/* Fills in card. */
void gw_topo_find_cards(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			struct gw_shape_info *shape);
/* Whether it does RDMA, or no card of the machine does. */
bool gw_topo_nic_counts(hwloc_topology_t topology, hwloc_obj_t nic);
void gw_topo_name_nic(hwloc_obj_t pci, char name[GW_TOPO_NAME_SIZE]);

/* topo_strength.c: fills in link and socket; node may be NULL: else its bandwidth and path too. */
void gw_topo_find_links(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			struct gw_shape_info *shape, struct gw_topo_node *node);
void gw_topo_find_sockets(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
			  struct gw_shape_info *shape);

/* topo_looked.c: fills in links_unknown, once link is; format: of the file. */
void gw_topo_doubt_links(hwloc_topology_t topology, unsigned int format,
			 const struct gw_topo_gpus *gpus, struct gw_shape_info *shape);

/* topo_path.c */
/* The lowest object that both are below of. */
hwloc_obj_t gw_topo_shared(hwloc_obj_t a, hwloc_obj_t b);
enum gw_topo_path gw_topo_path_of(hwloc_topology_t topology, hwloc_obj_t a, hwloc_obj_t b);

/* topo_cores.c: returns 0, or -1 with an error. */
int gw_topo_find_cores(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
		       struct gw_topo_cores *cores, struct gw_error *error);
/* False: more ranges than fit; the text is cut at one of them. */
bool gw_topo_write_cores(hwloc_topology_t topology, hwloc_const_cpuset_t near,
			 char text[GW_TOPO_CORES_SIZE]);

/* topo_type.c */
/* As the driver or the PCI database says; may be empty. */
void gw_topo_model_of(hwloc_obj_t pci, char model[GW_TOPO_NAME_SIZE]);
/* "h100" of "NVIDIA H100 80GB HBM3" and PCI ids; empty: not known. */
void gw_topo_type_of(const char *model, uint16_t vendor, uint16_t device, char *type, size_t size);

/* topo_tree.c: fills in items. Returns 0, or -1 with an error. */
int gw_topo_find_tree(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
		      const struct gw_topo_nics *nics, struct gw_topo_node *node,
		      struct gw_error *error);

/*
 * topo_xml.c: NULL with an error. path NULL: this machine. The caller destroys it. format is that
 * of the file: 1, 2, 3.
 */
hwloc_topology_t gw_topo_open(const char *path, unsigned int *format, struct gw_error *error);

/* topo_node.c: all of it; gw_topo_node_read() without a child. */
int gw_topo_describe_node(const char *path, struct gw_topo_node *node, struct gw_error *error);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One machine as hwloc sees it, to be shown to people and held against gres.conf: more than a
 * shape needs. Numbers of GPUs, sockets and cores are those of topo.h. hwloc does not tell of
 * slices of a GPU (MIG): only whole GPUs are here.
 */
#ifndef GW_TOPO_NODE_H
#define GW_TOPO_NODE_H

#include "topo.h"

#define GW_TOPO_NICS_MAX  32
#define GW_TOPO_ITEMS_MAX 512
#define GW_TOPO_PUS_MAX   2048
#define GW_TOPO_NAME_SIZE 64
#define GW_TOPO_NO_PU     UINT16_MAX

/* How two devices reach each other: what the way between them passes at most. */
enum gw_topo_path {
	GW_PATH_SYS,    /* the link between sockets */
	GW_PATH_SOCKET, /* one socket, between NUMA nodes */
	GW_PATH_NODE,   /* one NUMA node, between host bridges */
	GW_PATH_PHB,    /* one host bridge */
	GW_PATH_PXB,    /* several PCIe switches */
	GW_PATH_PIX,    /* one PCIe switch */
	GW_PATH_XGMI,   /* a link between GPUs */
	GW_PATH_NV,
};

struct gw_topo_gpu {
	char bus[20];                  /* "0000:3b:00.0" */
	char model[GW_TOPO_NAME_SIZE]; /* as the driver or the PCI database says; may be empty */
	char type[32];                 /* for Type=: "h100"; empty: not known */
	char os[16];                   /* OS device: "nvml0"; empty: no driver was asked */
	char device[32];               /* device file; empty: not known */
	uint16_t vendor;               /* PCI */
	int numa;                      /* OS index of its NUMA node; -1: near none of them */
	bool local;                    /* near some of the cores, not all or none */
};

struct gw_topo_nic {
	char bus[20];
	char name[GW_TOPO_NAME_SIZE]; /* "mlx5_0,ib0"; empty: no driver */
	int numa;
	bool counts; /* for gw_shape_info's card: it does RDMA, or none does */
};

enum gw_topo_kind {
	GW_TOPO_MACHINE,
	GW_TOPO_SOCKET,
	GW_TOPO_NUMA,
	GW_TOPO_HOST_BRIDGE,
	GW_TOPO_SWITCH,
	GW_TOPO_GPU,
	GW_TOPO_NIC,
};

/* One line of the tree. Parents stand before their children. */
struct gw_topo_item {
	int16_t parent;  /* -1: the machine */
	uint16_t kind;   /* enum gw_topo_kind */
	uint32_t number; /* of GPU and NIC: index in the node; of NUMA: OS index; of socket: Slurm's
			  */
	char name[GW_TOPO_NAME_SIZE];   /* model of machine and CPU, bus address of a bridge */
	char cores[GW_TOPO_CORES_SIZE]; /* of sockets and NUMA nodes */
};

/* A plain value without pointers. About 200 KB: not for the stack of a thread of slurmctld. */
struct gw_topo_node {
	struct gw_shape_info shape;
	struct gw_topo_cores cores;
	struct gw_topo_gpu gpu[GW_SHAPE_GPUS_MAX];
	struct gw_topo_nic nic[GW_TOPO_NICS_MAX];
	uint32_t nics;
	uint32_t sockets, numas, core_count, pu_count;
	uint8_t path[GW_SHAPE_GPUS_MAX][GW_SHAPE_GPUS_MAX];     /* enum gw_topo_path */
	uint8_t pci_path[GW_SHAPE_GPUS_MAX][GW_SHAPE_GPUS_MAX]; /* the same without links of GPUs */
	uint32_t bandwidth[GW_SHAPE_GPUS_MAX][GW_SHAPE_GPUS_MAX]; /* MB/s one way; 0: not known */
	uint8_t nic_path[GW_SHAPE_GPUS_MAX][GW_TOPO_NICS_MAX];    /* enum gw_topo_path */
	/* Core of each processing unit by its OS index (as Linux counts), or GW_TOPO_NO_PU. */
	uint16_t core_of_pu[GW_TOPO_PUS_MAX];
	struct gw_topo_item item[GW_TOPO_ITEMS_MAX];
	uint32_t items;
};

/*
 * Of an hwloc XML file, or of this machine when path is NULL. hwloc runs in a child process, for at
 * most 30 seconds. Returns 0, or -1 with an error: that of gw_topo_shape_from_xml(), or more
 * network cards or bridges than fit.
 */
int gw_topo_node_read(const char *path, struct gw_topo_node *node, struct gw_error *error);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The inside of a node kind: from an hwloc XML file, or from what gres.conf says. This directory
 * is the only user of hwloc.
 *
 * GPUs are numbered by PCI bus address, as Slurm numbers them when gres.conf lists device files in
 * that order. Sockets are hwloc's packages, cores hwloc's logical cores, both as slurmd counts them
 * unless SlurmdParameters makes sockets of NUMA nodes or L3 caches.
 *
 * Strength of a link, larger is better: with a bandwidth matrix (NVLinkBandwidth, XGMIBandwidth;
 * paths through NVLink switches joined) 16 + 200 * bandwidth / largest; for pairs without such a
 * link, by what they share: 1 the machine, 2 a package, 3 a NUMA node, 4 a host bridge, 5 and more
 * a PCIe bridge, more the further down it is.
 *
 * Network cards are PCI devices of class 02. How near they are to a GPU is told of those that do
 * RDMA (InfiniBand, RoCE, EFA: hwloc's OpenFabrics) where there are some, else of all: a card for
 * the machine's own administration does not make the GPUs beside it better for a gang.
 */
#ifndef GW_TOPO_TOPO_H
#define GW_TOPO_TOPO_H

#include <stdatomic.h>

#include "src/core/cluster.h"
#include "src/util/error.h"

#define GW_TOPO_CORES_SIZE 128

/* For each GPU the cores near it, as gres.conf's Cores= wants them: "0-15,32-47". */
struct gw_topo_cores {
	uint32_t count; /* of the machine */
	char gpu[GW_SHAPE_GPUS_MAX][GW_TOPO_CORES_SIZE];
};

/*
 * Reads an hwloc XML file of format 1, 2 or 3 (as far as the hwloc at hand reads it as format 2).
 * cores may be NULL. Returns 0, or -1 with an error that names the file: not readable, no hwloc
 * XML, no GPUs, too many GPUs, cores that do not fit into their text.
 */
int gw_topo_shape_from_xml(const char *path, struct gw_shape_info *shape,
			   struct gw_topo_cores *cores, struct gw_error *error);

/*
 * The same by a child process, for at most 10 seconds: hwloc (2.9) crashes on some malformed files.
 * For daemons; not while a lock is held that others wait for. Fails within a second of stop
 * (NULL: never) becoming true.
 */
int gw_topo_shape_from_xml_apart(const char *path, const atomic_bool *stop,
				 struct gw_shape_info *shape, struct gw_topo_cores *cores,
				 struct gw_error *error);

/*
 * The model of GPU that a site's own name of a type, "nvidia_a100-sxm4-80gb", holds as a word:
 * "a100". NULL where it holds none that is known, or several.
 */
const char *gw_topo_known_type(const char *text);

/* No Cores= was given. */
#define GW_TOPO_NO_CORE UINT32_MAX

/* What gres.conf says of one GPU. */
struct gw_topo_row {
	const int *link;   /* Links=: one number for each GPU, -1 for itself */
	size_t link_count; /* 0: not given */
	uint32_t core;     /* lowest of Cores=, one of the node's, or GW_TOPO_NO_CORE */
	bool everywhere;   /* Cores= are all of the node's */
};

/*
 * Rows in order of Slurm's index. All rows have links or none has: then GPUs of one socket are
 * linked with 2, others with 1. A GPU without Cores=, or with all of the node's, is on no socket
 * where others have some; else all are on socket 0. Numbers larger than 255 count as that. Returns
 * 0, or -1 with an error that names the GPU (the caller puts file and line before it).
 */
int gw_topo_shape_from_links(const struct gw_topo_row *rows, uint32_t gpus, uint32_t sockets,
			     uint32_t cores_per_socket, struct gw_shape_info *shape,
			     struct gw_error *error);

/* What is wrong with the links of one GPU. Returns 0, or -1 with an error that names the GPU. */
int gw_topo_check_row(const struct gw_topo_row *rows, uint32_t gpus, uint32_t gpu,
		      struct gw_error *error);

/*
 * Marks the numbers of a list such as "0-3,8", of cores, CPUs or GPUs; false when it is no list, or
 * names others than 0 to limit - 1.
 */
bool gw_topo_mark_list(const char *list, uint32_t limit, uint8_t *marked);

/* Whether the cores of a list are whole sockets, as Slurm 24.11 wants them. True for no list. */
bool gw_topo_fills_sockets(const char *list, uint32_t sockets, uint32_t cores_per_socket);

/*
 * Whether a list like "48-63,176-191" of gres.conf's Cores= must be thread numbers, because some
 * are larger than the node's cores (all sockets together): then text becomes the cores they lie on,
 * "48-63", for Linux' usual numbering (the first thread of every core, then the second). False as
 * well when it is no such list, names more than there are threads, or text is too small.
 */
bool gw_topo_cores_of_threads(const char *list, uint32_t cores, uint32_t threads, char *text,
			      size_t size);

#endif

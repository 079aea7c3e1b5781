// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nodes and the insides of node kinds as policy sees them: plain values, filled in by
 * plugins/common/snap from slurmctld's records, by src/topo (shapes) or by a test.
 */
#ifndef GW_CORE_CLUSTER_H
#define GW_CORE_CLUSTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A set of GPUs of one node: bit i is the GPU with Slurm's index i on that node. */
typedef uint64_t gw_gpus;

/* The most GPUs, or slices of them, a node may have; and the most whose links are known. */
#define GW_GPUS_MAX       64
#define GW_SHAPE_GPUS_MAX 32

/* GPUs 0 to count - 1. */
static inline gw_gpus gw_gpus_first(uint32_t count)
{
	return count >= GW_GPUS_MAX ? ~(gw_gpus)0 : ((gw_gpus)1 << count) - 1;
}

#define GW_SHAPE_NAME_SIZE 64

/* It is not known which socket a GPU is near: it counts as on one of its own. */
#define GW_SHAPE_NO_SOCKET UINT8_MAX

/* How near a GPU is to the network card nearest to it. */
enum gw_card_near {
	GW_CARD_FAR,    /* on another socket, or not known */
	GW_CARD_SOCKET, /* on its socket */
	GW_CARD_NUMA,   /* on its NUMA node */
	GW_CARD_BRIDGE, /* below its host bridge */
	GW_CARD_SWITCH, /* by PCIe switches alone */
	GW_CARD_NEAREST = GW_CARD_SWITCH,
};

/* The inside of a node kind. Immutable once made. */
struct gw_shape_info {
	uint32_t gpus;    /* number of GPUs, at most GW_SHAPE_GPUS_MAX */
	uint32_t sockets; /* as Slurm counts them */
	/*
	 * Not 0: nobody looked for links between GPUs (NVLink, XGMI), which these may have; link
	 * is of PCIe and NUMA alone.
	 */
	uint32_t links_unknown;
	/* Strength of the link between two GPUs: larger is better, 0 is none; [i][i] is not used.
	 */
	uint8_t link[GW_SHAPE_GPUS_MAX][GW_SHAPE_GPUS_MAX];
	/*
	 * How near two GPUs are by PCIe and NUMA, where links between GPUs hide it: larger is
	 * nearer, up to 15; all 0: not known.
	 */
	uint8_t near[GW_SHAPE_GPUS_MAX][GW_SHAPE_GPUS_MAX];
	/* Socket (or NUMA node) that is nearest to each GPU, or GW_SHAPE_NO_SOCKET. */
	uint8_t socket[GW_SHAPE_GPUS_MAX];
	/* enum gw_card_near of each GPU; all equal: network cards tell no GPUs apart. */
	uint8_t card[GW_SHAPE_GPUS_MAX];
	char name[GW_SHAPE_NAME_SIZE]; /* of ShapeName=, cut to fit; empty: from gres.conf */
};

/* One node in a placement question. */
struct gw_node {
	uint32_t index;      /* the caller's, handed back in the answer */
	int32_t shape;       /* index of its gw_shape_info, or -1: links are not known */
	uint32_t domain;     /* smallest network domain it belongs to */
	uint32_t wider;      /* what that domain is part of */
	uint64_t weight;     /* the site's own order: lower is to be used first */
	gw_gpus all;         /* its GPUs of the kind asked for */
	gw_gpus free;        /* those that are free */
	gw_gpus offered;     /* of these, the only ones the job may have; 0: any */
	uint32_t gpus_other; /* GPUs of other kinds that are in use */
	/* As the job counts them: with one thread of a core, if that is all it uses. */
	uint32_t cpus_free;
	uint32_t cpus_total;
	uint32_t cpus_offered; /* of the free ones, the most that the job may have; 0: all */
	uint64_t memory_free, memory_total; /* MiB */
	int64_t busy_until; /* latest end by limit of the jobs on it, seconds from now; 0: idle */
	/* Chance that all its jobs have ended by each point of grid.h: gw_drain_node(); or NULL. */
	const float *ended;
};

struct gw_mix;

/* What a job needs of nodes. */
struct gw_ask {
	uint32_t min_nodes, max_nodes;
	uint32_t gpus_per_node;   /* fewest on each node; 0: not given */
	uint32_t gpus;            /* all nodes together; 0: gpus_per_node on each */
	uint32_t sockets;         /* of each node, with as many of its GPUs each; 0: anywhere */
	uint32_t cpus_per_node;   /* fewest on each node */
	uint32_t cpus_per_gpu;    /* fewest for each GPU there; 0: not given */
	uint64_t memory_per_node; /* MiB */
	/* With gpus: fewest of all nodes together; each gets its part of them by its GPUs. */
	uint32_t cpus;
	uint64_t memory;  /* MiB */
	bool whole_nodes; /* nodes with nothing else on them */
	int64_t limit;    /* time limit in seconds; 0: not known */
	/* Seconds it is expected to run at each point of grid.h: gw_drain_ask(); or NULL. */
	const float *stays;
	const struct gw_mix *mix; /* mix.h: what the site runs; NULL: not known */
};

/* One chosen node. */
struct gw_choice {
	uint32_t index; /* of the gw_node */
	gw_gpus gpus;   /* the GPUs to use there */
};

#endif

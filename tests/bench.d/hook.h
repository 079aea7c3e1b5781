// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The placement hook's own time: the hook that slurmctld has, with the objects of libgangway.so,
 * asked about nodes of 8 GPUs that are made here the way Slurm's select plugin hands them over.
 * Slurm's part is left out: it "answers" with the nodes that it is given.
 *
 * The functions of slurmctld that no such question calls stay unresolved.
 */
#ifndef HOOK_H
#define HOOK_H

#include "plugins/common/placement.h"
#include "src/core/gpuset.h"
#include "src/util/random.h"

#define HOOK_GPUS          8
#define HOOK_SOCKETS       2
#define HOOK_CORES         96 /* of a node */
#define HOOK_CORES_A_GPU   (HOOK_CORES / HOOK_GPUS)
#define HOOK_GPUS_A_SOCKET (HOOK_GPUS / HOOK_SOCKETS)
#define HOOK_MEMORY        (UINT64_C(1) << 20) /* MiB of a node */

/* A cluster, and the one job that asks for its nodes. Lives as long as the process. */
struct hook_cluster {
	uint32_t count;
	gw_gpus *busy;            /* by node */
	node_use_record_t *usage; /* by node */
	struct gw_placement question;
	bitstr_t *candidates; /* of the question; its own bitmap has the nodes chosen afterwards */
	job_record_t job;
	gw_job_details_t details;
	part_record_t partition;
	gres_state_t request_state;
	gres_job_state_t request;
	int asked_of_stock; /* stands for the adapter's record */
	struct gw_random random;
};

/* hook_nodes.c: three in ten nodes full, one in ten idle, run times of their jobs known. */
struct hook_cluster *hook_cluster_create(uint32_t nodes);

/* Makes these GPUs of a node busy, and their part of its cores and memory, and no others. */
void hook_node_set(struct hook_cluster *cluster, uint32_t node, gw_gpus busy);

/* A question: GPUs on each of some nodes. */
struct hook_kind {
	const char *name;
	uint32_t nodes, gpus;
	uint32_t candidates_max; /* 0: all that have room */
};

/* hook_busy.c: a question of a busy cluster of 1,000 nodes, and its number of candidates. */
#define HOOK_BUSY_NODES 1000
const struct hook_kind *hook_busy_draw(struct gw_random *random, uint32_t *candidates);

struct hook_figures {
	const char *name;
	uint32_t candidates;          /* median */
	uint64_t median_ns, tail_ns;  /* tail: 99.9 % are within */
	uint64_t questions, followed; /* of them by a preference */
	uint64_t allocations;
	uint64_t answers; /* equal where all nodes, GPUs and cores chosen are */
};

/* hook_ask.c: opens the hook; then rounds of one kind, or of the busy cluster's. */
void hook_open(struct hook_cluster *cluster);
void hook_ask_kind(struct hook_cluster *cluster, const struct hook_kind *kind, uint32_t rounds,
		   struct hook_figures *figures);
void hook_ask_busy(struct hook_cluster *cluster, uint32_t rounds, struct hook_figures *figures);

uint64_t hook_thread_ns(void); /* processor time of this thread */

/* Of look-ups in the table of a shape. */
struct hook_gpuset {
	uint32_t gpus; /* of a node */
	uint64_t lookups;
	double ns;        /* of one, on average */
	uint64_t answers; /* their sum */
};

/* hook_gpuset.c: every number of GPUs out of sets of free ones. False: no memory. */
bool hook_time_gpuset(uint32_t gpus, struct hook_gpuset *figures);

/* hook_memory.c: of the process so far. */
uint64_t hook_allocations(void);

#endif

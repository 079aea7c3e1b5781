// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Every spelling of a GPU request, read as the one request that Slurm makes of it.
 *
 * Follows gres_job_state_validate() of Slurm 22.05 and 24.11: what it ignores is ignored
 * here, what it refuses is refused here, of two entries of a type in one string the last
 * counts, and a total that is given in several ways is the greatest of them. GPUs of a type
 * and without one are the same devices and counted once.
 */
#ifndef GW_CORE_ROUTE_GPUS_H
#define GW_CORE_ROUTE_GPUS_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/error.h"
#include "../util/str.h"

enum gw_gpus_per {
	GW_PER_JOB,    /* --gpus */
	GW_PER_NODE,   /* --gres, --gpus-per-node */
	GW_PER_SOCKET, /* --gpus-per-socket */
	GW_PER_TASK,   /* --gpus-per-task, --tres-per-task */
	GW_PER_COUNT,
};

/* As in job_desc_msg_t. NULL and 0: not given. */
struct gw_gpus_request {
	const char *tres[GW_PER_COUNT]; /* "gres:gpu:h100:2", "gres/gpu=1,license/x=1" */
	uint32_t tasks, tasks_per_node, tasks_per_socket, tasks_per_gpu;
	uint32_t cpus_per_task, sockets_per_node;
	uint32_t nodes_min, nodes_max;
};

#define GW_GPU_TYPE_SIZE 64
#define GW_GPU_TYPES_MAX 8

/* One type of GPU in a request. */
struct gw_gpus_of_type {
	char type[GW_GPU_TYPE_SIZE]; /* empty: any type */
	uint32_t per[GW_PER_COUNT];
	uint32_t total; /* fewest, all nodes together */
};

struct gw_gpus {
	struct gw_gpus_of_type of[GW_GPU_TYPES_MAX];
	uint32_t types;
	uint32_t total;     /* fewest GPUs of all types that the job will hold */
	uint32_t total_max; /* most; 0: nothing bounds it but the nodes it gets */
	uint32_t per_node;  /* fewest on some node; 0: not said */
	uint32_t nodes_min; /* at least 1 */
	uint32_t nodes_max; /* 0: not said */
};

/* Reads a request. -1 with error, in the user's terms, where Slurm would refuse it. */
int gw_gpus_read(const struct gw_gpus_request *request, struct gw_gpus *gpus,
		 struct gw_error *error);

/*
 * Appends tres with the type filled in where an entry of GPUs has none ("gres:gpu:2" becomes
 * "gres:gpu:h100:2"); all else stays as it was. Returns how many were filled in.
 */
unsigned int gw_gpus_type_tres(const char *tres, const char *type, struct gw_str *typed);

#endif

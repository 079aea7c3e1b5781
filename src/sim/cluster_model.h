// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The cluster of a simulation: nodes, partitions and the parameters of Slurm's scheduler that
 * the model knows. Plain values, filled in from slurm.conf and its companions or from
 * "--nodes 104x8".
 */
#ifndef GW_SIM_CLUSTER_MODEL_H
#define GW_SIM_CLUSTER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../core/cluster.h"
#include "../util/error.h"

struct gw_model_node {
	char *name;
	uint32_t gpus, cpus; /* gpus at most GW_GPUS_MAX */
	uint64_t memory;     /* MiB */
	char *gpu_type;      /* NULL: untyped */
	uint32_t domain;     /* smallest switch or block; 0 when there is one */
	uint32_t weight;     /* of slurm.conf */
	int32_t shape;       /* of the shapes, or -1 */
};

struct gw_model_partition {
	char *name;
	bool *has; /* by node */
	bool is_default;
	int64_t max_time;     /* seconds, GW_TIME_INFINITE: none */
	int64_t default_time; /* that a job without limit gets; GW_TIME_NONE: max_time */
	uint32_t tier;        /* PriorityTier: sorts before priority */
	bool lln;             /* LLN=yes */
};

/* Slurm's names, Slurm's defaults; gw_model_sched_default() fills them in. */
struct gw_model_sched {
	int64_t batch_sched_delay;    /* seconds from an event to the main pass */
	int64_t sched_interval;       /* seconds between main passes without an event */
	uint32_t default_queue_depth; /* jobs that a pass after an event tries */
	int64_t bf_interval;
	int64_t bf_window; /* seconds; slurm.conf has minutes */
	int64_t bf_resolution;
	int64_t bf_window_linear; /* seconds by which windows of ends grow; 0: they double */
	uint32_t bf_max_job_test;
	uint32_t bf_max_job_user; /* 0: no limit */
	uint32_t bf_max_job_part; /* 0: no limit */
	bool bf_continue;
	bool bf_windows;       /* starts are estimated in windows, as select does */
	bool defer;            /* no start at submit */
	bool backfill;         /* sched/backfill, not sched/builtin */
	int64_t complete_wait; /* seconds in which ended jobs hold their nodes */
};

struct gw_model {
	struct gw_model_node *node;
	size_t node_count;
	struct gw_model_partition *partition; /* at least one */
	size_t partition_count;
	struct gw_shape_info *shape;
	size_t shape_count;
	struct gw_model_sched sched;
};

void gw_model_sched_default(struct gw_model_sched *sched);

/*
 * "104x8": so many nodes of so many GPUs each, 16 CPUs and 128 GiB a GPU; "96x8,4x4" kinds one
 * after another; one partition. Returns 0 with a model for gw_model_free(), or -1 with error.
 */
int gw_model_of_text(const char *text, struct gw_model *model, struct gw_error *error);
void gw_model_free(struct gw_model *model);

#endif

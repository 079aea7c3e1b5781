// SPDX-License-Identifier: GPL-2.0-or-later
/* What the command asks slurmctld, through libslurm alone. */
#ifndef GW_TOOLS_SLURMCTLD_H
#define GW_TOOLS_SLURMCTLD_H

#include <slurm/slurm.h>
#include <stdbool.h>
#include <stdint.h>

#include "slurm_conf.h"

/* Points libslurm to this slurm.conf. Whether a controller answers; costs one ping each. */
bool gw_slurmctld_answers(const char *slurm_conf, const struct gw_slurm_conf *slurm);

/* "12", "12_3" (a task of an array), "12+1" (a part of a het job). */
struct gw_job_name {
	uint32_t id;
	uint32_t task, part; /* NO_VAL: not given */
};

/* Returns 0, or -1 when text is none of them. */
int gw_job_name_parse(const char *text, struct gw_job_name *name);

struct gw_asked_job {
	job_info_msg_t *message;
	slurm_job_info_t *info; /* in message; NULL: slurmctld knows no such job */
	const char *state;      /* "PENDING" */
	char reason[64];        /* "AssocGrpGRES", without the description */
};

/* Returns 0, or -1 with error when slurmctld does not tell. Freed by gw_asked_job_free(). */
int gw_asked_job_load(const struct gw_job_name *name, struct gw_asked_job *job,
		      struct gw_error *error);
void gw_asked_job_free(struct gw_asked_job *job);

/*
 * What scontrol show job -d prints of it: the one text in which all versions of Slurm tell which
 * CPUs a job has on which node. Freed by the caller; NULL: it can not be had.
 */
char *gw_asked_job_text(const slurm_job_info_t *info);

struct gw_asked_nodes {
	node_info_msg_t *nodes;
	partition_info_msg_t *partitions;
};

/* GPUs of one flavor on the nodes of its partition that take jobs. */
struct gw_gpus_free {
	uint32_t free;
	uint32_t on_a_node; /* most of them on one */
	uint32_t nodes;     /* that have at least per_node of them */
};

int gw_asked_nodes_load(struct gw_asked_nodes *asked, struct gw_error *error);
void gw_asked_nodes_free(struct gw_asked_nodes *asked);

/* gres: "gpu" or "gpu:TYPE". */
struct gw_gpus_free gw_gpus_free_of(const struct gw_asked_nodes *asked, const char *gres,
				    const char *partition, uint32_t per_node);

#endif

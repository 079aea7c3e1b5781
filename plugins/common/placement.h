// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The placement hook, one for all Slurm generations: choose_nodes of 22.05 and
 * topology_p_eval_nodes of 23.11 and later are adapters that fill in this question.
 */
#ifndef GW_PLACEMENT_H
#define GW_PLACEMENT_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"

/* One question. Slurm holds its job and node write locks; all pointers are Slurm's. */
struct gw_placement {
	job_record_t *job;
	bitstr_t *node_map;      /* in: nodes that could serve; out: the nodes chosen */
	bitstr_t **avail_core;   /* per node index; NULL where there is none */
	avail_res_t **avail_res; /* per node index; NULL where there is none */

	/* As stock was asked; max 0: no bound. Stock gives req, or down to min when it can not. */
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t cr_type;

	/* The stock answer: 0 or an error. Changes all of the above and *ask. */
	int (*stock)(struct gw_placement *question);
	void *ask;       /* the adapter's record of the other parameters */
	size_t ask_size; /* its size in bytes, so that it can be put back */
};

/* Answers the question; the value is for Slurm. */
GW_EXPORT int gw_placement_answer(struct gw_placement *question);

#endif

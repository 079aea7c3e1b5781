// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of preference share. */
#ifndef GW_PREFERENCE_IMPL_H
#define GW_PREFERENCE_IMPL_H

#include "plugins/common/place_memory.h"
#include "plugins/common/preference.h"

/* preference_ask.c: the job's one request for GPUs, NULL if it has none; *many: it has more. */
const gres_job_state_t *gw_preference_request(const job_record_t *job, bool *many);

/*
 * Fills what the job asks of nodes, of which it gets so many (0: as the question says). Returns why
 * stock should answer without us, or NULL. *range: because it may have more or fewer nodes.
 */
const char *gw_preference_ask(const struct gw_placement *question, const gres_job_state_t *request,
			      uint32_t nodes, struct gw_ask *ask, bool *range);

/* preference_nodes.c: the record of a node's GPUs in a question, or NULL. */
sock_gres_t *gw_preference_gpus(const avail_res_t *resources);

/* The GPUs stock would choose from: in some socket's bitmap, and not in use. False: too many. */
bool gw_preference_free_gpus(const sock_gres_t *gres, gw_gpus *free);

/*
 * Fills memory->node with the nodes of a question (request NULL: a job without GPUs), their
 * domains of the lowest level; returns their number.
 */
size_t gw_preference_nodes(const struct gw_placement *question, const gres_job_state_t *request,
			   const struct gw_ask *ask, struct gw_place_memory *memory);

/*
 * preference_cores.c: the cores to use with the chosen GPUs, one for each of the count choices in
 * memory, where they are known, and what the job needs there is certain; valid until the next
 * question. NULL: any will do on every node.
 */
const struct gw_core_choice *gw_preference_cores(const struct gw_placement *question,
						 const gres_job_state_t *request,
						 const struct gw_ask *ask,
						 struct gw_place_memory *memory, size_t count);

/* Leaves the job only these cores of node number index, which are free there. */
void gw_preference_narrow_cores(struct gw_placement *question, uint32_t index,
				const struct gw_cores *chosen);

#endif

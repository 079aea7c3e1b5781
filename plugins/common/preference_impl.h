// SPDX-License-Identifier: GPL-2.0-or-later
/* What the files of preference share. */
#ifndef GW_PREFERENCE_IMPL_H
#define GW_PREFERENCE_IMPL_H

#include "plugins/common/place_memory.h"
#include "plugins/common/preference.h"
#include "src/core/sockets.h"

/* preference_ask.c: the job's one request for GPUs, NULL if it has none; *many: it has more. */
const gres_job_state_t *gw_preference_request(const job_record_t *job, bool *many);

/*
 * Fills what the job asks of nodes, of which it gets so many (0: as the question says). Returns why
 * stock should answer without us, or NULL. *range: because it may have more or fewer nodes.
 */
const char *gw_preference_ask(const struct gw_placement *question, const gres_job_state_t *request,
			      uint32_t nodes, struct gw_ask *ask, bool *range);

/* Whether a number of the job's multi-core options says anything. */
static inline bool gw_preference_is_given(uint16_t number)
{
	return number && number != NO_VAL16 && number != INFINITE16;
}

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

/* A question about the cores of so many nodes. */
struct gw_core_question {
	const struct gw_placement *question;
	const gres_job_state_t *request;
	const struct gw_ask *ask;
	size_t nodes;
};

/*
 * preference_sockets.c: what a job asks of GPUs by socket. Returns why that is left to stock, or
 * NULL.
 */
const char *gw_preference_ask_sockets(const struct gw_placement *question,
				      const gres_job_state_t *request, struct gw_ask *ask);

/* The GPUs such a job is to have on a node whose free ones are known; 0: none, it has no room. */
gw_gpus gw_preference_offer_sockets(const struct gw_core_question *asked, const sock_gres_t *gres,
				    const struct gw_place_memory *memory,
				    const struct gw_node *node);

/* The sockets that some of these GPUs of a node are near, as bits. */
uint32_t gw_preference_sockets_of(const sock_gres_t *gres, gw_gpus gpus);

/* preference_cores.c: CPUs of a core with so many threads to the job. */
uint32_t gw_preference_core_worth(const gw_job_details_t *details, uint32_t threads);

/* preference_cores.c: cores that the job needs on a node with so many GPUs; 0: it is not certain
 * how many. */
uint32_t gw_preference_cores_needed(const struct gw_core_question *asked, uint32_t index,
				    uint32_t gpus);

/* Only where Slurm gives out cores, and the job does not have all of them anyway. */
bool gw_preference_may_narrow_cores(const struct gw_placement *question, const struct gw_ask *ask);
bool gw_preference_may_narrow_node(const struct gw_placement *question, uint32_t index);

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

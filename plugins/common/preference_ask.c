// SPDX-License-Identifier: GPL-2.0-or-later
/* What a job asks of nodes, in core's words, or why the question is stock's alone. */
#include "plugins/common/preference_impl.h"

#include <string.h>

#include "plugins/common/gres_name.h"
#include "plugins/common/weak.h"
#include "src/util/arith.h"

const gres_job_state_t *gw_preference_request(const job_record_t *job, bool *many)
{
	const gres_state_t *state;
	int count = job->gres_list_req ? list_count(job->gres_list_req) : 0;

	*many = count > 1;
	if (count != 1)
		return NULL;
	state = list_peek(job->gres_list_req);
	*many = !gw_gres_is_gpu(state);
	return *many ? NULL : state->gres_data;
}

static const char *leave_to_stock(const struct gw_placement *question)
{
	const job_record_t *job = question->job;

	if (job->details->contiguous || (job->bit_flags & SPREAD_JOB))
		return "contiguous or spread";
	if (GW_JOB_HAS_SEGMENTS(job))
		return "the user asks for segments";
	if ((question->cr_type & CR_LLN) ||
	    (job->part_ptr && (job->part_ptr->flags & PART_FLAG_LLN)))
		return "least loaded nodes are wanted";
	return NULL;
}

/* Fills what the job asks of GPUs; returns why it is asked in a way that is left to stock. */
static const char *ask_gpus(const struct gw_placement *question, const gres_job_state_t *request,
			    struct gw_ask *ask)
{
	const job_record_t *job = question->job;

	if (request->gres_per_socket)
		return gw_preference_ask_sockets(question, request, ask);
	if (request->gres_per_node) {
		ask->gpus_per_node = (uint32_t)request->gres_per_node;
		ask->max_nodes = ask->min_nodes;
		return NULL;
	}
	if (request->gres_per_job)
		ask->gpus = (uint32_t)request->gres_per_job;
	else if (request->gres_per_task && job->details->num_tasks)
		ask->gpus = (uint32_t)(request->gres_per_task * job->details->num_tasks);
	if (ask->min_nodes == 1 && ask->max_nodes == 1) {
		ask->gpus_per_node = ask->gpus;
		ask->gpus = 0;
	}
	return ask->gpus || ask->gpus_per_node ? NULL : "no number of GPUs";
}

static uint32_t cpus_per_node(const job_record_t *job, const struct gw_ask *ask)
{
	if (ask->gpus) /* how many nodes is not known yet */
		return MAX(job->details->pn_min_cpus, 1);
	return MAX((uint32_t)gw_divide_up(job->details->min_cpus, ask->min_nodes),
		   job->details->pn_min_cpus);
}

/* MiB that are asked for by CPU or by GPU, for so many of them. */
static uint64_t memory_of(const struct gw_placement *question, const gres_job_state_t *request,
			  uint32_t cpus, uint32_t gpus)
{
	uint64_t least = question->job->details->pn_min_memory, of_cpus = 0, of_gpu = 0;

	if (least & MEM_PER_CPU)
		of_cpus = (least & ~MEM_PER_CPU) * cpus;
	if (request)
		of_gpu = request->mem_per_gres ? request->mem_per_gres : request->def_mem_per_gres;
	return MAX(of_cpus, of_gpu * gpus);
}

/* Of each node; and, where it is open how many GPUs one gives, of all of them together. */
static void ask_cpus_and_memory(const struct gw_placement *question,
				const gres_job_state_t *request, struct gw_ask *ask)
{
	const gw_job_details_t *details = question->job->details;
	uint32_t gpus = ask->gpus_per_node;

	ask->cpus_per_node = cpus_per_node(question->job, ask);
	if (ask->gpus)
		ask->cpus = MAX(details->min_cpus, ask->cpus_per_gpu * ask->gpus);
	if (!(question->cr_type & CR_MEMORY))
		return;
	ask->memory_per_node = memory_of(question, request,
					 MAX(ask->cpus_per_node, ask->cpus_per_gpu * gpus), gpus);
	if (!(details->pn_min_memory & MEM_PER_CPU))
		ask->memory_per_node = MAX(ask->memory_per_node, details->pn_min_memory);
	if (ask->gpus)
		ask->memory = memory_of(question, request, ask->cpus, ask->gpus);
}

/* As stock does: a job of few tasks gets no more nodes than tasks. */
static void ask_nodes(const struct gw_placement *question, uint32_t nodes, struct gw_ask *ask)
{
	uint32_t tasks = question->job->details->num_tasks;

	ask->min_nodes = MAX(nodes ? nodes : question->min_nodes, 1);
	ask->max_nodes = nodes ? nodes : question->max_nodes ? question->max_nodes : INFINITE;
	if (tasks && ask->max_nodes > tasks)
		ask->max_nodes = MAX(tasks, ask->min_nodes);
}

/* GPUs of the whole job say by themselves how many nodes are best. */
static bool is_range(const struct gw_placement *question, const gres_job_state_t *request,
		     const struct gw_ask *ask)
{
	bool by_node = !request || request->gres_per_node ||
		       (request->gres_per_socket && !request->gres_per_job);

	return by_node && question->req_nodes > ask->min_nodes;
}

const char *gw_preference_ask(const struct gw_placement *question, const gres_job_state_t *request,
			      uint32_t nodes, struct gw_ask *ask, bool *range)
{
	const job_record_t *job = question->job;
	const char *reason = leave_to_stock(question);

	memset(ask, 0, sizeof(*ask));
	ask_nodes(question, nodes, ask);
	if (!reason && request)
		reason = ask_gpus(question, request, ask);
	*range = !reason && !nodes && is_range(question, request, ask);
	if (*range)
		reason = "a range of nodes";
	if (reason)
		return reason;
	if (!request)
		ask->max_nodes = ask->min_nodes;
	if (request)
		ask->cpus_per_gpu = request->cpus_per_gres ? request->cpus_per_gres
							   : request->def_cpus_per_gres;
	ask_cpus_and_memory(question, request, ask);
	ask->limit = job->time_limit == INFINITE || job->time_limit == NO_VAL
			     ? 0
			     : (int64_t)job->time_limit * 60;
	ask->whole_nodes = GW_WHOLE_NODES(job->details);
	return NULL;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cores that belong to the chosen GPUs. Slurm knows GPUs by socket: of a large socket it gives any
 * core, also far from the GPU's NUMA node.
 */
#include "plugins/common/preference_impl.h"

#include "plugins/common/weak.h"

/* CPUs the job needs on its one node. */
static uint64_t cpus_needed(const struct gw_placement *question, const struct gw_ask *ask,
			    const struct gw_choice *choice)
{
	const job_record_t *job = question->job;
	uint64_t by_gpus = (uint64_t)ask->cpus_per_gpu * gw_gpus_count(choice->gpus);
	uint64_t by_tasks = (uint64_t)job->details->num_tasks * MAX(job->details->cpus_per_task, 1);
	uint64_t least = MAX(ask->cpus_per_node, job->details->min_cpus);

	return MAX(MAX(by_gpus, by_tasks), least);
}

/* Only where Slurm gives out cores, and the job does not have all of them anyway. */
static bool may_narrow(const struct gw_placement *question, const struct gw_ask *ask,
		       const struct gw_choice *choice)
{
	const avail_res_t *resources = question->avail_res[choice->index];

	return (question->cr_type & CR_CORE) && !(question->cr_type & CR_SOCKET) &&
	       !ask->whole_nodes && choice->gpus && resources && resources->tpc &&
	       question->avail_core[choice->index];
}

bitstr_t *gw_preference_cores(const struct gw_placement *question, const struct gw_ask *ask,
			      const struct gw_shapes *shapes, const struct gw_choice *choice)
{
	bitstr_t *free = question->avail_core[choice->index], *near;
	const sock_gres_t *gres = gw_preference_gpus(question->avail_res[choice->index]);
	bitoff_t count = 0;

	if (!gres || !may_narrow(question, ask, choice))
		return NULL;
	near = bit_alloc(bit_size(free));
	if (gw_shapes_near(shapes, (int)choice->index, gres->gres_state_node->gres_data,
			   choice->gpus, near)) {
		bit_and(near, free);
		count = bit_set_count(near);
	}
	if ((uint64_t)count * question->avail_res[choice->index]->tpc <
		    cpus_needed(question, ask, choice) ||
	    count == bit_set_count(free))
		FREE_NULL_BITMAP(near);
	return near;
}

void gw_preference_narrow_cores(struct gw_placement *question, uint32_t index, bitstr_t *near)
{
	const node_record_t *node = node_record_table_ptr[index];
	avail_res_t *resources = question->avail_res[index];
	bitstr_t *cores = question->avail_core[index];
	uint32_t cpus;

	bit_and(cores, near);
	cpus = (uint32_t)bit_set_count(cores) * resources->tpc;
	resources->avail_cpus = (uint16_t)MIN(resources->avail_cpus, cpus);
	for (int s = 0; resources->avail_cores_per_sock && s < resources->sock_cnt; s++) {
		bitoff_t first = (bitoff_t)s * node->cores;
		int32_t here = bit_set_count_range(cores, first, first + node->cores);

		resources->avail_cores_per_sock[s] =
			(uint16_t)MIN(resources->avail_cores_per_sock[s], here);
	}
}

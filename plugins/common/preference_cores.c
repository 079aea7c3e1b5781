// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Cores that belong to the chosen GPUs. Slurm knows GPUs by socket: of a large socket it gives any
 * core, also far from the GPU's NUMA node. What a job needs on a node is counted in cores, because
 * with more of them than that in question Slurm takes the lowest, not the nearest.
 */
#include "plugins/common/preference_impl.h"

#include "plugins/common/weak.h"

struct work {
	struct gw_core_question asked;
	const struct gw_shapes *shapes;
	const struct gw_choice *choice;
};

/*
 * How many sockets and boards are to be used Slurm looks at before it asks us, and not again. With
 * GPUs by socket the number of sockets is ours to keep.
 */
static bool asks_for_sockets(const multi_core_data_t *wanted, bool by_socket)
{
	if (!wanted)
		return false;
	if (!by_socket && (gw_preference_is_given(wanted->sockets_per_node) ||
			   gw_preference_is_given(wanted->ntasks_per_socket)))
		return true;
	return gw_preference_is_given(wanted->boards_per_node) ||
	       gw_preference_is_given(wanted->sockets_per_board) ||
	       gw_preference_is_given(wanted->cores_per_socket) ||
	       gw_preference_is_given(wanted->ntasks_per_board);
}

bool gw_preference_may_narrow_cores(const struct gw_placement *question, const struct gw_ask *ask)
{
	const gw_job_details_t *details = question->job->details;

	return (question->cr_type & CR_CORE) && !(question->cr_type & CR_SOCKET) &&
	       !GW_WHOLE_NODES(details) && !details->overcommit && details->core_spec == NO_VAL16 &&
	       !asks_for_sockets(details->mc_ptr, ask->sockets > 0);
}

/* Slurm counts a core as one CPU then, by rules of its own. */
static bool core_is_cpu(void)
{
	return slurm_conf.select_type_param & CR_ONE_TASK_PER_CORE;
}

/* All but tasks and CPUs, on a node whose cores have so many threads. */
static struct gw_core_need need_of_job(const gw_job_details_t *details, uint32_t threads)
{
	const multi_core_data_t *wanted = details->mc_ptr;
	struct gw_core_need need = {.cpus_per_task = details->cpus_per_task, .threads = threads};

	if (wanted && gw_preference_is_given(wanted->threads_per_core))
		need.threads = MIN(threads, wanted->threads_per_core);
	if (wanted && gw_preference_is_given(wanted->ntasks_per_core))
		need.tasks_per_core = wanted->ntasks_per_core;
	if (core_is_cpu())
		need.threads = 1;
	return need;
}

uint32_t gw_preference_core_worth(const gw_job_details_t *details, uint32_t threads)
{
	struct gw_core_need need;

	if (threads < 2)
		return 1;
	need = need_of_job(details, threads);
	return gw_core_need_worth(&need);
}

static bool spreads_as_told(const gw_job_details_t *details)
{
	uint32_t how = details->task_dist & SLURM_DIST_STATE_BASE;

	return how == SLURM_DIST_ARBITRARY || how == SLURM_DIST_PLANE;
}

/* Tasks on one of several nodes; 0: Slurm decides. */
static uint32_t tasks_of_many(const struct gw_core_question *asked, uint32_t gpus)
{
	const gw_job_details_t *details = asked->question->job->details;

	if (spreads_as_told(details))
		return 0;
	if (details->ntasks_per_node)
		return details->ntasks_per_node;
	if (asked->request->gres_per_task)
		return (uint32_t)(gpus / asked->request->gres_per_task);
	if (gw_preference_is_given(details->ntasks_per_tres))
		return gpus * details->ntasks_per_tres;
	/* Each has one at least. With CPUs for each GPU these are what makes the size of a node. */
	return details->num_tasks <= asked->nodes || asked->ask->cpus_per_gpu ? 1 : 0;
}

uint32_t gw_preference_cores_needed(const struct gw_core_question *asked, uint32_t index,
				    uint32_t gpus)
{
	const gw_job_details_t *details = asked->question->job->details;
	const struct gw_ask *ask = asked->ask;
	struct gw_core_need need = need_of_job(details, asked->question->avail_res[index]->tpc);

	if (asked->nodes == 1) {
		need.tasks = MAX(details->num_tasks, 1);
		need.cpus = MAX(ask->cpus_per_node, details->min_cpus);
	} else {
		need.tasks = tasks_of_many(asked, gpus);
		need.cpus = details->pn_min_cpus;
	}
	need.cpus = MAX(need.cpus, ask->cpus_per_gpu * gpus);
	return gw_core_need_cores(&need);
}

bool gw_preference_may_narrow_node(const struct gw_placement *question, uint32_t index)
{
	const avail_res_t *resources = question->avail_res[index];
	bitstr_t *cores = question->avail_core[index];

	return resources && resources->tpc && cores && bit_size(cores) <= GW_CORES_MAX &&
	       !GW_RESTRICTS_CORES(node_record_table_ptr[index]);
}

/* Other GPUs that are free: jobs to come have more of their cores then. */
static void mark_other(const struct work *work, const struct gw_choice *choice,
		       const sock_gres_t *gres, struct gw_cores *cores)
{
	gw_gpus free;

	if (gw_preference_free_gpus(gres, &free))
		(void)gw_shapes_near(work->shapes, (int)choice->index,
				     gres->gres_state_node->gres_data, free & ~choice->gpus, cores);
}

/* Nothing is left of a gang's node to anybody with GPUs: which cores is of little moment there. */
static bool takes_all_gpus(const struct work *work, const struct gw_choice *choice,
			   const sock_gres_t *gres)
{
	const gres_node_state_t *gpus = gres->gres_state_node->gres_data;

	return work->asked.nodes > 1 && gw_gpus_count(choice->gpus) >= gpus->gres_cnt_avail;
}

/* False: any cores of that node. */
static bool choose_on_node(const struct work *work, const struct gw_choice *choice,
			   struct gw_cores *chosen)
{
	const job_record_t *job = work->asked.question->job;
	const sock_gres_t *gres =
		gw_preference_gpus(work->asked.question->avail_res[choice->index]);
	struct gw_cores free = {{0}}, near = {{0}}, other = {{0}};
	struct gw_coreset_ask ask = {
		.per_socket = node_record_table_ptr[choice->index]->cores,
		.wanted = gw_preference_cores_needed(&work->asked, choice->index,
						     gw_gpus_count(choice->gpus)),
		.exact = !core_is_cpu() && job->details->max_cpus == NO_VAL,
		.bound = (job->bit_flags & GRES_ENFORCE_BIND) != 0,
		.free = &free,
		.near = &near,
		.other = &other,
	};
	bool by_socket = work->asked.ask->sockets > 0, known;

	if (!gres || (!by_socket && (!ask.wanted || takes_all_gpus(work, choice, gres))))
		return false;
	known = gw_shapes_near(work->shapes, (int)choice->index, gres->gres_state_node->gres_data,
			       choice->gpus, &near);
	if (!known && !by_socket)
		return false;
	gw_shapes_add_bits(work->asked.question->avail_core[choice->index], &free);
	if (by_socket)
		return gw_sockets_cores(&ask, gw_preference_sockets_of(gres, choice->gpus), chosen);
	if (gw_cores_common(&free, &near) < ask.wanted)
		mark_other(work, choice, gres, &other);
	return gw_coreset_choose(&ask, chosen);
}

/* CPUs that a chosen node gives with these cores. */
static uint64_t cpus_given(const struct work *work, const struct gw_choice *choice,
			   const struct gw_core_choice *cores)
{
	const avail_res_t *resources = work->asked.question->avail_res[choice->index];

	if (!cores->some)
		return resources ? resources->avail_cpus : 0;
	return (uint64_t)gw_cores_count(&cores->cores) *
	       gw_preference_core_worth(work->asked.question->job->details, resources->tpc);
}

const struct gw_core_choice *gw_preference_cores(const struct gw_placement *question,
						 const gres_job_state_t *request,
						 const struct gw_ask *ask,
						 struct gw_place_memory *memory, size_t count)
{
	const gw_job_details_t *details = question->job->details;
	const struct work work = {{question, request, ask, count}, memory->shapes, memory->choice};
	struct gw_core_choice *cores = NULL;
	uint64_t given = 0;
	bool any = false, all = true;

	if (request && gw_preference_may_narrow_cores(question, ask))
		cores = gw_place_memory_cores(memory, count);
	for (size_t i = 0; cores && i < count; i++) {
		const struct gw_choice *choice = &work.choice[i];

		cores[i].some = choice->gpus &&
				gw_preference_may_narrow_node(question, choice->index) &&
				choose_on_node(&work, choice, &cores[i].cores);
		any = any || cores[i].some;
		all = all && cores[i].some;
		given += cpus_given(&work, choice, &cores[i]);
	}
	/* Of several nodes one would have to give what another is short of. */
	if (any && count > 1)
		any = given >= MAX(details->min_cpus,
				   (uint64_t)details->num_tasks * MAX(details->cpus_per_task, 1));
	return any && (all || !ask->sockets) ? cores : NULL;
}

void gw_preference_narrow_cores(struct gw_placement *question, uint32_t index,
				const struct gw_cores *chosen)
{
	const node_record_t *node = node_record_table_ptr[index];
	avail_res_t *resources = question->avail_res[index];
	bitstr_t *cores = question->avail_core[index];
	bitoff_t last = bit_fls(cores);
	uint32_t cpus;

	for (bitoff_t i = bit_ffs(cores); i >= 0 && i <= last; i++)
		if (!gw_cores_have(chosen, (uint32_t)i))
			bit_clear(cores, i);
	cpus = gw_cores_count(chosen) * resources->tpc;
	resources->avail_cpus = (uint16_t)MIN(resources->avail_cpus, cpus);
	for (int s = 0; resources->avail_cores_per_sock && s < resources->sock_cnt; s++) {
		bitoff_t first = (bitoff_t)s * node->cores;
		int32_t here = bit_set_count_range(cores, first, first + node->cores);

		resources->avail_cores_per_sock[s] =
			(uint16_t)MIN(resources->avail_cores_per_sock[s], here);
	}
}

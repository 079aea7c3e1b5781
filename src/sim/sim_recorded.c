// SPDX-License-Identifier: GPL-2.0-or-later
/* What really happened, measured as simulations are: the jobs start when and where they did. */
#include <stdlib.h>
#include <string.h>

#include "../util/hostlist.h"
#include "sim_impl.h"

/* A node by name. */
struct name {
	const char *text;
	uint32_t index;
};

struct recorded {
	struct sim *sim;
	struct name *name; /* by text */
	uint32_t *start;   /* jobs by recorded start */
	size_t count;
};

static int compare_names(const void *a, const void *b)
{
	const struct name *left = a, *right = b;

	return strcmp(left->text, right->text);
}

static int64_t start_of(const struct sim *sim, uint32_t job)
{
	return sim->trace->job[sim->job[job].trace].start;
}

static int compare_starts(const void *a, const void *b, void *arg)
{
	uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
	int64_t first = start_of(arg, left), second = start_of(arg, right);

	if (first != second)
		return first < second ? -1 : 1;
	return left < right ? -1 : left > right;
}

/* Jobs without a recorded start never waited for one as far as is known: they are left out. */
static int find_starts(struct recorded *recorded)
{
	struct sim *sim = recorded->sim;

	recorded->start = calloc(sim->job_count + 1, sizeof(*recorded->start));
	recorded->name = calloc(sim->node_count + 1, sizeof(*recorded->name));
	if (!recorded->start || !recorded->name)
		return gw_error_memory(sim->error);
	for (uint32_t i = 0; i < sim->job_count; i++) {
		if (start_of(sim, i) == GW_TRACE_NONE)
			sim->result->left_out++;
		else
			recorded->start[recorded->count++] = i;
	}
	qsort_r(recorded->start, recorded->count, sizeof(*recorded->start), compare_starts, sim);
	for (uint32_t i = 0; i < sim->node_count; i++)
		recorded->name[i] = (struct name){sim->model->node[i].name, i};
	qsort(recorded->name, sim->node_count, sizeof(*recorded->name), compare_names);
	return 0;
}

/* Free GPUs of a node, as many as there are of those wanted; clocks may differ by a second. */
static uint32_t take_of(struct sim *sim, uint32_t index, uint32_t gpus, size_t *chosen)
{
	uint32_t free = gw_gpus_count(sim->node[index].free);

	gpus = gpus < free ? gpus : free;
	sim->choice[(*chosen)++] =
		(struct gw_choice){index, gw_gpuset_choose(NULL, sim->node[index].free, gpus)};
	return gpus;
}

/*
 * GPUs on the next of so many nodes: as simulations have it, the rest on the last or where no more
 * are free; evenly when it ran on another number of nodes.
 */
static uint32_t share_of(const struct sim *sim, const struct sim_job *job, size_t all,
			 size_t nodes_left, uint32_t left)
{
	const struct sim_need *need = &sim->need[job->need];
	uint32_t gpus = sim->unit[need->unit].gpus;

	if (all != need->nodes + (need->rest != UINT32_MAX))
		return (left + (uint32_t)nodes_left - 1) / (uint32_t)nodes_left;
	return left < gpus ? left : gpus;
}

/* The nodes where it ran. Returns their number; 0: they are not those of this cluster. */
static size_t choose_recorded(struct recorded *recorded, const struct sim_job *job)
{
	struct sim *sim = recorded->sim;
	const struct gw_trace_job *from = &sim->trace->job[job->trace];
	struct gw_strings names = {0};
	struct gw_error ignored = {0};
	uint32_t left = from->gpus;
	size_t chosen = 0;

	if (gw_hostlist_expand(sim->trace->names[from->node_list], sim->node_count, &names,
			       &ignored))
		return 0;
	for (size_t i = 0; i < names.count; i++) {
		struct name wanted = {names.item[i], 0};
		const struct name *found = bsearch(&wanted, recorded->name, sim->node_count,
						   sizeof(wanted), compare_names);

		if (!found) {
			chosen = 0;
			break;
		}
		left -= take_of(sim, found->index,
				share_of(sim, job, names.count, names.count - i, left), &chosen);
	}
	gw_strings_free(&names);
	return chosen;
}

/* Where it is not known: on the node that it would leave fullest. */
static size_t choose_any(struct sim *sim, const struct sim_job *job)
{
	const struct sim_need *need = &sim->need[job->need];
	size_t count = 0;

	for (uint32_t i = 0; i < sim->node_count; i++)
		if (sim_lane_has(sim, need, i))
			sim_node_at(sim, i, sim->now, &sim->candidate[count++]);
	return sim_choose(sim, job, count);
}

static int start_recorded(struct recorded *recorded, uint32_t index)
{
	struct sim *sim = recorded->sim;
	const struct sim_job *job = &sim->job[index];
	size_t chosen = choose_recorded(recorded, job);

	if (!chosen)
		chosen = choose_any(sim, job);
	if (chosen)
		return sim_start(sim, index, chosen);
	sim_waits_no_more(sim, index);
	sim->result->left_out++;
	return 0;
}

/* Jobs that never started do not count as waiting: nobody knows whether they could have. */
static int run(struct recorded *recorded)
{
	struct sim *sim = recorded->sim;
	size_t next = 0, submit = 0;

	while (next < recorded->count || sim->end_count) {
		int64_t at = sim->end_count ? sim->ends[0].at : GW_SIM_NEVER;

		if (next < recorded->count)
			at = sim_earlier(at, start_of(sim, recorded->start[next]));
		while (submit < sim->job_count && start_of(sim, (uint32_t)submit) == GW_TRACE_NONE)
			submit++;
		if (submit < sim->job_count)
			at = sim_earlier(at, sim->job[submit].eligible);
		sim_measure_to(sim, at);
		sim->now = at;
		while (sim->end_count && sim->ends[0].at <= at)
			if (sim_end(sim))
				return -1;
		if (submit < sim->job_count && sim->job[submit].eligible <= at) {
			sim_wait(sim, (uint32_t)submit++);
			continue;
		}
		while (next < recorded->count && start_of(sim, recorded->start[next]) <= at)
			if (start_recorded(recorded, recorded->start[next++]))
				return -1;
	}
	return 0;
}

int gw_sim_recorded(const struct gw_trace *trace, const struct gw_model *model,
		    const struct gw_sim_policy *policy, const struct gw_sim_options *options,
		    struct gw_sim_result *result, struct gw_error *error)
{
	struct gw_sim_policy as_recorded = {
		.name = policy->name,
		.order = GW_SIM_ORDER_FIFO,
		.place = GW_SIM_PLACE_BEST_FIT,
		.conf = policy->conf,
	};
	struct sim sim = {
		.trace = trace,
		.model = model,
		.policy = &as_recorded,
		.options = options,
		.error = error,
		.result = result,
		.version = 1,
	};
	struct recorded recorded = {.sim = &sim};
	int rc = -1;

	memset(result, 0, sizeof(*result));
	if (!sim_load(&sim) && !find_starts(&recorded)) {
		sim_find_window(&sim);
		if (!sim_measure_new(&sim) && !run(&recorded) && !sim_measure_end(&sim))
			rc = 0;
	}
	free(recorded.start);
	free(recorded.name);
	sim_unload(&sim);
	if (rc)
		gw_sim_result_free(result);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim_jobs.h"

#include <inttypes.h>
#include <stdio.h>

#include "conf_text.h"
#include "src/sim/sim_impl.h"
#include "unit.h"

#define NODES_MAX 1024

/* Who holds what, kept apart from the simulator's own books. The linker sends calls here. */
static struct {
	const struct sim_jobs *jobs;
	gw_gpus busy[NODES_MAX];
	uint32_t cpus[NODES_MAX];
	uint64_t memory[NODES_MAX];
	uint32_t gpus[SIM_JOBS_MAX];
	char where[SIM_JOBS_MAX][SIM_WHERE];
} watch;

int __real_sim_hold(struct sim *sim, uint32_t job, const struct gw_choice *choice,
		    const struct sim_unit *unit, int64_t until);
int __wrap_sim_hold(struct sim *sim, uint32_t job, const struct gw_choice *choice,
		    const struct sim_unit *unit, int64_t until);
void __real_sim_release(struct sim *sim, uint32_t job, uint32_t index);
void __wrap_sim_release(struct sim *sim, uint32_t job, uint32_t index);

static void note_where(uint32_t job, const struct gw_choice *choice)
{
	size_t used = strlen(watch.where[job]);

	if (used + 32 < SIM_WHERE)
		snprintf(watch.where[job] + used, SIM_WHERE - used, "%s%u:%" PRIx64,
			 used ? " " : "", choice->index, choice->gpus);
}

int __wrap_sim_hold(struct sim *sim, uint32_t job, const struct gw_choice *choice,
		    const struct sim_unit *unit, int64_t until)
{
	uint32_t node = choice->index, index = sim->job[job].trace;

	if (watch.jobs) {
		const struct gw_model_node *model = &watch.jobs->model.node[node];
		gw_gpus all = (gw_gpus)(((uint64_t)1 << model->gpus) - 1);

		ck_assert_msg(!(watch.busy[node] & choice->gpus), "job %u: node %u: GPUs in use",
			      index, node);
		ck_assert_msg(!(choice->gpus & ~all), "job %u: node %u: no such GPUs", index, node);
		ck_assert_uint_eq(gw_gpus_count(choice->gpus), unit->gpus);
		watch.busy[node] |= choice->gpus;
		watch.cpus[node] += unit->cpus;
		watch.memory[node] += unit->memory;
		watch.gpus[index] += unit->gpus;
		ck_assert_uint_le(watch.cpus[node], model->cpus);
		ck_assert_uint_le(watch.memory[node], model->memory);
		note_where(index, choice);
	}
	return __real_sim_hold(sim, job, choice, unit, until);
}

void __wrap_sim_release(struct sim *sim, uint32_t job, uint32_t index)
{
	gw_gpus before = sim->node[index].free, freed;
	uint32_t cpus = sim->node[index].cpus_free;
	uint64_t memory = sim->node[index].memory_free;

	__real_sim_release(sim, job, index);
	if (!watch.jobs)
		return;
	freed = sim->node[index].free & ~before;
	ck_assert_uint_eq(watch.busy[index] & freed, freed);
	watch.busy[index] &= ~freed;
	watch.cpus[index] -= sim->node[index].cpus_free - cpus;
	watch.memory[index] -= sim->node[index].memory_free - memory;
}

void sim_jobs_watch(const struct sim_jobs *jobs)
{
	memset(&watch, 0, sizeof(watch));
	watch.jobs = jobs;
}

void sim_jobs_make(struct sim_jobs *jobs, const char *policy, const char *nodes, const char *conf)
{
	struct gw_error error = {0};

	memset(jobs, 0, sizeof(*jobs));
	ck_assert_msg(!conf_load_text(conf ? conf : SIM_CONF, &jobs->conf, &error), "%s",
		      error.text);
	ck_assert_msg(!gw_model_of_text(nodes, &jobs->model, &error), "%s", error.text);
	ck_assert_uint_le(jobs->model.node_count, NODES_MAX);
	jobs->policy.conf = jobs->conf;
	ck_assert_msg(gw_sim_policy_named(policy, &jobs->policy), "%s: no such policy", policy);
}

static uint32_t name_of(struct gw_trace *trace, const char *name)
{
	struct gw_error error = {0};
	uint32_t index = 0;

	ck_assert_int_eq(gw_trace_name(trace, name, &index, &error), 0);
	return index;
}

void sim_jobs_add(struct sim_jobs *jobs, const struct sim_row *row)
{
	struct gw_error error = {0};
	struct gw_trace_job job = {
		.id = jobs->trace.count + 1,
		.submit = row->submit,
		.eligible = row->eligible ? row->eligible : row->submit,
		.start = GW_TRACE_NONE,
		.end = GW_TRACE_NONE,
		.duration = row->duration,
		.limit = row->limit ? row->limit : GW_TIME_INFINITE,
		.gpus = row->gpus,
		.nodes = row->nodes,
		.cpus = row->cpus,
		.memory = row->memory,
		.user = name_of(&jobs->trace, row->account),
		.account = name_of(&jobs->trace, row->account),
		.qos = name_of(&jobs->trace, row->qos),
		.partition = name_of(&jobs->trace, row->partition),
		.gpu_type = name_of(&jobs->trace, row->gpu_type),
	};

	ck_assert_uint_lt(jobs->trace.count, SIM_JOBS_MAX);
	ck_assert_int_eq(gw_trace_add(&jobs->trace, &job, &error), 0);
}

void sim_jobs_add_all(struct sim_jobs *jobs, const struct sim_row *rows)
{
	for (size_t i = 0; i < SIM_ROWS && rows[i].account; i++)
		sim_jobs_add(jobs, &rows[i]);
}

/* Every run has the length and the GPUs that its job asked for, and no node is still in use. */
static void check_runs(const struct sim_jobs *jobs)
{
	const struct gw_sim_result *result = &jobs->result;

	for (size_t i = 0; i < result->run_count; i++) {
		const struct gw_sim_run *run = &result->run[i];
		const struct gw_trace_job *job = &jobs->trace.job[run->job];

		ck_assert_int_ge(run->start, run->eligible);
		ck_assert_int_eq(run->end - run->start, job->duration);
		if (jobs->policy.place != GW_SIM_PLACE_FUNGIBLE)
			ck_assert_uint_eq(watch.gpus[run->job], job->gpus);
	}
	for (size_t n = 0; n < jobs->model.node_count; n++)
		ck_assert(!watch.busy[n] && !watch.cpus[n] && !watch.memory[n]);
	ck_assert_uint_eq(result->run_count + result->left_out, jobs->trace.count);
}

void sim_jobs_run(struct sim_jobs *jobs)
{
	struct gw_error error = {0};

	sim_jobs_watch(jobs);
	ck_assert_msg(!gw_sim_run(&jobs->trace, &jobs->model, &jobs->policy, &jobs->options,
				  &jobs->result, &error),
		      "%s", error.text);
	check_runs(jobs);
}

void sim_jobs_recorded(struct sim_jobs *jobs)
{
	struct gw_error error = {0};

	sim_jobs_watch(NULL);
	ck_assert_msg(!gw_sim_recorded(&jobs->trace, &jobs->model, &jobs->policy, &jobs->options,
				       &jobs->result, &error),
		      "%s", error.text);
}

void sim_jobs_free(struct sim_jobs *jobs)
{
	gw_sim_result_free(&jobs->result);
	gw_trace_free(&jobs->trace);
	gw_model_free(&jobs->model);
	gw_conf_free(jobs->conf);
}

const char *sim_jobs_where(size_t job)
{
	return watch.where[job];
}

int64_t sim_jobs_start(const struct sim_jobs *jobs, size_t job)
{
	for (size_t i = 0; i < jobs->result.run_count; i++)
		if (jobs->result.run[i].job == job)
			return jobs->result.run[i].start;
	return SIM_NEVER;
}

void sim_check(const struct sim_case *want)
{
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, want->policy, want->nodes, want->conf);
	if (want->change)
		want->change(&jobs.model);
	sim_jobs_add_all(&jobs, want->row);
	sim_jobs_run(&jobs);
	for (size_t i = 0; i < jobs.trace.count; i++) {
		const struct sim_row *row = &want->row[i];
		int64_t start = sim_jobs_start(&jobs, i);

		ck_assert_msg(start == row->start, "%s: job %zu starts at %lld, not at %lld",
			      want->what, i, (long long)start, (long long)row->start);
		if (row->where)
			ck_assert_msg(!strcmp(sim_jobs_where(i), row->where),
				      "%s: job %zu is on %s, not on %s", want->what, i,
				      sim_jobs_where(i), row->where);
	}
	sim_jobs_free(&jobs);
}

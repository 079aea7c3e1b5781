// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that runs out anywhere in a simulation, and what is left then: nothing. */
#include <stdio.h>

#include "sim_jobs.h"
#include "unit.h"

static const char conf[] = SIM_HEAD "CohortName=all\nPoolName=x Cohort=all Quota=gpu=12\n"
				    "PoolName=y Cohort=all Quota=gpu=8\nQueueName=a Pool=x\n"
				    "QueueName=b Pool=y\n";

/* Gangs, rests, jobs that wait, run times to learn from; a record of where they were. */
static void make(struct sim_jobs *jobs, const char *policy)
{
	static const uint32_t gpus[] = {1, 8, 12, 2, 16, 4, 0, 3};

	sim_jobs_make(jobs, policy, "3x8", conf);
	jobs->model.shape = calloc(1, sizeof(*jobs->model.shape));
	jobs->model.shape_count = 1;
	jobs->model.shape->gpus = 8;
	jobs->model.shape->sockets = 1;
	jobs->model.node[0].shape = 0;
	jobs->model.sched.bf_max_job_user = 10;
	for (int i = 0; i < 48; i++) {
		struct sim_row row = {100 * i,
				      900,
				      1000,
				      gpus[i % COUNT(gpus)],
				      i % 3 ? "a" : "b",
				      .qos = i % 5 ? "normal" : "high"};
		struct gw_error error = {0};

		sim_jobs_add(jobs, &row);
		jobs->trace.job[i].start = 1000 * i;
		jobs->trace.job[i].end = 1000 * i + 900;
		ck_assert_int_eq(gw_trace_name(&jobs->trace, i % 2 ? "n[0-2]" : "",
					       &jobs->trace.job[i].node_list, &error),
				 0);
	}
	jobs->options.samples = 4;
}

static int run(struct sim_jobs *jobs, bool recorded, struct gw_error *error)
{
	return (recorded ? gw_sim_recorded : gw_sim_run)(&jobs->trace, &jobs->model, &jobs->policy,
							 &jobs->options, &jobs->result, error);
}

/* Every call of the beginning, then ever fewer. */
static unsigned int next_call(unsigned int n)
{
	return n + 1 + n / 60;
}

static const struct {
	const char *policy;
	bool recorded;
	unsigned int calls; /* that there are at least */
} ways[] = {
	{"gangway", false, 150}, {"stock", false, 100}, {"pool", false, 90},
	{"kueue", false, 100},   {"stock", true, 100},
};

START_TEST(every_call)
{
	struct sim_jobs jobs;
	unsigned int n;

	make(&jobs, ways[_i].policy);
	sim_jobs_watch(NULL);
	for (n = 1;; n = next_call(n)) {
		struct gw_error error = {0};
		int result;

		alloc_fail_at(n);
		result = run(&jobs, ways[_i].recorded, &error);
		if (!alloc_failed()) {
			ck_assert_int_eq(result, 0);
			break;
		}
		ck_assert_msg(result == -1, "call %u: no error", n);
		ck_assert_msg(strstr(error.text, "out of memory") != NULL, "call %u: %s", n,
			      error.text);
		ck_assert_ptr_null(jobs.result.run);
	}
	ck_assert_uint_gt(n, ways[_i].calls);
	sim_jobs_free(&jobs);
}
END_TEST

UNIT_MAIN("sim_memory", UNIT_ROWS(every_call, ways))

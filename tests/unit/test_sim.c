// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slurm around a policy: who starts when. Schedules are worked out by hand: a job that waits is
 * looked at by the main pass, 3 s after something started, ended or was submitted, and by
 * backfill, at the next multiple of 30 s.
 */
#include "sim_jobs.h"

#include "unit.h"

/* Strict order, nobody overtakes. Columns: submit, duration, limit, GPUs, account, QOS, start. */
static const struct sim_case in_order[] = {
	{"a job for which there is room starts as it is submitted", "fifo", "1x8",
	 .row = {{7, 100, 100, 8, "a", "", .start = 7, .where = "0:ff"}}},
	{"one that must wait starts 3 s after there is room", "fifo", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "", .start = 103},
		 {20, 1, 1, 8, "a", "", .start = 206}}},
	{"what counts is the end, not the limit", "fifo", "1x8",
	 .row = {{0, 100, 9000, 8, "a", "", .start = 0}, {10, 100, 100, 8, "a", "", .start = 103}}},
	{"a job longer than its limit has that as its limit", "fifo", "1x8",
	 .row = {{0, 100, 50, 8, "a", "", .start = 0}, {10, 1, 1, 8, "a", "", .start = 103}}},
	{"the first one that waits stops all behind it", "fifo", "1x8",
	 .row = {{0, 100, 100, 4, "a", "", .start = 0},
		 {10, 50, 50, 8, "a", "", .start = 103},
		 {20, 1, 1, 1, "b", "", .start = 156}}},
	{"one pass starts all that it can", "fifo", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {1, 9, 9, 4, "a", "", .start = 103},
		 {2, 9, 9, 2, "b", "", .start = 103},
		 {3, 9, 9, 2, "a", "", .start = 103},
		 {4, 9, 9, 1, "a", "", .start = 115}}},
	{"of jobs submitted together the one recorded first is first", "fifo", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {0, 100, 100, 8, "b", "", .start = 103},
		 {0, 1, 1, 8, "a", "", .start = 206}}},
	{"a job waits for its eligible time, and stands in the order by it", "fifo", "1x8",
	 .row = {{0, 9, 9, 8, "a", "", .start = 553, .eligible = 500},
		 {400, 150, 150, 8, "b", "", .start = 400}}},
	{"a job of no time at all runs", "fifo", "1x8",
	 .row = {{0, 0, 60, 8, "a", "", .start = 0}, {0, 0, 60, 8, "a", "", .start = 3}}},
	{"CPUs without GPUs are a request too", "fifo", "1x8",
	 .row = {{0, 100, 100, 0, "a", "", .start = 0, .cpus = 121},
		 {10, 1, 1, 1, "a", "", .start = 103}}},
	{"memory is", "fifo", "1x8",
	 .row = {{0, 100, 100, 1, "a", "", .start = 0, .memory = 1 << 20},
		 {10, 1, 1, 1, "a", "", .start = 103, .memory = 1}}},
};

START_TEST(order_is_strict)
{
	sim_check(&in_order[_i]);
}
END_TEST

/* Gangs: GPUs of whole nodes, and one node with the rest. */
static const struct sim_case gangs[] = {
	{"16 GPUs are two nodes", "fifo", "3x8",
	 .row = {{0, 9, 9, 16, "a", "", .start = 0, .where = "0:ff 1:ff"},
		 {1, 9, 9, 8, "a", "", .start = 1, .where = "2:ff"}}},
	{"12 GPUs are a node and half of one, the other half is free", "fifo", "2x8",
	 .row = {{0, 9, 9, 12, "a", "", .start = 0, .where = "0:ff 1:f"},
		 {1, 9, 9, 4, "a", "", .start = 1, .where = "1:f0"}}},
	{"a rest needs a node beside the whole ones", "fifo", "2x8",
	 .row = {{0, 100, 100, 5, "a", "", .start = 0, .where = "0:1f"},
		 {1, 9, 9, 12, "a", "", .start = 103}}},
	{"so many nodes as were asked for", "fifo", "2x8",
	 .row = {{0, 9, 9, 4, "a", "", .start = 0, .where = "0:3 1:3", .nodes = 2}}},
	{"with the last one less when they can not be equal", "fifo", "4x8",
	 .row = {{0, 9, 9, 8, "a", "", .start = 0, .where = "0:7 1:7 2:3", .nodes = 3}}},
	{"never more GPUs than were asked for: rather on fewer nodes", "fifo", "4x8",
	 .row = {{0, 9, 9, 9, "a", "", .start = 0, .where = "0:7 1:7 2:7", .nodes = 4},
		 {0, 9, 9, 2, "a", "", .start = 0, .where = "0:8 1:8", .nodes = 4}}},
	{"all start together or not at all", "fifo", "2x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {0, 200, 200, 1, "a", "", .start = 0},
		 {1, 9, 9, 16, "a", "", .start = 203}}},
};

START_TEST(gangs_start_together)
{
	sim_check(&gangs[_i]);
}
END_TEST

/* What fits no empty cluster is left out: it blocks nobody. */
static const struct sim_case too_large[] = {
	{"more GPUs than there are", "fifo", "2x8",
	 .row = {{0, 9, 9, 17, "a", "", .start = SIM_NEVER}, {1, 9, 9, 16, "a", "", .start = 1}}},
	{"more than a node has, on one node", "fifo", "2x8",
	 .row = {{0, 9, 9, 10, "a", "", .start = SIM_NEVER, .nodes = 1}}},
	{"more nodes than there are", "fifo", "2x8",
	 .row = {{0, 9, 9, 3, "a", "", .start = SIM_NEVER, .nodes = 3}}},
	{"more CPUs", "fifo", "2x8",
	 .row = {{0, 9, 9, 1, "a", "", .start = SIM_NEVER, .cpus = 129}}},
	{"more memory", "fifo", "2x8",
	 .row = {{0, 9, 9, 0, "a", "", .start = SIM_NEVER, .memory = (8 << 17) + 1}}},
	{"a rest for which no node is left", "fifo", "1x8,1x2",
	 .row = {{0, 9, 9, 12, "a", "", .start = SIM_NEVER},
		 {1, 9, 9, 10, "a", "", .start = 1, .where = "0:ff 1:3"}}},
};

START_TEST(what_never_fits_is_left_out)
{
	sim_check(&too_large[_i]);
}
END_TEST

/* --- parameters of slurm.conf --- */

static void depth_of_one(struct gw_model *model)
{
	model->sched.default_queue_depth = 1;
}

static void deferred(struct gw_model *model)
{
	model->sched.defer = true;
}

static void delayed(struct gw_model *model)
{
	model->sched.batch_sched_delay = 10;
}

/* Both nodes in each: "urgent" goes first. "half" has the second node and a limit. */
static void three_partitions(struct gw_model *model)
{
	static const struct gw_model_partition more[] = {
		{"urgent", NULL, false, GW_TIME_INFINITE, GW_TIME_NONE, 9, false},
		{"half", NULL, false, 600, GW_TIME_NONE, 1, false},
		{"short", NULL, false, 6000, 300, 1, false},
	};

	model->partition = realloc(model->partition, 4 * sizeof(*model->partition));
	for (int i = 0; i < COUNT(more); i++) {
		struct gw_model_partition *partition = &model->partition[i + 1];

		*partition = more[i];
		partition->name = gw_strdup(more[i].name);
		partition->has = malloc(model->node_count * sizeof(bool));
		for (size_t n = 0; n < model->node_count; n++)
			partition->has[n] = i != 1 || n == 1;
	}
	model->partition_count = 4;
}

static const struct sim_case parameters[] = {
	{"default_queue_depth: so many are tried in a pass", "fifo", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {1, 9, 9, 4, "a", "", .start = 103},
		 {2, 9, 9, 4, "a", "", .start = 106}},
	 .change = depth_of_one},
	{"defer: nobody starts at submit", "fifo", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 3}}, .change = deferred},
	{"batch_sched_delay", "fifo", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0}, {1, 9, 9, 8, "a", "", .start = 110}},
	 .change = delayed},
	{"a partition that waits holds up no other", "fifo", "2x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0, .where = "1:ff", .partition = "half"},
		 {1, 9, 9, 8, "a", "", .start = 103, .where = "1:ff", .partition = "half"},
		 {2, 9, 9, 8, "a", "", .start = 2, .where = "0:ff", .partition = "main"}},
	 .change = three_partitions},
	{"the higher PriorityTier goes first", "fifo", "2x8",
	 .row = {{0, 100, 100, 16, "a", "", .start = 0},
		 {1, 9, 9, 16, "a", "", .start = 115, .partition = "main"},
		 {2, 9, 9, 16, "a", "", .start = 103, .partition = "urgent"}},
	 .change = three_partitions},
	{"it does before class and usage as well", "gangway", "2x8",
	 .row = {{0, 100, 100, 16, "a", "", .start = 0},
		 {1, 9, 9, 16, "b", "high", .start = 115, .partition = "main"},
		 {2, 9, 9, 16, "a", "", .start = 103, .partition = "urgent"}},
	 .change = three_partitions},
	{"a partition that is not known is the default one", "fifo", "2x8",
	 .row = {{0, 100, 100, 16, "a", "", .start = 0, .partition = "gone"}},
	 .change = three_partitions},
	{"too large for its partition", "fifo", "2x8",
	 .row = {{0, 100, 100, 16, "a", "", .start = SIM_NEVER, .partition = "half"}},
	 .change = three_partitions},
};

START_TEST(parameters_of_slurm)
{
	sim_check(&parameters[_i]);
}
END_TEST

/* Each queue on nodes of its own: three for a, one for b. */
static const struct sim_case private_nodes[] = {
	{"a queue has nodes by its weight, and others may idle", "fifo-private", "4x8",
	 .row = {{0, 100, 100, 8, "b", "", .start = 0, .where = "3:ff"},
		 {1, 100, 100, 8, "b", "", .start = 103, .where = "3:ff"},
		 {2, 100, 100, 24, "a", "", .start = 2, .where = "2:ff 1:ff 0:ff"},
		 {3, 100, 100, 16, "b", "", .start = SIM_NEVER}},
	 .conf = SIM_HEAD SIM_POOL "QueueName=a Pool=all Weight=3\nQueueName=b Pool=all\n"},
	{"jobs of no queue use whatever is free", "fifo-private", "4x8",
	 .row = {{0, 100, 100, 32, "c", "", .start = 0}, {1, 100, 100, 8, "b", "", .start = 103}},
	 .conf = SIM_HEAD SIM_POOL "QueueName=a Pool=all Weight=3\nQueueName=b Pool=all\n"},
};

START_TEST(queues_with_nodes_of_their_own)
{
	sim_check(&private_nodes[_i]);
}
END_TEST

START_TEST(jobs_of_no_queue_run_and_are_counted)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, 100, 100, 8, "a", "", .start = 0},
		{1, 100, 100, 8, "nobody", "", .start = 103},
		{2, 100, 100, 9, "nobody", "", .start = SIM_NEVER},
		{3, 100, 100, 4, "", "", .start = 206},
	};
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "gangway", "1x8", NULL);
	sim_jobs_add_all(&jobs, rows);
	sim_jobs_run(&jobs);
	for (size_t i = 0; i < jobs.trace.count; i++)
		ck_assert_int_eq(sim_jobs_start(&jobs, i), rows[i].start);
	ck_assert_uint_eq(jobs.result.outside, 2);
	ck_assert_uint_eq(jobs.result.left_out, 1);
	ck_assert_uint_eq(jobs.result.all.count, 3);
	ck_assert_uint_eq(jobs.result.by_queue[0].count, 1);
	sim_jobs_free(&jobs);
}
END_TEST

/* --- the list of policies --- */

START_TEST(every_policy_has_a_name_and_a_line)
{
	const struct gw_conf *conf = (const struct gw_conf *)&in_order;
	struct gw_sim_policy policy = {.conf = conf};
	const char *name, *help;
	size_t count = 0;

	for (; (name = gw_sim_policy_list(count, &help)); count++) {
		ck_assert(gw_sim_policy_named(name, &policy));
		ck_assert_str_eq(policy.name, name);
		ck_assert_ptr_eq(policy.conf, conf);
		ck_assert_uint_gt(strlen(help), 10);
	}
	ck_assert_uint_ge(count, 19);
	ck_assert(!gw_sim_policy_named("fastest", &policy));
}
END_TEST

static void count_progress(void *arg, double done)
{
	double *last = arg;

	ck_assert(done > *last && done <= 1);
	*last = done;
}

START_TEST(progress_is_told)
{
	static const struct sim_row row = {0, 10, 10, 1, "a", "", .start = 0};
	struct sim_jobs jobs;
	double last = 0;

	sim_jobs_make(&jobs, "fifo", "1x8", NULL);
	for (int i = 0; i < 500; i++)
		sim_jobs_add(&jobs, &row);
	jobs.options.progress = count_progress;
	jobs.options.progress_arg = &last;
	sim_jobs_run(&jobs);
	ck_assert(last > 0.9);
	sim_jobs_free(&jobs);
}
END_TEST

UNIT_MAIN("sim", UNIT_ROWS(order_is_strict, in_order); UNIT_ROWS(gangs_start_together, gangs);
	  UNIT_ROWS(what_never_fits_is_left_out, too_large);
	  UNIT_ROWS(parameters_of_slurm, parameters);
	  UNIT_ROWS(queues_with_nodes_of_their_own, private_nodes);
	  UNIT(jobs_of_no_queue_run_and_are_counted); UNIT(every_policy_has_a_name_and_a_line);
	  UNIT(progress_is_told))

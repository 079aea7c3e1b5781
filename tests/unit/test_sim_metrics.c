// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figures of schedules that are small enough to do the sums by hand. Each sum is written out: GPUs
 * times seconds over GPUs times seconds.
 */
#include "sim_jobs.h"

#include <math.h>

#include "unit.h"

#define HOUR 3600
#define DAY  86400
#define WEEK (7 * DAY)

static void near(const char *what, double got, double want)
{
	ck_assert_msg(fabs(got - want) <= 1e-9 * fmax(1, fabs(want)), "%s is %.12g, not %.12g",
		      what, got, want);
}

static void run_rows(struct sim_jobs *jobs, const char *policy, const char *nodes,
		     const struct sim_row *rows, int64_t until)
{
	sim_jobs_make(jobs, policy, nodes, NULL);
	sim_jobs_add_all(jobs, rows);
	jobs->options.until = until;
	sim_jobs_run(jobs);
	for (size_t i = 0; i < jobs->trace.count; i++)
		ck_assert_int_eq(sim_jobs_start(jobs, i), rows[i].start);
}

/* --- GPUs that nobody can use --- */

/* Four GPUs are in use on each of two nodes until 1000; a job of 8 waits until 1003. */
static const struct sim_row halves[SIM_ROWS] = {
	{0, 1000, 1000, 4, "a", "", .start = 0, .where = "0:f"},
	{0, 1000, 1000, 4, "a", "", .start = 0, .where = "1:f"},
	{0, 500, 500, 8, "b", "", .start = 1003},
};

START_TEST(stranded_blocked_and_fragmented)
{
	struct sim_jobs jobs;
	const struct gw_sim_metrics *metrics = &jobs.result.metrics;

	run_rows(&jobs, "lln-one", "2x8", halves, 2000);
	/* While somebody waits, 1003 s: for 1000 of them 4 GPUs of each node are free. */
	near("F1", metrics->f1, 8 * 1000.0 / (16 * 1003));
	near("util", metrics->util, 8 * 1000.0 / (16 * 1003));
	/* 8 are free, 8 are asked for, and no node has them. Over all the time there is. */
	near("F2", metrics->f2, 8 * 1000.0 / (16 * 2000));
	/* One job of three asks for more than the 4 GPUs of a node. */
	near("F3", metrics->f3, 2 * (4 / 3.0) * 1000 / (16 * 1003));
	sim_jobs_free(&jobs);
}
END_TEST

START_TEST(free_nodes_strand_nothing)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, 1000, 1000, 8, "a", "", .start = 0},
		{0, 500, 500, 16, "b", "", .start = 1003},
	};
	struct sim_jobs jobs;

	run_rows(&jobs, "fifo", "2x8", rows, 2000);
	near("F1", jobs.result.metrics.f1, 0);
	near("F2, which is not for too few GPUs", jobs.result.metrics.f2, 0);
	near("F3", jobs.result.metrics.f3, 0);
	near("util", jobs.result.metrics.util, 8 * 1000.0 / (16 * 1003));
	sim_jobs_free(&jobs);
}
END_TEST

/* A job that quota forbids is not blocked by shape. */
START_TEST(what_quota_forbids_is_not_blocked_by_shape)
{
	static const char conf[] =
		SIM_HEAD "PoolName=x Quota=gpu=10\nQueueName=a Pool=x\nQueueName=b Pool=x\n";
	struct sim_jobs jobs;

	for (int i = 0; i < 2; i++) {
		sim_jobs_make(&jobs, "gangway-order", "2x8", i ? SIM_CONF : conf);
		jobs.policy.place = GW_SIM_PLACE_LLN;
		sim_jobs_add_all(&jobs, halves);
		jobs.options.until = 2000;
		sim_jobs_run(&jobs);
		near("F2", jobs.result.metrics.f2, i ? 8 * 1000.0 / (16 * 2000) : 0);
		sim_jobs_free(&jobs);
	}
}
END_TEST

/* Without nodes, free GPUs count as whole nodes and one broken one. */
START_TEST(a_pool_has_only_the_last_node_broken)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, 1000, 1000, 5, "a", "", .start = 0},
		{0, 500, 500, 16, "b", "", .start = 1003},
	};
	struct sim_jobs jobs;

	run_rows(&jobs, "pool", "2x8", rows, 2000);
	near("F1", jobs.result.metrics.f1, 3 * 1000.0 / (16 * 1003));
	near("F2", jobs.result.metrics.f2, 0);
	near("F3", jobs.result.metrics.f3, 0);
	sim_jobs_free(&jobs);
}
END_TEST

START_TEST(nobody_waits)
{
	static const struct sim_row rows[SIM_ROWS] = {{0, 1000, 1000, 5, "a", "", .start = 0}};
	struct sim_jobs jobs;

	run_rows(&jobs, "stock", "2x8", rows, 2000);
	ck_assert(isnan(jobs.result.metrics.f1) && isnan(jobs.result.metrics.util));
	near("F2", jobs.result.metrics.f2, 0);
	near("D", jobs.result.metrics.d, 0);
	near("mean wait", jobs.result.metrics.mean_h, 0);
	ck_assert(isnan(jobs.result.metrics.p95_ge8_h) && isnan(jobs.result.metrics.max_high_h));
	sim_jobs_free(&jobs);
}
END_TEST

/* --- shares --- */

/* On one node a has 8 GPUs, then b, then a again; each could have had 4 all the time. */
START_TEST(deviation_now_and_over_a_week)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, 1000, 1000, 8, "a", "", .start = 0},
		{0, 1000, 1000, 8, "b", "", .start = 1003},
		{0, 1000, 1000, 8, "a", "", .start = 2006},
	};
	struct sim_jobs jobs;

	run_rows(&jobs, "fifo", "1x8", rows, 2003);
	/* b lacks 4, for 3 s both, then a. */
	near("D", jobs.result.metrics.d, (4 * 1000.0 + 8 * 3 + 4 * 1000) / (8 * 2003));
	/* In all each could have had 4 for 2003 s, and had 8 for 1000. */
	near("D7", jobs.result.metrics.d7, 2 * (4 * 2003.0 - 8 * 1000) / (8 * 2003));
	sim_jobs_free(&jobs);
}
END_TEST

/* A whole week each: what b had in the second does not make up for the first. */
START_TEST(weeks_are_looked_at_one_by_one)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, WEEK, WEEK, 8, "a", "", .start = 0},
		{0, WEEK, WEEK, 8, "b", "", .start = WEEK + 3},
		{0, WEEK, WEEK, 8, "a", "", .start = 2 * WEEK + 6},
	};
	struct sim_jobs jobs;

	run_rows(&jobs, "fifo", "1x8", rows, 2 * WEEK);
	near("D7", jobs.result.metrics.d7, (4.0 * WEEK + 4.0 * WEEK) / (8.0 * 2 * WEEK));
	sim_jobs_free(&jobs);
}
END_TEST

/* Who asks for less than its share leaves the others what it does not need. */
START_TEST(entitled_is_max_min)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, 1000, 1000, 1, "a", "", .start = 0},
		{0, 1000, 1000, 6, "b", "", .start = 0},
		{0, 1000, 1000, 8, "b", "", .start = 1003},
	};
	struct sim_jobs jobs;

	run_rows(&jobs, "fifo", "1x8", rows, 1000);
	/* b: 7 of 8, and has 6. */
	near("D", jobs.result.metrics.d, 1 * 1000.0 / (8 * 1000));
	sim_jobs_free(&jobs);
}
END_TEST

START_TEST(entitled_is_by_weight)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, 1000, 1000, 4, "a", "", .start = 0},
		{0, 1000, 1000, 4, "b", "", .start = 0},
		{0, 1000, 1000, 4, "a", "", .start = 1003},
		{0, 1000, 1000, 4, "b", "", .start = 1003},
	};
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "fifo", "1x8",
		      SIM_HEAD SIM_POOL "QueueName=a Pool=all Weight=3\nQueueName=b Pool=all\n");
	sim_jobs_add_all(&jobs, rows);
	jobs.options.until = 1000;
	sim_jobs_run(&jobs);
	/* a: 6, and has 4; b has more than its 2. */
	near("D", jobs.result.metrics.d, 2 * 1000.0 / (8 * 1000));
	sim_jobs_free(&jobs);
}
END_TEST

/* --- waits, of a record that says when jobs started --- */

static void add_recorded(struct sim_jobs *jobs, int64_t submit, int64_t start, int64_t duration,
			 uint32_t gpus, const char *account, const char *qos)
{
	struct sim_row row = {submit, duration, duration, gpus, account, .qos = qos};
	struct gw_trace_job *job;

	sim_jobs_add(jobs, &row);
	job = &jobs->trace.job[jobs->trace.count - 1];
	job->start = start;
	job->end = start == GW_TRACE_NONE ? GW_TRACE_NONE : start + duration;
}

START_TEST(percentiles_are_nearest_ranks)
{
	struct sim_jobs jobs;
	const struct gw_sim_waits *all = &jobs.result.all;

	sim_jobs_make(&jobs, "fifo", "4x8", NULL);
	for (int i = 20; i; i--)
		add_recorded(&jobs, 100, 100 + i, 50, 1, "a", "");
	sim_jobs_recorded(&jobs);
	ck_assert_uint_eq(all->count, 20);
	near("mean", all->mean, 10.5);
	near("P50: the 10th of 20", all->p50, 10);
	near("P95: the 19th", all->p95, 19);
	near("P99: the 20th", all->p99, 20);
	near("max", all->max, 20);
	near("hours", jobs.result.metrics.p95_lt8_h, 19.0 / HOUR);
	sim_jobs_free(&jobs);
}
END_TEST

/* Submit, start, GPUs, queue, class. Sizes: 1-7, 8, 9-31, 32 and more. */
START_TEST(waits_by_class_queue_and_size)
{
	struct sim_jobs jobs;
	const struct gw_sim_result *result = &jobs.result;

	sim_jobs_make(&jobs, "fifo", "8x8", NULL);
	add_recorded(&jobs, 0, 1 * HOUR, 10, 1, "a", "high");
	add_recorded(&jobs, 0, 2 * HOUR, 10, 7, "a", "normal");
	add_recorded(&jobs, 0, 3 * HOUR, 10, 8, "b", "high");
	add_recorded(&jobs, 0, 4 * HOUR, 10, 9, "b", "normal");
	add_recorded(&jobs, 0, 5 * HOUR, 10, 31, "b", "other");
	add_recorded(&jobs, 0, 6 * HOUR, 10, 32, "nobody", "normal");
	add_recorded(&jobs, 0, 7 * HOUR, 10, 0, "nobody", "normal");
	sim_jobs_recorded(&jobs);
	near("all", result->all.mean, 4.0 * HOUR);
	near("high", result->by_class[0].mean, 2.0 * HOUR);
	ck_assert_uint_eq(result->by_class[1].count, 5);
	near("normal", result->by_class[1].mean, (2 + 4 + 5 + 6 + 7) * HOUR / 5.0);
	near("a", result->by_queue[0].mean, 1.5 * HOUR);
	near("b", result->by_queue[1].mean, 4.0 * HOUR);
	for (size_t size = 0; size < GW_SIM_SIZES; size++)
		near(gw_sim_size_name(size), result->by_size[size].mean,
		     (const double[]){1.5, 3, 4.5, 6}[size] * HOUR);
	near("high, 8", result->by_class_size[1].mean, 3.0 * HOUR);
	ck_assert_uint_eq(result->by_class_size[3].count, 0);
	ck_assert(isnan(result->by_class_size[3].mean));
	near("normal, 9-31", result->by_class_size[GW_SIM_SIZES + 2].mean, 4.5 * HOUR);
	near("8 and more: P95", result->metrics.p95_ge8_h, 6);
	near("8 and more: max", result->metrics.max_ge8_h, 6);
	near("less: P95", result->metrics.p95_lt8_h, 2);
	near("less: mean", result->metrics.mean_lt8_h, 1.5);
	near("high: P95", result->metrics.p95_high_h, 3);
	near("high: max", result->metrics.max_high_h, 3);
	near("low: mean", result->metrics.mean_low_h, 4.8);
	near("all: mean", result->metrics.mean_h, 4);
	near("all: P99", result->metrics.p99_h, 7);
	sim_jobs_free(&jobs);
}
END_TEST

START_TEST(sizes_have_names)
{
	static const char *const names[] = {"1-7", "8", "9-31", "32+", ""};
	static const uint32_t gpus[] = {1, 7, 8, 9, 31, 32, 512};
	static const size_t sizes[] = {0, 0, 1, 2, 2, 3, 3};

	for (size_t i = 0; i <= GW_SIM_SIZES; i++)
		ck_assert_str_eq(gw_sim_size_name(i), names[i]);
	for (int i = 0; i < COUNT(gpus); i++)
		ck_assert_uint_eq(gw_sim_size_of(gpus[i]), sizes[i]);
}
END_TEST

/* The first half of the window is not looked at: neither its waits nor its time. */
START_TEST(warmup_is_left_out)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, 1000, 1000, 8, "a", "", .start = 0},
		{990, 500, 500, 8, "b", "", .start = 1003},
		{1000, 500, 500, 8, "b", "", .start = 1506},
	};
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "fifo", "1x8", NULL);
	sim_jobs_add_all(&jobs, rows);
	jobs.options.until = 2000;
	jobs.options.warmup = 0.5;
	sim_jobs_run(&jobs);
	ck_assert_uint_eq(jobs.result.all.count, 1);
	near("wait", jobs.result.all.mean, 506);
	near("util of 1000 to 1506", jobs.result.metrics.util, 500 / 506.0);
	sim_jobs_free(&jobs);
}
END_TEST

/* Three jobs on one node: the first two submitted at 5000, the last at 5100. */
static const struct {
	const char *what;
	int64_t from, until;
	double mean, util;
	size_t count;
} windows[] = {
	{"all: from the first to the last submit", 0, 0, (0 + 503 + 906) / 3.0, 1, 3},
	{"from a time on", 5100, 0, 906, 1, 1},
	{"until a time", 0, 5099, 503 / 2.0, 1, 2},
	{"both", 5050, 5150, 906, 1, 1},
	{"longer than anything runs: 3 s of it idle twice", 5000, 9000, (0 + 503 + 906) / 3.0,
	 1000 / 1006.0, 3},
};

START_TEST(windows_have_two_ends)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{5000, 500, 500, 8, "a", "", .start = 5000},
		{5000, 500, 500, 8, "a", "", .start = 5503},
		{5100, 500, 500, 8, "a", "", .start = 6006},
	};
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "fifo", "1x8", NULL);
	sim_jobs_add_all(&jobs, rows);
	jobs.options.from = windows[_i].from;
	jobs.options.until = windows[_i].until;
	sim_jobs_run(&jobs);
	ck_assert_uint_eq(jobs.result.all.count, windows[_i].count);
	near(windows[_i].what, jobs.result.all.mean, windows[_i].mean);
	if (windows[_i].from != 5100) /* which is its own end: nothing to measure */
		near(windows[_i].what, jobs.result.metrics.util, windows[_i].util);
	sim_jobs_free(&jobs);
}
END_TEST

/* --- what makes somebody call the admin --- */

/* A high job of 8 GPUs waits 13 h, others start meanwhile. */
static const struct {
	const char *what;
	int64_t high_start;
	uint32_t gpus; /* that another class starts meanwhile */
	const char *qos;
	double interventions;
} overtaken[] = {
	{"as many GPUs of a lower class started", 13 * HOUR, 8, "normal", 1},
	{"not as many", 13 * HOUR, 7, "normal", 0},
	{"of its own class", 13 * HOUR, 8, "high", 0},
	{"it waited 12 h and no more", 12 * HOUR, 8, "normal", 0},
};

START_TEST(a_high_job_is_overtaken)
{
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "fifo", "4x8", NULL);
	add_recorded(&jobs, 0, overtaken[_i].high_start, 10, 8, "a", "high");
	add_recorded(&jobs, 0, HOUR, HOUR, overtaken[_i].gpus, "b", overtaken[_i].qos);
	jobs.options.until = WEEK;
	sim_jobs_recorded(&jobs);
	near(overtaken[_i].what, jobs.result.metrics.interventions, overtaken[_i].interventions);
	sim_jobs_free(&jobs);
}
END_TEST

/* b waits for a on one node, or for a second team to end: less than half of its share for a day. */
static const struct {
	const char *what;
	int64_t until_free;
	double interventions;
} short_of_share[] = {
	{"two days: once", 2 * DAY, 1},
	{"a day", DAY, 1},
	{"not a day", DAY - 10, 0},
};

START_TEST(a_queue_is_short_of_its_share)
{
	const struct sim_row rows[SIM_ROWS] = {
		{0, short_of_share[_i].until_free, 9 * DAY, 8, "a", "", .start = 0},
		{0, DAY, DAY, 8, "b", "", .start = short_of_share[_i].until_free + 3},
	};
	struct sim_jobs jobs;

	run_rows(&jobs, "fifo", "1x8", rows, WEEK);
	near(short_of_share[_i].what, jobs.result.metrics.interventions,
	     short_of_share[_i].interventions);
	sim_jobs_free(&jobs);
}
END_TEST

/* --- over time --- */

/* Two bins of 1000 s. In the second, the jobs of the first end after 500 s and 8 GPUs are given. */
START_TEST(series_are_averages_of_bins)
{
	static const struct sim_row rows[SIM_ROWS] = {
		{0, 1500, 1500, 4, "a", "", .start = 0},
		{0, 1500, 1500, 4, "a", "", .start = 0},
		{500, 1000, 1000, 8, "b", "", .start = 1503},
	};
	const struct gw_sim_series *series;
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "lln-one", "2x8", NULL);
	sim_jobs_add_all(&jobs, rows);
	jobs.options.until = 2000;
	jobs.options.samples = 2;
	sim_jobs_run(&jobs);
	series = &jobs.result.series;
	ck_assert_uint_eq(series->bins, 2);
	ck_assert_uint_eq(series->queue_count, 2);
	ck_assert_int_eq(series->width, 1000);
	near("jobs that wait", series->pending_jobs[0], 0.5);
	near("then", series->pending_jobs[1], 0.503);
	near("their GPUs", series->pending_gpus[0], 4);
	near("then", series->pending_gpus[1], 8 * 0.503);
	near("in use", series->used[0], 8);
	near("then", series->used[1], 8 * 0.5 + 8 * 0.497);
	near("stranded", series->stranded[0], 8);
	near("then", series->stranded[1], 8 * 0.5);
	near("a has", series->held[0], 8);
	near("b has", series->held[1], 0);
	near("a, then", series->held[2], 8 * 0.5);
	near("b, then", series->held[3], 8 * 0.497);
	near("b could have", series->entitled[1], 8 * 0.5);
	near("b, then", series->entitled[3], 8);
	sim_jobs_free(&jobs);
}
END_TEST

UNIT_MAIN("sim_metrics", UNIT(stranded_blocked_and_fragmented); UNIT(free_nodes_strand_nothing);
	  UNIT(what_quota_forbids_is_not_blocked_by_shape);
	  UNIT(a_pool_has_only_the_last_node_broken); UNIT(nobody_waits);
	  UNIT(deviation_now_and_over_a_week); UNIT(weeks_are_looked_at_one_by_one);
	  UNIT(entitled_is_max_min); UNIT(entitled_is_by_weight);
	  UNIT(percentiles_are_nearest_ranks); UNIT(waits_by_class_queue_and_size);
	  UNIT(sizes_have_names); UNIT(warmup_is_left_out);
	  UNIT_ROWS(windows_have_two_ends, windows); UNIT_ROWS(a_high_job_is_overtaken, overtaken);
	  UNIT_ROWS(a_queue_is_short_of_its_share, short_of_share);
	  UNIT(series_are_averages_of_bins))

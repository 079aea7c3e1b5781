// SPDX-License-Identifier: GPL-2.0-or-later
/* What really happened, measured as simulations are. */
#include <math.h>
#include <stdio.h>

#include "sim_jobs.h"
#include "src/sim/trace_make.h"
#include "unit.h"

#define TEAMS                                                                                      \
	SIM_HEAD SIM_POOL "QueueName=team1 Pool=all Weight=4\nQueueName=team2 Pool=all Weight=2\n" \
			  "QueueName=team3 Pool=all\nQueueName=team4 Pool=all Weight=2\n"
#define JOBS 400

static void name_nodes(struct sim_jobs *jobs, uint32_t job, const char *text)
{
	struct gw_error error = {0};
	uint32_t index;

	ck_assert_int_eq(gw_trace_name(&jobs->trace, text, &index, &error), 0);
	jobs->trace.job[job].node_list = index;
}

/* "0:ff 3:f" of the last run as "n0,n3". */
static void node_list(uint32_t job, char *text, size_t size)
{
	char where[SIM_WHERE], *next;

	text[0] = '\0';
	snprintf(where, sizeof(where), "%s", sim_jobs_where(job));
	for (char *item = strtok_r(where, " ", &next); item; item = strtok_r(NULL, " ", &next)) {
		size_t used = strlen(text);

		snprintf(text + used, size - used, "%sn%lu", used ? "," : "",
			 strtoul(item, NULL, 10));
	}
}

/* Writes the run into the record of its jobs. */
static void record_run(struct sim_jobs *jobs)
{
	for (size_t i = 0; i < jobs->result.run_count; i++) {
		const struct gw_sim_run *run = &jobs->result.run[i];
		char nodes[SIM_WHERE];

		jobs->trace.job[run->job].start = run->start;
		jobs->trace.job[run->job].end = run->end;
		node_list(run->job, nodes, sizeof(nodes));
		name_nodes(jobs, run->job, nodes);
	}
}

static bool near(double a, double b)
{
	return (isnan(a) && isnan(b)) || fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static void same_doubles(const char *what, const void *left, const void *right, size_t size)
{
	const double *a = left, *b = right;

	for (size_t i = 0; i < size / sizeof(double); i++)
		ck_assert_msg(near(a[i], b[i]), "%s: the %zuth: %.12g, not %.12g", what, i, a[i],
			      b[i]);
}

static void same_waits(const char *what, const struct gw_sim_waits *a, const struct gw_sim_waits *b,
		       size_t count)
{
	for (size_t i = 0; i < count; i++) {
		ck_assert_uint_eq(a[i].count, b[i].count);
		same_doubles(what, &a[i].mean, &b[i].mean, 5 * sizeof(double));
	}
}

static void same_result(const struct gw_sim_result *a, const struct gw_sim_result *b)
{
	size_t bins = a->series.bins;

	same_doubles("metrics", &a->metrics, &b->metrics, sizeof(a->metrics));
	same_waits("all", &a->all, &b->all, 1);
	same_waits("class", a->by_class, b->by_class, a->class_count);
	same_waits("queue", a->by_queue, b->by_queue, a->queue_count);
	same_waits("size", a->by_size, b->by_size, GW_SIM_SIZES);
	same_doubles("waiting", a->series.pending_gpus, b->series.pending_gpus, bins * 8);
	same_doubles("used", a->series.used, b->series.used, bins * 8);
	same_doubles("stranded", a->series.stranded, b->series.stranded, bins * 8);
	same_doubles("held", a->series.held, b->series.held, bins * 8 * a->queue_count);
	same_doubles("entitled", a->series.entitled, b->series.entitled, bins * 8 * a->queue_count);
}

static void make_trace(struct sim_jobs *jobs, uint64_t seed)
{
	struct gw_trace_make make = {
		.jobs = JOBS, .days = 3, .gpus = 8 * 8, .load = 1.0, .seed = seed};
	struct gw_error error = {0};

	ck_assert_msg(!gw_trace_make(&make, &jobs->trace, &error), "%s", error.text);
}

/* A simulation's own schedule, taken for a record, has the figures of the simulation. */
static const char *const policies[] = {"fifo-one", "stock", "lln", "best-fit", "kueue"};

START_TEST(a_run_as_record_has_its_figures)
{
	struct gw_sim_result run;
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, policies[_i], "8x8", TEAMS);
	make_trace(&jobs, (uint64_t)_i + 1);
	jobs.options.warmup = 0.1;
	jobs.options.samples = 20;
	sim_jobs_run(&jobs);
	record_run(&jobs);
	run = jobs.result;
	ck_assert_uint_gt(run.run_count, JOBS * 9 / 10);
	ck_assert(run.metrics.f1 > 0);
	sim_jobs_recorded(&jobs);
	same_result(&run, &jobs.result);
	ck_assert_uint_eq(run.run_count, jobs.result.run_count);
	gw_sim_result_free(&run);
	sim_jobs_free(&jobs);
}
END_TEST

/* --- records that are not so good --- */

static void add(struct sim_jobs *jobs, int64_t submit, int64_t start, uint32_t gpus,
		const char *nodes)
{
	struct sim_row row = {submit, 100, 100, gpus, "a", .qos = ""};
	uint32_t job = (uint32_t)jobs->trace.count;

	sim_jobs_add(jobs, &row);
	jobs->trace.job[job].start = start;
	jobs->trace.job[job].end = start == GW_TRACE_NONE ? GW_TRACE_NONE : start + 100;
	name_nodes(jobs, job, nodes);
}

/* Stranded GPUs while the last job waits, from 50 to 100: they say where the others were. */
static const struct {
	const char *what, *nodes;
	uint32_t gpus;
	double stranded;
	size_t left_out;
} records[] = {
	{"where it ran", "n1", 4, 4, 0},
	{"a gang, and its rest", "n[1-2]", 12, 4, 0},
	{"on more nodes than it needs: evenly", "n[0-3]", 12, 20, 0},
	{"nodes not recorded: where it fits", "", 4, 4, 0},
	{"nodes of another cluster: where it fits", "m7", 12, 4, 0},
	{"no list of nodes: where it fits", "n[1-", 8, 0, 0},
	{"larger than the cluster", "n[0-3]", 33, 0, 1},
};

START_TEST(nodes_as_recorded)
{
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "stock", "4x8", NULL);
	add(&jobs, 0, 0, records[_i].gpus, records[_i].nodes);
	add(&jobs, 50, 100, 8, "n3");
	jobs.options.until = 100;
	sim_jobs_recorded(&jobs);
	ck_assert_uint_eq(jobs.result.left_out, records[_i].left_out);
	ck_assert_msg(near(jobs.result.metrics.f1, records[_i].stranded / 32), "%s: %g GPUs",
		      records[_i].what, jobs.result.metrics.f1 * 32);
	sim_jobs_free(&jobs);
}
END_TEST

/* The rest is where no more than that is free, whatever the order of the names. */
START_TEST(a_rest_is_where_there_is_room)
{
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "stock", "2x8", NULL);
	add(&jobs, 0, 0, 4, "n0");
	add(&jobs, 0, 0, 12, "n[0-1]");
	add(&jobs, 50, 100, 8, "n0");
	jobs.options.until = 100;
	sim_jobs_recorded(&jobs);
	ck_assert(near(jobs.result.metrics.util, 1));
	sim_jobs_free(&jobs);
}
END_TEST

START_TEST(who_never_started_never_waited)
{
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "stock", "1x8", NULL);
	add(&jobs, 0, GW_TRACE_NONE, 8, "");
	add(&jobs, 0, 10, 8, "n0");
	sim_jobs_recorded(&jobs);
	ck_assert_uint_eq(jobs.result.left_out, 1);
	ck_assert_uint_eq(jobs.result.all.count, 1);
	ck_assert(near(jobs.result.all.mean, 10));
	sim_jobs_free(&jobs);
}
END_TEST

/* Two at once on a node that holds one: the second has the GPUs that are left, or is left out. */
START_TEST(a_record_that_can_not_be)
{
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "stock", "1x8", NULL);
	add(&jobs, 0, 0, 6, "n0");
	add(&jobs, 0, 0, 6, "n0");
	add(&jobs, 0, 0, 6, "");
	sim_jobs_recorded(&jobs);
	ck_assert_uint_eq(jobs.result.run_count, 2);
	ck_assert_uint_eq(jobs.result.left_out, 1);
	sim_jobs_free(&jobs);
}
END_TEST

UNIT_MAIN("sim_recorded", UNIT_ROWS(a_run_as_record_has_its_figures, policies);
	  UNIT_ROWS(nodes_as_recorded, records); UNIT(a_rest_is_where_there_is_room);
	  UNIT(who_never_started_never_waited); UNIT(a_record_that_can_not_be))

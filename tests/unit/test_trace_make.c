// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/sim/trace_make.h"
#include "unit.h"

static void made(const char *text, struct gw_trace *trace)
{
	struct gw_trace_make make;

	gw_trace_make_default(&make);
	*trace = (struct gw_trace){0};
	ck_assert_int_eq(gw_trace_make_parse(text, &make, NULL), 0);
	ck_assert_int_eq(gw_trace_make(&make, trace, NULL), 0);
}

START_TEST(the_same_seed_makes_the_same_jobs)
{
	struct gw_trace a, b, other;

	made("jobs=500,seed=3", &a);
	made("seed=3,jobs=500", &b);
	made("seed=4,jobs=500", &other);
	ck_assert_uint_eq(a.count, 500);
	ck_assert_mem_eq(a.job, b.job, 500 * sizeof(*a.job));
	ck_assert_mem_ne(a.job, other.job, 500 * sizeof(*a.job));
	gw_trace_free(&a);
	gw_trace_free(&b);
	gw_trace_free(&other);
}
END_TEST

static const struct {
	const char *text;
	double capacity, load; /* GPU-seconds */
	uint32_t largest;
} loads[] = {
	{"", 832.0 * 60 * 86400, 0.95, 32},
	{"jobs=200,days=2,gpus=64,load=1.2", 64.0 * 2 * 86400, 1.2, 32},
	{"jobs=300,days=7,gpus=4,load=0.5", 4.0 * 7 * 86400, 0.5, 4},
};

START_TEST(jobs_make_sense)
{
	struct gw_trace trace;
	double sum = 0;

	made(loads[_i].text, &trace);
	for (size_t i = 0; i < trace.count; i++) {
		const struct gw_trace_job *job = &trace.job[i];

		sum += (double)job->gpus * (double)job->duration;
		ck_assert_uint_eq(job->id, i + 1);
		ck_assert(job->gpus >= 1 && job->gpus <= loads[_i].largest);
		ck_assert(job->limit >= job->duration && job->duration >= 10);
		ck_assert(!i || job[-1].submit <= job->submit);
		ck_assert_str_ne(trace.names[job->account], "");
		ck_assert_str_ne(trace.names[job->user], "");
	}
	ck_assert_double_eq_tol(sum / loads[_i].capacity, loads[_i].load, 0.01);
	gw_trace_free(&trace);
}
END_TEST

/* Rounded from Philly: small jobs are most, 8-GPU jobs have most of the GPU-hours. */
START_TEST(shares_are_those_of_real_life)
{
	struct gw_trace trace;
	double count[33] = {0}, share[33] = {0}, high = 0, night = 0;

	made("", &trace);
	for (size_t i = 0; i < trace.count; i++) {
		const struct gw_trace_job *job = &trace.job[i];

		count[job->gpus] += 1.0 / (double)trace.count;
		share[job->gpus] +=
			(double)job->gpus * (double)job->duration / (0.95 * 832 * 60 * 86400);
		high += strcmp(trace.names[job->qos], "high") == 0;
		night += job->submit / 3600 % 24 < 6;
	}
	ck_assert_double_eq_tol(count[1], 0.44, 0.05);
	ck_assert_double_eq_tol(count[8], 0.26, 0.05);
	ck_assert_double_eq_tol(count[32], 0.013, 0.01);
	ck_assert_double_eq_tol(share[8], 0.55, 0.12);
	ck_assert_double_eq_tol(high / (double)trace.count, 0.1, 0.03);
	ck_assert_double_lt(night / (double)trace.count, 0.15);
	gw_trace_free(&trace);
}
END_TEST

static const struct {
	const char *text, *error;
} bad[] = {
	{"jobs", "'jobs' must be NAME=NUMBER"},
	{"jobs=x", "jobs=x: must be a number from 1 to 100000000"},
	{"jobs=0", "jobs=0: must be a number from 1 to 100000000"},
	{"users=3", "users=3: must be jobs, days, gpus, load or seed"},
	{"load=-1", "load=-1: must be a number from 0.001 to 10"},
};

START_TEST(bad_parameters)
{
	struct gw_trace_make make;
	struct gw_error error = {0};

	gw_trace_make_default(&make);
	ck_assert_int_eq(gw_trace_make_parse(bad[_i].text, &make, &error), -1);
	ck_assert_str_eq(error.text, bad[_i].error);
	ck_assert_uint_eq(make.jobs, 8000);
}
END_TEST

START_TEST(no_memory)
{
	for (unsigned int n = 1;; n++) {
		struct gw_trace_make make;
		struct gw_trace trace = {0};
		bool failed;
		int result;

		gw_trace_make_default(&make);
		make.jobs = 20;
		alloc_fail_at(n);
		result = gw_trace_make(&make, &trace, NULL);
		gw_trace_free(&trace);
		failed = alloc_failed();
		ck_assert_int_eq(result, failed ? -1 : 0);
		if (!failed)
			break;
	}
}
END_TEST

UNIT_MAIN("trace_make", UNIT(the_same_seed_makes_the_same_jobs); UNIT_ROWS(jobs_make_sense, loads);
	  UNIT(shares_are_those_of_real_life); UNIT_ROWS(bad_parameters, bad); UNIT(no_memory))

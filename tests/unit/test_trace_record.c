// SPDX-License-Identifier: GPL-2.0-or-later
/* The rules for bad and odd records: each row is a rule of gangway(1). */
#include <stdio.h>

#include "src/util/parse.h"
#include "trace_text.h"
#include "unit.h"

#define H    "id,submit,eligible,start,end,duration,limit,gpus,user,state,node_list\n"
#define NONE GW_TRACE_NONE
#define INF  GW_TIME_INFINITE

static const struct {
	const char *text, *problems;
	size_t count;
	/* Of the first job. */
	int64_t submit, eligible, start, end, duration, limit;
} rules[] = {
	/* All is known. */
	{H "1,10,20,30,70,40,60,1,u,COMPLETED,\n", "", 1, 10, 20, 30, 70, 40, 60},
	/* The end follows from the run time, and the run time from the end. */
	{H "1,10,20,30,,40,60,1,u,COMPLETED,\n", "", 1, 10, 20, 30, 70, 40, 60},
	{H "1,10,20,30,70,,60,1,u,COMPLETED,\n", "", 1, 10, 20, 30, 70, 40, 60},
	/* It was suspended for 15 s: the run time counts. */
	{H "1,10,20,30,70,25,60,1,u,COMPLETED,\n", "", 1, 10, 20, 30, 70, 25, 60},
	/* Only the run time. */
	{H "1,10,,,,40,60,1,u,COMPLETED,\n", "", 1, 10, 10, NONE, NONE, 40, 60},
	/* A time of eligible before submit, times after the start. */
	{H "1,10,5,30,70,,60,1,u,COMPLETED,\n", "", 1, 10, 10, 30, 70, 40, 60},
	{H "1,10,40,30,70,,60,1,u,COMPLETED,\n", "", 1, 10, 30, 30, 70, 40, 60},
	{H "1,35,40,30,70,,60,1,u,COMPLETED,\n", "", 1, 30, 30, 30, 70, 40, 60},
	/* No submit. */
	{H "1,,20,30,70,,60,1,u,COMPLETED,\n", "", 1, 20, 20, 30, 70, 40, 60},
	{H "1,,,,,40,60,1,u,COMPLETED,\n", "malformed=1", 0, 0, 0, 0, 0, 0, 0},
	/* It ends before its start. */
	{H "1,10,20,30,29,,60,1,u,COMPLETED,\n", "negative-duration=1", 0, 0, 0, 0, 0, 0, 0},
	{H "1,10,20,,,-1,60,1,u,COMPLETED,\n", "negative-duration=1", 0, 0, 0, 0, 0, 0, 0},
	/* ... by an hour that the clock showed twice, as the run time tells. */
	{H "1,10,20,5000,1900,500,600,1,u,COMPLETED,\n", "", 1, 10, 20, 5000, 5500, 500, 600},
	/* No end: until the last time of the trace, but no longer than its limit. */
	{H "1,10,20,30,,,600,1,u,RUNNING,\n2,90,90,100,150,,60,1,u,COMPLETED,\n", "no-end=1", 2, 10,
	 20, 30, 150, 120, 600},
	{H "1,10,20,30,,,60,1,u,RUNNING,\n2,90,90,100,150,,60,1,u,COMPLETED,\n", "no-end=1", 2, 10,
	 20, 30, 90, 60, 60},
	{H "1,10,20,30,,40,600,1,u,RUNNING,\n", "no-end=1", 1, 10, 20, 30, 70, 40, 600},
	/* No start. */
	{H "1,10,20,,70,,60,1,u,CANCELLED,\n", "no-start=1", 0, 0, 0, 0, 0, 0, 0},
	{H "1,10,20,,,0,60,1,u,CANCELLED,\n", "no-start=1", 0, 0, 0, 0, 0, 0, 0},
	{H "1,10,20,30,30,0,60,1,u,CANCELLED,None assigned\n", "no-start=1", 0, 0, 0, 0, 0, 0, 0},
	{H "1,10,20,30,30,0,60,1,u,PENDING,\n", "no-start=1", 0, 0, 0, 0, 0, 0, 0},
	/* It started and was cancelled in the same second. */
	{H "1,10,20,30,30,0,60,1,u,CANCELLED,n1\n", "", 1, 10, 20, 30, 30, 0, 60},
	/* Limits. */
	{H "1,10,20,30,70,40,,1,u,COMPLETED,\n", "no-limit=1", 1, 10, 20, 30, 70, 40, INF},
	{H "1,10,20,30,70,40,35,1,u,TIMEOUT,\n", "over-limit=1", 1, 10, 20, 30, 70, 40, 40},
	/* A further run of a job that was put back, in either order. */
	{H "1,10,20,30,70,40,60,1,u,NODE_FAIL,\n1,70,70,80,90,10,60,1,u,COMPLETED,\n", "requeue=1",
	 2, 10, 20, 30, 70, 40, 60},
	{H "1,70,70,80,90,10,60,1,u,COMPLETED,\n1,10,20,30,70,40,60,1,u,PREEMPTED,\n", "requeue=1",
	 2, 10, 20, 30, 70, 40, 60},
	/* Another job of the same id. */
	{H "1,10,20,30,70,40,60,1,u,COMPLETED,\n1,70,70,80,90,10,60,1,u,COMPLETED,\n",
	 "recycled-id=1", 2, 10, 20, 30, 70, 40, 60},
	{H "1,10,20,30,70,40,60,1,u,REQUEUED,\n1,70,70,80,90,10,60,1,v,COMPLETED,\n",
	 "recycled-id=1", 2, 10, 20, 30, 70, 40, 60},
	/* The same record again, as in dumps that overlap; the later one knows the end. */
	{H "1,10,20,30,70,40,60,1,u,COMPLETED,\n1,10,20,30,70,40,60,1,u,COMPLETED,\n",
	 "duplicate=1", 1, 10, 20, 30, 70, 40, 60},
	{H "1,10,20,30,,20,60,1,u,RUNNING,\n1,10,20,30,70,40,60,1,u,COMPLETED,\n",
	 "no-end=1 duplicate=1", 1, 10, 20, 30, 70, 40, 60},
	{H "1,10,20,30,70,40,60,1,u,COMPLETED,\n1,10,20,30,,20,60,1,u,RUNNING,\n",
	 "no-end=1 duplicate=1", 1, 10, 20, 30, 70, 40, 60},
};

START_TEST(records)
{
	struct trace_text read;
	const struct gw_trace_job *job;

	trace_text_good(&read, rules[_i].text);
	ck_assert_str_eq(trace_text_problems(&read.trace), rules[_i].problems);
	ck_assert_uint_eq(read.trace.count, rules[_i].count);
	job = read.trace.job;
	if (job) {
		ck_assert_int_eq(job->submit, rules[_i].submit);
		ck_assert_int_eq(job->eligible, rules[_i].eligible);
		ck_assert_int_eq(job->start, rules[_i].start);
		ck_assert_int_eq(job->end, rules[_i].end);
		ck_assert_int_eq(job->duration, rules[_i].duration);
		ck_assert_int_eq(job->limit, rules[_i].limit);
	}
	trace_text_free(&read);
}
END_TEST

/* Strict refuses what is wrong, not what is odd. */
START_TEST(strict)
{
	struct trace_text read;
	struct gw_error error = {0};

	ck_assert_int_eq(trace_text_read(&read,
					 H "1,10,20,30,70,40,,1,u,NODE_FAIL,\n"
					   "1,70,70,80,90,10,,1,u,COMPLETED,\n",
					 true, &error),
			 0);
	trace_text_free(&read);
	ck_assert_int_eq(
		trace_text_read(&read, H "7,10,20,30,29,,60,1,u,COMPLETED,\n", true, &error), -1);
	ck_assert_str_eq(error.text, "jobs:2: job 7: ends before its start: left out");
	trace_text_free(&read);
}
END_TEST

/* Many records of few ids must not take long. */
START_TEST(ids_are_found_fast)
{
	struct gw_trace trace = {0};
	struct gw_trace_intake intake;
	struct gw_trace_record record;

	gw_trace_intake_begin(&intake, &trace, false);
	gw_trace_record_clear(&record);
	for (int i = 0; i < 200000; i++) {
		record.job.id = (uint64_t)(i % 3);
		record.job.submit = record.job.start = i;
		record.job.duration = record.job.limit = 5;
		ck_assert_int_eq(gw_trace_intake_add(&intake, &record, NULL, 0, NULL), 0);
	}
	ck_assert_int_eq(gw_trace_intake_end(&intake, NONE, NULL), 0);
	ck_assert_uint_eq(trace.problems[GW_TRACE_RECYCLED_ID], 200000 - 3);
	ck_assert_str_eq(intake.notes[GW_TRACE_RECYCLED_ID].item[0],
			 "job 0: the id of another job: both are kept");
	gw_trace_intake_free(&intake);
	gw_trace_free(&trace);
}
END_TEST

UNIT_MAIN("trace_record", UNIT_ROWS(records, rules); UNIT(strict); UNIT(ids_are_found_fast))

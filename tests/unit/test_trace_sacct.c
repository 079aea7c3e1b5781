// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "src/util/parse.h"
#include "trace_text.h"
#include "unit.h"

/* One value of one column, in a line that is good otherwise, and what it makes of the job. */
#define TASK(array, task) (((uint64_t)(task) + 1) * (UINT64_C(1) << 32) + (array))

static const struct {
	const char *id;
	uint64_t wanted, array;
	const char *problems;
} ids[] = {
	{"123", 123, 0, ""},
	{"123_4", TASK(123, 4), 123, ""},
	{"123_[1-10%2]", 123, 123, ""},
	{"123+0", 123, 0, ""},
	{"123+2", 125, 0, ""},
	{"123.batch", 0, 0, "step=1"},
	{"123.extern", 0, 0, "step=1"},
	{"123_4.0", 0, 0, "step=1"},
	{"123+1.0", 0, 0, "step=1"},
	{"123_", 0, 0, "malformed=1"},
	{"batch", 0, 0, "malformed=1"},
};

START_TEST(job_ids)
{
	struct trace_text read;
	char text[256];

	snprintf(text, sizeof(text), "JobID|Submit|Elapsed|Timelimit|AllocTRES\n%s|5|00:01:00|1|\n",
		 ids[_i].id);
	trace_text_good(&read, text);
	ck_assert_str_eq(trace_text_problems(&read.trace),
			 *ids[_i].problems ? ids[_i].problems : "over-limit=1");
	if (read.trace.count) {
		ck_assert_uint_eq(read.trace.job->id, ids[_i].wanted);
		ck_assert_uint_eq(read.trace.job->array, ids[_i].array);
	}
	trace_text_free(&read);
}
END_TEST

/* The raw id is the job's own; the other tells the array. */
START_TEST(raw_ids)
{
	struct trace_text read;

	trace_text_good(&read, "JobID|JobIDRaw|Submit|Elapsed|Timelimit|ReqTRES\n"
			       "100_7|107|5|00:01:00|01:00:00|cpu=1\n"
			       "100_7.batch|107.batch|5|00:01:00||cpu=1\n");
	ck_assert_str_eq(trace_text_problems(&read.trace), "step=1");
	ck_assert_uint_eq(read.trace.job->id, 107);
	ck_assert_uint_eq(read.trace.job->array, 100);
	trace_text_free(&read);
}
END_TEST

/* The machine's clock is an hour east here. */
static const struct {
	const char *text;
	int64_t wanted;
} times[] = {
	{"1970-01-02T00:00:00", 82800},
	{"1970-01-02T00:00:00Z", 86400},
	{"1970-01-02T00:00:00+0200", 79200},
	{"1970-01-02T00:00:00-05:30", 106200},
	{"1970-01-02 00:00:00", 82800},
	{"1970-01-02T00:00:00.75", 82800},
	{"86400", 86400},
	{"86400.5", 86401},
	{"-60", -60},
};

START_TEST(times_of_submit)
{
	struct trace_text read;
	char text[256];

	snprintf(text, sizeof(text), "Submit|Elapsed|Timelimit|AllocTRES\n%s|60|60|\n",
		 times[_i].text);
	trace_text_good(&read, text);
	ck_assert_str_eq(trace_text_problems(&read.trace), "");
	ck_assert_int_eq(read.trace.job->submit, times[_i].wanted);
	trace_text_free(&read);
}
END_TEST

static const struct {
	const char *text;
	int64_t limit;
	const char *problems;
} limits[] = {
	{"00:30:00", 1800, ""},
	{"1-12:00:00", 129600, ""},
	{"UNLIMITED", GW_TIME_INFINITE, ""},
	{"Partition_Limit", GW_TIME_INFINITE, "no-limit=1"},
	{"", GW_TIME_INFINITE, "no-limit=1"},
	{"00:00:30", 60, "over-limit=1"},
};

START_TEST(time_limits)
{
	struct trace_text read;
	char text[256];

	snprintf(text, sizeof(text), "Submit|Elapsed|Timelimit|AllocTRES\n0|00:01:00|%s|\n",
		 limits[_i].text);
	trace_text_good(&read, text);
	ck_assert_str_eq(trace_text_problems(&read.trace), limits[_i].problems);
	ck_assert_int_eq(read.trace.job->limit, limits[_i].limit);
	trace_text_free(&read);
}
END_TEST

START_TEST(raw_limits_are_minutes)
{
	struct trace_text read;

	trace_text_good(&read, "Submit|ElapsedRaw|TimelimitRaw|AllocTRES\n0|60|30|\n");
	ck_assert_int_eq(read.trace.job->limit, 1800);
	trace_text_free(&read);
}
END_TEST

/* AllocTRES, ReqTRES, NNodes, and what they make. */
static const struct {
	const char *held, *asked, *nnodes;
	uint32_t gpus, nodes, cpus;
	uint64_t memory;
	const char *type;
} tres[] = {
	{"billing=8,cpu=64,gres/gpu=8,mem=100G,node=1", "", "1", 8, 1, 64, 102400, ""},
	{"cpu=64,gres/gpu:h100=8,gres/gpu=8,mem=512M", "", "1", 8, 1, 64, 512, "h100"},
	{"gres/gpu:h100=4", "", "1", 4, 1, 0, 0, "h100"},
	{"gres/gpu:h100=4,gres/gpu:a100=4,gres/gpu=8", "", "1", 8, 1, 0, 0, ""},
	{"", "cpu=2,gres/gpu=1,node=1", "", 1, 1, 2, 0, ""},
	/* Where memory is not counted, all of a node's is asked for and none held. */
	{"cpu=64,gres/gpu=8,node=1", "cpu=1,gres/gpu=8,mem=1000000M,node=1", "1", 8, 1, 64, 0, ""},
	/* As many nodes as it asked for; or it asked for fewer, and Slurm chose. */
	{"gres/gpu=16,node=2", "gres/gpu=16,node=2", "2", 16, 2, 0, 0, ""},
	{"gres/gpu=16,node=3", "gres/gpu=16,node=1", "3", 16, 0, 0, 0, ""},
	{"cpu=4,energy=18446744073709551614,mem=1.50G", "", "1", 0, 1, 4, 1536, ""},
	{"gres/gpumem=80G,gres/nic=2,GRES/GPU=2,fs/disk=9", "", "1", 2, 1, 0, 0, ""},
};

START_TEST(tres_strings)
{
	struct trace_text read;
	const struct gw_trace_job *job;
	char text[512];

	snprintf(text, sizeof(text),
		 "Submit|Elapsed|Timelimit|AllocTRES|ReqTRES|NNodes\n0|60|60|%s|%s|%s\n",
		 tres[_i].held, tres[_i].asked, tres[_i].nnodes);
	trace_text_good(&read, text);
	ck_assert_str_eq(trace_text_problems(&read.trace), "");
	job = read.trace.job;
	ck_assert_uint_eq(job->gpus, tres[_i].gpus);
	ck_assert_uint_eq(job->nodes, tres[_i].nodes);
	ck_assert_uint_eq(job->cpus, tres[_i].cpus);
	ck_assert_uint_eq(job->memory, tres[_i].memory);
	ck_assert_str_eq(read.trace.names[job->gpu_type], tres[_i].type);
	trace_text_free(&read);
}
END_TEST

static const struct {
	const char *text;
	enum gw_trace_state state;
	bool bad;
} states[] = {
	{"COMPLETED", GW_TRACE_COMPLETED, false},  {"CANCELLED by 1000", GW_TRACE_CANCELLED, false},
	{"CANCELLED+", GW_TRACE_CANCELLED, false}, {"OUT_OF_MEMORY", GW_TRACE_FAILED, false},
	{"NODE_FAIL", GW_TRACE_NODE_FAIL, false},  {"DEADLINE", GW_TRACE_TIMEOUT, false},
	{"REQUEUED", GW_TRACE_REQUEUED, false},    {"", GW_TRACE_COMPLETED, false},
	{"SLEEPING", GW_TRACE_COMPLETED, true},
};

START_TEST(job_states)
{
	struct trace_text read;
	char text[256];

	snprintf(text, sizeof(text), "Submit|Elapsed|Timelimit|AllocTRES|State\n0|60|60||%s\n",
		 states[_i].text);
	trace_text_good(&read, text);
	ck_assert_str_eq(trace_text_problems(&read.trace), states[_i].bad ? "malformed=1" : "");
	if (read.trace.count)
		ck_assert_int_eq(read.trace.job->state, states[_i].state);
	trace_text_free(&read);
}
END_TEST

static const struct {
	const char *text, *name, *problems;
} bars[] = {
	/* The last column may have bars in it. */
	{"Submit|Elapsed|Timelimit|AllocTRES|JobName\n0|60|60||a|b \"c\n", "a|b \"c", ""},
	{"Submit|Elapsed|Timelimit|AllocTRES|JobName|User\n0|60|60||a|b|u\n", "", "malformed=1"},
	/* sacct -p ends its lines with a bar. */
	{"Submit|Elapsed|Timelimit|AllocTRES|JobName|\n0|60|60||a|\n", "a", ""},
};

START_TEST(names_with_bars)
{
	struct trace_text read;

	trace_text_good(&read, bars[_i].text);
	ck_assert_str_eq(trace_text_problems(&read.trace), bars[_i].problems);
	if (read.trace.count)
		ck_assert_str_eq(read.trace.names[read.trace.job->name], bars[_i].name);
	trace_text_free(&read);
}
END_TEST

/* A dump of real life: a requeued job, one that runs, one that never started, steps. */
START_TEST(a_dump)
{
	struct trace_text read;

	trace_text_good(
		&read,
		"JobIDRaw|JobID|User|Account|Submit|Eligible|Start|End|Elapsed|Timelimit|State|"
		"AllocTRES|NodeList|JobName\n"
		"10|10|al|nlp|2026-01-01T00:00:00|2026-01-01T00:00:00|2026-01-01T00:10:00|"
		"2026-01-01T01:10:00|01:00:00|02:00:00|REQUEUED|gres/gpu=8|n1|train\n"
		"10.batch|10.batch||nlp|2026-01-01T00:10:00|2026-01-01T00:10:00|"
		"2026-01-01T00:10:00|2026-01-01T01:10:00|01:00:00||CANCELLED|cpu=8|n1|batch\n"
		"10|10|al|nlp|2026-01-01T01:10:00|2026-01-01T01:12:00|2026-01-01T01:20:00|"
		"2026-01-01T02:20:00|01:00:00|02:00:00|COMPLETED|gres/gpu=8|n2|train\n"
		"11|11|bo|nlp|2026-01-01T02:00:00|2026-01-01T02:00:00|2026-01-01T02:00:00|Unknown|"
		"00:30:00|1-00:00:00|RUNNING|gres/gpu=1|n3|x\n"
		"12|12|bo|nlp|2026-01-01T02:00:00|Unknown|None|2026-01-01T02:01:00|00:00:00|"
		"1-00:00:00|CANCELLED by 7||None assigned|x\n"
		"13|13|bo|nlp|2026-01-01T02:00:00|Unknown|Unknown|Unknown|00:00:00|1-00:00:00|"
		"PENDING||None assigned|x\n");
	ck_assert_str_eq(trace_text_problems(&read.trace), "no-end=1 no-start=2 requeue=1 step=1");
	ck_assert_uint_eq(read.trace.count, 3);
	ck_assert_int_eq(read.trace.job[1].eligible - read.trace.job[1].submit, 120);
	ck_assert_int_eq(read.trace.job[2].duration, 1800);
	trace_text_free(&read);
}
END_TEST

UNIT_MAIN("trace_sacct", UNIT_ROWS(job_ids, ids); UNIT(raw_ids); UNIT_ROWS(times_of_submit, times);
	  UNIT_ROWS(time_limits, limits); UNIT(raw_limits_are_minutes);
	  UNIT_ROWS(tres_strings, tres); UNIT_ROWS(job_states, states);
	  UNIT_ROWS(names_with_bars, bars); UNIT(a_dump))

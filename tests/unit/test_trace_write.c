// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "src/sim/trace_write.h"
#include "trace_text.h"
#include "unit.h"

static int append(void *arg, const char *text, size_t length, struct gw_error *error)
{
	gw_str_append_n(arg, text, length);
	return ((struct gw_str *)arg)->failed ? gw_error_memory(error) : 0;
}

static char *written(const struct gw_trace *trace)
{
	struct gw_str text = {0};
	struct gw_trace_sink sink = {append, &text};

	ck_assert_int_eq(gw_trace_write(trace, &sink, NULL), 0);
	return gw_str_take(&text);
}

#define H                                                                                          \
	"id,submit,eligible,start,end,duration,limit,gpus,nodes,cpus,memory,user,account,qos,"     \
	"partition,name,gpu_type,node_list,state,array\n"

/* What is written reads back as it was. */
static const char *const same[] = {
	H,
	H "5,10,20,30,70,40,60,8,1,16,1024,alice,nlp,high,gpu,train,h100,n1,COMPLETED,\n",
	H "5,-10,-10,,,40,UNLIMITED,0,,,,,,,,,,,FAILED,\n",
	H "4294967419,0,0,,,40,60,1,,,,,,,,\"a,\"\"b\"\"\",,\"n[1-2,7]\",TIMEOUT,123\n",
	H "1,0,0,,,40,60,1,,,,\"#x\",\" y\",\"a;b\",\"a|b\",,,,CANCELLED,\n",
};

START_TEST(reads_back)
{
	struct trace_text read;
	char *text;

	trace_text_good(&read, same[_i]);
	ck_assert_str_eq(trace_text_problems(&read.trace), "");
	text = written(&read.trace);
	ck_assert_str_eq(text, same[_i]);
	free(text);
	trace_text_free(&read);
}
END_TEST

static int refuse(void *arg, const char *text, size_t length, struct gw_error *error)
{
	(void)arg, (void)text, (void)length;
	return gw_error_set(error, "disk full");
}

START_TEST(a_sink_may_fail)
{
	const struct gw_trace trace = {0};
	const struct gw_trace_sink sink = {refuse, NULL};
	struct gw_error error = {0};

	ck_assert_int_eq(gw_trace_write(&trace, &sink, &error), -1);
	ck_assert_str_eq(error.text, "disk full");
}
END_TEST

#define JOBS                                                                                       \
	H "90,1000,1010,1020,1060,40,60,8,2,,,alice,nlp,high,gpu,train,h100,\"n[1-2]\","           \
	  "COMPLETED,\n"                                                                           \
	  "91,1005,1005,1025,1065,40,60,1,,,,bob,nlp,normal,gpu,bob,h100,n2,FAILED,\n"             \
	  "4294967387,1006,1006,,,40,60,1,,,,alice,cv,normal,debug,train,,,COMPLETED,91\n"

static bool has(const char *text, const char *word)
{
	return strstr(text, word) != NULL;
}

START_TEST(no_name_is_left)
{
	static const char *const names[] = {"alice", "bob",   "nlp",   "cv",     "high", "normal",
					    "gpu,",  "debug", "train", "n[1-2]", "1000"};
	static const struct gw_trace_anonymise options = {.random = {1, 2}};
	struct trace_text read;
	char *text;

	trace_text_good(&read, JOBS);
	ck_assert_int_eq(gw_trace_anonymise(&read.trace, &options, NULL), 0);
	text = written(&read.trace) + sizeof(H) - 1;
	for (int i = 0; i < COUNT(names); i++)
		ck_assert_msg(!has(text, names[i]), "%s in %s", names[i], text);
	free(text - sizeof(H) + 1);
	trace_text_free(&read);
}
END_TEST

/* The same name the same, others others; spans, sizes, GPU types and who follows whom stay. */
START_TEST(what_is_kept)
{
	static const struct gw_trace_anonymise options = {.random = {1, 2}};
	struct trace_text read;
	const struct gw_trace_job *job;

	trace_text_good(&read, JOBS);
	ck_assert_int_eq(gw_trace_anonymise(&read.trace, &options, NULL), 0);
	job = read.trace.job;
	ck_assert_uint_eq(job[0].user, job[2].user);
	ck_assert_uint_ne(job[0].user, job[1].user);
	ck_assert_uint_eq(job[0].account, job[1].account);
	ck_assert_uint_ne(job[0].account, job[2].account);
	ck_assert_str_eq(read.trace.names[job[0].gpu_type], "h100");
	ck_assert_uint_eq(job[2].gpu_type, GW_TRACE_NO_NAME);
	ck_assert_uint_eq(job[0].id, 1);
	ck_assert_uint_eq(job[1].id, 2);
	ck_assert_uint_eq(job[2].array, 2);
	ck_assert_uint_eq(job[2].id, job[2].array + (UINT64_C(1) << 32));
	ck_assert_int_eq(job[0].submit, 0);
	ck_assert_int_eq(job[0].eligible, 10);
	ck_assert_int_eq(job[1].end, 65);
	ck_assert_int_eq(job[2].start, GW_TRACE_NONE);
	/* A node has one name, in whatever list. */
	ck_assert(has(read.trace.names[job[0].node_list], read.trace.names[job[1].node_list]));
	ck_assert(has(read.trace.names[job[0].node_list], ","));
	trace_text_free(&read);
}
END_TEST

START_TEST(what_is_asked_for_is_kept)
{
	static const struct gw_trace_anonymise options = {
		.random = {1, 2}, .keep_qos = true, .keep_partition = true, .keep_times = true};
	struct trace_text read;
	const struct gw_trace_job *job;

	trace_text_good(&read, JOBS);
	ck_assert_int_eq(gw_trace_anonymise(&read.trace, &options, NULL), 0);
	job = read.trace.job;
	ck_assert_str_eq(read.trace.names[job[0].qos], "high");
	ck_assert_str_eq(read.trace.names[job[2].partition], "debug");
	ck_assert_int_eq(job[0].submit, 1000);
	ck_assert_str_ne(read.trace.names[job[0].user], "alice");
	trace_text_free(&read);
}
END_TEST

static const char *account_under(const char *text, const char *key, char name[64])
{
	const struct gw_trace_anonymise options = {.key = key};
	struct trace_text read;

	trace_text_good(&read, text);
	ck_assert_int_eq(gw_trace_anonymise(&read.trace, &options, NULL), 0);
	snprintf(name, 64, "%s", read.trace.names[read.trace.job[0].account]);
	trace_text_free(&read);
	return name;
}

/* Under one key two traces can be compared; under two they can not. */
START_TEST(a_key_makes_traces_agree)
{
	char first[64], second[64], other[64];

	account_under(JOBS, "secret", first);
	account_under(H "7,0,0,,,1,2,1,,,,zoe,nlp,,,,,,COMPLETED,\n", "secret", second);
	account_under(JOBS, "Secret", other);
	ck_assert_str_eq(first, second);
	ck_assert_str_ne(first, other);
	ck_assert_uint_eq(strlen(first), 17);
}
END_TEST

/* Neither the alphabet nor who came first shows in the numbers. */
START_TEST(numbers_tell_nothing)
{
	int in_order = 0;

	for (uint64_t seed = 0; seed < 200; seed++) {
		const struct gw_trace_anonymise options = {.random = {seed, 7}};
		struct trace_text read;

		trace_text_good(&read, JOBS);
		ck_assert_int_eq(gw_trace_anonymise(&read.trace, &options, NULL), 0);
		in_order += strcmp(read.trace.names[read.trace.job[0].user], "u1") == 0;
		trace_text_free(&read);
	}
	ck_assert_int_gt(in_order, 60);
	ck_assert_int_lt(in_order, 140);
}
END_TEST

/* On failure the trace is as it was. */
START_TEST(no_memory)
{
	static const struct gw_trace_anonymise options = {.random = {1, 2}};

	for (unsigned int n = 1;; n++) {
		struct trace_text read;
		struct gw_error error = {0};
		bool failed;
		char *text;
		int result;

		trace_text_good(&read, JOBS);
		alloc_fail_at(n);
		result = gw_trace_anonymise(&read.trace, &options, &error);
		failed = alloc_failed();
		text = written(&read.trace);
		ck_assert_int_eq(result == 0, !has(text, "alice"));
		free(text);
		trace_text_free(&read);
		if (!failed)
			break;
	}
}
END_TEST

UNIT_MAIN("trace_write", UNIT_ROWS(reads_back, same); UNIT(a_sink_may_fail); UNIT(no_name_is_left);
	  UNIT(what_is_kept); UNIT(what_is_asked_for_is_kept); UNIT(a_key_makes_traces_agree);
	  UNIT(numbers_tell_nothing); UNIT(no_memory))

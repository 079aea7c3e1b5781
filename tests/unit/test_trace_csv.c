// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "src/util/parse.h"
#include "trace_text.h"
#include "unit.h"

/* A header, a line, and the job that they make. */
static const struct {
	const char *text;
	int64_t submit, duration, limit;
	uint32_t gpus, nodes;
	const char *account, *user, *qos;
} dialects[] = {
	/* Our own: any order, any subset. */
	{"id,submit,duration,limit,gpus,account,user,qos\n5,100,60,90,8,nlp,alice,high\n", 100, 60,
	 90, 8, 0, "nlp", "alice", "high"},
	{"gpus,submit,start,end\n4,100,160,200\n", 100, 40, GW_TIME_INFINITE, 4, 0, "", "", ""},
	{"id,submit,duration,limit,gpus\n5,100,60,1-00:00:00,8\n", 100, 60, 86400, 8, 0, "", "",
	 ""},
	{"id,submit,duration,limit,gpus\n5,100,60,UNLIMITED,8\n", 100, 60, GW_TIME_INFINITE, 8, 0,
	 "", "", ""},
	{"id,submit,duration,limit,gpus\n5,100,60,0,8\n", 100, 60, GW_TIME_INFINITE, 8, 0, "", "",
	 ""},
	/* Philly, as cut to a window. */
	{"job_id,submit_s,duration_s,num_gpus,team,high_prio_SYN,timelimit_s_SYN\n"
	 "798,47114,222277,8,7f04ca,1,604800\n",
	 47114, 222277, 604800, 8, 0, "7f04ca", "", "high"},
	{"job_id,submit_s,duration_s,num_gpus,team,high_prio_SYN,timelimit_s_SYN\n"
	 "790,2996,24420,8,ee9e8c,0,86400\n",
	 2996, 24420, 86400, 8, 0, "ee9e8c", "", "normal"},
	{"job_id,submit_s_since_2017-08-01,duration_s,num_gpus,vc\n0,1545618,2868294,1,7f04ca\n",
	 1545618, 2868294, GW_TIME_INFINITE, 1, 0, "7f04ca", "", ""},
	/* Helios, cut, as simulators exchange it (microseconds), and as released. */
	{"job_id,submit_s,duration_s,num_gpus,vc,user,final_status,high_prio_SYN,timelimit_s_SYN\n"
	 "765563,5835,24,128,vcvGl,uH3om,CANCELED,1,900\n",
	 5835, 24, 900, 128, 0, "vcvGl", "uH3om", "high"},
	{"# a comment\njob_id,user,tenant,class,submit_time,num_chips,chip_type,num_nodes,"
	 "duration_s,walltime_limit_s,final_status\n"
	 "765563,uH3om,vcvGl,finetune,5835000000,128,,16,24.0,24.0,CANCELED\n",
	 5835, 24, 24, 128, 16, "vcvGl", "uH3om", "finetune"},
	{"job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration\n"
	 "7,u1,vc1,8,64,1,COMPLETED,1970-01-02 01:00:00,1970-01-02 01:01:00,1970-01-02 "
	 "01:02:00,60\n",
	 86400, 60, GW_TIME_INFINITE, 8, 1, "vc1", "u1", ""},
	/* Alibaba's pods. */
	{"name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
	 "deletion_time,scheduled_time\npod-1,6500,12288,1,460,,LS,Running,427061,12902960,"
	 "427071\n",
	 427061, 12475889, GW_TIME_INFINITE, 1, 0, "", "", "LS"},
};

START_TEST(dialects_are_known_by_their_header)
{
	struct trace_text read;
	const struct gw_trace_job *job;

	trace_text_good(&read, dialects[_i].text);
	ck_assert_uint_eq(read.trace.count, 1);
	job = read.trace.job;
	ck_assert_int_eq(job->submit, dialects[_i].submit);
	ck_assert_int_eq(job->eligible, dialects[_i].submit);
	ck_assert_int_eq(job->duration, dialects[_i].duration);
	ck_assert_int_eq(job->limit, dialects[_i].limit);
	ck_assert_uint_eq(job->gpus, dialects[_i].gpus);
	ck_assert_uint_eq(job->nodes, dialects[_i].nodes);
	ck_assert_str_eq(read.trace.names[job->account], dialects[_i].account);
	ck_assert_str_eq(read.trace.names[job->user], dialects[_i].user);
	ck_assert_str_eq(read.trace.names[job->qos], dialects[_i].qos);
	trace_text_free(&read);
}
END_TEST

#define H "id,submit,duration,limit,gpus,name\n"

/* What text is, besides values. */
static const struct {
	const char *text, *name;
} texts[] = {
	{H "1,0,9,99,1,a\r\n", "a"},
	{"\xef\xbb\xbf" H "1,0,9,99,1,a\n", "a"},
	{"# one\n\n" H "# two\n\n1,0,9,99,1,a\n", "a"},
	{H "1,0,9,99,1,\"a,b\"\n", "a,b"},
	{H "1,0,9,99,1,\"say \"\"a\"\"\"\n", "say \"a\""},
	{H "\"1\",\"0\",9,99,1,\n", ""},
	{H " 1 ,\t0, 9,99,1,a", "a"},
	{"id;submit;duration;limit;gpus;name\n1;0;9;99;1;a,b\n", "a,b"},
	{"ID,Submit,Duration,Limit,GPUs,Name,colour\n1,0,9,99,1.0,a,red\n", "a"},
};

START_TEST(lines_and_quotes)
{
	struct trace_text read;

	trace_text_good(&read, texts[_i].text);
	ck_assert_str_eq(trace_text_problems(&read.trace), "");
	ck_assert_uint_eq(read.trace.count, 1);
	ck_assert_str_eq(read.trace.names[read.trace.job->name], texts[_i].name);
	ck_assert_uint_eq(read.trace.job->id, 1);
	trace_text_free(&read);
}
END_TEST

/* Lines that can not be read: counted, with a text that says what is wrong and what is right. */
static const struct {
	const char *line, *note;
} malformed[] = {
	{"x,0,9,99,1,a", "jobs:2: id: 'x' must be a job id such as 123, 123_4, 123+1 or 123.batch"},
	{"1,soon,9,99,1,a",
	 "jobs:2: submit: 'soon' must be seconds, a date such as 2026-01-31T09:00:00, or Unknown"},
	{"1,2026-02-30T00:00:00,9,99,1,a",
	 "jobs:2: submit: '2026-02-30T00:00:00' must be seconds, a "
	 "date such as 2026-01-31T09:00:00, or Unknown"},
	{"1,0,9m,99,1,a", "jobs:2: duration: '9m' must be seconds or a time such as 1-12:00:00"},
	{"1,0,9,1d,1,a",
	 "jobs:2: limit: '1d' must be seconds, a time such as 1-12:00:00, or UNLIMITED"},
	{"1,0,9,-5,1,a",
	 "jobs:2: limit: '-5' must be seconds, a time such as 1-12:00:00, or UNLIMITED"},
	{"1,0,9,99,0.5,a", "jobs:2: gpus: '0.5' must be a whole number"},
	{"1,0,9,99,-1,a", "jobs:2: gpus: '-1' must be a whole number"},
	{"1,0,9,99,4294967296,a", "jobs:2: gpus: '4294967296' must be a whole number"},
	{"1,0,9,99,nan,a", "jobs:2: gpus: 'nan' must be a whole number"},
	{"1,0,9,99,1", "jobs:2: has 5 fields, the header 6"},
	{"1,0,9,99,1,a,b", "jobs:2: has 7 fields, the header 6"},
	{"1,0,9,99,1,\"a", "jobs:2: name: quotes do not end on this line"},
	{"1,0,9,99,1,\"a\"b", "jobs:2: name: quotes do not end on this line"},
	{"1,,9,99,1,a", "jobs:2: has no time of submit"},
	{"1,99999999999999999999,9,99,1,a",
	 "jobs:2: submit: '99999999999999999999' must be seconds, "
	 "a date such as 2026-01-31T09:00:00, or Unknown"},
};

START_TEST(malformed_lines_are_left_out_and_told)
{
	struct trace_text read;
	struct gw_error error = {0};
	char text[256];

	snprintf(text, sizeof(text), H "%s\n2,5,9,99,1,good\n", malformed[_i].line);
	trace_text_good(&read, text);
	ck_assert_uint_eq(read.trace.count, 1);
	ck_assert_uint_eq(read.trace.job->id, 2);
	ck_assert_str_eq(trace_text_problems(&read.trace), "malformed=1");
	ck_assert_str_eq(read.intake.notes[GW_TRACE_MALFORMED].item[0], malformed[_i].note);
	trace_text_free(&read);

	ck_assert_int_eq(trace_text_read(&read, text, true, &error), -1);
	ck_assert_str_eq(error.text, malformed[_i].note);
	trace_text_free(&read);
}
END_TEST

START_TEST(only_the_first_few_are_told)
{
	struct trace_text read;

	trace_text_good(&read, H "1\n2\n3\n4\n5\n");
	ck_assert_str_eq(trace_text_problems(&read.trace), "malformed=5");
	ck_assert_uint_eq(read.intake.notes[GW_TRACE_MALFORMED].count, GW_TRACE_NOTES_MAX);
	trace_text_free(&read);
}
END_TEST

START_TEST(a_nul_is_no_text)
{
	struct gw_trace trace = {0};
	struct gw_trace_intake intake;
	struct gw_trace_reader *reader;
	char header[] = H, line[] = "1,0,9\0,99,1,a\n";

	gw_trace_intake_begin(&intake, &trace, false);
	reader = gw_trace_reader_new(&intake, NULL, NULL);
	ck_assert_int_eq(gw_trace_reader_begin(reader, "jobs", NULL), 0);
	ck_assert_int_eq(gw_trace_reader_line(reader, header, strlen(header), NULL), 0);
	ck_assert_int_eq(gw_trace_reader_line(reader, line, sizeof(line) - 1, NULL), 0);
	ck_assert_str_eq(intake.notes[GW_TRACE_MALFORMED].item[0],
			 "jobs:2: has a NUL byte: not text");
	gw_trace_reader_free(reader);
	gw_trace_intake_free(&intake);
	gw_trace_free(&trace);
}
END_TEST

static const struct {
	const char *text, *error;
} headers[] = {
	{"", "jobs: has no line that names the columns"},
	{"# nothing\n", "jobs: has no line that names the columns"},
	{"1,0,9,99,1\n",
	 "jobs:1: the first line must name the columns, and none is for the time of "
	 "submit (submit, Submit); sacct needs -P and no -n"},
	{"id,submit,gpus,start\n",
	 "jobs:1: the first line must name the columns, and none is for the "
	 "run time (duration, Elapsed, or start and end); sacct needs -P "
	 "and no -n"},
	{"id,submit,duration\n",
	 "jobs:1: the first line must name the columns, and none is for GPUs "
	 "(gpus, AllocTRES, ReqTRES); sacct needs -P and no -n"},
	{"id,submit,submit,duration,gpus\n", "jobs:1: the header names the column submit twice"},
	{"\"id,submit\n", "jobs:1: quotes in the header do not end"},
};

START_TEST(a_header_is_needed)
{
	struct trace_text read;
	struct gw_error error = {0};

	ck_assert_int_eq(trace_text_read(&read, headers[_i].text, false, &error), -1);
	ck_assert_str_eq(error.text, headers[_i].error);
	trace_text_free(&read);
}
END_TEST

START_TEST(no_memory)
{
	for (unsigned int n = 1;; n++) {
		struct trace_text read;
		struct gw_error error = {0};
		int result;

		alloc_fail_at(n);
		result = trace_text_read(&read, H "1,0,9,99,1,a\nbad\n1,1,9,99,1,b\n2,0,9,3,1,c\n",
					 false, &error);
		trace_text_free(&read);
		if (!alloc_failed())
			break;
		ck_assert_int_eq(result, -1);
		ck_assert_ptr_nonnull(strstr(error.text, "out of memory"));
	}
}
END_TEST

UNIT_MAIN("trace_csv", UNIT_ROWS(dialects_are_known_by_their_header, dialects);
	  UNIT_ROWS(lines_and_quotes, texts);
	  UNIT_ROWS(malformed_lines_are_left_out_and_told, malformed);
	  UNIT(only_the_first_few_are_told); UNIT(a_nul_is_no_text);
	  UNIT_ROWS(a_header_is_needed, headers); UNIT(no_memory))

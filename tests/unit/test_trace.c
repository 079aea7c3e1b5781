// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "src/sim/trace.h"
#include "unit.h"

START_TEST(a_name_has_one_index)
{
	struct gw_trace trace = {0};
	uint32_t index[1000], again;
	char name[32];

	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		ck_assert_int_eq(gw_trace_name(&trace, name, &index[i], NULL), 0);
	}
	ck_assert_uint_eq(trace.name_count, 1001);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		ck_assert_int_eq(gw_trace_name(&trace, name, &again, NULL), 0);
		ck_assert_uint_eq(again, index[i]);
		ck_assert_str_eq(trace.names[again], name);
	}
	gw_trace_free(&trace);
}
END_TEST

START_TEST(no_name_is_the_empty_one)
{
	struct gw_trace trace = {0};
	struct gw_trace_job job = {.id = 1};
	uint32_t index = 9;

	ck_assert_int_eq(gw_trace_name(&trace, NULL, &index, NULL), 0);
	ck_assert_uint_eq(index, GW_TRACE_NO_NAME);
	ck_assert_int_eq(gw_trace_name(&trace, "", &index, NULL), 0);
	ck_assert_uint_eq(index, GW_TRACE_NO_NAME);
	ck_assert_int_eq(gw_trace_add(&trace, &job, NULL), 0);
	ck_assert_str_eq(trace.names[trace.job[0].user], "");
	gw_trace_free(&trace);
	gw_trace_free(NULL);
}
END_TEST

START_TEST(long_names_are_kept_whole)
{
	struct gw_trace trace = {0};
	char *name = calloc(1, 200001);
	uint32_t index;

	memset(name, 'n', 200000);
	ck_assert_int_eq(gw_trace_name(&trace, name, &index, NULL), 0);
	ck_assert_str_eq(trace.names[index], name);
	free(name);
	gw_trace_free(&trace);
}
END_TEST

/* By submit; equal ones as recorded. */
START_TEST(sorted_stably)
{
	static const int64_t submits[] = {5, 3, 5, -1, 3, 9, 5, 0};
	static const uint64_t ids[] = {3, 7, 1, 4, 0, 2, 6, 5};
	struct gw_trace trace = {0};

	for (int i = 0; i < COUNT(submits); i++) {
		struct gw_trace_job job = {.id = (uint64_t)i, .submit = submits[i]};

		ck_assert_int_eq(gw_trace_add(&trace, &job, NULL), 0);
	}
	ck_assert_int_eq(gw_trace_sort(&trace, NULL), 0);
	for (int i = 0; i < COUNT(ids); i++)
		ck_assert_uint_eq(trace.job[i].id, ids[i]);
	ck_assert_int_eq(gw_trace_sort(&trace, NULL), 0);
	ck_assert_uint_eq(trace.job[0].id, 3);
	gw_trace_free(&trace);
}
END_TEST

START_TEST(every_problem_is_named)
{
	for (int i = 0; i < GW_TRACE_PROBLEM_COUNT; i++) {
		ck_assert_ptr_nonnull(gw_trace_problem_text((enum gw_trace_problem)i));
		ck_assert_ptr_null(strpbrk(gw_trace_problem_name((enum gw_trace_problem)i), " _"));
	}
}
END_TEST

static int fill(struct gw_trace *trace, struct gw_error *error)
{
	struct gw_trace_job job = {0};
	char name[16];

	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof(name), "n%d", i);
		job.submit = -i;
		if (gw_trace_name(trace, name, &job.user, error) ||
		    gw_trace_add(trace, &job, error))
			return -1;
	}
	return gw_trace_sort(trace, error);
}

START_TEST(no_memory)
{
	for (unsigned int n = 1;; n++) {
		struct gw_trace trace = {0};
		struct gw_error error = {0};
		int result;

		alloc_fail_at(n);
		result = fill(&trace, &error);
		gw_trace_free(&trace);
		if (!alloc_failed())
			break;
		ck_assert_int_eq(result, -1);
		ck_assert_str_eq(error.text, "out of memory");
	}
}
END_TEST

UNIT_MAIN("trace", UNIT(a_name_has_one_index); UNIT(no_name_is_the_empty_one);
	  UNIT(long_names_are_kept_whole); UNIT(sorted_stably); UNIT(every_problem_is_named);
	  UNIT(no_memory))

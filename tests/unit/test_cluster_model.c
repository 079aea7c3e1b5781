// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/sim/cluster_model.h"
#include "src/util/parse.h"
#include "unit.h"

START_TEST(slurms_defaults)
{
	struct gw_model_sched sched;

	gw_model_sched_default(&sched);
	ck_assert_int_eq(sched.batch_sched_delay, 3);
	ck_assert_int_eq(sched.sched_interval, 60);
	ck_assert_uint_eq(sched.default_queue_depth, 100);
	ck_assert_int_eq(sched.bf_interval, 30);
	ck_assert_int_eq(sched.bf_window, 24 * 3600);
	ck_assert_int_eq(sched.bf_resolution, 60);
	ck_assert_uint_eq(sched.bf_max_job_test, 500);
	ck_assert_uint_eq(sched.bf_max_job_user, 0);
	ck_assert_uint_eq(sched.bf_max_job_part, 0);
	ck_assert(!sched.bf_continue && !sched.defer && sched.backfill);
	ck_assert_int_eq(sched.complete_wait, 0);
}
END_TEST

START_TEST(kinds_of_nodes_one_after_another)
{
	struct gw_model model;
	struct gw_error error = {0};

	ck_assert_int_eq(gw_model_of_text("3x8,2x4", &model, &error), 0);
	ck_assert_uint_eq(model.node_count, 5);
	ck_assert_str_eq(model.node[0].name, "n0");
	ck_assert_str_eq(model.node[4].name, "n4");
	ck_assert_uint_eq(model.node[2].gpus, 8);
	ck_assert_uint_eq(model.node[3].gpus, 4);
	ck_assert_uint_eq(model.node[3].cpus, 64);
	ck_assert_uint_eq(model.node[3].memory, 4 * 128 * 1024);
	ck_assert_int_eq(model.node[3].shape, -1);
	ck_assert_uint_eq(model.node[3].domain, 0);
	ck_assert_ptr_null(model.node[3].gpu_type);
	gw_model_free(&model);
}
END_TEST

START_TEST(one_partition_has_all_nodes)
{
	struct gw_model model;

	ck_assert_int_eq(gw_model_of_text("104x8", &model, NULL), 0);
	ck_assert_uint_eq(model.partition_count, 1);
	ck_assert(model.partition[0].is_default);
	for (size_t i = 0; i < 104; i++)
		ck_assert(model.partition[0].has[i]);
	ck_assert_int_eq(model.partition[0].max_time, GW_TIME_INFINITE);
	ck_assert_int_eq(model.partition[0].default_time, GW_TIME_NONE);
	ck_assert_uint_eq(model.partition[0].tier, 1);
	gw_model_free(&model);
	ck_assert_ptr_null(model.node);
}
END_TEST

static const char *const refused[] = {
	"",        "8",     "x8",      "104x",        "0x8",
	"8x0",     "8x65",  "-1x8",    "8x8,",        "8x8,,4x4",
	"8 x8",    "8x8x8", "65537x8", "65536x8,1x8", "99999999999999999999x8",
	"8xeight",
};

START_TEST(says_what_is_allowed)
{
	struct gw_model model;
	struct gw_error error = {0};

	ck_assert_int_eq(gw_model_of_text(refused[_i], &model, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "must be nodes x GPUs a node, as 104x8"));
	ck_assert_ptr_null(model.node);
	ck_assert_uint_eq(model.node_count, 0);
}
END_TEST

START_TEST(memory_may_run_out_anywhere)
{
	struct gw_model model;
	unsigned int n = 0;
	bool failed;

	do {
		struct gw_error error = {0};
		int result;

		alloc_fail_at(++n);
		result = gw_model_of_text("3x8,2x4", &model, &error);
		failed = alloc_failed();
		ck_assert_int_eq(result, failed ? -1 : 0);
		ck_assert_int_eq(gw_error_is_set(&error), failed);
		gw_model_free(&model);
	} while (failed);
	ck_assert_uint_gt(n, 10);
}
END_TEST

UNIT_MAIN("cluster_model", UNIT(slurms_defaults), UNIT(kinds_of_nodes_one_after_another),
	  UNIT(one_partition_has_all_nodes), UNIT_ROWS(says_what_is_allowed, refused),
	  UNIT(memory_may_run_out_anywhere))

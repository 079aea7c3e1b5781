// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "order_jobs.h"
#include "unit.h"

/* --- between queues --- */

START_TEST(the_queue_that_used_least_goes_first)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A);
	add(f, B);
	add(f, C);
	f->usage[line_of(f, A, H100)] = 3;
	f->usage[line_of(f, B, H100)] = 1;
	f->usage[line_of(f, C, H100)] = 2;
	ck_assert_str_eq(order(f), "2 3 1");
	tear_down(f);
}
END_TEST

START_TEST(weight_divides_the_key)
{
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS ONE_POOL
				   "QueueName=a Pool=all Weight=3\nQueueName=b Pool=all\n");

	add(f, A);
	add(f, B);
	f->usage[line_of(f, A, H100)] = usage_of(20);
	f->usage[line_of(f, B, H100)] = usage_of(10);
	ck_assert_str_eq(order(f), "1 2");
	tear_down(f);
}
END_TEST

/* Twice the weight: two starts to the other's one. */
START_TEST(starts_interleave_by_weight)
{
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS ONE_POOL
				   "QueueName=a Pool=all Weight=2\nQueueName=b Pool=all\n");

	for (int i = 0; i < 6; i++)
		add(f, A);
	for (int i = 0; i < 3; i++)
		add(f, B);
	f->usage[line_of(f, B, H100)] = 1;
	ck_assert_str_eq(order(f), "1 7 2 3 8 4 5 9 6");
	tear_down(f);
}
END_TEST

START_TEST(held_now_counts_by_the_share_term)
{
	struct fixture *f = set_up("ShareTerm=0.5\n" PLAIN);

	add(f, A);
	add(f, B);
	f->held[line_of(f, A, H100)] = 4;
	f->usage[line_of(f, B, H100)] = usage_of(1.9);
	ck_assert_str_eq(order(f), "2 1");
	f->usage[line_of(f, B, H100)] = usage_of(2.1);
	ck_assert_str_eq(order(f), "1 2");
	tear_down(f);
}
END_TEST

/* Without a share term only the charge tells the simulation that a start costs. */
START_TEST(charge_interleaves_as_well)
{
	struct fixture *f = set_up("ShareTerm=0 Charge=01:00:00\n" PLAIN);

	add(f, A);
	add(f, A);
	add(f, B);
	f->usage[line_of(f, B, H100)] = 1800;
	ck_assert_str_eq(order(f), "1 3 2");
	tear_down(f);
}
END_TEST

START_TEST(without_decay_a_week_is_the_measure)
{
	struct fixture *f = set_up("UsageHalfLife=NONE\n" TWO_CLASSES FLAVORS ONE_POOL QUEUES);

	add(f, A);
	add(f, B);
	f->held[line_of(f, A, H100)] = 4;
	f->usage[line_of(f, B, H100)] = usage_of(3);
	ck_assert_str_eq(order(f), "2 1");
	tear_down(f);
}
END_TEST

START_TEST(gpu_usage_does_not_rank_cpu_jobs)
{
	struct fixture *f = set_up(PLAIN);

	for (int queue = A; queue <= B; queue++) {
		struct gw_job *job = add(f, queue);

		job->flavor = GW_INDEX_NONE;
		job->gpus = 0;
		job->rate = 0.01;
	}
	f->usage[line_of(f, A, H100)] = usage_of(100);
	f->usage[line_of(f, B, GW_INDEX_NONE)] = 1;
	ck_assert_str_eq(order(f), "1 2");
	tear_down(f);
}
END_TEST

/* Equal in all, as on the first day: the oldest job decides between queues, then the id. */
START_TEST(equal_queues_go_by_age)
{
	struct fixture *f = set_up("ShareTerm=0\n" PLAIN);

	add(f, B)->eligible = NOW - 10;
	add(f, A)->eligible = NOW - 20;
	add(f, C)->eligible = NOW - 15;
	add(f, A)->eligible = NOW - 5;
	add(f, B)->eligible = NOW - 5;
	ck_assert_str_eq(order(f), "2 3 1 4 5");
	tear_down(f);
}
END_TEST

/* Case 16. Usage A 0.10, B 0.09, room for one job: B starts one, then it is A's turn. */
static const struct {
	uint32_t tasks; /* of one array, or 0: as many single jobs */
} bursts[] = {{0}, {100}};

START_TEST(a_burst_inside_one_moment_interleaves)
{
	struct fixture *f = set_up(PLAIN);

	f->usage[line_of(f, A, H100)] = 0.10;
	f->usage[line_of(f, B, H100)] = 0.09;
	if (bursts[_i].tasks) {
		struct gw_job *array = add(f, B);

		resize(array, 8);
		array->tasks = bursts[_i].tasks;
	} else {
		for (int i = 0; i < 100; i++)
			resize(add(f, B), 8);
	}
	resize(add(f, A), 8);
	rank(f);
	ck_assert_int_eq(f->job[f->rank[0].job].queue, B);
	ck_assert_uint_eq(f->rank[0].turn, 1);
	ck_assert_int_eq(f->job[f->rank[1].job].queue, A);
	tear_down(f);
}
END_TEST

/* --- arrays --- */

START_TEST(the_turn_is_what_starts_in_a_row)
{
	struct fixture *f = set_up(PLAIN);
	struct gw_job *array = add(f, A);

	array->tasks = 50;
	add(f, B);
	add(f, A);
	f->usage[line_of(f, B, H100)] = usage_of(9.5);
	ck_assert_str_eq(order(f), "1 2 3");
	ck_assert_uint_eq(f->rank[0].turn, 10);
	ck_assert_uint_eq(f->rank[1].turn, 1);
	/* Then it is the array's turn again, before the third. */
	ck_assert_uint_eq(f->rank[0].again, 2);
	ck_assert_uint_eq(f->rank[1].again, 0);
	tear_down(f);
}
END_TEST

START_TEST(alone_an_array_has_all_the_turns_its_quota_allows)
{
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS "PoolName=all Quota=h100=10\n"
							      "QueueName=a Pool=all\n");
	struct gw_job *array = add(f, A);

	resize(array, 3);
	array->tasks = 50;
	ck_assert_str_eq(order(f), "1");
	ck_assert_uint_eq(f->rank[0].turn, 3);
	ck_assert_uint_eq(f->rank[0].again, 0);
	tear_down(f);
}
END_TEST

START_TEST(other_gpus_do_not_end_a_turn)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A)->tasks = 50;
	add(f, B)->flavor = A100;
	f->usage[line_of(f, B, A100)] = usage_of(4.5);
	ck_assert_str_eq(order(f), "1 2");
	ck_assert_uint_eq(f->rank[0].turn, 50);
	ck_assert_uint_eq(f->rank[0].again, 0);
	tear_down(f);
}
END_TEST

/* Flavors without a type may be the same GPUs; so may two partitions of one type. */
START_TEST(flavors_that_may_be_the_same_gpus_end_a_turn)
{
	static const char *const same[] = {"gpu", "gpu:h100"};

	for (int i = 0; i < COUNT(same); i++) {
		char text[512];
		struct fixture *f;

		snprintf(text, sizeof(text),
			 WEEKLY TWO_CLASSES
			 "FlavorName=h100 Gres=gpu:h100 Partition=gpu\n"
			 "FlavorName=a100 Gres=%s Partition=low\n" ONE_POOL QUEUES,
			 same[i]);
		f = set_up(text);
		add(f, A)->tasks = 50;
		add(f, B)->flavor = A100;
		rank(f);
		/* One start fills its flavor of the pool more than the other is filled. */
		ck_assert_uint_eq(f->rank[0].turn, 1);
		tear_down(f);
	}
}
END_TEST

START_TEST(endless_arrays_end)
{
	struct fixture *f = set_up(PLAIN);

	for (int i = 0; i < 3; i++) {
		struct gw_job *array = add(f, i % 2);

		array->flavor = GW_INDEX_NONE;
		array->gpus = 0;
		array->rate = 0;
		array->tasks = UINT32_MAX;
	}
	ck_assert_str_eq(order(f), "1 2 3");
	tear_down(f);
}
END_TEST

/* --- class, SmallHold, OrderWithinClass --- */

START_TEST(class_goes_before_usage)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A);
	add(f, B)->job_class = HIGH;
	add(f, C)->job_class = GW_INDEX_NONE;
	f->usage[line_of(f, B, H100)] = usage_of(100);
	ck_assert_str_eq(order(f), "2 1 3");
	tear_down(f);
}
END_TEST

START_TEST(classes_of_one_rank_are_equal)
{
	struct fixture *f = set_up(
		WEEKLY
		"ClassName=x Rank=2 QOS=x\nClassName=y Rank=2 QOS=y Default=yes\n" FLAVORS ONE_POOL
			QUEUES);

	add(f, A)->job_class = 0;
	add(f, B)->job_class = 1;
	f->usage[line_of(f, A, H100)] = 1;
	ck_assert_str_eq(order(f), "2 1");
	tear_down(f);
}
END_TEST

START_TEST(usage_before_class_turns_them_round)
{
	struct fixture *f = set_up("OrderWithinClass=usage-before-class\n" PLAIN);

	add(f, A);
	add(f, A)->job_class = HIGH;
	add(f, B)->job_class = HIGH;
	f->usage[line_of(f, B, H100)] = usage_of(1.5);
	ck_assert_str_eq(order(f), "2 1 3");
	/* Equal queues: class, however old the other is. */
	f->usage[line_of(f, B, H100)] = 0;
	f->job[1].job_class = STANDARD;
	f->job[0].eligible = NOW - DAY;
	ck_assert_str_eq(order(f), "3 1 2");
	tear_down(f);
}
END_TEST

START_TEST(age_leaves_usage_out)
{
	struct fixture *f =
		set_up("OrderWithinClass=age WithinQueue=shortest-limit QueueMaxWait=1-0\n" PLAIN);

	f->usage[line_of(f, A, H100)] = usage_of(100);
	add(f, A)->eligible = NOW - 30;
	add(f, B)->eligible = NOW - 10;
	add(f, A)->eligible = NOW - 20;
	add(f, A)->eligible = NOW - 2 * DAY;
	add(f, C)->job_class = HIGH;
	f->job[2].limit = 60;
	ck_assert_str_eq(order(f), "5 4 1 3 2");
	tear_down(f);
}
END_TEST

UNIT_MAIN("order", UNIT(the_queue_that_used_least_goes_first), UNIT(weight_divides_the_key),
	  UNIT(starts_interleave_by_weight), UNIT(held_now_counts_by_the_share_term),
	  UNIT(charge_interleaves_as_well), UNIT(without_decay_a_week_is_the_measure),
	  UNIT(gpu_usage_does_not_rank_cpu_jobs), UNIT(equal_queues_go_by_age),
	  UNIT_ROWS(a_burst_inside_one_moment_interleaves, bursts),
	  UNIT(the_turn_is_what_starts_in_a_row),
	  UNIT(alone_an_array_has_all_the_turns_its_quota_allows),
	  UNIT(other_gpus_do_not_end_a_turn), UNIT(flavors_that_may_be_the_same_gpus_end_a_turn),
	  UNIT(endless_arrays_end), UNIT(class_goes_before_usage),
	  UNIT(classes_of_one_rank_are_equal), UNIT(usage_before_class_turns_them_round),
	  UNIT(age_leaves_usage_out))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "order_jobs.h"
#include "unit.h"

/* Jobs: 1 long and 11 days old, 2 long, 3 short, 4 without limit but older than 2 and 3. */
static const struct {
	const char *globals, *order;
	int job_class;
} within[] = {
	{"WithinQueue=fifo QueueMaxWait=NONE\n", "1 4 2 3", STANDARD},
	{"WithinQueue=shortest-limit QueueMaxWait=NONE\n", "3 1 2 4", STANDARD},
	{"WithinQueue=shortest-limit QueueMaxWait=10-0\n", "1 3 2 4", STANDARD},
	{"WithinQueue=shortest-limit QueueMaxWait=10-0\n", "1 4 2 3", HIGH},
};

START_TEST(order_inside_a_queue)
{
	struct fixture *f = set_up_with(within[_i].globals);

	for (int i = 0; i < 4; i++) {
		add(f, A)->job_class = within[_i].job_class;
		f->job[i].eligible = NOW - 100 + i;
		f->job[i].limit = DAY;
	}
	f->job[0].eligible = NOW - 11 * DAY;
	f->job[2].limit = 60;
	f->job[3].limit = GW_TIME_INFINITE;
	f->job[3].eligible = NOW - 200;
	ck_assert_str_eq(order(f), within[_i].order);
	tear_down(f);
}
END_TEST

START_TEST(eligible_time_is_kept_or_is_that_of_submit)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A)->eligible = 0;
	f->job[0].submit = NOW - 10;
	add(f, A)->eligible = NOW - 20;
	add(f, A)->eligible = NOW + 5;
	ck_assert_str_eq(order(f), "2 1 ! 3");
	tear_down(f);
}
END_TEST

/* Places 1, 3, 5 are ann's, 2 and 4 bob's. */
START_TEST(nice_orders_one_users_jobs_only)
{
	struct fixture *f = set_up(PLAIN);

	for (int i = 0; i < 5; i++) {
		add(f, A)->user = i % 2 ? 7 : 3;
		f->job[i].eligible = NOW - 100 + i;
	}
	f->job[0].nice = 100;
	f->job[4].nice = -5;
	ck_assert_str_eq(order(f), "5 2 3 4 1");
	tear_down(f);
}
END_TEST

/* Nor does it order jobs of another queue, class or flavor. */
START_TEST(nice_stays_in_its_queue_and_class)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A)->nice = 1000;
	add(f, B);
	add(f, A)->job_class = HIGH;
	f->usage[line_of(f, B, H100)] = usage_of(10);
	ck_assert_str_eq(order(f), "3 1 2");
	tear_down(f);
}
END_TEST

/* A short job can not be a ticket for a long one. */
START_TEST(nice_exchanges_jobs_of_one_limit)
{
	struct fixture *f = set_up("WithinQueue=shortest-limit\n" PLAIN);

	add(f, A)->nice = 1000;
	f->job[0].limit = 60;
	add(f, A);
	add(f, A)->nice = -1;
	ck_assert_str_eq(order(f), "1 3 2");
	tear_down(f);
}
END_TEST

START_TEST(nice_under_age_stays_in_its_queue)
{
	struct fixture *f = set_up("OrderWithinClass=age\n" PLAIN);

	for (int i = 0; i < 3; i++)
		add(f, i == 1 ? B : A);
	f->job[0].nice = 10;
	ck_assert_str_eq(order(f), "3 2 1");
	tear_down(f);
}
END_TEST

START_TEST(some_jobs_are_not_ranked)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A)->held = true;
	add(f, A)->pinned = true;
	add(f, GW_INDEX_NONE);
	add(f, A)->state = GW_JOB_RUNNING;
	add(f, A);
	ck_assert_str_eq(order(f), "5");
	tear_down(f);
}
END_TEST

UNIT_MAIN("order_within", UNIT_ROWS(order_inside_a_queue, within),
	  UNIT(eligible_time_is_kept_or_is_that_of_submit), UNIT(nice_orders_one_users_jobs_only),
	  UNIT(nice_stays_in_its_queue_and_class), UNIT(nice_exchanges_jobs_of_one_limit),
	  UNIT(nice_under_age_stays_in_its_queue), UNIT(some_jobs_are_not_ranked))

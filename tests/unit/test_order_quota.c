// SPDX-License-Identifier: GPL-2.0-or-later
#include "order_jobs.h"
#include "unit.h"

/* --- quota --- */

#define TWO_POOLS                                                                                  \
	WEEKLY TWO_CLASSES FLAVORS "CohortName=c\n"                                                \
				   "PoolName=p Cohort=c Quota=h100=8 LoanTime=12:00:00\n"          \
				   "PoolName=q Cohort=c Quota=h100=8 LendLimit=h100=4\n"           \
				   "PoolName=z Cohort=c Quota=h100=0\n"                            \
				   "QueueName=a Pool=p\nQueueName=b Pool=q\nQueueName=c Pool=z\n"

START_TEST(quota_comes_before_class)
{
	struct fixture *f = set_up(TWO_POOLS);

	resize(add(f, A), 14);
	f->job[0].job_class = HIGH;
	resize(add(f, B), 8);
	ck_assert_str_eq(order(f), "2 ! 1");
	tear_down(f);
}
END_TEST

/* Of A's jobs of 4: two are inside, the third borrows, for the fourth nothing is left. */
START_TEST(inside_then_borrowing_then_waiting)
{
	struct fixture *f = set_up(TWO_POOLS);

	for (int i = 0; i < 4; i++)
		resize(add(f, A), 4);
	ck_assert_str_eq(order(f), "1 2 3 | 4");
	ck_assert_int_eq(f->rank[1].state, GW_ORDER_INSIDE);
	ck_assert_int_eq(f->rank[2].state, GW_ORDER_BORROWING);
	ck_assert(f->rank[2].borrowing);
	ck_assert(gw_order_startable(&f->rank[2]));
	ck_assert(!gw_order_startable(&f->rank[3]));
	ck_assert_uint_eq(gw_quota_held(f->quota, 0, H100), 0);
	tear_down(f);
}
END_TEST

/* The highest class borrows after the lowest that stays inside. */
START_TEST(inside_goes_before_borrowing_across_classes)
{
	struct fixture *f = set_up(TWO_POOLS);

	gw_quota_hold(f->quota, 0, H100, 6);
	resize(add(f, A), 4);
	f->job[0].job_class = HIGH;
	add(f, A);
	resize(add(f, B), 4);
	ck_assert_str_eq(order(f), "3 2 1");
	tear_down(f);
}
END_TEST

START_TEST(a_loan_has_a_longest_time)
{
	struct fixture *f = set_up(TWO_POOLS);

	gw_quota_hold(f->quota, 0, H100, 8);
	resize(add(f, A), 2);
	resize(add(f, A), 2);
	f->job[0].limit = 13 * HOUR;
	ck_assert_str_eq(order(f), "2 ! 1");
	tear_down(f);
}
END_TEST

/* Case 14: 4 GPUs to lend, two pools want them. */
START_TEST(two_borrowers_do_not_share_the_last_gpus)
{
	struct fixture *f = set_up(TWO_POOLS);

	gw_quota_hold(f->quota, 0, H100, 8);
	resize(add(f, A), 4);
	resize(add(f, C), 4);
	f->usage[line_of(f, A, H100)] = 1;
	ck_assert_str_eq(order(f), "1 | 2");
	tear_down(f);
}
END_TEST

START_TEST(the_emptier_pool_goes_first)
{
	struct fixture *f = set_up(TWO_POOLS);

	gw_quota_hold(f->quota, 0, H100, 2);
	gw_quota_hold(f->quota, 1, H100, 1);
	add(f, A);
	add(f, B);
	add(f, B);
	add(f, C);
	f->usage[line_of(f, B, H100)] = usage_of(100);
	/* 2/8 and 1/8, then equal: by the queues' keys; a quota of 0 borrows and is last. */
	ck_assert_str_eq(order(f), "2 1 3 4");
	tear_down(f);
}
END_TEST

START_TEST(what_is_barred_or_has_no_quota_is_blocked)
{
	static const bool barred[] = {false, true, false};
	struct fixture *f = set_up(TWO_POOLS);

	add(f, A)->flavor = A100;
	add(f, A);
	add(f, A);
	f->in.barred = barred;
	ck_assert_str_eq(order(f), "3 ! 2 1");
	f->in.quota = NULL;
	f->in.barred = NULL;
	ck_assert_str_eq(order(f), "1 2 3");
	tear_down(f);
}
END_TEST

START_TEST(a_pool_that_observes_blocks_nothing)
{
	struct fixture *f = set_up("ModeQuota=observe\n" TWO_POOLS);

	add(f, A)->flavor = A100;
	resize(add(f, A), 100);
	resize(add(f, C), 1);
	ck_assert_str_eq(order(f), "1 2 3");
	ck_assert_int_eq(f->rank[1].state, GW_ORDER_BORROWING);
	ck_assert_uint_eq(gw_quota_held(f->quota, 0, H100), 0);
	tear_down(f);
}
END_TEST

START_TEST(over_quota_jobs_of_the_highest_class_are_last)
{
	struct fixture *f = set_up(TWO_POOLS);

	for (int i = 0; i < 1000; i++) {
		resize(add(f, A), 13);
		f->job[i].job_class = HIGH;
	}
	add(f, B);
	rank(f);
	ck_assert_uint_eq(f->job[f->rank[0].job].id, 1001);
	ck_assert(gw_order_startable(&f->rank[0]));
	for (size_t i = 1; i < f->count; i++)
		ck_assert_int_eq(f->rank[i].state, GW_ORDER_BLOCKED);
	tear_down(f);
}
END_TEST

/* --- starts that can be --- */

/* Two queues that hold the same: a burst is shared, and what waits stands by what is held then. */
static const struct {
	uint32_t free;
	const char *order;
} starts[] = {
	{32, "1 4 2 5 3 6"}, /* all can start: in turn */
	{16,
	 "1 4 2 3 5 6"}, /* one each; then the queues hold the same, the first one is named first */
	{8, "1 4 5 6 2 3"}, /* a starts one, and then stands behind b with all it has */
	{0, "1 2 3 4 5 6"},
};

START_TEST(only_what_is_free_is_charged)
{
	const struct gw_order_gpus gpus[] = {{1000, starts[_i].free}, {0}};
	struct fixture *f = set_up(PLAIN);

	f->in.gpus = gpus;
	for (int i = 0; i < 6; i++) {
		resize(add(f, i < 3 ? A : B), 8);
		f->job[i].rate = 8;
	}
	ck_assert_str_eq(order(f), starts[_i].order);
	tear_down(f);
}
END_TEST

/* --- where nodes decide --- */

/* All GPUs, as one pool and with a cohort of two; 16, of which the first queue's pool holds. */
#define ALL_GPUS WEEKLY TWO_CLASSES FLAVORS "PoolName=all Quota=h100=16\n" QUEUES
#define COHORT                                                                                     \
	WEEKLY TWO_CLASSES FLAVORS "CohortName=both\nPoolName=x Cohort=both Quota=h100=8\n"        \
				   "PoolName=y Cohort=both Quota=h100=8 LoanTime=2:00:00\n"        \
				   "QueueName=a Pool=x\nQueueName=b Pool=y\n"

/* A whole-node job, a small one behind it, one that is larger than the pool; GPUs held by a. */
static const struct {
	const char *conf;
	uint32_t held, all, free; /* all 0: not known */
	int64_t limit;            /* of the whole-node job, of queue b */
	const char *order;
} nodes_decide[] = {
	/* Not known: quota decides, and what fits it goes first. */
	{ALL_GPUS, 12, 0, 0, HOUR, "2 ! 1 3"},
	/* The quota that is left is all that is free: nodes decide. */
	{ALL_GPUS, 12, 16, 4, HOUR, "1 2 ! 3"},
	{ALL_GPUS, 16, 16, 0, HOUR, "1 2 ! 3"},
	/* Others end first: still nodes. */
	{ALL_GPUS, 4, 16, 2, HOUR, "1 2 ! 3"},
	/* More is free than the pool may take: quota decides. */
	{ALL_GPUS, 12, 16, 5, HOUR, "2 ! 1 3"},
	/* The pool is not the whole cluster: full nodes are no reason. */
	{ALL_GPUS, 16, 32, 0, HOUR, "! 1 3 2"},
	/* A pool that borrows does so behind those inside theirs; for no longer than LoanTime. */
	{COHORT, 12, 16, 4, HOUR, "1 2 ! 3"},
	{COHORT, 16, 16, 0, HOUR, "1 2 ! 3"},
	{COHORT, 12, 16, 4, 3 * HOUR, "1 2 ! 3"},
};

START_TEST(where_nodes_decide_quota_takes_nobody_from_his_place)
{
	struct fixture *f = set_up(nodes_decide[_i].conf);
	const struct gw_order_gpus gpus[] = {{nodes_decide[_i].all, nodes_decide[_i].free}, {0}};

	gw_quota_hold(f->quota, 0, H100, nodes_decide[_i].held);
	if (nodes_decide[_i].all)
		f->in.gpus = gpus;
	resize(add(f, B), 8);
	f->job[0].limit = nodes_decide[_i].limit;
	add(f, B)->eligible++;
	resize(add(f, B), 17);
	ck_assert_str_eq(order(f), nodes_decide[_i].order);
	tear_down(f);
}
END_TEST

START_TEST(borrowers_that_wait_for_nodes_stay_behind)
{
	static const struct gw_order_gpus gpus[] = {{16, 4}, {0}};
	struct fixture *f = set_up(COHORT);

	gw_quota_hold(f->quota, 0, H100, 8);
	gw_quota_hold(f->quota, 1, H100, 4);
	f->in.gpus = gpus;
	resize(add(f, A), 8);
	resize(add(f, B), 4);
	resize(add(f, B), 8);
	f->job[2].limit = DAY;
	/* The last would borrow for longer than it may. */
	ck_assert_str_eq(order(f), "2 1 ! 3");
	ck_assert_int_eq(f->rank[1].state, GW_ORDER_BORROWING);
	tear_down(f);
}
END_TEST

/* What waits for nodes takes no quota from a pool that may not borrow what it has. */
START_TEST(what_can_not_start_now_takes_no_quota)
{
	static const struct gw_order_gpus gpus[] = {{16, 4}, {0}};
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS
				   "CohortName=both\nPoolName=x Cohort=both Quota=h100=8\n"
				   "PoolName=y Cohort=both Quota=h100=8 BorrowLimit=h100=0\n"
				   "QueueName=a Pool=x\nQueueName=b Pool=y\n");

	gw_quota_hold(f->quota, 0, H100, 7);
	gw_quota_hold(f->quota, 1, H100, 5);
	f->in.gpus = gpus;
	resize(add(f, A), 8);
	resize(add(f, A), 8);
	resize(add(f, B), 3);
	resize(add(f, B), 4);
	ck_assert_str_eq(order(f), "3 1 2 ! 4");
	tear_down(f);
}
END_TEST

/* A peak in which the job would not fit forbids it all the same. */
START_TEST(peaks_are_kept_where_nodes_decide)
{
	static const struct gw_order_gpus gpus[] = {{16, 4}, {0}};
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS
				   "PoolName=all Quota=h100=16 PeakStrict=yes\n"
				   "PoolName=all Peak=Mon-Fri/09:00-21:00 Quota=h100=14\n" QUEUES);

	gw_quota_hold(f->quota, 0, H100, 12);
	f->in.gpus = gpus;
	resize(add(f, A), 8);
	resize(add(f, B), 8);
	f->job[0].limit = 2 * DAY;
	ck_assert_str_eq(order(f), "2 ! 1");
	tear_down(f);
}
END_TEST

UNIT_MAIN("order_quota", UNIT(quota_comes_before_class), UNIT(inside_then_borrowing_then_waiting),
	  UNIT(inside_goes_before_borrowing_across_classes), UNIT(a_loan_has_a_longest_time),
	  UNIT(two_borrowers_do_not_share_the_last_gpus), UNIT(the_emptier_pool_goes_first),
	  UNIT(what_is_barred_or_has_no_quota_is_blocked),
	  UNIT(a_pool_that_observes_blocks_nothing),
	  UNIT(over_quota_jobs_of_the_highest_class_are_last),
	  UNIT_ROWS(only_what_is_free_is_charged, starts),
	  UNIT_ROWS(where_nodes_decide_quota_takes_nobody_from_his_place, nodes_decide),
	  UNIT(borrowers_that_wait_for_nodes_stay_behind),
	  UNIT(what_can_not_start_now_takes_no_quota), UNIT(peaks_are_kept_where_nodes_decide))

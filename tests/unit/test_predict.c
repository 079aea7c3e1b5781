// SPDX-License-Identifier: GPL-2.0-or-later
/* Run times that are known in closed form or by hand, and what is made of too few. */
#include <math.h>
#include <stdio.h>

#include "predict_runs.h"
#include "src/util/parse.h"
#include "unit.h"

/* The chance at the point of the grid that is the last not above a time. */
static float survives(const struct gw_predict_kind *kind, int64_t elapsed, double time)
{
	float grid[GW_GRID_POINTS];
	int i = 0;

	gw_predict_survival(predict, kind, elapsed, grid);
	while (i + 1 < GW_GRID_POINTS && gw_grid_time[i + 1] <= time)
		i++;
	return grid[i];
}

START_TEST(grid_is_logarithmic)
{
	double sum = 0;

	for (int i = 0; i < GW_GRID_POINTS; i++) {
		ck_assert_float_eq_tol(gw_grid_time[i] / (60 * pow(86400, i / 35.)), 1, 1e-6);
		sum += gw_grid_weight[i];
	}
	ck_assert_float_eq(gw_grid_time[0], 60);
	ck_assert_float_eq(gw_grid_time[35], 60 * DAY);
	/* Of a value that is 0 now and 1 from the first point on: all but half of a minute. */
	ck_assert_float_eq_tol(sum, 60 * DAY - 30, 1);
}
END_TEST

START_TEST(all_alike)
{
	float grid[GW_GRID_POINTS];

	add_runs(&one_gpu, 2 * HOUR, 20);
	build();
	for (int64_t elapsed = 0; elapsed < 2 * HOUR; elapsed += 900) {
		gw_predict_survival(predict, &one_gpu, elapsed, grid);
		for (int i = 0; i < GW_GRID_POINTS; i++)
			ck_assert_float_eq(grid[i], elapsed + gw_grid_time[i] < 2 * HOUR);
	}
}
END_TEST

/* Quantiles of an exponential distribution: it forgets how long a job has run. */
START_TEST(exponential)
{
	struct gw_predict_kind kind = {.gpus = 1};
	float grid[GW_GRID_POINTS];
	int count = 20000;

	for (int i = 0; i < count; i++)
		gw_predict_add(predict, &kind, (int64_t)(-10 * HOUR * log((i + .5) / count)),
			       10 * DAY, NULL);
	build();
	for (int64_t elapsed = 0; elapsed < 30 * HOUR; elapsed += 5 * HOUR) {
		gw_predict_survival(predict, &kind, elapsed, grid);
		for (int i = 0; i < GW_GRID_POINTS; i++)
			ck_assert_float_eq_tol(grid[i], exp(-gw_grid_time[i] / (10. * HOUR)),
					       1. / 50);
	}
}
END_TEST

/*
 * Kaplan and Meier by hand. Run times of 16 jobs that ended and of 4 that run still (+), hours:
 *     1 1 2 2+ 3 4 4 4+ 5 6 7 8 8 9 10+ 11 12 13 14+ 15
 *      t  at risk  ended  S
 *      1       20      2  18/20             = 0.9
 *      2       18      1  0.9 * 17/18       = 0.85
 *      3       16      1  0.85 * 15/16      = 0.796875
 *      4       15      2  0.796875 * 13/15  = 0.690625
 *      5       12      1  0.690625 * 11/12  = 0.63307292
 *      6       11      1  0.63307292 * 10/11 = 0.57552083
 *      7       10      1  0.57552083 * 9/10 = 0.51796875
 *      8        9      2  0.51796875 * 7/9  = 0.40286458
 *      9        7      1  0.40286458 * 6/7  = 0.34531250
 *     11        5      1  0.34531250 * 4/5  = 0.27625
 *     12        4      1  0.27625 * 3/4     = 0.2071875
 *     13        3      1  0.2071875 * 2/3   = 0.138125
 *     15        1      1  0
 */
static const int ended_hours[] = {1, 1, 2, 3, 4, 4, 5, 6, 7, 8, 8, 9, 11, 12, 13, 15};
static const int running_hours[] = {2, 4, 10, 14};
static const double by_hand[] = {
	1,          0.9,        0.85,       0.796875, 0.690625,  0.63307292, 0.57552083, 0.51796875,
	0.40286458, 0.34531250, 0.34531250, 0.27625,  0.2071875, 0.138125,   0.138125,   0};

static void by_hand_build(void)
{
	struct gw_predict_running running[4];

	for (int i = 0; i < COUNT(ended_hours); i++)
		gw_predict_add(predict, &one_gpu, ended_hours[i] * HOUR, 10 * DAY, NULL);
	for (int i = 0; i < 4; i++)
		running[i] = (struct gw_predict_running){
			one_gpu, 20 * DAY - (int64_t)running_hours[i] * HOUR};
	ck_assert_int_eq(gw_predict_build(predict, running, 4, 20 * DAY, NULL), 0);
}

START_TEST(running_jobs_are_at_risk)
{
	float grid[GW_GRID_POINTS];

	by_hand_build();
	for (int64_t elapsed = 0; elapsed < 13; elapsed++) {
		gw_predict_survival(predict, &one_gpu, elapsed * HOUR, grid);
		for (int i = 0; i < GW_GRID_POINTS; i++) {
			double hours = elapsed + gw_grid_time[i] / HOUR;
			double want = hours < 15 ? by_hand[(int)hours] / by_hand[elapsed] : 0;

			ck_assert_float_eq_tol(grid[i], want, 1e-6);
		}
	}
}
END_TEST

/* 20 jobs end after an hour; 20 after six, and began before the history or did not. */
static const struct {
	int64_t since;
	float left; /* after an hour */
} since_rows[] = {
	{0, 0.5F},
	{10 * DAY - 5 * HOUR - 600, 0.5F}, /* all in sight within an hour */
	{10 * DAY - 4 * HOUR, 0},          /* none */
};

START_TEST(jobs_older_than_the_history)
{
	gw_predict_free(predict);
	predict = gw_predict_create(since_rows[_i].since, NULL);
	for (int i = 0; i < 20; i++) {
		gw_predict_add(predict, &one_gpu, HOUR, 11 * DAY, NULL);
		gw_predict_add(predict, &one_gpu, 6 * HOUR, 10 * DAY, NULL);
	}
	build();
	ck_assert_float_eq(survives(&one_gpu, 0, 2 * HOUR), since_rows[_i].left);
	ck_assert_float_eq(survives(&one_gpu, 0, 8 * HOUR), 0);
}
END_TEST

/* One short job in sight, and 20 that come into sight at four hours: it is no measure of them. */
START_TEST(one_job_in_sight)
{
	gw_predict_free(predict);
	predict = gw_predict_create(10 * DAY, NULL);
	gw_predict_add(predict, &one_gpu, HOUR, 11 * DAY, NULL);
	for (int i = 0; i < 20; i++)
		gw_predict_add(predict, &one_gpu, 6 * HOUR, 10 * DAY + 2 * HOUR, NULL);
	build();
	ck_assert_float_eq_tol(survives(&one_gpu, 0, 2 * HOUR), 14. / 15, 1e-6);
}
END_TEST

/* 15 jobs of one kind, 14 of another, which run an hour; 35 with five limits, which run five. */
static const struct {
	const char *what;
	struct gw_predict_kind kind;
	enum gw_predict_level level;
	float hours; /* run time of the group's jobs */
} level_rows[] = {
	{"its own", {1, 1, 8, DAY}, GW_PREDICT_BY_QUEUE_USER_GPUS_LIMIT, 1},
	{"another user's", {1, 2, 8, DAY}, GW_PREDICT_BY_GPUS_LIMIT, 1},
	{"another queue's", {2, 1, 8, DAY}, GW_PREDICT_BY_GPUS_LIMIT, 1},
	{"too few of its own", {3, 3, 8, DAY}, GW_PREDICT_BY_GPUS_LIMIT, 1},
	{"another size", {1, 1, 4, DAY}, GW_PREDICT_BY_LIMIT, 1},
	{"another limit", {4, 4, 2, 3 * DAY}, GW_PREDICT_BY_QUEUE_USER_GPUS, 5},
	{"no limit", {4, 4, 2, GW_TIME_INFINITE}, GW_PREDICT_BY_QUEUE_USER_GPUS, 5},
	{"nothing like it", {9, 9, 9, 9 * DAY}, GW_PREDICT_BY_ALL, 5},
};

START_TEST(first_group_that_has_enough)
{
	float grid[GW_GRID_POINTS];
	enum gw_predict_level level;

	add_runs(&level_rows[0].kind, HOUR, 15);
	add_runs(&level_rows[3].kind, HOUR, 14);
	/* 7 of each limit: enough only without it. */
	for (int64_t days = 1; days <= 5; days++)
		add_runs(&(struct gw_predict_kind){4, 4, 2, days * 10 * DAY}, 5 * HOUR, 7);
	build();
	level = gw_predict_survival(predict, &level_rows[_i].kind, 0, grid);
	ck_assert_msg(level == level_rows[_i].level, "%s: %s", level_rows[_i].what,
		      gw_predict_level_name(level));
	ck_assert_float_gt(survives(&level_rows[_i].kind, 0, level_rows[_i].hours * 3000), 0.5F);
	ck_assert_float_eq(survives(&level_rows[_i].kind, 0, level_rows[_i].hours * 5400), 0);
}
END_TEST

START_TEST(few_jobs)
{
	float grid[GW_GRID_POINTS];

	add_runs(&one_gpu, HOUR, 7);
	build();
	ck_assert_uint_eq(gw_predict_survival(predict, &one_gpu, 0, grid), GW_PREDICT_BY_NOTHING);
	add_runs(&one_gpu, HOUR, 1);
	build();
	ck_assert_uint_eq(gw_predict_survival(predict, &one_gpu, 0, grid), GW_PREDICT_BY_ALL);
	add_runs(&one_gpu, HOUR, 7);
	build();
	ck_assert_uint_eq(gw_predict_survival(predict, &one_gpu, 0, grid),
			  GW_PREDICT_BY_QUEUE_USER_GPUS_LIMIT);
}
END_TEST

START_TEST(nothing_known)
{
	float grid[GW_GRID_POINTS];

	for (int64_t elapsed = 0; elapsed < DAY; elapsed += 6 * HOUR) {
		gw_predict_survival(predict, &one_gpu, elapsed, grid);
		for (int i = 0; i < GW_GRID_POINTS; i++) {
			double time = elapsed + gw_grid_time[i];
			double want = time < DAY
					      ? (1 - time / (2. * DAY)) / (1 - elapsed / (2. * DAY))
					      : 0;

			ck_assert_float_eq_tol(grid[i], want, 1e-6);
		}
	}
	/* Without a limit it is as if 60 days were one at which half go on. */
	gw_predict_survival(predict, &(struct gw_predict_kind){.gpus = 1}, 0, grid);
	ck_assert_float_eq_tol(grid[GW_GRID_POINTS - 1], 0.5, 1e-6);
}
END_TEST

/* Jobs that ended at 2 hours, or not before their limit. */
START_TEST(none_goes_on_at_its_limit)
{
	struct gw_predict_kind shorter = {5, 5, 5, 5 * HOUR};

	add_runs(&one_gpu, 2 * HOUR, 10);
	add_runs(&one_gpu, DAY + 30, 10);
	build();
	ck_assert_float_eq(survives(&one_gpu, 0, 20 * HOUR), 0.5F);
	ck_assert_float_eq(survives(&one_gpu, 3 * HOUR, 20 * HOUR), 1);
	ck_assert_float_eq(survives(&one_gpu, 0, 30 * HOUR), 0);
	ck_assert_float_eq(survives(&one_gpu, 20 * HOUR, 5 * HOUR), 0);
	ck_assert_float_eq(survives(&shorter, 0, 4 * HOUR), 0.5F);
	ck_assert_float_eq(survives(&shorter, 0, 6 * HOUR), 0);
}
END_TEST

/* Where less than 2 % are left, and beyond the limit: as long again with a chance of 1/2. */
START_TEST(beyond_what_is_known)
{
	struct gw_predict_kind endless = {.gpus = 1};
	float grid[GW_GRID_POINTS];
	static const int64_t elapsed[] = {90 * HOUR, 3 * DAY};

	add_runs(&endless, HOUR, 99);
	add_runs(&endless, 200 * HOUR, 1);
	build();
	ck_assert_float_eq_tol(survives(&endless, 0, 2 * HOUR), 0.01, 1e-6);
	for (int n = 0; n < 2; n++) {
		gw_predict_survival(predict, n ? &one_gpu : &endless, elapsed[n], grid);
		for (int i = 0; i < GW_GRID_POINTS; i++)
			ck_assert_float_eq_tol(grid[i], 1 / (1 + gw_grid_time[i] / elapsed[n]),
					       1e-6);
	}
}
END_TEST

START_TEST(when_tables_are_due)
{
	ck_assert(gw_predict_due(predict, 0));
	ck_assert_int_eq(gw_predict_build(predict, NULL, 0, 0, NULL), 0);
	ck_assert(!gw_predict_due(predict, GW_PREDICT_INTERVAL - 1));
	ck_assert(gw_predict_due(predict, GW_PREDICT_INTERVAL));
	add_runs(&one_gpu, HOUR, 1);
	ck_assert(gw_predict_due(predict, 0));
	add_runs(&one_gpu, HOUR, 99);
	ck_assert_int_eq(gw_predict_build(predict, NULL, 0, 0, NULL), 0);
	add_runs(&one_gpu, HOUR, 24);
	ck_assert(!gw_predict_due(predict, 0));
	add_runs(&one_gpu, HOUR, 1);
	ck_assert(gw_predict_due(predict, 0));
}
END_TEST

/* Two histories told in another order give the same answers to the last bit. */
START_TEST(order_does_not_matter)
{
	struct gw_predict *other = gw_predict_create(0, NULL);
	float one[GW_GRID_POINTS], two[GW_GRID_POINTS];

	for (int i = 0; i < 500; i++) {
		struct gw_predict_kind kind = {i % 2, i % 3, 1 << i % 4, (1 + i % 5) * DAY};
		struct gw_predict_kind mirror = {(499 - i) % 2, (499 - i) % 3, 1 << (499 - i) % 4,
						 (1 + (499 - i) % 5) * DAY};

		gw_predict_add(predict, &kind, 100 + i * 37 % 5000, DAY, NULL);
		gw_predict_add(other, &mirror, 100 + (499 - i) * 37 % 5000, DAY, NULL);
	}
	build();
	ck_assert_int_eq(gw_predict_build(other, NULL, 0, 0, NULL), 0);
	for (uint32_t i = 0; i < 60; i++) {
		struct gw_predict_kind kind = {i % 2, i % 3, 1 << i % 4, (1 + i % 5) * DAY};

		ck_assert_uint_eq(gw_predict_survival(predict, &kind, 60 * i, one),
				  gw_predict_survival(other, &kind, 60 * i, two));
		ck_assert_mem_eq(one, two, sizeof(one));
	}
	gw_predict_free(other);
}
END_TEST

START_TEST(the_oldest_are_forgotten)
{
	add_runs(&one_gpu, HOUR, GW_PREDICT_RUNS);
	build();
	ck_assert_float_eq(survives(&one_gpu, 0, 2 * HOUR), 0);
	add_runs(&one_gpu, 3 * HOUR, GW_PREDICT_RUNS / 4 * 3);
	ck_assert_uint_eq(gw_predict_runs(predict), GW_PREDICT_RUNS);
	build();
	ck_assert_float_gt(survives(&one_gpu, 0, 2 * HOUR), 0.7F);
}
END_TEST

/* What could not be built leaves the tables that were there. */
START_TEST(old_tables_stay)
{
	int result;

	add_runs(&one_gpu, HOUR, 20);
	build();
	add_runs(&one_gpu, 9 * HOUR, 20);
	alloc_fail_at(3);
	result = gw_predict_build(predict, NULL, 0, 0, NULL);
	ck_assert(alloc_failed());
	ck_assert_int_eq(result, -1);
	ck_assert_float_eq(survives(&one_gpu, 0, 2 * HOUR), 0);
	ck_assert(gw_predict_due(predict, 20 * DAY));
}
END_TEST

UNIT_MAIN("predict", tcase_add_checked_fixture(tests, setup, teardown), UNIT(grid_is_logarithmic),
	  UNIT(all_alike), UNIT(exponential), UNIT(running_jobs_are_at_risk),
	  UNIT_ROWS(jobs_older_than_the_history, since_rows), UNIT(one_job_in_sight),
	  UNIT_ROWS(first_group_that_has_enough, level_rows), UNIT(few_jobs), UNIT(nothing_known),
	  UNIT(none_goes_on_at_its_limit), UNIT(beyond_what_is_known), UNIT(when_tables_are_due),
	  UNIT(order_does_not_matter), UNIT(the_oldest_are_forgotten), UNIT(old_tables_stay))

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Backfill: who may start before a job that waits. It looks at multiples of 30 s, and goes by time
 * limits: what would delay a reservation by its limit does not start, however short it is.
 */
#include "sim_jobs.h"

#include "unit.h"

/* A job that runs until 1000 by its limit, a gang that waits for it, and one that could go first.
 */
#define RUNS                                                                                       \
	{                                                                                          \
		0, 1000, 1000, 8, "a", "", .start = 0                                              \
	}
#define WAITS                                                                                      \
	{                                                                                          \
		10, 100, 100, 16, "a", "", .start = 1003                                           \
	}

static const struct sim_case around_a_gang[] = {
	{"nobody is reserved for: a short job goes first", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 600, 8, "a", "", .start = 30}}},
	{"until the very second", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 970, 8, "a", "", .start = 30}}},
	{"a limit one second longer is in the way, whatever it would have run", "fifo-backfill",
	 "2x8", .row = {RUNS, WAITS, {20, 50, 971, 8, "a", "", .start = 1106}}},
	{"a job without limit is", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 0, 8, "a", "", .start = 1106}}},
	{"strict order starts nobody before", "fifo", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 600, 8, "a", "", .start = 1106}}},
	{"the next pass comes at the next 30 s only when something has happened", "fifo-backfill",
	 "2x8",
	 .row = {RUNS,
		 WAITS,
		 {20, 50, 600, 8, "a", "", .start = 30},
		 {25, 50, 600, 8, "a", "", .start = 90}}},
	{"an end before its limit is seen: the gang starts at once", "fifo-backfill", "2x8",
	 .row = {{0, 500, 1000, 8, "a", "", .start = 0},
		 {10, 100, 100, 16, "a", "", .start = 503},
		 {20, 50, 600, 8, "a", "", .start = 30}}},
	{"GPUs free later hold up a rest too", "fifo-backfill", "2x8",
	 .row = {{0, 1000, 1000, 8, "a", "", .start = 0},
		 {10, 100, 100, 12, "a", "", .start = 1003},
		 {20, 50, 970, 4, "a", "", .start = 30},
		 {20, 50, 971, 4, "a", "", .start = 1003}}},
};

START_TEST(around_a_gang_that_waits)
{
	sim_check(&around_a_gang[_i]);
}
END_TEST

/*
 * A reservation is of whole nodes. One node, two GPUs free, a job of three waits for 1000: later
 * there is room for it and one GPU more, but the node is reserved.
 */
static const struct sim_case whole_nodes[] = {
	{"one GPU that is still free then waits all the same", "fifo-backfill", "1x8",
	 .row = {{0, 1000, 1000, 6, "a", "", .start = 0},
		 {10, 100, 1000, 3, "a", "", .start = 1003},
		 {20, 100, 2000, 1, "a", "", .start = 1003}}},
	{"unless it has ended by then", "fifo-backfill", "1x8",
	 .row = {{0, 1000, 1000, 6, "a", "", .start = 0},
		 {10, 100, 1000, 3, "a", "", .start = 1003},
		 {20, 100, 900, 1, "a", "", .start = 30}}},
	{"GPUs that belong to no node are not reserved so", "pool", "1x8",
	 .row = {{0, 1000, 1000, 6, "a", "", .start = 0},
		 {10, 100, 1000, 3, "a", "", .start = 1003},
		 {20, 100, 2000, 1, "a", "", .start = 30}}},
};

START_TEST(reservations_are_of_whole_nodes)
{
	sim_check(&whole_nodes[_i]);
}
END_TEST

/*
 * Three nodes: free at 1000, at 3000, and one with a GPU free now that is wholly free at 2000. The
 * first that waits takes the first node at 1000, the second needs two nodes: at 2000. The last
 * wants the free GPU for 2500 s.
 */
#define THREE_NODES                                                                                \
	{0, 1000, 1000, 8, "a", "", .start = 0, .where = "0:ff"},                                  \
		{0, 3000, 3000, 8, "a", "", .start = 0, .where = "1:ff"},                          \
		{0, 2000, 2000, 7, "a", "", .start = 0, .where = "2:7f"},                          \
	{                                                                                          \
		10, 100, 100, 8, "a", "", .start = 1003, .where = "0:ff"                           \
	}

static const struct sim_case how_many[] = {
	{"every one that waits has a reservation", "fifo-backfill", "3x8",
	 .row = {THREE_NODES,
		 {20, 100, 100, 16, "a", "", .start = 2003},
		 {30, 100, 2500, 1, "a", "", .start = 2106}}},
	{"or the first alone: the second is delayed", "fifo-one", "3x8",
	 .row = {THREE_NODES,
		 {20, 100, 100, 16, "a", "", .start = 2003},
		 {30, 100, 2500, 1, "a", "", .start = 30, .where = "2:80"}}},
};

START_TEST(one_reservation_or_all)
{
	sim_check(&how_many[_i]);
}
END_TEST

/* --- parameters --- */

static void test_one(struct gw_model *model)
{
	model->sched.bf_max_job_test = 1;
}

static void two_of_a_user(struct gw_model *model)
{
	model->sched.bf_max_job_user = 2;
}

static void two_of_a_partition(struct gw_model *model)
{
	model->sched.bf_max_job_part = 2;
}

static void look_not_far(struct gw_model *model)
{
	model->sched.bf_window = 500;
}

static void look_far(struct gw_model *model)
{
	model->sched.bf_window = 971;
}

static void no_backfill(struct gw_model *model)
{
	model->sched.backfill = false;
}

static void every_minute(struct gw_model *model)
{
	model->sched.bf_interval = 60;
}

static void exact_ends(struct gw_model *model)
{
	model->sched.bf_windows = false;
}

static void grow_by_60(struct gw_model *model)
{
	model->sched.bf_window_linear = 60;
}

static void limits_of_partition(struct gw_model *model)
{
	model->partition[0].default_time = 600;
	model->partition[0].max_time = 6000;
}

static void max_time_only(struct gw_model *model)
{
	model->partition[0].max_time = 970;
}

static const struct sim_case parameters[] = {
	{"bf_max_job_test: nobody behind so many is looked at", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 600, 8, "a", "", .start = 1106}}, .change = test_one},
	{"bf_max_job_user: of each user so many (the account's, here)", "fifo-backfill", "2x8",
	 .row = {RUNS,
		 WAITS,
		 {20, 500, 500, 2, "a", "", .start = 30},
		 {20, 50, 600, 2, "a", "", .start = 60},
		 {20, 50, 600, 2, "b", "", .start = 30}},
	 .change = two_of_a_user},
	{"bf_max_job_part: of each partition", "fifo-backfill", "2x8",
	 .row = {RUNS,
		 WAITS,
		 {20, 500, 500, 2, "a", "", .start = 30},
		 {20, 50, 600, 2, "a", "", .start = 60},
		 {20, 50, 600, 2, "b", "", .start = 90}},
	 .change = two_of_a_partition},
	{"bf_window: nothing is reserved beyond it", "fifo-backfill", "2x8",
	 .row = {RUNS,
		 {10, 100, 100, 16, "a", "", .start = 1003},
		 {20, 50, 2000, 8, "a", "", .start = 30}},
	 .change = look_not_far},
	{"and all within it is", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 2000, 8, "a", "", .start = 1106}}, .change = look_far},
	{"sched/builtin has none", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 600, 8, "a", "", .start = 1106}}, .change = no_backfill},
	{"bf_interval", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 600, 8, "a", "", .start = 60}}, .change = every_minute},
	{"a job without limit has its partition's DefaultTime", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 0, 8, "a", "", .start = 30}}, .change = limits_of_partition},
	{"or its MaxTime", "fifo-backfill", "2x8",
	 .row = {RUNS, WAITS, {20, 50, 0, 8, "a", "", .start = 30}}, .change = max_time_only},
};

START_TEST(parameters_of_slurm)
{
	sim_check(&parameters[_i]);
}
END_TEST

/*
 * select/cons_tres asks "when" in windows that double, from 30 s on, and answers with the end of
 * the last job of a window. Ends by limit: 1000 and 1040 are in the first window (which begins at
 * the next full half minute, 1020, and lasts 30 s); the next windows end 60, 120, 240 s behind
 * 1020, so 1200 and 1250 are in one. With bf_window_linear=60 they end 30, 90, 150, 210, 270 s
 * behind it, and 1200 is alone in one.
 */
#define HALF_FREE_AT_1000                                                                          \
	{0, 1000, 1000, 4, "a", "", .start = 0, .where = "0:f"},                                   \
		{0, 1040, 1040, 8, "a", "", .start = 0, .where = "1:ff"},                          \
	{                                                                                          \
		10, 100, 100, 8, "a", "", .start = 1003, .where = "0:ff"                           \
	}

#define FREE_AT_1200                                                                               \
	{0, 1000, 1000, 1, "a", "", .start = 0, .where = "0:1"},                                   \
		{0, 1200, 1200, 5, "a", "", .start = 0, .where = "0:3e"},                          \
		{0, 1250, 1250, 8, "a", "", .start = 0, .where = "1:ff"},                          \
	{                                                                                          \
		10, 100, 100, 8, "a", "", .start = 1203, .where = "0:ff"                           \
	}

static const struct sim_case windows[] = {
	{"who has ended by the end of the first window may start", "fifo-backfill", "2x8",
	 .row = {HALF_FREE_AT_1000, {20, 50, 1010, 4, "a", "", .start = 30, .where = "0:f0"}}},
	{"and nobody who has not", "fifo-backfill", "2x8",
	 .row = {HALF_FREE_AT_1000, {20, 50, 1011, 4, "a", "", .start = 1043}}},
	{"with exact ends the first may not either", "fifo-backfill", "2x8",
	 .row = {HALF_FREE_AT_1000, {20, 50, 1010, 4, "a", "", .start = 1043}},
	 .change = exact_ends},
	{"who has not ended by 1250 may not start", "fifo-backfill", "2x8",
	 .row = {FREE_AT_1200, {20, 50, 1221, 2, "a", "", .start = 1253}}},
	{"who has may", "fifo-backfill", "2x8",
	 .row = {FREE_AT_1200, {20, 50, 1220, 2, "a", "", .start = 30, .where = "0:c0"}}},
	{"bf_window_linear: who has not ended by 1200 may not start", "fifo-backfill", "2x8",
	 .row = {FREE_AT_1200, {20, 50, 1220, 2, "a", "", .start = 1253}}, .change = grow_by_60},
	{"who has may", "fifo-backfill", "2x8",
	 .row = {FREE_AT_1200, {20, 50, 1170, 2, "a", "", .start = 30, .where = "0:c0"}},
	 .change = grow_by_60},
};

START_TEST(starts_are_estimated_in_windows)
{
	sim_check(&windows[_i]);
}
END_TEST

/* GPUs without nodes, the bound: a job needs so many at once, wherever they are. */
static const struct sim_case pool[] = {
	{"no gang is blocked by its shape", "pool", "2x8",
	 .row = {{0, 100, 100, 5, "a", "", .start = 0},
		 {0, 100, 100, 5, "a", "", .start = 0},
		 {1, 100, 100, 6, "a", "", .start = 1}}},
	{"who waits has GPUs reserved at the first time when so many are free", "pool", "2x8",
	 .row = {{0, 1000, 1000, 8, "a", "", .start = 0},
		 {10, 100, 100, 16, "a", "", .start = 1003},
		 {20, 50, 970, 4, "a", "", .start = 30},
		 {20, 50, 971, 4, "a", "", .start = 1106}}},
	{"others run beside that reservation as far as GPUs go", "pool", "2x8",
	 .row = {{0, 1000, 1000, 12, "a", "", .start = 0},
		 {10, 100, 100, 13, "a", "", .start = 1003},
		 {20, 2000, 2000, 3, "a", "", .start = 30},
		 {20, 50, 2000, 1, "a", "", .start = 1106}}},
	{"a later reservation fits between others", "pool", "2x8",
	 .row = {{0, 1000, 1000, 15, "a", "", .start = 0},
		 {10, 100, 100, 16, "a", "", .start = 1003},
		 {20, 100, 100, 16, "a", "", .start = 1106},
		 {30, 50, 2000, 1, "a", "", .start = 1209}}},
	{"one that is larger than the cluster is left out", "pool", "2x8",
	 .row = {{0, 9, 9, 17, "a", "", .start = SIM_NEVER}, {1, 9, 9, 1, "a", "", .start = 1}}},
};

START_TEST(gpus_without_nodes)
{
	sim_check(&pool[_i]);
}
END_TEST

UNIT_MAIN("sim_backfill", UNIT_ROWS(around_a_gang_that_waits, around_a_gang);
	  UNIT_ROWS(reservations_are_of_whole_nodes, whole_nodes);
	  UNIT_ROWS(one_reservation_or_all, how_many); UNIT_ROWS(parameters_of_slurm, parameters);
	  UNIT_ROWS(starts_are_estimated_in_windows, windows); UNIT_ROWS(gpus_without_nodes, pool))

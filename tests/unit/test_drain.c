// SPDX-License-Identifier: GPL-2.0-or-later
/* When nodes will be empty: products of few jobs by hand, then any events against all anew. */
#include "src/core/drain.h"
#include "src/core/place.h"
#include "unit.h"

#define HOUR 3600
#define DAY  86400
#define NOW  (100 * DAY)

static struct gw_predict *predict;
static struct gw_drain *drain;

/* Short jobs end after one hour or after three, as many of each; long ones after a day. */
static const struct gw_predict_kind short_one = {1, 1, 1, 2 * DAY};
static const struct gw_predict_kind long_one = {2, 1, 1, 2 * DAY};

static void setup(void)
{
	predict = gw_predict_create(0, NULL);
	drain = gw_drain_create(NULL);
	for (int i = 0; i < 20; i++) {
		gw_predict_add(predict, &short_one, HOUR, 50 * DAY, NULL);
		gw_predict_add(predict, &short_one, 3 * HOUR, 50 * DAY, NULL);
		gw_predict_add(predict, &long_one, DAY, 50 * DAY, NULL);
	}
	ck_assert_int_eq(gw_predict_build(predict, NULL, 0, NOW, NULL), 0);
}

static void teardown(void)
{
	gw_drain_free(drain);
	gw_predict_free(predict);
}

/* A job of one node that has run for some hours. */
static void start(uint32_t id, const struct gw_predict_kind *kind, int64_t hours, uint32_t node)
{
	struct gw_predict_running job = {*kind, NOW - hours * HOUR};

	ck_assert_int_eq(gw_drain_start(drain, predict, id, &job, &node, 1, NOW, NULL), 0);
}

/* The chance that a node is empty at the last point of the grid not above so many hours. */
static float empty_in(uint32_t node, double hours)
{
	const float *grid = gw_drain_node(drain, node);
	int i = 0;

	while (i + 1 < GW_GRID_POINTS && gw_grid_time[i + 1] <= hours * HOUR)
		i++;
	return grid[i];
}

START_TEST(no_jobs)
{
	for (int i = 0; i < GW_GRID_POINTS; i++)
		ck_assert_float_eq(gw_drain_node(drain, 7)[i], 1);
	/* Nodes without jobs have one grid: they are seen to be alike. */
	start(1, &short_one, 0, 3);
	ck_assert_ptr_eq(gw_drain_node(drain, 2), gw_drain_node(drain, 99));
	ck_assert_ptr_ne(gw_drain_node(drain, 2), gw_drain_node(drain, 3));
}
END_TEST

/* Jobs on one node, and the chance that it is empty after 1/2, 2, 6 and 40 hours. */
static const struct {
	const char *what;
	struct {
		bool is_long;
		int64_t hours;
	} job[3];
	int jobs;
	float empty[4];
} rows[] = {
	{"one short", {{false, 0}}, 1, {0, 0.5, 1, 1}},
	{"one that outlived an hour", {{false, 1}}, 1, {0, 1, 1, 1}},
	{"two short ones", {{false, 0}, {false, 0}}, 2, {0, 0.25, 1, 1}},
	{"three", {{false, 0}, {false, 0}, {false, 0}}, 3, {0, 0.125, 1, 1}},
	{"a fresh and an old one", {{false, 0}, {false, 1}}, 2, {0, 0.5, 1, 1}},
	{"a long one lasts longest", {{false, 0}, {true, 0}}, 2, {0, 0, 0, 1}},
	{"unless it is nearly over", {{false, 0}, {true, 23}}, 2, {0, 0.5, 1, 1}},
};

START_TEST(chances_multiply)
{
	static const double hours[] = {0.5, 2.4, 6, 40};

	for (int i = 0; i < rows[_i].jobs; i++)
		start((uint32_t)i, rows[_i].job[i].is_long ? &long_one : &short_one,
		      rows[_i].job[i].hours, 5);
	for (int i = 0; i < 4; i++)
		ck_assert_msg(empty_in(5, hours[i]) == rows[_i].empty[i], "%s: %g h: %g",
			      rows[_i].what, hours[i], empty_in(5, hours[i]));
	ck_assert_float_eq(empty_in(4, 0.5), 1);
}
END_TEST

START_TEST(ends_are_seen_at_once)
{
	struct gw_predict_running ended;

	start(1, &short_one, 1, 0);
	start(2, &long_one, 0, 0);
	ck_assert_float_eq(empty_in(0, 6), 0);
	ck_assert(gw_drain_end(drain, 2, &ended));
	ck_assert_uint_eq(ended.kind.queue, long_one.queue);
	ck_assert_int_eq(ended.start, NOW);
	ck_assert_float_eq(empty_in(0, 6), 1);
	ck_assert_float_eq(empty_in(0, 0.5), 0);
	ck_assert(gw_drain_end(drain, 1, NULL));
	ck_assert_float_eq(empty_in(0, 0.5), 1);
	ck_assert(!gw_drain_end(drain, 1, NULL));
	ck_assert_uint_eq(gw_drain_jobs(drain), 0);
}
END_TEST

START_TEST(a_requeued_job_is_moved)
{
	start(1, &long_one, 9, 0);
	start(1, &short_one, 0, 1);
	ck_assert_uint_eq(gw_drain_jobs(drain), 1);
	ck_assert_float_eq(empty_in(0, 0.5), 1);
	ck_assert_float_eq(empty_in(1, 0.5), 0);
}
END_TEST

START_TEST(a_gang_is_on_all_its_nodes)
{
	struct gw_predict_running job = {short_one, NOW};
	const uint32_t nodes[] = {2, 90, 4};

	ck_assert_int_eq(gw_drain_start(drain, predict, 1, &job, nodes, 3, NOW, NULL), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_float_eq(empty_in(nodes[i], 2.4), 0.5F);
	gw_drain_end(drain, 1, NULL);
	for (int i = 0; i < 3; i++)
		ck_assert_float_eq(empty_in(nodes[i], 2.4), 1);
}
END_TEST

START_TEST(time_passes_by_refresh)
{
	start(1, &short_one, 0, 0);
	ck_assert_float_eq(empty_in(0, 2.4), 0.5F);
	ck_assert_int_eq(gw_drain_refresh(drain, predict, NOW + HOUR, NULL), 0);
	ck_assert_float_eq(empty_in(0, 2.4), 1);
}
END_TEST

/* What is left to a limit counts too: a job of 47 hours changes little, but ends at 48. */
START_TEST(a_limit_comes_near)
{
	ck_assert_int_eq(gw_drain_refresh(drain, predict, NOW, NULL), 0);
	start(1, &long_one, 47, 0);
	ck_assert_float_lt(empty_in(0, 0.1), 0.1F);
	ck_assert_int_eq(gw_drain_refresh(drain, predict, NOW + HOUR - 300, NULL), 0);
	ck_assert_float_eq(empty_in(0, 0.1), 1);
}
END_TEST

/* Refresh makes the tables, with the jobs that run as ones that have not ended yet. */
START_TEST(refresh_makes_tables)
{
	float before[GW_GRID_POINTS], after[GW_GRID_POINTS];

	for (uint32_t i = 0; i < 20; i++)
		start(i, &short_one, 2, i);
	gw_predict_survival(predict, &short_one, 0, before);
	ck_assert_int_eq(gw_drain_refresh(drain, predict, NOW + 1, NULL), 0);
	gw_predict_survival(predict, &short_one, 0, after);
	ck_assert_mem_eq(before, after, sizeof(before));
	ck_assert_int_eq(gw_drain_refresh(drain, predict, NOW + GW_PREDICT_INTERVAL, NULL), 0);
	gw_predict_survival(predict, &short_one, 0, after);
	/* At one hour 20 of 60 end, not 20 of 40. */
	for (int i = 0; i < GW_GRID_POINTS; i++)
		if (gw_grid_time[i] > HOUR && gw_grid_time[i] < 3 * HOUR)
			ck_assert_float_eq_tol(after[i], 2. / 3, 1e-6);
	ck_assert(!gw_predict_due(predict, NOW + GW_PREDICT_INTERVAL + 1));
}
END_TEST

/* A job of one hour beside one of three keeps the node broken for no time, beside none for all. */
START_TEST(what_a_job_adds)
{
	float stays[GW_GRID_POINTS];
	struct gw_ask ask = {.stays = stays};
	struct gw_node node = {0};

	start(1, &long_one, 0, 0);
	start(2, &short_one, 0, 1);
	start(3, &short_one, 2, 2);
	gw_drain_ask(predict, &long_one, stays);
	node.ended = gw_drain_node(drain, 0);
	ck_assert_uint_eq(gw_place_broken_seconds(&ask, &node), 0);
	/* Free after one hour or three: 23 or 21 hours more; as exact as the grid is. */
	node.ended = gw_drain_node(drain, 1);
	ck_assert_float_eq_tol(gw_place_broken_seconds(&ask, &node) / (22. * HOUR), 1, 0.1);
	/* Free after one hour. */
	node.ended = gw_drain_node(drain, 2);
	ck_assert_float_eq_tol(gw_place_broken_seconds(&ask, &node) / (23. * HOUR), 1, 0.1);
	node.ended = gw_drain_node(drain, 3);
	ck_assert_float_eq_tol(gw_place_broken_seconds(&ask, &node) / (24. * HOUR), 1, 0.1);
}
END_TEST

/* A second drain that is told only what runs at the end; products may differ in the last bits. */
static void compare_with_anew(const bool *runs, const struct gw_predict_running *job,
			      const uint32_t (*nodes)[2], int jobs, uint32_t node_count)
{
	struct gw_drain *anew = gw_drain_create(NULL);
	uint32_t running = 0;

	for (int i = 0; i < jobs; i++) {
		if (!runs[i])
			continue;
		gw_drain_start(anew, predict, (uint32_t)i * 4099, &job[i], nodes[i], 2, NOW, NULL);
		running++;
	}
	ck_assert_uint_eq(gw_drain_jobs(drain), running);
	for (uint32_t n = 0; n < node_count; n++)
		for (int i = 0; i < GW_GRID_POINTS; i++)
			ck_assert_float_eq_tol(gw_drain_node(drain, n)[i],
					       gw_drain_node(anew, n)[i], 1e-6);
	gw_drain_free(anew);
}

START_TEST(any_events)
{
	enum { JOBS = 300, NODES = 40 };
	struct gw_predict_running job[JOBS];
	uint32_t nodes[JOBS][2];
	bool runs[JOBS] = {false};
	uint64_t state = (uint64_t)_i + 1;

	for (int event = 0; event < 3000; event++) {
		uint32_t r = (state = state * 6364136223846793005u + 1442695040888963407u) >> 33;
		uint32_t i = r % JOBS;

		if (runs[i]) {
			ck_assert(gw_drain_end(drain, i * 4099, NULL));
		} else {
			nodes[i][0] = (r >> 10) % NODES;
			nodes[i][1] = (nodes[i][0] + 1 + (r >> 16) % (NODES - 1)) % NODES;
			job[i] = (struct gw_predict_running){r >> 24 & 1 ? short_one : long_one,
							     NOW - (r >> 8 & 0x3fff)};
			ck_assert_int_eq(gw_drain_start(drain, predict, i * 4099, &job[i], nodes[i],
							2, NOW, NULL),
					 0);
		}
		runs[i] = !runs[i];
		if (event % 500 == 499)
			compare_with_anew(runs, job, nodes, JOBS, NODES);
	}
}
END_TEST

START_TEST(memory_may_run_out)
{
	struct gw_predict_running job = {short_one, NOW};

	for (uint32_t node = 0; node < 3; node++)
		start(100 + node, &short_one, 1, node);
	for (unsigned int n = 1;; n++) {
		struct gw_error error = {0};
		const uint32_t nodes[] = {1, 500};
		int result;

		alloc_fail_at(n);
		result = gw_drain_start(drain, predict, 1, &job, nodes, 2, NOW, &error);
		if (!alloc_failed()) {
			ck_assert_int_eq(result, 0);
			break;
		}
		ck_assert_int_eq(result, -1);
		ck_assert(gw_error_is_set(&error));
		ck_assert_uint_eq(gw_drain_jobs(drain), 3);
		ck_assert_float_eq(empty_in(1, 2.4), 1);
		ck_assert_float_eq(empty_in(500, 0.5), 1);
	}
	ck_assert_float_eq(empty_in(500, 2.4), 0.5F);
}
END_TEST

START_TEST(no_memory_at_all)
{
	struct gw_drain *none;

	alloc_fail_at(1);
	none = gw_drain_create(NULL);
	ck_assert(alloc_failed());
	ck_assert_ptr_null(none);
	gw_drain_free(none);
}
END_TEST

/* Tables that can not be made are made later; grids move on. */
START_TEST(refresh_without_memory)
{
	struct gw_error error = {0};
	int64_t later = NOW + GW_PREDICT_INTERVAL;
	int result;

	start(1, &long_one, 0, 0);
	alloc_fail_at(1);
	result = gw_drain_refresh(drain, predict, later, &error);
	ck_assert(alloc_failed());
	ck_assert_int_eq(result, -1);
	ck_assert(gw_error_is_set(&error));
	ck_assert(gw_predict_due(predict, later));
	ck_assert_float_eq(empty_in(0, 16), 1);
}
END_TEST

UNIT_MAIN("drain", tcase_add_checked_fixture(tests, setup, teardown), UNIT(no_jobs),
	  UNIT_ROWS(chances_multiply, rows), UNIT(ends_are_seen_at_once),
	  UNIT(a_requeued_job_is_moved), UNIT(a_gang_is_on_all_its_nodes),
	  UNIT(time_passes_by_refresh), UNIT(a_limit_comes_near), UNIT(refresh_makes_tables),
	  UNIT(what_a_job_adds), tcase_add_loop_test(tests, any_events, 0, 3),
	  UNIT(memory_may_run_out), UNIT(no_memory_at_all), UNIT(refresh_without_memory))

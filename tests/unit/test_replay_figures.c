// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "src/tools/replay_axis.h"
#include "src/tools/replay_figures.h"
#include "src/util/parse.h"
#include "unit.h"

#define HOUR INT64_C(3600)
#define DAY  (24 * HOUR)

/* A mean is of the seeds that have something to measure; a spread needs two of them. */
START_TEST(mean_and_spread)
{
	const double numbers[] = {2, NAN, 4, 6};
	struct gw_figure figure = gw_figure_of(numbers, 4);

	ck_assert_double_eq_tol(figure.mean, 4, 1e-12);
	ck_assert_double_eq_tol(figure.sd, 2, 1e-12);
	figure = gw_figure_of(numbers, 2);
	ck_assert_double_eq_tol(figure.mean, 2, 1e-12);
	ck_assert(isnan(figure.sd));
	ck_assert(isnan(gw_figure_of(&numbers[1], 1).mean));
}
END_TEST

/* ours, peer, bound of one metric, and what is closed of the gap. */
static const struct {
	const char *metric;
	double ours, peer, bound, closed;
} gaps[] = {
	{"f1", 0.05, 0.07, 0.01, 1.0 / 3},
	{"f1", 0.08, 0.07, 0.01, -1.0 / 6},
	{"f1", 0.01, 0.07, 0.01, 1},
	/* Of utilisation more is better. */
	{"util", 0.94, 0.92, 1.00, 0.25},
	/* The bound is no better, or as good as no better. */
	{"mean_h", 5, 8, 9, NAN},
	{"mean_h", 5, 8, 7.9, NAN},
	{"util", 0.94, 0.92, 0.90, NAN},
	{"d", NAN, 0.1, 0.05, NAN},
};

static void put(struct gw_sim_result *result, const char *metric, double value)
{
	memcpy((char *)&result->metrics + gw_metric_of(metric)->offset, &value, sizeof(value));
}

START_TEST(gap_closed)
{
	struct gw_sim_result result[3] = {0};
	struct gw_replay_row ours = {.result = &result[0]}, peer = {.result = &result[1]},
			     bound = {.result = &result[2]};
	struct gw_replay replay = {.seed_count = 1};
	const char *metric = gaps[_i].metric;
	double closed;

	put(&result[0], metric, gaps[_i].ours);
	put(&result[1], metric, gaps[_i].peer);
	put(&result[2], metric, gaps[_i].bound);
	closed = gw_gap_closed(&replay, &ours, &peer, &bound, gw_metric_of(metric));
	if (isnan(gaps[_i].closed))
		ck_assert(isnan(closed));
	else
		ck_assert_double_eq_tol(closed, gaps[_i].closed, 1e-9);
}
END_TEST

/* Waits are means over the seeds in which such jobs ran. */
START_TEST(waits_over_seeds)
{
	struct gw_sim_result result[3] = {
		{.all = {10, 1, 2, 3, 4, 5}}, {.all = {0}}, {.all = {20, 3, 4, 5, 6, 7}}};
	struct gw_replay_row row = {.result = result};
	struct gw_replay replay = {.seed_count = 3};
	struct gw_sim_waits waits = gw_replay_waits(&replay, &row, GW_WAITS_ALL, 0);

	ck_assert_uint_eq(waits.count, 15);
	ck_assert_double_eq_tol(waits.mean, 2, 1e-12);
	ck_assert_double_eq_tol(waits.max, 6, 1e-12);
}
END_TEST

static const struct {
	const char *limits;
	int64_t duration, least, most;
} limits[] = {
	{"as-given", 100, 7777, 7777},
	{"perfect", 100, 120, 120},
	{"perfect", 0, 60, 60},
	{"1-3x", HOUR, HOUR, 3 * HOUR},
	{"1-20x", HOUR, HOUR, 20 * HOUR},
	{"classes", HOUR, 4 * HOUR, 4 * HOUR},
	{"classes", 4 * HOUR + 1, DAY, DAY},
	{"classes", DAY + 1, 14 * DAY, 14 * DAY},
	{"classes", 15 * DAY, 15 * DAY, 15 * DAY},
	{"equal", HOUR, 30 * DAY, 30 * DAY},
	{"equal", 31 * DAY, 31 * DAY, 31 * DAY},
};

START_TEST(limits_of_a_job)
{
	struct gw_trace_job job = {.id = 7, .duration = limits[_i].duration, .limit = 7777};
	struct gw_trace trace = {.job = &job, .count = 1}, varied;
	enum gw_replay_limits kind;

	ck_assert(gw_replay_limits_named(limits[_i].limits, &kind));
	for (uint32_t seed = 0; seed < 50; seed++) {
		ck_assert_int_eq(gw_replay_vary(&trace, kind, 1, seed, &varied, NULL), 0);
		ck_assert_int_ge(varied.job[0].limit, limits[_i].least);
		ck_assert_int_le(varied.job[0].limit, limits[_i].most);
		gw_replay_vary_free(&varied);
	}
	ck_assert_int_eq(job.limit, 7777);
}
END_TEST

/* A job has the same limit in every policy's run, and another in another seed's. */
START_TEST(limits_by_seed)
{
	struct gw_trace_job job = {.id = 7, .duration = 10 * DAY};
	struct gw_trace trace = {.job = &job, .count = 1}, varied;
	int64_t limit[3];

	for (uint32_t i = 0; i < 3; i++) {
		ck_assert_int_eq(gw_replay_vary(&trace, GW_LIMITS_TO_20, 1, i / 2, &varied, NULL),
				 0);
		limit[i] = varied.job[0].limit;
		gw_replay_vary_free(&varied);
	}
	ck_assert_int_eq(limit[0], limit[1]);
	ck_assert_int_ne(limit[0], limit[2]);
}
END_TEST

START_TEST(arrivals_by_load)
{
	struct gw_trace_job job[] = {{.submit = 1000, .eligible = 1000},
				     {.submit = 1900, .eligible = 2000}};
	struct gw_trace trace = {.job = job, .count = 2}, varied;

	ck_assert_int_eq(gw_replay_vary(&trace, GW_LIMITS_AS_GIVEN, 1.5, 1, &varied, NULL), 0);
	ck_assert_int_eq(varied.job[0].submit, 1000);
	ck_assert_int_eq(varied.job[1].submit, 1600);
	ck_assert_int_eq(varied.job[1].eligible, 1700);
	gw_replay_vary_free(&varied);
}
END_TEST

START_TEST(out_of_memory)
{
	struct gw_trace trace = {0}, varied;
	struct gw_error error = {0};
	int failed;

	alloc_fail_at(1);
	failed = gw_replay_vary(&trace, GW_LIMITS_EQUAL, 1, 1, &varied, &error);
	ck_assert(alloc_failed());
	ck_assert_int_eq(failed, -1);
	ck_assert(gw_error_is_set(&error));
}
END_TEST

/* What a page makes of a name. */
static const struct {
	const char *text, *page;
} names[] = {
	{"a<b>&\"c'", "a&lt;b&gt;&amp;&quot;c&#39;"},
	{"Größe ≥ 8 𝛼", "Größe ≥ 8 𝛼"},
	{"bell\a\x7f", "bell??"},
	{"cut \xe2\x82", "cut ??"},
	{"\xff\xc0\x80\xed\xa0\x80", "??????"},
	{"", ""},
};

START_TEST(escaped)
{
	struct gw_str page = {0};

	gw_html_escape(&page, names[_i].text);
	ck_assert_str_eq(gw_str_text(&page), names[_i].page);
	gw_str_free(&page);
}
END_TEST

/* Ticks are round numbers within the axis, far enough apart. */
static const struct {
	enum gw_axis_kind kind;
	double to;
	const char *texts;
} axes[] = {
	{GW_AXIS_NUMBER, 100, "0 20 40 60 80 100 "},
	{GW_AXIS_NUMBER, 0.6, "0 0.1 0.2 0.3 0.4 0.5 0.6 "},
	{GW_AXIS_NUMBER, 0, ""},
	{GW_AXIS_DAYS, 61 * DAY, "0 14 28 42 56 "},
	{GW_AXIS_DAYS, 2 * DAY, "0 12 24 36 48 "},
	{GW_AXIS_WAIT, 10 * DAY, "1 min 10 min 1 h 4 h 1 d 4 d "},
};

START_TEST(ticks_of_an_axis)
{
	struct gw_axis axis = {axes[_i].kind, "", axes[_i].kind == GW_AXIS_WAIT ? GW_WAIT_LEAST : 0,
			       axes[_i].to};
	struct gw_scale scale = {&axis, 0, 300};
	struct gw_tick ticks[GW_TICKS_MAX];
	size_t count = gw_axis_ticks(&scale, 40, ticks);
	struct gw_str texts = {0};

	for (size_t i = 0; i < count; i++)
		gw_str_appendf(&texts, "%s ", ticks[i].text);
	ck_assert_str_eq(gw_str_text(&texts), axes[_i].texts);
	gw_str_free(&texts);
}
END_TEST

UNIT_MAIN("replay_figures", UNIT(mean_and_spread), UNIT_ROWS(gap_closed, gaps),
	  UNIT(waits_over_seeds), UNIT_ROWS(limits_of_a_job, limits), UNIT(limits_by_seed),
	  UNIT(arrivals_by_load), UNIT(out_of_memory), UNIT_ROWS(escaped, names),
	  UNIT_ROWS(ticks_of_an_axis, axes))

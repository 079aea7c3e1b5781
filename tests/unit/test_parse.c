// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/util/parse.h"
#include "unit.h"

#define BAD INT64_C(-9)

static const struct {
	const char *text;
	unsigned int allow;
	int64_t seconds; /* BAD: refused */
} times[] = {
	/* Slurm's six spellings. */
	{"90", 0, 5400},
	{"90:30", 0, 5430},
	{"1:02:03", 0, 3723},
	{"100:00:00", 0, 360000},
	{"7-0", 0, 604800},
	{"1-12:30", 0, 131400},
	{"7-00:00:00", 0, 604800},
	{"2-03:04:05", 0, 183845},
	{"0", 0, 0},
	{"36525-00:00:00", 0, INT64_C(3155760000)},
	/* Words, where they are allowed. */
	{"INFINITE", GW_TIME_MAY_BE_INFINITE, GW_TIME_INFINITE},
	{"unlimited", GW_TIME_MAY_BE_INFINITE, GW_TIME_INFINITE},
	{"none", GW_TIME_MAY_BE_NONE, GW_TIME_NONE},
	{"INFINITE", 0, BAD},
	{"NONE", GW_TIME_MAY_BE_INFINITE, BAD},
	/* Slips. */
	{"", 0, BAD},
	{"-1", 0, BAD},
	{"1:60", 0, BAD},
	{"1:00:60", 0, BAD},
	{"1-24", 0, BAD},
	{"1-00:60", 0, BAD},
	{"1-00:00:60", 0, BAD},
	{"1:2:3:4", 0, BAD},
	{"1-", 0, BAD},
	{"1-1-1", 0, BAD},
	{"5m", 0, BAD},
	{" 5", 0, BAD},
	{"5 ", 0, BAD},
	{"1::2", 0, BAD},
	{"36526-0", 0, BAD},
	{"99999999999999999", 0, BAD},
	{"9999999999999999999999", 0, BAD},
	{"3155760000:00", 0, BAD},
};

START_TEST(time_spans)
{
	struct gw_error error = {0};
	int64_t seconds = BAD;
	int result = gw_parse_time(times[_i].text, times[_i].allow, &seconds, &error);

	ck_assert_msg(seconds == times[_i].seconds, "%s: %lld", times[_i].text, (long long)seconds);
	ck_assert_int_eq(result, times[_i].seconds == BAD ? -1 : 0);
	ck_assert(gw_error_is_set(&error) == (result != 0));
}
END_TEST

START_TEST(time_error_says_what_is_allowed)
{
	struct gw_error error = {0};
	int64_t seconds;

	gw_parse_time("x", GW_TIME_MAY_BE_INFINITE | GW_TIME_MAY_BE_NONE, &seconds, &error);
	ck_assert_str_eq(error.text, "must be a time such as 90 (minutes), 01:30:00 or "
				     "7-00:00:00, or INFINITE, or NONE");
}
END_TEST

static const struct {
	int64_t seconds;
	const char *text;
} time_texts[] = {
	{0, "00:00:00"},        {59, "00:00:59"},       {86399, "23:59:59"},
	{86400, "1-00:00:00"},  {GW_TIME_NONE, "NONE"}, {GW_TIME_INFINITE, "INFINITE"},
	{788645, "9-03:04:05"},
};

START_TEST(times_as_text)
{
	struct gw_str str = {0};

	gw_str_append_time(&str, time_texts[_i].seconds);
	ck_assert_str_eq(gw_str_text(&str), time_texts[_i].text);
	gw_str_free(&str);
}
END_TEST

static const struct {
	const char *text;
	int64_t civil;
} dates[] = {
	{"1970-01-01", 0},
	{"1970-01-01T00:00:01", 1},
	{"2000-02-29", INT64_C(951782400)},
	{"2024-02-29T12:30", INT64_C(1709209800)},
	{"2026-12-31T23:59:59", INT64_C(1798761599)},
	{"2023-02-29", BAD},
	{"2100-02-29", BAD},
	{"2024-04-31", BAD},
	{"2024-13-01", BAD},
	{"2024-00-01", BAD},
	{"2024-01-00", BAD},
	{"1969-12-31", BAD},
	{"24-01-01", BAD},
	{"2024-1-1", BAD},
	{"2024-01-01 12:00", BAD},
	{"2024-01-01T24:00", BAD},
	{"2024-01-01T12", BAD},
	{"2024-01-01T12:00:60", BAD},
	{"2024-01-01T12:00:00Z", BAD},
	{"", BAD},
};

START_TEST(calendar_dates)
{
	int64_t civil = BAD;
	int result = gw_parse_date(dates[_i].text, &civil, NULL);

	ck_assert_msg(civil == dates[_i].civil, "%s: %lld", dates[_i].text, (long long)civil);
	ck_assert_int_eq(result, dates[_i].civil == BAD ? -1 : 0);
}
END_TEST

static const struct {
	const char *text;
	bool good;
	double value;
} numbers[] = {
	{"0", true, 0},     {"2", true, 2},           {"0.005", true, 0.005}, {"-1.5", true, -1.5},
	{"+3", true, 3},    {"2.5e-3", true, 0.0025}, {".5", true, 0.5},      {"1E3", true, 1000},
	{"5.", true, 5},    {"nan", false, 0},        {"inf", false, 0},      {"1e999", false, 0},
	{"0x10", false, 0}, {" 1", false, 0},         {"1 ", false, 0},       {"1,5", false, 0},
	{"", false, 0},     {".", false, 0},          {"-", false, 0},        {"1e", false, 0},
	{"1e+", false, 0},  {"1.2.3", false, 0},
};

START_TEST(doubles)
{
	double value = 77;

	ck_assert_int_eq(gw_parse_double(numbers[_i].text, &value, NULL),
			 numbers[_i].good ? 0 : -1);
	ck_assert_double_eq_tol(value, numbers[_i].good ? numbers[_i].value : 77, 1e-12);
}
END_TEST

START_TEST(counts)
{
	uint64_t count = 77;

	ck_assert_int_eq(gw_parse_count("999999999999999999", &count, NULL), 0);
	ck_assert_uint_eq(count, UINT64_C(999999999999999999));
	ck_assert_int_eq(gw_parse_count("9999999999999999999", &count, NULL), -1);
	ck_assert_int_eq(gw_parse_count("-1", &count, NULL), -1);
	ck_assert_int_eq(gw_parse_count("", &count, NULL), -1);
	ck_assert_int_eq(gw_parse_count("8x", &count, NULL), -1);
}
END_TEST

START_TEST(counts_with_k)
{
	uint64_t count = 77;

	ck_assert_int_eq(gw_parse_count_k("2K", &count, NULL), 0);
	ck_assert_uint_eq(count, 2048);
	ck_assert_int_eq(gw_parse_count_k("3", &count, NULL), 0);
	ck_assert_uint_eq(count, 3);
	ck_assert_int_eq(gw_parse_count_k("k", &count, NULL), -1);
	ck_assert_int_eq(gw_parse_count_k("9007199254740992k", &count, NULL), -1);
	ck_assert_int_eq(gw_parse_count_k("2M", &count, NULL), -1);
	ck_assert_uint_eq(count, 3);
}
END_TEST

static const struct {
	const char *text;
	double mib; /* below 0: refused */
} sizes[] = {
	{"512", 512},
	{"512M", 512},
	{"64G", 65536},
	{"1t", 1048576},
	{"2P", 2147483648.0},
	{"1024K", 1},
	{"0.5G", 512},
	{"G", -1},
	{"64GB", -1},
	{"-1", -1},
	{"", -1},
	{"1 G", -1},
	{"1111111111111111111111111111111111111", -1},
};

START_TEST(memory_sizes)
{
	double mib = -1;

	gw_parse_size(sizes[_i].text, &mib, NULL);
	ck_assert_double_eq_tol(mib, sizes[_i].mib, 1e-9);
}
END_TEST

START_TEST(booleans)
{
	struct gw_error error = {0};
	bool value = false;

	ck_assert(!gw_parse_bool("YES", &value, &error) && value);
	ck_assert(!gw_parse_bool("false", &value, &error) && !value);
	ck_assert(!gw_parse_bool("1", &value, &error) && value);
	ck_assert_int_eq(gw_parse_bool("maybe", &value, &error), -1);
	ck_assert_str_eq(error.text, "must be yes or no");
	ck_assert(value);
}
END_TEST

#define MON 2
#define FRI 32
#define SAT 64
#define SUN 1

static const struct {
	const char *text;
	int days; /* 0: refused */
	int begin, end;
} windows[] = {
	{"Mon-Fri/09:00-21:00", 62, 540, 1260},
	{"Sat,Sun/00:00-24:00", SAT | SUN, 0, 1440},
	{"fri-mon/22:00-06:00", FRI | SAT | SUN | MON, 1320, 1800},
	{"Mon/12:30-12:31", MON, 750, 751},
	{"Mon,Wed-Thu/08:00-09:00", MON | 8 | 16, 480, 540},
	{"Mon-Fri", 0, 0, 0},
	{"Monday/09:00-10:00", 0, 0, 0},
	{"Mon-/09:00-10:00", 0, 0, 0},
	{"Mon,/09:00-10:00", 0, 0, 0},
	{"Mon/9:00-10:00", 0, 0, 0},
	{"Mon/09:00-24:01", 0, 0, 0},
	{"Mon/24:00-10:00", 0, 0, 0},
	{"Mon/09:00-09:00", 0, 0, 0},
	{"Mon/09:00-10:00x", 0, 0, 0},
	{"Mon/09:00", 0, 0, 0},
	{"", 0, 0, 0},
};

START_TEST(week_windows)
{
	struct gw_week_window window = {0};

	gw_parse_week_window(windows[_i].text, &window, NULL);
	ck_assert_int_eq(window.days, windows[_i].days);
	ck_assert_int_eq(window.begin, windows[_i].begin);
	ck_assert_int_eq(window.end, windows[_i].end);
}
END_TEST

START_TEST(a_window_may_pass_midnight_and_the_week)
{
	struct gw_week_window window;
	unsigned int saturday = 6 * GW_MINUTES_A_DAY;

	ck_assert_int_eq(gw_parse_week_window("Sat/22:00-06:00", &window, NULL), 0);
	ck_assert(gw_week_window_has(&window, saturday + 22 * 60));
	ck_assert(gw_week_window_has(&window, 5 * 60 + 59));
	ck_assert(!gw_week_window_has(&window, 6 * 60));
	ck_assert(!gw_week_window_has(&window, saturday + 60));
}
END_TEST

UNIT_MAIN("parse", UNIT_ROWS(time_spans, times); UNIT(time_error_says_what_is_allowed);
	  UNIT_ROWS(times_as_text, time_texts); UNIT_ROWS(calendar_dates, dates);
	  UNIT_ROWS(doubles, numbers); UNIT(counts); UNIT(counts_with_k);
	  UNIT_ROWS(memory_sizes, sizes); UNIT(booleans); UNIT_ROWS(week_windows, windows);
	  UNIT(a_window_may_pass_midnight_and_the_week))

// SPDX-License-Identifier: GPL-2.0-or-later
#include <time.h>

#include "src/tools/wall_clock.h"
#include "src/util/parse.h"
#include "unit.h"

/* Rules of the zone are given in full: the test needs no zone files. */
#define BERLIN    "CET-1CEST,M3.5.0,M10.5.0/3"
#define LORD_HOWE "LHST-10:30LHDT-11,M10.1.0,M4.1.0"

static const struct {
	const char *tz, *date, *utc;
} dates[] = {
	{BERLIN, "2026-01-31T09:00:00", "2026-01-31T08:00:00"},
	{BERLIN, "2026-07-31T09:00:00", "2026-07-31T07:00:00"},
	{BERLIN, "2026-03-29T01:59:59", "2026-03-29T00:59:59"},
	/* Left out: as if the clock had not been moved. */
	{BERLIN, "2026-03-29T02:30:00", "2026-03-29T01:30:00"},
	{BERLIN, "2026-03-29T03:00:00", "2026-03-29T01:00:00"},
	/* Twice: the first. */
	{BERLIN, "2026-10-25T01:59:59", "2026-10-24T23:59:59"},
	{BERLIN, "2026-10-25T02:30:00", "2026-10-25T00:30:00"},
	{BERLIN, "2026-10-25T03:00:00", "2026-10-25T02:00:00"},
	/* Moves by half an hour. */
	{LORD_HOWE, "2026-04-05T01:45:00", "2026-04-04T14:45:00"},
	{LORD_HOWE, "2026-04-05T02:00:00", "2026-04-04T15:30:00"},
	{"UTC0", "2026-07-31T09:00:00", "2026-07-31T09:00:00"},
};

static int64_t civil(const char *date)
{
	int64_t seconds;

	ck_assert_int_eq(gw_parse_date(date, &seconds, NULL), 0);
	return seconds;
}

START_TEST(the_machines_clock)
{
	struct gw_wall_clock clock;

	setenv("TZ", dates[_i].tz, 1);
	tzset();
	ck_assert_int_eq(gw_wall_clock_init(&clock, NULL, NULL), 0);
	for (int again = 0; again < 2; again++)
		ck_assert_int_eq(gw_wall_clock_epoch(&clock, civil(dates[_i].date)),
				 civil(dates[_i].utc));
}
END_TEST

static const struct {
	const char *zone;
	int64_t east;
	bool bad;
} zones[] = {
	{"UTC", 0, false},         {"utc", 0, false},
	{"Z", 0, false},           {"+01:00", 3600, false},
	{"-05:30", -19800, false}, {"+0545", 20700, false},
	{"+9", 32400, false},      {"Berlin", 0, true},
	{"+25:00", 0, true},       {"+01:99", 0, true},
	{"01:00", 0, true},        {"+", 0, true},
	{"+01:00x", 0, true},      {"", 0, true},
};

START_TEST(fixed_zones)
{
	struct gw_wall_clock clock;
	struct gw_error error = {0};

	ck_assert_int_eq(gw_wall_clock_init(&clock, zones[_i].zone, &error),
			 zones[_i].bad ? -1 : 0);
	if (zones[_i].bad)
		ck_assert_ptr_nonnull(strstr(error.text, "must be UTC or an offset"));
	else
		ck_assert_int_eq(gw_wall_clock_epoch(&clock, 100000), 100000 - zones[_i].east);
}
END_TEST

UNIT_MAIN("wall_clock", UNIT_ROWS(the_machines_clock, dates); UNIT_ROWS(fixed_zones, zones))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/breaker.h"
#include "unit.h"

#define SECOND UINT64_C(1000000000)

static const struct gw_breaker_limits limits = {.own_ns = 1000, .errors = 2};

/* Calls, one after the other; what the last of them does. */
static const struct {
	const char *what;
	struct {
		uint64_t at, own;
		bool failed;
	} call[4];
	enum gw_trip last;
} rows[] = {
	{"cheap calls never trip",
	 {{1, 10, false}, {2, 10, false}, {3, 10, false}, {4, 10, false}},
	 GW_TRIP_NONE},
	{"as many errors as the budget are allowed",
	 {{1, 0, true}, {2, 0, true}, {3, 0, false}, {4, 0, false}},
	 GW_TRIP_NONE},
	{"one more trips",
	 {{1, 0, true}, {2, 0, true}, {3, 0, false}, {4, 0, true}},
	 GW_TRIP_ERRORS},
	{"time adds up",
	 {{1, 400, false}, {2, 300, false}, {3, 300, false}, {4, 1, false}},
	 GW_TRIP_TIME},
	{"up to the budget",
	 {{1, 400, false}, {2, 300, false}, {3, 300, false}, {4, 0, false}},
	 GW_TRIP_NONE},
	{"errors of another minute do not count",
	 {{SECOND, 0, true}, {2 * SECOND, 0, true}, {61 * SECOND, 0, true}, {62 * SECOND, 0, true}},
	 GW_TRIP_NONE},
	{"nor does time",
	 {{SECOND, 0, false},
	  {2 * SECOND, 900, false},
	  {62 * SECOND, 900, false},
	  {63 * SECOND, 100, false}},
	 GW_TRIP_NONE},
	{"it trips once",
	 {{1, 2000, false}, {2, 2000, false}, {3, 2000, true}, {4, 2000, true}},
	 GW_TRIP_NONE},
};

START_TEST(trips)
{
	struct gw_breaker breaker = {0};
	enum gw_trip trip = GW_TRIP_NONE;

	for (int i = 0; i < 4; i++)
		trip = gw_breaker_add(&breaker, &limits, rows[_i].call[i].at, rows[_i].call[i].own,
				      rows[_i].call[i].failed);
	ck_assert_msg(trip == rows[_i].last, "%s: got %d", rows[_i].what, trip);
}
END_TEST

START_TEST(reset_closes_it)
{
	struct gw_breaker breaker = {0};

	ck_assert_int_eq(gw_breaker_add(&breaker, &limits, 1, 2000, false), GW_TRIP_TIME);
	ck_assert(breaker.open);
	gw_breaker_reset(&breaker);
	ck_assert(!breaker.open);
	ck_assert_int_eq(gw_breaker_add(&breaker, &limits, 2, 1000, false), GW_TRIP_NONE);
}
END_TEST

UNIT_MAIN("breaker", UNIT_ROWS(trips, rows), UNIT(reset_closes_it))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/histogram.h"
#include "unit.h"

static struct gw_histogram histogram;

static void setup(void)
{
	histogram = (struct gw_histogram){{0}};
}

START_TEST(nothing_is_nothing)
{
	ck_assert_uint_eq(gw_histogram_quantile(&histogram, 500), 0);
}
END_TEST

/* Quantiles of one value: never below it, less than a quarter above. */
START_TEST(near_enough)
{
	static const uint64_t values[] = {0,    1,     2,       3,          4,         5,
					  7,    8,     9,       1000,       4095,      4096,
					  6300, 99999, 1 << 30, UINT64_MAX, 1ULL << 63};

	for (int i = 0; i < COUNT(values); i++) {
		uint64_t value = values[i], found;

		setup();
		gw_histogram_add(&histogram, value);
		found = gw_histogram_quantile(&histogram, 500);
		ck_assert_uint_ge(found, value);
		ck_assert_uint_le(found - value, value / 4);
	}
}
END_TEST

START_TEST(the_longest_of_a_thousand)
{
	for (int i = 0; i < 998; i++)
		gw_histogram_add(&histogram, 4);
	gw_histogram_add(&histogram, 64);
	gw_histogram_add(&histogram, 4096);
	ck_assert_uint_eq(gw_histogram_quantile(&histogram, 0), 4);
	ck_assert_uint_eq(gw_histogram_quantile(&histogram, 998), 4);
	ck_assert_uint_eq(gw_histogram_quantile(&histogram, 999), 79);
	ck_assert_uint_eq(gw_histogram_quantile(&histogram, 1000), 5119);
}
END_TEST

UNIT_MAIN("histogram", tcase_add_checked_fixture(tests, setup, NULL), UNIT(nothing_is_nothing),
	  UNIT(near_enough), UNIT(the_longest_of_a_thousand))

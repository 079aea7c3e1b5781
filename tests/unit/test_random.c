// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "src/util/random.h"
#include "unit.h"

#define DRAWS 100000

/* Numbers that must never change: results of simulations stand in the documentation. */
START_TEST(same_seed_same_numbers)
{
	struct gw_random random;

	gw_random_seed(&random, 0);
	ck_assert_uint_eq(random.state[0], UINT64_C(0xe220a8397b1dcdaf)); /* splitmix64's first */
	random = (struct gw_random){{1, 2, 3, 4}};
	ck_assert_uint_eq(gw_random_next(&random), 11520); /* as the authors' code */
	ck_assert_uint_eq(gw_random_next(&random), 0);
	ck_assert_uint_eq(gw_random_next(&random), 1509978240);
}
END_TEST

START_TEST(uniform_is_flat)
{
	struct gw_random random;
	int bins[10] = {0};

	gw_random_seed(&random, 7);
	for (int i = 0; i < DRAWS; i++) {
		double x = gw_random_uniform(&random);

		ck_assert(x >= 0 && x < 1);
		bins[(int)(x * 10)]++;
	}
	for (int i = 0; i < 10; i++)
		ck_assert_int_le(abs(bins[i] - DRAWS / 10), 500);
}
END_TEST

START_TEST(below_reaches_all)
{
	struct gw_random random;
	int seen[3] = {0};

	gw_random_seed(&random, 8);
	for (int i = 0; i < 300; i++)
		seen[gw_random_below(&random, 3)]++;
	for (int i = 0; i < 3; i++)
		ck_assert_int_gt(seen[i], 60);
	ck_assert_uint_eq(gw_random_below(&random, 1), 0);
}
END_TEST

START_TEST(normal_has_its_moments)
{
	struct gw_random random;
	double sum = 0, squares = 0;

	gw_random_seed(&random, 9);
	for (int i = 0; i < DRAWS; i++) {
		double x = gw_random_normal(&random);

		sum += x;
		squares += x * x;
	}
	ck_assert_double_eq_tol(sum / DRAWS, 0, 0.02);
	ck_assert_double_eq_tol(sqrt(squares / DRAWS), 1, 0.02);
}
END_TEST

UNIT_MAIN("random", UNIT(same_seed_same_numbers); UNIT(uniform_is_flat); UNIT(below_reaches_all);
	  UNIT(normal_has_its_moments))

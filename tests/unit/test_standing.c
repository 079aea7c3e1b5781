// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/standing.h"
#include "unit.h"

START_TEST(jobs_are_found_however_they_came)
{
	static const uint32_t jobs[] = {7, 3, 9, 1};
	static const uint32_t later[] = {5, 0, 10};
	struct gw_standing standing = {0};

	ck_assert_ptr_null(gw_standing_find(&standing, 1));
	standing.entry = calloc(COUNT(jobs), sizeof(*standing.entry));
	standing.count = COUNT(jobs);
	for (int i = 0; i < COUNT(jobs); i++)
		standing.entry[i] =
			(struct gw_standing_entry){.job = jobs[i], .number = jobs[i] * 10};
	gw_standing_sort(&standing);
	for (int i = 0; i < COUNT(later); i++) {
		struct gw_standing_entry entry = {.job = later[i], .number = later[i] * 10};

		ck_assert_int_eq(gw_standing_insert(&standing, &entry), 0);
	}
	ck_assert_uint_eq(standing.count, COUNT(jobs) + COUNT(later));
	for (int i = 0; i < COUNT(jobs); i++)
		ck_assert_uint_eq(gw_standing_find(&standing, jobs[i])->number, jobs[i] * 10);
	for (int i = 0; i < COUNT(later); i++)
		ck_assert_uint_eq(gw_standing_find(&standing, later[i])->number, later[i] * 10);
	ck_assert_ptr_null(gw_standing_find(&standing, 4));
	gw_standing_free(&standing);
	ck_assert_uint_eq(standing.count, 0);
}
END_TEST

UNIT_MAIN("standing", UNIT(jobs_are_found_however_they_came))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/util/error.h"
#include "unit.h"

START_TEST(first_error_wins)
{
	struct gw_error error = {0};

	ck_assert(!gw_error_is_set(&error));
	ck_assert_int_eq(gw_error_set(&error, "deep %d", 1), -1);
	gw_error_set(&error, "shallow");
	ck_assert_str_eq(error.text, "deep 1");
	gw_error_prefix(&error, "file:%d: ", 7);
	ck_assert_str_eq(error.text, "file:7: deep 1");
	gw_error_clear(&error);
	ck_assert(!gw_error_is_set(&error));
	gw_error_memory(&error);
	ck_assert_str_eq(error.text, "out of memory");
}
END_TEST

START_TEST(nobody_need_listen)
{
	gw_error_clear(NULL);
	ck_assert_int_eq(gw_error_set(NULL, "x"), -1);
	ck_assert_int_eq(gw_error_prefix(NULL, "x"), -1);
	ck_assert(!gw_error_is_set(NULL));
}
END_TEST

START_TEST(long_text_is_cut)
{
	struct gw_error error = {0};

	gw_error_set(&error, "%2000d", 1);
	ck_assert_uint_eq(strlen(error.text), GW_ERROR_SIZE - 1);
	gw_error_prefix(&error, "where: ");
	ck_assert_uint_eq(strlen(error.text), GW_ERROR_SIZE - 1);
	ck_assert(!strncmp(error.text, "where:  ", 8));
	gw_error_prefix(&error, "%2000d", 1);
	ck_assert_uint_eq(strlen(error.text), GW_ERROR_SIZE - 1);
}
END_TEST

START_TEST(one_line_and_no_escapes)
{
	struct gw_error error = {0};

	gw_error_set(&error, "a\nb\033[2Jc");
	gw_error_prefix(&error, "x\ty ");
	ck_assert_str_eq(error.text, "x y a b [2Jc");
}
END_TEST

UNIT_MAIN("error", UNIT(first_error_wins); UNIT(nobody_need_listen); UNIT(long_text_is_cut);
	  UNIT(one_line_and_no_escapes))

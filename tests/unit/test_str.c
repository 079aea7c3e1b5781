// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/util/str.h"
#include "unit.h"

START_TEST(text_grows)
{
	struct gw_str str = {0};
	char *taken;

	ck_assert_str_eq(gw_str_text(&str), "");
	for (int i = 0; i < 100; i++)
		gw_str_appendf(&str, "%03d,", i);
	gw_str_append(&str, "end");
	gw_str_append(&str, NULL);
	ck_assert_uint_eq(str.length, 403);
	ck_assert_str_eq(gw_str_text(&str) + 396, "099,end");
	taken = gw_str_take(&str);
	ck_assert_uint_eq(strlen(taken), 403);
	ck_assert_ptr_null(str.data);
	free(taken);
	taken = gw_str_take(&str);
	ck_assert_str_eq(taken, "");
	free(taken);
	gw_str_free(NULL);
}
END_TEST

START_TEST(text_survives_no_memory)
{
	struct gw_str str = {0};

	gw_str_append(&str, "kept");
	alloc_fail_at(1);
	gw_str_appendf(&str, "%100d", 1);
	ck_assert(alloc_failed());
	ck_assert(str.failed);
	gw_str_append(&str, "x");
	ck_assert_str_eq(gw_str_text(&str), "kept");
	ck_assert_ptr_null(gw_str_take(&str));
	gw_str_append_n(&str, "", SIZE_MAX / 2);
	ck_assert(str.failed);
	gw_str_free(&str);
}
END_TEST

START_TEST(lists)
{
	struct gw_strings list = {0};

	ck_assert_int_eq(gw_strings_split(&list, "a,bc,,d"), 0);
	ck_assert_uint_eq(list.count, 4);
	ck_assert_str_eq(list.item[1], "bc");
	ck_assert_str_eq(list.item[2], "");
	for (int i = 0; i < 20; i++)
		ck_assert_int_eq(gw_strings_add(&list, "more", 2), 0);
	ck_assert_str_eq(list.item[23], "mo");
	gw_strings_free(&list);
	gw_strings_free(NULL);
	for (unsigned int n = 1; n <= 4; n++) {
		int result;

		alloc_fail_at(n);
		result = gw_strings_split(&list, "a,b,c");
		ck_assert(alloc_failed());
		ck_assert_int_eq(result, -1);
		ck_assert_uint_eq(list.count, 0);
	}
}
END_TEST

START_TEST(arrays)
{
	int *items = NULL;

	for (size_t i = 0; i < 100; i++) {
		int *grown = gw_array_room(items, i, sizeof(*items));

		ck_assert_ptr_nonnull(grown);
		items = grown;
		ck_assert_int_eq(items[i], 0);
		items[i] = (int)i;
	}
	ck_assert_int_eq(items[63], 63);
	free(items);
	ck_assert_ptr_null(gw_array_room(NULL, SIZE_MAX / 4, 64));
	alloc_fail_at(1);
	items = gw_array_room(NULL, 0, 8);
	ck_assert(alloc_failed());
	ck_assert_ptr_null(items);
}
END_TEST

START_TEST(letters)
{
	char *copy;

	ck_assert(gw_same("QueueName", "queuename"));
	ck_assert(!gw_same("Queue", "QueueName"));
	ck_assert(gw_same_n("gpu:h100", "GPU:a100", 4));
	ck_assert(!gw_same_n("gp", "gpu", 3));
	ck_assert(gw_is_space('\t') && gw_is_space('\r') && !gw_is_space('x'));
	alloc_fail_at(1);
	copy = gw_strdup("x");
	ck_assert(alloc_failed());
	ck_assert_ptr_null(copy);
}
END_TEST

static const struct {
	const char *a, *b;
	unsigned int distance;
} distances[] = {
	{"Weight", "Weight", 0},
	{"Wieght", "Weight", 2},
	{"weigh", "Weight", 1},
	{"", "Pool", 4},
	{"Pool", "", 4},
	{"HookTimeBugdet", "HookTimeBudget", 2},
	{"a word of far more than thirty-one letters", "Pool", 32},
};

START_TEST(edit_distance)
{
	ck_assert_uint_eq(gw_edit_distance(distances[_i].a, distances[_i].b),
			  distances[_i].distance);
}
END_TEST

UNIT_MAIN("str", UNIT(text_grows); UNIT(text_survives_no_memory); UNIT(lists); UNIT(arrays);
	  UNIT(letters); UNIT_ROWS(edit_distance, distances))

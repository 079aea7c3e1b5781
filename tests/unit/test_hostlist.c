// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/util/hostlist.h"
#include "unit.h"

#define LIMIT 12

static const struct {
	const char *text;
	const char *names; /* NULL: refused */
} lists[] = {
	{"n1", "n1"},
	{"n[0-3]", "n0 n1 n2 n3"},
	{"n[0-1,7],login", "n0 n1 n7 login"},
	{"n[08-10]", "n08 n09 n10"},
	{"n[8-10]", "n8 n9 n10"},
	{"r[1-2]n[0-1]", "r1n0 r1n1 r2n0 r2n1"},
	{"rack-[1]a.b", "rack-1a.b"},
	{"n[0-11]", "n0 n1 n2 n3 n4 n5 n6 n7 n8 n9 n10 n11"},
	{"n[0-12]", NULL},
	{"n[0-99999999999]", NULL},
	{"", NULL},
	{"n1,,n2", NULL},
	{"n1,", NULL},
	{"n[", NULL},
	{"n[]", NULL},
	{"n[1", NULL},
	{"n]1[", NULL},
	{"n[3-1]", NULL},
	{"n[1-]", NULL},
	{"n[1,]", NULL},
	{"n[a]", NULL},
	{"n[1-2-3]", NULL},
	{"[1-2]", NULL},
	{"n 1", NULL},
	{"n[9999999999999999999]", NULL},
	{"a[1]b[1]c[1]d[1]e[1]", NULL},
};

START_TEST(expansion)
{
	struct gw_strings names = {0};
	struct gw_str joined = {0};
	int result = gw_hostlist_expand(lists[_i].text, LIMIT, &names, NULL);

	for (size_t i = 0; i < names.count; i++)
		gw_str_appendf(&joined, "%s%s", i ? " " : "", names.item[i]);
	ck_assert_int_eq(result, lists[_i].names ? 0 : -1);
	ck_assert_str_eq(gw_str_text(&joined), lists[_i].names ? lists[_i].names : "");
	gw_str_free(&joined);
	gw_strings_free(&names);
}
END_TEST

START_TEST(errors_say_why)
{
	struct gw_strings names = {0};
	struct gw_error error = {0};

	gw_hostlist_expand("n[0-99]", 50, &names, &error);
	ck_assert_str_eq(error.text, "names more than 50 nodes");
	gw_error_clear(&error);
	gw_hostlist_expand("n[x]", 50, &names, &error);
	ck_assert_str_eq(error.text, "must be a list of nodes such as n[0-3,7],login1");
}
END_TEST

START_TEST(no_memory)
{
	for (unsigned int n = 1;; n++) {
		struct gw_strings names = {0};
		struct gw_error error = {0};
		int result;

		alloc_fail_at(n);
		result = gw_hostlist_expand("a[1-2]b[1-3],c", LIMIT, &names, &error);
		gw_strings_free(&names);
		if (!alloc_failed())
			break;
		ck_assert_int_eq(result, -1);
		ck_assert_str_eq(error.text, "out of memory");
	}
}
END_TEST

UNIT_MAIN("hostlist", UNIT_ROWS(expansion, lists); UNIT(errors_say_why); UNIT(no_memory))

// SPDX-License-Identifier: GPL-2.0-or-later
/* What every unit test begins with, and its main(). */
#ifndef GW_TESTS_UNIT_H
#define GW_TESTS_UNIT_H

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "alloc.h"

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

/* A case of tests, for UNIT_MAIN: UNIT(test) and UNIT_ROWS(test, table). */
#define UNIT(test)            tcase_add_test(tests, test)
#define UNIT_ROWS(test, rows) tcase_add_loop_test(tests, test, 0, COUNT(rows))

#define UNIT_MAIN(name, ...)                                                                       \
	int main(void)                                                                             \
	{                                                                                          \
		Suite *suite = suite_create(name);                                                 \
		TCase *tests = tcase_create(name);                                                 \
		SRunner *runner = srunner_create(suite);                                           \
		int failures;                                                                      \
                                                                                                   \
		suite_add_tcase(suite, tests);                                                     \
		__VA_ARGS__;                                                                       \
		srunner_run_all(runner, CK_ENV);                                                   \
		failures = srunner_ntests_failed(runner);                                          \
		srunner_free(runner);                                                              \
		return failures ? EXIT_FAILURE : EXIT_SUCCESS;                                     \
	}

#endif

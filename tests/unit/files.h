// SPDX-License-Identifier: GPL-2.0-or-later
/* Files that tests write. */
#ifndef GW_TESTS_FILES_H
#define GW_TESTS_FILES_H

#include <stdio.h>

#include "unit.h"

/* Fails the test when it can not be written. */
static inline void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

#endif

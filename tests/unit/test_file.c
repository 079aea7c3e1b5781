// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/util/file.h"
#include "unit.h"

static char directory[] = "test_file.XXXXXX";
static char path[64];

static void make_directory(void)
{
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/file", directory);
}

static void remove_directory(void)
{
	unlink(path);
	rmdir(directory);
}

START_TEST(replaced_whole)
{
	struct gw_error error = {0};
	struct stat st;
	char *text;

	ck_assert_int_eq(gw_file_replace(path, 0640, "one\n", 4, &error), 0);
	ck_assert_int_eq(gw_file_replace(path, 0600, "two\n", 4, &error), 0);
	ck_assert_int_eq(gw_file_source(NULL, path, &text, &error), 0);
	ck_assert_str_eq(text, "two\n");
	free(text);
	ck_assert_int_eq(stat(path, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0600);
}
END_TEST

START_TEST(what_is_no_text_is_refused)
{
	struct gw_error error = {0};
	char *text;

	ck_assert_int_eq(gw_file_read("no/such/file", &text, &error), -1);
	ck_assert_str_eq(error.text, "no/such/file: No such file or directory");
	ck_assert_int_eq(errno, ENOENT);
	gw_error_clear(&error);
	ck_assert_int_eq(gw_file_read(directory, &text, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "is not a regular file"));
	gw_error_clear(&error);
	ck_assert_int_eq(gw_file_replace(path, 0600, "a\0b", 3, &error), 0);
	ck_assert_int_eq(gw_file_read(path, &text, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "NUL"));
	gw_error_clear(&error);
	ck_assert_int_eq(truncate(path, (off_t)GW_FILE_LIMIT + 1), 0);
	ck_assert_int_eq(gw_file_read(path, &text, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "is larger than 16 MiB"));
}
END_TEST

/* A link or a pipe under the name that is written first leads nowhere else. */
START_TEST(what_was_planted_is_not_written_to)
{
	struct gw_error error = {0};
	char fresh[80], other[80], *text;

	snprintf(fresh, sizeof(fresh), "%s.new", path);
	snprintf(other, sizeof(other), "%s.other", path);
	ck_assert_int_eq(gw_file_replace(other, 0600, "other\n", 6, &error), 0);
	ck_assert_int_eq(symlink("file.other", fresh), 0);
	ck_assert_int_eq(gw_file_replace(path, 0600, "one\n", 4, &error), 0);
	ck_assert_int_eq(link(other, fresh), 0);
	ck_assert_int_eq(gw_file_keep(path, 0600, "two\n", 4, &error), 0);
	ck_assert_int_eq(mkfifo(fresh, 0600), 0);
	ck_assert_int_eq(gw_file_keep(path, 0600, "three\n", 6, &error), 0);
	ck_assert_int_eq(gw_file_read(other, &text, &error), 0);
	ck_assert_str_eq(text, "other\n");
	free(text);
	ck_assert_int_eq(gw_file_read(path, &text, &error), 0);
	ck_assert_str_eq(text, "three\n");
	free(text);
	ck_assert_int_eq(mkdir(fresh, 0700), 0);
	ck_assert_int_eq(gw_file_keep(path, 0600, "x", 1, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "file.new: "));
	rmdir(fresh);
	unlink(other);
}
END_TEST

START_TEST(what_can_not_be_written_is_said)
{
	struct gw_error error = {0};
	char lengthy[5000];

	ck_assert_int_eq(gw_file_replace("no/such/file", 0600, "x", 1, &error), -1);
	ck_assert_str_eq(error.text, "no/such/file.new: No such file or directory");
	gw_error_clear(&error);
	memset(lengthy, 'a', sizeof(lengthy));
	lengthy[sizeof(lengthy) - 1] = '\0';
	ck_assert_int_eq(gw_file_replace(lengthy, 0600, "x", 1, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "aaa"));
	gw_error_clear(&error);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(gw_file_replace(path, 0600, "x", 1, &error), -1);
	rmdir(path);
}
END_TEST

START_TEST(no_memory)
{
	struct gw_error error = {0};
	char *text;
	int result;

	ck_assert_int_eq(gw_file_replace(path, 0600, "x", 1, &error), 0);
	alloc_fail_at(1);
	result = gw_file_read(path, &text, &error);
	ck_assert(alloc_failed());
	ck_assert_int_eq(result, -1);
	ck_assert_str_eq(error.text, "out of memory");
}
END_TEST

UNIT_MAIN("file", tcase_add_checked_fixture(tests, make_directory, remove_directory);
	  UNIT(replaced_whole); UNIT(what_was_planted_is_not_written_to);
	  UNIT(what_is_no_text_is_refused); UNIT(what_can_not_be_written_is_said); UNIT(no_memory))

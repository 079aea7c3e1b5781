// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/conf_store.h"

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "src/core/decision.h"
#include "files.h"
#include "unit.h"

static char directory[64], path[96], included[96], kept[96];

static void set_up(void)
{
	strcpy(directory, "conf_store.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/gangway.conf", directory);
	snprintf(included, sizeof(included), "%s/more queues.conf", directory);
	snprintf(kept, sizeof(kept), "%s/kept", directory);
}

static void tear_down(void)
{
	unlink(path);
	unlink(included);
	unlink(kept);
	ck_assert_int_eq(rmdir(directory), 0);
}

#define MAIN "UsageHalfLife=1-0\nInclude \"more queues.conf\"\n"
#define MORE "HookErrorBudget=7\n"

START_TEST(what_was_good_is_kept_with_all_files)
{
	struct gw_error note = {{0}}, error = {{0}};
	struct gw_conf *conf = NULL, *again = NULL;
	uint64_t sum, kept_sum;

	set_up();
	write_file(path, MAIN);
	write_file(included, MORE);
	ck_assert_msg(!gw_conf_store_load(path, kept, &conf, &sum, &note, &error), "%s",
		      error.text);
	ck_assert_str_eq(note.text, "");
	ck_assert_uint_eq(sum, gw_decision_checksum(gw_decision_checksum(0, MAIN), MORE));
	write_file(path, "UsageHalfLife=0\n");
	unlink(included);
	ck_assert_msg(!gw_conf_store_load_kept(path, kept, &again, &kept_sum, &error), "%s",
		      error.text);
	ck_assert_uint_eq(again->hook_error_budget, 7);
	ck_assert_uint_eq(kept_sum, sum);
	gw_conf_free(conf);
	gw_conf_free(again);
	tear_down();
}
END_TEST

START_TEST(a_bad_file_leaves_what_is_kept)
{
	struct gw_error note = {{0}}, error = {{0}};
	struct gw_conf *conf = NULL, *bad = NULL;
	struct stat before, after;
	uint64_t sum;

	set_up();
	write_file(path, MORE "UsageHalfLife=1-0\n");
	ck_assert_int_eq(gw_conf_store_load(path, kept, &conf, &sum, &note, &error), 0);
	ck_assert_int_eq(stat(kept, &before), 0);
	write_file(path, "UsageHalfLife=0\n");
	ck_assert_int_eq(gw_conf_store_load(path, kept, &bad, &sum, &note, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "gangway.conf:1: UsageHalfLife=0"));
	ck_assert_ptr_null(bad);
	ck_assert_int_eq(stat(kept, &after), 0);
	ck_assert_int_eq(before.st_ino, after.st_ino);
	gw_conf_free(conf);
	tear_down();
}
END_TEST

static const struct {
	const char *text, *error;
} damaged[] = {
	{"", "is not a kept configuration of this version"},
	{"# last good gangway.conf, version 2\n", "is not a kept configuration of this version"},
	{"# last good gangway.conf, version 1\n", "it is not in"},
	{"# last good gangway.conf, version 1\ngarbage\n", "kept is damaged"},
	{"# last good gangway.conf, version 1\nx 99999\nUsageHalfLife=1-0\n", "kept is damaged"},
	{"# last good gangway.conf, version 1\n /x -5\n", "kept is damaged"},
};

START_TEST(damage_is_told)
{
	struct gw_error error = {{0}};
	struct gw_conf *conf = NULL;
	uint64_t sum;

	set_up();
	write_file(kept, damaged[_i].text);
	ck_assert_int_eq(gw_conf_store_load_kept(path, kept, &conf, &sum, &error), -1);
	ck_assert_msg(strstr(error.text, damaged[_i].error) != NULL, "%s", error.text);
	ck_assert_ptr_null(conf);
	tear_down();
}
END_TEST

UNIT_MAIN("conf_store", UNIT(what_was_good_is_kept_with_all_files),
	  UNIT(a_bad_file_leaves_what_is_kept), UNIT_ROWS(damage_is_told, damaged))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "off.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "check.h"

/* list without the items that are word or other, split by separator. */
static char *list_without(const char *list, char separator, const char *word, const char *other)
{
	const char separators[2] = {separator, '\0'};
	struct gw_str rest = {0};

	while (*list) {
		size_t length = strcspn(list, separators);
		bool drop = (strlen(word) == length && gw_same_n(list, word, length)) ||
			    (other && strlen(other) == length && gw_same_n(list, other, length));

		if (!drop) {
			gw_str_append_n(&rest, separators, rest.length ? 1 : 0);
			gw_str_append_n(&rest, list, length);
		}
		list += length + (list[length] == separator);
	}
	return gw_str_take(&rest);
}

/* Prints the change unless there is none. fresh is freed; NULL: memory ran out. */
static bool print_change(const struct gw_setting *setting, char *fresh)
{
	bool good = fresh != NULL;

	if (good && !*fresh)
		printf("  %s:%d: %s=%s  ->  delete the line\n", setting->file, setting->line,
		       setting->key, setting->value);
	else if (good && strcmp(fresh, setting->value) != 0)
		printf("  %s:%d: %s=%s  ->  %s=%s\n", setting->file, setting->line, setting->key,
		       setting->value, setting->key, fresh);
	free(fresh);
	return good;
}

static bool print_changes(const struct gw_slurm_conf *slurm, const char *plugin_dir)
{
	const struct gw_setting *dir = gw_slurm_setting(slurm, "PluginDir");
	const struct gw_setting *submit = gw_slurm_setting(slurm, "JobSubmitPlugins");
	const struct gw_setting *priority = gw_slurm_setting(slurm, "PriorityType");
	bool good = true;

	if (dir && plugin_dir)
		good = print_change(dir, list_without(dir->value, ':', plugin_dir, NULL));
	if (priority && gw_same(priority->value, "priority/gangway"))
		good = good && print_change(priority, gw_strdup("priority/multifactor"));
	if (submit)
		good = good && print_change(submit, list_without(submit->value, ',', "gangway",
								 "job_submit/gangway"));
	return good;
}

static void print_left(const char *path, const char *what)
{
	struct stat st;

	if (!stat(path, &st))
		printf("  %s (%s)\n", path, what);
}

int gw_off_print_lines(const struct gw_command *command, const struct gw_slurm_conf *slurm,
		       const struct gw_places *places)
{
	char *plugin_dir = gw_gangway_plugin_dir(slurm);
	bool good;

	printf("to leave Gangway out, change these lines of slurm.conf and restart slurmctld:\n");
	good = print_changes(slurm, plugin_dir);
	printf("what else is left, to delete if you do not want to come back:\n");
	print_left(places->own, "state");
	print_left(places->status, "status");
	print_left(places->conf, "configuration");
	free(plugin_dir);
	return good ? GW_EXIT_OK : gw_complain(command, "out of memory");
}

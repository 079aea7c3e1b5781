// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"

uint32_t gw_slurm_version_parse(const char *text)
{
	uint32_t version = 0;
	uint64_t number;
	size_t count = 0;

	for (const char *at = text;; at += strcspn(at, ".-") + 1) {
		size_t length = strcspn(at, ".-");
		char *digits = gw_strndup(at, length);

		if (!digits || gw_parse_count(digits, &number, NULL) || number > 255)
			count = 4;
		else
			version = (version << 8) | (uint32_t)number;
		free(digits);
		/* A packager's suffix, as in 22.05.8-4, is no part of it. */
		if (++count >= 3 || at[length] != '.')
			break;
	}
	return count == 3 ? version : 0;
}

const char *gw_slurm_version_text(uint32_t version, char text[GW_SLURM_VERSION_TEXT])
{
	snprintf(text, GW_SLURM_VERSION_TEXT, "%u.%02u.%u", (version >> 16) & 255,
		 (version >> 8) & 255, version & 255);
	return text;
}

/*
 * What slurmctld does with a plugin of another micro version, read in 22.05.8 and 24.11.5
 * (plugin_load_and_link, plugin_context_create): it goes on to the next entry of
 * PluginDir. A shadow is found there as stock's. The other two are found nowhere, which
 * is fatal.
 */
static const char *consequence(const char *name)
{
	if (!strcmp(name, "priority_gangway.so"))
		return "PriorityType=priority/gangway would stop slurmctld from starting";
	if (!strcmp(name, "job_submit_gangway.so"))
		return "JobSubmitPlugins=gangway would stop slurmctld from starting";
	return "stock loads in its place, silently";
}

static void check_version(const struct gw_check *check, const struct gw_plugin_file *file)
{
	char built[GW_SLURM_VERSION_TEXT], running[GW_SLURM_VERSION_TEXT];

	if (!file->loads)
		gw_findings_add(check->findings, GW_ERROR, check->plugin_dir, 0,
				"%s is skipped: built for %s, slurmctld is %s; %s", file->name,
				gw_slurm_version_text(file->version, built),
				gw_slurm_version_text(check->slurm_version, running),
				consequence(file->name));
}

static uint32_t plugin_version(const struct gw_check *check, const char *name)
{
	struct gw_str path = {0};
	const uint32_t *symbol = NULL;
	uint32_t version = 0;
	void *handle = NULL;

	gw_str_appendf(&path, "%s/%s", check->plugin_dir, name);
	if (!path.failed)
		handle = dlopen(gw_str_text(&path), RTLD_LAZY | RTLD_LOCAL);
	if (handle)
		symbol = dlsym(handle, "plugin_version");
	if (symbol)
		version = *symbol & 0xffffff;
	else
		gw_findings_add(check->findings, GW_ERROR, check->plugin_dir, 0,
				"%s can not be opened: %s; %s", name, dlerror(), consequence(name));
	if (handle)
		dlclose(handle);
	gw_str_free(&path);
	return version;
}

/* The engine that all plugins share is no plugin itself. */
static int is_plugin(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 3 && !strcmp(entry->d_name + length - 3, ".so") &&
	       strncmp(entry->d_name, "lib", 3) != 0;
}

static void add_file(const struct gw_check *check, struct gw_plugin_files *files, const char *name)
{
	struct gw_plugin_file *items = gw_array_room(files->item, files->count, sizeof(*items));
	struct gw_plugin_file *file;

	if (!items) {
		check->findings->failed = true;
		return;
	}
	files->item = items;
	file = &items[files->count];
	file->name = gw_strdup(name);
	if (!file->name) {
		check->findings->failed = true;
		return;
	}
	files->count++;
	file->version = plugin_version(check, name);
	if (!file->version)
		return;
	file->loads = file->version == check->slurm_version;
	check_version(check, file);
}

void gw_check_plugins(const struct gw_check *check, struct gw_plugin_files *files)
{
	struct dirent **entries;
	int count;

	if (!check->plugin_dir)
		return;
	count = scandir(check->plugin_dir, &entries, is_plugin, alphasort);
	if (count < 0) {
		gw_findings_add(check->findings, GW_ERROR, check->plugin_dir, 0,
				"can not be listed");
		return;
	}
	for (int i = 0; i < count; i++) {
		add_file(check, files, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
}

void gw_plugin_files_free(struct gw_plugin_files *files)
{
	for (size_t i = 0; i < files->count; i++)
		free(files->item[i].name);
	free(files->item);
	*files = (struct gw_plugin_files){0};
}

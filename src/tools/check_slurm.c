// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define FIRST_TOPOLOGY_HOOK GW_SLURM_VERSION(23, 11, 0)
#define FIRST_FLAT_TOPOLOGY GW_SLURM_VERSION(25, 5, 0)

static void find(const struct gw_check *check, enum gw_severity severity, const char *key,
		 const char *text)
{
	const struct gw_setting *setting = gw_slurm_setting(check->slurm, key);

	if (setting)
		gw_findings_add(check->findings, severity, setting->file, setting->line,
				"%s=%.200s: %s", key, setting->value, text);
	else
		gw_findings_add(check->findings, severity, check->slurm->files.item[0], 0,
				"%s is not set: %s", key, text);
}

/* What is refused when a subsystem enforces is only worth a word when it observes. */
static enum gw_severity severity_for(const struct gw_check *check, enum gw_subsystem subsystem)
{
	if (check->conf && gw_conf_mode(check->conf, subsystem) == GW_MODE_OBSERVE)
		return GW_WARNING;
	return GW_ERROR;
}

static bool has_file(const char *directory, size_t length, const char *name)
{
	struct gw_str path = {0};
	struct stat st;
	bool found;

	gw_str_append_n(&path, directory, length);
	gw_str_appendf(&path, "/%s", name);
	found = !path.failed && !stat(gw_str_text(&path), &st) && S_ISREG(st.st_mode);
	gw_str_free(&path);
	return found;
}

static bool is_directory(const char *directory, size_t length)
{
	char *path = gw_strndup(directory, length);
	struct stat st;
	bool found = path && !stat(path, &st) && S_ISDIR(st.st_mode);

	free(path);
	return found;
}

char *gw_gangway_plugin_dir(const struct gw_slurm_conf *slurm)
{
	const char *entry = gw_slurm_value(slurm, "PluginDir", "");

	while (*entry) {
		size_t length = strcspn(entry, ":");

		if (has_file(entry, length, "priority_gangway.so"))
			return gw_strndup(entry, length);
		entry += length + (entry[length] == ':');
	}
	return NULL;
}

static void check_entries(const struct gw_check *check, const char *list)
{
	for (const char *entry = list; *entry;) {
		size_t length = strcspn(entry, ":");
		struct gw_str text = {0};

		if (!is_directory(entry, length)) {
			gw_str_appendf(&text,
				       "%.*s is not a directory here; every entry must exist on "
				       "every host that reads slurm.conf",
				       (int)length, entry);
			find(check, GW_ERROR, "PluginDir", gw_str_text(&text));
		}
		gw_str_free(&text);
		entry += length + (entry[length] == ':');
	}
}

static bool stock_follows(const char *list, const char *own)
{
	const char *entry = list;
	bool passed = false;

	while (*entry) {
		size_t length = strcspn(entry, ":");

		if (passed && has_file(entry, length, "priority_multifactor.so"))
			return true;
		if (strlen(own) == length && !strncmp(entry, own, length))
			passed = true;
		entry += length + (entry[length] == ':');
	}
	return false;
}

static void check_plugin_dir(const struct gw_check *check)
{
	const char *list = gw_slurm_value(check->slurm, "PluginDir", "");
	const char *own = check->plugin_dir;

	check_entries(check, list);
	if (!own) {
		find(check, GW_ERROR, "PluginDir",
		     "no entry holds Gangway's plugins; put their directory first, then Slurm's "
		     "own");
		return;
	}
	if (strncmp(list, own, strlen(own)) != 0 ||
	    (list[strlen(own)] != ':' && list[strlen(own)] != '\0'))
		find(check, GW_ERROR, "PluginDir",
		     "Gangway's directory must be the first entry, or stock plugins load instead");
	if (!stock_follows(list, own))
		find(check, GW_ERROR, "PluginDir",
		     "Slurm's own plugin directory must follow Gangway's: its plugins forward to "
		     "it");
}

static void check_job_submit(const struct gw_check *check)
{
	const char *list = gw_slurm_value(check->slurm, "JobSubmitPlugins", "");
	const char *last = strrchr(list, ',');

	last = last ? last + 1 : list;
	if (!gw_list_has(list, "gangway") && !gw_list_has(list, "job_submit/gangway"))
		find(check, GW_ERROR, "JobSubmitPlugins", "must hold gangway, as the last one");
	else if (!gw_same(last, "gangway") && !gw_same(last, "job_submit/gangway"))
		find(check, GW_ERROR, "JobSubmitPlugins",
		     "gangway must be the last one, so that it sees what the others change");
}

static void check_types(const struct gw_check *check)
{
	/* The stock default became cons_tres in 24.05. */
	const char *select = check->slurm_version >= GW_SLURM_VERSION(24, 5, 0) ? "select/cons_tres"
										: "select/linear";

	if (!gw_same(gw_slurm_value(check->slurm, "SelectType", select), "select/cons_tres"))
		find(check, GW_ERROR, "SelectType", "must be select/cons_tres");
	if (!gw_same(gw_slurm_value(check->slurm, "PriorityType", ""), "priority/gangway"))
		find(check, GW_ERROR, "PriorityType", "must be priority/gangway");
}

static bool contains(const char *text, const char *word)
{
	for (; *text; text++)
		if (gw_same_n(text, word, strlen(word)))
			return true;
	return false;
}

static void check_enforcement(const struct gw_check *check)
{
	const char *enforce = gw_slurm_value(check->slurm, "AccountingStorageEnforce", "");
	bool all = gw_list_has(enforce, "all");
	bool limits = all || gw_list_has(enforce, "limits") || gw_list_has(enforce, "2") ||
		      gw_list_has(enforce, "safe");

	if (!limits || !(all || gw_list_has(enforce, "qos")))
		find(check, severity_for(check, GW_QUOTA), "AccountingStorageEnforce",
		     "must have limits,qos: without them no quota and no class is enforced "
		     "(refused in enforce)");
}

/* What Gangway does not work with, when the subsystem it breaks enforces. */
static void check_refused(const struct gw_check *check)
{
	const char *site = gw_slurm_value(check->slurm, "PrioritySiteFactorPlugin", "");

	check_enforcement(check);
	if (contains(gw_slurm_value(check->slurm, "SchedulerParameters", ""), "assoc_limit_stop"))
		find(check, severity_for(check, GW_QUOTA), "SchedulerParameters",
		     "assoc_limit_stop makes one job over quota stop all others (refused in "
		     "enforce)");
	if (contains(gw_slurm_value(check->slurm, "PriorityFlags", ""), "INCR_ONLY"))
		find(check, severity_for(check, GW_ORDER), "PriorityFlags",
		     "INCR_ONLY keeps a job's rank from falling (refused in enforce)");
	if (*site && !gw_same(site, "none") && !gw_same(site, "site_factor/none"))
		find(check, severity_for(check, GW_ORDER), "PrioritySiteFactorPlugin",
		     "Gangway uses the site factor itself (refused in enforce)");
	if (gw_slurm_setting(check->slurm, "FederationParameters"))
		find(check, severity_for(check, GW_ROUTING), "FederationParameters",
		     "a federation of clusters is not supported (refused in enforce)");
}

/* Slurm knows of no GRES that is not in GresTypes, whatever else is said of it. */
static void check_gres_types(const struct gw_check *check)
{
	const struct gw_slurm_conf *slurm = check->slurm;
	bool have_gpus = false;

	for (size_t i = 0; i < slurm->line_count; i++) {
		const struct gw_pair *first = &slurm->line[i].record.pair[0];
		const char *gres = gw_slurm_line_value(slurm, i, "Gres");

		have_gpus = have_gpus ||
			    (gw_same(first->key, "NodeName") && gres && gw_gres_count(gres, "gpu"));
	}
	if (have_gpus && !gw_list_has(gw_slurm_value(slurm, "GresTypes", ""), "gpu"))
		find(check, GW_ERROR, "GresTypes",
		     "must hold gpu, or Slurm leaves out Gres=gpu of nodes, and gres.conf");
}

void gw_check_slurm(const struct gw_check *check)
{
	check_plugin_dir(check);
	check_types(check);
	check_job_submit(check);
	check_gres_types(check);
	check_refused(check);
}

/* Why there is none: what the plugins here were built for need not be what is asked about. */
static void find_no_shadow(const struct gw_check *check, const struct gw_plugin_files *files,
			   const char *value)
{
	char built[GW_SLURM_VERSION_TEXT], running[GW_SLURM_VERSION_TEXT];
	struct gw_str text = {0};

	for (size_t i = 0; !text.length && i < files->count; i++)
		if (files->item[i].version && files->item[i].version < FIRST_TOPOLOGY_HOOK)
			gw_str_appendf(
				&text,
				"the plugins here are for Slurm %s and have no shadow of it: "
				"build Gangway for %s",
				gw_slurm_version_text(files->item[i].version, built),
				gw_slurm_version_text(check->slurm_version, running));
	if (!text.length && gw_list_has("topology/tree,topology/block,topology/default", value))
		gw_str_append(&text, "its shadow is missing in Gangway's plugin directory: "
				     "placement would be stock's");
	if (!text.length)
		gw_str_append(&text, "Gangway has no shadow of this plugin: placement would be "
				     "stock's; use topology/tree, topology/block or "
				     "topology/default");
	find(check, GW_ERROR, "TopologyPlugin", gw_str_text(&text));
	gw_str_free(&text);
}

/* Before 23.11 topology plugins take no part in placement and are not shadowed. */
void gw_check_topology(const struct gw_check *check, const struct gw_plugin_files *files)
{
	const char *name =
		check->slurm_version >= FIRST_FLAT_TOPOLOGY ? "topology/flat" : "topology/default";
	const char *value = gw_slurm_value(check->slurm, "TopologyPlugin", name);
	struct gw_str file = {0};

	if (check->slurm_version < FIRST_TOPOLOGY_HOOK || !check->plugin_dir)
		return;
	if (gw_same(value, "topology/none"))
		value = name;
	gw_str_appendf(&file, "topology_%s.so",
		       gw_same_n(value, "topology/", 9) ? value + 9 : value);
	if (!file.failed &&
	    !has_file(check->plugin_dir, strlen(check->plugin_dir), gw_str_text(&file)))
		find_no_shadow(check, files, value);
	gw_str_free(&file);
}

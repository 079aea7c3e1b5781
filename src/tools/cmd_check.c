// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway check: what is wrong, found offline, before slurmctld finds it. */
#include "commands.h"

#include <inttypes.h>
#include <slurm/slurm_version.h>
#include <stdlib.h>
#include <string.h>

#include "../util/file.h"
#include "check.h"
#include "model_file.h"

struct request {
	const char *conf, *slurm_conf, *gres_conf, *version;
	struct gw_output output;
};

/* What is told even when nothing is wrong with it. */
struct checked {
	struct gw_plugin_files files;
	struct gw_checked_shapes shapes;
};

static void check_conf(struct gw_check *check, struct gw_conf **conf)
{
	struct gw_conf_source source = {.read = gw_file_source};
	struct gw_error error = {0};

	if (gw_conf_load(&source, check->conf_path, conf, &error)) {
		gw_findings_add_error(check->findings, check->conf_path, error.text);
		return;
	}
	check->conf = *conf;
	for (size_t i = 0; i < (*conf)->warning_count; i++) {
		const struct gw_warning *warning = &(*conf)->warnings[i];

		gw_findings_add(check->findings, GW_WARNING, warning->where.file,
				warning->where.line, "%s", warning->text);
	}
}

/* What a replay of the site would not take. */
static void check_model(const struct gw_check *check)
{
	struct gw_error error = {0};

	if (gw_model_check(check->slurm, check->findings, &error))
		check->findings->failed = true;
}

static void print_plugins(const struct gw_plugin_files *files, uint32_t slurm_version)
{
	char built[GW_SLURM_VERSION_TEXT], running[GW_SLURM_VERSION_TEXT];

	for (size_t i = 0; i < files->count; i++) {
		const struct gw_plugin_file *file = &files->item[i];

		if (!file->version)
			printf("%s: can not be opened\n", file->name);
		else if (file->loads)
			printf("%s: loads (built for %s)\n", file->name,
			       gw_slurm_version_text(file->version, built));
		else
			printf("%s: is skipped: built for %s, slurmctld is %s\n", file->name,
			       gw_slurm_version_text(file->version, built),
			       gw_slurm_version_text(slurm_version, running));
	}
}

static json_t *plugins_json(const struct gw_plugin_files *files)
{
	json_t *array = json_array();
	char built[GW_SLURM_VERSION_TEXT];

	for (size_t i = 0; i < files->count; i++) {
		const struct gw_plugin_file *file = &files->item[i];

		json_array_append_new(array,
				      json_pack("{s:s, s:s, s:b}", "name", file->name, "built_for",
						gw_slurm_version_text(file->version, built),
						"loads", file->loads));
	}
	return array;
}

static void print_shapes(const struct gw_checked_shapes *shapes)
{
	for (size_t i = 0; i < shapes->count; i++) {
		const struct gw_checked_shape *shape = &shapes->item[i];

		printf("ShapeName=%s: ", shape->shape->name);
		if (shape->gpus)
			printf("%" PRIu32 " GPUs and %" PRIu32 " cores, ", shape->gpus,
			       shape->cores);
		printf("%zu node%s: %s%s\n", shape->shape->node.count,
		       shape->shape->node.count == 1 ? "" : "s", shape->shape->nodes,
		       shape->gpus ? "" : " (by gres.conf: its file can not be read)");
	}
}

static json_t *shapes_json(const struct gw_checked_shapes *shapes)
{
	json_t *array = json_array();

	for (size_t i = 0; i < shapes->count; i++) {
		const struct gw_checked_shape *shape = &shapes->item[i];

		json_array_append_new(array,
				      json_pack("{s:s, s:s, s:s, s:b, s:I, s:I}", "name",
						shape->shape->name, "nodes", shape->shape->nodes,
						"file", shape->shape->hwloc, "read",
						shape->gpus > 0, "gpus", (json_int_t)shape->gpus,
						"cores", (json_int_t)shape->cores));
	}
	return array;
}

static void print_summary(const struct gw_check *check, size_t errors, size_t warnings,
			  const char *version)
{
	printf("%zu error%s, %zu warning%s in %s", errors, errors == 1 ? "" : "s", warnings,
	       warnings == 1 ? "" : "s", check->conf_path);
	if (check->has_slurm)
		printf(" and %s (Slurm %s)", check->slurm->files.item[0], version);
	putchar('\n');
}

static int report(const struct gw_command *command, const struct request *request,
		  const struct gw_check *check, const struct checked *checked)
{
	size_t errors = gw_findings_of(check->findings, GW_ERROR);
	size_t warnings = gw_findings_of(check->findings, GW_WARNING);
	char version[GW_SLURM_VERSION_TEXT];
	int code = errors || warnings ? GW_EXIT_FINDINGS : GW_EXIT_OK;

	gw_slurm_version_text(check->slurm_version, version);
	if (check->findings->failed)
		return gw_complain(command, "out of memory");
	if (request->output.json) {
		json_t *root = json_pack(
			"{s:s, s:s, s:I, s:I, s:o, s:o, s:o}", "conf", check->conf_path, "slurm",
			version, "errors", (json_int_t)errors, "warnings", (json_int_t)warnings,
			"findings", gw_findings_json(check->findings), "plugins",
			plugins_json(&checked->files), "shapes", shapes_json(&checked->shapes));

		return gw_json_print(root, stdout) ? GW_EXIT_ERROR : code;
	}
	if (!request->output.parsable) {
		print_plugins(&checked->files, check->slurm_version);
		print_shapes(&checked->shapes);
	}
	gw_findings_print(check->findings, &request->output);
	if (!request->output.parsable)
		print_summary(check, errors, warnings, version);
	return code;
}

/* Without slurm.conf a gangway.conf that was named can still be checked by itself. */
static int run_checks(const struct gw_command *command, const struct request *request,
		      struct gw_check *check, struct gw_slurm_conf *slurm)
{
	const char *path = gw_slurm_conf_path(request->slurm_conf);
	struct checked checked = {0};
	struct gw_conf *conf = NULL;
	struct gw_error error = {0};
	char *conf_path = gw_conf_path(path, request->conf);
	int code = GW_EXIT_ERROR;

	if (!conf_path)
		return gw_complain(command, "out of memory");
	check->conf_path = conf_path;
	check->has_slurm = !gw_slurm_conf_read(path, slurm, check->findings, &error);
	if (!check->has_slurm && (request->slurm_conf || !request->conf)) {
		gw_complain(command, "%s", error.text);
	} else {
		check_model(check);
		check_conf(check, &conf);
		gw_check_conf(check);
		gw_check_shapes(check, &checked.shapes);
		if (!check->has_slurm) {
			fprintf(stderr, "gangway check: %s: only gangway.conf is checked\n",
				error.text);
		} else {
			check->plugin_dir = gw_gangway_plugin_dir(slurm);
			gw_check_slurm(check);
			gw_check_backfill(check);
			gw_check_gpus(check);
			gw_check_gres(check, request->gres_conf);
			gw_check_plugins(check, &checked.files);
			gw_check_topology(check, &checked.files);
		}
		code = report(command, request, check, &checked);
	}
	gw_plugin_files_free(&checked.files);
	free(checked.shapes.item);
	gw_conf_free(conf);
	free(check->plugin_dir);
	free(conf_path);
	return code;
}

/* "slurm-wlm 22.05.8", as slurmctld says it; where there is none, what we were built with. */
static uint32_t installed_version(void)
{
	FILE *pipe = popen("PATH=\"$PATH:/usr/sbin:/sbin\" slurmctld -V 2>/dev/null", "r");
	char line[128] = "", *space;
	uint32_t version = 0;

	if (!pipe)
		return SLURM_VERSION_NUMBER & 0xffffff;
	if (fgets(line, sizeof(line), pipe)) {
		line[strcspn(line, "\n")] = '\0';
		space = strrchr(line, ' ');
		version = space ? gw_slurm_version_parse(space + 1) : 0;
	}
	pclose(pipe);
	return version ? version : SLURM_VERSION_NUMBER & 0xffffff;
}

int gw_cmd_check(const struct gw_command *command, int argc, char **argv)
{
	struct request request = {0};
	const struct gw_option options[] = {
		{.name = "conf",
		 .value_name = "FILE",
		 .value = &request.conf,
		 .help = "gangway.conf (default: beside slurm.conf)"},
		{.name = "slurm-conf",
		 .value_name = "FILE",
		 .value = &request.slurm_conf,
		 .help = "slurm.conf (default: SLURM_CONF, else " GW_SLURM_CONF_DEFAULT ")"},
		{.name = "gres-conf",
		 .value_name = "FILE",
		 .value = &request.gres_conf,
		 .help = "gres.conf (default: beside slurm.conf)"},
		{.name = "slurm",
		 .value_name = "VERSION",
		 .value = &request.version,
		 .help = "slurmctld that would load the plugins (default: the one here)"},
		{0},
	};
	struct gw_findings findings = {0};
	struct gw_slurm_conf slurm = {0};
	struct gw_check check = {.slurm = &slurm, .findings = &findings};
	int code;

	if (!gw_options_read(command, options, &request.output, argc, argv, &code))
		return code;
	check.slurm_version =
		request.version ? gw_slurm_version_parse(request.version) : installed_version();
	if (!check.slurm_version) {
		gw_complain(command, "--slurm %s: must be a version such as 22.05.8",
			    request.version);
		return GW_EXIT_USAGE;
	}
	code = run_checks(command, &request, &check, &slurm);
	gw_slurm_conf_free(&slurm);
	gw_findings_free(&findings);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "slurm_conf.h"

#include <stdlib.h>
#include <string.h>

#include "../util/file.h"
#include "../util/hostlist.h"

#define INCLUDE_DEPTH_MAX 8

struct reading {
	struct gw_slurm_conf *conf;
	struct gw_findings *findings;
	int depth;
};

static void read_text(struct reading *reading, const char *text, const char *file);

static void find(const struct reading *reading, const char *file, int line, const char *text)
{
	if (reading->findings)
		gw_findings_add(reading->findings, GW_ERROR, file, line, "%s", text);
}

static void out_of_memory(const struct reading *reading)
{
	if (reading->findings)
		reading->findings->failed = true;
}

/* dir of file + path; freed by the caller. */
static char *beside(const char *file, const char *path)
{
	const char *slash = strrchr(file, '/');
	struct gw_str str = {0};

	if (path[0] != '/' && slash)
		gw_str_append_n(&str, file, (size_t)(slash - file) + 1);
	gw_str_append(&str, path);
	return gw_str_take(&str);
}

static int read_file(struct reading *reading, const char *path, struct gw_error *error)
{
	struct gw_strings *files = &reading->conf->files;
	char *text;

	if (gw_file_read(path, &text, error))
		return -1;
	if (gw_strings_add(files, path, strlen(path)))
		out_of_memory(reading);
	else
		read_text(reading, text, files->item[files->count - 1]);
	free(text);
	return 0;
}

/* Slurm takes relative paths from the directory of slurm.conf itself. */
static void read_include(struct reading *reading, const struct gw_pair *pair, const char *file)
{
	char *path = beside(reading->conf->files.item[0], pair->value);
	struct gw_error error = {0};

	if (!path) {
		out_of_memory(reading);
		return;
	}
	if (reading->depth == INCLUDE_DEPTH_MAX) {
		find(reading, file, pair->line, "Include: too many files deep");
	} else {
		reading->depth++;
		if (read_file(reading, path, &error))
			find(reading, file, pair->line, error.text);
		reading->depth--;
	}
	free(path);
}

/* Moves the texts out of the pair. */
static void add_setting(struct reading *reading, struct gw_pair *pair, const char *file)
{
	struct gw_slurm_conf *conf = reading->conf;
	struct gw_setting *settings =
		gw_array_room(conf->setting, conf->setting_count, sizeof(*settings));

	if (!settings) {
		out_of_memory(reading);
		return;
	}
	conf->setting = settings;
	settings[conf->setting_count++] = (struct gw_setting){
		.key = pair->key, .value = pair->value, .file = file, .line = pair->line};
	pair->key = pair->value = NULL;
}

/* For a line of this kind that comes last. Lines of a kind mostly stand together. */
static size_t find_defaults(const struct gw_slurm_conf *conf, const char *kind)
{
	for (size_t i = conf->line_count; i-- > 0;) {
		const struct gw_pair *first = &conf->line[i].record.pair[0];

		if (gw_same(first->key, kind))
			return gw_same(first->value, "DEFAULT") ? i + 1 : conf->line[i].defaults;
	}
	return 0;
}

static void add_line(struct reading *reading, struct gw_record *record, const char *file)
{
	struct gw_slurm_conf *conf = reading->conf;
	struct gw_slurm_line *lines = gw_array_room(conf->line, conf->line_count, sizeof(*lines));

	if (!lines) {
		out_of_memory(reading);
		return;
	}
	conf->line = lines;
	lines[conf->line_count] =
		(struct gw_slurm_line){.record = *record,
				       .file = file,
				       .defaults = find_defaults(conf, record->pair[0].key)};
	conf->line_count++;
	*record = (struct gw_record){0};
}

static bool begins_line(const char *key)
{
	static const char *const keys[] = {"NodeName",   "PartitionName", "NodeSet",
					   "DownNodes",  "FrontendName",  "Name",
					   "SwitchName", "BlockName"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (gw_same(key, keys[i]))
			return true;
	return false;
}

static void read_record(struct reading *reading, struct gw_record *record, const char *file)
{
	if (gw_same(record->pair[0].key, "Include")) {
		read_include(reading, &record->pair[0], file);
	} else if (begins_line(record->pair[0].key)) {
		add_line(reading, record, file);
	} else {
		for (size_t i = 0; i < record->count; i++)
			add_setting(reading, &record->pair[i], file);
	}
}

static void read_text(struct reading *reading, const char *text, const char *file)
{
	struct gw_record_reader reader;
	struct gw_record record;
	struct gw_error error = {0};
	int more;

	gw_record_reader_init(&reader, text);
	while ((more = gw_record_next(&reader, &record, &error)) != 0) {
		if (more < 0)
			find(reading, file, reader.error_line, error.text);
		else
			read_record(reading, &record, file);
		gw_error_clear(&error);
		gw_record_free(&record);
	}
}

int gw_slurm_conf_read(const char *path, struct gw_slurm_conf *conf, struct gw_findings *findings,
		       struct gw_error *error)
{
	struct reading reading = {.conf = conf, .findings = findings};

	*conf = (struct gw_slurm_conf){0};
	return read_file(&reading, path, error);
}

void gw_slurm_conf_free(struct gw_slurm_conf *conf)
{
	for (size_t i = 0; i < conf->setting_count; i++) {
		free(conf->setting[i].key);
		free(conf->setting[i].value);
	}
	for (size_t i = 0; i < conf->line_count; i++)
		gw_record_free(&conf->line[i].record);
	free(conf->setting);
	free(conf->line);
	gw_strings_free(&conf->files);
	*conf = (struct gw_slurm_conf){0};
}

const struct gw_setting *gw_slurm_setting(const struct gw_slurm_conf *conf, const char *key)
{
	for (size_t i = conf->setting_count; i-- > 0;)
		if (gw_same(conf->setting[i].key, key))
			return &conf->setting[i];
	return NULL;
}

const char *gw_slurm_value(const struct gw_slurm_conf *conf, const char *key, const char *missing)
{
	const struct gw_setting *setting = gw_slurm_setting(conf, key);

	return setting ? setting->value : missing;
}

const char *gw_slurm_line_value(const struct gw_slurm_conf *conf, size_t at, const char *key)
{
	const struct gw_slurm_line *line = &conf->line[at];
	const char *value = gw_record_value(&line->record, key);

	while (!value && line->defaults) {
		line = &conf->line[line->defaults - 1];
		value = gw_record_value(&line->record, key);
	}
	return value;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static int add_nodes(const struct gw_pair *pair, struct gw_strings *known)
{
	struct gw_strings names = {0};
	int failed = gw_hostlist_expand(pair->value, GW_HOSTLIST_MAX, &names, NULL);

	for (size_t i = 0; !failed && i < names.count; i++)
		failed = gw_strings_add(known, names.item[i], strlen(names.item[i]));
	gw_strings_free(&names);
	return failed;
}

bool gw_slurm_nodes(const struct gw_slurm_conf *conf, struct gw_strings *known)
{
	for (size_t i = 0; i < conf->line_count; i++) {
		const struct gw_pair *pair = &conf->line[i].record.pair[0];

		if (!gw_same(pair->key, "NodeName") || gw_same(pair->value, "DEFAULT") ||
		    !add_nodes(pair, known))
			continue;
		gw_strings_free(known);
		return false;
	}
	if (known->count)
		qsort(known->item, known->count, sizeof(*known->item), compare_names);
	return true;
}

bool gw_slurm_missing(const struct gw_strings *known, const struct gw_strings *names,
		      struct gw_str *text)
{
	const char *first = NULL;
	size_t missing = 0;

	for (size_t i = 0; i < names->count; i++) {
		if (known->count && bsearch(&names->item[i], known->item, known->count,
					    sizeof(*known->item), compare_names))
			continue;
		first = first ? first : names->item[i];
		missing++;
	}
	if (missing)
		gw_str_appendf(text,
			       "%zu of these nodes %s no NodeName line in slurm.conf, the first "
			       "%.64s",
			       missing, missing == 1 ? "has" : "have", first);
	return missing > 0;
}

bool gw_list_has(const char *list, const char *word)
{
	size_t length = strlen(word);

	while (*list) {
		size_t item = strcspn(list, ",");

		if (item == length && gw_same_n(list, word, length))
			return true;
		list += item + (list[item] == ',');
	}
	return false;
}

const char *gw_slurm_conf_path(const char *given)
{
	const char *path = given ? given : getenv("SLURM_CONF");

	return path && *path ? path : GW_SLURM_CONF_DEFAULT;
}

char *gw_slurm_beside(const char *slurm_conf, const char *given, const char *name)
{
	return given ? gw_strdup(given) : beside(slurm_conf, name);
}

char *gw_conf_path(const char *slurm_conf, const char *given)
{
	return gw_slurm_beside(slurm_conf, given, "gangway.conf");
}

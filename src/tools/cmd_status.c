// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway status: what the plugins in slurmctld say of themselves. */
#include "commands.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "../util/parse.h"
#include "site.h"

/* One table: the records that begin with one key. */
struct section {
	const char *title;
	const char *json_name;
	const char *const *columns; /* keys of the records; the first begins them */
};

static const char *const plugin_columns[] = {"Plugin", "State", NULL};
static const char *const subsystem_columns[] = {"Subsystem", "Mode", "State", NULL};
static const char *const hook_columns[] = {"Hook",     "Subsystem",   "Calls",       "Errors",
					   "Trips",    "OwnMeanUs",   "OwnMedianUs", "OwnP999Us",
					   "OwnMaxUs", "StockMeanUs", "Verified",    "Mismatches",
					   "Withheld", "LastError",   NULL};

static const char *const shape_columns[] = {"Shape", "State", "Nodes", "File", NULL};

static const struct section sections[] = {
	{"plugins", "plugins", plugin_columns},
	{"subsystems", "subsystems", subsystem_columns},
	{"hooks", "hooks", hook_columns},
	{"shapes", "shapes", shape_columns},
};

#define SECTION_COUNT (sizeof(sections) / sizeof(sections[0]))

static uint64_t number(const struct gw_record *record, const char *key)
{
	uint64_t value = 0;

	gw_parse_count(gw_record_text(record, key), &value, NULL);
	return value;
}

/* Microseconds a call, from nanoseconds in all. */
static double mean_us(const struct gw_record *record, const char *total)
{
	uint64_t calls = number(record, "Calls");

	return calls ? (double)number(record, total) / (double)calls / 1000 : 0;
}

static void add_cell(struct gw_table *table, const struct gw_record *record, const char *column)
{
	if (!strcmp(column, "OwnMeanUs"))
		gw_table_cellf(table, "%.1f", mean_us(record, "OwnTotalNs"));
	else if (!strcmp(column, "StockMeanUs"))
		gw_table_cellf(table, "%.1f", mean_us(record, "StockTotalNs"));
	else if (!strcmp(column, "OwnMedianUs"))
		gw_table_cellf(table, "%.1f", (double)number(record, "OwnMedianNs") / 1000);
	else if (!strcmp(column, "OwnP999Us"))
		gw_table_cellf(table, "%.1f", (double)number(record, "OwnP999Ns") / 1000);
	else if (!strcmp(column, "OwnMaxUs"))
		gw_table_cellf(table, "%.1f", (double)number(record, "OwnMaxNs") / 1000);
	else
		gw_table_cell(table, gw_record_text(record, column));
}

static void print_section(const struct gw_status *status, const struct section *section,
			  const struct gw_output *output)
{
	struct gw_table table = {.columns = section->columns};

	for (size_t i = 1; i < status->count; i++)
		if (gw_same(status->record[i].pair[0].key, section->columns[0]))
			for (const char *const *column = section->columns; *column; column++)
				add_cell(&table, &status->record[i], *column);
	/* There may be no shapes, and none in the file of an older engine. */
	if (table.cells.count) {
		putchar('\n');
		gw_table_print(&table, output, stdout);
	}
	gw_table_free(&table);
}

/* What an admin must see and might not look for. */
static void note(struct gw_table *notes, const char *text, const char *detail)
{
	gw_table_cellf(notes, "%s%s", text, detail);
}

static void note_config(struct gw_table *notes, const struct gw_record *head)
{
	const char *state = gw_record_text(head, "ConfigState");
	const char *error = gw_record_text(head, "ConfigError");

	if (gw_same(state, "kept"))
		note(notes, "gangway.conf is bad, the last good one is in force: ", error);
	else if (gw_same(state, "none"))
		note(notes, "no gangway.conf is in force, every hook is stock: ", error);
	if (gw_same(gw_record_text(head, "Off"), "yes"))
		note(notes, "Gangway is off, every hook is stock: gangway off --undo turns it on",
		     "");
}

static void note_record(struct gw_table *notes, const struct gw_record *record)
{
	const char *kind = record->pair[0].key, *name = record->pair[0].value;
	const char *state = gw_record_text(record, "State");
	const char *problem = gw_record_text(record, "Problem");

	if (*problem)
		gw_table_cellf(notes, "%s: %s", name, problem);
	if (gw_same(kind, "Plugin") && gw_same(state, "absent"))
		note(notes, name,
		     " of Gangway is not loaded: Slurm's own loaded in its place, or slurm.conf "
		     "does not name it (see gangway check)");
	if (gw_same(kind, "Plugin") && gw_same(state, "stock"))
		note(notes, name, " is Slurm's own");
	if (gw_same(kind, "Subsystem") && gw_same(state, "tripped"))
		note(notes, name,
		     " tripped: it is stock until scontrol reconfigure (see LastError of its "
		     "hook)");
	if (gw_same(kind, "Shape") && gw_same(state, "kept"))
		gw_table_cellf(notes,
			       "the file of shape %s is bad, the one read before is used: %s", name,
			       gw_record_text(record, "File"));
	if (gw_same(kind, "Shape") && gw_same(state, "bad"))
		gw_table_cellf(notes, "the file of shape %s is bad, gres.conf is used: %s", name,
			       gw_record_text(record, "File"));
	if (number(record, "Mismatches"))
		note(notes, name, ": Verify found two answers to one question");
}

static void note_age(struct gw_table *notes, const struct gw_status *status, int64_t now)
{
	struct gw_str age = {0};

	gw_str_append_time(&age, now > status->written ? now - status->written : 0);
	if (!status->alive)
		gw_table_cellf(notes,
			       "slurmctld (pid %" PRId64 ") does not run on this host; this "
			       "was written %s ago",
			       status->pid, gw_str_text(&age));
	else if (!status->fresh)
		gw_table_cellf(notes,
			       "this is stale, written %s ago: Gangway's thread in slurmctld "
			       "(pid %" PRId64 ") does not write",
			       gw_str_text(&age), status->pid);
	gw_str_free(&age);
}

static void collect_notes(struct gw_table *notes, const struct gw_status *status, int64_t now)
{
	note_age(notes, status, now);
	note_config(notes, status->record);
	for (size_t i = 1; i < status->count; i++)
		note_record(notes, &status->record[i]);
}

static json_t *json_of_record(const struct gw_record *record)
{
	json_t *object = json_object();

	for (size_t i = 0; i < record->count; i++) {
		const char *value = record->pair[i].value;
		uint64_t count;
		json_t *item = gw_parse_count(value, &count, NULL)
				       ? json_string(value)
				       : json_integer((json_int_t)count);

		json_object_set_new(object, record->pair[i].key, item);
	}
	return object;
}

static json_t *json_of_section(const struct gw_status *status, const struct section *section)
{
	json_t *array = json_array();

	for (size_t i = 1; i < status->count; i++)
		if (gw_same(status->record[i].pair[0].key, section->columns[0]))
			json_array_append_new(array, json_of_record(&status->record[i]));
	return array;
}

static int print_json(const struct gw_status *status, const struct gw_table *notes)
{
	json_t *root = json_object(), *texts = json_array();

	json_object_set_new(root, "engine", json_of_record(status->record));
	json_object_set_new(root, "running", json_boolean(status->alive));
	json_object_set_new(root, "fresh", json_boolean(status->fresh));
	for (size_t i = 0; i < SECTION_COUNT; i++)
		json_object_set_new(root, sections[i].json_name,
				    json_of_section(status, &sections[i]));
	for (size_t i = 0; i < notes->cells.count; i++)
		json_array_append_new(texts, json_string(notes->cells.item[i]));
	json_object_set_new(root, "notes", texts);
	return gw_json_print(root, stdout);
}

static void print_head(const struct gw_record *head, int64_t now)
{
	int64_t running = now - (int64_t)number(head, "Started");
	struct gw_str since = {0};

	gw_str_append_time(&since, running > 0 ? running : 0);
	printf("gangway %s for Slurm %s, in slurmctld (pid %s) for %s, mode %s\n",
	       gw_record_text(head, "Version"), gw_record_text(head, "Slurm"),
	       gw_record_text(head, "Pid"), gw_str_text(&since), gw_record_text(head, "Mode"));
	printf("configuration %s (%s)\n", gw_record_text(head, "Config"),
	       gw_record_text(head, "ConfigState"));
	gw_str_free(&since);
}

static void print_tables(const struct gw_status *status, const struct gw_table *notes,
			 const struct gw_output *output, int64_t now)
{
	FILE *file = output->parsable ? stderr : stdout;

	if (!output->parsable)
		print_head(status->record, now);
	for (size_t i = 0; i < notes->cells.count; i++)
		fprintf(file, "! %s\n", notes->cells.item[i]);
	for (size_t i = 0; i < SECTION_COUNT; i++)
		print_section(status, &sections[i], output);
}

static int show(const struct gw_command *command, const struct gw_places *places,
		const struct gw_output *output)
{
	static const char *const note_columns[] = {"Note", NULL};
	struct gw_table notes = {.columns = note_columns};
	struct gw_error error = {0};
	struct gw_status status;
	int64_t now = (int64_t)time(NULL);
	int code = GW_EXIT_OK;

	if (gw_status_read(places->status, now, &status, &error))
		return gw_complain(command,
				   "%s (slurmctld with Gangway has not run here, or you may not "
				   "read its state)",
				   error.text);
	collect_notes(&notes, &status, now);
	if (notes.failed)
		code = gw_complain(command, "out of memory");
	else if (output->json)
		code = print_json(&status, &notes);
	else
		print_tables(&status, &notes, output, now);
	if (code == GW_EXIT_OK && !status.alive)
		code = GW_EXIT_ERROR;
	else if (code == GW_EXIT_OK && notes.cells.count)
		code = GW_EXIT_FINDINGS;
	gw_table_free(&notes);
	gw_status_free(&status);
	return code;
}

int gw_cmd_status(const struct gw_command *command, int argc, char **argv)
{
	struct gw_site_paths paths = {0};
	struct gw_output output = {0};
	const struct gw_option options[] = {GW_CONF_OPTIONS(paths), {0}};
	struct gw_site site;
	int code;

	if (!gw_options_read(command, options, &output, argc, argv, &code))
		return code;
	code = gw_site_find(command, &paths, &site);
	if (!code)
		code = show(command, &site.places, &output);
	gw_site_close(&site);
	return code;
}

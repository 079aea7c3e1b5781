// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway repeat: makes recorded decisions again and compares. */
#include "commands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../core/decision.h"
#include "../util/file.h"
#include "site.h"

static const char *const columns[] = {"Number", "Kind",  "Job",  "At",
				      "Result", "Bytes", "Text", NULL};

#define TEXT_COLUMNS "Kind,At,Result,Bytes,Text"

/* The configuration that decisions are repeated with, and how it went. */
struct repeat {
	const struct gw_conf *conf; /* NULL: placement alone can be repeated */
	uint64_t conf_sum;
	struct gw_table table;
	unsigned int decisions, different, failed;
};

/* As the engine sums it: every file of the configuration, in the order read. */
static int sum_conf(const struct gw_conf *conf, uint64_t *sum, struct gw_error *error)
{
	*sum = 0;
	for (size_t i = 0; i < conf->files.count; i++) {
		char *text;

		if (gw_file_read(conf->files.item[i], &text, error))
			return -1;
		*sum = gw_decision_checksum(*sum, text);
		free(text);
	}
	return 0;
}

/* Past empty lines and comments, which belong to no decision. */
static const char *skip_to_record(const char *text)
{
	for (;;) {
		const char *at = text;

		while (*at && *at != '\n' && gw_is_space(*at))
			at++;
		if (*at != '#' && *at != '\n')
			return text;
		at += strcspn(at, "\n");
		text = *at ? at + 1 : at;
	}
}

/* Whether writing what was read gives the same bytes: else something was not understood. */
static bool same_bytes(const struct gw_decision *decision, const char *from, const char *to)
{
	struct gw_str text = {0};
	const char *begin = skip_to_record(from);
	size_t length = to > begin ? (size_t)(to - begin) : 0;
	bool same = !gw_decision_write(decision, &text, NULL) && text.length == length &&
		    !memcmp(gw_str_text(&text), begin, length);

	gw_str_free(&text);
	return same;
}

static void add_row(struct repeat *repeat, const struct gw_decision *decision, const char *result,
		    bool bytes, const char *text)
{
	struct gw_table *table = &repeat->table;
	char date[GW_DATE_SIZE];

	gw_table_cellf(table, "%u", repeat->decisions);
	gw_table_cell(table, gw_decision_kind_name(decision->kind));
	gw_table_cellf(table, "%" PRIu32, decision->job);
	gw_table_cell(table, gw_date_text(date, decision->at));
	gw_table_cell(table, result);
	gw_table_cell(table, bytes ? "same" : "different");
	gw_table_cell(table, *text ? text : "-");
}

static void repeat_one(struct repeat *repeat, const struct gw_decision *decision, bool bytes)
{
	struct gw_error difference = {0}, error = {0};
	int result =
		gw_decision_repeat(decision, repeat->conf, repeat->conf_sum, &difference, &error);

	repeat->decisions++;
	repeat->failed += result < 0;
	repeat->different += result > 0 || (result == 0 && !bytes);
	if (result < 0)
		add_row(repeat, decision, "unknown", bytes, error.text);
	else
		add_row(repeat, decision, result ? "different" : "same", bytes, difference.text);
}

static void repeat_all(const struct gw_command *command, const char *path, const char *text,
		       struct repeat *repeat)
{
	struct gw_record_reader reader;
	struct gw_decision decision;
	struct gw_error error = {0};
	const char *from = text;
	int more;

	gw_record_reader_init(&reader, text);
	while ((more = gw_decision_read(&reader, &decision, &error)) != 0) {
		if (more > 0) {
			repeat_one(repeat, &decision, same_bytes(&decision, from, reader.next));
			gw_decision_free(&decision);
		} else {
			gw_complain(command, "%s: %s", path, error.text);
			gw_error_clear(&error);
			repeat->failed++;
		}
		from = reader.next;
	}
}

static int print(const struct gw_command *command, const struct repeat *repeat,
		 const struct gw_output *output)
{
	const struct gw_table *table = &repeat->table;

	if (table->failed)
		return gw_complain(command, "out of memory");
	if (output->json)
		return gw_json_print(json_pack("{s:I,s:I,s:I,s:o}", "decisions",
					       (json_int_t)repeat->decisions, "different",
					       (json_int_t)repeat->different, "failed",
					       (json_int_t)repeat->failed, "rows",
					       gw_table_json(table, TEXT_COLUMNS)),
				     stdout);
	gw_table_print(table, output, stdout);
	if (!output->parsable && !output->format && !output->no_header)
		printf("\n%u decisions: %u the same, %u different, %u can not be repeated\n",
		       repeat->decisions,
		       repeat->decisions > repeat->different + repeat->failed
			       ? repeat->decisions - repeat->different - repeat->failed
			       : 0,
		       repeat->different, repeat->failed);
	return GW_EXIT_OK;
}

static int run(const struct gw_command *command, const char *path, const struct gw_conf *conf,
	       const struct gw_output *output)
{
	struct repeat repeat = {.conf = conf, .table = {.columns = columns}};
	struct gw_error error = {0};
	char *text = NULL;
	int code;

	if ((conf && sum_conf(conf, &repeat.conf_sum, &error)) || gw_file_read(path, &text, &error))
		return gw_complain(command, "%s", error.text);
	repeat_all(command, path, text, &repeat);
	code = print(command, &repeat, output);
	if (!code && repeat.failed)
		code = GW_EXIT_ERROR;
	else if (!code && repeat.different)
		code = GW_EXIT_FINDINGS;
	gw_table_free(&repeat.table);
	free(text);
	return code;
}

/* A configuration that is not asked for and not there only keeps some from being repeated. */
static int load_conf(const struct gw_command *command, const char *given, struct gw_conf **conf)
{
	struct gw_conf_source source = {.read = gw_file_source};
	char *path = gw_conf_path(gw_slurm_conf_path(NULL), given);
	struct gw_error error = {0};
	int code = GW_EXIT_OK;

	*conf = NULL;
	if (!path || (gw_conf_load(&source, path, conf, &error) && given))
		code = gw_complain(command, "%s", path ? error.text : "out of memory");
	free(path);
	return code;
}

int gw_cmd_repeat(const struct gw_command *command, int argc, char **argv)
{
	static const char *const *const tables[] = {columns};
	const char *conf_path = NULL;
	struct gw_output output = {0};
	struct gw_strings words = {0};
	const struct gw_option options[] = {
		{.name = "conf",
		 .value_name = "FILE",
		 .value = &conf_path,
		 .help = "gangway.conf they were made with (default: beside slurm.conf)"},
		GW_FORMAT_OPTION(output),
		{.name = "", .value_name = "FILE", .words = &words, .help = "recorded decisions"},
		{0},
	};
	struct gw_conf *conf = NULL;
	int code;

	if (!gw_options_read(command, options, &output, argc, argv, &code))
		goto out;
	code = GW_EXIT_USAGE;
	if (words.count != 1)
		gw_complain(command, "one file is needed (see gangway repeat --help)");
	else if (gw_format_check(command, &output, tables, 1))
		code = load_conf(command, conf_path, &conf);
	if (!code)
		code = run(command, words.item[0], conf, &output);
out:
	gw_conf_free(conf);
	gw_strings_free(&words);
	return code;
}

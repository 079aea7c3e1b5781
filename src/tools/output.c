// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* A common option is found after the subcommand's own. */
static const struct gw_option *find_option(const struct gw_option *table,
					   const struct gw_option *common, const char *word,
					   size_t length, char letter)
{
	const struct gw_option *tables[2] = {table, common};

	for (int i = 0; i < 2; i++)
		for (const struct gw_option *option = tables[i]; option->name; option++)
			if ((letter && option->letter == letter) ||
			    (word && strlen(option->name) == length &&
			     !strncmp(option->name, word, length)))
				return option;
	return NULL;
}

static void print_options(const struct gw_option *table)
{
	for (; table->name; table++) {
		char names[64];

		snprintf(names, sizeof(names), "%s%c%s--%s%s%s", table->letter ? "-" : "",
			 table->letter ? table->letter : ' ', table->letter ? ", " : "   ",
			 table->name, table->value_name ? " " : "",
			 table->value_name ? table->value_name : "");
		printf("  %-26s %s\n", names, table->help);
	}
}

static bool usage_error(const struct gw_command *command, const char *argument, const char *why,
			int *code)
{
	fprintf(stderr, "gangway %s: %s: %s (see gangway %s --help)\n", command->name, argument,
		why, command->name);
	*code = GW_EXIT_USAGE;
	return false;
}

/* Reads one argument, and the next when it is the value. */
static bool read_option(const struct gw_command *command, const struct gw_option *table,
			const struct gw_option *common, int *at, int argc, char **argv, int *code)
{
	const char *argument = argv[*at], *equals = strchr(argument, '=');
	bool is_long = argument[0] == '-' && argument[1] == '-';
	const struct gw_option *option;

	if (is_long)
		option = find_option(
			table, common, argument + 2,
			equals ? (size_t)(equals - argument - 2) : strlen(argument + 2), 0);
	else if (argument[0] == '-' && argument[1] && !argument[2])
		option = find_option(table, common, NULL, 0, argument[1]);
	else
		return usage_error(command, argument, "what is this for?", code);
	if (!option)
		return usage_error(command, argument, "unknown option", code);
	if (option->flag && is_long && equals)
		return usage_error(command, argument, "takes no value", code);
	if (option->flag) {
		*option->flag = true;
		return true;
	}
	if (is_long && equals)
		*option->value = equals + 1;
	else if (*at + 1 < argc)
		*option->value = argv[++*at];
	else
		return usage_error(command, argument, "needs a value", code);
	return true;
}

bool gw_options_read(const struct gw_command *command, const struct gw_option *table,
		     struct gw_output *output, int argc, char **argv, int *code)
{
	struct gw_output ignored = {0};
	struct gw_output *out = output ? output : &ignored;
	bool help = false;
	const struct gw_option all[] = {
		{.name = "json", .help = "print JSON", .flag = &out->json},
		{.name = "parsable2",
		 .letter = 'P',
		 .help = "split columns by |",
		 .flag = &out->parsable},
		{.name = "noheader",
		 .letter = 'n',
		 .help = "print no column titles",
		 .flag = &out->no_header},
		{.name = "help", .letter = 'h', .help = "print this", .flag = &help},
		{0},
	};
	const struct gw_option *common = output ? all : &all[3];

	for (int i = 0; i < argc; i++)
		if (!read_option(command, table, common, &i, argc, argv, code))
			return false;
	if (help) {
		printf("usage: gangway %s [options]\n%s.\n\n", command->name, command->help);
		print_options(table);
		print_options(common);
		*code = GW_EXIT_OK;
		return false;
	}
	return true;
}

void gw_table_cell(struct gw_table *table, const char *text)
{
	if (gw_strings_add(&table->cells, text, strlen(text)))
		table->failed = true;
}

void gw_table_cellf(struct gw_table *table, const char *format, ...)
{
	char text[256];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	gw_table_cell(table, text);
}

static size_t column_count(const struct gw_table *table)
{
	size_t count = 0;

	while (table->columns[count])
		count++;
	return count;
}

static int column_width(const struct gw_table *table, size_t column, const struct gw_output *output)
{
	size_t columns = column_count(table);
	size_t width = output->no_header ? 0 : strlen(table->columns[column]);

	for (size_t i = column; i < table->cells.count; i += columns)
		if (strlen(table->cells.item[i]) > width)
			width = strlen(table->cells.item[i]);
	return (int)width;
}

static void print_row(const struct gw_table *table, const struct gw_output *output,
		      const char *const *cells, FILE *file)
{
	size_t columns = column_count(table);

	for (size_t i = 0; i < columns; i++) {
		bool last = i + 1 == columns;

		if (output->parsable)
			fprintf(file, "%s%s", cells[i], last ? "\n" : "|");
		else if (last)
			fprintf(file, "%s\n", cells[i]);
		else
			fprintf(file, "%-*s  ", column_width(table, i, output), cells[i]);
	}
}

void gw_table_print(const struct gw_table *table, const struct gw_output *output, FILE *file)
{
	size_t columns = column_count(table);

	if (!output->no_header)
		print_row(table, output, table->columns, file);
	for (size_t i = 0; i + columns <= table->cells.count; i += columns)
		print_row(table, output, (const char *const *)&table->cells.item[i], file);
}

void gw_table_free(struct gw_table *table)
{
	gw_strings_free(&table->cells);
}

int gw_json_print(json_t *root, FILE *file)
{
	int failed = !root || json_dumpf(root, file, JSON_INDENT(2)) || fputc('\n', file) == EOF;

	json_decref(root);
	if (!failed)
		return GW_EXIT_OK;
	fputs("gangway: the JSON could not be written\n", stderr);
	return GW_EXIT_ERROR;
}

int gw_complain(const struct gw_command *command, const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "gangway %s: ", command->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return GW_EXIT_ERROR;
}

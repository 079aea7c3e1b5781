// SPDX-License-Identifier: GPL-2.0-or-later
#include "output.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"
#include "slurm_conf.h"

/* A common option is found after the subcommand's own. */
static const struct gw_option *find_option(const struct gw_option *table,
					   const struct gw_option *common, const char *word,
					   size_t length, char letter)
{
	const struct gw_option *tables[2] = {table, common};

	for (int i = 0; i < 2; i++)
		for (const struct gw_option *option = tables[i]; option->name; option++)
			if ((letter && option->letter == letter) ||
			    (word && !option->words && strlen(option->name) == length &&
			     !strncmp(option->name, word, length)))
				return option;
	return NULL;
}

static void print_options(const struct gw_option *table)
{
	for (; table->name; table++) {
		char names[64];

		if (table->words) {
			printf("  %-26s %s\n", table->value_name, table->help);
			continue;
		}
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

/* What is no option: a word, if the subcommand takes any. */
static bool read_word(const struct gw_command *command, const struct gw_option *table,
		      const char *argument, int *code)
{
	for (; table->name; table++)
		if (table->words && !gw_strings_add(table->words, argument, strlen(argument)))
			return true;
	return usage_error(command, argument, "what is this for?", code);
}

/* Reads one argument, and the next when it is the value. */
static bool read_option(const struct gw_command *command, const struct gw_option *table,
			const struct gw_option *common, int *at, int argc, char **argv, int *code)
{
	const char *argument = argv[*at], *equals = strchr(argument, '=');
	bool is_long = argument[0] == '-' && argument[1] == '-';
	const struct gw_option *option;
	const char *value;

	if (is_long)
		option = find_option(
			table, common, argument + 2,
			equals ? (size_t)(equals - argument - 2) : strlen(argument + 2), 0);
	else if (argument[0] == '-' && argument[1] && !argument[2])
		option = find_option(table, common, NULL, 0, argument[1]);
	else
		return read_word(command, table, argument, code);
	if (!option)
		return usage_error(command, argument, "unknown option", code);
	if (option->flag && is_long && equals)
		return usage_error(command, argument, "takes no value", code);
	if (option->flag) {
		*option->flag = true;
		return true;
	}
	if (!(is_long && equals) && *at + 1 >= argc)
		return usage_error(command, argument, "needs a value", code);
	value = is_long && equals ? equals + 1 : argv[++*at];
	if (option->value)
		*option->value = value;
	else if (gw_strings_add(option->values, value, strlen(value)))
		return usage_error(command, argument, "out of memory", code);
	return true;
}

static void print_help(const struct gw_command *command, const struct gw_option *table,
		       const struct gw_option *common)
{
	printf("usage: gangway %s [options]", command->name);
	for (const struct gw_option *option = table; option->name; option++)
		if (option->words)
			printf(" %s", option->value_name);
	printf("\n%s.\n\n", command->help);
	print_options(table);
	print_options(common);
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
		print_help(command, table, common);
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

/* Characters of UTF-8 text; a terminal shows each of ours in one cell. */
static size_t text_width(const char *text)
{
	size_t width = 0;

	for (; *text; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

static int column_width(const struct gw_table *table, size_t column, const struct gw_output *output)
{
	size_t columns = column_count(table);
	size_t width = output->no_header ? 0 : text_width(table->columns[column]);

	for (size_t i = column; i < table->cells.count; i += columns)
		if (text_width(table->cells.item[i]) > width)
			width = text_width(table->cells.item[i]);
	return (int)width;
}

static size_t column_named(const char *const *columns, const char *name)
{
	size_t i = 0;

	while (columns[i] && !gw_same(columns[i], name))
		i++;
	return i;
}

/* Positions of the columns to print, in the order to print them. -1: memory is out. */
static int choose_columns(const struct gw_table *table, const struct gw_output *output,
			  size_t **chosen, size_t *count)
{
	size_t columns = column_count(table);
	struct gw_strings names = {0};

	*count = 0;
	if (output->format && gw_strings_split(&names, output->format))
		return -1;
	*chosen = calloc(columns + names.count + 1, sizeof(**chosen));
	for (size_t i = 0; *chosen && !output->format && i < columns; i++)
		(*chosen)[(*count)++] = i;
	for (size_t i = 0; *chosen && i < names.count; i++) {
		size_t column = column_named(table->columns, names.item[i]);

		if (column < columns)
			(*chosen)[(*count)++] = column;
	}
	gw_strings_free(&names);
	return *chosen ? 0 : -1;
}

static void print_row(const char *const *cells, const size_t *chosen, size_t count,
		      const int *widths, const struct gw_output *output, FILE *file)
{
	for (size_t i = 0; i < count; i++) {
		const char *cell = cells[chosen[i]];
		bool last = i + 1 == count;

		if (output->parsable)
			fprintf(file, "%s%s", cell, last ? "\n" : "|");
		else if (last)
			fprintf(file, "%s\n", cell);
		else
			fprintf(file, "%s%*s  ", cell, widths[i] - (int)text_width(cell), "");
	}
}

static void print_chosen(const struct gw_table *table, const struct gw_output *output,
			 const size_t *chosen, size_t count, FILE *file)
{
	size_t columns = column_count(table);
	int *widths = calloc(count, sizeof(*widths));

	for (size_t i = 0; widths && i < count; i++)
		widths[i] = column_width(table, chosen[i], output);
	if (widths && !output->no_header)
		print_row(table->columns, chosen, count, widths, output, file);
	for (size_t i = 0; widths && i + columns <= table->cells.count; i += columns)
		print_row((const char *const *)&table->cells.item[i], chosen, count, widths, output,
			  file);
	free(widths);
}

void gw_table_print(const struct gw_table *table, const struct gw_output *output, FILE *file)
{
	size_t *chosen = NULL, count;

	if (!choose_columns(table, output, &chosen, &count) && count)
		print_chosen(table, output, chosen, count, file);
	free(chosen);
}

bool gw_format_check(const struct gw_command *command, const struct gw_output *output,
		     const char *const *const *tables, size_t count)
{
	struct gw_strings names = {0};
	bool good = true;
	int code;

	if (!output->format)
		return true;
	if (gw_strings_split(&names, output->format)) {
		gw_complain(command, "out of memory");
		return false;
	}
	for (size_t i = 0; good && i < names.count; i++) {
		bool known = false;

		for (size_t k = 0; k < count; k++)
			known |= tables[k][column_named(tables[k], names.item[i])] != NULL;
		if (!known)
			good = usage_error(command, names.item[i], "no such column", &code);
	}
	gw_strings_free(&names);
	return good;
}

static json_t *json_of_cell(const char *cell, bool text)
{
	double number;

	if (!strcmp(cell, "-"))
		return json_null();
	if (text || gw_parse_double(cell, &number, NULL))
		return json_string(cell);
	if (!strpbrk(cell, ".eE"))
		return json_integer((json_int_t)number);
	return json_real(number);
}

json_t *gw_table_json(const struct gw_table *table, const char *text)
{
	size_t columns = column_count(table);
	json_t *rows = json_array();

	for (size_t i = 0; i + columns <= table->cells.count; i += columns) {
		json_t *row = json_object();

		for (size_t k = 0; k < columns; k++)
			json_object_set_new(row, table->columns[k],
					    json_of_cell(table->cells.item[i + k],
							 gw_list_has(text, table->columns[k])));
		json_array_append_new(rows, row);
	}
	return rows;
}

void gw_table_free(struct gw_table *table)
{
	gw_strings_free(&table->cells);
}

int gw_json_print(json_t *root, FILE *file)
{
	int failed = !root || json_dumpf(root, file, JSON_INDENT(2) | JSON_REAL_PRECISION(15)) ||
		     fputc('\n', file) == EOF;

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

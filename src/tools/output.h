// SPDX-License-Identifier: GPL-2.0-or-later
/* What every subcommand shares: exit codes, options, tables, JSON. */
#ifndef GW_TOOLS_OUTPUT_H
#define GW_TOOLS_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "../util/str.h"

enum gw_exit {
	GW_EXIT_OK,
	GW_EXIT_ERROR,
	GW_EXIT_USAGE,
	GW_EXIT_FINDINGS,
};

/* How to print; set by the options that every subcommand has. */
struct gw_output {
	bool json;
	bool parsable; /* columns split by |, none at the end */
	bool no_header;
	const char *format; /* columns wanted, commas between; NULL: all */
};

/*
 * One option of a subcommand: exactly one of flag, value, values and words is set. values takes
 * every time it is given. The one with words has no name: it takes what is no option, and
 * value_name says what that is.
 */
struct gw_option {
	const char *name; /* "conf" for --conf; NULL ends a table */
	char letter;      /* 'n' for -n; 0: none */
	const char *help;
	const char *value_name;
	bool *flag;
	const char **value;
	struct gw_strings *values;
	struct gw_strings *words;
};

/* A subcommand as gangway.c lists it. run() gets the arguments after the name. */
struct gw_command {
	const char *name;
	const char *help;
	int (*run)(const struct gw_command *command, int argc, char **argv);
};

/*
 * Reads the options of table, and --json, -P, -n and -h when output is not NULL (only -h
 * when it is). Prints what is wrong, or the help. Returns true to go on, else false with
 * the exit code in *code.
 */
bool gw_options_read(const struct gw_command *command, const struct gw_option *table,
		     struct gw_output *output, int argc, char **argv, int *code);

/* Rows of text in columns. All zero but the columns is a valid empty one. */
struct gw_table {
	const char *const *columns; /* NULL-terminated */
	struct gw_strings cells;    /* row after row */
	bool failed;                /* memory ran out */
};

void gw_table_cell(struct gw_table *table, const char *text);
void gw_table_cellf(struct gw_table *table, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* With a format only the columns it names, in its order; nothing when it names none of them. */
void gw_table_print(const struct gw_table *table, const struct gw_output *output, FILE *file);

/* Whether each column of the format is one of these; says so when not. */
bool gw_format_check(const struct gw_command *command, const struct gw_output *output,
		     const char *const *const *tables, size_t count);

/*
 * An array with an object a row, by column. Cells are numbers where they can be, null where
 * they are "-", and strings in the columns of text (commas between).
 */
json_t *gw_table_json(const struct gw_table *table, const char *text);

void gw_table_free(struct gw_table *table);

/* Prints root with a newline and drops the reference. Returns an exit code. */
int gw_json_print(json_t *root, FILE *file);

/* "gangway NAME: text" on standard error. Returns GW_EXIT_ERROR. */
int gw_complain(const struct gw_command *command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif

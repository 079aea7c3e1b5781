// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_csv.h"

#include <stdlib.h>
#include <string.h>

#include "trace_columns.h"

struct gw_trace_reader {
	struct gw_trace_intake *intake;
	struct gw_trace_clock clock;
	bool has_clock;
	char *name; /* of the text */
	uint64_t line;
	/* The header. */
	struct gw_strings header;
	enum gw_trace_column *column;
	bool has[GW_TRACE_COL_COUNT + 1];
	char delimiter;
};

struct gw_trace_reader *gw_trace_reader_new(struct gw_trace_intake *intake,
					    const struct gw_trace_clock *clock,
					    struct gw_error *error)
{
	struct gw_trace_reader *reader = calloc(1, sizeof(*reader));

	if (!reader) {
		gw_error_memory(error);
		return NULL;
	}
	reader->intake = intake;
	reader->has_clock = clock != NULL;
	if (clock)
		reader->clock = *clock;
	return reader;
}

static void forget_header(struct gw_trace_reader *reader)
{
	gw_strings_free(&reader->header);
	free(reader->column);
	reader->column = NULL;
	memset(reader->has, 0, sizeof(reader->has));
	reader->line = 0;
}

void gw_trace_reader_free(struct gw_trace_reader *reader)
{
	if (!reader)
		return;
	forget_header(reader);
	free(reader->name);
	free(reader);
}

int gw_trace_reader_begin(struct gw_trace_reader *reader, const char *name, struct gw_error *error)
{
	char *copy = gw_strdup(name);

	if (!copy)
		return gw_error_memory(error);
	forget_header(reader);
	free(reader->name);
	reader->name = copy;
	return 0;
}

/* sacct separates by |, which it puts in no quotes; a job's name may have one in it. */
static bool is_sacct(const struct gw_trace_reader *reader)
{
	return reader->delimiter == '|';
}

/* Takes the quotes off a field; *text moves to its end. NULL: they do not end. */
static char *unquote(char **text, char delimiter)
{
	char *begin = *text + 1, *from = begin, *to = begin;

	for (; *from; from++) {
		if (*from != '"')
			*to++ = *from;
		else if (from[1] == '"')
			*to++ = *from++;
		else
			break;
	}
	if (!*from || (from[1] && from[1] != delimiter))
		return NULL;
	*to = '\0';
	*text = from + 1;
	return begin;
}

static char *trim(char *text)
{
	char *end;

	while (gw_is_space(*text))
		text++;
	end = text + strlen(text);
	while (end > text && gw_is_space(end[-1]))
		*--end = '\0';
	return text;
}

/*
 * The field at *text, which moves to the one after it, or becomes NULL after the last. NULL: bad
 * quotes. whole: all the rest is one field. Blanks around a value count in quotes only.
 */
static char *take_field(const struct gw_trace_reader *reader, char **text, bool whole)
{
	char *field = *text, *end;
	bool is_quoted = *field == '"' && !is_sacct(reader);

	if (is_quoted) {
		end = field;
		field = unquote(&end, reader->delimiter);
		if (!field)
			return NULL;
	} else {
		end = whole ? NULL : strchr(field, reader->delimiter);
		if (!end)
			end = field + strlen(field);
	}
	*text = *end ? end + 1 : NULL;
	*end = '\0';
	return is_quoted || is_sacct(reader) ? field : trim(field);
}

static int add_columns(struct gw_trace_reader *reader, char *text, struct gw_error *error)
{
	while (text) {
		char *name = take_field(reader, &text, false);

		if (!name)
			return gw_error_set(error, "quotes in the header do not end");
		name = trim(name);
		if (gw_strings_add(&reader->header, name, strlen(name)))
			return gw_error_memory(error);
	}
	return 0;
}

static int need_columns(const struct gw_trace_reader *reader, struct gw_error *error)
{
	const bool *has = reader->has;
	const char *missing = NULL;

	if (!has[GW_TRACE_COL_SUBMIT] && !has[GW_TRACE_COL_SUBMIT_US])
		missing = "the time of submit (submit, Submit)";
	else if (!has[GW_TRACE_COL_DURATION] && !(has[GW_TRACE_COL_START] && has[GW_TRACE_COL_END]))
		missing = "the run time (duration, Elapsed, or start and end)";
	else if (!has[GW_TRACE_COL_GPUS] && !has[GW_TRACE_COL_TRES_HELD] &&
		 !has[GW_TRACE_COL_TRES_ASKED])
		missing = "GPUs (gpus, AllocTRES, ReqTRES)";
	if (!missing)
		return 0;
	return gw_error_set(error,
			    "the first line must name the columns, and none is for %s; "
			    "sacct needs -P and no -n",
			    missing);
}

/* Of a column that is read; others may stand there as often as they like. */
static int refuse_twice(const struct gw_trace_reader *reader, size_t at, struct gw_error *error)
{
	const char *const *names = (const char *const *)reader->header.item;

	for (size_t i = 0; reader->column[at] != GW_TRACE_COL_OTHER && i < at; i++)
		if (gw_same(names[i], names[at]))
			return gw_error_set(error, "the header names the column %.64s twice",
					    names[at]);
	return 0;
}

static int read_header(struct gw_trace_reader *reader, char *text, struct gw_error *error)
{
	size_t at = strcspn(text, "|,;\t");

	reader->delimiter = text[at] ? text[at] : ',';
	if (add_columns(reader, text, error))
		return -1;
	reader->column = calloc(reader->header.count, sizeof(*reader->column));
	if (!reader->column)
		return gw_error_memory(error);
	for (size_t i = 0; i < reader->header.count; i++) {
		reader->column[i] = gw_trace_column_of(reader->header.item[i], &reader->header);
		reader->has[reader->column[i]] = true;
		if (refuse_twice(reader, i, error))
			return -1;
	}
	return need_columns(reader, error);
}

static int read_value(const struct gw_trace_reader *reader, struct gw_trace_row *row, size_t i,
		      const char *text, struct gw_error *error)
{
	struct gw_error what = {0};

	if (!gw_trace_row_read(row, reader->column[i], text, &what))
		return 0;
	return gw_error_set(error, "%s: '%.80s' %s", reader->header.item[i], text, what.text);
}

/* How many fields are left in text. */
static size_t fields_left(const struct gw_trace_reader *reader, const char *text)
{
	size_t count = 0;

	for (; text; count++) {
		text = strchr(text, reader->delimiter);
		text = text ? text + 1 : NULL;
	}
	return count;
}

/* -1: a bad line; error says what is bad. */
static int read_row(const struct gw_trace_reader *reader, char *text, struct gw_trace_row *row,
		    struct gw_error *error)
{
	size_t count = reader->header.count, i;

	for (i = 0; i < count && text; i++) {
		bool rest = i + 1 == count && is_sacct(reader) &&
			    reader->column[i] == GW_TRACE_COL_NAME;
		char *field = take_field(reader, &text, rest);

		if (!field)
			return gw_error_set(error, "%s: quotes do not end on this line",
					    reader->header.item[i]);
		if (read_value(reader, row, i, field, error))
			return -1;
	}
	if (i == count && !text)
		return 0;
	return gw_error_set(error, "has %zu fields, the header %zu", i + fields_left(reader, text),
			    count);
}

static int read_job(struct gw_trace_reader *reader, char *text, struct gw_error *error)
{
	struct gw_error what = {0};
	struct gw_trace_row row;

	gw_trace_row_begin(&row, reader->has_clock ? &reader->clock : NULL);
	row.record.job.id = reader->line;
	if (read_row(reader, text, &row, &what))
		return gw_trace_intake_note(reader->intake, GW_TRACE_MALFORMED, reader->name,
					    reader->line, what.text, error);
	gw_trace_row_end(&row);
	return gw_trace_intake_add(reader->intake, &row.record, reader->name, reader->line, error);
}

/* Without the end of the line, and, on the first, without a byte order mark. */
static char *cut_line(const struct gw_trace_reader *reader, char *line, size_t length)
{
	while (length && (line[length - 1] == '\n' || line[length - 1] == '\r'))
		line[--length] = '\0';
	if (reader->line == 1 && strncmp(line, "\xef\xbb\xbf", 3) == 0)
		line += 3;
	return line;
}

int gw_trace_reader_line(struct gw_trace_reader *reader, char *line, size_t length,
			 struct gw_error *error)
{
	bool is_text = strlen(line) == length;
	char *text;

	reader->line++;
	if (!is_text)
		return gw_trace_intake_note(reader->intake, GW_TRACE_MALFORMED, reader->name,
					    reader->line, "has a NUL byte: not text", error);
	text = cut_line(reader, line, length);
	if (*text == '#' || !text[strspn(text, " \t")])
		return 0;
	if (reader->column)
		return read_job(reader, text, error);
	if (read_header(reader, text, error))
		return gw_error_prefix(error, "%s:%llu: ", reader->name,
				       (unsigned long long)reader->line);
	return 0;
}

int gw_trace_reader_end(struct gw_trace_reader *reader, struct gw_error *error)
{
	if (reader->column)
		return 0;
	return gw_error_set(error, "%s: has no line that names the columns", reader->name);
}

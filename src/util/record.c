// SPDX-License-Identifier: GPL-2.0-or-later
#include "record.h"

#include <stdlib.h>
#include <string.h>

#include "parse.h"

/* One logical line: a cursor that steps over continuations as if they were blanks. */
struct line {
	const char *at;
	int number;
};

void gw_record_reader_init(struct gw_record_reader *reader, const char *text)
{
	static const char byte_order_mark[] = "\xef\xbb\xbf";

	if (!strncmp(text, byte_order_mark, 3))
		text += 3;
	*reader = (struct gw_record_reader){.next = text, .line = 1};
}

/* Whether a backslash at text is the last thing on its line; end: after the newline. */
static bool is_continuation(const char *text, const char **end)
{
	if (*text != '\\')
		return false;
	for (text++; *text != '\n' && gw_is_space(*text); text++)
		;
	*end = *text ? text + 1 : text;
	return *text == '\n' || *text == '\0';
}

/* Moves to the next word; false at the end of the logical line. */
static bool skip_blanks(struct line *line)
{
	for (;;) {
		const char *end;

		if (is_continuation(line->at, &end)) {
			line->at = end;
			line->number++;
		} else if (!*line->at || *line->at == '\n' || *line->at == '#') {
			return false;
		} else if (gw_is_space(*line->at)) {
			line->at++;
		} else {
			return true;
		}
	}
}

/* Whether the word ends here. */
static bool at_word_end(const char *text)
{
	const char *end;

	return !*text || gw_is_space(*text) || *text == '#' || is_continuation(text, &end);
}

/* After the opening quote. A backslash before " or \ gives that character. */
static int take_quoted(struct line *line, struct gw_str *value, struct gw_error *error)
{
	for (line->at++; *line->at != '"'; line->at++) {
		if (!*line->at || *line->at == '\n')
			return gw_error_set(error, "a quoted value does not end on its line");
		if (*line->at == '\\' && (line->at[1] == '"' || line->at[1] == '\\'))
			line->at++;
		gw_str_append_n(value, line->at, 1);
	}
	line->at++;
	if (!at_word_end(line->at))
		return gw_error_set(error, "text follows a closing quote");
	return 0;
}

/* Slurm lets \# stand for # in a value. */
static void take_bare(struct line *line, struct gw_str *value)
{
	for (; !at_word_end(line->at); line->at++) {
		if (line->at[0] == '\\' && line->at[1] == '#')
			line->at++;
		gw_str_append_n(value, line->at, 1);
	}
}

static char *take_value(struct line *line, struct gw_error *error)
{
	struct gw_str value = {0};
	char *text;

	if (*line->at == '"') {
		if (take_quoted(line, &value, error)) {
			gw_str_free(&value);
			return NULL;
		}
	} else {
		take_bare(line, &value);
	}
	text = gw_str_take(&value);
	if (!text)
		gw_error_memory(error);
	return text;
}

static size_t key_length(const char *text)
{
	size_t length = 0;

	while (!at_word_end(text + length) && text[length] != '=')
		length++;
	return length;
}

/* Past "=", with blanks before it as Slurm allows. An "Include file" needs none. */
static int take_equals(struct line *line, const char *key, bool first, struct gw_error *error)
{
	bool more = skip_blanks(line);

	if (more && *line->at == '=') {
		line->at++;
		while (*line->at == ' ' || *line->at == '\t')
			line->at++;
		return 0;
	}
	if (more && first && gw_same(key, "Include"))
		return 0;
	return gw_error_set(error, "%.64s: must be Key=Value", key);
}

/* On failure the pair may be half full: it still belongs to the record, which is then freed. */
static int take_pair(struct line *line, struct gw_record *record, struct gw_error *error)
{
	struct gw_pair *pairs = gw_array_room(record->pair, record->count, sizeof(*pairs));
	struct gw_pair *pair;
	size_t length = key_length(line->at);

	if (!pairs)
		return gw_error_memory(error);
	record->pair = pairs;
	pair = &pairs[record->count];
	pair->line = line->number;
	if (!length)
		return gw_error_set(error, "a key is missing before =");
	pair->key = gw_strndup(line->at, length);
	if (!pair->key)
		return gw_error_memory(error);
	record->count++;
	line->at += length;
	if (take_equals(line, pair->key, record->count == 1, error))
		return -1;
	pair->value = take_value(line, error);
	return pair->value ? 0 : -1;
}

/* To the start of the next physical line. */
static void end_line(struct gw_record_reader *reader, const struct line *line)
{
	size_t rest = strcspn(line->at, "\n");

	reader->line = line->number;
	reader->next = line->at + rest;
	if (*reader->next) {
		reader->next++;
		reader->line++;
	}
}

int gw_record_next(struct gw_record_reader *reader, struct gw_record *record,
		   struct gw_error *error)
{
	*record = (struct gw_record){0};
	while (*reader->next) {
		struct line line = {.at = reader->next, .number = reader->line};
		int failed = 0;

		while (!failed && skip_blanks(&line))
			failed = take_pair(&line, record, error);
		end_line(reader, &line);
		if (failed) {
			reader->error_line = line.number;
			gw_record_free(record);
			return -1;
		}
		if (record->count)
			return 1;
	}
	return 0;
}

void gw_record_free(struct gw_record *record)
{
	if (!record)
		return;
	for (size_t i = 0; i < record->count; i++) {
		free(record->pair[i].key);
		free(record->pair[i].value);
	}
	free(record->pair);
	*record = (struct gw_record){0};
}

const char *gw_record_value(const struct gw_record *record, const char *key)
{
	for (size_t i = record->count; i-- > 0;)
		if (gw_same(record->pair[i].key, key))
			return record->pair[i].value;
	return NULL;
}

const char *gw_record_text(const struct gw_record *record, const char *key)
{
	const char *value = gw_record_value(record, key);

	return value ? value : "";
}

int gw_record_each(const char *text, gw_record_taker *take, void *into, struct gw_error *error)
{
	struct gw_record_reader reader;
	struct gw_record record;
	int result, line;

	gw_record_reader_init(&reader, text);
	while ((result = gw_record_next(&reader, &record, error)) == 1) {
		line = record.pair[0].line;
		result = take(into, &record, error);
		gw_record_free(&record);
		if (result)
			return gw_error_prefix(error, "line %d: ", line);
	}
	return result;
}

int gw_record_count(const struct gw_record *record, const char *key, uint64_t most,
		    uint64_t *number, struct gw_error *error)
{
	const char *value = gw_record_value(record, key);

	if (!value)
		return gw_error_set(error, "%s is missing", key);
	if (gw_parse_count(value, number, NULL) || *number > most)
		return gw_error_set(error, "%s=%.40s: must be a whole number within bounds", key,
				    value);
	return 0;
}

/* An empty value needs them too: bare, it would take the next pair for its value. */
static bool needs_quotes(const char *value)
{
	if (!*value)
		return true;
	for (; *value; value++)
		if (gw_is_space(*value) || strchr("\"\\#", *value))
			return true;
	return false;
}

void gw_record_append(struct gw_str *str, const char *key, const char *value)
{
	bool quotes = needs_quotes(value);

	if (str->length && str->data[str->length - 1] != '\n')
		gw_str_append(str, " ");
	gw_str_append(str, key);
	gw_str_append(str, quotes ? "=\"" : "=");
	for (; *value; value++) {
		if (*value == '"' || *value == '\\')
			gw_str_append(str, "\\");
		/* A newline would end the record. */
		gw_str_append_n(str, *value == '\n' || *value == '\r' ? " " : value, 1);
	}
	if (quotes)
		gw_str_append(str, "\"");
}

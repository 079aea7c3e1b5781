// SPDX-License-Identifier: GPL-2.0-or-later
#include "hostlist.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

/* Slurm's own limit on dimensions is 3 to 5; more brackets are a mistake. */
#define BRACKETS_MAX 4
#define NUMBER_WIDTH 18

struct expansion {
	struct gw_strings *names;
	size_t limit;
	struct gw_error *error;
};

static int expand_rest(struct expansion *expansion, const char *done, const char *rest,
		       int brackets);

static int malformed(struct expansion *expansion)
{
	return gw_error_set(expansion->error, "must be a list of nodes such as n[0-3,7],login1");
}

/* The length of one item of text: up to a comma outside brackets. */
static size_t item_length(const char *text)
{
	bool inside = false;
	size_t i;

	for (i = 0; text[i] && (inside || text[i] != ','); i++) {
		if (text[i] == '[')
			inside = true;
		else if (text[i] == ']')
			inside = false;
	}
	return i;
}

static int add_name(struct expansion *expansion, const char *name)
{
	if (expansion->names->count >= expansion->limit)
		return gw_error_set(expansion->error, "names more than %zu nodes",
				    expansion->limit);
	if (gw_strings_add(expansion->names, name, strlen(name)))
		return gw_error_memory(expansion->error);
	return 0;
}

/* done with number in width digits, then whatever follows the bracket. */
static int expand_number(struct expansion *expansion, const char *done, uint64_t number, int width,
			 const char *rest, int brackets)
{
	struct gw_str name = {0};
	int result;

	gw_str_appendf(&name, "%s%0*" PRIu64, done, width, number);
	if (name.failed)
		result = gw_error_memory(expansion->error);
	else
		result = expand_rest(expansion, gw_str_text(&name), rest, brackets + 1);
	gw_str_free(&name);
	return result;
}

/* Copies digits at *text into a number and tells how many there were; 0: none, or too many. */
static size_t take_digits(const char **text, uint64_t *number)
{
	char digits[NUMBER_WIDTH + 1];
	size_t width = strspn(*text, "0123456789");

	if (!width || width > NUMBER_WIDTH)
		return 0;
	memcpy(digits, *text, width);
	digits[width] = '\0';
	*text += width;
	return gw_parse_count(digits, number, NULL) ? 0 : width;
}

/* text stands after '['; rest after the ']' that closes it. */
static int expand_brackets(struct expansion *expansion, const char *done, const char *text,
			   const char *rest, int brackets)
{
	do {
		uint64_t first, last;
		size_t width = take_digits(&text, &first);

		last = first;
		if (!width)
			return malformed(expansion);
		if (*text == '-') {
			text++;
			if (!take_digits(&text, &last) || last < first)
				return malformed(expansion);
		}
		for (uint64_t number = first; number <= last; number++)
			if (expand_number(expansion, done, number, (int)width, rest, brackets))
				return -1;
	} while (*text++ == ',');
	return text == rest ? 0 : malformed(expansion);
}

static int expand_rest(struct expansion *expansion, const char *done, const char *rest,
		       int brackets)
{
	size_t plain = strcspn(rest, "[]");
	struct gw_str name = {0};
	int result;

	gw_str_append(&name, done);
	gw_str_append_n(&name, rest, plain);
	if (name.failed)
		result = gw_error_memory(expansion->error);
	else if (!rest[plain])
		result = add_name(expansion, gw_str_text(&name));
	else if (rest[plain] == ']' || brackets == BRACKETS_MAX || !strchr(rest + plain, ']'))
		result = malformed(expansion);
	else
		result = expand_brackets(expansion, gw_str_text(&name), rest + plain + 1,
					 strchr(rest + plain, ']') + 1, brackets);
	gw_str_free(&name);
	return result;
}

static bool is_name_char(char c)
{
	return gw_is_digit(c) || (gw_to_lower(c) >= 'a' && gw_to_lower(c) <= 'z') ||
	       strchr("-_.[],", c);
}

static int expand_item(struct expansion *expansion, const char *text, size_t length)
{
	char *item;
	int result;

	for (size_t i = 0; i < length; i++)
		if (!is_name_char(text[i]))
			return malformed(expansion);
	if (!length || *text == '[')
		return malformed(expansion);
	item = gw_strndup(text, length);
	if (!item)
		return gw_error_memory(expansion->error);
	result = expand_rest(expansion, "", item, 0);
	free(item);
	return result;
}

int gw_hostlist_expand(const char *text, size_t limit, struct gw_strings *names,
		       struct gw_error *error)
{
	struct expansion expansion = {.names = names, .limit = limit, .error = error};

	for (;;) {
		size_t length = item_length(text);

		if (expand_item(&expansion, text, length)) {
			gw_strings_free(names);
			return -1;
		}
		if (!text[length])
			return 0;
		text += length + 1;
	}
}

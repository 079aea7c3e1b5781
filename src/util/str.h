// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Text: a string that grows, a list of strings, room for one more item of any
 * array, and ASCII tests that do not depend on the locale.
 */
#ifndef GW_UTIL_STR_H
#define GW_UTIL_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Text under construction. All zero is a valid empty one. When memory runs out
 * the text stays as it was, failed is set, and all later appends do nothing: test
 * it once, at the end.
 */
struct gw_str {
	char *data; /* NUL-terminated; NULL while nothing was appended */
	size_t length;
	size_t capacity;
	bool failed;
};

void gw_str_append(struct gw_str *str, const char *text);
void gw_str_append_n(struct gw_str *str, const char *text, size_t length);
void gw_str_appendf(struct gw_str *str, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The text so far, "" when there is none. Valid until the next append. */
const char *gw_str_text(const struct gw_str *str);

/* Hands the text to the caller, who frees it, and empties str. NULL if memory ran out. */
char *gw_str_take(struct gw_str *str);

void gw_str_free(struct gw_str *str);

/* A list of strings it owns. All zero is a valid empty one. */
struct gw_strings {
	char **item;
	size_t count;
};

/* Adds a copy of length bytes of text. Returns 0, or -1 when memory is out. */
int gw_strings_add(struct gw_strings *strings, const char *text, size_t length);

/* Adds the items of text, split at commas, empty ones too. On failure (-1) the list is emptied. */
int gw_strings_split(struct gw_strings *strings, const char *text);

bool gw_strings_have(const struct gw_strings *strings, const char *text);

void gw_strings_free(struct gw_strings *strings);

/*
 * Room for item number count in an array of items of size bytes each, of which
 * count are used and which only this function ever enlarged. Returns the array
 * (moved, perhaps), the new item zeroed, or NULL when memory is out (then the old array stays).
 */
void *gw_array_room(void *items, size_t count, size_t size);

/* Copies of text, freed by the caller; NULL when memory is out. */
char *gw_strdup(const char *text);
char *gw_strndup(const char *text, size_t length);

bool gw_is_space(char c);
bool gw_is_digit(char c);
char gw_to_lower(char c);

/* Compare without regard to ASCII case. */
bool gw_same(const char *a, const char *b);
bool gw_same_n(const char *a, const char *b, size_t length);

/*
 * Number of single-letter edits (insert, delete, replace) from a to b without
 * regard to case; words of more than 31 letters count as far apart (32).
 */
unsigned int gw_edit_distance(const char *a, const char *b);

#endif

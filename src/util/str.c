// SPDX-License-Identifier: GPL-2.0-or-later
#include "str.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool str_reserve(struct gw_str *str, size_t more)
{
	size_t capacity = str->capacity ? str->capacity : 64;
	char *data;

	if (str->failed)
		return false;
	if (more >= SIZE_MAX / 4 - str->length) {
		str->failed = true;
		return false;
	}
	while (capacity < str->length + more + 1)
		capacity *= 2;
	if (capacity == str->capacity)
		return true;
	data = realloc(str->data, capacity);
	if (!data) {
		str->failed = true;
		return false;
	}
	str->data = data;
	str->capacity = capacity;
	return true;
}

void gw_str_append_n(struct gw_str *str, const char *text, size_t length)
{
	if (!text || !str_reserve(str, length))
		return;
	memcpy(str->data + str->length, text, length);
	str->length += length;
	str->data[str->length] = '\0';
}

void gw_str_append(struct gw_str *str, const char *text)
{
	if (text)
		gw_str_append_n(str, text, strlen(text));
}

void gw_str_appendf(struct gw_str *str, const char *format, ...)
{
	va_list args, again;
	int length;

	va_start(args, format);
	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, args);
	if (length < 0)
		str->failed = true;
	else if (str_reserve(str, (size_t)length)) {
		vsnprintf(str->data + str->length, (size_t)length + 1, format, again);
		str->length += (size_t)length;
	}
	va_end(again);
	va_end(args);
}

const char *gw_str_text(const struct gw_str *str)
{
	return str->data ? str->data : "";
}

char *gw_str_take(struct gw_str *str)
{
	char *data;

	gw_str_append_n(str, "", 0);
	if (str->failed) {
		gw_str_free(str);
		return NULL;
	}
	data = str->data;
	*str = (struct gw_str){0};
	return data;
}

void gw_str_free(struct gw_str *str)
{
	if (!str)
		return;
	free(str->data);
	*str = (struct gw_str){0};
}

int gw_strings_add(struct gw_strings *strings, const char *text, size_t length)
{
	char **items = gw_array_room(strings->item, strings->count, sizeof(*items));

	if (!items)
		return -1;
	strings->item = items;
	items[strings->count] = gw_strndup(text, length);
	if (!items[strings->count])
		return -1;
	strings->count++;
	return 0;
}

int gw_strings_split(struct gw_strings *strings, const char *text)
{
	for (;;) {
		size_t length = strcspn(text, ",");

		if (gw_strings_add(strings, text, length)) {
			gw_strings_free(strings);
			return -1;
		}
		if (!text[length])
			return 0;
		text += length + 1;
	}
}

bool gw_strings_have(const struct gw_strings *strings, const char *text)
{
	for (size_t i = 0; i < strings->count; i++)
		if (!strcmp(strings->item[i], text))
			return true;
	return false;
}

void gw_strings_free(struct gw_strings *strings)
{
	if (!strings)
		return;
	for (size_t i = 0; i < strings->count; i++)
		free(strings->item[i]);
	free(strings->item);
	*strings = (struct gw_strings){0};
}

/* Capacity is implied: 4, then each power of two as it fills up. */
void *gw_array_room(void *items, size_t count, size_t size)
{
	char *grown = items;

	if (!items || (count >= 4 && (count & (count - 1)) == 0)) {
		size_t capacity = count < 4 ? 4 : count * 2;

		if (capacity > SIZE_MAX / 2 / size)
			return NULL;
		grown = realloc(items, capacity * size);
		if (!grown)
			return NULL;
	}
	memset(grown + count * size, 0, size);
	return grown;
}

char *gw_strndup(const char *text, size_t length)
{
	char *copy = malloc(length + 1);

	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *gw_strdup(const char *text)
{
	return gw_strndup(text, strlen(text));
}

bool gw_is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

bool gw_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

char gw_to_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool gw_same_n(const char *a, const char *b, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (gw_to_lower(a[i]) != gw_to_lower(b[i]))
			return false;
		if (!a[i])
			return true;
	}
	return true;
}

bool gw_same(const char *a, const char *b)
{
	return gw_same_n(a, b, SIZE_MAX);
}

#define WORD_MAX 31

static unsigned int min3(unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int least = a < b ? a : b;

	return least < c ? least : c;
}

/* Levenshtein's distance, one row of the matrix at a time. */
unsigned int gw_edit_distance(const char *a, const char *b)
{
	size_t a_length = strlen(a), b_length = strlen(b);
	unsigned int row[WORD_MAX + 1];

	if (a_length > WORD_MAX || b_length > WORD_MAX)
		return WORD_MAX + 1;
	for (size_t j = 0; j <= b_length; j++)
		row[j] = (unsigned int)j;
	for (size_t i = 0; i < a_length; i++) {
		unsigned int diagonal = row[0];

		row[0] = (unsigned int)i + 1;
		for (size_t j = 0; j < b_length; j++) {
			bool equal = gw_to_lower(a[i]) == gw_to_lower(b[j]);
			unsigned int replaced = diagonal + (equal ? 0 : 1);

			diagonal = row[j + 1];
			row[j + 1] = min3(replaced, row[j] + 1, row[j + 1] + 1);
		}
	}
	return row[b_length];
}

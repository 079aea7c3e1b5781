// SPDX-License-Identifier: GPL-2.0-or-later
#include "error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void gw_error_clear(struct gw_error *error)
{
	if (error)
		error->text[0] = '\0';
}

bool gw_error_is_set(const struct gw_error *error)
{
	return error && error->text[0] != '\0';
}

/* One line: a control character from a bad file must not reach a terminal or split a log line. */
static void make_one_line(char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			*text = ' ';
}

int gw_error_set(struct gw_error *error, const char *format, ...)
{
	va_list args;

	if (!error || error->text[0])
		return -1;
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	make_one_line(error->text);
	return -1;
}

int gw_error_prefix(struct gw_error *error, const char *format, ...)
{
	char prefix[GW_ERROR_SIZE];
	size_t length, room;
	va_list args;

	if (!error)
		return -1;
	va_start(args, format);
	vsnprintf(prefix, sizeof(prefix), format, args);
	va_end(args);
	make_one_line(prefix);
	length = strlen(prefix);
	room = sizeof(error->text) - length - 1;
	error->text[room] = '\0';
	memmove(error->text + length, error->text, strlen(error->text) + 1);
	memcpy(error->text, prefix, length);
	return -1;
}

int gw_error_memory(struct gw_error *error)
{
	return gw_error_set(error, "out of memory");
}

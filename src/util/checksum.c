// SPDX-License-Identifier: GPL-2.0-or-later
#include "checksum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t gw_checksum(const char *text, size_t length)
{
	uint64_t sum = GW_CHECKSUM_START;

	for (size_t i = 0; i < length; i++)
		sum = gw_checksum_add(sum, (unsigned char)text[i]);
	return sum;
}

void gw_checksum_append(struct gw_str *str)
{
	gw_str_appendf(str, "Checksum=%016" PRIx64 "\n",
		       gw_checksum(gw_str_text(str), str->length));
}

/* The version first: what a newer one looks like beyond its first line is not known here. */
static int check_version(const char *text, const char *key, int version, const char *what,
			 struct gw_error *error)
{
	size_t length = strlen(key);
	const char *digits = text + length + 1;
	long found;
	char *end;

	if (strncmp(text, key, length) != 0 || text[length] != '=')
		return gw_error_set(error, "this is not a %s: it must begin with %s=", what, key);
	found = strtol(digits, &end, 10);
	if (found > version)
		return gw_error_set(error,
				    "the %s is of version %ld, newer than %d, the one known here",
				    what, found, version);
	if (end == digits || found != version)
		return gw_error_set(error, "the %s has no version known here", what);
	return 0;
}

static int check_sum(const char *text, const char *what, struct gw_error *error)
{
	static const char key[] = "\nChecksum=";
	const char *line = NULL;
	char wanted[32];

	for (const char *at = strstr(text, key); at; at = strstr(at + 1, key))
		line = at;
	if (!line)
		return gw_error_set(error, "the %s is cut short: it has no checksum", what);
	snprintf(wanted, sizeof(wanted), "%016" PRIx64 "\n",
		 gw_checksum(text, (size_t)(line - text) + 1));
	if (strcmp(line + strlen(key), wanted) != 0)
		return gw_error_set(error, "the %s is damaged: its checksum is wrong", what);
	return 0;
}

int gw_checksum_check(const char *text, const char *key, int version, const char *what,
		      struct gw_error *error)
{
	if (check_version(text, key, version, what, error))
		return -1;
	return check_sum(text, what, error);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Sets of cores as texts. */
#ifndef GW_TESTS_CORES_TEXT_H
#define GW_TESTS_CORES_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/coreset.h"

/* A list as Slurm writes it: "0-3,8". */
static inline struct gw_cores cores_of(const char *list)
{
	struct gw_cores cores = {{0}};

	while (*list) {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		for (; first <= last; first++)
			gw_cores_add(&cores, (uint32_t)first);
		list = *end == ',' ? end + 1 : end;
	}
	return cores;
}

static inline const char *list_of(const struct gw_cores *cores, char text[256])
{
	int length = 0;

	text[0] = '\0';
	for (uint32_t i = 0, last; i < GW_CORES_MAX; i = last + 1) {
		last = i;
		if (!gw_cores_have(cores, i))
			continue;
		while (last + 1 < GW_CORES_MAX && gw_cores_have(cores, last + 1))
			last++;
		length += snprintf(text + length, 256 - (size_t)length,
				   last > i ? "%s%u-%u" : "%s%u", length ? "," : "", i, last);
	}
	return text;
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Cores= that was written with thread numbers, as nvidia-smi and Linux show them. No hwloc. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "topo.h"

/* Marks the numbers of a list. Returns their largest, or -1: no list, or one above the limit. */
static long mark(const char *list, uint32_t limit, uint8_t *marked)
{
	long largest = -1;

	do {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first;

		if (end == list)
			return -1;
		if (*end == '-') {
			list = end + 1;
			last = strtoul(list, &end, 10);
		}
		if (end == list || (*end && *end != ',') || last < first || last >= limit)
			return -1;
		for (unsigned long i = first; i <= last; i++)
			marked[i] = 1;
		largest = (long)last > largest ? (long)last : largest;
		list = *end ? end + 1 : end;
	} while (*list);
	return largest;
}

bool gw_topo_mark_list(const char *list, uint32_t limit, uint8_t *marked)
{
	return mark(list, limit, marked) >= 0;
}

bool gw_topo_fills_sockets(const char *list, uint32_t sockets, uint32_t cores_per_socket)
{
	uint32_t cores = sockets * cores_per_socket;
	uint8_t *marked = calloc(cores + 1, 1);
	bool fills = true;

	if (!marked || !gw_topo_mark_list(list, cores, marked)) {
		free(marked);
		return true;
	}
	for (uint32_t core = 0; core < cores; core++)
		fills = fills && marked[core] == marked[core - core % cores_per_socket];
	free(marked);
	return fills;
}

static bool write_ranges(const uint8_t *marked, uint32_t cores, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t first = 0; first < cores; first++) {
		uint32_t last = first;
		const char *comma = used ? "," : "";

		if (!marked[first])
			continue;
		while (last + 1 < cores && marked[last + 1])
			last++;
		used += last > first
				? snprintf(text + used, size - used, "%s%u-%u", comma, first, last)
				: snprintf(text + used, size - used, "%s%u", comma, first);
		if (used >= size)
			return false;
		first = last;
	}
	return true;
}

bool gw_topo_cores_of_threads(const char *list, uint32_t cores, uint32_t threads, char *text,
			      size_t size)
{
	uint32_t all = cores * threads;
	uint8_t *marked;
	bool are_threads;

	if (!all || !size || cores > UINT16_MAX || threads > UINT8_MAX)
		return false;
	marked = calloc(all, 1);
	if (!marked)
		return false;
	are_threads = mark(list, all, marked) >= (long)cores;
	for (uint32_t thread = cores; thread < all; thread++)
		marked[thread % cores] |= marked[thread];
	are_threads = are_threads && write_ranges(marked, cores, text, size);
	free(marked);
	return are_threads;
}

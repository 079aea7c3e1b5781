// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/standing.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	uint32_t x = ((const struct gw_standing_entry *)a)->job;
	uint32_t y = ((const struct gw_standing_entry *)b)->job;

	return (x > y) - (x < y);
}

void gw_standing_sort(struct gw_standing *standing)
{
	if (standing->count)
		qsort(standing->entry, standing->count, sizeof(*standing->entry), compare);
}

int gw_standing_insert(struct gw_standing *standing, const struct gw_standing_entry *entry)
{
	size_t at = standing->count;
	struct gw_standing_entry *grown =
		realloc(standing->entry, (standing->count + 1) * sizeof(*grown));

	if (!grown)
		return -1;
	standing->entry = grown;
	while (at > 0 && grown[at - 1].job > entry->job) {
		grown[at] = grown[at - 1];
		at--;
	}
	grown[at] = *entry;
	standing->count++;
	return 0;
}

struct gw_standing_entry *gw_standing_find(const struct gw_standing *standing, uint32_t job)
{
	const struct gw_standing_entry key = {.job = job};

	return standing->count
		       ? bsearch(&key, standing->entry, standing->count, sizeof(key), compare)
		       : NULL;
}

void gw_standing_free(struct gw_standing *standing)
{
	free(standing->entry);
	standing->entry = NULL;
	standing->count = 0;
}

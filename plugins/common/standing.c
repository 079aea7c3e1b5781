// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/standing.h"

#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	uint32_t x = ((const struct gw_standing_entry *)a)->job;
	uint32_t y = ((const struct gw_standing_entry *)b)->job;

	return (x > y) - (x < y);
}

int gw_standing_make(struct gw_standing *standing, size_t count, size_t flavors)
{
	standing->entry = calloc(count + 1, sizeof(*standing->entry));
	standing->barrier = calloc(flavors + 1, sizeof(*standing->barrier));
	if (!standing->entry || !standing->barrier) {
		gw_standing_free(standing);
		return -1;
	}
	standing->count = count;
	standing->flavor_count = flavors;
	for (size_t i = 0; i < flavors; i++)
		standing->barrier[i] = UINT32_MAX;
	return 0;
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

static uint32_t *barrier_of(const struct gw_standing *standing,
			    const struct gw_standing_entry *entry)
{
	bool known = entry->flavor >= 0 && (size_t)entry->flavor < standing->flavor_count;

	return known ? &standing->barrier[entry->flavor] : NULL;
}

void gw_standing_began(struct gw_standing *standing, uint32_t job)
{
	struct gw_standing_entry *entry = gw_standing_find(standing, job);
	uint32_t *barrier = entry ? barrier_of(standing, entry) : NULL;

	if (!entry)
		return;
	entry->turn--;
	if (barrier && entry->array && entry->turn < 1 && entry->again && entry->again < *barrier)
		*barrier = entry->again;
}

bool gw_standing_waits_for_turn(const struct gw_standing *standing, uint32_t job)
{
	const struct gw_standing_entry *entry = gw_standing_find(standing, job);
	const uint32_t *barrier = entry ? barrier_of(standing, entry) : NULL;

	return entry && ((entry->array && entry->turn < 1) || (barrier && entry->rank > *barrier));
}

void gw_standing_free(struct gw_standing *standing)
{
	free(standing->entry);
	free(standing->barrier);
	standing->entry = NULL;
	standing->barrier = NULL;
	standing->count = standing->flavor_count = 0;
}

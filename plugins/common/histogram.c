// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/histogram.h"

#define QUARTERS 4

/* Values below QUARTERS have buckets of their own; then the two bits below the highest count. */
static uint32_t bucket_of(uint64_t value)
{
	uint32_t highest;

	if (value < QUARTERS)
		return (uint32_t)value;
	highest = 63 - (uint32_t)__builtin_clzll(value);
	return QUARTERS * (highest - 1) + (uint32_t)(value >> (highest - 2) & (QUARTERS - 1));
}

static uint64_t largest_in(uint32_t bucket)
{
	uint32_t highest = bucket / QUARTERS + 1;

	if (bucket < QUARTERS)
		return bucket;
	/* Of the last bucket this is 2^64 - 1. */
	return ((uint64_t)(QUARTERS + bucket % QUARTERS + 1) << (highest - 2)) - 1;
}

void gw_histogram_add(struct gw_histogram *histogram, uint64_t value)
{
	histogram->count[bucket_of(value)]++;
}

uint64_t gw_histogram_quantile(const struct gw_histogram *histogram, uint32_t permille)
{
	uint64_t all = 0, below = 0;

	for (uint32_t i = 0; i < GW_HISTOGRAM_BUCKETS; i++)
		all += histogram->count[i];
	for (uint32_t i = 0; all && i < GW_HISTOGRAM_BUCKETS; i++) {
		below += histogram->count[i];
		if (below * 1000 >= all * permille && below)
			return largest_in(i);
	}
	return 0;
}

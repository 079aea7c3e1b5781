// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How often times were how long, to a quarter of a power of two, so that medians and the longest
 * of a thousand can be told without keeping any. All zero: empty.
 */
#ifndef GW_HISTOGRAM_H
#define GW_HISTOGRAM_H

#include <stdint.h>

/* Four for each power of two of 64 bits, less those that 0 to 3 do not fill. */
#define GW_HISTOGRAM_BUCKETS 252

struct gw_histogram {
	uint64_t count[GW_HISTOGRAM_BUCKETS];
};

void gw_histogram_add(struct gw_histogram *histogram, uint64_t value);

/*
 * Of all values the one that so many of a thousand do not exceed, as the largest value of its
 * bucket: too high by less than a quarter. 0: there are none.
 */
uint64_t gw_histogram_quantile(const struct gw_histogram *histogram, uint32_t permille);

#endif

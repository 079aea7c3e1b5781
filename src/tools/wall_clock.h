// SPDX-License-Identifier: GPL-2.0-or-later
/* What the clock on the wall shows, and when: the machine's, or one that is fixed. */
#ifndef GW_TOOLS_WALL_CLOCK_H
#define GW_TOOLS_WALL_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "../util/error.h"

/* Zones move their clocks at multiples of this, seconds. */
#define GW_WALL_CLOCK_STEP 900

#define GW_WALL_CLOCK_CACHE 512 /* a power of two */

struct gw_wall_clock {
	bool fixed;
	int64_t east; /* seconds, when fixed */
	/* What was found out: mktime() is slow. offset: wall clock - epoch, from begin on. */
	struct {
		bool known;
		int64_t begin, offset;
	} cache[GW_WALL_CLOCK_CACHE];
};

/* NULL: the machine's (TZ); "UTC", "+01:00", "-0500". Returns 0, or -1 with error. */
int gw_wall_clock_init(struct gw_wall_clock *clock, const char *zone, struct gw_error *error);

/*
 * When the clock shows civil (seconds, as gw_parse_date() has them). Of a time that comes twice
 * the first; of one that is left out, as if the clock had not been moved yet. arg: the clock.
 */
int64_t gw_wall_clock_epoch(void *arg, int64_t civil);

#endif

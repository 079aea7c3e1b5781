// SPDX-License-Identifier: GPL-2.0-or-later
#include "wall_clock.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "../util/str.h"

#define DAY 86400

static bool read_offset(const char *zone, int64_t *east)
{
	unsigned int hours, minutes = 0;
	int used = 0;
	char sign;

	if (gw_same(zone, "UTC") || gw_same(zone, "Z")) {
		*east = 0;
		return true;
	}
	if (strspn(zone, "+-0123456789:") != strlen(zone) ||
	    sscanf(zone, "%c%2u%n:%2u%n", &sign, &hours, &used, &minutes, &used) < 2)
		return false;
	if (zone[used] && sscanf(zone + used, "%2u%n", &minutes, &used) == 1)
		used = (int)strlen(zone) == 5 ? 5 : 0;
	if ((sign != '+' && sign != '-') || zone[used] || hours > 15 || minutes > 59)
		return false;
	*east = (int64_t)(hours * 3600 + minutes * 60) * (sign == '-' ? -1 : 1);
	return true;
}

int gw_wall_clock_init(struct gw_wall_clock *clock, const char *zone, struct gw_error *error)
{
	*clock = (struct gw_wall_clock){.fixed = zone != NULL};
	if (zone && !read_offset(zone, &clock->east))
		return gw_error_set(error, "zone '%s' must be UTC or an offset such as +01:00",
				    zone);
	return 0;
}

/* Wall clock less epoch at a time. */
static int64_t offset_at(int64_t epoch)
{
	time_t when = (time_t)epoch;
	struct tm tm;

	return localtime_r(&when, &tm) ? tm.tm_gmtoff : 0;
}

/* No zone is further than a day from UTC, or moves its clock twice in two days. */
static int64_t find_offset(int64_t civil)
{
	int64_t before = offset_at(civil - DAY), after = offset_at(civil + DAY);

	if (offset_at(civil - before) == before)
		return before;
	return offset_at(civil - after) == after ? after : before;
}

int64_t gw_wall_clock_epoch(void *arg, int64_t civil)
{
	struct gw_wall_clock *clock = arg;
	int64_t step = civil / GW_WALL_CLOCK_STEP - (civil % GW_WALL_CLOCK_STEP < 0);
	size_t at = (uint64_t)step & (GW_WALL_CLOCK_CACHE - 1);

	if (clock->fixed)
		return civil - clock->east;
	if (!clock->cache[at].known || clock->cache[at].begin != step) {
		clock->cache[at].offset = find_offset(step * GW_WALL_CLOCK_STEP);
		clock->cache[at].begin = step;
		clock->cache[at].known = true;
	}
	return civil - clock->cache[at].offset;
}

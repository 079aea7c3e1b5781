// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Circuit breaker of one hook: within any minute the hook may cost so much time of
 * its own and fail so often; one more and it is open until it is reset.
 *
 * Pure: the clock is a parameter. Not thread-safe: the engine holds its lock.
 */
#ifndef GW_BREAKER_H
#define GW_BREAKER_H

#include <stdbool.h>
#include <stdint.h>

#define GW_BREAKER_WINDOW_NS (60ULL * 1000000000ULL)

/* What one window may hold. */
struct gw_breaker_limits {
	uint64_t own_ns; /* nanoseconds of Gangway's own time */
	uint32_t errors;
};

enum gw_trip {
	GW_TRIP_NONE,   /* nothing new */
	GW_TRIP_TIME,   /* just opened: time budget exceeded */
	GW_TRIP_ERRORS, /* just opened: error budget exceeded */
};

/* All zero is a closed breaker that has seen nothing. */
struct gw_breaker {
	uint64_t window_start_ns;
	uint64_t own_ns;
	uint32_t errors;
	bool open;
};

/*
 * Accounts for one call that ended at now_ns (monotonic nanoseconds) after own_ns of
 * Gangway's own time. Returns what opened the breaker, only on the call that did.
 */
enum gw_trip gw_breaker_add(struct gw_breaker *breaker, const struct gw_breaker_limits *limits,
			    uint64_t now_ns, uint64_t own_ns, bool failed);

/* Closes it and forgets the window. */
void gw_breaker_reset(struct gw_breaker *breaker);

#endif

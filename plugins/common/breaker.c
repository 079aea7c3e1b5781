// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/breaker.h"

#include <string.h>

enum gw_trip gw_breaker_add(struct gw_breaker *breaker, const struct gw_breaker_limits *limits,
			    uint64_t now_ns, uint64_t own_ns, bool failed)
{
	if (breaker->open)
		return GW_TRIP_NONE;
	if (now_ns - breaker->window_start_ns >= GW_BREAKER_WINDOW_NS) {
		breaker->window_start_ns = now_ns;
		breaker->own_ns = 0;
		breaker->errors = 0;
	}
	breaker->own_ns += own_ns;
	breaker->errors += failed;
	if (breaker->errors > limits->errors) {
		breaker->open = true;
		return GW_TRIP_ERRORS;
	}
	if (breaker->own_ns > limits->own_ns) {
		breaker->open = true;
		return GW_TRIP_TIME;
	}
	return GW_TRIP_NONE;
}

void gw_breaker_reset(struct gw_breaker *breaker)
{
	memset(breaker, 0, sizeof(*breaker));
}

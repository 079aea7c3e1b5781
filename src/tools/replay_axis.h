// SPDX-License-Identifier: GPL-2.0-or-later
/* Shared by the plots: from values to pixels, ticks and their texts. */
#ifndef GW_TOOLS_REPLAY_AXIS_H
#define GW_TOOLS_REPLAY_AXIS_H

#include "replay_plot.h"

#define GW_TICKS_MAX 16

struct gw_tick {
	double at;
	char text[16];
};

struct gw_scale {
	const struct gw_axis *axis;
	double start, end; /* pixels */
};

double gw_scale_at(const struct gw_scale *scale, double value);

/* Returns how many. room: pixels that one tick's text needs. */
size_t gw_axis_ticks(const struct gw_scale *scale, double room, struct gw_tick ticks[GW_TICKS_MAX]);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plots as inline SVG, for pages that load nothing. Colours are classes of the page's style
 * sheet: s0 to s7 for rows, and those named here.
 */
#ifndef GW_TOOLS_REPLAY_PLOT_H
#define GW_TOOLS_REPLAY_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "../util/str.h"

/* As many rows as can be told apart by colour. */
#define GW_PLOT_COLOURS 8

enum gw_axis_kind {
	GW_AXIS_NUMBER, /* linear, from 0 */
	GW_AXIS_DAYS,   /* linear, seconds shown as days or hours */
	GW_AXIS_WAIT,   /* logarithmic, seconds shown as 1 min, 1 h, 1 d */
};

struct gw_axis {
	enum gw_axis_kind kind;
	const char *title;
	double from, to;
};

/* The least that the axis of waits shows; shorter ones stand at its edge. */
#define GW_WAIT_LEAST 60

struct gw_line {
	const char *name;  /* NULL: no label at its end */
	const char *style; /* class: "s0" */
	const double *x, *y;
	size_t count;
	bool filled; /* down to the axis */
};

struct gw_plot {
	const char *title; /* read out in place of the picture */
	struct gw_axis x, y;
	const struct gw_line *line;
	size_t line_count;
	int width, height;
	bool labels; /* names at the right end of the lines */
};

/* The least upper end of an axis that shows up to value with round ticks. */
double gw_axis_round_up(enum gw_axis_kind kind, double value);

void gw_plot_lines(struct gw_str *page, const struct gw_plot *plot);

/* From one value to another, with a mark at each. */
struct gw_range {
	const char *group; /* lanes of one group stand together under its name */
	const char *name, *style;
	double low, high;
	const char *text; /* beside the high end */
	const char *hover;
};

void gw_plot_ranges(struct gw_str *page, const char *title, const struct gw_axis *axis,
		    const struct gw_range *range, size_t count, int width);

/* Text of a page: markup and bytes that are no text are made harmless. */
void gw_html_escape(struct gw_str *page, const char *text);

#endif

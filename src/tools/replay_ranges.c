// SPDX-License-Identifier: GPL-2.0-or-later
/* Ranges in lanes under one another, in groups, on one axis. */
#include <string.h>

#include "replay_axis.h"
#include "replay_plot.h"

#define GROUP_WIDTH 150
#define TEXT_WIDTH  150
#define LANE_HEIGHT 17
#define GROUP_GAP   12
#define TOP         26
#define BOTTOM      14

static bool begins_group(const struct gw_range *range, size_t i)
{
	return !i || strcmp(range[i].group, range[i - 1].group) != 0;
}

static double height_of(const struct gw_range *range, size_t count)
{
	double height = TOP + BOTTOM;

	for (size_t i = 0; i < count; i++)
		height += LANE_HEIGHT + (i && begins_group(range, i) ? GROUP_GAP : 0);
	return height;
}

static void append_grid(struct gw_str *page, const struct gw_scale *scale, double height)
{
	struct gw_tick ticks[GW_TICKS_MAX];
	size_t count = gw_axis_ticks(scale, 44, ticks);

	for (size_t i = 0; i < count; i++) {
		double x = gw_scale_at(scale, ticks[i].at);

		gw_str_appendf(page,
			       "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%.1f\" "
			       "class=\"grid\"/>\n"
			       "<text x=\"%.1f\" y=\"%d\" class=\"tick mid\">%s</text>\n",
			       x, x, TOP - 8, height - BOTTOM + 4, x, TOP - 13, ticks[i].text);
	}
}

static void append_range(struct gw_str *page, const struct gw_scale *scale,
			 const struct gw_range *range, double y)
{
	double low = gw_scale_at(scale, range->low), high = gw_scale_at(scale, range->high);

	gw_str_append(page, "<g><title>");
	gw_html_escape(page, range->hover);
	gw_str_appendf(page,
		       "</title><line x1=\"%.1f\" x2=\"%.1f\" y1=\"%.1f\" y2=\"%.1f\" "
		       "class=\"range %s\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" "
		       "class=\"hollow %s\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"4.5\" "
		       "class=\"dot %s\"/><text x=\"%.1f\" y=\"%.1f\" class=\"value\">",
		       low, high, y, y, range->style, low, y, range->style, high, y, range->style,
		       high + 9, y + 4);
	gw_html_escape(page, range->text);
	gw_str_append(page, "</text></g>\n");
}

static void append_group(struct gw_str *page, const char *name, double y)
{
	gw_str_appendf(page, "<text x=\"%d\" y=\"%.1f\" class=\"group end\">", GROUP_WIDTH - 14,
		       y + 4);
	gw_html_escape(page, name);
	gw_str_append(page, "</text>\n");
}

void gw_plot_ranges(struct gw_str *page, const char *title, const struct gw_axis *axis,
		    const struct gw_range *range, size_t count, int width)
{
	struct gw_scale scale = {axis, GROUP_WIDTH, width - TEXT_WIDTH};
	double height = height_of(range, count), y = TOP;

	gw_str_appendf(page,
		       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %.0f\" "
		       "role=\"img\" aria-label=\"",
		       width, height);
	gw_html_escape(page, title);
	gw_str_append(page, "\">\n");
	append_grid(page, &scale, height);
	for (size_t i = 0; i < count; i++) {
		if (i && begins_group(range, i))
			y += GROUP_GAP;
		if (begins_group(range, i))
			append_group(page, range[i].group, y + LANE_HEIGHT / 2.0);
		append_range(page, &scale, &range[i], y + LANE_HEIGHT / 2.0);
		y += LANE_HEIGHT;
	}
	gw_str_append(page, "</svg>\n");
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The plots of waits of the page. Of several seeds curves show the first. */
#include <math.h>
#include <stdlib.h>
#include <stdio.h>

#include "replay_page.h"

#define WIDE        1000
#define HALF        480
#define HALF_HEIGHT 250

size_t gw_page_rows(const struct gw_replay *replay)
{
	return replay->row_count < GW_PLOT_COLOURS ? replay->row_count : GW_PLOT_COLOURS;
}

const char *gw_page_row_style(char style[16], const struct gw_replay *replay, size_t row)
{
	bool bound = replay->row[row].policy.place == GW_SIM_PLACE_FUNGIBLE;

	snprintf(style, 16, "s%zu%s", row, bound && !replay->row[row].recorded ? " bound" : "");
	return style;
}

void gw_page_wait(char text[32], double seconds)
{
	if (seconds < 60)
		snprintf(text, 32, "%.0f s", seconds);
	else if (seconds < 2 * 3600)
		snprintf(text, 32, "%.0f min", seconds / 60);
	else if (seconds < 72 * 3600)
		snprintf(text, 32, "%.1f h", seconds / 3600);
	else
		snprintf(text, 32, "%.1f d", seconds / 86400);
}

void gw_page_legend(struct gw_str *page, const struct gw_replay *replay)
{
	char style[16];

	gw_str_append(page, "<ul class=\"legend\">");
	for (size_t i = 0; i < gw_page_rows(replay); i++) {
		gw_str_appendf(
			page,
			"<li><svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 28 12\" "
			"aria-hidden=\"true\"><path d=\"M0 6H28\" class=\"line %s\" "
			"style=\"stroke-width:3\"/></svg>",
			gw_page_row_style(style, replay, i));
		gw_html_escape(page, replay->row[i].label);
		gw_str_append(page, "</li>");
	}
	if (gw_page_rows(replay) < replay->row_count)
		gw_str_appendf(page, "<li class=\"soft\">and %zu rows more in the table alone</li>",
			       replay->row_count - gw_page_rows(replay));
	gw_str_append(page, "</ul>\n");
}

/* One lane: from the median to P95 of one row's jobs of one class and size. */
struct lane {
	char group[96], style[16], text[32], hover[256];
};

static void fill_lane(struct lane *lane, struct gw_range *range, const struct gw_replay *replay,
		      size_t row, size_t class_size)
{
	struct gw_sim_waits waits =
		gw_replay_waits(replay, &replay->row[row], GW_WAITS_CLASS_SIZE, class_size);
	char median[32], longest[32];

	snprintf(lane->group, sizeof(lane->group), "%.60s, %s GPU%s",
		 gw_replay_class_name(&replay->row[row], class_size / GW_SIM_SIZES),
		 gw_sim_size_name(class_size % GW_SIM_SIZES), "s");
	gw_page_wait(lane->text, waits.p95);
	gw_page_wait(median, waits.p50);
	gw_page_wait(longest, waits.max);
	snprintf(lane->hover, sizeof(lane->hover),
		 "%.100s: %zu jobs, median %s, 95th percentile %s, longest %s",
		 replay->row[row].label, waits.count, median, lane->text, longest);
	*range = (struct gw_range){.group = lane->group,
				   .name = replay->row[row].label,
				   .style = gw_page_row_style(lane->style, replay, row),
				   .low = waits.p50,
				   .high = waits.p95,
				   .text = lane->text,
				   .hover = lane->hover};
}

/* Classes of rows with different configurations may differ in number. */
static size_t fill_lanes(const struct gw_replay *replay, struct lane *lane, struct gw_range *range)
{
	size_t count = 0, classes = 0;

	for (size_t i = 0; i < gw_page_rows(replay); i++)
		if (replay->row[i].result->class_count > classes)
			classes = replay->row[i].result->class_count;
	for (size_t k = 0; k < classes * GW_SIM_SIZES; k++)
		for (size_t i = 0; i < gw_page_rows(replay); i++) {
			const struct gw_sim_result *result = replay->row[i].result;

			if (k >= result->class_count * GW_SIM_SIZES ||
			    !result->by_class_size[k].count)
				continue;
			if (range)
				fill_lane(&lane[count], &range[count], replay, i, k);
			count++;
		}
	return count;
}

static int append_ranges(struct gw_str *page, const struct gw_replay *replay)
{
	size_t count = fill_lanes(replay, NULL, NULL);
	struct lane *lane = calloc(count + 1, sizeof(*lane));
	struct gw_range *range = calloc(count + 1, sizeof(*range));
	struct gw_axis axis = {GW_AXIS_WAIT, "", GW_WAIT_LEAST, 0};

	if (lane && range) {
		fill_lanes(replay, lane, range);
		for (size_t i = 0; i < count; i++)
			axis.to = fmax(axis.to, range[i].high);
		axis.to = gw_axis_round_up(GW_AXIS_WAIT, axis.to);
		gw_plot_ranges(page, "Wait by class and size, median to 95th percentile", &axis,
			       range, count, WIDE);
	}
	free(range);
	free(lane);
	return lane && range ? 0 : -1;
}

static double longest_wait(const struct gw_replay *replay)
{
	double longest = 0;

	for (size_t i = 0; i < gw_page_rows(replay); i++)
		for (size_t k = 0; k < GW_SIM_SIZES; k++)
			if (replay->row[i].waits[k].jobs)
				longest = fmax(longest,
					       replay->row[i].waits[k].at[GW_REPLAY_QUANTILES - 1]);
	return gw_axis_round_up(GW_AXIS_WAIT, longest);
}

/* How many of the jobs of one size had started after so long. */
static void append_started(struct gw_str *page, const struct gw_replay *replay, size_t size,
			   double longest)
{
	static const char *const names[GW_SIM_SIZES] = {"1 to 7 GPUs", "8 GPUs", "9 to 31 GPUs",
							"32 GPUs and more"};
	double x[GW_PLOT_COLOURS][GW_REPLAY_QUANTILES], y[GW_REPLAY_QUANTILES];
	struct gw_line lines[GW_PLOT_COLOURS] = {0};
	char styles[GW_PLOT_COLOURS][16];
	struct gw_plot plot = {.title = names[size],
			       .x = {GW_AXIS_WAIT, "wait", GW_WAIT_LEAST, longest},
			       .y = {GW_AXIS_NUMBER, "% of jobs started", 0, 100},
			       .line = lines,
			       .width = HALF,
			       .height = HALF_HEIGHT};

	for (size_t k = 0; k < GW_REPLAY_QUANTILES; k++)
		y[k] = 100.0 * (double)k / (GW_REPLAY_QUANTILES - 1);
	for (size_t i = 0; i < gw_page_rows(replay); i++) {
		const struct gw_replay_quantiles *waits = &replay->row[i].waits[size];

		if (!waits->jobs)
			continue;
		for (size_t k = 0; k < GW_REPLAY_QUANTILES; k++)
			x[i][k] = waits->at[k];
		lines[plot.line_count++] =
			(struct gw_line){.name = replay->row[i].label,
					 .style = gw_page_row_style(styles[i], replay, i),
					 .x = x[i],
					 .y = y,
					 .count = GW_REPLAY_QUANTILES};
	}
	if (!plot.line_count)
		return;
	gw_str_appendf(page, "<div><h3>%s</h3>\n", names[size]);
	gw_plot_lines(page, &plot);
	gw_str_append(page, "</div>\n");
}

int gw_page_waits(struct gw_str *page, const struct gw_replay *replay)
{
	double longest = longest_wait(replay);
	int failed;

	gw_str_append(page, "<h2>Waits</h2>\n<figure><figcaption>Wait by class and size: the open "
			    "mark is the median, the full one with its value the 95th percentile. "
			    "Less than a minute stands at the left edge.</figcaption>\n");
	gw_page_legend(page, replay);
	failed = append_ranges(page, replay);
	gw_str_append(page, "</figure>\n<figure><figcaption>How many jobs had started after so "
			    "long, by size: the higher the better.</figcaption>\n");
	gw_page_legend(page, replay);
	gw_str_append(page, "<div class=\"grid2\">\n");
	for (size_t size = 0; size < GW_SIM_SIZES; size++)
		append_started(page, replay, size, longest);
	gw_str_append(page, "</div></figure>\n");
	return failed;
}

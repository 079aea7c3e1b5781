// SPDX-License-Identifier: GPL-2.0-or-later
/* The plots of the page that have time as their axis. Of several seeds they show the first. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "replay_page.h"

#define WIDE         1000
#define WIDE_HEIGHT  280
#define CELL         330
#define CELL_HEIGHT  190
#define QUEUES_SHOWN 8
#define SHARES_SHOWN 4 /* rows */

/* Middles of bins. NULL when memory is out. */
static double *bin_times(const struct gw_sim_series *series)
{
	double *x = malloc((series->bins + 1) * sizeof(*x));

	for (size_t i = 0; x && i < series->bins; i++)
		x[i] = (double)series->from + ((double)i + 0.5) * (double)series->width;
	return x;
}

static struct gw_axis time_axis(const struct gw_sim_series *series)
{
	double span = (double)series->width * (double)series->bins;
	struct gw_axis axis = {GW_AXIS_DAYS, span < 3 * 86400 ? "hours" : "days",
			       (double)series->from, (double)series->from + span};

	return axis;
}

static double most(const double *values, size_t count, double so_far)
{
	for (size_t i = 0; values && i < count; i++)
		if (values[i] > so_far)
			so_far = values[i];
	return so_far;
}

/* All rows over the same time: the longest of them. */
static const struct gw_sim_series *longest_series(const struct gw_replay *replay)
{
	const struct gw_sim_series *longest = &replay->row[0].result->series;

	for (size_t i = 1; i < gw_page_rows(replay); i++) {
		const struct gw_sim_series *one = &replay->row[i].result->series;

		if ((double)one->width * (double)one->bins >
		    (double)longest->width * (double)longest->bins)
			longest = one;
	}
	return longest;
}

struct over_time {
	const char *title, *caption, *unit;
	size_t offset; /* of a double * in struct gw_sim_series */
};

static const double *values_of(const struct gw_sim_series *series, const struct over_time *what)
{
	const double *values;

	memcpy(&values, (const char *)series + what->offset, sizeof(values));
	return values;
}

static int append_over_time(struct gw_str *page, const struct gw_replay *replay,
			    const struct over_time *what)
{
	struct gw_line lines[GW_PLOT_COLOURS] = {0};
	char styles[GW_PLOT_COLOURS][16];
	double *times[GW_PLOT_COLOURS] = {0}, highest = 0;
	struct gw_plot plot = {.title = what->title,
			       .x = time_axis(longest_series(replay)),
			       .y = {GW_AXIS_NUMBER, what->unit, 0, 0},
			       .line = lines,
			       .line_count = gw_page_rows(replay),
			       .width = WIDE,
			       .height = WIDE_HEIGHT,
			       .labels = true};
	int failed = 0;

	for (size_t i = 0; i < plot.line_count; i++) {
		const struct gw_sim_series *series = &replay->row[i].result->series;
		const double *values = values_of(series, what);

		times[i] = bin_times(series);
		failed |= !times[i];
		highest = most(values, series->bins, highest);
		lines[i] = (struct gw_line){.name = replay->row[i].label,
					    .style = gw_page_row_style(styles[i], replay, i),
					    .x = times[i],
					    .y = values,
					    .count = times[i] && values ? series->bins : 0};
	}
	plot.y.to = gw_axis_round_up(GW_AXIS_NUMBER, highest);
	gw_str_appendf(page, "<figure><h3>%s</h3><figcaption>%s</figcaption>\n", what->title,
		       what->caption);
	gw_plot_lines(page, &plot);
	gw_str_append(page, "</figure>\n");
	for (size_t i = 0; i < plot.line_count; i++)
		free(times[i]);
	return failed ? -1 : 0;
}

int gw_page_series(struct gw_str *page, const struct gw_replay *replay)
{
	static const struct over_time plots[] = {
		{"Stranded GPUs", "Free GPUs on nodes that are partly in use.", "GPUs",
		 offsetof(struct gw_sim_series, stranded)},
		{"Jobs that wait", "All queues together.", "jobs",
		 offsetof(struct gw_sim_series, pending_jobs)},
		{"GPUs that are waited for", "What the waiting jobs ask for, all together.", "GPUs",
		 offsetof(struct gw_sim_series, pending_gpus)},
	};

	gw_str_append(page, "<h2>Over time</h2>\n");
	for (size_t i = 0; i < sizeof(plots) / sizeof(plots[0]); i++)
		if (append_over_time(page, replay, &plots[i]))
			return -1;
	return 0;
}

/* Column queue of an array with queue_count items a bin. */
static double *column(const double *values, const struct gw_sim_series *series, size_t queue)
{
	double *one = malloc((series->bins + 1) * sizeof(*one));

	for (size_t i = 0; one && i < series->bins; i++)
		one[i] = values[i * series->queue_count + queue];
	return one;
}

/* Held over entitled, so that what is missing stays to be seen. */
static int append_share(struct gw_str *page, const struct gw_replay_row *row, size_t queue,
			double highest)
{
	const struct gw_sim_series *series = &row->result->series;
	double *x = bin_times(series), *held = column(series->held, series, queue);
	double *due = column(series->entitled, series, queue);
	int failed = !x || !held || !due;

	if (!failed) {
		const struct gw_line lines[] = {
			{NULL, "short", x, due, series->bins, true},
			{NULL, "held", x, held, series->bins, true},
			{NULL, "due", x, due, series->bins, false},
		};
		struct gw_str title = {0};
		struct gw_plot plot = {.x = time_axis(series),
				       .y = {GW_AXIS_NUMBER, "GPUs", 0, highest},
				       .line = lines,
				       .line_count = 3,
				       .width = CELL,
				       .height = CELL_HEIGHT};

		gw_str_appendf(&title, "GPUs held and entitled to, queue %s under %s",
			       gw_replay_queue_name(row, queue), row->label);
		plot.title = gw_str_text(&title);
		gw_plot_lines(page, &plot);
		gw_str_free(&title);
	}
	free(due);
	free(held);
	free(x);
	return failed ? -1 : 0;
}

/* The queues with the most weight, in the order of the configuration. */
static bool is_shown(const struct gw_replay_row *row, size_t queue)
{
	const struct gw_conf *conf = row->policy.conf;
	size_t before = 0;

	for (size_t i = 0; i < conf->queue_count; i++)
		before += conf->queues[i].weight > conf->queues[queue].weight ||
			  (i < queue && conf->queues[i].weight == conf->queues[queue].weight);
	return before < QUEUES_SHOWN;
}

/* The rows to show: what is compared first, then the others as they come. */
struct shown {
	const struct gw_replay_row *row[SHARES_SHOWN];
	size_t count;
};

static void show(struct shown *shown, const struct gw_replay_row *row)
{
	/* A record without starts has no series. */
	if (!row || shown->count == SHARES_SHOWN || (row->recorded && !row->result->all.count))
		return;
	for (size_t i = 0; i < shown->count; i++)
		if (shown->row[i] == row)
			return;
	shown->row[shown->count++] = row;
}

static struct shown choose_rows(const struct gw_replay *replay)
{
	const struct gw_replay_row *ours = gw_replay_ours(replay);
	struct shown shown = {0};

	show(&shown, gw_replay_baseline(replay));
	show(&shown, ours);
	show(&shown, ours ? gw_replay_bound(replay, ours) : NULL);
	for (size_t i = 0; i < replay->row_count; i++)
		show(&shown, &replay->row[i]);
	return shown;
}

static double highest_share(const struct shown *shown, size_t queue)
{
	double highest = 0;

	for (size_t i = 0; i < shown->count; i++) {
		const struct gw_sim_series *series = &shown->row[i]->result->series;

		for (size_t k = 0; queue < series->queue_count && k < series->bins; k++) {
			size_t at = k * series->queue_count + queue;

			highest = fmax(highest, fmax(series->held[at], series->entitled[at]));
		}
	}
	return gw_axis_round_up(GW_AXIS_NUMBER, highest);
}

static int append_shares_of(struct gw_str *page, const struct shown *shown, size_t queue)
{
	double highest = highest_share(shown, queue);

	for (size_t i = 0; i < shown->count; i++) {
		const struct gw_replay_row *row = shown->row[i];

		if (queue >= row->result->series.queue_count) {
			gw_str_append(page, "<div></div>\n");
			continue;
		}
		gw_str_append(page, "<div><h4>");
		gw_html_escape(page, gw_replay_queue_name(row, queue));
		gw_str_append(page, " · ");
		gw_html_escape(page, row->label);
		gw_str_append(page, "</h4>");
		if (append_share(page, row, queue, highest))
			return -1;
		gw_str_append(page, "</div>\n");
	}
	return 0;
}

int gw_page_shares(struct gw_str *page, const struct gw_replay *replay)
{
	struct shown shown = choose_rows(replay);
	size_t queues = shown.row[0]->result->series.queue_count;

	gw_str_append(page, "<h2>Share against entitlement</h2>\n<figure><figcaption>GPUs that a "
			    "queue holds (area), and what its weight entitles it to while it asks "
			    "for that much (line). Red is what it lacks.");
	if (shown.count < replay->row_count)
		gw_str_appendf(page, " %zu of %zu rows.", shown.count, replay->row_count);
	if (queues > QUEUES_SHOWN)
		gw_str_appendf(page, " The %d queues of %zu with the most weight.", QUEUES_SHOWN,
			       queues);
	gw_str_appendf(page,
		       "</figcaption>\n<div class=\"many\" "
		       "style=\"grid-template-columns:repeat(%zu,minmax(15rem,1fr))\">\n",
		       shown.count);
	for (size_t queue = 0; queue < queues; queue++)
		if (is_shown(shown.row[0], queue) && append_shares_of(page, &shown, queue))
			return -1;
	gw_str_append(page, "</div></figure>\n");
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The tables of the page: the summary, metrics, and gaps. */
#include <math.h>

#include "replay_page.h"

static const char *const headline[] = {"f1", "d", "util", "p95_ge8_h", "p95_high_h", "p95_lt8_h"};
#define HEADLINES (sizeof(headline) / sizeof(headline[0]))

static const char *const headline_text[HEADLINES] = {"GPUs stranded",
						     "unfairness",
						     "utilisation",
						     "8 GPUs and more: P95 wait",
						     "highest class: P95 wait",
						     "1 to 7 GPUs: P95 wait"};

static const char *unit_of(const struct gw_metric *metric)
{
	static const char *const units[] = {
		[GW_METRIC_PART] = "%", [GW_METRIC_HOURS] = "h", [GW_METRIC_WEEKLY] = "a week"};

	return units[metric->unit];
}

/* What all this says of ours against the first peer. */
static void append_card(struct gw_str *page, const struct gw_replay *replay, size_t i,
			const struct gw_replay_row *ours, const struct gw_replay_row *peer)
{
	const struct gw_metric *metric = gw_metric_of(headline[i]);
	double scale = metric->unit == GW_METRIC_PART ? 100 : 1;
	double from = scale * gw_replay_figure(replay, peer, metric).mean;
	double to = scale * gw_replay_figure(replay, ours, metric).mean;
	bool better = gw_metric_more_is_better(metric) ? to > from : to < from;
	const char *style = fabs(to - from) < 0.005 * fabs(from) ? "soft" : better ? "good" : "bad";

	if (isnan(from) || isnan(to))
		return;
	gw_str_appendf(page,
		       "<div class=\"card\"><span>%s</span><b class=\"%s\">%.1f %s</b>"
		       "<span>%.1f %s under ",
		       headline_text[i], style, to, unit_of(metric), from, unit_of(metric));
	gw_html_escape(page, peer->label);
	gw_str_append(page, "</span></div>\n");
}

void gw_page_summary(struct gw_str *page, const struct gw_replay *replay)
{
	const struct gw_replay_row *ours = gw_replay_ours(replay);
	const struct gw_replay_row *peer = gw_replay_baseline(replay);

	if (!peer)
		return;
	gw_str_append(page, "<h2>");
	gw_html_escape(page, ours->label);
	gw_str_append(page, " against ");
	gw_html_escape(page, peer->label);
	gw_str_append(page, "</h2>\n<div class=\"cards\">\n");
	for (size_t i = 0; i < HEADLINES; i++)
		append_card(page, replay, i, ours, peer);
	gw_str_append(page, "</div>\n");
}

static void append_head(struct gw_str *page, const struct gw_metric *metric, const char *unit)
{
	gw_str_append(page, "<th scope=\"col\"><abbr title=\"");
	gw_html_escape(page, metric->title);
	gw_str_appendf(page, "\">%s</abbr><br/><small>%s</small></th>", metric->column, unit);
}

static void append_heads(struct gw_str *page)
{
	gw_str_append(page, "<thead><tr><th scope=\"col\">policy</th>");
	for (size_t i = 0; i < GW_METRIC_COUNT; i++)
		append_head(page, &gw_metrics[i], unit_of(&gw_metrics[i]));
	gw_str_append(page, "</tr></thead>\n");
}

static void append_number(struct gw_str *page, double value)
{
	double size = fabs(value);

	if (isnan(value))
		gw_str_append(page, "–");
	else
		gw_str_appendf(page, "%.*f", size < 9.995 ? 2 : size < 99.95 ? 1 : 0, value);
}

/* Of rows with the same limits and load, the bound and the record aside. */
static bool is_best(const struct gw_replay *replay, const struct gw_replay_row *row,
		    const struct gw_metric *metric)
{
	double ours = gw_replay_figure(replay, row, metric).mean;

	if (row->recorded || row->policy.place == GW_SIM_PLACE_FUNGIBLE || isnan(ours))
		return false;
	for (size_t i = 0; i < replay->row_count; i++) {
		const struct gw_replay_row *other = &replay->row[i];
		double theirs = gw_replay_figure(replay, other, metric).mean;

		if (other->recorded || other->policy.place == GW_SIM_PLACE_FUNGIBLE ||
		    other->limits != row->limits || other->load != row->load || isnan(theirs))
			continue;
		if (gw_metric_more_is_better(metric) ? theirs > ours : theirs < ours)
			return false;
	}
	return true;
}

static void append_figure(struct gw_str *page, const struct gw_replay *replay,
			  const struct gw_replay_row *row, const struct gw_metric *metric)
{
	struct gw_figure figure = gw_replay_figure(replay, row, metric);
	double scale = metric->unit == GW_METRIC_PART ? 100 : 1;

	gw_str_append(page, is_best(replay, row, metric) ? "<td class=\"best\">" : "<td>");
	append_number(page, scale * figure.mean);
	if (!isnan(figure.sd)) {
		gw_str_append(page, "<br/><small>±");
		append_number(page, scale * figure.sd);
		gw_str_append(page, "</small>");
	}
	gw_str_append(page, "</td>");
}

void gw_page_metrics(struct gw_str *page, const struct gw_replay *replay)
{
	gw_str_append(page, "<h2>Metrics</h2>\n<p class=\"soft\">Point at a title for what it "
			    "means. The best of each column is bold; the pool is a bound that no "
			    "placement reaches. Waits are from eligible to start.");
	if (replay->seed_count > 1)
		gw_str_append(page, " Below each mean: the standard deviation over seeds.");
	gw_str_append(page, "</p>\n<div class=\"wide\"><table>");
	append_heads(page);
	gw_str_append(page, "<tbody>\n");
	for (size_t i = 0; i < replay->row_count; i++) {
		gw_str_append(page, "<tr><th scope=\"row\">");
		gw_html_escape(page, replay->row[i].label);
		gw_str_append(page, "</th>");
		for (size_t k = 0; k < GW_METRIC_COUNT; k++)
			append_figure(page, replay, &replay->row[i], &gw_metrics[k]);
		gw_str_append(page, "</tr>\n");
	}
	gw_str_append(page, "</tbody></table></div>\n");
}

static void append_gap_heads(struct gw_str *page)
{
	gw_str_append(page, "<thead><tr><th scope=\"col\">ours</th>");
	for (size_t i = 0; i < GW_METRIC_COUNT; i++)
		if (gw_metric_has_gap(&gw_metrics[i]))
			append_head(page, &gw_metrics[i], "%");
	append_head(page, gw_metric_of("p95_lt8_h"), "h, ours (peer)");
	append_head(page, gw_metric_of("mean_low_h"), "h, ours (peer)");
	gw_str_append(page, "</tr></thead>\n");
}

static void append_price(struct gw_str *page, const struct gw_replay *replay,
			 const struct gw_replay_row *ours, const struct gw_replay_row *peer,
			 const char *key)
{
	double at = gw_replay_figure(replay, ours, gw_metric_of(key)).mean;
	double from = gw_replay_figure(replay, peer, gw_metric_of(key)).mean;

	gw_str_append(page, "<td>");
	append_number(page, at);
	gw_str_append(page, " <small>(");
	append_number(page, from);
	gw_str_append(page, ")</small></td>");
}

static void append_gap(struct gw_str *page, const struct gw_replay *replay,
		       const struct gw_replay_row *ours, const struct gw_replay_row *peer,
		       const struct gw_replay_row *bound)
{
	gw_str_append(page, "<tr><th scope=\"row\">");
	gw_html_escape(page, ours->label);
	gw_str_append(page, " <small>from ");
	gw_html_escape(page, peer->label);
	gw_str_append(page, "</small></th>");
	for (size_t i = 0; i < GW_METRIC_COUNT; i++) {
		double part = gw_gap_closed(replay, ours, peer, bound, &gw_metrics[i]);

		if (!gw_metric_has_gap(&gw_metrics[i]))
			continue;
		if (isnan(part))
			gw_str_append(page, "<td>–</td>");
		else
			gw_str_appendf(page, "<td class=\"%s\">%.0f</td>",
				       part < -0.005  ? "bad"
				       : part > 0.005 ? "good"
						      : "soft",
				       round(100 * part) + 0.0);
	}
	append_price(page, replay, ours, peer, "p95_lt8_h");
	append_price(page, replay, ours, peer, "mean_low_h");
	gw_str_append(page, "</tr>\n");
}

static void open_gaps(struct gw_str *page)
{
	gw_str_append(page,
		      "<h2>Gap closed</h2>\n<p class=\"soft\">How far ours comes from the "
		      "peer to the pool, (peer − ours)/(peer − pool): 100 % is as good as GPUs "
		      "without nodes; – where the pool is no better than the peer. Beside it "
		      "what small and low-class jobs wait.</p>\n"
		      "<div class=\"wide\"><table>");
	append_gap_heads(page);
	gw_str_append(page, "<tbody>\n");
}

void gw_page_gaps(struct gw_str *page, const struct gw_replay *replay)
{
	bool open = false;

	for (size_t i = 0; i < replay->row_count; i++) {
		const struct gw_replay_row *ours = &replay->row[i];
		const struct gw_replay_row *bound = gw_replay_bound(replay, ours);

		for (size_t k = 0; bound && gw_replay_is_ours(ours) && k < replay->row_count; k++) {
			if (!gw_replay_is_peer(ours, &replay->row[k]))
				continue;
			if (!open)
				open_gaps(page);
			open = true;
			append_gap(page, replay, ours, &replay->row[k], bound);
		}
	}
	if (open)
		gw_str_append(page, "</tbody></table></div>\n");
}

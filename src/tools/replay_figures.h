// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures over seeds: the metrics by name, mean and spread, and how much of a gap is closed. */
#ifndef GW_TOOLS_REPLAY_FIGURES_H
#define GW_TOOLS_REPLAY_FIGURES_H

#include "replay.h"

/* NaN: nothing to measure it on; sd is NaN with less than two seeds. */
struct gw_figure {
	double mean, sd;
};

enum gw_metric_unit {
	GW_METRIC_PART, /* 0 to 1; shown as percent */
	GW_METRIC_HOURS,
	GW_METRIC_WEEKLY,
};

struct gw_metric {
	const char *key;    /* in JSON */
	const char *column; /* in tables */
	const char *title;  /* in plain words */
	size_t offset;      /* in struct gw_sim_metrics */
	enum gw_metric_unit unit;
};

#define GW_METRIC_COUNT 15
extern const struct gw_metric gw_metrics[GW_METRIC_COUNT];

/* The metric of this JSON key. */
const struct gw_metric *gw_metric_of(const char *key);

bool gw_metric_more_is_better(const struct gw_metric *metric);
/* Whether gaps are counted in it. Not of small and low-class jobs: they pay for the rest, and what
 * they pay always stands beside the gaps. */
bool gw_metric_has_gap(const struct gw_metric *metric);

/* Of count numbers, NaN left out. */
struct gw_figure gw_figure_of(const double *numbers, size_t count);

/* How many results a row has. */
size_t gw_replay_results(const struct gw_replay *replay, const struct gw_replay_row *row);

struct gw_figure gw_replay_figure(const struct gw_replay *replay, const struct gw_replay_row *row,
				  const struct gw_metric *metric);

/* Means over seeds of waits that are at offset in the result, as a pointer, at index. */
enum gw_waits_of {
	GW_WAITS_ALL,
	GW_WAITS_CLASS,
	GW_WAITS_QUEUE,
	GW_WAITS_SIZE,
	GW_WAITS_CLASS_SIZE,
};
struct gw_sim_waits gw_replay_waits(const struct gw_replay *replay, const struct gw_replay_row *row,
				    enum gw_waits_of of, size_t index);

/* How much of the way from peer to the bound ours has gone: 1 is all; NaN: there is no
 * way, or the bound is not better than the peer. */
double gw_gap_closed(const struct gw_replay *replay, const struct gw_replay_row *ours,
		     const struct gw_replay_row *peer, const struct gw_replay_row *bound,
		     const struct gw_metric *metric);

/* The fungible pool run under the same limits and load, or NULL. */
const struct gw_replay_row *gw_replay_bound(const struct gw_replay *replay,
					    const struct gw_replay_row *ours);
/* The row that the page is about, the first of ours, and what it is held against: stock, else the
 * first peer. NULL: there is none. */
const struct gw_replay_row *gw_replay_ours(const struct gw_replay *replay);
const struct gw_replay_row *gw_replay_baseline(const struct gw_replay *replay);
bool gw_replay_is_ours(const struct gw_replay_row *row);
/* A row to compare ours with: not ours, not the bound, under the same limits and load. */
bool gw_replay_is_peer(const struct gw_replay_row *ours, const struct gw_replay_row *row);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay_figures.h"

#include <math.h>
#include <string.h>

#define METRIC(name) offsetof(struct gw_sim_metrics, name)

const struct gw_metric gw_metrics[GW_METRIC_COUNT] = {
	{"f1", "F1", "stranded: free GPUs on partly used nodes, while somebody waits", METRIC(f1),
	 GW_METRIC_PART},
	{"f2", "F2",
	 "blocked by shape: free GPUs while a job that quota allows would fit in their "
	 "number, but not on the nodes",
	 METRIC(f2), GW_METRIC_PART},
	{"f3", "F3", "fragmentation as FGD counts it", METRIC(f3), GW_METRIC_PART},
	{"d", "D", "fairness deviation: GPUs that queues have less than they are entitled to",
	 METRIC(d), GW_METRIC_PART},
	{"d7", "D7", "the same, over windows of seven days", METRIC(d7), GW_METRIC_PART},
	{"util", "Util", "GPUs in use while somebody waits", METRIC(util), GW_METRIC_PART},
	{"p95_ge8_h", "P95Ge8", "wait of jobs of 8 GPUs and more: 95th percentile",
	 METRIC(p95_ge8_h), GW_METRIC_HOURS},
	{"max_ge8_h", "MaxGe8", "wait of jobs of 8 GPUs and more: the longest", METRIC(max_ge8_h),
	 GW_METRIC_HOURS},
	{"p95_high_h", "P95High", "wait of the highest class: 95th percentile", METRIC(p95_high_h),
	 GW_METRIC_HOURS},
	{"max_high_h", "MaxHigh", "wait of the highest class: the longest", METRIC(max_high_h),
	 GW_METRIC_HOURS},
	{"p95_lt8_h", "P95Lt8", "wait of jobs of 1 to 7 GPUs: 95th percentile", METRIC(p95_lt8_h),
	 GW_METRIC_HOURS},
	{"mean_low_h", "MeanLow", "wait of the lowest class: mean", METRIC(mean_low_h),
	 GW_METRIC_HOURS},
	{"mean_h", "Mean", "wait of all jobs: mean", METRIC(mean_h), GW_METRIC_HOURS},
	{"p99_h", "P99", "wait of all jobs: 99th percentile", METRIC(p99_h), GW_METRIC_HOURS},
	{"interventions", "Interv",
	 "times a week that somebody would step in: a job of the highest class waits over 12 h "
	 "while as many GPUs start for lower ones, or a team is 50 % below its share for a day",
	 METRIC(interventions), GW_METRIC_WEEKLY},
};

const struct gw_metric *gw_metric_of(const char *key)
{
	for (size_t i = 0; i < GW_METRIC_COUNT; i++)
		if (!strcmp(gw_metrics[i].key, key))
			return &gw_metrics[i];
	return NULL;
}

bool gw_metric_more_is_better(const struct gw_metric *metric)
{
	return metric->offset == METRIC(util);
}

bool gw_metric_has_gap(const struct gw_metric *metric)
{
	return metric->offset != METRIC(p95_lt8_h) && metric->offset != METRIC(mean_low_h) &&
	       metric->offset != METRIC(interventions);
}

struct gw_figure gw_figure_of(const double *numbers, size_t count)
{
	struct gw_figure figure = {NAN, NAN};
	double sum = 0, squares = 0;
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		if (isnan(numbers[i]))
			continue;
		sum += numbers[i];
		known++;
	}
	if (!known)
		return figure;
	figure.mean = sum / (double)known;
	for (size_t i = 0; i < count; i++)
		if (!isnan(numbers[i]))
			squares += (numbers[i] - figure.mean) * (numbers[i] - figure.mean);
	if (known > 1)
		figure.sd = sqrt(squares / (double)(known - 1));
	return figure;
}

size_t gw_replay_results(const struct gw_replay *replay, const struct gw_replay_row *row)
{
	return row->recorded ? 1 : replay->seed_count;
}

struct gw_figure gw_replay_figure(const struct gw_replay *replay, const struct gw_replay_row *row,
				  const struct gw_metric *metric)
{
	size_t count = gw_replay_results(replay, row);
	double numbers[count];

	for (size_t i = 0; i < count; i++)
		memcpy(&numbers[i], (const char *)&row->result[i].metrics + metric->offset,
		       sizeof(numbers[i]));
	return gw_figure_of(numbers, count);
}

static const struct gw_sim_waits *waits_of(const struct gw_sim_result *result, enum gw_waits_of of,
					   size_t index)
{
	switch (of) {
	case GW_WAITS_CLASS:
		return &result->by_class[index];
	case GW_WAITS_QUEUE:
		return &result->by_queue[index];
	case GW_WAITS_SIZE:
		return &result->by_size[index];
	case GW_WAITS_CLASS_SIZE:
		return &result->by_class_size[index];
	case GW_WAITS_ALL:
		break;
	}
	return &result->all;
}

struct gw_sim_waits gw_replay_waits(const struct gw_replay *replay, const struct gw_replay_row *row,
				    enum gw_waits_of of, size_t index)
{
	size_t results = gw_replay_results(replay, row), known = 0;
	struct gw_sim_waits mean = {0};

	for (size_t i = 0; i < results; i++) {
		const struct gw_sim_waits *one = waits_of(&row->result[i], of, index);

		if (!one->count)
			continue;
		known++;
		mean.count += one->count;
		mean.mean += one->mean;
		mean.p50 += one->p50;
		mean.p95 += one->p95;
		mean.p99 += one->p99;
		mean.max += one->max;
	}
	if (!known)
		return mean;
	mean.count = (mean.count + known / 2) / known;
	mean.mean /= (double)known;
	mean.p50 /= (double)known;
	mean.p95 /= (double)known;
	mean.p99 /= (double)known;
	mean.max /= (double)known;
	return mean;
}

/* A bound this little better than the peer is none: what is left of the gap would be noise. */
#define LEAST_GAP 0.02

double gw_gap_closed(const struct gw_replay *replay, const struct gw_replay_row *ours,
		     const struct gw_replay_row *peer, const struct gw_replay_row *bound,
		     const struct gw_metric *metric)
{
	double from = gw_replay_figure(replay, peer, metric).mean;
	double at = gw_replay_figure(replay, ours, metric).mean;
	double to = gw_replay_figure(replay, bound, metric).mean;
	double way = gw_metric_more_is_better(metric) ? to - from : from - to;

	return way > LEAST_GAP * fabs(from) ? (from - at) / (from - to) : NAN;
}

static bool same_variant(const struct gw_replay_row *a, const struct gw_replay_row *b)
{
	return a->limits == b->limits && a->load == b->load;
}

bool gw_replay_is_ours(const struct gw_replay_row *row)
{
	return !row->recorded && row->policy.order == GW_SIM_ORDER_GANGWAY &&
	       row->policy.place == GW_SIM_PLACE_GANGWAY;
}

const struct gw_replay_row *gw_replay_bound(const struct gw_replay *replay,
					    const struct gw_replay_row *ours)
{
	for (size_t i = 0; i < replay->row_count; i++) {
		const struct gw_replay_row *row = &replay->row[i];

		if (!row->recorded && row->policy.place == GW_SIM_PLACE_FUNGIBLE &&
		    same_variant(row, ours))
			return row;
	}
	return NULL;
}

bool gw_replay_is_peer(const struct gw_replay_row *ours, const struct gw_replay_row *row)
{
	return !row->recorded && !gw_replay_is_ours(row) &&
	       row->policy.place != GW_SIM_PLACE_FUNGIBLE && same_variant(row, ours);
}

const struct gw_replay_row *gw_replay_ours(const struct gw_replay *replay)
{
	for (size_t i = 0; i < replay->row_count; i++)
		if (gw_replay_is_ours(&replay->row[i]))
			return &replay->row[i];
	return NULL;
}

const struct gw_replay_row *gw_replay_baseline(const struct gw_replay *replay)
{
	const struct gw_replay_row *ours = gw_replay_ours(replay), *found = NULL;

	for (size_t i = 0; ours && i < replay->row_count; i++) {
		const struct gw_replay_row *row = &replay->row[i];

		if (gw_replay_is_peer(ours, row) && (!found || gw_same(row->name, "stock")))
			found = row;
	}
	return found;
}

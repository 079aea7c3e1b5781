// SPDX-License-Identifier: GPL-2.0-or-later
#include "usage.h"

#include <slurm/slurm.h>
#include <stdlib.h>
#include <string.h>

#include "../acct/history.h"
#include "../util/file.h"

static int add_row(struct gw_usage *usage, const char *queue, const char *account,
		   const char *flavor, double used, double held, struct gw_error *error)
{
	struct gw_usage_row *rows = gw_array_room(usage->row, usage->count, sizeof(*rows));
	struct gw_usage_row *row;

	if (!rows)
		return gw_error_memory(error);
	usage->row = rows;
	row = &rows[usage->count++];
	row->queue = gw_strdup(queue);
	row->account = gw_strdup(account);
	row->flavor = gw_strdup(flavor);
	row->usage = used;
	row->held = held;
	return row->queue && row->account && row->flavor ? 0 : gw_error_memory(error);
}

static int add_lines(const struct gw_view *view, struct gw_usage *usage, struct gw_error *error)
{
	int failed = 0;

	for (size_t i = 0; !failed && i < view->line_count; i++) {
		const struct gw_view_line *line = &view->line[i];
		const struct gw_view_queue *queue = gw_view_queue(view, line->queue);

		failed =
			add_row(usage, line->queue, queue ? queue->account : "-",
				*line->flavor ? line->flavor : "-", line->usage, line->held, error);
	}
	return failed;
}

int gw_usage_of_view(const struct gw_view *view, struct gw_usage *usage, struct gw_error *error)
{
	int failed = 0;

	usage->at = view->written;
	if (view->line_count)
		return add_lines(view, usage, error);
	for (size_t i = 0; !failed && i < view->queue_count; i++) {
		const struct gw_view_queue *queue = &view->queue[i];

		if (gw_view_queue(view, queue->name) == queue)
			failed = add_row(usage, queue->name, queue->account, "", queue->usage,
					 queue->held, error);
	}
	return failed;
}

/* A row for every line that was ever used. */
static int add_ledger(const struct gw_ledger *ledger, const struct gw_conf *conf, int64_t now,
		      struct gw_usage *usage, struct gw_error *error)
{
	size_t lines = gw_lines(conf);
	double *used = calloc(lines + 1, sizeof(*used)), *held = calloc(lines + 1, sizeof(*held));
	int failed = used && held ? 0 : gw_error_memory(error);

	if (!failed)
		gw_ledger_lines(ledger, now, used, held);
	for (size_t i = 0; !failed && i < lines; i++) {
		const struct gw_queue *queue = &conf->queues[i / (conf->flavor_count + 1)];
		size_t flavor = i % (conf->flavor_count + 1);

		if (used[i] > 0 || held[i] > 0)
			failed = add_row(usage, queue->name, queue->account,
					 flavor < conf->flavor_count ? conf->flavors[flavor].name
								     : "-",
					 used[i], held[i], error);
	}
	free(used);
	free(held);
	return failed;
}

static int load_ledger(const char *path, struct gw_ledger *ledger, struct gw_error *error)
{
	char *text = NULL;
	int failed = gw_file_read(path, &text, error);

	if (!failed && gw_ledger_load(ledger, text, error))
		failed = gw_error_prefix(error, "%s: ", path);
	free(text);
	return failed;
}

int gw_usage_of_ledger(const char *path, const struct gw_conf *conf, int64_t now,
		       struct gw_usage *usage, struct gw_error *error)
{
	struct gw_ledger *ledger = gw_ledger_new(conf, error);
	int failed = !ledger || load_ledger(path, ledger, error);

	usage->at = now;
	if (!failed)
		failed = add_ledger(ledger, conf, now, usage, error);
	gw_ledger_free(ledger);
	return failed ? -1 : 0;
}

static int32_t index_of(const struct gw_conf *conf, const char *flavor)
{
	for (size_t i = 0; i < conf->flavor_count; i++)
		if (gw_same(conf->flavors[i].name, flavor))
			return (int32_t)i;
	return GW_INDEX_NONE;
}

static int32_t queue_index(const struct gw_conf *conf, const char *queue)
{
	for (size_t i = 0; i < conf->queue_count; i++)
		if (gw_same(conf->queues[i].name, queue))
			return (int32_t)i;
	return GW_INDEX_NONE;
}

static bool row_has(const struct gw_usage_row *row, const struct gw_conf *conf,
		    const struct gw_run *run)
{
	return queue_index(conf, row->queue) == run->queue &&
	       (!*row->flavor || index_of(conf, row->flavor) == run->flavor);
}

static void add_gpus(const struct gw_history *history, const struct gw_conf *conf, int64_t since,
		     struct gw_usage *usage)
{
	for (size_t i = 0; i < history->count; i++) {
		const struct gw_history_run *run = &history->run[i];
		double seconds = gw_history_gpu_seconds(run, since, usage->at);

		if (run->run.queue == GW_INDEX_NONE)
			usage->other_gpus += seconds;
		for (size_t k = 0; run->run.queue >= 0 && k < usage->count; k++)
			if (row_has(&usage->row[k], conf, &run->run))
				usage->row[k].gpu_seconds += seconds;
	}
}

/* Every line that the records know has a row; of a row of all flavors, that one is enough. */
static int add_missing(const struct gw_history *history, const struct gw_conf *conf,
		       struct gw_usage *usage, struct gw_error *error)
{
	int failed = 0;

	for (size_t i = 0; !failed && i < history->count; i++) {
		const struct gw_run *run = &history->run[i].run;
		bool found = run->queue == GW_INDEX_NONE || run->rate <= 0;

		for (size_t k = 0; !found && k < usage->count; k++)
			found = row_has(&usage->row[k], conf, run);
		if (!found)
			failed = add_row(usage, conf->queues[run->queue].name,
					 conf->queues[run->queue].account,
					 run->flavor == GW_INDEX_NONE
						 ? "-"
						 : conf->flavors[run->flavor].name,
					 0, 0, error);
	}
	return failed;
}

/* Which pauses a record had is not known, only how long: they are taken to come first. */
static int fill_ledger(const struct gw_history *history, int64_t now, struct gw_ledger *ledger,
		       struct gw_error *error)
{
	int failed = 0;

	for (size_t i = 0; !failed && i < history->count; i++) {
		struct gw_run run = history->run[i].run;

		run.start += history->run[i].suspended;
		if (run.end > now)
			run.end = 0;
		if (run.queue != GW_INDEX_NONE && run.start < now &&
		    (!run.end || run.end > run.start))
			failed = gw_ledger_add(ledger, &run, now, error);
	}
	return failed;
}

static void recompute_row(const struct gw_ledger *ledger, const struct gw_conf *conf, int64_t now,
			  struct gw_usage_row *row)
{
	int32_t queue = queue_index(conf, row->queue);

	if (queue == GW_INDEX_NONE)
		return;
	if (*row->flavor) {
		row->recomputed = gw_ledger_usage(ledger, queue, index_of(conf, row->flavor), now);
		return;
	}
	for (int32_t flavor = GW_INDEX_NONE; flavor < (int32_t)conf->flavor_count; flavor++)
		row->recomputed += gw_ledger_usage(ledger, queue, flavor, now);
}

static int recompute(const struct gw_history *history, const struct gw_conf *conf,
		     struct gw_usage *usage, struct gw_error *error)
{
	struct gw_ledger *ledger = gw_ledger_new(conf, error);
	int failed = !ledger || fill_ledger(history, usage->at, ledger, error);

	for (size_t i = 0; !failed && i < usage->count; i++)
		recompute_row(ledger, conf, usage->at, &usage->row[i]);
	gw_ledger_free(ledger);
	return failed ? -1 : 0;
}

int gw_usage_add_history(const struct gw_site *site, const struct gw_conf *conf, int64_t since,
			 struct gw_usage *usage, struct gw_error *error)
{
	const char *cluster = gw_slurm_value(&site->slurm, "ClusterName", "cluster");
	struct gw_history history;
	int failed;

	setenv("SLURM_CONF", site->places.slurm_conf, 1);
	slurm_init(site->places.slurm_conf);
	if (gw_history_load(conf, cluster, since, usage->at, &history, error))
		return -1;
	failed = add_missing(&history, conf, usage, error) ||
		 recompute(&history, conf, usage, error);
	if (!failed)
		add_gpus(&history, conf, since, usage);
	usage->has_history = !failed;
	gw_history_free(&history);
	return failed ? -1 : 0;
}

void gw_usage_free(struct gw_usage *usage)
{
	for (size_t i = 0; i < usage->count; i++) {
		free(usage->row[i].queue);
		free(usage->row[i].account);
		free(usage->row[i].flavor);
	}
	free(usage->row);
	*usage = (struct gw_usage){0};
}

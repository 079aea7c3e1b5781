// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway replay as tables. */
#include <math.h>
#include <string.h>

#include "replay_diff.h"
#include "replay_figures.h"
#include "slurm_conf.h"
#include "trace_file.h"

#define DAY 86400.0

/* As gw_metrics has them. */
#define METRIC_COLUMNS                                                                             \
	"F1", "F2", "F3", "D", "D7", "Util", "P95Ge8", "MaxGe8", "P95High", "MaxHigh", "P95Lt8",   \
		"MeanLow", "Mean", "P99", "Interv"

static const char *const columns[] = {"Policy", METRIC_COLUMNS, NULL};
/* For programs: spreads have columns of their own. */
static const char *const spread_columns[] = {
	"Policy",   METRIC_COLUMNS, "F1Sd",     "F2Sd",     "F3Sd",      "DSd",
	"D7Sd",     "UtilSd",       "P95Ge8Sd", "MaxGe8Sd", "P95HighSd", "MaxHighSd",
	"P95Lt8Sd", "MeanLowSd",    "MeanSd",   "P99Sd",    "IntervSd",  NULL};
/* Columns that say what a row is of; the others are figures. */
#define ROW_NAMES "Policy,Ours,Peer,Class,Gpus,Queue"

static const char *const gap_columns[] = {
	"Ours",       "Peer",       "F1Gap",       "F2Gap",       "F3Gap",      "DGap",    "D7Gap",
	"UtilGap",    "P95Ge8Gap",  "MaxGe8Gap",   "P95HighGap",  "MaxHighGap", "MeanGap", "P99Gap",
	"OursP95Lt8", "PeerP95Lt8", "OursMeanLow", "PeerMeanLow", NULL};
static const char *const class_columns[] = {"Class", "Gpus", "Policy", "Jobs", "MeanH",
					    "P50H",  "P95H", "P99H",   "MaxH", NULL};
static const char *const queue_columns[] = {"Queue", "Weight", "Policy", "Jobs", "MeanH",
					    "P50H",  "P95H",   "P99H",   "MaxH", NULL};

bool gw_replay_formats(const struct gw_command *command, const struct gw_output *output)
{
	const char *const *const tables[] = {columns,
					     spread_columns,
					     gap_columns,
					     class_columns,
					     queue_columns,
					     gw_replay_diff_job_columns,
					     gw_replay_diff_pool_columns};

	return gw_format_check(command, output, tables, sizeof(tables) / sizeof(tables[0]));
}

static double shown(const struct gw_metric *metric, double value)
{
	return metric->unit == GW_METRIC_PART ? 100 * value : value;
}

/* Three digits and more where it matters, never an exponent. */
static void number(char text[32], double value)
{
	if (isnan(value))
		strcpy(text, "-");
	else
		snprintf(text, 32, "%.*f",
			 fabs(value) < 9.995   ? 2
			 : fabs(value) < 99.95 ? 1
					       : 0,
			 value);
}

static void figure_cell(struct gw_table *table, const struct gw_metric *metric,
			struct gw_figure figure)
{
	char mean[32], sd[32];

	number(mean, shown(metric, figure.mean));
	number(sd, shown(metric, figure.sd));
	if (isnan(figure.sd))
		gw_table_cell(table, mean);
	else
		gw_table_cellf(table, "%s ±%s", mean, sd);
}

static void exact_cell(struct gw_table *table, double value)
{
	if (isnan(value))
		gw_table_cell(table, "-");
	else
		gw_table_cellf(table, "%.6g", value);
}

static void add_figures(struct gw_table *table, const struct gw_replay *replay,
			const struct gw_replay_row *row)
{
	for (size_t i = 0; i < GW_METRIC_COUNT; i++)
		figure_cell(table, &gw_metrics[i], gw_replay_figure(replay, row, &gw_metrics[i]));
}

static void add_exact_figures(struct gw_table *table, const struct gw_replay *replay,
			      const struct gw_replay_row *row)
{
	for (int spread = 0; spread < 2; spread++)
		for (size_t i = 0; i < GW_METRIC_COUNT; i++) {
			const struct gw_metric *metric = &gw_metrics[i];
			struct gw_figure figure = gw_replay_figure(replay, row, metric);

			exact_cell(table, shown(metric, spread ? figure.sd : figure.mean));
		}
}

/* Whether a format wants figures of a table, not only names of its rows; without one, all. */
static bool wants(const char *format, const struct gw_table *table)
{
	for (size_t i = 0; format && table->columns[i]; i++)
		if (!gw_list_has(ROW_NAMES, table->columns[i]) &&
		    gw_list_has(format, table->columns[i]))
			return true;
	return !format;
}

static bool print_table(struct gw_table *table, const struct gw_output *output, const char *title)
{
	bool good = !table->failed;
	bool plain = !output->parsable && !output->format && !output->no_header;

	if (good && table->cells.count && wants(output->format, table)) {
		if (plain && title)
			printf("\n%s\n", title);
		gw_table_print(table, output, stdout);
	}
	gw_table_free(table);
	return good;
}

/* Whether a format has columns of spreads. */
static bool names_spread(const char *format)
{
	for (size_t i = 0; format && spread_columns[i]; i++) {
		size_t length = strlen(spread_columns[i]);

		if (length > 2 && !strcmp(spread_columns[i] + length - 2, "Sd") &&
		    gw_list_has(format, spread_columns[i]))
			return true;
	}
	return false;
}

static bool print_metrics(const struct gw_replay *replay, const struct gw_output *output)
{
	bool exact = output->parsable || names_spread(output->format);
	struct gw_table table = {.columns = exact ? spread_columns : columns};

	for (size_t i = 0; i < replay->row_count; i++) {
		gw_table_cell(&table, replay->row[i].label);
		if (exact)
			add_exact_figures(&table, replay, &replay->row[i]);
		else
			add_figures(&table, replay, &replay->row[i]);
	}
	return print_table(&table, output, NULL);
}

/* What small and low-class jobs pay, or gain. */
static void add_price(struct gw_table *table, const struct gw_replay *replay,
		      const struct gw_replay_row *ours, const struct gw_replay_row *peer,
		      const char *key)
{
	char text[32];

	number(text, gw_replay_figure(replay, ours, gw_metric_of(key)).mean);
	gw_table_cell(table, text);
	number(text, gw_replay_figure(replay, peer, gw_metric_of(key)).mean);
	gw_table_cell(table, text);
}

static void add_gap(struct gw_table *table, const struct gw_replay *replay,
		    const struct gw_replay_row *ours, const struct gw_replay_row *peer,
		    const struct gw_replay_row *bound)
{
	gw_table_cell(table, ours->label);
	gw_table_cell(table, peer->label);
	for (size_t i = 0; i < GW_METRIC_COUNT; i++) {
		double part = 100 * gw_gap_closed(replay, ours, peer, bound, &gw_metrics[i]);

		if (!gw_metric_has_gap(&gw_metrics[i]))
			continue;
		if (isnan(part))
			gw_table_cell(table, "-");
		else
			gw_table_cellf(table, "%.0f", round(part) + 0.0);
	}
	add_price(table, replay, ours, peer, "p95_lt8_h");
	add_price(table, replay, ours, peer, "mean_low_h");
}

static bool print_gaps(const struct gw_replay *replay, const struct gw_output *output)
{
	struct gw_table table = {.columns = gap_columns};

	for (size_t i = 0; i < replay->row_count; i++) {
		const struct gw_replay_row *ours = &replay->row[i];
		const struct gw_replay_row *bound = gw_replay_bound(replay, ours);

		if (!bound || !gw_replay_is_ours(ours))
			continue;
		for (size_t k = 0; k < replay->row_count; k++)
			if (gw_replay_is_peer(ours, &replay->row[k]))
				add_gap(&table, replay, ours, &replay->row[k], bound);
	}
	return print_table(&table, output,
			   "gap closed, percent: (peer - ours)/(peer - pool), where the pool is "
			   "better; beside it what small and low-class jobs wait, hours");
}

static void add_waits(struct gw_table *table, struct gw_sim_waits waits)
{
	const double seconds[] = {waits.mean, waits.p50, waits.p95, waits.p99, waits.max};

	gw_table_cellf(table, "%zu", waits.count);
	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		if (waits.count)
			gw_table_cellf(table, "%.2f", seconds[i] / 3600);
		else
			gw_table_cell(table, "-");
	}
}

const char *gw_replay_class_name(const struct gw_replay_row *row, size_t class_index)
{
	const struct gw_conf *conf = row->policy.conf;

	return class_index < conf->class_count ? conf->classes[class_index].name : "none";
}

const char *gw_replay_queue_name(const struct gw_replay_row *row, size_t queue)
{
	return row->policy.conf->queues[queue].name;
}

/* Rows under different configurations may have different classes and queues. */
static size_t most_of(const struct gw_replay *replay, bool classes)
{
	size_t most = 0;

	for (size_t i = 0; i < replay->row_count; i++) {
		const struct gw_sim_result *result = replay->row[i].result;
		size_t count = classes ? result->class_count : result->queue_count;

		if (count > most)
			most = count;
	}
	return most;
}

static bool print_classes(const struct gw_replay *replay, const struct gw_output *output)
{
	struct gw_table table = {.columns = class_columns};
	size_t count = most_of(replay, true) * GW_SIM_SIZES;

	for (size_t at = 0; at < count * replay->row_count; at++) {
		const struct gw_replay_row *row = &replay->row[at % replay->row_count];
		size_t k = at / replay->row_count;

		if (k >= row->result->class_count * GW_SIM_SIZES)
			continue;
		gw_table_cell(&table, gw_replay_class_name(row, k / GW_SIM_SIZES));
		gw_table_cell(&table, gw_sim_size_name(k % GW_SIM_SIZES));
		gw_table_cell(&table, row->label);
		add_waits(&table, gw_replay_waits(replay, row, GW_WAITS_CLASS_SIZE, k));
	}
	return print_table(&table, output, "waits by class and GPUs, hours from eligible to start");
}

static bool print_queues(const struct gw_replay *replay, const struct gw_output *output)
{
	struct gw_table table = {.columns = queue_columns};
	size_t count = most_of(replay, false);

	for (size_t at = 0; at < count * replay->row_count; at++) {
		const struct gw_replay_row *row = &replay->row[at % replay->row_count];
		size_t k = at / replay->row_count;

		if (k >= row->result->queue_count)
			continue;
		gw_table_cell(&table, gw_replay_queue_name(row, k));
		gw_table_cellf(&table, "%g", row->policy.conf->queues[k].weight);
		gw_table_cell(&table, row->label);
		add_waits(&table, gw_replay_waits(replay, row, GW_WAITS_QUEUE, k));
	}
	return print_table(&table, output, "waits by queue, hours from eligible to start");
}

static void print_head(const struct gw_replay *replay)
{
	const struct gw_trace *trace = &replay->trace;
	double days = (double)(trace->job[trace->count - 1].submit - trace->job[0].submit) / DAY;

	printf("jobs      %s: %zu jobs, submitted over %.1f days\n", replay->trace_name,
	       trace->count, days);
	printf("cluster   %s: %zu nodes, %llu GPUs\n", replay->model_name, replay->model.node_count,
	       (unsigned long long)gw_replay_gpus(&replay->model));
	if (replay->options.jitter)
		printf("seeds     %u to %u: submits moved by up to %lld s; mean ± standard "
		       "deviation\n",
		       replay->seed_first, replay->seed_first + replay->seed_count - 1,
		       (long long)replay->options.jitter);
	printf("metrics   without the first %g %% of the window, until the last job has ended\n",
	       100 * replay->options.warmup);
	printf("          F1 stranded, F2 blocked by shape, F3 fragmentation, D unfairness, D7 in "
	       "7-day windows, Util: percent\n"
	       "          waits in hours: Ge8 of 8 GPUs and more, Lt8 of fewer, High and Low of "
	       "the highest and lowest class; Interv: interventions a week\n\n");
}

/* What rows say of jobs that are in no figure. */
static void print_left_out(const struct gw_replay *replay)
{
	for (size_t i = 0; i < replay->row_count; i++) {
		const struct gw_replay_row *row = &replay->row[i];

		if (row->result->left_out)
			printf("%s: %zu jobs left out: they fit no empty cluster, or quota never "
			       "lets them start%s\n",
			       row->label, row->result->left_out,
			       row->recorded ? ", or their record has no start" : "");
		if (row->result->outside)
			printf("%s: %zu jobs of no queue: they run, and are in no queue's "
			       "figures\n",
			       row->label, row->result->outside);
	}
}

static void print_problems(const struct gw_replay *replay)
{
	struct gw_str text = {0};

	printf("\n");
	print_left_out(replay);
	gw_trace_file_problems(&replay->trace, &text);
	if (text.length)
		printf("records that a rule changed or left out:\n%s", text.data);
	gw_str_free(&text);
}

int gw_replay_print_text(const struct gw_replay *replay)
{
	const struct gw_output *output = &replay->request->output;
	bool plain = !output->parsable && !output->format && !output->no_header;

	if (plain)
		print_head(replay);
	if (!print_metrics(replay, output) || !print_gaps(replay, output) ||
	    !print_classes(replay, output) || !print_queues(replay, output))
		return gw_complain(replay->command, "out of memory");
	if (plain)
		print_problems(replay);
	return GW_EXIT_OK;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway usage: what queues used, and whether accounting says the same. */
#include "commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "usage.h"

static const char *const columns[] = {"Queue", "Account", "Flavor", "UsageGpuHours", "Held", NULL};
static const char *const history_columns[] = {"Queue",
					      "Account",
					      "Flavor",
					      "UsageGpuHours",
					      "Held",
					      "SacctGpuHours",
					      "SacctUsageGpuHours",
					      "DifferencePercent",
					      NULL};

#define TEXT_COLUMNS "Queue,Account,Flavor"

/*
 * Ledger and records agree when they differ by no more than either. The second, in weighted
 * unit-seconds, is some seconds of one job: times in records are whole seconds.
 */
#define AGREE_PERCENT 0.1
#define AGREE_USAGE   36.0

struct request {
	struct gw_site_paths paths;
	struct gw_output output;
	struct gw_strings queues;
	bool ledger;
	const char *since; /* NULL: accounting is not asked */
	int64_t since_time;
};

static double difference(const struct gw_usage_row *row)
{
	double larger = fmax(row->usage, row->recomputed);

	return larger > 0 ? 100 * (row->usage - row->recomputed) / larger : 0;
}

static bool agrees(const struct gw_usage_row *row)
{
	return fabs(difference(row)) <= AGREE_PERCENT ||
	       fabs(row->usage - row->recomputed) <= AGREE_USAGE;
}

static void hours(struct gw_table *table, double seconds)
{
	gw_table_cellf(table, "%.4f", seconds / 3600);
}

static void add_row(struct gw_table *table, const struct gw_usage *usage,
		    const struct gw_usage_row *row)
{
	gw_table_cell(table, row->queue);
	gw_table_cell(table, row->account);
	gw_table_cell(table, *row->flavor ? row->flavor : "all");
	hours(table, row->usage);
	gw_table_cellf(table, "%g", row->held);
	if (!usage->has_history)
		return;
	hours(table, row->gpu_seconds);
	hours(table, row->recomputed);
	gw_table_cellf(table, "%.3f", difference(row));
}

static bool wanted(const struct gw_strings *queues, const char *queue)
{
	for (size_t i = 0; i < queues->count; i++)
		if (gw_same(queues->item[i], queue))
			return true;
	return !queues->count;
}

static void print_text(const struct request *request, const struct gw_usage *usage,
		       const struct gw_table *table, bool all_agree)
{
	const struct gw_output *output = &request->output;
	bool plain = !output->parsable && !output->format && !output->no_header;
	char date[GW_DATE_SIZE];

	if (plain)
		printf("%s at %s: weighted GPU-hours, decayed; held: weighted GPUs\n\n",
		       request->ledger ? "ledger" : "view", gw_date_text(date, usage->at));
	gw_table_print(table, output, stdout);
	if (!plain || !usage->has_history)
		return;
	printf("\nsacct since %s: SacctGpuHours without weight and decay, SacctUsageGpuHours "
	       "with\n",
	       request->since);
	if (usage->other_gpus > 0)
		printf("outside all queues: %.3f GPU-hours\n", usage->other_gpus / 3600);
	printf("%s%g %% or %g GPU-hours%s\n",
	       all_agree ? "usage and accounting records agree: they differ by at most "
			 : "! usage and accounting records differ by more than ",
	       AGREE_PERCENT, AGREE_USAGE / 3600,
	       all_agree ? "" : ": jobs before that time, a credit, a charge or lost records");
}

static int print_json(const struct request *request, const struct gw_usage *usage,
		      const struct gw_table *table, bool all_agree)
{
	json_t *root = json_object();

	json_object_set_new(root, "source", json_string(request->ledger ? "ledger" : "view"));
	json_object_set_new(root, "at", json_integer(usage->at));
	json_object_set_new(root, "usage", gw_table_json(table, TEXT_COLUMNS));
	if (usage->has_history) {
		json_object_set_new(root, "OutsideGpuHours", json_real(usage->other_gpus / 3600));
		json_object_set_new(root, "agree", json_boolean(all_agree));
	}
	return gw_json_print(root, stdout);
}

static int print(const struct gw_command *command, const struct request *request,
		 const struct gw_usage *usage)
{
	struct gw_table table = {.columns = usage->has_history ? history_columns : columns};
	bool all_agree = true;
	int code = GW_EXIT_OK;

	for (size_t i = 0; i < usage->count; i++) {
		if (!wanted(&request->queues, usage->row[i].queue))
			continue;
		add_row(&table, usage, &usage->row[i]);
		all_agree &= !usage->has_history || agrees(&usage->row[i]);
	}
	if (table.failed)
		code = gw_complain(command, "out of memory");
	else if (request->output.json)
		code = print_json(request, usage, &table, all_agree);
	else
		print_text(request, usage, &table, all_agree);
	gw_table_free(&table);
	return code || all_agree ? code : GW_EXIT_FINDINGS;
}

/* A date on the wall clock here, to seconds since the epoch. */
static int parse_since(const char *text, int64_t *since, struct gw_error *error)
{
	int64_t civil;
	time_t seconds;
	struct tm tm;

	if (gw_parse_date(text, &civil, error))
		return gw_error_prefix(error, "--from-sacct=%s: ", text);
	seconds = (time_t)civil;
	gmtime_r(&seconds, &tm);
	tm.tm_isdst = -1;
	*since = (int64_t)mktime(&tm);
	return 0;
}

static int collect(const struct request *request, const struct gw_site *site,
		   const struct gw_conf *conf, struct gw_usage *usage, struct gw_error *error)
{
	if (request->ledger) {
		if (gw_usage_of_ledger(site->places.ledger, conf, site->now, usage, error))
			return -1;
	} else if (gw_usage_of_view(&site->view, usage, error)) {
		return -1;
	}
	if (!request->since)
		return 0;
	return gw_usage_add_history(site, conf, request->since_time, usage, error);
}

static bool queues_known(const struct gw_command *command, const struct request *request,
			 const struct gw_usage *usage)
{
	for (size_t i = 0; i < request->queues.count; i++) {
		bool known = false;

		for (size_t k = 0; k < usage->count; k++)
			known |= gw_same(usage->row[k].queue, request->queues.item[i]);
		if (known)
			continue;
		gw_complain(command, "%s: there is no usage of such a queue",
			    request->queues.item[i]);
		return false;
	}
	return true;
}

static int answer(const struct gw_command *command, const struct request *request,
		  const struct gw_site *site)
{
	struct gw_usage usage = {0};
	struct gw_error error = {0};
	struct gw_conf *conf = NULL;
	int code = GW_EXIT_ERROR;

	if (request->ledger || request->since) {
		conf = site->places.conf ? gw_places_conf(&site->places, &error) : NULL;
		if (!conf)
			return gw_complain(command, "%s",
					   *error.text ? error.text : "no slurm.conf was found");
	}
	if (collect(request, site, conf, &usage, &error))
		gw_complain(command, "%s", error.text);
	else if (queues_known(command, request, &usage))
		code = print(command, request, &usage);
	gw_usage_free(&usage);
	gw_conf_free(conf);
	return code;
}

static int run(const struct gw_command *command, const struct request *request)
{
	static const char *const *const tables[] = {columns, history_columns};
	struct gw_site site;
	int code;

	if (!gw_format_check(command, &request->output, tables, request->since ? 2 : 1))
		return GW_EXIT_USAGE;
	code = request->ledger ? gw_site_find(command, &request->paths, &site)
			       : gw_site_open(command, &request->paths, &site);
	if (!code)
		code = answer(command, request, &site);
	gw_site_close(&site);
	return code;
}

int gw_cmd_usage(const struct gw_command *command, int argc, char **argv)
{
	struct request request = {0};
	const struct gw_option options[] = {
		{.name = "ledger",
		 .flag = &request.ledger,
		 .help = "from the ledger's file, decayed to now (SlurmUser)"},
		{.name = "from-sacct",
		 .value_name = "START",
		 .value = &request.since,
		 .help = "recompute from accounting since YYYY-MM-DD[THH:MM:SS], compare"},
		GW_SITE_OPTIONS(request.paths),
		GW_FORMAT_OPTION(request.output),
		{.name = "",
		 .value_name = "[QUEUE...]",
		 .words = &request.queues,
		 .help = "only these queues"},
		{0},
	};
	struct gw_error error = {0};
	int code;

	if (gw_options_read(command, options, &request.output, argc, argv, &code)) {
		code = GW_EXIT_USAGE;
		if (request.since && parse_since(request.since, &request.since_time, &error))
			gw_complain(command, "%s", error.text);
		else
			code = run(command, &request);
	}
	gw_strings_free(&request.queues);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * SchedulerParameters with which sched/backfill keeps its promises: what it does not look at,
 * later jobs pass. Slurm's defaults are those of small clusters with short jobs.
 */
#include "check.h"

#include <string.h>

#include "../util/parse.h"
#include "model_file.h"

#define LEAST_JOB_TEST 100
#define WIDEST_WINDOW  (INT64_C(43200) * 60) /* seconds; the most Slurm takes */

static void warn(const struct gw_check *check, const char *text)
{
	const struct gw_setting *setting = gw_slurm_setting(check->slurm, "SchedulerParameters");

	if (setting)
		gw_findings_add(check->findings, GW_WARNING, setting->file, setting->line,
				"SchedulerParameters=%.200s: %s", setting->value, text);
	else
		gw_findings_add(check->findings, GW_WARNING, check->slurm->files.item[0], 0,
				"SchedulerParameters is not set: %s", text);
}

/* The longest MaxTime of partitions; one that can not be read is Slurm's to refuse. */
static int64_t longest_of_partitions(const struct gw_slurm_conf *slurm)
{
	int64_t longest = 0;

	for (size_t i = 0; i < slurm->line_count; i++) {
		const struct gw_record *record = &slurm->line[i].record;
		int64_t seconds = GW_TIME_INFINITE;
		const char *value;

		if (!gw_same(record->pair[0].key, "PartitionName") ||
		    gw_same(record->pair[0].value, "DEFAULT"))
			continue;
		value = gw_slurm_line_value(slurm, i, "MaxTime");
		if (value && strcmp(value, "-1") != 0 &&
		    gw_parse_time(value, GW_TIME_MAY_BE_INFINITE, &seconds, NULL))
			continue;
		longest = seconds > longest ? seconds : longest;
	}
	return longest;
}

/* No job of a queue is longer than its MaxTime. */
static int64_t longest_of_queues(const struct gw_conf *conf)
{
	int64_t longest = 0;

	for (size_t i = 0; i < conf->queue_count; i++)
		longest = conf->queues[i].max_time > longest ? conf->queues[i].max_time : longest;
	return conf->queue_count ? longest : GW_TIME_INFINITE;
}

static int64_t longest_limit(const struct gw_check *check)
{
	int64_t longest = longest_of_partitions(check->slurm);
	int64_t queues = check->conf ? longest_of_queues(check->conf) : GW_TIME_INFINITE;

	return queues < longest ? queues : longest;
}

static void check_window(const struct gw_check *check, int64_t window)
{
	int64_t longest = longest_limit(check);
	int64_t wanted = longest < WIDEST_WINDOW ? longest : WIDEST_WINDOW;
	struct gw_str text = {0};

	if (window >= wanted)
		return;
	gw_str_appendf(&text, "backfill looks %lld minutes ahead, and time limits may be ",
		       (long long)(window / 60));
	if (longest == GW_TIME_INFINITE)
		gw_str_appendf(&text, "endless");
	else
		gw_str_append_time(&text, longest);
	gw_str_appendf(
		&text,
		": nothing is reserved for a job that can not start within bf_window, so later "
		"ones pass it without end; bf_window=%lld is needed",
		(long long)((wanted + 59) / 60));
	if (longest > WIDEST_WINDOW)
		gw_str_appendf(&text, ", the most Slurm takes");
	if (!text.failed)
		warn(check, gw_str_text(&text));
	gw_str_free(&text);
}

static void check_parameters(const struct gw_check *check, const struct gw_model_sched *sched)
{
	check_window(check, sched->bf_window);
	if (sched->bf_max_job_test < LEAST_JOB_TEST)
		warn(check, "bf_max_job_test is less than 100: jobs behind so many are never "
			    "backfilled; 1000 is recommended, Slurm takes 500 by itself");
	if (!sched->bf_window_linear)
		warn(check,
		     "without bf_window_linear the end of a running job is taken for later by up "
		     "to the time since the first end, and starts drift with it; 60 is "
		     "recommended, more where more than a few hundred jobs run at once");
}

void gw_check_backfill(const struct gw_check *check)
{
	const char *type = gw_slurm_value(check->slurm, "SchedulerType", "sched/backfill");
	const char *list = gw_slurm_value(check->slurm, "SchedulerParameters", "");
	struct gw_model_sched sched;
	struct gw_str left_out = {0}, text = {0};
	struct gw_error error = {0};

	if (!gw_same(type, "sched/backfill") && !gw_same(type, "backfill"))
		return;
	gw_model_sched_default(&sched);
	if (!gw_model_sched_read(list, &sched, &left_out, &error)) {
		check_parameters(check, &sched);
	} else {
		gw_str_appendf(&text, "%s; Slurm takes its default without a word", error.text);
		warn(check, gw_str_text(&text));
	}
	gw_str_free(&text);
	gw_str_free(&left_out);
}

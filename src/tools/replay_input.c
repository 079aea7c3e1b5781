// SPDX-License-Identifier: GPL-2.0-or-later
/* What a replay runs: the trace, its window, and the cluster. */
#include "replay.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>

#include "../acct/job_trace.h"
#include "../sim/trace_make.h"
#include "../sim/trace_write.h"
#include "../util/parse.h"
#include "model_file.h"
#include "slurm_conf.h"
#include "trace_file.h"
#include "wall_clock.h"

#define NOTES_SHOWN 12

/* Traces whose times are less, in 1980, count from a zero of their own. */
#define OLDEST_DATE (INT64_C(10) * 365 * 86400)

/* The value of an option is what the error is of. Returns -1. */
static int refuse_value(struct gw_replay *replay, const char *option, const char *value,
			struct gw_error *error)
{
	replay->wrong_use = true;
	return gw_error_prefix(error, "%s %s: ", option, value);
}

static int read_model(struct gw_replay *replay, struct gw_error *error)
{
	const struct gw_replay_request *request = replay->request;
	const char *path;

	if (request->nodes) {
		replay->model_name = gw_strdup(request->nodes);
		if (gw_model_of_text(request->nodes, &replay->model, error))
			return refuse_value(replay, "--nodes", request->nodes, error);
	} else {
		path = gw_slurm_conf_path(request->slurm_conf);
		if (!request->slurm_conf && access(path, R_OK))
			return gw_error_set(error,
					    "%s: %s: say which cluster by --nodes NxG or "
					    "--slurm-conf FILE",
					    path, strerror(errno));
		replay->model_name = gw_strdup(path);
		if (gw_model_read(path, &replay->model, &replay->model_notes, error))
			return -1;
	}
	return replay->model_name ? 0 : gw_error_memory(error);
}

/* --sched: what slurm.conf would have said, and it too when both are given. */
static int read_sched(struct gw_replay *replay, struct gw_error *error)
{
	const char *list = replay->request->sched;
	struct gw_str left_out = {0};
	int failed;

	if (!list)
		return 0;
	failed = gw_model_sched_read(list, &replay->model.sched, &left_out, error);
	replay->wrong_use = failed != 0;
	if (failed)
		gw_error_prefix(error, "--sched: ");
	else if (left_out.length)
		gw_findings_add(&replay->model_notes, GW_WARNING, "--sched", 0, "not simulated: %s",
				gw_str_text(&left_out));
	gw_str_free(&left_out);
	return failed;
}

static int make_trace(struct gw_replay *replay, struct gw_error *error)
{
	const char *spec = replay->request->make;
	struct gw_trace_make make;
	struct gw_str name = {0};

	gw_trace_make_default(&make);
	if (replay->model.node_count)
		make.gpus = (uint32_t)gw_replay_gpus(&replay->model);
	if (gw_trace_make_parse(spec, &make, error))
		return refuse_value(replay, "--make", spec, error);
	gw_str_appendf(&name, "generated: %zu jobs, %g days, load %g, seed %llu", make.jobs,
		       make.days, make.load, (unsigned long long)make.seed);
	replay->trace_name = gw_str_take(&name);
	return replay->trace_name ? gw_trace_make(&make, &replay->trace, error)
				  : gw_error_memory(error);
}

static int name_files(struct gw_replay *replay)
{
	const struct gw_strings *files = &replay->request->files;
	struct gw_str name = {0};

	for (size_t i = 0; i < files->count; i++) {
		const char *slash = strrchr(files->item[i], '/');
		const char *base = slash ? slash + 1 : files->item[i];

		gw_str_appendf(&name, "%s%s", i ? ", " : "",
			       strcmp(base, "-") ? base : "standard input");
	}
	replay->trace_name = gw_str_take(&name);
	return replay->trace_name ? 0 : -1;
}

static int read_files(struct gw_replay *replay, struct gw_error *error)
{
	const struct gw_replay_request *request = replay->request;
	const struct gw_trace_input input = {
		.files = request->files, .strict = request->strict, .zone = request->time_zone};

	if (name_files(replay))
		return gw_error_memory(error);
	return gw_trace_file_read(&input, &replay->trace, &replay->notes, error);
}

/* On the clock of --time-zone. */
static int read_date(struct gw_replay *replay, const char *option, const char *text, int64_t *when,
		     struct gw_error *error)
{
	struct gw_wall_clock clock;
	int64_t civil;

	if (gw_wall_clock_init(&clock, replay->request->time_zone, error) ||
	    gw_parse_date(text, &civil, error))
		return refuse_value(replay, option, text, error);
	*when = gw_wall_clock_epoch(&clock, civil);
	return 0;
}

static int load_records(struct gw_replay *replay, const char *cluster, int64_t since, int64_t until,
			struct gw_error *error)
{
	struct gw_trace_intake intake;
	int failed;

	gw_trace_intake_begin(&intake, &replay->trace, replay->request->strict);
	failed = gw_job_trace_load(cluster, since, until, &intake, error) ||
		 gw_trace_intake_end(&intake, until, error) ||
		 gw_trace_file_notes(&intake, &replay->notes, error);
	gw_trace_intake_free(&intake);
	return failed;
}

/* libslurm finds slurmdbd by slurm.conf, whatever cluster is simulated. */
static int ask_slurmdbd(struct gw_replay *replay, struct gw_error *error)
{
	const struct gw_replay_request *request = replay->request;
	const char *path = gw_slurm_conf_path(request->slurm_conf);
	struct gw_slurm_conf slurm = {0};
	int64_t since, until = (int64_t)time(NULL);
	int failed;

	if (read_date(replay, "--from-sacct", request->from_sacct, &since, error) ||
	    (request->until && read_date(replay, "--until", request->until, &until, error)) ||
	    gw_slurm_conf_read(path, &slurm, NULL, error))
		return -1;
	setenv("SLURM_CONF", path, 1);
	slurm_init(path);
	replay->trace_name = gw_strdup("slurmdbd");
	failed = !replay->trace_name
			 ? gw_error_memory(error)
			 : load_records(replay, gw_slurm_value(&slurm, "ClusterName", "cluster"),
					since, until, error);
	gw_slurm_conf_free(&slurm);
	return failed;
}

static int read_trace(struct gw_replay *replay, struct gw_error *error)
{
	if (replay->request->make)
		return make_trace(replay, error);
	if (replay->request->from_sacct)
		return ask_slurmdbd(replay, error);
	return read_files(replay, error);
}

/* A date, or +TIME after the first submit. */
static int read_instant(struct gw_replay *replay, const char *option, const char *text,
			int64_t *when, struct gw_error *error)
{
	int64_t first = replay->trace.job[0].submit, span;

	if (!text)
		return 0;
	if (*text == '+') {
		if (gw_parse_time(text + 1, GW_TIME_PLAIN, &span, error))
			return refuse_value(replay, option, text, error);
		*when = first + span;
		return 0;
	}
	if (first < OLDEST_DATE)
		return gw_error_set(error,
				    "%s %s: the trace has no dates: must be +TIME after its "
				    "first submit",
				    option, text);
	return read_date(replay, option, text, when, error);
}

/* Peaks are hours on the site's clock. */
static int set_offset(struct gw_replay *replay, struct gw_error *error)
{
	int64_t first = replay->trace.job[0].submit;
	struct gw_wall_clock clock;

	if (first < OLDEST_DATE)
		return 0;
	if (gw_wall_clock_init(&clock, replay->request->time_zone, error))
		return gw_error_prefix(error, "--time-zone: ");
	replay->options.utc_offset = first - gw_wall_clock_epoch(&clock, first);
	return 0;
}

/* A time of the trace as --from takes it. */
static void append_instant(const struct gw_replay *replay, int64_t when, struct gw_str *text)
{
	int64_t first = replay->trace.job[0].submit;
	struct gw_wall_clock clock;
	char date[32];
	time_t civil;
	struct tm tm;

	if (first < OLDEST_DATE || gw_wall_clock_init(&clock, replay->request->time_zone, NULL)) {
		gw_str_append(text, "+");
		gw_str_append_time(text, when - first);
		return;
	}
	civil = (time_t)(when + replay->options.utc_offset);
	civil += (time_t)(when - gw_wall_clock_epoch(&clock, civil));
	gmtime_r(&civil, &tm);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	gw_str_append(text, date);
}

/* A window in which no job begins to wait has nothing to measure. */
static int need_jobs(const struct gw_replay *replay, struct gw_error *error)
{
	const struct gw_replay_request *request = replay->request;
	const struct gw_sim_options *options = &replay->options;
	int64_t last = replay->trace.job[0].submit;
	struct gw_str span = {0};

	for (size_t i = 0; i < replay->trace.count; i++) {
		const struct gw_trace_job *job = &replay->trace.job[i];
		int64_t eligible = job->eligible > job->submit ? job->eligible : job->submit;

		if ((!request->from || eligible >= options->from) &&
		    (!request->until || eligible <= options->until))
			return 0;
		last = eligible > last ? eligible : last;
	}
	append_instant(replay, replay->trace.job[0].submit, &span);
	gw_str_append(&span, " to ");
	append_instant(replay, last, &span);
	gw_error_set(error, "%s%s%s%s%s: no job is in this window; those of the trace are from %s",
		     request->from ? "--from " : "", request->from ? request->from : "",
		     request->from && request->until ? " " : "", request->until ? "--until " : "",
		     request->until ? request->until : "", gw_str_text(&span));
	gw_str_free(&span);
	return -1;
}

static int read_window(struct gw_replay *replay, struct gw_error *error)
{
	const struct gw_replay_request *request = replay->request;
	struct gw_sim_options *options = &replay->options;

	if (set_offset(replay, error) ||
	    read_instant(replay, "--from", request->from, &options->from, error) ||
	    read_instant(replay, "--until", request->until, &options->until, error))
		return -1;
	if (request->until && request->from && options->until <= options->from)
		return gw_error_set(error, "--until %s: is not after --from", request->until);
	if (request->until && options->until <= replay->trace.job[0].submit)
		return gw_error_set(error, "--until %s: is not after the first submit",
				    request->until);
	return need_jobs(replay, error);
}

static void tell_notes(const struct gw_replay *replay)
{
	size_t shown = replay->notes.count < NOTES_SHOWN ? replay->notes.count : NOTES_SHOWN;

	for (size_t i = 0; i < shown; i++)
		gw_complain(replay->command, "%s", replay->notes.item[i]);
	for (size_t i = 0; i < replay->model_notes.count; i++) {
		const struct gw_finding *note = &replay->model_notes.item[i];

		if (note->line)
			gw_complain(replay->command, "%s:%d: %s", note->file, note->line,
				    note->text);
		else
			gw_complain(replay->command, "%s: %s", note->file, note->text);
	}
}

static bool sources_agree(const struct gw_replay *replay)
{
	const struct gw_replay_request *request = replay->request;
	int sources = (request->files.count > 0) + (request->make != NULL) +
		      (request->from_sacct != NULL);

	if (sources == 1)
		return true;
	gw_complain(replay->command, "%s of FILE..., --from-sacct and --make is needed",
		    sources ? "only one" : "one");
	return false;
}

int gw_replay_input(struct gw_replay *replay)
{
	struct gw_error error = {0};

	if (!sources_agree(replay))
		return GW_EXIT_USAGE;
	if (replay->request->nodes && replay->request->slurm_conf && !replay->request->from_sacct) {
		gw_complain(replay->command, "--nodes and --slurm-conf are two clusters");
		return GW_EXIT_USAGE;
	}
	if ((!replay->request->anonymise &&
	     (read_model(replay, &error) || read_sched(replay, &error))) ||
	    read_trace(replay, &error)) {
		gw_complain(replay->command, "%s", error.text);
		return replay->wrong_use ? GW_EXIT_USAGE : GW_EXIT_ERROR;
	}
	tell_notes(replay);
	if (!replay->trace.count)
		return gw_complain(replay->command, "%s: no jobs", replay->trace_name);
	if (read_window(replay, &error)) {
		gw_complain(replay->command, "%s", error.text);
		return GW_EXIT_USAGE;
	}
	return GW_EXIT_OK;
}

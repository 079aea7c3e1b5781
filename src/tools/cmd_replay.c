// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway replay: what another policy would have done with the jobs that there were. */
#include "commands.h"

#include <stdlib.h>
#include <string.h>

#include "replay.h"
#include "replay_diff.h"
#include "site.h"

static void free_rows(struct gw_replay *replay)
{
	for (size_t i = 0; i < replay->row_count; i++) {
		struct gw_replay_row *row = &replay->row[i];
		uint32_t seeds = row->recorded ? 1 : replay->seed_count;

		for (uint32_t k = 0; row->result && k < seeds; k++)
			gw_sim_result_free(&row->result[k]);
		free(row->result);
		free(row->label);
		free(row->name);
	}
	free(replay->row);
}

static void free_replay(struct gw_replay *replay)
{
	free_rows(replay);
	for (size_t i = 0; i < replay->conf_count; i++) {
		gw_conf_free(replay->conf[i].conf);
		free(replay->conf[i].name);
	}
	free(replay->conf);
	free(replay->conf_text);
	free(replay->trace_name);
	free(replay->model_name);
	gw_strings_free(&replay->notes);
	gw_findings_free(&replay->model_notes);
	gw_trace_free(&replay->trace);
	gw_model_free(&replay->model);
}

/* The page and the schedule first: what was asked for on paper is there when text is read. */
static int print(const struct gw_replay *replay)
{
	const struct gw_replay_request *request = replay->request;
	int code = GW_EXIT_OK;

	if (request->schedule)
		code = gw_replay_write_schedule(replay);
	if (!code && request->html)
		code = gw_replay_write_html(replay);
	if (code)
		return code;
	return request->output.json ? gw_replay_print_json(replay) : gw_replay_print_text(replay);
}

static int answer(struct gw_replay *replay)
{
	const struct gw_replay_request *request = replay->request;
	int code = gw_replay_settings(replay);

	if (!code)
		code = gw_replay_input(replay);
	if (code)
		return code;
	if (request->anonymise)
		return gw_replay_anonymise(replay);
	code = gw_replay_confs(replay);
	if (!code && request->print_conf) {
		if (!replay->conf_text)
			return gw_complain(replay->command, "--print-conf: --conf was given");
		fputs(replay->conf_text, stdout);
		return GW_EXIT_OK;
	}
	if (!code)
		code = gw_replay_rows(replay);
	if (!code)
		code = gw_replay_run(replay);
	return code ? code : print(replay);
}

/* Of the live cluster, as it is now: nothing is simulated. */
static int diff(const struct gw_command *command, const struct gw_replay_request *request)
{
	const struct gw_replay_diff_options options = {
		.conf = request->diff,
		.paths = {.slurm_conf = request->slurm_conf, .view = request->view},
		.output = &request->output};

	return gw_replay_diff(command, &options);
}

static int run(const struct gw_command *command, const struct gw_replay_request *request)
{
	struct gw_replay replay = {.command = command, .request = request};
	int code;

	for (size_t i = 0; i < request->policies.count; i++)
		if (!strcmp(request->policies.item[i], "list"))
			return gw_replay_list_policies(&request->output);
	if (!gw_replay_options_agree(command, request) ||
	    !gw_replay_formats(command, &request->output))
		return GW_EXIT_USAGE;
	if (request->diff)
		return diff(command, request);
	code = answer(&replay);
	free_replay(&replay);
	return code;
}

#define VALUE(option, word, field, text)                                                           \
	{                                                                                          \
		.name = option, .value_name = word, .value = &request.field, .help = text          \
	}
#define VALUES(option, word, field, text)                                                          \
	{                                                                                          \
		.name = option, .value_name = word, .values = &request.field, .help = text         \
	}
#define FLAG(option, field, text)                                                                  \
	{                                                                                          \
		.name = option, .flag = &request.field, .help = text                               \
	}

int gw_cmd_replay(const struct gw_command *command, int argc, char **argv)
{
	struct gw_replay_request request = {.argc = argc, .argv = argv};
	const struct gw_option options[] = {
		{.name = "",
		 .value_name = "[FILE...]",
		 .words = &request.files,
		 .help = "jobs: CSV, or what sacct -P prints; -: standard input"},
		VALUE("from-sacct", "START", from_sacct, "jobs: from slurmdbd, since START"),
		VALUE("make", "SPEC", make,
		      "jobs: made up, \"jobs=8000,days=60,gpus=N,load=0.95,seed=1\""),
		FLAG("strict", strict, "stop at the first record that can not be used"),
		VALUE("time-zone", "ZONE", time_zone, "of dates: UTC, +01:00 (default: here)"),
		VALUE("nodes", "NxG", nodes, "cluster: N nodes of G GPUs; 96x8,4x4"),
		VALUE("slurm-conf", "FILE", slurm_conf, "cluster: of slurm.conf and files beside"),
		VALUE("sched", "LIST", sched, "SchedulerParameters, as in slurm.conf or on top"),
		VALUES("policy", "NAME", policies, "one more row; \"list\" shows all there are"),
		VALUES("conf", "FILE", confs, "one more row: Gangway under this gangway.conf"),
		VALUE("weights", "LIST", weights, "of accounts when there is no --conf: a=2,b=1"),
		VALUE("classes", "LIST", classes, "QOS, the highest first: high,normal,low"),
		FLAG("print-conf", print_conf, "print the configuration made up, run nothing"),
		VALUE("from", "WHEN", from,
		      "begin of the window: a date, or +TIME after the first"),
		VALUE("until", "WHEN", until, "end of the window, and of --from-sacct"),
		VALUE("seeds", "N", seeds, "so many runs with moved submits; 11-20: these seeds"),
		VALUE("jitter", "TIME", jitter, "by how much they move (default: 10 minutes)"),
		VALUE("warmup", "PERCENT", warmup, "of the window left out (default: 10)"),
		VALUE("jobs", "N", jobs, "runs at a time (default: one a core)"),
		VALUE("load", "LIST", load, "arrivals so many times as fast: 0.8,1,1.2"),
		VALUE("limits", "LIST", limits,
		      "time limits: as-given, perfect, 1-3x, 1-20x, classes, equal"),
		FLAG("recorded", recorded, "one more row: what really happened"),
		FLAG("progress", progress, "show progress even when nobody seems to watch"),
		VALUE("diff", "FILE", diff,
		      "what this gangway.conf would change for jobs that wait now"),
		VALUE("view", "FILE", view, "for --diff: a view kept earlier"),
		VALUE("html", "FILE", html, "write a page with plots"),
		VALUE("schedule", "FILE", schedule, "write what the first row did with each job"),
		VALUE("anonymise", "FILE", anonymise, "write the jobs without names, run nothing"),
		VALUE("key", "TEXT", anonymise_key, "for --anonymise: the same names for the same"),
		VALUE("keep", "LIST", anonymise_keep, "for --anonymise: qos, partition, times"),
		GW_FORMAT_OPTION(request.output),
		{0},
	};
	int code;

	if (gw_options_read(command, options, &request.output, argc, argv, &code))
		code = run(command, &request);
	gw_strings_free(&request.files);
	gw_strings_free(&request.policies);
	gw_strings_free(&request.confs);
	return code;
}

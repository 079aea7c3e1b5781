// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gangway replay: one trace, one cluster, any number of policies side by side.
 *
 * cmd_replay.c reads the options, replay_input.c trace and cluster, replay_conf.c the
 * configurations, replay_rows.c makes the rows, replay_run.c runs them on all cores, and
 * replay_text.c, replay_json.c and replay_html.c print what came out.
 */
#ifndef GW_TOOLS_REPLAY_H
#define GW_TOOLS_REPLAY_H

#include "../sim/sim.h"
#include "findings.h"
#include "output.h"

/* What the time limits of jobs are. */
enum gw_replay_limits {
	GW_LIMITS_AS_GIVEN,
	GW_LIMITS_PERFECT, /* the run time */
	GW_LIMITS_TO_3,    /* 1 to 3 times it, evenly */
	GW_LIMITS_TO_20,   /* 1 to 20 times it, evenly */
	GW_LIMITS_CLASSES, /* the least of 4 h, 1 d, 14 d that suffices */
	GW_LIMITS_EQUAL,   /* 30 d, all */
	GW_LIMITS_COUNT,
};

/* A configuration that rows use. */
struct gw_replay_conf {
	char *name;
	struct gw_conf *conf;
};

#define GW_REPLAY_QUANTILES 201

/* Waits in seconds at evenly spaced parts of the jobs, from the least to the longest. */
struct gw_replay_quantiles {
	size_t jobs; /* 0: none, and no quantiles */
	float at[GW_REPLAY_QUANTILES];
};

/* One way to run the trace; a row of the tables. */
struct gw_replay_row {
	char *name;
	char *label; /* with limits and load, where there are several */
	struct gw_sim_policy policy;
	bool recorded; /* what really happened, not a run */
	enum gw_replay_limits limits;
	double load;                  /* arrivals come so many times as fast */
	struct gw_sim_result *result; /* seed_count of them; of a recorded row the first only */
	struct gw_replay_quantiles waits[GW_SIM_SIZES]; /* of the first seed */
};

/* The options, as given. */
struct gw_replay_request {
	struct gw_output output;
	struct gw_strings files, policies, confs;
	const char *from_sacct, *make, *time_zone;
	const char *nodes, *slurm_conf, *sched;
	const char *weights, *classes, *seeds, *jobs, *jitter, *warmup;
	const char *from, *until, *load, *limits;
	const char *schedule, *anonymise, *anonymise_key, *anonymise_keep, *html, *diff, *view;
	bool strict, print_conf, recorded, progress;
	int argc; /* for the page: how to get it again */
	char **argv;
};

struct gw_replay {
	const struct gw_command *command;
	const struct gw_replay_request *request;
	struct gw_trace trace;
	struct gw_strings notes; /* the first few problems of the trace, with file and line */
	struct gw_findings model_notes;
	struct gw_model model;
	char *trace_name, *model_name;
	struct gw_replay_conf *conf;
	size_t conf_count;
	char *conf_text; /* of the first configuration when it was made up here */
	struct gw_replay_row *row;
	size_t row_count;
	bool wrong_use;                  /* what went wrong is an option, not a file */
	struct gw_sim_options options;   /* seed and progress aside */
	uint32_t seed_first, seed_count; /* seeds one after another */
	uint32_t workers;
};

/* Whether no option stands without the one it is for; says so when not. */
bool gw_replay_options_agree(const struct gw_command *command,
			     const struct gw_replay_request *request);

/* Everything of the request that is no file. Says what is wrong; an exit code. */
int gw_replay_settings(struct gw_replay *replay);

/* The trace and the cluster. Says what is wrong; an exit code. */
int gw_replay_input(struct gw_replay *replay);

/* The configurations: those given, or one made up for the accounts of the trace. An exit code. */
int gw_replay_confs(struct gw_replay *replay);

/* The rows: policies times variants. An exit code. */
int gw_replay_rows(struct gw_replay *replay);
/* --policy list. An exit code. */
int gw_replay_list_policies(const struct gw_output *output);

/* Times and limits as a row has them; the names stay the trace's. Frees with gw_replay_vary_free.
 */
int gw_replay_vary(const struct gw_trace *trace, enum gw_replay_limits limits, double load,
		   uint32_t seed, struct gw_trace *varied, struct gw_error *error);
void gw_replay_vary_free(struct gw_trace *varied);
const char *gw_replay_limits_name(enum gw_replay_limits limits);
bool gw_replay_limits_named(const char *name, enum gw_replay_limits *limits);

/* Runs every row with every seed. Says what is wrong; an exit code. */
int gw_replay_run(struct gw_replay *replay);

/* GPUs of the cluster. */
uint64_t gw_replay_gpus(const struct gw_model *model);
/* Names of classes and queues as the result of a row numbers them. */
const char *gw_replay_class_name(const struct gw_replay_row *row, size_t class_index);
const char *gw_replay_queue_name(const struct gw_replay_row *row, size_t queue);

int gw_replay_print_text(const struct gw_replay *replay);
int gw_replay_print_json(const struct gw_replay *replay);
/* Writes files that the request asks for. Says what is wrong; an exit code. */
int gw_replay_write_html(const struct gw_replay *replay);
int gw_replay_write_schedule(const struct gw_replay *replay);
int gw_replay_anonymise(struct gw_replay *replay);
bool gw_replay_formats(const struct gw_command *command, const struct gw_output *output);

#endif

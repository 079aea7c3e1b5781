// SPDX-License-Identifier: GPL-2.0-or-later
/* Which rows a replay has: policies and configurations, each with every load and kind of limits. */
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"

#define ROWS_MAX  1000
#define LOADS_MAX 16

static const char *const usual[] = {"stock", "gangway", "pool", NULL};

struct variants {
	enum gw_replay_limits limits[GW_LIMITS_COUNT];
	size_t limits_count;
	double load[LOADS_MAX];
	size_t load_count;
};

static int read_limits(const char *text, struct variants *variants, struct gw_error *error)
{
	struct gw_strings names = {0};
	int failed = 0;

	if (gw_strings_split(&names, text ? text : "as-given"))
		return gw_error_memory(error);
	for (size_t i = 0; !failed && i < names.count; i++) {
		if (variants->limits_count == GW_LIMITS_COUNT ||
		    !gw_replay_limits_named(names.item[i],
					    &variants->limits[variants->limits_count++]))
			failed = gw_error_set(error,
					      "--limits: %s: must be as-given, perfect, 1-3x, "
					      "1-20x, classes or equal, commas between",
					      names.item[i]);
	}
	gw_strings_free(&names);
	return failed;
}

static int read_loads(const char *text, struct variants *variants, struct gw_error *error)
{
	struct gw_strings words = {0};
	int failed = 0;

	if (gw_strings_split(&words, text ? text : "1"))
		return gw_error_memory(error);
	for (size_t i = 0; !failed && i < words.count; i++) {
		double load;

		if (variants->load_count == LOADS_MAX ||
		    gw_parse_double(words.item[i], &load, NULL) || load < 0.01 || load > 100)
			failed = gw_error_set(error,
					      "--load: %s: must be at most %d numbers from 0.01 to "
					      "100, commas between",
					      words.item[i], LOADS_MAX);
		else
			variants->load[variants->load_count++] = load;
	}
	gw_strings_free(&words);
	return failed;
}

static char *label_of(const struct gw_replay_row *row)
{
	struct gw_str label = {0};

	gw_str_append(&label, row->name);
	if (row->limits != GW_LIMITS_AS_GIVEN)
		gw_str_appendf(&label, ", limits %s", gw_replay_limits_name(row->limits));
	if (row->load != 1)
		gw_str_appendf(&label, ", load %g", row->load);
	return gw_str_take(&label);
}

/* Takes a copy of row with the name, and the label that goes with it. */
static int add_row(struct gw_replay *replay, struct gw_replay_row row, const char *name,
		   struct gw_error *error)
{
	struct gw_replay_row *rows;

	if (replay->row_count >= ROWS_MAX)
		return gw_error_set(error, "more than %d rows", ROWS_MAX);
	rows = gw_array_room(replay->row, replay->row_count, sizeof(*rows));
	if (!rows)
		return gw_error_memory(error);
	replay->row = rows;
	row.name = gw_strdup(name);
	row.label = row.name ? label_of(&row) : NULL;
	row.policy.name = row.name;
	rows[replay->row_count++] = row;
	return row.label ? 0 : gw_error_memory(error);
}

static int add_policy(struct gw_replay *replay, struct gw_replay_row row, const char *name,
		      struct gw_error *error)
{
	if (!gw_sim_policy_named(name, &row.policy))
		return gw_error_set(error, "--policy %s: no such policy (--policy list)", name);
	row.policy.conf = replay->conf[0].conf;
	return add_row(replay, row, name, error);
}

/* One row a configuration: Gangway under it. */
static int add_confs(struct gw_replay *replay, struct gw_replay_row row, struct gw_error *error)
{
	for (size_t i = 0; i < replay->conf_count; i++) {
		if (!gw_sim_policy_named("gangway", &row.policy))
			return gw_error_set(error, "there is no policy gangway");
		row.policy.conf = replay->conf[i].conf;
		if (add_row(replay, row, replay->conf[i].name, error))
			return -1;
	}
	return 0;
}

/* Names as given, commas between them too; the usual ones when none is. */
static int policy_names(const struct gw_replay_request *request, struct gw_strings *names)
{
	for (size_t i = 0; !request->policies.count && usual[i]; i++)
		if ((!request->confs.count || !gw_same(usual[i], "gangway")) &&
		    gw_strings_add(names, usual[i], strlen(usual[i])))
			return -1;
	for (size_t i = 0; i < request->policies.count; i++) {
		struct gw_strings some = {0};
		int failed = gw_strings_split(&some, request->policies.item[i]);

		for (size_t k = 0; !failed && k < some.count; k++)
			failed = gw_strings_add(names, some.item[k], strlen(some.item[k]));
		gw_strings_free(&some);
		if (failed)
			return -1;
	}
	return 0;
}

/* With configurations given, their rows come first. */
static int add_variant(struct gw_replay *replay, const struct gw_strings *names,
		       struct gw_replay_row row, struct gw_error *error)
{
	if (replay->request->confs.count && add_confs(replay, row, error))
		return -1;
	for (size_t i = 0; i < names->count; i++)
		if (add_policy(replay, row, names->item[i], error))
			return -1;
	return 0;
}

static bool has_starts(const struct gw_trace *trace)
{
	for (size_t i = 0; i < trace->count; i++)
		if (trace->job[i].start != GW_TRACE_NONE)
			return true;
	return false;
}

static int add_recorded(struct gw_replay *replay, struct gw_error *error)
{
	struct gw_replay_row row = {.load = 1, .recorded = true};

	if (!replay->request->recorded)
		return 0;
	if (!has_starts(&replay->trace))
		return gw_error_set(error, "--recorded: no job of %s has a start",
				    replay->trace_name);
	row.policy.conf = replay->conf[0].conf;
	return add_row(replay, row, "recorded", error);
}

static int add_all(struct gw_replay *replay, const struct gw_strings *names, struct gw_error *error)
{
	struct variants variants = {0};

	if (read_limits(replay->request->limits, &variants, error) ||
	    read_loads(replay->request->load, &variants, error))
		return -1;
	for (size_t k = 0; k < variants.load_count; k++)
		for (size_t i = 0; i < variants.limits_count; i++) {
			struct gw_replay_row row = {.limits = variants.limits[i],
						    .load = variants.load[k]};

			if (add_variant(replay, names, row, error))
				return -1;
		}
	return add_recorded(replay, error);
}

int gw_replay_rows(struct gw_replay *replay)
{
	struct gw_strings names = {0};
	struct gw_error error = {0};
	int code = GW_EXIT_OK;

	if (policy_names(replay->request, &names))
		code = gw_complain(replay->command, "out of memory");
	else if (add_all(replay, &names, &error))
		code = (gw_complain(replay->command, "%s", error.text), GW_EXIT_USAGE);
	gw_strings_free(&names);
	return code;
}

int gw_replay_list_policies(const struct gw_output *output)
{
	static const char *const columns[] = {"Policy", "What", NULL};
	struct gw_table table = {.columns = columns};
	const char *name, *help;
	int code = GW_EXIT_OK;

	for (size_t i = 0; (name = gw_sim_policy_list(i, &help)); i++) {
		gw_table_cell(&table, name);
		gw_table_cell(&table, help);
	}
	if (output->json)
		code = gw_json_print(gw_table_json(&table, "Policy,What"), stdout);
	else
		gw_table_print(&table, output, stdout);
	gw_table_free(&table);
	return code;
}

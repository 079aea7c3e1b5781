// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay_diff.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "../util/file.h"
#include "replay_diff_asked.h"

const char *const gw_replay_diff_job_columns[] = {
	"Job",  "Queue",   "NewQueue", "Class",    "NewClass", "Gpus", "Flavor",
	"Rank", "NewRank", "State",    "NewState", "Why",      NULL};
const char *const gw_replay_diff_pool_columns[] = {"Pool", "Flavor",  "Quota", "NewQuota",
						   "Held", "NewHeld", "Reach", "NewReach",
						   "Over", "Queues",  NULL};

#define TEXT_COLUMNS "Queue,NewQueue,Class,NewClass,Flavor,State,NewState,Why,Pool,Flavor,Queues"

/* What is printed of one comparison. */
struct showing {
	const struct gw_site *site;
	const struct gw_replay_diff_options *options;
	const struct gw_diff *diff;
	struct gw_table jobs, pools;
	json_t *notes;
};

static void name_cell(struct gw_table *table, const char *name)
{
	gw_table_cell(table, name && *name ? name : "-");
}

static void number_cell(struct gw_table *table, uint32_t number)
{
	gw_table_cellf(table, "%" PRIu32, number);
}

static void add_job(struct gw_table *table, const struct gw_conf *conf,
		    const struct gw_diff_job *job)
{
	const struct gw_view_job *view = job->view;
	bool ranked = job->queue != GW_INDEX_NONE;

	number_cell(table, view->id);
	name_cell(table, view->queue);
	name_cell(table, ranked ? conf->queues[job->queue].name : NULL);
	name_cell(table, view->job_class);
	name_cell(table,
		  job->job_class == GW_INDEX_NONE ? NULL : conf->classes[job->job_class].name);
	number_cell(table, view->gpus);
	name_cell(table, view->flavor);
	number_cell(table, view->rank);
	if (ranked)
		number_cell(table, job->rank);
	else
		gw_table_cell(table, "-");
	gw_table_cell(table, gw_diff_view_state(view));
	name_cell(table, ranked ? gw_diff_state_name(job->state) : NULL);
	gw_table_cell(table, job->why);
}

/* Ordinary users are told of their own jobs, as gangway why does. */
static bool may_see(const struct gw_site *site, const struct gw_diff_job *job)
{
	return site->sees_jobs || job->view->user == geteuid();
}

static bool pool_changes(const struct gw_diff_pool *pool)
{
	const struct gw_quota_figures *then = &pool->figures, *now;

	if (!pool->view || pool->over)
		return true;
	now = &pool->view->figures;
	return now->quota != then->quota || now->held != then->held || now->reach != then->reach;
}

/* Queues that draw on the pool by the other configuration. */
static void queues_cell(struct gw_table *table, const struct gw_conf *conf, const char *pool)
{
	struct gw_str text = {0};

	for (size_t i = 0; i < conf->queue_count; i++)
		for (size_t p = 0; p < conf->queues[i].pools.names.count; p++)
			if (gw_same(conf->queues[i].pools.names.item[p], pool))
				gw_str_appendf(&text, "%s%s", text.length ? "," : "",
					       conf->queues[i].name);
	table->failed |= text.failed;
	name_cell(table, gw_str_text(&text));
	gw_str_free(&text);
}

static void add_pool(struct gw_table *table, const struct gw_conf *conf,
		     const struct gw_diff_pool *pool)
{
	const struct gw_quota_figures *now = pool->view ? &pool->view->figures : NULL;
	const struct {
		bool known;
		uint32_t number;
	} numbers[] = {
		{now, now ? now->quota : 0}, {true, pool->figures.quota},
		{now, now ? now->held : 0},  {true, pool->figures.held},
		{now, now ? now->reach : 0}, {true, pool->figures.reach},
		{true, pool->over},
	};

	gw_table_cell(table, pool->pool);
	gw_table_cell(table, pool->flavor);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (numbers[i].known)
			number_cell(table, numbers[i].number);
		else
			gw_table_cell(table, "-");
	}
	queues_cell(table, conf, pool->pool);
}

static void note(struct showing *showing, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void note(struct showing *showing, const char *format, ...)
{
	char line[512];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	json_array_append_new(showing->notes, json_string(line));
}

static void add_notes(struct showing *showing)
{
	const struct gw_view *view = &showing->site->view;

	if (view->truncated)
		note(showing,
		     "%" PRIu32 " more pending jobs are not in the view: places are "
		     "among the first %zu",
		     view->truncated, showing->diff->job_count);
	if (showing->diff->joining)
		note(showing,
		     "%zu pending jobs of no queue would be in one: they have no place here",
		     showing->diff->joining);
	if (showing->diff->running_lost)
		note(showing, "%zu running jobs would be in no queue: no quota counts them",
		     showing->diff->running_lost);
	if (gw_conf_mode(showing->diff->conf, GW_ORDER) == GW_MODE_OBSERVE)
		note(showing, "the other configuration observes order: priorities stay Slurm's");
	if (gw_conf_mode(showing->diff->conf, GW_QUOTA) == GW_MODE_OBSERVE)
		note(showing, "the other configuration observes quota: it keeps nothing waiting");
}

static void print_notes(const struct showing *showing)
{
	for (size_t i = 0; i < json_array_size(showing->notes); i++)
		printf("! %s\n", json_string_value(json_array_get(showing->notes, i)));
}

static void print_text(const struct showing *showing)
{
	const struct gw_output *output = showing->options->output;
	const struct gw_diff *diff = showing->diff;
	bool plain = !output->parsable && !output->format && !output->no_header;
	char *age = gw_site_age(showing->site);

	if (plain) {
		printf("%s; %s instead of the configuration in force\n\n", age ? age : "",
		       showing->options->conf);
		printf("pending jobs that would change: %zu of %zu\n", diff->moved,
		       diff->job_count);
	}
	if (!plain || showing->jobs.cells.count)
		gw_table_print(&showing->jobs, output, stdout);
	if (plain)
		printf("\npools that would hold more than they may: %zu\n", diff->over);
	else if (!output->parsable && !output->format)
		putchar('\n');
	if (!plain || showing->pools.cells.count)
		gw_table_print(&showing->pools, output, stdout);
	if (plain)
		print_notes(showing);
	free(age);
}

static int print_json(const struct showing *showing)
{
	const struct gw_site *site = showing->site;
	json_t *root = json_object();

	json_object_set_new(root, "cluster", json_string(site->view.cluster));
	json_object_set_new(root, "written", json_integer(site->view.written));
	json_object_set_new(root, "age", json_integer(site->now - site->view.written));
	json_object_set_new(root, "conf", json_string(showing->options->conf));
	json_object_set_new(root, "pending", json_integer((json_int_t)showing->diff->job_count));
	json_object_set_new(root, "moved", json_integer((json_int_t)showing->diff->moved));
	json_object_set_new(root, "over", json_integer((json_int_t)showing->diff->over));
	json_object_set_new(root, "jobs", gw_table_json(&showing->jobs, TEXT_COLUMNS));
	json_object_set_new(root, "pools", gw_table_json(&showing->pools, TEXT_COLUMNS));
	json_object_set(root, "notes", showing->notes);
	json_object_set_new(root, "truncated", json_integer(site->view.truncated));
	return gw_json_print(root, stdout);
}

static int show(const struct gw_command *command, const struct gw_site *site,
		const struct gw_replay_diff_options *options, const struct gw_diff *diff)
{
	struct showing showing = {.site = site,
				  .options = options,
				  .diff = diff,
				  .jobs = {.columns = gw_replay_diff_job_columns},
				  .pools = {.columns = gw_replay_diff_pool_columns},
				  .notes = json_array()};
	int code = GW_EXIT_OK;

	for (size_t i = 0; i < diff->job_count; i++)
		if (diff->job[i].why[0] && may_see(site, &diff->job[i]))
			add_job(&showing.jobs, diff->conf, &diff->job[i]);
	for (size_t i = 0; i < diff->pool_count; i++)
		if (pool_changes(&diff->pool[i]))
			add_pool(&showing.pools, diff->conf, &diff->pool[i]);
	add_notes(&showing);
	if (showing.jobs.failed || showing.pools.failed)
		code = gw_complain(command, "out of memory");
	else if (options->output->json)
		code = print_json(&showing);
	else
		print_text(&showing);
	json_decref(showing.notes);
	gw_table_free(&showing.jobs);
	gw_table_free(&showing.pools);
	return code;
}

/* Without slurmctld the account and QOS of a job are taken from its queue and class. */
static void ask(const struct gw_command *command, const struct gw_site *site,
		struct gw_diff_asked *asked)
{
	struct gw_error error = {0};

	*asked = (struct gw_diff_asked){0};
	if (site->live && gw_diff_ask(site, asked, &error))
		gw_complain(command, "%s: accounts and QOS are taken from queues and classes",
			    error.text);
}

static int compare(const struct gw_command *command, const struct gw_site *site,
		   const struct gw_replay_diff_options *options, const struct gw_conf *conf)
{
	struct gw_diff_asked asked;
	struct gw_diff diff;
	struct gw_error error = {0};
	int code;

	ask(command, site, &asked);
	if (gw_diff_make(&site->view, conf, asked.known, asked.count, &diff, &error))
		code = gw_complain(command, "%s", error.text);
	else
		code = show(command, site, options, &diff);
	gw_diff_free(&diff);
	gw_diff_asked_free(&asked);
	return code;
}

int gw_replay_diff(const struct gw_command *command, const struct gw_replay_diff_options *options)
{
	const struct gw_conf_source source = {.read = gw_file_source};
	struct gw_conf *conf = NULL;
	struct gw_error error = {0};
	struct gw_site site;
	int code;

	if (gw_conf_load(&source, options->conf, &conf, &error))
		return gw_complain(command, "%s", error.text);
	code = gw_site_open(command, &options->paths, &site);
	if (!code)
		code = compare(command, &site, options, conf);
	gw_site_close(&site);
	gw_conf_free(conf);
	return code;
}

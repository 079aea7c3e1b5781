// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway why: why one job waits, who is before it, and what would let it start. */
#include "commands.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "state.h"
#include "why.h"
#include "why_map.h"
#include "why_shapes.h"

static const char *const columns[] = {"What", "Text", NULL};

static void row(struct gw_table *table, const char *what, const char *text)
{
	if (!*text)
		return;
	gw_table_cell(table, what);
	gw_table_cell(table, text);
}

static void row_string(struct gw_table *table, const char *what, struct gw_str *text)
{
	table->failed |= text->failed;
	row(table, what, gw_str_text(text));
	gw_str_free(text);
}

static void say_job(struct gw_table *table, const struct gw_known_job *job)
{
	const struct gw_view_job *view = job->view;
	struct gw_str text = {0};

	gw_str_appendf(&text, "%s, queue %s", view->running ? "running" : "pending", view->queue);
	if (*view->job_class)
		gw_str_appendf(&text, ", class %s", view->job_class);
	gw_str_appendf(&text, ", %" PRIu32 " %s on %" PRIu32 " node%s", view->gpus,
		       *view->flavor ? view->flavor : "GPUs", view->nodes,
		       view->nodes == 1 ? "" : "s");
	if (view->tasks > 1)
		gw_str_appendf(&text, ", %" PRIu32 " tasks of its array", view->tasks);
	row_string(table, "job", &text);
}

/* What Slurm says, the description that squeue shows included. */
static void say_slurm(struct gw_table *table, const struct gw_known_job *job)
{
	const slurm_job_info_t *info = job->slurm.info;
	struct gw_str text = {0};

	if (!info)
		return;
	gw_str_append(&text, job->slurm.state);
	if (*job->slurm.reason && strcmp(job->slurm.reason, "None"))
		gw_str_appendf(&text, ", reason %s", job->slurm.reason);
	if (info->state_desc && *info->state_desc)
		gw_str_appendf(&text, " (%s)", info->state_desc);
	if (info->partition)
		gw_str_appendf(&text, ", partition %s", info->partition);
	gw_str_appendf(&text, ", priority %" PRIu32, info->priority);
	row_string(table, "slurm", &text);
}

/* How many jobs of each queue go before it; 0: of its own alone is told. */
static void say_ahead(struct gw_table *table, const struct gw_site *site,
		      const struct gw_known_job *job)
{
	const struct gw_view *view = &site->view;
	uint32_t ranked = view->truncated, rank = job->view->rank;
	struct gw_str text = {0};
	const char *comma = "; before it: ";

	for (size_t i = 0; i < view->job_count; i++)
		ranked += !view->job[i].running && view->job[i].rank;
	gw_str_appendf(&text, "%" PRIu32 " of %" PRIu32, rank, ranked);
	for (size_t q = 0; site->names_others && q < view->queue_count; q++) {
		uint32_t count = 0;

		if (gw_view_queue(view, view->queue[q].name) != &view->queue[q])
			continue;
		for (size_t i = 0; i < view->job_count; i++)
			count += !view->job[i].running && view->job[i].rank &&
				 view->job[i].rank < rank &&
				 gw_same(view->job[i].queue, view->queue[q].name);
		if (!count)
			continue;
		gw_str_appendf(&text, "%squeue %s %" PRIu32, comma, view->queue[q].name, count);
		comma = ", ";
	}
	row_string(table, "rank", &text);
}

/* Usage of the queues of its pool; the one with the least key goes first. */
static void say_queues(struct gw_table *table, const struct gw_site *site,
		       const struct gw_known_job *job)
{
	const struct gw_view *view = &site->view;
	const struct gw_view_queue *own = gw_view_queue(view, job->view->queue);

	for (size_t i = 0; own && i < view->queue_count; i++) {
		const struct gw_view_queue *queue = &view->queue[i];
		struct gw_str text = {0};

		if (!gw_same(queue->pool, own->pool) || (queue != own && !site->names_others))
			continue;
		gw_str_appendf(&text, "%s: %.2f GPU-hours used, %g held, weight %g, key %.3f",
			       queue->name, queue->usage / 3600, queue->held, queue->weight,
			       queue->key);
		row_string(table, "queue", &text);
	}
}

/*
 * The engine knows more of its moment, this command of Slurm's own reason and of the nodes now:
 * ours where one of these stands in the way, else the engine's.
 */
static const char *choose_sentence(const struct gw_known_job *job,
				   const struct gw_explain_facts *facts,
				   const struct gw_explanation *explanation)
{
	bool busy = explanation->tier == GW_TIER_TOPOLOGY ||
		    (explanation->tier == GW_TIER_BEHIND && facts->rank == 1);

	if (!*job->view->sentence || explanation->tier <= GW_TIER_HELD || busy)
		return explanation->line;
	return job->view->sentence;
}

/* The word that begins a sentence, when it is a problem. */
static enum gw_problem problem_of(const char *sentence, enum gw_problem otherwise)
{
	for (enum gw_problem problem = 0; problem < GW_PROBLEM_COUNT; problem++) {
		const char *name = gw_problem_name(problem);

		if (!strncmp(sentence, name, strlen(name)) && sentence[strlen(name)] == ':')
			return problem;
	}
	return otherwise;
}

static void say_start(struct gw_table *table, const struct gw_known_job *job, int64_t now)
{
	char date[GW_DATE_SIZE];
	struct gw_str text = {0};

	if (!job->slurm.info || job->slurm.info->start_time <= now)
		return;
	gw_str_appendf(&text, "%s, Slurm's estimate by time limits",
		       gw_date_text(date, job->slurm.info->start_time));
	row_string(table, "start", &text);
}

static int say_pending(struct gw_table *table, const struct gw_site *site,
		       const struct gw_known_job *job, json_t *root, struct gw_error *error)
{
	struct gw_explanation explanation;
	struct gw_why_facts why;
	const char *sentence;
	json_t *changes = json_array();
	int failed = gw_why_facts(site, job, &why, error);

	if (failed)
		goto out;
	gw_explain(&why.facts, &explanation);
	sentence = choose_sentence(job, &why.facts, &explanation);
	row(table, "reason", sentence);
	if (job->view->rank)
		say_ahead(table, site, job);
	row(table, "gap", explanation.gap);
	row(table, "share", explanation.share);
	say_queues(table, site, job);
	row(table, "quota", explanation.quota);
	row(table, "placement", explanation.placement);
	say_slurm(table, job);
	say_start(table, job, site->now);
	for (size_t i = 0; i < explanation.change_count; i++) {
		const struct gw_change *change = &explanation.change[i];

		row(table, i ? "or" : "would start it", change->text);
		json_array_append_new(changes,
				      json_pack("{s:s,s:I,s:s}", "kind",
						gw_change_kind_name(change->kind), "value",
						(json_int_t)change->value, "text", change->text));
	}
	json_object_set_new(
		root, "kind",
		json_string(gw_problem_name(problem_of(sentence, explanation.problem))));
	json_object_set_new(root, "sentence", json_string(sentence));
out:
	json_object_set_new(root, "changes", changes);
	gw_why_facts_free(&why);
	return failed;
}

static void say_shapes(struct gw_table *table, const struct gw_site *site,
		       const struct gw_known_job *job)
{
	struct gw_status status;
	struct gw_str text = {0};

	if (!job->view->gpus || gw_status_read(site->places.status, site->now, &status, NULL))
		return;
	gw_why_shapes(status.record, status.count, job->slurm.info->nodes, &text);
	row_string(table, "shape", &text);
	gw_status_free(&status);
}

/* Slurm's own record says which cores; where all are near its GPUs there is nothing to say. */
static void say_cores(struct gw_table *table, const struct gw_site *site,
		      const struct gw_known_job *job)
{
	char *record = job->nodes_known ? gw_asked_job_text(job->slurm.info) : NULL;
	struct gw_map_source source;
	struct gw_str text = {0};

	if (!record)
		return;
	gw_map_source_open(&source, site, job);
	gw_why_cores(record, gw_map_source_ask, &source, &text);
	gw_map_source_close(&source);
	row_string(table, "cores", &text);
	free(record);
}

static void say_running(struct gw_table *table, const struct gw_site *site,
			const struct gw_known_job *job)
{
	const struct gw_view_job *view = job->view;
	char date[GW_DATE_SIZE];
	struct gw_str text = {0};

	if (job->slurm.info && job->slurm.info->nodes) {
		row(table, "where", job->slurm.info->nodes);
		say_shapes(table, site, job);
		if (view->gpus)
			say_cores(table, site, job);
	}
	row(table, "since", gw_date_text(date, view->start));
	if (view->limit != GW_TIME_INFINITE)
		row(table, "ends", gw_date_text(date, view->start + view->limit));
	if (view->borrow) {
		gw_str_appendf(&text, "%" PRIu32 " of its GPUs are borrowed", view->borrow);
		row_string(table, "quota", &text);
	}
	say_queues(table, site, job);
	say_slurm(table, job);
}

/* Slurm knows it, the view does not. */
static void say_outside(struct gw_table *table, const struct gw_site *site,
			const struct gw_known_job *job, json_t *root)
{
	const slurm_job_info_t *info = job->slurm.info;
	uint32_t state = info->job_state & JOB_STATE_BASE;
	const char *why = "no queue of Gangway's: Gangway leaves it to Slurm";

	if (state != JOB_PENDING && state != JOB_RUNNING && state != JOB_SUSPENDED)
		why = "it has ended";
	else if (!site->view.written)
		why = "the view can not be read: only what Slurm says is known";
	else if (info->submit_time >= site->view.written)
		why = "it came after the view was written: ask again in a few seconds";
	else if (site->view.truncated && state == JOB_PENDING)
		why = "not in the view, which leaves out the last of the pending jobs";
	row(table, "job", why);
	say_slurm(table, job);
	if (state == JOB_RUNNING && info->nodes)
		row(table, "where", info->nodes);
	say_start(table, job, site->now);
	json_object_set_new(root, "sentence", json_string(why));
}

static int print_json(json_t *root, const struct gw_table *table, const struct gw_known_job *job)
{
	const struct gw_view_job *view = job->view;
	json_t *rows = json_array();

	for (size_t i = 0; i + 2 <= table->cells.count; i += 2)
		json_array_append_new(rows, json_pack("{s:s,s:s}", "what", table->cells.item[i],
						      "text", table->cells.item[i + 1]));
	json_object_set_new(root, "text", rows);
	if (view) {
		json_object_set_new(root, "queue", json_string(view->queue));
		json_object_set_new(root, "flavor", json_string(view->flavor));
		json_object_set_new(root, "gpus", json_integer(view->gpus));
		json_object_set_new(root, "rank", json_integer(view->rank));
		json_object_set_new(root, "gap", json_boolean(view->gap));
		json_object_set_new(root, "back", json_boolean(view->back));
		json_object_set_new(root, "quota", json_string(gw_quota_why_name(view->why)));
		json_object_set_new(root, "missing", json_integer(view->missing));
	}
	if (job->slurm.info) {
		json_object_set_new(root, "slurm_state", json_string(job->slurm.state));
		json_object_set_new(root, "slurm_reason", json_string(job->slurm.reason));
	}
	return gw_json_print(root, stdout);
}

static int print(const struct gw_command *command, const struct gw_table *table,
		 const struct gw_known_job *job, json_t *root, const struct gw_output *output)
{
	struct gw_output plain = *output;

	if (table->failed) {
		json_decref(root);
		return gw_complain(command, "out of memory");
	}
	if (output->json)
		return print_json(root, table, job);
	json_decref(root);
	plain.no_header = output->no_header || !output->parsable;
	gw_table_print(table, &plain, stdout);
	return GW_EXIT_OK;
}

static int explain(const struct gw_command *command, const struct gw_site *site,
		   const struct gw_known_job *job, const struct gw_output *output)
{
	struct gw_table table = {.columns = columns};
	json_t *root = json_object();
	struct gw_error error = {0};
	int failed = 0, code;

	json_object_set_new(root, "job",
			    json_integer(job->view ? job->view->id : job->slurm.info->job_id));
	if (job->view)
		say_job(&table, job);
	if (!job->view)
		say_outside(&table, site, job, root);
	else if (job->view->running)
		say_running(&table, site, job);
	else
		failed = say_pending(&table, site, job, root, &error);
	if (failed) {
		json_decref(root);
		code = gw_complain(command, "%s", error.text);
	} else {
		code = print(command, &table, job, root, output);
	}
	gw_table_free(&table);
	return code;
}

static bool may_see(const struct gw_site *site, const struct gw_known_job *job)
{
	uid_t self = geteuid();

	if (site->sees_jobs)
		return true;
	return job->view ? job->view->user == self : job->slurm.info->user_id == self;
}

/* Slurm's answers, when it can be asked. Without them the view still tells most. */
static void ask_slurm(const struct gw_command *command, const struct gw_site *site,
		      const struct gw_job_name *name, struct gw_known_job *job)
{
	struct gw_error error = {0};

	if (!site->live)
		return;
	if (!gw_slurmctld_answers(site->places.slurm_conf, &site->slurm)) {
		gw_complain(command, "slurmctld does not answer: only the view is told");
		return;
	}
	if (gw_asked_job_load(name, &job->slurm, &error))
		gw_complain(command, "%s", error.text);
	job->nodes_known = job->slurm.info && !gw_asked_nodes_load(&job->nodes, NULL);
}

static int find_job(const struct gw_command *command, const struct gw_site *site,
		    const struct gw_job_name *name, const char *text, struct gw_known_job *job)
{
	bool plain = name->task == NO_VAL && name->part == NO_VAL;

	ask_slurm(command, site, name, job);
	if (job->slurm.info)
		job->view = gw_view_job(&site->view, job->slurm.info->job_id);
	else if (plain)
		job->view = gw_view_job(&site->view, name->id);
	if (!job->view && !job->slurm.info)
		return gw_complain(command, "%s: there is no such job", text);
	if (!may_see(site, job))
		return gw_complain(command, "%s: is not your job", text);
	if (job->view)
		job->pool = gw_view_pool_of(&site->view, job->view->queue, job->view->flavor);
	return GW_EXIT_OK;
}

static int answer(const struct gw_command *command, const struct gw_site *site,
		  const struct gw_job_name *name, const char *text, const struct gw_output *output)
{
	struct gw_known_job job = {0};
	struct gw_conf *conf;
	int code;

	conf = site->places.conf ? gw_places_conf(&site->places, NULL) : NULL;
	job.conf = conf;
	code = find_job(command, site, name, text, &job);
	if (!code)
		code = explain(command, site, &job, output);
	gw_asked_nodes_free(&job.nodes);
	gw_asked_job_free(&job.slurm);
	gw_conf_free(conf);
	return code;
}

int gw_cmd_why(const struct gw_command *command, int argc, char **argv)
{
	struct gw_site_paths paths = {0};
	struct gw_output output = {0};
	struct gw_strings words = {0};
	const struct gw_option options[] = {
		GW_SITE_OPTIONS(paths),
		{.name = "",
		 .value_name = "JOB",
		 .words = &words,
		 .help = "a job id, as squeue shows it: 12, 12_3, 12+1"},
		{0},
	};
	struct gw_job_name name;
	struct gw_site site;
	int code, opened;

	if (!gw_options_read(command, options, &output, argc, argv, &code)) {
		gw_strings_free(&words);
		return code;
	}
	if (words.count != 1) {
		gw_complain(command, "one job is needed (see gangway why --help)");
		gw_strings_free(&words);
		return GW_EXIT_USAGE;
	}
	if (gw_job_name_parse(words.item[0], &name)) {
		gw_complain(command, "%s: must be a job, as 12, 12_3 or 12+1", words.item[0]);
		gw_strings_free(&words);
		return GW_EXIT_USAGE;
	}
	opened = gw_site_open(command, &paths, &site);
	/* Without a view there still is what Slurm says. */
	code = opened && !(site.live && site.places.conf)
		       ? opened
		       : answer(command, &site, &name, words.item[0], &output);
	gw_site_close(&site);
	gw_strings_free(&words);
	return opened ? opened : code;
}

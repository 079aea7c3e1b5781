// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway queues: pools and their quotas, queues and their shares, as they are now. */
#include "commands.h"

#include <inttypes.h>
#include <stdlib.h>

#include "site.h"

static const char *const pool_columns[] = {"Pool",       "Flavor",     "Quota",  "Held",
					   "Borrowed",   "Lent",       "Reach",  "BorrowLimit",
					   "LendLimit",  "Largest",    "Cohort", "CohortQuota",
					   "CohortHeld", "CohortFree", NULL};
static const char *const queue_columns[] = {
	"Queue",       "Account",       "Pool", "Weight",  "EntitledPercent", "HeldPercent",
	"Held",        "UsageGpuHours", "Key",  "Running", "RunningGpus",     "Pending",
	"PendingGpus", "Blocked",       "Next", NULL};

#define TEXT_COLUMNS "Pool,Flavor,Cohort,Queue,Account"

static bool wanted(const struct gw_strings *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (gw_same(names->item[i], name))
			return true;
	return !names->count;
}

/* A pool is shown when one of the queues asked for draws from it. */
static bool pool_wanted(const struct gw_view *view, const struct gw_strings *names,
			const char *pool)
{
	for (size_t i = 0; i < view->queue_count; i++)
		if (gw_same(view->queue[i].pool, pool) && wanted(names, view->queue[i].name))
			return true;
	return !names->count;
}

static void limit_cell(struct gw_table *table, uint32_t limit)
{
	if (limit == GW_NOT_GIVEN)
		gw_table_cell(table, "-");
	else
		gw_table_cellf(table, "%" PRIu32, limit);
}

static void add_pool(struct gw_table *table, const struct gw_view_pool *pool)
{
	const struct gw_quota_figures *figures = &pool->figures;
	const uint32_t own[] = {figures->quota,      figures->held,   figures->borrowed,
				figures->lent,       figures->reach,  figures->borrow_limit,
				figures->lend_limit, figures->largest};
	const uint32_t cohort[] = {figures->cohort_quota, figures->cohort_held,
				   figures->cohort_free};

	gw_table_cell(table, pool->name);
	gw_table_cell(table, pool->flavor);
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		limit_cell(table, own[i]);
	gw_table_cell(table, *pool->cohort ? pool->cohort : "-");
	for (size_t i = 0; i < sizeof(cohort) / sizeof(cohort[0]); i++)
		limit_cell(table, *pool->cohort ? cohort[i] : GW_NOT_GIVEN);
}

/* Weight and what is held, of all queues of one pool. */
struct sums {
	double weight, held;
};

static struct sums sum_pool(const struct gw_view *view, const char *pool)
{
	struct sums sums = {0};

	for (size_t i = 0; i < view->queue_count; i++) {
		if (!gw_same(view->queue[i].pool, pool))
			continue;
		sums.weight += view->queue[i].weight;
		sums.held += view->queue[i].held;
	}
	return sums;
}

/* The place in the order of the queue's first job that may start; 0: it has none. */
static uint32_t next_rank(const struct gw_view *view, const char *queue)
{
	uint32_t best = 0;

	for (size_t i = 0; i < view->job_count; i++) {
		const struct gw_view_job *job = &view->job[i];

		if (!job->running && job->startable && job->rank && gw_same(job->queue, queue) &&
		    (!best || job->rank < best))
			best = job->rank;
	}
	return best;
}

static double percent(double part, double whole)
{
	return whole > 0 ? 100 * part / whole : 0;
}

static void add_queue(struct gw_table *table, const struct gw_view *view,
		      const struct gw_view_queue *queue)
{
	struct sums sums = sum_pool(view, queue->pool);
	const uint32_t counts[] = {queue->running, queue->running_gpus, queue->pending,
				   queue->pending_gpus, queue->blocked};
	uint32_t rank = next_rank(view, queue->name);

	gw_table_cell(table, queue->name);
	gw_table_cell(table, queue->account);
	gw_table_cell(table, queue->pool);
	gw_table_cellf(table, "%g", queue->weight);
	gw_table_cellf(table, "%.1f", percent(queue->weight, sums.weight));
	gw_table_cellf(table, "%.1f", percent(queue->held, sums.held));
	gw_table_cellf(table, "%g", queue->held);
	gw_table_cellf(table, "%.2f", queue->usage / 3600);
	gw_table_cellf(table, "%.3f", queue->key);
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		gw_table_cellf(table, "%" PRIu32, counts[i]);
	limit_cell(table, rank ? rank : GW_NOT_GIVEN);
}

/* The pending job that goes first, or NULL when none may start. */
static const struct gw_view_job *next_job(const struct gw_view *view)
{
	const struct gw_view_job *next = NULL;

	for (size_t i = 0; i < view->job_count; i++) {
		const struct gw_view_job *job = &view->job[i];

		if (!job->running && job->startable && job->rank &&
		    (!next || job->rank < next->rank))
			next = job;
	}
	return next;
}

static void print_next(const struct gw_site *site)
{
	const struct gw_view_job *next = next_job(&site->view);

	if (!next)
		printf("next: no pending job may start\n");
	else if (site->names_others)
		printf("next: queue %s, job %" PRIu32 " (%" PRIu32 " %s)\n", next->queue, next->id,
		       next->gpus, next->flavor);
	else
		printf("next: queue %s\n", next->queue);
	if (site->view.truncated)
		printf("! %" PRIu32 " more pending jobs are not in the view\n",
		       site->view.truncated);
}

static void print_text(const struct gw_site *site, const struct gw_table *pools,
		       const struct gw_table *queues, const struct gw_output *output)
{
	bool plain = !output->parsable && !output->format;
	char *age = gw_site_age(site);

	if (plain && !output->no_header)
		printf("%s; GPUs of pools; usage in weighted GPU-hours, decayed\n\n",
		       age ? age : "");
	gw_table_print(pools, output, stdout);
	if (plain)
		putchar('\n');
	gw_table_print(queues, output, stdout);
	if (plain && !output->no_header) {
		putchar('\n');
		print_next(site);
	}
	free(age);
}

static int print_json(const struct gw_site *site, const struct gw_table *pools,
		      const struct gw_table *queues)
{
	const struct gw_view_job *next = next_job(&site->view);
	json_t *root = json_object();

	json_object_set_new(root, "cluster", json_string(site->view.cluster));
	json_object_set_new(root, "written", json_integer(site->view.written));
	json_object_set_new(root, "age", json_integer(site->now - site->view.written));
	json_object_set_new(root, "pools", gw_table_json(pools, TEXT_COLUMNS));
	json_object_set_new(root, "queues", gw_table_json(queues, TEXT_COLUMNS));
	json_object_set_new(root, "next", next ? json_string(next->queue) : json_null());
	json_object_set_new(root, "truncated", json_integer(site->view.truncated));
	return gw_json_print(root, stdout);
}

static int show(const struct gw_command *command, const struct gw_site *site,
		const struct gw_strings *names, const struct gw_output *output)
{
	struct gw_table pools = {.columns = pool_columns}, queues = {.columns = queue_columns};
	const struct gw_view *view = &site->view;
	int code = GW_EXIT_OK;

	for (size_t i = 0; i < view->pool_count; i++)
		if (pool_wanted(view, names, view->pool[i].name))
			add_pool(&pools, &view->pool[i]);
	for (size_t i = 0; i < view->queue_count; i++)
		if (wanted(names, view->queue[i].name))
			add_queue(&queues, view, &view->queue[i]);
	if (pools.failed || queues.failed)
		code = gw_complain(command, "out of memory");
	else if (output->json)
		code = print_json(site, &pools, &queues);
	else
		print_text(site, &pools, &queues, output);
	gw_table_free(&pools);
	gw_table_free(&queues);
	return code;
}

int gw_cmd_queues(const struct gw_command *command, int argc, char **argv)
{
	static const char *const *const tables[] = {pool_columns, queue_columns};
	struct gw_site_paths paths = {0};
	struct gw_output output = {0};
	struct gw_strings names = {0};
	const struct gw_option options[] = {
		GW_SITE_OPTIONS(paths),
		GW_FORMAT_OPTION(output),
		{.name = "",
		 .value_name = "[QUEUE...]",
		 .words = &names,
		 .help = "only these queues and their pools"},
		{0},
	};
	struct gw_site site;
	int code;

	if (!gw_options_read(command, options, &output, argc, argv, &code)) {
		gw_strings_free(&names);
		return code;
	}
	if (!gw_format_check(command, &output, tables, 2)) {
		gw_strings_free(&names);
		return GW_EXIT_USAGE;
	}
	code = gw_site_open(command, &paths, &site);
	if (!code)
		code = gw_site_queues_known(command, &site, &names);
	if (!code)
		code = show(command, &site, &names, &output);
	gw_site_close(&site);
	gw_strings_free(&names);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "history.h"

#include <errno.h>
#include <inttypes.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>
#include <stdlib.h>
#include <string.h>

#include "../core/route.h"

/* Accounts deeper than this belong to no queue above. */
#define DEPTH_MAX 64

/* Slurm's list is declared differently in each of its versions. */
#define LIST     __typeof__(slurm_list_create(NULL))
#define ITERATOR __typeof__(slurm_list_iterator_create(NULL))

/* What is needed to read a record: names of TRES, and who is above an account. */
struct tables {
	void *db;
	const struct gw_conf *conf;
	LIST tres;     /* of slurmdb_tres_rec_t */
	LIST accounts; /* of slurmdb_assoc_rec_t, those of users too */
};

static const char *parent_of(const struct tables *tables, const char *account)
{
	ITERATOR at = slurm_list_iterator_create(tables->accounts);
	const slurmdb_assoc_rec_t *record;
	const char *parent = NULL;

	while (!parent && (record = slurm_list_next(at)))
		if (gw_same(record->acct, account) && (!record->user || !*record->user))
			parent = record->parent_acct;
	slurm_list_iterator_destroy(at);
	return parent && *parent ? parent : NULL;
}

static int32_t queue_of(const struct tables *tables, const char *account)
{
	const char *ancestors[DEPTH_MAX];
	const char *parent = account;
	size_t depth = 0;

	while (depth < DEPTH_MAX && (parent = parent_of(tables, parent)))
		ancestors[depth++] = parent;
	return gw_route_queue_of(tables->conf, account, ancestors, depth);
}

/* "gres/gpu:h100" of an id, or NULL. The text is valid until the next call with name. */
static const char *tres_name(const struct tables *tables, uint32_t id, struct gw_str *name)
{
	ITERATOR at = slurm_list_iterator_create(tables->tres);
	const slurmdb_tres_rec_t *record;

	gw_str_free(name);
	while ((record = slurm_list_next(at))) {
		if (record->id != id)
			continue;
		gw_str_append(name, record->type);
		if (record->name && *record->name)
			gw_str_appendf(name, "/%s", record->name);
		break;
	}
	slurm_list_iterator_destroy(at);
	return name->length ? gw_str_text(name) : NULL;
}

/* "1=4,1001=8" to "cpu=4,gres/gpu=8". Counts that are not known, as energy, are left out. */
static int read_tres(const struct tables *tables, const char *ids, struct gw_tres *tres,
		     struct gw_error *error)
{
	struct gw_str text = {0}, name = {0};
	int result;

	while (ids && *ids) {
		char *end;
		uint32_t id = (uint32_t)strtoul(ids, &end, 10);
		unsigned long long count = *end == '=' ? strtoull(end + 1, &end, 10) : 0;
		const char *found = tres_name(tables, id, &name);

		if (found && count < INFINITE64 - 1 && count < NO_VAL64)
			gw_str_appendf(&text, "%s%s=%llu", text.length ? "," : "", found, count);
		ids = strchr(end, ',');
		ids = ids ? ids + 1 : NULL;
	}
	result = text.failed || name.failed ? gw_error_memory(error)
					    : gw_tres_parse(gw_str_text(&text), tres, error);
	gw_str_free(&text);
	gw_str_free(&name);
	return result;
}

int32_t gw_history_flavor(const struct gw_conf *conf, const char *partition,
			  const struct gw_tres *alloc)
{
	int32_t untyped = GW_INDEX_NONE;

	for (size_t i = 0; partition && i < conf->flavor_count; i++) {
		char name[128];

		if (!gw_same(conf->flavors[i].partition, partition))
			continue;
		snprintf(name, sizeof(name), "gres/%s", conf->flavors[i].gres);
		if (gw_tres_value(alloc, name, 0) > 0)
			return (int32_t)i;
		if (untyped == GW_INDEX_NONE && gw_tres_gres(alloc, "gpu") > 0)
			untyped = (int32_t)i;
	}
	return untyped;
}

static int read_job(const struct tables *tables, const slurmdb_job_rec_t *job,
		    struct gw_history_run *run, struct gw_error *error)
{
	const struct gw_conf *conf = tables->conf;
	struct gw_tres alloc = {0};

	if (read_tres(tables, job->tres_alloc_str, &alloc, error))
		return gw_error_prefix(error, "job %" PRIu32 ": ", job->jobid);
	*run = (struct gw_history_run){
		.run = {.id = job->jobid,
			.queue = queue_of(tables, job->account ? job->account : ""),
			.flavor = gw_history_flavor(conf, job->partition, &alloc),
			.rate = gw_tres_weighted(&conf->usage_weights, &alloc),
			.start = job->start,
			.end = job->end},
		.account = gw_strdup(job->account ? job->account : ""),
		.gpus = gw_tres_gres(&alloc, "gpu"),
		.suspended = job->suspended,
	};
	gw_tres_free(&alloc);
	return run->account ? 0 : gw_error_memory(error);
}

static int read_jobs(const struct tables *tables, LIST jobs, struct gw_history *history,
		     struct gw_error *error)
{
	ITERATOR at = slurm_list_iterator_create(jobs);
	const slurmdb_job_rec_t *job;
	int failed = 0;

	while (!failed && (job = slurm_list_next(at))) {
		struct gw_history_run *runs;

		if (!job->start || (job->end && job->end <= job->start))
			continue;
		runs = gw_array_room(history->run, history->count, sizeof(*runs));
		if (!runs) {
			failed = gw_error_memory(error);
			break;
		}
		history->run = runs;
		failed = read_job(tables, job, &runs[history->count], error);
		history->count += !failed;
	}
	slurm_list_iterator_destroy(at);
	return failed;
}

/* A list of one name, which stays the caller's. */
static LIST list_of(const char *name)
{
	LIST list = slurm_list_create(NULL);

	slurm_list_append(list, (void *)name);
	return list;
}

static int ask_tables(const char *cluster, struct tables *tables, struct gw_error *error)
{
	slurmdb_assoc_cond_t accounts = {.cluster_list = list_of(cluster)};
	slurmdb_tres_cond_t tres = {.count = NO_VAL};

	tables->tres = slurmdb_tres_get(tables->db, &tres);
	tables->accounts = tables->tres ? slurmdb_associations_get(tables->db, &accounts) : NULL;
	slurm_list_destroy(accounts.cluster_list);
	if (tables->tres && tables->accounts)
		return 0;
	return gw_error_set(error, "slurmdbd: %s", slurm_strerror(errno));
}

static int ask_jobs(const struct tables *tables, const char *cluster, int64_t since, int64_t now,
		    struct gw_history *history, struct gw_error *error)
{
	slurmdb_job_cond_t cond = {
		.cluster_list = list_of(cluster),
		.db_flags = SLURMDB_JOB_FLAG_NOTSET,
		.flags = JOBCOND_FLAG_DUP | JOBCOND_FLAG_NO_STEP | JOBCOND_FLAG_NO_TRUNC,
		.usage_start = since,
		.usage_end = now,
	};
	LIST jobs = slurmdb_jobs_get(tables->db, &cond);
	int failed;

	slurm_list_destroy(cond.cluster_list);
	if (!jobs)
		return gw_error_set(error, "slurmdbd: %s", slurm_strerror(errno));
	failed = read_jobs(tables, jobs, history, error);
	slurm_list_destroy(jobs);
	return failed;
}

int gw_history_load(const struct gw_conf *conf, const char *cluster, int64_t since, int64_t now,
		    struct gw_history *history, struct gw_error *error)
{
	struct tables tables = {.conf = conf};
	uint16_t flags = 0;
	int failed;

	*history = (struct gw_history){0};
	tables.db = slurmdb_connection_get(&flags);
	if (!tables.db)
		return gw_error_set(error, "slurmdbd: %s", slurm_strerror(errno));
	failed = ask_tables(cluster, &tables, error) ||
		 ask_jobs(&tables, cluster, since, now, history, error);
	if (tables.tres)
		slurm_list_destroy(tables.tres);
	if (tables.accounts)
		slurm_list_destroy(tables.accounts);
	slurmdb_connection_close(&tables.db);
	if (failed)
		gw_history_free(history);
	return failed ? -1 : 0;
}

void gw_history_free(struct gw_history *history)
{
	for (size_t i = 0; i < history->count; i++)
		free(history->run[i].account);
	free(history->run);
	*history = (struct gw_history){0};
}

double gw_history_gpu_seconds(const struct gw_history_run *run, int64_t since, int64_t now)
{
	int64_t begin = run->run.start > since ? run->run.start : since;
	int64_t end = run->run.end && run->run.end < now ? run->run.end : now;
	int64_t span = end - begin - run->suspended;

	return span > 0 ? run->gpus * (double)span : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "records.h"

#include <errno.h>
#include <slurm/slurm_errno.h>
#include <stdlib.h>
#include <string.h>

#include "../core/route.h"

/* Slurm's list is declared differently in each of its versions. */
#define LIST     __typeof__(slurm_list_create(NULL))
#define ITERATOR __typeof__(slurm_list_iterator_create(NULL))

struct gw_records {
	void *db;
	char *cluster;
	LIST tres;     /* of slurmdb_tres_rec_t */
	LIST accounts; /* of slurmdb_assoc_rec_t, those of users too */
	LIST qos;      /* of slurmdb_qos_rec_t; NULL while nobody asked */
};

static int complain(struct gw_error *error)
{
	return gw_error_set(error, "slurmdbd: %s", slurm_strerror(errno));
}

/* A list of one name, which stays the caller's. */
static LIST list_of(const char *name)
{
	LIST list = slurm_list_create(NULL);

	slurm_list_append(list, (void *)name);
	return list;
}

static int ask_tables(struct gw_records *records, struct gw_error *error)
{
	slurmdb_assoc_cond_t accounts = {.cluster_list = list_of(records->cluster)};
	slurmdb_tres_cond_t tres = {.count = NO_VAL};

	records->tres = slurmdb_tres_get(records->db, &tres);
	records->accounts = records->tres ? slurmdb_associations_get(records->db, &accounts) : NULL;
	slurm_list_destroy(accounts.cluster_list);
	return records->tres && records->accounts ? 0 : complain(error);
}

struct gw_records *gw_records_open(const char *cluster, struct gw_error *error)
{
	struct gw_records *records = calloc(1, sizeof(*records));
	uint16_t flags = 0;
	int failed;

	if (records)
		records->cluster = gw_strdup(cluster);
	if (!records || !records->cluster) {
		free(records);
		gw_error_memory(error);
		return NULL;
	}
	records->db = slurmdb_connection_get(&flags);
	failed = records->db ? ask_tables(records, error) : complain(error);
	if (failed) {
		gw_records_close(records);
		return NULL;
	}
	return records;
}

void gw_records_close(struct gw_records *records)
{
	if (!records)
		return;
	if (records->tres)
		slurm_list_destroy(records->tres);
	if (records->accounts)
		slurm_list_destroy(records->accounts);
	if (records->qos)
		slurm_list_destroy(records->qos);
	if (records->db)
		slurmdb_connection_close(&records->db);
	free(records->cluster);
	free(records);
}

const char *gw_records_parent(const struct gw_records *records, const char *account)
{
	ITERATOR at = slurm_list_iterator_create(records->accounts);
	const slurmdb_assoc_rec_t *record;
	const char *parent = NULL;

	while (!parent && (record = slurm_list_next(at)))
		if (gw_same(record->acct, account) && (!record->user || !*record->user))
			parent = record->parent_acct;
	slurm_list_iterator_destroy(at);
	return parent && *parent ? parent : NULL;
}

const char *gw_records_qos(struct gw_records *records, uint32_t id)
{
	slurmdb_qos_cond_t all = {0};
	const slurmdb_qos_rec_t *record;
	const char *name = NULL;
	ITERATOR at;

	if (!records->qos)
		records->qos = slurmdb_qos_get(records->db, &all);
	if (!records->qos)
		return NULL;
	at = slurm_list_iterator_create(records->qos);
	while (!name && (record = slurm_list_next(at)))
		if (record->id == id)
			name = record->name;
	slurm_list_iterator_destroy(at);
	return name;
}

/* "gres/gpu:h100" of an id, or NULL. The text is valid until the next call with name. */
static const char *tres_name(const struct gw_records *records, uint32_t id, struct gw_str *name)
{
	ITERATOR at = slurm_list_iterator_create(records->tres);
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

int gw_records_tres(const struct gw_records *records, const char *ids, struct gw_str *text,
		    struct gw_error *error)
{
	struct gw_str name = {0};
	bool failed;

	while (ids && *ids) {
		char *end;
		uint32_t id = (uint32_t)strtoul(ids, &end, 10);
		unsigned long long count = *end == '=' ? strtoull(end + 1, &end, 10) : 0;
		const char *found = tres_name(records, id, &name);

		if (found && count < INFINITE64 - 1 && count < NO_VAL64)
			gw_str_appendf(text, "%s%s=%llu", text->length ? "," : "", found, count);
		ids = strchr(end, ',');
		ids = ids ? ids + 1 : NULL;
	}
	failed = text->failed || name.failed;
	gw_str_free(&name);
	return failed ? gw_error_memory(error) : 0;
}

int gw_records_jobs(const struct gw_records *records, int64_t since, int64_t until,
		    int (*each)(void *arg, const slurmdb_job_rec_t *job, struct gw_error *error),
		    void *arg, struct gw_error *error)
{
	slurmdb_job_cond_t cond = {
		.cluster_list = list_of(records->cluster),
		.db_flags = SLURMDB_JOB_FLAG_NOTSET,
		.flags = JOBCOND_FLAG_DUP | JOBCOND_FLAG_NO_STEP | JOBCOND_FLAG_NO_TRUNC,
		.usage_start = since,
		.usage_end = until,
	};
	LIST jobs = slurmdb_jobs_get(records->db, &cond);
	const slurmdb_job_rec_t *job;
	int failed = 0;
	ITERATOR at;

	slurm_list_destroy(cond.cluster_list);
	if (!jobs)
		return complain(error);
	at = slurm_list_iterator_create(jobs);
	while (!failed && (job = slurm_list_next(at)))
		failed = each(arg, job, error);
	slurm_list_iterator_destroy(at);
	slurm_list_destroy(jobs);
	return failed ? -1 : 0;
}

/* Accounts deeper than this belong to no queue above. */
#define DEPTH_MAX 64

int32_t gw_records_queue(const struct gw_records *records, const struct gw_conf *conf,
			 const char *account)
{
	const char *ancestors[DEPTH_MAX];
	const char *parent = account ? account : "";
	size_t depth = 0;

	while (depth < DEPTH_MAX && (parent = gw_records_parent(records, parent)))
		ancestors[depth++] = parent;
	return gw_route_queue_of(conf, account ? account : "", ancestors, depth);
}

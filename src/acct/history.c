// SPDX-License-Identifier: GPL-2.0-or-later
#include "history.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "records.h"

/* What a load works on. */
struct load {
	const struct gw_records *records;
	const struct gw_conf *conf;
	struct gw_history *history;
};

static int read_tres(const struct load *load, const char *ids, struct gw_tres *tres,
		     struct gw_error *error)
{
	struct gw_str text = {0};
	int result = gw_records_tres(load->records, ids, &text, error);

	if (!result)
		result = gw_tres_parse(gw_str_text(&text), tres, error);
	gw_str_free(&text);
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

static int read_job(const struct load *load, const slurmdb_job_rec_t *job,
		    struct gw_history_run *run, struct gw_error *error)
{
	const struct gw_conf *conf = load->conf;
	struct gw_tres alloc = {0};

	if (read_tres(load, job->tres_alloc_str, &alloc, error))
		return gw_error_prefix(error, "job %" PRIu32 ": ", job->jobid);
	*run = (struct gw_history_run){
		.run = {.id = job->jobid,
			.queue = gw_records_queue(load->records, load->conf, job->account),
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

static int add_job(void *arg, const slurmdb_job_rec_t *job, struct gw_error *error)
{
	const struct load *load = arg;
	struct gw_history *history = load->history;
	struct gw_history_run *runs;
	int failed;

	if (!job->start || (job->end && job->end <= job->start))
		return 0;
	runs = gw_array_room(history->run, history->count, sizeof(*runs));
	if (!runs)
		return gw_error_memory(error);
	history->run = runs;
	failed = read_job(load, job, &runs[history->count], error);
	history->count += !failed;
	return failed;
}

int gw_history_load(const struct gw_conf *conf, const char *cluster, int64_t since, int64_t now,
		    struct gw_history *history, struct gw_error *error)
{
	struct gw_records *records = gw_records_open(cluster, error);
	struct load load = {records, conf, history};
	int failed;

	*history = (struct gw_history){0};
	if (!records)
		return -1;
	failed = gw_records_jobs(records, since, now, add_job, &load, error);
	gw_records_close(records);
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

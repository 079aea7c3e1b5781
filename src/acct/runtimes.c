// SPDX-License-Identifier: GPL-2.0-or-later
#include "runtimes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "../core/job.h"
#include "../util/tres.h"
#include "records.h"

struct run {
	struct gw_predict_kind kind;
	int64_t duration, end;
	struct gw_mix_kind holds; /* on each node */
	uint32_t nodes;
};

struct load {
	const struct gw_records *records;
	const struct gw_conf *conf;
	struct run *run;
	size_t count;
	int64_t now;
};

/* Not one that Slurm took the nodes from: how long it would have run is not known. */
static bool ran_to_its_end(const slurmdb_job_rec_t *job)
{
	switch (job->state & JOB_STATE_BASE) {
	case JOB_COMPLETE:
	case JOB_FAILED:
	case JOB_TIMEOUT:
	case JOB_CANCELLED:
	case JOB_OOM:
	case JOB_DEADLINE:
		return job->start && job->end >= job->start;
	default:
		return false;
	}
}

/* From a list of TRES by id; freed by gw_tres_free(). */
static int read_tres(const struct load *load, const slurmdb_job_rec_t *job, const char *list,
		     struct gw_tres *tres, struct gw_error *error)
{
	struct gw_str text = {0};
	int failed = gw_records_tres(load->records, list, &text, error) ||
		     gw_tres_parse(gw_str_text(&text), tres, error);

	gw_str_free(&text);
	return failed ? gw_error_prefix(error, "job %" PRIu32 ": ", job->jobid) : 0;
}

static int requested_gpus(const struct load *load, const slurmdb_job_rec_t *job, double *gpus,
			  struct gw_error *error)
{
	struct gw_tres tres = {0};
	int failed = read_tres(load, job, job->tres_req_str, &tres, error);

	*gpus = failed ? 0 : gw_tres_gres(&tres, "gpu");
	gw_tres_free(&tres);
	return failed;
}

/* What it held, evenly over its nodes. */
static int holds(const struct load *load, const slurmdb_job_rec_t *job, struct run *run,
		 struct gw_error *error)
{
	struct gw_tres tres = {0};
	int failed = read_tres(load, job, job->tres_alloc_str, &tres, error);
	double nodes = failed ? 0 : gw_tres_value(&tres, "node", 0);

	if (nodes >= 1) {
		run->nodes = (uint32_t)nodes;
		run->holds = (struct gw_mix_kind){
			.gpus = (uint32_t)ceil(gw_tres_gres(&tres, "gpu") / nodes),
			.cpus = (uint32_t)ceil(gw_tres_value(&tres, "cpu", 0) / nodes),
			.memory = (uint64_t)(gw_tres_value(&tres, "mem", 0) / nodes),
		};
	}
	gw_tres_free(&tres);
	return failed;
}

static int64_t limit_of(const slurmdb_job_rec_t *job)
{
	return job->timelimit == INFINITE || job->timelimit == NO_VAL
		       ? 0
		       : (int64_t)job->timelimit * 60;
}

static int add_job(void *arg, const slurmdb_job_rec_t *job, struct gw_error *error)
{
	struct load *load = arg;
	int32_t queue = gw_records_queue(load->records, load->conf, job->account);
	struct run *runs;
	double gpus;

	if (queue == GW_INDEX_NONE || !ran_to_its_end(job) || job->end > load->now)
		return 0;
	if (requested_gpus(load, job, &gpus, error))
		return -1;
	if (gpus < 1)
		return 0;
	runs = gw_array_room(load->run, load->count, sizeof(*runs));
	if (!runs)
		return gw_error_memory(error);
	load->run = runs;
	runs[load->count++] = (struct run){
		.kind = {.queue = gw_predict_queue(load->conf->queues[queue].name),
			 .user = job->uid,
			 .gpus = (uint32_t)gpus,
			 .limit = limit_of(job)},
		.duration = job->end - job->start,
		.end = job->end,
	};
	return holds(load, job, &runs[load->count - 1], error);
}

static int by_end(const void *a, const void *b)
{
	int64_t x = ((const struct run *)a)->end, y = ((const struct run *)b)->end;

	return (x > y) - (x < y);
}

int gw_runtimes_load(const struct gw_conf *conf, const char *cluster, int64_t since, int64_t now,
		     struct gw_predict *predict, struct gw_mix_seen *seen, struct gw_error *error)
{
	struct gw_records *records = gw_records_open(cluster, error);
	struct load load = {.records = records, .conf = conf, .now = now};
	int failed;

	if (!records)
		return -1;
	failed = gw_records_jobs(records, since, now, add_job, &load, error);
	gw_records_close(records);
	if (load.count)
		qsort(load.run, load.count, sizeof(*load.run), by_end);
	for (size_t i = 0; !failed && i < load.count; i++) {
		const struct run *run = &load.run[i];

		gw_mix_seen_add(seen, &run->holds, run->nodes, run->end - run->duration);
		failed = gw_predict_add(predict, &run->kind, run->duration, run->end, error);
	}
	free(load.run);
	return failed ? -1 : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "job_trace.h"

#include "../sim/trace_columns.h"
#include "../util/parse.h"
#include "records.h"

/* slurmdbd is asked for so many seconds at a time: its answers take a KiB a job. */
#define CHUNK (7 * INT64_C(86400))

struct load {
	struct gw_records *records;
	struct gw_trace_intake *intake;
	bool is_first;
	int64_t begin, end; /* of the chunk */
};

static const struct {
	uint32_t slurm;
	enum gw_trace_state ours;
} states[] = {
	{JOB_PENDING, GW_TRACE_PENDING},     {JOB_RUNNING, GW_TRACE_RUNNING},
	{JOB_SUSPENDED, GW_TRACE_RUNNING},   {JOB_COMPLETE, GW_TRACE_COMPLETED},
	{JOB_CANCELLED, GW_TRACE_CANCELLED}, {JOB_FAILED, GW_TRACE_FAILED},
	{JOB_TIMEOUT, GW_TRACE_TIMEOUT},     {JOB_NODE_FAIL, GW_TRACE_NODE_FAIL},
	{JOB_PREEMPTED, GW_TRACE_PREEMPTED}, {JOB_BOOT_FAIL, GW_TRACE_NODE_FAIL},
	{JOB_DEADLINE, GW_TRACE_TIMEOUT},    {JOB_OOM, GW_TRACE_FAILED},
};

static enum gw_trace_state state_of(uint32_t state)
{
	if (state & JOB_REQUEUE)
		return GW_TRACE_REQUEUED;
	for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
		if (states[i].slurm == (state & JOB_STATE_BASE))
			return states[i].ours;
	return GW_TRACE_COMPLETED;
}

/* Slurm's 0: not yet. */
static int64_t time_of(time_t when)
{
	return when ? (int64_t)when : GW_TRACE_NONE;
}

/* Slurm's are minutes. */
static int64_t limit_of(uint32_t limit)
{
	if (limit == INFINITE || limit == 0)
		return GW_TIME_INFINITE;
	return limit == NO_VAL ? GW_TRACE_NONE : (int64_t)limit * 60;
}

static int read_tres(const struct gw_records *records, const char *ids, struct gw_trace_tres *tres,
		     struct gw_error *error)
{
	struct gw_str text = {0};
	int failed = gw_records_tres(records, ids, &text, error);

	if (!failed)
		failed = gw_trace_read_tres(gw_str_text(&text), tres, error);
	gw_str_free(&text);
	return failed;
}

static int read_row(struct gw_records *records, const slurmdb_job_rec_t *job,
		    struct gw_trace_row *row, struct gw_error *error)
{
	gw_trace_row_begin(row, NULL);
	row->record.job = (struct gw_trace_job){
		.id = job->jobid,
		.array = job->array_job_id,
		.submit = time_of(job->submit),
		.eligible = time_of(job->eligible),
		.start = time_of(job->start),
		.end = time_of(job->end),
		.duration = job->start && job->end ? (int64_t)job->elapsed : GW_TRACE_NONE,
		.limit = limit_of(job->timelimit),
		.state = state_of(job->state),
	};
	row->record.user = job->user;
	row->record.account = job->account;
	row->record.qos = gw_records_qos(records, job->qosid);
	row->record.partition = job->partition;
	row->record.name = job->jobname;
	row->record.node_list = job->nodes;
	row->nodes_held = job->alloc_nodes;
	if (read_tres(records, job->tres_alloc_str, &row->held, error) ||
	    read_tres(records, job->tres_req_str, &row->asked, error))
		return -1;
	gw_trace_row_end(row);
	return 0;
}

/* A run belongs to the chunk in which it became eligible, or to the first. */
static bool is_of_chunk(const struct load *load, const slurmdb_job_rec_t *job)
{
	return job->eligible < load->end && (load->is_first || job->eligible >= load->begin);
}

static int add_job(void *arg, const slurmdb_job_rec_t *job, struct gw_error *error)
{
	const struct load *load = arg;
	struct gw_trace_row row;

	if (!is_of_chunk(load, job))
		return 0;
	if (read_row(load->records, job, &row, error))
		return gw_error_prefix(error, "slurmdbd: job %u: ", (unsigned int)job->jobid);
	return gw_trace_intake_add(load->intake, &row.record, "slurmdbd", 0, error);
}

int gw_job_trace_load(const char *cluster, int64_t since, int64_t until,
		      struct gw_trace_intake *intake, struct gw_error *error)
{
	struct load load = {.records = gw_records_open(cluster, error), .intake = intake};
	int failed = load.records ? 0 : -1;

	for (int64_t begin = since; !failed && begin < until; begin = load.end) {
		load.is_first = begin == since;
		load.begin = begin;
		load.end = until - begin < CHUNK ? until : begin + CHUNK;
		failed = gw_records_jobs(load.records, begin, load.end, add_job, &load, error);
	}
	gw_records_close(load.records);
	return failed ? -1 : 0;
}

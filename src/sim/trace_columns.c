// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_columns.h"

#include <string.h>

#include "../util/parse.h"

/* Names of columns, without regard to case. One that stands beside another means this. */
static const struct {
	const char *name;
	enum gw_trace_column column;
	const char *beside;
} names[] = {
	/* Our own. */
	{"id", GW_TRACE_COL_ID, NULL},
	{"array", GW_TRACE_COL_ARRAY, NULL},
	{"submit", GW_TRACE_COL_SUBMIT, NULL},
	{"eligible", GW_TRACE_COL_ELIGIBLE, NULL},
	{"start", GW_TRACE_COL_START, NULL},
	{"end", GW_TRACE_COL_END, NULL},
	{"duration", GW_TRACE_COL_DURATION, NULL},
	{"limit", GW_TRACE_COL_LIMIT, NULL},
	{"gpus", GW_TRACE_COL_GPUS, NULL},
	{"nodes", GW_TRACE_COL_NODES, NULL},
	{"cpus", GW_TRACE_COL_CPUS, NULL},
	{"memory", GW_TRACE_COL_MEMORY, NULL},
	{"user", GW_TRACE_COL_USER, NULL},
	{"account", GW_TRACE_COL_ACCOUNT, NULL},
	{"qos", GW_TRACE_COL_QOS, NULL},
	{"partition", GW_TRACE_COL_PARTITION, NULL},
	{"name", GW_TRACE_COL_NAME, NULL},
	{"gpu_type", GW_TRACE_COL_GPU_TYPE, NULL},
	{"node_list", GW_TRACE_COL_NODE_LIST, NULL},
	{"state", GW_TRACE_COL_STATE, NULL},
	/* sacct; those that are spelled as ours are above. */
	{"JobID", GW_TRACE_COL_ID, NULL},
	{"JobIDRaw", GW_TRACE_COL_ID_RAW, NULL},
	{"Elapsed", GW_TRACE_COL_DURATION, NULL},
	{"ElapsedRaw", GW_TRACE_COL_DURATION, NULL},
	{"Timelimit", GW_TRACE_COL_LIMIT, NULL},
	{"TimelimitRaw", GW_TRACE_COL_LIMIT_MINUTES, NULL},
	{"AllocTRES", GW_TRACE_COL_TRES_HELD, NULL},
	{"ReqTRES", GW_TRACE_COL_TRES_ASKED, NULL},
	{"NNodes", GW_TRACE_COL_NODES_HELD, NULL},
	{"AllocNodes", GW_TRACE_COL_NODES_HELD, NULL},
	{"AllocCPUS", GW_TRACE_COL_CPUS, NULL},
	{"NCPUS", GW_TRACE_COL_CPUS, NULL},
	{"JobName", GW_TRACE_COL_NAME, NULL},
	{"NodeList", GW_TRACE_COL_NODE_LIST, NULL},
	/* Published traces: Philly and Helios, as cut to a window and as released. */
	{"job_id", GW_TRACE_COL_ID, NULL},
	{"submit_s", GW_TRACE_COL_SUBMIT, NULL},
	{"submit_s_since_2017-08-01", GW_TRACE_COL_SUBMIT, NULL},
	{"duration_s", GW_TRACE_COL_DURATION, NULL},
	{"timelimit_s_SYN", GW_TRACE_COL_LIMIT, NULL},
	{"high_prio_SYN", GW_TRACE_COL_HIGH, NULL},
	{"num_gpus", GW_TRACE_COL_GPUS, NULL},
	{"team", GW_TRACE_COL_ACCOUNT, NULL},
	{"vc", GW_TRACE_COL_ACCOUNT, NULL},
	{"final_status", GW_TRACE_COL_STATE, NULL},
	{"gpu_num", GW_TRACE_COL_GPUS, NULL},
	{"cpu_num", GW_TRACE_COL_CPUS, NULL},
	{"node_num", GW_TRACE_COL_NODES, NULL},
	{"submit_time", GW_TRACE_COL_SUBMIT_US, "num_chips"},
	{"submit_time", GW_TRACE_COL_SUBMIT, NULL},
	{"start_time", GW_TRACE_COL_START, NULL},
	{"end_time", GW_TRACE_COL_END, NULL},
	/* The same in the form that simulators exchange; chips are GPUs there. */
	{"num_chips", GW_TRACE_COL_GPUS, NULL},
	{"num_nodes", GW_TRACE_COL_NODES, NULL},
	{"chip_type", GW_TRACE_COL_GPU_TYPE, NULL},
	{"tenant", GW_TRACE_COL_ACCOUNT, NULL},
	{"class", GW_TRACE_COL_QOS, "num_chips"},
	{"walltime_limit_s", GW_TRACE_COL_LIMIT, NULL},
	/* Alibaba's pods. A part of a GPU is a GPU. */
	{"num_gpu", GW_TRACE_COL_GPUS, NULL},
	{"cpu_milli", GW_TRACE_COL_CPUS_MILLI, NULL},
	{"memory_mib", GW_TRACE_COL_MEMORY, NULL},
	{"creation_time", GW_TRACE_COL_SUBMIT, NULL},
	{"scheduled_time", GW_TRACE_COL_START, NULL},
	{"deletion_time", GW_TRACE_COL_END, NULL},
	{"pod_phase", GW_TRACE_COL_STATE, NULL},
};

static bool header_has(const struct gw_strings *header, const char *name)
{
	for (size_t i = 0; i < header->count; i++)
		if (gw_same(header->item[i], name))
			return true;
	return false;
}

enum gw_trace_column gw_trace_column_of(const char *name, const struct gw_strings *header)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (gw_same(names[i].name, name) &&
		    (!names[i].beside || header_has(header, names[i].beside)))
			return names[i].column;
	return GW_TRACE_COL_OTHER;
}

void gw_trace_row_begin(struct gw_trace_row *row, const struct gw_trace_clock *clock)
{
	*row = (struct gw_trace_row){.clock = clock};
	gw_trace_record_clear(&row->record);
}

/* A whole number, also as 8.0. "" is 0. */
static int read_whole(const char *text, uint64_t most, uint64_t *number, struct gw_error *error)
{
	double value;

	*number = 0;
	if (gw_trace_is_none(text) || (!gw_parse_count(text, number, NULL) && *number <= most))
		return 0;
	if (!gw_parse_double(text, &value, NULL) && value >= 0 && value <= (double)most &&
	    value < 0x1p53 && value == (double)(uint64_t)value) {
		*number = (uint64_t)value;
		return 0;
	}
	return gw_error_set(error, "must be a whole number");
}

static int read_count(const char *text, uint32_t *count, struct gw_error *error)
{
	uint64_t number;

	if (read_whole(text, UINT32_MAX, &number, error))
		return -1;
	*count = (uint32_t)number;
	return 0;
}

static int read_microseconds(const char *text, int64_t *seconds, struct gw_error *error)
{
	uint64_t number;

	if (gw_parse_count(text, &number, NULL))
		return gw_error_set(error, "must be microseconds");
	*seconds = (int64_t)((number + 500000) / 1000000);
	return 0;
}

/* Slurm reads a limit of 0 as none. */
static int read_limit(const char *text, int64_t unit, int64_t *limit, struct gw_error *error)
{
	if (gw_same(text, "UNLIMITED") || gw_same(text, "INFINITE")) {
		*limit = GW_TIME_INFINITE;
		return 0;
	}
	if (gw_trace_read_span(text, limit, NULL) || (*limit < 0 && *limit != GW_TRACE_NONE))
		return gw_error_set(error, "must be %s, a time such as 1-12:00:00, or UNLIMITED",
				    unit == 1 ? "seconds" : "minutes");
	if (*limit == 0)
		*limit = GW_TIME_INFINITE;
	else if (*limit != GW_TRACE_NONE)
		*limit *= unit;
	return 0;
}

static int read_memory(const char *text, uint64_t *mib, struct gw_error *error)
{
	double size;

	*mib = 0;
	if (gw_trace_is_none(text))
		return 0;
	if (gw_parse_size(text, &size, error))
		return -1;
	if (size > 1e15)
		return gw_error_set(error, "must be a size such as 512M or 64G");
	*mib = (uint64_t)(size + 0.5);
	return 0;
}

/* Names, where the first of several columns that has one counts. */
static const char **name_of(struct gw_trace_record *record, enum gw_trace_column column)
{
	switch (column) {
	case GW_TRACE_COL_USER:
		return &record->user;
	case GW_TRACE_COL_ACCOUNT:
		return &record->account;
	case GW_TRACE_COL_QOS:
		return &record->qos;
	case GW_TRACE_COL_PARTITION:
		return &record->partition;
	case GW_TRACE_COL_NAME:
		return &record->name;
	case GW_TRACE_COL_GPU_TYPE:
		return &record->gpu_type;
	case GW_TRACE_COL_NODE_LIST:
		return &record->node_list;
	default:
		return NULL;
	}
}

static int read_time_column(struct gw_trace_row *row, enum gw_trace_column column, const char *text,
			    struct gw_error *error)
{
	struct gw_trace_job *job = &row->record.job;

	switch (column) {
	case GW_TRACE_COL_SUBMIT:
		return gw_trace_read_time(row->clock, text, &job->submit, error);
	case GW_TRACE_COL_SUBMIT_US:
		return read_microseconds(text, &job->submit, error);
	case GW_TRACE_COL_ELIGIBLE:
		return gw_trace_read_time(row->clock, text, &job->eligible, error);
	case GW_TRACE_COL_START:
		return gw_trace_read_time(row->clock, text, &job->start, error);
	case GW_TRACE_COL_END:
		return gw_trace_read_time(row->clock, text, &job->end, error);
	case GW_TRACE_COL_DURATION:
		return gw_trace_read_span(text, &job->duration, error);
	case GW_TRACE_COL_LIMIT:
		return read_limit(text, 1, &job->limit, error);
	default:
		return read_limit(text, 60, &job->limit, error);
	}
}

static int read_size_column(struct gw_trace_row *row, enum gw_trace_column column, const char *text,
			    struct gw_error *error)
{
	struct gw_trace_job *job = &row->record.job;
	uint32_t milli;

	switch (column) {
	case GW_TRACE_COL_GPUS:
		return read_count(text, &job->gpus, error);
	case GW_TRACE_COL_NODES:
		return read_count(text, &job->nodes, error);
	case GW_TRACE_COL_NODES_HELD:
		return read_count(text, &row->nodes_held, error);
	case GW_TRACE_COL_CPUS:
		return read_count(text, &job->cpus, error);
	case GW_TRACE_COL_CPUS_MILLI:
		if (read_count(text, &milli, error))
			return -1;
		job->cpus = milli / 1000 + (milli % 1000 != 0);
		return 0;
	case GW_TRACE_COL_MEMORY:
		return read_memory(text, &job->memory, error);
	case GW_TRACE_COL_TRES_HELD:
		return gw_trace_read_tres(text, &row->held, error);
	default:
		return gw_trace_read_tres(text, &row->asked, error);
	}
}

static int read_raw_id(struct gw_trace_row *row, const char *text, struct gw_error *error)
{
	struct gw_trace_record raw = {0};

	if (gw_trace_read_id(text, &raw, error))
		return -1;
	row->raw_id = raw.job.id;
	row->record.is_step |= raw.is_step;
	return 0;
}

int gw_trace_row_read(struct gw_trace_row *row, enum gw_trace_column column, const char *text,
		      struct gw_error *error)
{
	const char **name = name_of(&row->record, column);

	if (name) {
		if (!*name && *text)
			*name = text;
		return 0;
	}
	switch (column) {
	case GW_TRACE_COL_ID:
		return gw_trace_read_id(text, &row->record, error);
	case GW_TRACE_COL_ID_RAW:
		return read_raw_id(row, text, error);
	case GW_TRACE_COL_ARRAY:
		return read_whole(text, UINT64_C(1) << 62, &row->record.job.array, error);
	case GW_TRACE_COL_HIGH:
		row->has_high = true;
		return gw_parse_bool(text, &row->high, error);
	case GW_TRACE_COL_STATE:
		return gw_trace_read_state(text, &row->record.job.state, error);
	case GW_TRACE_COL_OTHER:
		return 0;
	default:
		if (column >= GW_TRACE_COL_SUBMIT && column <= GW_TRACE_COL_LIMIT_MINUTES)
			return read_time_column(row, column, text, error);
		return read_size_column(row, column, text, error);
	}
}

/*
 * Of a job that asked for fewer nodes than it got, Slurm chose the number: nothing is known of
 * what it needs but its GPUs.
 */
static uint32_t nodes_asked(const struct gw_trace_row *row)
{
	uint32_t held = row->held.nodes ? row->held.nodes : row->nodes_held;

	if (!held || !row->asked.nodes)
		return held ? held : row->asked.nodes;
	return row->asked.nodes < held ? 0 : held;
}

/* What it held is what counts: what is asked of memory that nobody counts is no request. */
static const struct gw_trace_tres *tres_of(const struct gw_trace_row *row)
{
	const struct gw_trace_tres *held = &row->held;

	return held->gpus || held->cpus || held->nodes || held->memory ? held : &row->asked;
}

void gw_trace_row_end(struct gw_trace_row *row)
{
	struct gw_trace_record *record = &row->record;
	const struct gw_trace_tres *tres = tres_of(row);
	struct gw_trace_job *job = &record->job;

	if (row->raw_id)
		job->id = row->raw_id;
	if (!job->gpus)
		job->gpus = tres->gpus;
	if (!job->cpus)
		job->cpus = tres->cpus;
	if (!job->memory)
		job->memory = tres->memory;
	if (!job->nodes)
		job->nodes = nodes_asked(row);
	if (!record->gpu_type)
		record->gpu_type = tres->gpu_type;
	if (!record->qos && row->has_high)
		record->qos = row->high ? "high" : "normal";
}

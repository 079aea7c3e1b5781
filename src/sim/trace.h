// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recorded jobs as values: what accounting, a sacct dump or a CSV file says of them.
 *
 * Owns: the vocabulary and the memory. Does not own: reading any format, and what a job would
 * have done under another policy. Times are seconds since the epoch, or since the trace's own
 * zero; spans are seconds.
 */
#ifndef GW_SIM_TRACE_H
#define GW_SIM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util/error.h"

/* A time or span that the record does not give. */
#define GW_TRACE_NONE INT64_MIN

/* An index into gw_trace.names that means "not given"; its text is "". */
#define GW_TRACE_NO_NAME 0

enum gw_trace_state {
	GW_TRACE_COMPLETED,
	GW_TRACE_FAILED,
	GW_TRACE_CANCELLED,
	GW_TRACE_TIMEOUT,
	GW_TRACE_NODE_FAIL,
	GW_TRACE_PREEMPTED,
	GW_TRACE_REQUEUED,
	GW_TRACE_RUNNING,
	GW_TRACE_PENDING,
};

/* One run of a job. A requeued job has several, each one submitted when it was requeued. */
struct gw_trace_job {
	/*
	 * As recorded; ids may have been recycled, so not unique. Of a task of an array whose own
	 * id is not recorded: that of the array plus 2^32 * (1 + its index).
	 */
	uint64_t id;
	uint64_t array; /* id of the array it is a task of; 0: none */
	int64_t submit;
	int64_t eligible;   /* at least submit */
	int64_t start, end; /* as recorded, or GW_TRACE_NONE */
	int64_t duration;   /* run time, at least 0 */
	int64_t limit;      /* time limit; GW_TIME_INFINITE: none */
	uint32_t gpus;      /* all nodes together; 0: a CPU job */
	uint32_t nodes;     /* that it asked for; 0: as few as its GPUs need */
	uint32_t cpus;      /* all nodes together; 0: not known */
	uint64_t memory;    /* MiB, all nodes together; 0: not known */
	enum gw_trace_state state;
	/* Indexes into gw_trace.names. */
	uint32_t user, account, qos, partition, name;
	uint32_t gpu_type;  /* "h100" */
	uint32_t node_list; /* where it ran, as Slurm writes lists of hosts */
};

/* A rule for bad input that was used, and how often. */
enum gw_trace_problem {
	GW_TRACE_MALFORMED,         /* a line or a field that can not be read: left out */
	GW_TRACE_NEGATIVE_DURATION, /* ends before its start: left out */
	GW_TRACE_NO_END,            /* started, no end: it ran until the end of the trace */
	GW_TRACE_NO_START,          /* cancelled before it started: left out */
	GW_TRACE_NO_LIMIT,          /* its limit is its partition's, or infinite */
	GW_TRACE_OVER_LIMIT,        /* ran longer than its limit: the limit is raised to that */
	GW_TRACE_RECYCLED_ID,       /* another job of the same id: both are kept */
	GW_TRACE_REQUEUE,           /* a further run of a job: a job of its own */
	GW_TRACE_UNKNOWN_ACCOUNT,   /* belongs to no queue of the policy */
	GW_TRACE_TOO_LARGE,         /* fits no empty cluster: left out */
	GW_TRACE_STEP,              /* a job step: left out */
	GW_TRACE_DUPLICATE,         /* a record seen before, as in dumps that overlap: left out */
	GW_TRACE_PROBLEM_COUNT,
};

struct gw_trace {
	struct gw_trace_job *job; /* by submit, then as recorded */
	size_t count;
	char **names; /* each once; names[0] is "" */
	size_t name_count;
	uint64_t problems[GW_TRACE_PROBLEM_COUNT];
	void *index; /* of names: trace.c's */
};

/* All zero is a valid empty trace. */
void gw_trace_free(struct gw_trace *trace);

/* Appends a copy. Returns 0, or -1 with error when memory is out. */
int gw_trace_add(struct gw_trace *trace, const struct gw_trace_job *job, struct gw_error *error);

/* The index of a name, added when it is new. NULL and "" are GW_TRACE_NO_NAME. */
int gw_trace_name(struct gw_trace *trace, const char *name, uint32_t *index,
		  struct gw_error *error);

/* Puts jobs in order of submit; equal ones stay as they are. -1 with error when memory is out. */
int gw_trace_sort(struct gw_trace *trace, struct gw_error *error);

/* One line for people: "ends before its start: left out". */
const char *gw_trace_problem_text(enum gw_trace_problem problem);
/* "malformed", "negative-duration", ... for JSON. */
const char *gw_trace_problem_name(enum gw_trace_problem problem);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From records as found to the jobs of a trace: the rules for bad input, the same for every
 * format. Each use of a rule is counted in gw_trace.problems, and the first few are told.
 */
#ifndef GW_SIM_TRACE_RECORD_H
#define GW_SIM_TRACE_RECORD_H

#include "../util/str.h"
#include "trace.h"

/* Texts kept of each problem. */
#define GW_TRACE_NOTES_MAX 3

/*
 * A record as found. In job, times and spans that are not given are GW_TRACE_NONE, and names are
 * not used: they are the texts below, NULL where there is none.
 */
struct gw_trace_record {
	struct gw_trace_job job;
	bool is_step;
	const char *user, *account, *qos, *partition, *name, *gpu_type, *node_list;
};

/* Slots hold 1 + an index of jobs, 0 is free; by id the last one, by run each. */
struct gw_trace_ids {
	uint32_t *slot;
	size_t slots, used; /* slots: a power of two */
};

struct gw_trace_intake {
	struct gw_trace *trace;
	bool strict; /* bad records (not: odd ones) are errors */
	struct gw_strings notes[GW_TRACE_PROBLEM_COUNT];
	int64_t last; /* the latest time in any record */
	struct gw_trace_ids by_id, by_run;
	size_t first; /* jobs before it were there before */
};

/* All jobs that the trace gets go through the intake until gw_trace_intake_end(). */
void gw_trace_intake_begin(struct gw_trace_intake *intake, struct gw_trace *trace, bool strict);

void gw_trace_record_clear(struct gw_trace_record *record);

/*
 * Adds the record as a job, or counts why it is none. where says where it was found
 * ("jobs.csv", 17), 0: no line. Returns 0, or -1 with error: memory is out, or it is bad and
 * the intake strict.
 */
int gw_trace_intake_add(struct gw_trace_intake *intake, const struct gw_trace_record *record,
			const char *where, uint64_t line, struct gw_error *error);

/* Counts a problem and keeps the text of the first few. */
int gw_trace_intake_note(struct gw_trace_intake *intake, enum gw_trace_problem problem,
			 const char *where, uint64_t line, const char *text,
			 struct gw_error *error);

/* Ends jobs that have no end, and sorts. now: when they ended, or GW_TRACE_NONE: the last time
 * in any record. */
int gw_trace_intake_end(struct gw_trace_intake *intake, int64_t now, struct gw_error *error);

void gw_trace_intake_free(struct gw_trace_intake *intake);

#endif

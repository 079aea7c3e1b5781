// SPDX-License-Identifier: GPL-2.0-or-later
/* Recorded jobs from files, and to one. */
#ifndef GW_TOOLS_TRACE_FILE_H
#define GW_TOOLS_TRACE_FILE_H

#include "../sim/trace_record.h"
#include "../util/str.h"

struct gw_trace_input {
	struct gw_strings files; /* "-": standard input */
	bool strict;
	const char *zone; /* of dates that name none: "UTC", "+01:00"; NULL: the machine's */
};

/*
 * Reads all files into an empty trace. notes gets the first few problems of each kind, each with
 * file and line. Returns 0, or -1 with error; both are always to be freed.
 */
int gw_trace_file_read(const struct gw_trace_input *input, struct gw_trace *trace,
		       struct gw_strings *notes, struct gw_error *error);

/*
 * The same from slurmdbd: all runs of a cluster that were eligible before until and not over before
 * since. Those that run now are taken to end at until.
 */
int gw_trace_file_ask(const char *cluster, int64_t since, int64_t until, bool strict,
		      struct gw_trace *trace, struct gw_strings *notes, struct gw_error *error);

/* Writes the trace as CSV; "-": standard output. */
int gw_trace_file_write(const struct gw_trace *trace, const char *path, struct gw_error *error);

/* The notes of an intake, kind after kind. */
int gw_trace_file_notes(const struct gw_trace_intake *intake, struct gw_strings *notes,
			struct gw_error *error);

/* "3 requeue: a further run ..." for people, a line each problem that was met; "" for none. */
void gw_trace_file_problems(const struct gw_trace *trace, struct gw_str *text);

/* 128 bits that nobody can guess. */
int gw_trace_file_random(uint64_t random[2], struct gw_error *error);

#endif

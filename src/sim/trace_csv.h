// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Recorded jobs from lines of text: CSV, and what sacct -P prints.
 *
 * Owns: which columns there are, and what their values mean. The first line that is no comment
 * names the columns. Does not own: files, the wall clock, rules for bad records (trace_record).
 */
#ifndef GW_SIM_TRACE_CSV_H
#define GW_SIM_TRACE_CSV_H

#include "trace.h"
#include "trace_record.h"

/*
 * A wall clock: seconds since the epoch at which it shows civil (gw_parse_date()). Of an hour
 * that comes twice, the first; of one that is left out, as if the clock had not been moved yet.
 */
struct gw_trace_clock {
	int64_t (*epoch)(void *arg, int64_t civil);
	void *arg;
};

struct gw_trace_reader;

/*
 * Jobs go to the intake, which outlives the reader. clock is for dates that name no zone; NULL:
 * they are UTC. NULL when memory is out.
 */
struct gw_trace_reader *gw_trace_reader_new(struct gw_trace_intake *intake,
					    const struct gw_trace_clock *clock,
					    struct gw_error *error);

/* What follows is a new text with a header of its own. name is used in messages. */
int gw_trace_reader_begin(struct gw_trace_reader *reader, const char *name, struct gw_error *error);

/*
 * One line of length bytes; a newline at its end or none, and a NUL after it. The line is
 * changed. -1 with error: the header is of no format known, the intake is strict, or memory is
 * out.
 */
int gw_trace_reader_line(struct gw_trace_reader *reader, char *line, size_t length,
			 struct gw_error *error);

/* Whether the text had a header. */
int gw_trace_reader_end(struct gw_trace_reader *reader, struct gw_error *error);

void gw_trace_reader_free(struct gw_trace_reader *reader);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts read as the files of recorded jobs are. */
#ifndef GW_TESTS_TRACE_TEXT_H
#define GW_TESTS_TRACE_TEXT_H

#include "src/sim/trace_csv.h"
#include "src/util/error.h"

struct trace_text {
	struct gw_trace trace;
	struct gw_trace_intake intake; /* its notes */
};

/* Reads text, named "jobs", with a wall clock an hour east of UTC. Returns 0, or -1. */
int trace_text_read(struct trace_text *read, const char *text, bool strict, struct gw_error *error);

/* The same, failing the test when it can not be read. */
void trace_text_good(struct trace_text *read, const char *text);

void trace_text_free(struct trace_text *read);

/* The problems that were met, "malformed=1 step=2". Static. */
const char *trace_text_problems(const struct gw_trace *trace);

#endif

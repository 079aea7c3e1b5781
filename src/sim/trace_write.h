// SPDX-License-Identifier: GPL-2.0-or-later
/* A trace as CSV that gw_trace_reader reads back, and a trace without the names of people. */
#ifndef GW_SIM_TRACE_WRITE_H
#define GW_SIM_TRACE_WRITE_H

#include "trace.h"

/* Takes text; 0, or -1 with error, which ends the writing. */
struct gw_trace_sink {
	int (*write)(void *arg, const char *text, size_t length, struct gw_error *error);
	void *arg;
};

/* Header and one line a job, in the trace's order. Returns 0, or -1 with error. */
int gw_trace_write(const struct gw_trace *trace, const struct gw_trace_sink *sink,
		   struct gw_error *error);

struct gw_trace_anonymise {
	/*
	 * The same name gets the same replacement under the same key, in every trace: "u" and 16
	 * hexadecimal digits. Who knows the key can test whether a name is in the trace. NULL:
	 * "u1", "u2", ..., in an order that random makes.
	 */
	const char *key;
	uint64_t random[2]; /* without a key: 128 bits that nobody can guess */
	bool keep_qos, keep_partition;
	bool keep_times; /* else the first submit is 0 */
};

/*
 * Replaces users (u), accounts (a), QOS (q), partitions (p), job names (j) and nodes (n), and
 * makes the least job id 1. GPU types, states, sizes and spans stay. On failure the trace is
 * as it was.
 */
int gw_trace_anonymise(struct gw_trace *trace, const struct gw_trace_anonymise *options,
		       struct gw_error *error);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What columns of recorded jobs are called and what their values mean. For readers of traces:
 * trace_csv.c, and src/acct, whose records are rows of the same kind.
 */
#ifndef GW_SIM_TRACE_COLUMNS_H
#define GW_SIM_TRACE_COLUMNS_H

#include "trace_csv.h"

enum gw_trace_column {
	GW_TRACE_COL_ID,
	GW_TRACE_COL_ID_RAW,
	GW_TRACE_COL_ARRAY,
	GW_TRACE_COL_SUBMIT,
	GW_TRACE_COL_SUBMIT_US,
	GW_TRACE_COL_ELIGIBLE,
	GW_TRACE_COL_START,
	GW_TRACE_COL_END,
	GW_TRACE_COL_DURATION,
	GW_TRACE_COL_LIMIT,
	GW_TRACE_COL_LIMIT_MINUTES,
	GW_TRACE_COL_GPUS,
	GW_TRACE_COL_NODES,
	GW_TRACE_COL_NODES_HELD,
	GW_TRACE_COL_CPUS,
	GW_TRACE_COL_CPUS_MILLI,
	GW_TRACE_COL_MEMORY,
	GW_TRACE_COL_TRES_HELD,
	GW_TRACE_COL_TRES_ASKED,
	GW_TRACE_COL_USER,
	GW_TRACE_COL_ACCOUNT,
	GW_TRACE_COL_QOS,
	GW_TRACE_COL_HIGH,
	GW_TRACE_COL_PARTITION,
	GW_TRACE_COL_NAME,
	GW_TRACE_COL_GPU_TYPE,
	GW_TRACE_COL_NODE_LIST,
	GW_TRACE_COL_STATE,
	GW_TRACE_COL_COUNT,
	GW_TRACE_COL_OTHER = GW_TRACE_COL_COUNT, /* not read */
};

/* The column of a name among those of the header. */
enum gw_trace_column gw_trace_column_of(const char *name, const struct gw_strings *header);

/* What a TRES string says. */
struct gw_trace_tres {
	uint32_t gpus, nodes, cpus;
	uint64_t memory;   /* MiB */
	char gpu_type[64]; /* "" when there is none, or more than one */
};

/* One line while it is read. Texts are those of the line. */
struct gw_trace_row {
	struct gw_trace_record record;
	const struct gw_trace_clock *clock;
	uint64_t raw_id; /* 0: not given */
	uint32_t nodes_held;
	bool high, has_high;
	struct gw_trace_tres held, asked;
};

void gw_trace_row_begin(struct gw_trace_row *row, const struct gw_trace_clock *clock);

/* Reads one value. Returns 0, or -1 with a text that says what is allowed. */
int gw_trace_row_read(struct gw_trace_row *row, enum gw_trace_column column, const char *text,
		      struct gw_error *error);

/* The record that all values together make. */
void gw_trace_row_end(struct gw_trace_row *row);

/* Values that need more than a line to read; the same returns. */
int gw_trace_read_time(const struct gw_trace_clock *clock, const char *text, int64_t *time,
		       struct gw_error *error);
int gw_trace_read_span(const char *text, int64_t *seconds, struct gw_error *error);
int gw_trace_read_tres(const char *text, struct gw_trace_tres *tres, struct gw_error *error);
int gw_trace_read_state(const char *text, enum gw_trace_state *state, struct gw_error *error);
/* Sets id, array and is_step from "123", "123_4", "123_[5-9]", "123+1", "123.batch". */
int gw_trace_read_id(const char *text, struct gw_trace_record *record, struct gw_error *error);

/* What sacct prints for what there is not. */
bool gw_trace_is_none(const char *text);

#endif

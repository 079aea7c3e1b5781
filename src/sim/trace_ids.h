// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which ids and which runs a trace has: hash tables of its jobs, private to trace_record.c. A run
 * is an id with its submit and start, or, without a start, its duration.
 */
#ifndef GW_SIM_TRACE_IDS_H
#define GW_SIM_TRACE_IDS_H

#include "trace_record.h"

/* Room for one more of the jobs from first on; by run or by id alone. */
int gw_trace_ids_room(struct gw_trace_ids *ids, const struct gw_trace *trace, size_t first,
		      bool by_run, struct gw_error *error);

/* The slot of a job like this one, or the free one that it would take. Valid until more room is
 * made. */
uint32_t *gw_trace_ids_find(const struct gw_trace_ids *ids, const struct gw_trace *trace,
			    const struct gw_trace_job *job, bool by_run);

void gw_trace_ids_free(struct gw_trace_ids *ids);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of drain: jobs and nodes, who is where, and the jobs by id. */
#ifndef GW_CORE_DRAIN_IMPL_H
#define GW_CORE_DRAIN_IMPL_H

#include "drain.h"

struct gw_drain_job {
	uint32_t id;
	struct gw_predict_running running;
	uint32_t *node;
	size_t node_count;
	float ended[GW_GRID_POINTS]; /* chance that it has ended by then */
	int64_t judged;              /* when that was */
};

struct gw_drain_node {
	float ended[GW_GRID_POINTS]; /* of all its jobs; right while there are some */
	uint32_t *job;               /* indexes, in order of start */
	uint32_t count, capacity;
	int64_t until; /* latest end by limit; right while there are some */
	bool stale;    /* only within gw_drain_refresh(): one of its jobs was judged anew */
};

struct gw_drain {
	struct gw_drain_job *job;
	size_t job_count, job_capacity;
	struct gw_drain_node *node; /* by the caller's index */
	size_t node_count;
	uint32_t *slot; /* slot_mask + 1: index of a job + 1, found by hash of its id */
	uint32_t slot_mask;
};

/* Room for one more job on these nodes. False: no memory; nothing that can be seen is changed. */
bool gw_drain_room(struct gw_drain *drain, const uint32_t *nodes, size_t count);

/* Index of a job, or job_count. */
size_t gw_drain_find(const struct gw_drain *drain, uint32_t id);

/* A job becomes known by its id, is forgotten, or has moved in the array. */
void gw_drain_index(struct gw_drain *drain, size_t at);
void gw_drain_unindex(struct gw_drain *drain, size_t at);
void gw_drain_reindex(struct gw_drain *drain, size_t from, size_t to);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When nodes will be empty: for each, the chance that all of its jobs have ended by each point of
 * the grid, the product over its jobs of 1 - S(elapsed + t) / S(elapsed).
 *
 * Owns: the jobs that run and their nodes, as it was told, and the grids. Does not own: run time
 * statistics (predict), the clock.
 *
 * Grids follow every start and end at once and time by gw_drain_refresh(). The cost of a placement
 * is then a sum of 36 products a node, see place.h. Memory is by jobs that run and the highest node
 * index. One thread at a time may use it.
 */
#ifndef GW_CORE_DRAIN_H
#define GW_CORE_DRAIN_H

#include "predict.h"

/* How often gw_drain_refresh() is wanted, in the plugin and in replay. */
#define GW_DRAIN_REFRESH_SECONDS 300

struct gw_drain;

struct gw_drain *gw_drain_create(struct gw_error *error);
void gw_drain_free(struct gw_drain *drain);

/*
 * A job runs on these nodes (indexes of the caller's, each once) since start. One that is known
 * already is replaced. -1 with error when memory is out; nothing is changed then.
 */
int gw_drain_start(struct gw_drain *drain, const struct gw_predict *predict, uint32_t id,
		   const struct gw_predict_running *job, const uint32_t *nodes, size_t count,
		   int64_t now, struct gw_error *error);

/* False: no such job is known. Fills in what it was started with unless job is NULL. */
bool gw_drain_end(struct gw_drain *drain, uint32_t id, struct gw_predict_running *job);

size_t gw_drain_jobs(const struct gw_drain *drain);

/*
 * Moves the grids to now; makes the predictor's tables anew first when they are due. A job that has
 * run only 1 part in 64 longer since it was judged is left, unless its limit is near. -1 with error
 * when memory is out for the tables; the grids are right by the old ones then.
 */
int gw_drain_refresh(struct gw_drain *drain, struct gw_predict *predict, int64_t now,
		     struct gw_error *error);

/*
 * The grid of a node, for gw_node.ended: all ones when no job is on it. Valid until the next
 * start, end or refresh.
 */
const float *gw_drain_node(const struct gw_drain *drain, uint32_t node);

/* When the last of its jobs has ended by its limit; 0: no job is on it. */
int64_t gw_drain_until(const struct gw_drain *drain, uint32_t node);

/*
 * What gw_ask.stays wants for a new job: of the seconds a point of the grid stands for, those in
 * which the job is expected to run.
 */
void gw_drain_ask(const struct gw_predict *predict, const struct gw_predict_kind *kind,
		  float stays[GW_GRID_POINTS]);

#endif

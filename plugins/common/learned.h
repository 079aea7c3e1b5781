// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long jobs of this cluster run, when its nodes will be empty again, and which jobs come:
 * core's predictor, drain and mix, told of every start and end by the select plugin, put right
 * every two minutes by the rank thread from slurmctld's job list, and kept over restarts in the
 * files "runtimes" and "jobmix".
 *
 * Hooks never wait: while the thread has what is learned, starts and ends are only noted, and
 * placements do without. Locks: slurmctld's come before ours.
 */
#ifndef GW_LEARNED_H
#define GW_LEARNED_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/export.h"
#include "src/core/drain.h"
#include "src/core/mix.h"

/* A job starts, or has ended. The job write lock is held, the association lock is not. */
GW_EXPORT void gw_learned_began(const job_record_t *job);
GW_EXPORT void gw_learned_ended(const job_record_t *job);

/*
 * Takes what is learned for one placement; false: do without. Until gw_learned_give_back() the
 * grids of nodes stay valid.
 */
bool gw_learned_take(void);
void gw_learned_give_back(void);

/* For gw_node.ended and gw_ask.stays; queue is gw_predict_queue() of its name. */
const float *gw_learned_node(uint32_t node);
/* When its last job ends by its limit; 0: none is known. */
int64_t gw_learned_until(uint32_t node);
void gw_learned_ask(const job_record_t *job, uint32_t queue, float stays[GW_GRID_POINTS]);

/* For gw_ask.mix: valid until it is given back. */
const struct gw_mix *gw_learned_mix(void);

/* By the rank thread, with no lock held: does nothing while it is not due. */
void gw_learned_pass(void);

/* Hands the file on for the last time and frees all; that thread has ended. */
void gw_learned_stop(void);

#endif

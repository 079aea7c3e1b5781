// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long jobs run, learned from those that ended: the chance that a job still runs some time
 * from now.
 *
 * Owns: completions, and survival of run times by group. Does not own: which jobs run now (drain
 * does, or the caller), the clock, files.
 *
 * Survival is Kaplan and Meier's product-limit estimate: jobs that run now count as at risk until
 * now; completions that began before the history did (since) count from when it did. A job is
 * judged by the first of these groups that has GW_PREDICT_ENOUGH completions:
 *     (queue, user, GPUs, limit), (GPUs, limit), (limit), (queue, user, GPUs), all
 * and where even all jobs are fewer, from GW_PREDICT_FEW on by all. With fewer still the chance
 * falls evenly from 1 to 1/2 at the limit. It is 0 from the limit on. Where less than 2 % run as
 * long as a job has run already, the estimate says nothing more: 1 / (1 + t / elapsed) instead.
 *
 * Bounds: the last GW_PREDICT_RUNS completions are kept, 40 bytes each; the tables made of them
 * have at most one group for each 15 completions and kind of group, and no step that changes
 * survival by less than 1 part in 64: in all below 8 MB. Memory grows when completions are added
 * and tables are made, never by a question.
 *
 * Equal histories give equal answers. One thread at a time may change a predictor.
 */
#ifndef GW_CORE_PREDICT_H
#define GW_CORE_PREDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../util/error.h"
#include "grid.h"

#define GW_PREDICT_ENOUGH 15
#define GW_PREDICT_FEW    8
#define GW_PREDICT_RUNS   32768

/* Tables are made anew after so long, or after a quarter more completions than they have seen. */
#define GW_PREDICT_INTERVAL 43200

struct gw_predict;

/* What a run time is judged by. */
struct gw_predict_kind {
	uint32_t queue; /* that stays the same over restarts: gw_predict_queue() of its name */
	uint32_t user;
	uint32_t gpus; /* all nodes together */
	int64_t limit; /* seconds; 0 or GW_TIME_INFINITE: none */
};

/* A job that runs. */
struct gw_predict_running {
	struct gw_predict_kind kind;
	int64_t start;
};

/* since: when the history begins; all jobs that ended later will be told. */
struct gw_predict *gw_predict_create(int64_t since, struct gw_error *error);
void gw_predict_free(struct gw_predict *predict);

/* A number for a queue's name (FNV-1a, 32 bits). */
uint32_t gw_predict_queue(const char *name);

/*
 * A job ended at end after it ran for duration seconds. Best told in order of end: when there are
 * too many the one that was told first is forgotten. Changes no answer before the next build.
 * -1 with error when memory is out; nothing is changed then.
 */
int gw_predict_add(struct gw_predict *predict, const struct gw_predict_kind *kind, int64_t duration,
		   int64_t end, struct gw_error *error);

/* How many completions are kept. */
size_t gw_predict_runs(const struct gw_predict *predict);

/* Whether tables should be made anew. */
bool gw_predict_due(const struct gw_predict *predict, int64_t now);

/*
 * Makes the tables from the completions and the jobs that run now, in any order. Some tens of
 * milliseconds with GW_PREDICT_RUNS completions. -1 with error when memory is out; the old tables
 * stay.
 */
int gw_predict_build(struct gw_predict *predict, const struct gw_predict_running *running,
		     size_t count, int64_t now, struct gw_error *error);

/* Which group judged a job. */
enum gw_predict_level {
	GW_PREDICT_BY_QUEUE_USER_GPUS_LIMIT,
	GW_PREDICT_BY_GPUS_LIMIT,
	GW_PREDICT_BY_LIMIT,
	GW_PREDICT_BY_QUEUE_USER_GPUS,
	GW_PREDICT_BY_ALL,
	GW_PREDICT_BY_NOTHING, /* too few completions */
	GW_PREDICT_LEVEL_COUNT,
};

/*
 * The chance that a job that has run for elapsed seconds still runs at each point of the grid.
 * Allocates nothing, takes well under a microsecond.
 */
enum gw_predict_level gw_predict_survival(const struct gw_predict *predict,
					  const struct gw_predict_kind *kind, int64_t elapsed,
					  float grid[GW_GRID_POINTS]);

/* "queue, user, GPUs and limit", ... "all", "nothing". */
const char *gw_predict_level_name(enum gw_predict_level level);

/*
 * The completions as text, one a line, a checksum in the last. NULL with error when memory is
 * out. The caller frees it.
 */
char *gw_predict_text(const struct gw_predict *predict, struct gw_error *error);

/*
 * Takes all from a text in place of what is there, to the last bit; tables are due then. A newer
 * or damaged text is refused (-1 with error), and nothing is changed.
 */
int gw_predict_load(struct gw_predict *predict, const char *text, struct gw_error *error);

#endif

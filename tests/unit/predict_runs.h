// SPDX-License-Identifier: GPL-2.0-or-later
/* A history of run times for each test, and what is put into it. */
#ifndef GW_TESTS_PREDICT_RUNS_H
#define GW_TESTS_PREDICT_RUNS_H

#include "src/core/predict.h"

#define HOUR 3600
#define DAY  86400

extern struct gw_predict *predict;

extern const struct gw_predict_kind one_gpu; /* with a limit of a day */

/* A checked fixture: before and after each test. */
void setup(void);
void teardown(void);

/* Completions of one kind, one a minute. */
void add_runs(const struct gw_predict_kind *kind, int64_t duration, int count);

/* With no job running, ten days after the first completion. */
void build(void);

#endif

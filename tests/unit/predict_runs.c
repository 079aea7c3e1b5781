// SPDX-License-Identifier: GPL-2.0-or-later
#include "predict_runs.h"

#include "unit.h"

struct gw_predict *predict;
static int64_t last_end;

const struct gw_predict_kind one_gpu = {.queue = 1, .user = 1, .gpus = 1, .limit = DAY};

void setup(void)
{
	predict = gw_predict_create(0, NULL);
	last_end = 10 * DAY;
}

void teardown(void)
{
	gw_predict_free(predict);
}

void add_runs(const struct gw_predict_kind *kind, int64_t duration, int count)
{
	for (int i = 0; i < count; i++, last_end += 60)
		ck_assert_int_eq(gw_predict_add(predict, kind, duration, last_end, NULL), 0);
}

void build(void)
{
	ck_assert_int_eq(gw_predict_build(predict, NULL, 0, 20 * DAY, NULL), 0);
}

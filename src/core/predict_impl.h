// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of predict: completions as they were told, and the tables made of them. */
#ifndef GW_CORE_PREDICT_IMPL_H
#define GW_CORE_PREDICT_IMPL_H

#include "predict.h"

struct gw_completion {
	struct gw_predict_kind kind;
	int64_t duration, end;
};

/* From this run time on survival is that, until the next step. */
struct gw_step {
	float time; /* seconds */
	float survival;
};

/* A group with enough completions. */
struct gw_group {
	struct gw_predict_kind kind; /* 0 where the level does not look */
	uint32_t level;
	uint32_t first, count; /* its steps */
};

struct gw_predict_tables {
	struct gw_group *group;
	size_t group_count;
	struct gw_step *step;
	size_t step_count;
	uint32_t *slot; /* slot_mask + 1: index of a group + 1, found by hash; NULL: no groups */
	uint32_t slot_mask;
};

struct gw_predict {
	int64_t since;
	struct gw_completion *run; /* a ring once it is full */
	size_t run_count, run_capacity, oldest;
	struct gw_predict_tables tables;
	bool built;
	int64_t built_at;
	size_t built_runs; /* completions that the tables have seen */
	size_t added;      /* completions since then */
};

/* The kind as a level sees it. */
struct gw_predict_kind gw_predict_mask(const struct gw_predict_kind *kind,
				       enum gw_predict_level level);

bool gw_predict_same(const struct gw_predict_kind *a, const struct gw_predict_kind *b);
uint32_t gw_predict_hash(const struct gw_predict_kind *kind, uint32_t level);

/* Time limit in seconds; 0: none. */
int64_t gw_predict_limit(const struct gw_predict_kind *kind);

void gw_predict_tables_free(struct gw_predict_tables *tables);

#endif

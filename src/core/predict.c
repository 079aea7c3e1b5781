// SPDX-License-Identifier: GPL-2.0-or-later
#include "predict.h"

#include <stdlib.h>

#include "../util/parse.h"
#include "predict_impl.h"

#define RUNS_AT_FIRST 64
/* Tables are due after this part of the completions they have seen. */
#define DUE_PART 4

struct gw_predict *gw_predict_create(int64_t since, struct gw_error *error)
{
	struct gw_predict *predict = calloc(1, sizeof(*predict));

	if (!predict) {
		gw_error_memory(error);
		return NULL;
	}
	predict->since = since;
	return predict;
}

void gw_predict_tables_free(struct gw_predict_tables *tables)
{
	free(tables->group);
	free(tables->step);
	free(tables->slot);
	*tables = (struct gw_predict_tables){0};
}

void gw_predict_free(struct gw_predict *predict)
{
	if (!predict)
		return;
	gw_predict_tables_free(&predict->tables);
	free(predict->run);
	free(predict);
}

uint32_t gw_predict_queue(const char *name)
{
	uint32_t sum = UINT32_C(0x811c9dc5);

	for (; *name; name++)
		sum = (sum ^ (unsigned char)*name) * UINT32_C(0x01000193);
	return sum;
}

int64_t gw_predict_limit(const struct gw_predict_kind *kind)
{
	return kind->limit > 0 && kind->limit < GW_TIME_INFINITE ? kind->limit : 0;
}

struct gw_predict_kind gw_predict_mask(const struct gw_predict_kind *kind,
				       enum gw_predict_level level)
{
	struct gw_predict_kind mask = {.limit = gw_predict_limit(kind)};

	if (level == GW_PREDICT_BY_QUEUE_USER_GPUS || level == GW_PREDICT_BY_ALL)
		mask.limit = 0;
	if (level == GW_PREDICT_BY_QUEUE_USER_GPUS_LIMIT ||
	    level == GW_PREDICT_BY_QUEUE_USER_GPUS) {
		mask.queue = kind->queue;
		mask.user = kind->user;
	}
	if (level != GW_PREDICT_BY_LIMIT && level != GW_PREDICT_BY_ALL)
		mask.gpus = kind->gpus;
	return mask;
}

bool gw_predict_same(const struct gw_predict_kind *a, const struct gw_predict_kind *b)
{
	return a->queue == b->queue && a->user == b->user && a->gpus == b->gpus &&
	       a->limit == b->limit;
}

uint32_t gw_predict_hash(const struct gw_predict_kind *kind, uint32_t level)
{
	const uint64_t part[] = {kind->queue, kind->user, kind->gpus, (uint64_t)kind->limit, level};
	uint64_t sum = 0;

	for (size_t i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
		sum = (sum ^ part[i]) * UINT64_C(0x9e3779b97f4a7c15);
		sum ^= sum >> 29;
	}
	return (uint32_t)(sum >> 16);
}

/* Room for one more completion while there are fewer than are kept. */
static int make_room(struct gw_predict *predict, struct gw_error *error)
{
	size_t capacity = predict->run_capacity ? 2 * predict->run_capacity : RUNS_AT_FIRST;
	struct gw_completion *larger;

	if (predict->run_count < predict->run_capacity)
		return 0;
	larger = realloc(predict->run, capacity * sizeof(*larger));
	if (!larger)
		return gw_error_memory(error);
	predict->run = larger;
	predict->run_capacity = capacity;
	return 0;
}

int gw_predict_add(struct gw_predict *predict, const struct gw_predict_kind *kind, int64_t duration,
		   int64_t end, struct gw_error *error)
{
	struct gw_completion run = {*kind, duration > 0 ? duration : 1, end};

	run.kind.limit = gw_predict_limit(kind);
	if (predict->run_count == GW_PREDICT_RUNS) {
		struct gw_completion *oldest = &predict->run[predict->oldest];

		/* What ended until then is not known of all jobs any more. */
		predict->since = oldest->end > predict->since ? oldest->end : predict->since;
		*oldest = run;
		predict->oldest = (predict->oldest + 1) % GW_PREDICT_RUNS;
	} else if (make_room(predict, error)) {
		return -1;
	} else {
		predict->run[predict->run_count++] = run;
	}
	predict->added++;
	return 0;
}

size_t gw_predict_runs(const struct gw_predict *predict)
{
	return predict->run_count;
}

bool gw_predict_due(const struct gw_predict *predict, int64_t now)
{
	if (!predict->built || now - predict->built_at >= GW_PREDICT_INTERVAL)
		return true;
	return predict->added && predict->added * DUE_PART >= predict->built_runs;
}

const char *gw_predict_level_name(enum gw_predict_level level)
{
	static const char *const name[GW_PREDICT_LEVEL_COUNT] = {
		"queue, user, GPUs and limit",
		"GPUs and limit",
		"limit",
		"queue, user and GPUs",
		"all",
		"nothing",
	};

	return level < GW_PREDICT_LEVEL_COUNT ? name[level] : "";
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A history as text, the completion that was told first in front:
 *     GangwayRunTimes=1 Since=1699000000
 *     Run=3600 End=1700000000 Queue=2166136261 User=1000 Gpus=8 Limit=86400
 *     Checksum=0123456789abcdef
 * Queue is gw_predict_queue() of its name; Limit 0 is none.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../util/checksum.h"
#include "../util/record.h"
#include "predict_impl.h"

#define KEY      "GangwayRunTimes"
#define VERSION  1
#define TIME_MAX (INT64_MAX / 4)

char *gw_predict_text(const struct gw_predict *predict, struct gw_error *error)
{
	struct gw_str text = {0};
	char *taken;

	gw_str_appendf(&text, "%s=%d Since=%" PRId64 "\n", KEY, VERSION, predict->since);
	for (size_t i = 0; i < predict->run_count; i++) {
		const struct gw_completion *run =
			&predict->run[(predict->oldest + i) % predict->run_count];

		gw_str_appendf(&text,
			       "Run=%" PRId64 " End=%" PRId64 " Queue=%" PRIu32 " User=%" PRIu32
			       " Gpus=%" PRIu32 " Limit=%" PRId64 "\n",
			       run->duration, run->end, run->kind.queue, run->kind.user,
			       run->kind.gpus, run->kind.limit);
	}
	gw_checksum_append(&text);
	taken = gw_str_take(&text);
	if (!taken)
		gw_error_memory(error);
	return taken;
}

static int load_run(struct gw_predict *into, const struct gw_record *record, struct gw_error *error)
{
	uint64_t run, end, queue, user, gpus, limit;
	struct gw_predict_kind kind;

	if (gw_record_count(record, "Run", TIME_MAX, &run, error) ||
	    gw_record_count(record, "End", TIME_MAX, &end, error) ||
	    gw_record_count(record, "Queue", UINT32_MAX, &queue, error) ||
	    gw_record_count(record, "User", UINT32_MAX, &user, error) ||
	    gw_record_count(record, "Gpus", UINT32_MAX, &gpus, error) ||
	    gw_record_count(record, "Limit", TIME_MAX, &limit, error))
		return -1;
	if (into->run_count == GW_PREDICT_RUNS)
		return gw_error_set(error, "more than %d runs", GW_PREDICT_RUNS);
	kind = (struct gw_predict_kind){(uint32_t)queue, (uint32_t)user, (uint32_t)gpus,
					(int64_t)limit};
	return gw_predict_add(into, &kind, (int64_t)run, (int64_t)end, error);
}

static int load_record(void *to, const struct gw_record *record, struct gw_error *error)
{
	struct gw_predict *into = to;
	const char *first = record->pair[0].key;
	uint64_t since;

	if (gw_same(first, "Run"))
		return load_run(into, record, error);
	if (gw_same(first, "Checksum"))
		return 0;
	if (!gw_same(first, KEY))
		return gw_error_set(error, "%.40s is not a record of run times", first);
	if (gw_record_count(record, "Since", TIME_MAX, &since, error))
		return -1;
	into->since = (int64_t)since;
	return 0;
}

int gw_predict_load(struct gw_predict *predict, const char *text, struct gw_error *error)
{
	struct gw_predict *loaded;
	struct gw_predict kept = *predict;
	int result = -1;

	if (gw_checksum_check(text, KEY, VERSION, "history of run times", error))
		return -1;
	loaded = gw_predict_create(0, error);
	if (!loaded)
		return -1;
	if (!gw_record_each(text, load_record, loaded, error)) {
		*predict = *loaded;
		*loaded = kept;
		result = 0;
	}
	gw_predict_free(loaded);
	return result;
}

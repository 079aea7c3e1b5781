// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What jobs came, as text:
 *     GangwayJobMix=1 Origin=1700000000
 *     Gpus=8 Shared=0 Cpus=96 Memory=1048576 Weight=12.5
 *     Checksum=0123456789abcdef
 * Weight is in jobs times nodes that would have started at Origin.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../util/checksum.h"
#include "../util/parse.h"
#include "../util/record.h"
#include "mix_seen_impl.h"

#define KEY      "GangwayJobMix"
#define VERSION  1
#define TIME_MAX (INT64_MAX / 4)
/* Far more than comes, and few enough to count with: jobs on one GPU, and weights whose sum is a
 * number. */
#define SHARED_MAX 4096
#define WEIGHT_MAX 1e100

char *gw_mix_seen_text(const struct gw_mix_seen *seen, struct gw_error *error)
{
	struct gw_str text = {0};
	char *taken;

	gw_str_appendf(&text, "%s=%d Origin=%" PRId64 "\n", KEY, VERSION, seen->origin);
	for (size_t i = 0; i < seen->count; i++) {
		const struct gw_mix_kind *kind = &seen->kind[i];

		gw_str_appendf(&text,
			       "Gpus=%" PRIu32 " Shared=%" PRIu32 " Cpus=%" PRIu32
			       " Memory=%" PRIu64 " Weight=%.17g\n",
			       kind->gpus, kind->shared, kind->cpus, kind->memory, kind->weight);
	}
	gw_checksum_append(&text);
	taken = gw_str_take(&text);
	if (!taken)
		gw_error_memory(error);
	return taken;
}

static int load_kind(struct gw_mix_seen *into, const struct gw_record *record,
		     struct gw_error *error)
{
	const char *text = gw_record_value(record, "Weight");
	uint64_t gpus, shared, cpus, memory;
	double weight;

	if (gw_record_count(record, "Gpus", UINT32_MAX, &gpus, error) ||
	    gw_record_count(record, "Shared", SHARED_MAX, &shared, error) ||
	    gw_record_count(record, "Cpus", UINT32_MAX, &cpus, error) ||
	    gw_record_count(record, "Memory", INT64_MAX, &memory, error))
		return -1;
	if (!text || gw_parse_double(text, &weight, NULL) || !(weight >= 0 && weight <= WEIGHT_MAX))
		return gw_error_set(error, "Weight must be a number from 0 to %g", WEIGHT_MAX);
	if (!gpus || into->count == GW_MIX_SEEN_KINDS)
		return gw_error_set(error, "no GPUs, or more than %d kinds", GW_MIX_SEEN_KINDS);
	into->kind[into->count++] = (struct gw_mix_kind){(uint32_t)gpus, (uint32_t)shared,
							 (uint32_t)cpus, memory, weight};
	return 0;
}

static int load_record(void *to, const struct gw_record *record, struct gw_error *error)
{
	struct gw_mix_seen *into = to;
	const char *first = record->pair[0].key;
	uint64_t origin;

	if (gw_same(first, "Gpus"))
		return load_kind(into, record, error);
	if (gw_same(first, "Checksum"))
		return 0;
	if (!gw_same(first, KEY))
		return gw_error_set(error, "%.40s is not a record of a mix of jobs", first);
	if (gw_record_count(record, "Origin", TIME_MAX, &origin, error))
		return -1;
	into->origin = (int64_t)origin;
	return 0;
}

int gw_mix_seen_load(struct gw_mix_seen *seen, const char *text, struct gw_error *error)
{
	struct gw_mix_seen *loaded;
	int result = -1;

	if (gw_checksum_check(text, KEY, VERSION, "mix of jobs", error))
		return -1;
	loaded = gw_mix_seen_create(error);
	if (!loaded)
		return -1;
	if (!gw_record_each(text, load_record, loaded, error)) {
		*seen = *loaded;
		result = 0;
	}
	gw_mix_seen_free(loaded);
	return result;
}

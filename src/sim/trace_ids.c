// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_ids.h"

#include <stdlib.h>

#include "../util/random.h"

static uint64_t hash_of(const struct gw_trace_job *job, bool by_run)
{
	uint64_t hash = gw_random_mix(job->id);
	int64_t last = job->start == GW_TRACE_NONE ? job->duration : job->start;

	if (!by_run)
		return hash;
	hash = gw_random_mix(hash ^ (uint64_t)job->submit);
	return gw_random_mix(hash ^ (uint64_t)last);
}

static bool is_same(const struct gw_trace_job *a, const struct gw_trace_job *b, bool by_run)
{
	if (a->id != b->id)
		return false;
	if (!by_run)
		return true;
	return a->submit == b->submit && a->start == b->start &&
	       (a->start != GW_TRACE_NONE || a->duration == b->duration);
}

uint32_t *gw_trace_ids_find(const struct gw_trace_ids *ids, const struct gw_trace *trace,
			    const struct gw_trace_job *job, bool by_run)
{
	size_t at = hash_of(job, by_run) & (ids->slots - 1);

	while (ids->slot[at] && !is_same(&trace->job[ids->slot[at] - 1], job, by_run))
		at = (at + 1) & (ids->slots - 1);
	return &ids->slot[at];
}

/* At most two thirds of the slots are used. */
int gw_trace_ids_room(struct gw_trace_ids *ids, const struct gw_trace *trace, size_t first,
		      bool by_run, struct gw_error *error)
{
	struct gw_trace_ids grown = {.slots = ids->slots ? ids->slots * 2 : 64, .used = ids->used};

	if ((ids->used + 1) * 3 < ids->slots * 2)
		return 0;
	grown.slot = trace->count < UINT32_MAX ? calloc(grown.slots, sizeof(*grown.slot)) : NULL;
	if (!grown.slot)
		return gw_error_memory(error);
	for (size_t i = first; i < trace->count; i++)
		*gw_trace_ids_find(&grown, trace, &trace->job[i], by_run) = (uint32_t)(i + 1);
	gw_trace_ids_free(ids);
	*ids = grown;
	return 0;
}

void gw_trace_ids_free(struct gw_trace_ids *ids)
{
	free(ids->slot);
	*ids = (struct gw_trace_ids){0};
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "../util/random.h"
#include "../util/str.h"

/* Text of names lies in blocks: a million short names, each allocated alone, take thrice that. */
#define BLOCK_SIZE ((size_t)64 << 10)

struct block {
	struct block *next;
	size_t used, size;
	char text[];
};

/* Which names there are: open addressing, slots hold an index of names, 0 is free. */
struct name_index {
	struct block *blocks;
	uint32_t *slot;
	size_t slots; /* a power of two */
};

void gw_trace_free(struct gw_trace *trace)
{
	struct name_index *index = trace ? trace->index : NULL;

	if (!trace)
		return;
	while (index && index->blocks) {
		struct block *next = index->blocks->next;

		free(index->blocks);
		index->blocks = next;
	}
	if (index)
		free(index->slot);
	free(index);
	free(trace->names);
	free(trace->job);
	*trace = (struct gw_trace){0};
}

static uint64_t hash_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return gw_random_mix(hash);
}

/* Where a name stands, or the free slot that it would take. */
static size_t slot_of(const struct name_index *index, char *const *names, const char *name)
{
	size_t at = hash_text(name) & (index->slots - 1);

	while (index->slot[at] && strcmp(names[index->slot[at]], name) != 0)
		at = (at + 1) & (index->slots - 1);
	return at;
}

/* At most half of the slots are used. */
static int grow_slots(struct name_index *index, char *const *names, size_t count)
{
	struct name_index grown = {.slots = index->slots ? index->slots * 2 : 64};

	if (count * 2 < index->slots)
		return 0;
	grown.slot = calloc(grown.slots, sizeof(*grown.slot));
	if (!grown.slot)
		return -1;
	for (size_t i = 1; i < count; i++)
		grown.slot[slot_of(&grown, names, names[i])] = (uint32_t)i;
	free(index->slot);
	index->slot = grown.slot;
	index->slots = grown.slots;
	return 0;
}

static char *keep_text(struct name_index *index, const char *text)
{
	size_t size = strlen(text) + 1;
	struct block *block = index->blocks;
	char *kept;

	if (!block || block->size - block->used < size) {
		size_t room = size > BLOCK_SIZE ? size : BLOCK_SIZE;

		block = malloc(sizeof(*block) + room);
		if (!block)
			return NULL;
		*block = (struct block){.next = index->blocks, .size = room};
		index->blocks = block;
	}
	kept = block->text + block->used;
	memcpy(kept, text, size);
	block->used += size;
	return kept;
}

static int append_name(struct gw_trace *trace, const char *name)
{
	char **names = gw_array_room(trace->names, trace->name_count, sizeof(*names));

	if (!names)
		return -1;
	trace->names = names;
	names[trace->name_count] = keep_text(trace->index, name);
	if (!names[trace->name_count] || trace->name_count == UINT32_MAX)
		return -1;
	trace->name_count++;
	return 0;
}

/* The table of names with the empty one in it. */
static int begin_names(struct gw_trace *trace)
{
	if (!trace->index)
		trace->index = calloc(1, sizeof(struct name_index));
	if (!trace->index)
		return -1;
	return trace->name_count ? 0 : append_name(trace, "");
}

int gw_trace_name(struct gw_trace *trace, const char *name, uint32_t *index, struct gw_error *error)
{
	struct name_index *names;
	size_t slot;

	*index = GW_TRACE_NO_NAME;
	if (!name || !*name)
		return 0;
	if (begin_names(trace))
		return gw_error_memory(error);
	names = trace->index;
	if (grow_slots(names, trace->names, trace->name_count))
		return gw_error_memory(error);
	slot = slot_of(names, trace->names, name);
	if (!names->slot[slot]) {
		if (append_name(trace, name))
			return gw_error_memory(error);
		names->slot[slot] = (uint32_t)(trace->name_count - 1);
	}
	*index = names->slot[slot];
	return 0;
}

int gw_trace_add(struct gw_trace *trace, const struct gw_trace_job *job, struct gw_error *error)
{
	struct gw_trace_job *jobs;

	if (begin_names(trace))
		return gw_error_memory(error);
	jobs = gw_array_room(trace->job, trace->count, sizeof(*jobs));
	if (!jobs)
		return gw_error_memory(error);
	trace->job = jobs;
	jobs[trace->count++] = *job;
	return 0;
}

/* Where a job belongs. Jobs are large: the keys are sorted, then each job is moved once. */
struct key {
	int64_t submit;
	size_t from;
};

static int compare_keys(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

static bool in_order(const struct gw_trace *trace)
{
	for (size_t i = 1; i < trace->count; i++)
		if (trace->job[i].submit < trace->job[i - 1].submit)
			return false;
	return true;
}

/* Follows each cycle of the permutation; a place that is done points at itself. */
static void move_jobs(struct gw_trace_job *job, struct key *key, size_t count)
{
	for (size_t first = 0; first < count; first++) {
		struct gw_trace_job moved = job[first];
		size_t at = first;

		while (key[at].from != first) {
			size_t next = key[at].from;

			job[at] = job[next];
			key[at].from = at;
			at = next;
		}
		job[at] = moved;
		key[at].from = at;
	}
}

int gw_trace_sort(struct gw_trace *trace, struct gw_error *error)
{
	struct key *key;

	if (in_order(trace))
		return 0;
	key = malloc(trace->count * sizeof(*key));
	if (!key)
		return gw_error_memory(error);
	for (size_t i = 0; i < trace->count; i++)
		key[i] = (struct key){trace->job[i].submit, i};
	qsort(key, trace->count, sizeof(*key), compare_keys);
	move_jobs(trace->job, key, trace->count);
	free(key);
	return 0;
}

static const struct {
	const char *name, *text;
} problems[GW_TRACE_PROBLEM_COUNT] = {
	[GW_TRACE_MALFORMED] = {"malformed", "can not be read: left out"},
	[GW_TRACE_NEGATIVE_DURATION] = {"negative-duration", "ends before its start: left out"},
	[GW_TRACE_NO_END] = {"no-end", "started and has no end: runs until the end of the trace"},
	[GW_TRACE_NO_START] = {"no-start", "never started: left out"},
	[GW_TRACE_NO_LIMIT] = {"no-limit", "no time limit: its partition's, or none"},
	[GW_TRACE_OVER_LIMIT] = {"over-limit", "ran longer than its limit: the limit is raised"},
	[GW_TRACE_RECYCLED_ID] = {"recycled-id", "the id of another job: both are kept"},
	[GW_TRACE_REQUEUE] = {"requeue", "a further run of a job: a job of its own"},
	[GW_TRACE_UNKNOWN_ACCOUNT] = {"unknown-account", "its account belongs to no queue"},
	[GW_TRACE_TOO_LARGE] = {"too-large", "fits no empty cluster: left out"},
	[GW_TRACE_STEP] = {"step", "a job step: left out"},
	[GW_TRACE_DUPLICATE] = {"duplicate", "a record seen before: left out"},
};

const char *gw_trace_problem_text(enum gw_trace_problem problem)
{
	return problems[problem].text;
}

const char *gw_trace_problem_name(enum gw_trace_problem problem)
{
	return problems[problem].name;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_write.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/hostlist.h"
#include "../util/siphash.h"
#include "../util/str.h"

/* What is named in a trace; the letter begins the replacements. */
enum kind { USER, ACCOUNT, QOS, PARTITION, NAME, GPU_TYPE, NODE_LIST, KIND_COUNT };

static const char letters[KIND_COUNT] = {'u', 'a', 'q', 'p', 'j', 'g', 'n'};

static uint32_t *name_of(struct gw_trace_job *job, enum kind kind)
{
	uint32_t *const names[KIND_COUNT] = {&job->user,      &job->account, &job->qos,
					     &job->partition, &job->name,    &job->gpu_type,
					     &job->node_list};

	return names[kind];
}

struct work {
	const struct gw_trace *trace;
	const struct gw_trace_anonymise *options;
	uint64_t key[2];
	struct gw_trace fresh;     /* only names: those of the result */
	uint32_t *map[KIND_COUNT]; /* of indexes of names, old to fresh */
	struct gw_trace nodes;     /* only names: each node of any list */
	char **node_name;          /* their replacements, by index */
};

/* A name, and the number that gives it its place among others. */
struct item {
	uint64_t hash;
	uint32_t index;
};

static int compare_items(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* The same name of another kind must not show: the letter is part of what is hashed. */
static int hash_name(const struct work *work, char letter, const char *name, uint64_t *hash,
		     struct gw_error *error)
{
	struct gw_str text = {0};

	gw_str_append_n(&text, &letter, 1);
	gw_str_append(&text, name);
	if (!text.failed)
		*hash = gw_siphash(work->key, text.data, text.length);
	gw_str_free(&text);
	return text.failed ? gw_error_memory(error) : 0;
}

static void make_key(const struct gw_trace_anonymise *options, uint64_t key[2])
{
	static const uint64_t first[2] = {1, 2}, second[2] = {3, 4};
	const char *text = options->key;

	key[0] = text ? gw_siphash(first, text, strlen(text)) : options->random[0];
	key[1] = text ? gw_siphash(second, text, strlen(text)) : options->random[1];
}

#define REPLACEMENT_SIZE 32

static void replacement(const struct work *work, char letter, const struct item *item, size_t rank,
			char text[REPLACEMENT_SIZE])
{
	if (work->options->key)
		snprintf(text, REPLACEMENT_SIZE, "%c%016" PRIx64, letter, item->hash);
	else
		snprintf(text, REPLACEMENT_SIZE, "%c%zu", letter, rank + 1);
}

/* Which names the jobs use as this kind, in the order of their hashes. */
static int list_used(struct work *work, enum kind kind, struct item *items, size_t *count,
		     struct gw_error *error)
{
	const struct gw_trace *trace = work->trace;
	uint32_t *used = work->map[kind];
	int failed = 0;

	*count = 0;
	for (size_t i = 0; i < trace->count; i++)
		used[*name_of(&trace->job[i], kind)] = 1;
	for (uint32_t i = 1; !failed && i < trace->name_count; i++) {
		if (!used[i])
			continue;
		items[*count].index = i;
		failed =
			hash_name(work, letters[kind], trace->names[i], &items[*count].hash, error);
		++*count;
	}
	used[GW_TRACE_NO_NAME] = GW_TRACE_NO_NAME;
	qsort(items, *count, sizeof(*items), compare_items);
	return failed;
}

static bool is_kept(const struct gw_trace_anonymise *options, enum kind kind)
{
	return kind == GPU_TYPE || (kind == QOS && options->keep_qos) ||
	       (kind == PARTITION && options->keep_partition);
}

static int replace_names(struct work *work, enum kind kind, struct item *items,
			 struct gw_error *error)
{
	uint32_t *map = work->map[kind];
	size_t count;
	int failed = list_used(work, kind, items, &count, error);

	for (size_t i = 0; !failed && i < count; i++) {
		const char *name = work->trace->names[items[i].index];
		char text[REPLACEMENT_SIZE];

		replacement(work, letters[kind], &items[i], i, text);
		failed = gw_trace_name(&work->fresh, is_kept(work->options, kind) ? name : text,
				       &map[items[i].index], error);
	}
	return failed;
}

/* The nodes of a list; of one that can not be read, the list as if it were a node. */
static int expand(const char *list, struct gw_strings *nodes, struct gw_error *error)
{
	/* A list of more is taken for one name. */
	if (!gw_hostlist_expand(list, GW_HOSTLIST_MAX, nodes, NULL))
		return 0;
	return gw_strings_add(nodes, list, strlen(list)) ? gw_error_memory(error) : 0;
}

static int find_nodes(struct work *work, const char *list, struct gw_error *error)
{
	struct gw_strings nodes = {0};
	uint32_t index;
	int failed = expand(list, &nodes, error);

	for (size_t i = 0; !failed && i < nodes.count; i++)
		failed = gw_trace_name(&work->nodes, nodes.item[i], &index, error);
	gw_strings_free(&nodes);
	return failed;
}

static int replace_nodes(struct work *work, struct gw_error *error)
{
	size_t count = work->nodes.name_count;
	struct item *items = calloc(count + 1, sizeof(*items));
	int failed = items ? 0 : gw_error_memory(error);

	work->node_name = calloc(count + 1, sizeof(*work->node_name));
	if (!work->node_name)
		failed = gw_error_memory(error);
	for (uint32_t i = 1; !failed && i < count; i++) {
		items[i - 1].index = i;
		failed = hash_name(work, 'n', work->nodes.names[i], &items[i - 1].hash, error);
	}
	if (!failed && count)
		qsort(items, count - 1, sizeof(*items), compare_items);
	for (size_t i = 0; !failed && i + 1 < count; i++) {
		char text[REPLACEMENT_SIZE];

		replacement(work, 'n', &items[i], i, text);
		work->node_name[items[i].index] = gw_strdup(text);
		if (!work->node_name[items[i].index])
			failed = gw_error_memory(error);
	}
	free(items);
	return failed;
}

static int replace_list(struct work *work, uint32_t old, struct gw_error *error)
{
	struct gw_strings nodes = {0};
	struct gw_str text = {0};
	uint32_t index;
	int failed = expand(work->trace->names[old], &nodes, error);

	for (size_t i = 0; !failed && i < nodes.count; i++) {
		failed = gw_trace_name(&work->nodes, nodes.item[i], &index, error);
		if (!failed)
			gw_str_appendf(&text, "%s%s", i ? "," : "", work->node_name[index]);
	}
	if (!failed && text.failed)
		failed = gw_error_memory(error);
	if (!failed)
		failed = gw_trace_name(&work->fresh, gw_str_text(&text), &work->map[NODE_LIST][old],
				       error);
	gw_str_free(&text);
	gw_strings_free(&nodes);
	return failed;
}

static int replace_lists(struct work *work, struct item *items, struct gw_error *error)
{
	size_t count;
	int failed = list_used(work, NODE_LIST, items, &count, error);

	for (size_t i = 0; !failed && i < count; i++)
		failed = find_nodes(work, work->trace->names[items[i].index], error);
	if (!failed)
		failed = replace_nodes(work, error);
	for (size_t i = 0; !failed && i < count; i++)
		failed = replace_list(work, items[i].index, error);
	return failed;
}

static int replace_all(struct work *work, struct gw_error *error)
{
	size_t names = work->trace->name_count + 1;
	struct item *items = calloc(names, sizeof(*items));
	int failed = items ? 0 : gw_error_memory(error);

	for (int kind = 0; !failed && kind < KIND_COUNT; kind++) {
		work->map[kind] = calloc(names, sizeof(*work->map[kind]));
		if (!work->map[kind])
			failed = gw_error_memory(error);
		else if (kind == NODE_LIST)
			failed = replace_lists(work, items, error);
		else
			failed = replace_names(work, (enum kind)kind, items, error);
	}
	free(items);
	return failed;
}

static void shift(int64_t *time, int64_t by)
{
	if (*time != GW_TRACE_NONE)
		*time -= by;
}

/* The part of an id that is no index of a task. */
static uint64_t plain_id(uint64_t id)
{
	return id & UINT32_MAX;
}

static void find_origin(const struct gw_trace *trace, int64_t *submit, uint64_t *id)
{
	*submit = trace->count ? trace->job[0].submit : 0;
	*id = trace->count ? plain_id(trace->job[0].id) : 0;
	for (size_t i = 0; i < trace->count; i++) {
		const struct gw_trace_job *job = &trace->job[i];

		if (job->submit < *submit)
			*submit = job->submit;
		if (plain_id(job->id) < *id)
			*id = plain_id(job->id);
		if (job->array && plain_id(job->array) < *id)
			*id = plain_id(job->array);
	}
}

static void change_jobs(struct gw_trace *trace, const struct work *work)
{
	int64_t origin;
	uint64_t least;

	find_origin(trace, &origin, &least);
	for (size_t i = 0; i < trace->count; i++) {
		struct gw_trace_job *job = &trace->job[i];

		for (int kind = 0; kind < KIND_COUNT; kind++) {
			uint32_t *name = name_of(job, (enum kind)kind);

			*name = work->map[kind][*name];
		}
		job->id = job->id - least + 1;
		if (job->array)
			job->array = job->array - least + 1;
		if (work->options->keep_times)
			continue;
		shift(&job->submit, origin);
		shift(&job->eligible, origin);
		shift(&job->start, origin);
		shift(&job->end, origin);
	}
}

static void work_free(struct work *work)
{
	for (int kind = 0; kind < KIND_COUNT; kind++)
		free(work->map[kind]);
	for (size_t i = 0; work->node_name && i < work->nodes.name_count; i++)
		free(work->node_name[i]);
	free(work->node_name);
	gw_trace_free(&work->nodes);
	gw_trace_free(&work->fresh);
}

/* The names of one for those of the other. */
static void swap_names(struct gw_trace *a, struct gw_trace *b)
{
	struct gw_trace old = *a;

	a->names = b->names;
	a->name_count = b->name_count;
	a->index = b->index;
	b->names = old.names;
	b->name_count = old.name_count;
	b->index = old.index;
}

int gw_trace_anonymise(struct gw_trace *trace, const struct gw_trace_anonymise *options,
		       struct gw_error *error)
{
	struct work work = {.trace = trace, .options = options};
	struct gw_trace_job none = {0};
	int failed;

	make_key(options, work.key);
	failed = replace_all(&work, error) || gw_trace_add(&work.fresh, &none, error);
	if (!failed) {
		change_jobs(trace, &work);
		swap_names(trace, &work.fresh);
	}
	work_free(&work);
	return failed ? -1 : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"

#define FORMAT_VERSION 1

/* How a value is written, and what it becomes. */
enum kind {
	NAME,    /* const char * */
	COUNT,   /* uint32_t */
	LIMIT,   /* uint32_t; none: GW_NOT_GIVEN */
	SECONDS, /* int64_t */
	SPAN,    /* int64_t; -1: GW_TIME_INFINITE */
	SIGNED,  /* int32_t */
	REAL,    /* double */
	YES,     /* bool */
	STATE,   /* bool: running */
	WHY,     /* enum gw_quota_why */
};

/* One key of a record. The first of a table names the record. */
struct field {
	const char *key;
	enum kind kind;
	bool optional; /* then 0, or "" */
	size_t offset;
};

#define FIELD(type, key_, kind_, member)                                                           \
	{                                                                                          \
		.key = key_, .kind = kind_, .offset = offsetof(struct type, member)                \
	}
#define OPTIONAL(type, key_, kind_, member)                                                        \
	{                                                                                          \
		.key = key_, .kind = kind_, .offset = offsetof(struct type, member),               \
		.optional = true                                                                   \
	}

static const struct field head_fields[] = {
	FIELD(gw_view, "Written", SECONDS, written),
	OPTIONAL(gw_view, "Cluster", NAME, cluster),
	OPTIONAL(gw_view, "Minute", COUNT, minute),
	{0},
};

static const struct field truncated_fields[] = {
	FIELD(gw_view, "Truncated", COUNT, truncated),
	{0},
};

static const struct field flavor_fields[] = {
	FIELD(gw_view_flavor, "Flavor", NAME, name),
	FIELD(gw_view_flavor, "Gres", NAME, gres),
	FIELD(gw_view_flavor, "Partition", NAME, partition),
	OPTIONAL(gw_view_flavor, "Weight", REAL, weight),
	OPTIONAL(gw_view_flavor, "All", COUNT, gpus.all),
	OPTIONAL(gw_view_flavor, "Free", COUNT, gpus.free),
	{0},
};

static const struct field class_fields[] = {
	FIELD(gw_view_class, "Class", NAME, name),
	FIELD(gw_view_class, "QOS", NAME, qos),
	FIELD(gw_view_class, "Rank", COUNT, rank),
	{0},
};

static const struct field pool_fields[] = {
	FIELD(gw_view_pool, "Pool", NAME, name),
	FIELD(gw_view_pool, "Flavor", NAME, flavor),
	OPTIONAL(gw_view_pool, "Cohort", NAME, cohort),
	FIELD(gw_view_pool, "Quota", COUNT, figures.quota),
	FIELD(gw_view_pool, "BorrowLimit", LIMIT, figures.borrow_limit),
	FIELD(gw_view_pool, "LendLimit", LIMIT, figures.lend_limit),
	FIELD(gw_view_pool, "Held", COUNT, figures.held),
	FIELD(gw_view_pool, "Borrowed", COUNT, figures.borrowed),
	FIELD(gw_view_pool, "Lent", COUNT, figures.lent),
	FIELD(gw_view_pool, "Reach", COUNT, figures.reach),
	FIELD(gw_view_pool, "Largest", COUNT, figures.largest),
	OPTIONAL(gw_view_pool, "CohortQuota", COUNT, figures.cohort_quota),
	OPTIONAL(gw_view_pool, "CohortHeld", COUNT, figures.cohort_held),
	OPTIONAL(gw_view_pool, "CohortFree", COUNT, figures.cohort_free),
	{0},
};

static const struct field queue_fields[] = {
	FIELD(gw_view_queue, "Queue", NAME, name),
	FIELD(gw_view_queue, "Account", NAME, account),
	FIELD(gw_view_queue, "Pool", NAME, pool),
	FIELD(gw_view_queue, "Weight", REAL, weight),
	FIELD(gw_view_queue, "Usage", REAL, usage),
	FIELD(gw_view_queue, "Held", REAL, held),
	FIELD(gw_view_queue, "Key", REAL, key),
	FIELD(gw_view_queue, "Running", COUNT, running),
	FIELD(gw_view_queue, "RunningGpus", COUNT, running_gpus),
	FIELD(gw_view_queue, "Pending", COUNT, pending),
	FIELD(gw_view_queue, "PendingGpus", COUNT, pending_gpus),
	OPTIONAL(gw_view_queue, "Blocked", COUNT, blocked),
	{0},
};

static const struct field line_fields[] = {
	FIELD(gw_view_line, "Line", NAME, queue),
	OPTIONAL(gw_view_line, "Flavor", NAME, flavor),
	FIELD(gw_view_line, "Usage", REAL, usage),
	FIELD(gw_view_line, "Held", REAL, held),
	{0},
};

static const struct field job_fields[] = {
	FIELD(gw_view_job, "Job", COUNT, id),
	OPTIONAL(gw_view_job, "ArrayJob", COUNT, array),
	FIELD(gw_view_job, "Queue", NAME, queue),
	OPTIONAL(gw_view_job, "Class", NAME, job_class),
	FIELD(gw_view_job, "User", COUNT, user),
	OPTIONAL(gw_view_job, "Flavor", NAME, flavor),
	FIELD(gw_view_job, "Gpus", COUNT, gpus),
	OPTIONAL(gw_view_job, "Nodes", COUNT, nodes),
	OPTIONAL(gw_view_job, "Tasks", COUNT, tasks),
	FIELD(gw_view_job, "State", STATE, running),
	OPTIONAL(gw_view_job, "Rank", COUNT, rank),
	OPTIONAL(gw_view_job, "Number", COUNT, number),
	OPTIONAL(gw_view_job, "Startable", YES, startable),
	OPTIONAL(gw_view_job, "Borrowing", YES, borrowing),
	OPTIONAL(gw_view_job, "Gap", YES, gap),
	OPTIONAL(gw_view_job, "Back", YES, back),
	OPTIONAL(gw_view_job, "Turn", COUNT, turn),
	OPTIONAL(gw_view_job, "Why", WHY, why),
	OPTIONAL(gw_view_job, "Missing", COUNT, missing),
	OPTIONAL(gw_view_job, "Borrow", COUNT, borrow),
	OPTIONAL(gw_view_job, "Eligible", SECONDS, eligible),
	OPTIONAL(gw_view_job, "Submit", SECONDS, submit),
	OPTIONAL(gw_view_job, "Start", SECONDS, start),
	FIELD(gw_view_job, "Limit", SPAN, limit),
	OPTIONAL(gw_view_job, "Rate", REAL, rate),
	OPTIONAL(gw_view_job, "Nice", SIGNED, nice),
	OPTIONAL(gw_view_job, "Whole", YES, whole_nodes),
	OPTIONAL(gw_view_job, "Sentence", NAME, sentence),
	{0},
};

static int read_count(const char *value, uint64_t most, uint64_t *count)
{
	return gw_parse_count(value, count, NULL) || *count > most ? -1 : 0;
}

static int read_u32(const char *value, void *to)
{
	uint64_t count;

	if (read_count(value, UINT32_MAX, &count))
		return -1;
	*(uint32_t *)to = (uint32_t)count;
	return 0;
}

static int read_seconds(const char *value, void *to)
{
	uint64_t count;

	if (read_count(value, INT64_MAX, &count))
		return -1;
	*(int64_t *)to = (int64_t)count;
	return 0;
}

static int read_signed(const char *value, void *to)
{
	uint64_t count;

	if (read_count(value + (*value == '-'), INT32_MAX, &count))
		return -1;
	*(int32_t *)to = *value == '-' ? -(int32_t)count : (int32_t)count;
	return 0;
}

/* A reason that this command does not know yet still is one. */
static void read_why(const char *value, void *to)
{
	enum gw_quota_why why = 0;

	while (why < GW_QUOTA_WHY_COUNT && !gw_same(value, gw_quota_why_name(why)))
		why++;
	*(enum gw_quota_why *)to = why < GW_QUOTA_WHY_COUNT ? why : GW_QUOTA_OVER_POOL;
}

static int read_value(const char *value, enum kind kind, void *to)
{
	switch (kind) {
	case NAME:
		*(const char **)to = value;
		return 0;
	case COUNT:
		return read_u32(value, to);
	case LIMIT:
		*(uint32_t *)to = GW_NOT_GIVEN;
		return gw_same(value, "none") ? 0 : read_u32(value, to);
	case SECONDS:
		return read_seconds(value, to);
	case SPAN:
		*(int64_t *)to = GW_TIME_INFINITE;
		return strcmp(value, "-1") ? read_seconds(value, to) : 0;
	case SIGNED:
		return read_signed(value, to);
	case REAL:
		return gw_parse_double(value, to, NULL);
	case YES:
		return gw_parse_bool(value, to, NULL);
	case STATE:
		*(bool *)to = gw_same(value, "running");
		return 0;
	case WHY:
		read_why(value, to);
		return 0;
	}
	return -1;
}

static int read_fields(const struct gw_record *record, const struct field *field, void *to,
		       struct gw_error *error)
{
	for (; field->key; field++) {
		const char *value = gw_record_value(record, field->key);
		void *member = (char *)to + field->offset;

		if (!value && field->optional && field->kind != NAME)
			continue;
		if (!value && !field->optional)
			return gw_error_set(error, "%s= is missing", field->key);
		if (read_value(value ? value : "", field->kind, member))
			return gw_error_set(error, "%s=%.64s: is not what Gangway writes",
					    field->key, value);
	}
	return 0;
}

/* The arrays of a view, by the key that begins their records. */
static const struct list {
	const char *key;
	const struct field *fields;
	size_t size, array, count;
} lists[] = {
	{"Flavor", flavor_fields, sizeof(struct gw_view_flavor), offsetof(struct gw_view, flavor),
	 offsetof(struct gw_view, flavor_count)},
	{"Class", class_fields, sizeof(struct gw_view_class), offsetof(struct gw_view, job_class),
	 offsetof(struct gw_view, class_count)},
	{"Pool", pool_fields, sizeof(struct gw_view_pool), offsetof(struct gw_view, pool),
	 offsetof(struct gw_view, pool_count)},
	{"Queue", queue_fields, sizeof(struct gw_view_queue), offsetof(struct gw_view, queue),
	 offsetof(struct gw_view, queue_count)},
	{"Line", line_fields, sizeof(struct gw_view_line), offsetof(struct gw_view, line),
	 offsetof(struct gw_view, line_count)},
	{"Job", job_fields, sizeof(struct gw_view_job), offsetof(struct gw_view, job),
	 offsetof(struct gw_view, job_count)},
};

static int add_item(struct gw_view *view, const struct list *list, const struct gw_record *record,
		    struct gw_error *error)
{
	char *array = (char *)view + list->array;
	size_t *count = (size_t *)((char *)view + list->count);
	void *items;

	memcpy(&items, array, sizeof(items));
	items = gw_array_room(items, *count, list->size);
	if (!items)
		return gw_error_memory(error);
	memcpy(array, &items, sizeof(items));
	if (read_fields(record, list->fields, (char *)items + *count * list->size, error))
		return -1;
	++*count;
	return 0;
}

static int add_record(struct gw_view *view, const struct gw_record *record, struct gw_error *error)
{
	const char *key = record->pair[0].key;

	if (gw_same(key, "Truncated"))
		return read_fields(record, truncated_fields, view, error);
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
		if (gw_same(key, lists[i].key))
			return add_item(view, &lists[i], record, error);
	return 0;
}

static int read_head(struct gw_view *view, const struct gw_record *record, struct gw_error *error)
{
	uint32_t version;

	if (!gw_same(record->pair[0].key, "View"))
		return gw_error_set(error, "is not a view of Gangway's");
	if (read_u32(record->pair[0].value, &version) || version != FORMAT_VERSION)
		return gw_error_set(error,
				    "View=%.16s: this gangway reads format %d (it must be that of "
				    "the plugins)",
				    record->pair[0].value, FORMAT_VERSION);
	return read_fields(record, head_fields, view, error);
}

/* The record is the view's from here on, whatever comes of it. */
static int take_record(struct gw_view *view, struct gw_record *record, struct gw_error *error)
{
	struct gw_record *records =
		gw_array_room(view->record, view->record_count, sizeof(*records));

	if (!records) {
		gw_record_free(record);
		return gw_error_memory(error);
	}
	view->record = records;
	records[view->record_count++] = *record;
	return view->record_count == 1 ? read_head(view, record, error)
				       : add_record(view, record, error);
}

int gw_view_read(const char *path, const char *text, struct gw_view *view, struct gw_error *error)
{
	struct gw_record_reader reader;
	struct gw_record record;
	int more, failed = 0, line = 1;

	*view = (struct gw_view){.cluster = ""};
	gw_record_reader_init(&reader, text);
	while (!failed && (more = gw_record_next(&reader, &record, error)) != 0) {
		line = more > 0 ? record.pair[0].line : reader.error_line;
		failed = more < 0 || take_record(view, &record, error);
	}
	if (!failed && !view->record_count)
		failed = gw_error_set(error, "is not a view of Gangway's");
	if (!failed)
		return 0;
	gw_view_free(view);
	return gw_error_prefix(error, "%s:%d: ", path, line);
}

void gw_view_free(struct gw_view *view)
{
	for (size_t i = 0; i < view->record_count; i++)
		gw_record_free(&view->record[i]);
	free(view->record);
	free(view->flavor);
	free(view->job_class);
	free(view->pool);
	free(view->queue);
	free(view->line);
	free(view->job);
	*view = (struct gw_view){.cluster = ""};
}

const struct gw_view_job *gw_view_job(const struct gw_view *view, uint32_t id)
{
	for (size_t i = 0; i < view->job_count; i++)
		if (view->job[i].id == id)
			return &view->job[i];
	return NULL;
}

const struct gw_view_queue *gw_view_queue(const struct gw_view *view, const char *name)
{
	for (size_t i = 0; i < view->queue_count; i++)
		if (gw_same(view->queue[i].name, name))
			return &view->queue[i];
	return NULL;
}

const struct gw_view_flavor *gw_view_flavor(const struct gw_view *view, const char *name)
{
	for (size_t i = 0; i < view->flavor_count; i++)
		if (gw_same(view->flavor[i].name, name))
			return &view->flavor[i];
	return NULL;
}

static const struct gw_view_pool *pool_named(const struct gw_view *view, const char *name,
					     const char *flavor)
{
	for (size_t i = 0; i < view->pool_count; i++)
		if (gw_same(view->pool[i].name, name) && gw_same(view->pool[i].flavor, flavor))
			return &view->pool[i];
	return NULL;
}

const struct gw_view_pool *gw_view_pool_of(const struct gw_view *view, const char *queue,
					   const char *flavor)
{
	for (size_t i = 0; i < view->queue_count; i++) {
		const struct gw_view_pool *pool = NULL;

		if (gw_same(view->queue[i].name, queue))
			pool = pool_named(view, view->queue[i].pool, flavor);
		if (pool)
			return pool;
	}
	return NULL;
}

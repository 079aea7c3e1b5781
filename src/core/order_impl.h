// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of order: jobs made ready, sorted, and in the simulation. */
#ifndef GW_CORE_ORDER_IMPL_H
#define GW_CORE_ORDER_IMPL_H

#include "order.h"

/* What entries are sorted by, the most significant last. */
enum gw_order_field {
	GW_FIELD_ID,
	GW_FIELD_AGE, /* eligible time */
	GW_FIELD_LIMIT,
	GW_FIELD_TOP, /* which bucket, and QueueMaxWait within it */
	GW_FIELDS,
};

/* A job, first to be sorted, then in the simulation. One line of cache: there are many. */
struct gw_order_entry {
	uint32_t field[GW_FIELDS];
	uint64_t oldest; /* the least age of its tier from here to the end of its list */
	double rate;
	uint32_t limit; /* seconds; UINT32_MAX: infinite */
	uint32_t job, gpus, line;
	uint32_t left;    /* tasks */
	uint32_t rank;    /* GW_NOT_RANKED: no task has started */
	uint32_t epoch;   /* of its kind of GPUs when the first task started */
	uint8_t fate : 4; /* enum gw_order_state: what quota says of it alone */
	bool small : 1;   /* it is one that SmallHold may put back */
	bool gap : 1;     /* it has one; once the entries are filled: and that counts */
	bool back : 1;    /* SmallHold puts it back */
	uint16_t class_order;
};

#define GW_NOT_RANKED UINT32_MAX

/* In a heap: a bucket by its queue's key, or a group by its pool's used/quota. */
struct gw_order_node {
	double key;
	uint32_t index;
};

/* Jobs of one line and tier, in their order: the entries from head to end still take part. */
struct gw_order_bucket {
	uint64_t oldest; /* with head_tier, decides between equal queues */
	uint32_t head_tier;
	uint32_t line, tier;
	uint32_t begin, head, keep, end; /* begin to keep: left for the next phase */
};

/* Buckets of a tier that draw on one cell. */
struct gw_order_group {
	uint32_t cell;
	uint32_t begin, size; /* its part of the heap of buckets */
};

/* One pool and flavor. Starts are kept back in pending until the exact room is needed. */
struct gw_order_cell {
	int64_t quota, used;
	int64_t room, room_at; /* may take more; what the flavor had taken when that was true */
	int64_t pending, told; /* taken: not yet, and already, known to the quota */
	int64_t loan_time;
	uint32_t flavor;
	uint32_t largest; /* that it could ever hold */
	bool borrows;     /* may hold more than its quota, if others have some left */
	bool by_nodes; /* its jobs wait for nodes. A start of g GPUs takes g that are free, and no
			  more than g of the room, so that this is true to the end */
	bool free;     /* no quota to keep */
	bool exact;    /* the time limit decides as well: ask each time */
	bool closed;   /* of no pool */
	bool plain;    /* none of these three */
};

/* One queue and flavor. */
struct gw_order_line {
	double key;
	double per_rate; /* what a started rate of 1 adds to the key */
	uint32_t cell;
	uint32_t place; /* among lines, those of one cell side by side */
	int32_t queue, flavor;
	uint32_t kind; /* of GPUs: lines of one kind compete for them */
};

/* The last queue that took GPUs of a kind, and how often that changed. */
struct gw_order_kind {
	int32_t queue;
	uint32_t epoch;
	int64_t left; /* that are free and not taken yet; INT64_MAX: it is not known how many */
};

/* A job that SmallHold puts back. */
struct gw_order_held_job {
	uint64_t age;    /* the lower the older */
	uint64_t amount; /* GPUs of all its tasks */
	uint32_t gpus;   /* of one */
};

/* Those that want one kind of GPUs. */
struct gw_order_held {
	uint64_t all;  /* GPUs of all of them */
	uint64_t keep; /* so much of it stays back at most */
	bool some_go;
	struct gw_order_held_job last; /* of those that go */
	/* What stays back by what is known so far: a heap, the first to go on top. */
	struct gw_order_held_job *kept;
	uint32_t kept_count;
	uint64_t kept_sum;
};

enum gw_order_memory {
	GW_MEMORY_SORTED,
	GW_MEMORY_SPARE,
	GW_MEMORY_NICE,
	GW_MEMORY_SLOTS,
	GW_MEMORY_RANKS,
	GW_MEMORY_BUCKETS,
	GW_MEMORY_HEAP,
	GW_MEMORY_GROUPS,
	GW_MEMORY_GROUP_HEAP,
	GW_MEMORY_CELLS,
	GW_MEMORY_LINES,
	GW_MEMORY_KINDS,
	GW_MEMORY_TIERS,
	GW_MEMORY_WHOLE,
	GW_MEMORY_TAKEN,
	GW_MEMORY_GAPS,
	GW_MEMORY_LONGEST,
	GW_MEMORY_FILLERS,
	GW_MEMORY_HELD,
	GW_MEMORY_KEPT,
	GW_MEMORY_COUNT,
};

struct gw_order_workspace {
	struct {
		void *allocated;
		void *data; /* the same, where a line of cache begins */
		size_t size;
	} memory[GW_MEMORY_COUNT];

	const struct gw_order_input *in;
	const struct gw_job *extra; /* job number job_count, or NULL */
	struct gw_order_entry *entry, *spare;
	size_t entry_count;
	bool any_nice;

	struct gw_order_line *line;
	struct gw_order_cell *cell;
	size_t cell_count;
	struct gw_order_kind *kind;
	int64_t *taken;             /* by flavor: GPUs started in the simulation */
	uint32_t *tier_of;          /* by class: rank order, 0 the highest; then without class */
	uint32_t tiers;             /* different ranks */
	bool *whole;                /* by tier and kind: a whole-node job waits */
	struct gw_order_held *held; /* by kind; NULL: nobody goes in a batch */
	size_t kinds;

	struct gw_order_bucket *bucket;
	size_t bucket_count;
	struct gw_order_node *heap;
	struct gw_order_group *group;
	struct gw_order_node *group_heap;
	uint32_t group_count;

	struct gw_order_rank *rank;
	size_t rank_count;
	uint32_t tasks_left; /* of GW_ORDER_TASKS_MAX */
	size_t stop_at;      /* ranks after which the simulation may end */
};

/* count items of size bytes in a part of the workspace; NULL with error when memory is out. */
void *gw_order_memory(struct gw_order_workspace *work, enum gw_order_memory part, size_t count,
		      size_t size, struct gw_error *error);

static inline const struct gw_job *gw_order_job(const struct gw_order_workspace *work, size_t index)
{
	return index < work->in->job_count ? &work->in->jobs[index] : work->extra;
}

/* Cells, lines, kinds of GPUs and ranks of classes. */
int gw_order_tables(struct gw_order_workspace *work, struct gw_error *error);

/* What quota says of a job in a cell as things stand in the simulation. */
enum gw_order_state gw_order_ask_quota(struct gw_order_workspace *work, uint32_t cell,
				       uint32_t gpus, int64_t limit);

/* The same; where quota is plenty, without a call. */
static inline enum gw_order_state gw_order_ask(struct gw_order_workspace *work, uint32_t index,
					       uint32_t gpus, int64_t limit)
{
	const struct gw_order_cell *cell = &work->cell[index];

	if (cell->plain && cell->used + gpus <= cell->quota &&
	    gpus <= cell->room - (work->taken[cell->flavor] - cell->room_at))
		return GW_ORDER_INSIDE;
	return gw_order_ask_quota(work, index, gpus, limit);
}

/* Whether the pool may take so many more. */
bool gw_order_has_room(struct gw_order_workspace *work, size_t index, uint32_t gpus);

/* A start. One that can not be now, for want of nodes, takes no quota from other pools. */
static inline void gw_order_take(struct gw_order_workspace *work, uint32_t index, uint32_t gpus)
{
	struct gw_order_cell *cell = &work->cell[index];

	cell->used += gpus;
	if (cell->quota < 0 || (cell->by_nodes && !gw_order_has_room(work, index, gpus)))
		return;
	cell->pending += gpus;
	work->taken[cell->flavor] += gpus;
}

void gw_order_give_back(struct gw_order_workspace *work);

/* Marks the entries that have a gap. */
int gw_order_gaps(struct gw_order_workspace *work, struct gw_error *error);

/* In order of eligible time, then of id; the lower the older. */
static inline uint64_t gw_order_age_of(const struct gw_order_entry *entry)
{
	return (uint64_t)entry->field[GW_FIELD_AGE] << 32 | entry->field[GW_FIELD_ID];
}

/*
 * Batches: begun, all entries counted, those found that go. Without SmallBatch work->held is NULL
 * after the first and the others are not called.
 */
int gw_order_batches_begin(struct gw_order_workspace *work, struct gw_error *error);
void gw_order_batches_count(struct gw_order_workspace *work, const struct gw_order_entry *entry);
void gw_order_batches_find(struct gw_order_workspace *work);
bool gw_order_goes_in_batch(const struct gw_order_workspace *work,
			    const struct gw_order_entry *entry);

/* The first flavor of the same GPUs: their kind. */
uint32_t gw_order_kind_of(const struct gw_conf *conf, int32_t flavor);

/* Pending jobs into entries, then in order. */
int gw_order_entries(struct gw_order_workspace *work, struct gw_error *error);
int gw_order_sort(struct gw_order_workspace *work, struct gw_error *error);

/* Sorted entries into buckets, then into ranks. */
int gw_order_run(struct gw_order_workspace *work, struct gw_error *error);

/* The bucket of an entry: the part of its top field that is not about the order within. */
uint32_t gw_order_bucket_of(const struct gw_order_workspace *work,
			    const struct gw_order_entry *entry);

/*
 * The tier: the class's rank order times 2, plus 1 for what SmallHold puts back. That of the
 * bucket, and that within the bucket; the other one of the two is 0.
 */
uint32_t gw_order_tier_of(const struct gw_order_workspace *work,
			  const struct gw_order_entry *entry);
uint32_t gw_order_tier_within(const struct gw_order_workspace *work,
			      const struct gw_order_entry *entry);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The simulation. All a start changes only grows: keys of queues, what pools hold, what
 * cohorts have lent. So a job that once does not fit in a phase never does again in it, a heap
 * whose top is looked at anew is exact, and phases and tiers follow one another.
 */
#include "order_impl.h"

#include <math.h>

enum phase {
	PHASE_INSIDE,
	PHASE_BORROWING,
	PHASE_WAITS_INSIDE, /* from here on nothing starts: only the order is wanted */
	PHASE_WAITS_BORROWING,
	PHASE_BLOCKED,
	PHASE_COUNT,
};

/* The heads of buckets lie all over the entries: fetched ahead, the next ones are there in time. */
#define ENTRIES_AHEAD 2

typedef bool (*less_fn)(const struct gw_order_workspace *work, const struct gw_order_node *a,
			const struct gw_order_node *b);

static inline bool bucket_less(const struct gw_order_workspace *work, const struct gw_order_node *a,
			       const struct gw_order_node *b)
{
	const struct gw_order_bucket *x = &work->bucket[a->index], *y = &work->bucket[b->index];

	if (a->key != b->key)
		return a->key < b->key;
	if (x->head_tier != y->head_tier)
		return x->head_tier < y->head_tier;
	return x->oldest < y->oldest;
}

static inline bool group_less(const struct gw_order_workspace *work, const struct gw_order_node *a,
			      const struct gw_order_node *b)
{
	if (a->key != b->key)
		return a->key < b->key;
	return bucket_less(work, &work->heap[work->group[a->index].begin],
			   &work->heap[work->group[b->index].begin]);
}

/* The node at position moves down to where it belongs. */
static inline __attribute__((always_inline)) void sift(const struct gw_order_workspace *work,
						       struct gw_order_node *heap, uint32_t size,
						       uint32_t position, less_fn less)
{
	struct gw_order_node moved = heap[position];

	for (;;) {
		uint32_t child = 2 * position + 1;

		if (child >= size)
			break;
		if (child + 1 < size && less(work, &heap[child + 1], &heap[child]))
			child++;
		if (!less(work, &heap[child], &moved))
			break;
		heap[position] = heap[child];
		position = child;
	}
	heap[position] = moved;
}

static void sift_bucket(const struct gw_order_workspace *work, const struct gw_order_group *group,
			uint32_t position)
{
	sift(work, work->heap + group->begin, group->size, position, bucket_less);
}

static void sift_group(const struct gw_order_workspace *work, uint32_t position)
{
	sift(work, work->group_heap, work->group_count, position, group_less);
}

static void note_head(const struct gw_order_workspace *work, struct gw_order_bucket *bucket)
{
	const struct gw_order_entry *entry = &work->entry[bucket->head];

	bucket->oldest = entry->oldest;
	bucket->head_tier = gw_order_tier_within(work, entry);
}

static int64_t limit_of(const struct gw_order_entry *entry)
{
	return entry->limit == UINT32_MAX ? GW_TIME_INFINITE : entry->limit;
}

static bool fits(struct gw_order_workspace *work, const struct gw_order_entry *entry,
		 enum phase phase)
{
	uint32_t cell = work->line[entry->line].cell;

	switch (phase) {
	case PHASE_INSIDE:
		return entry->fate == GW_ORDER_INSIDE &&
		       gw_order_ask(work, cell, entry->gpus, limit_of(entry)) == GW_ORDER_INSIDE;
	case PHASE_BORROWING:
		return entry->fate != GW_ORDER_BLOCKED &&
		       gw_order_ask(work, cell, entry->gpus, limit_of(entry)) != GW_ORDER_BLOCKED;
	case PHASE_WAITS_INSIDE:
		return entry->fate == GW_ORDER_INSIDE;
	case PHASE_WAITS_BORROWING:
		return entry->fate == GW_ORDER_BORROWING;
	case PHASE_BLOCKED:
	case PHASE_COUNT:
		break;
	}
	return true;
}

/* Moves on to a job that fits, leaving the others to the next phase. False: there is none. */
static bool settle(struct gw_order_workspace *work, struct gw_order_bucket *bucket,
		   enum phase phase)
{
	while (bucket->head < bucket->end) {
		struct gw_order_entry *entry = &work->entry[bucket->head];
		bool rest = phase >= PHASE_WAITS_INSIDE && entry->rank != GW_NOT_RANKED;

		if (!rest && fits(work, entry, phase)) {
			note_head(work, bucket);
			return true;
		}
		if (!rest && bucket->keep++ != bucket->head)
			work->entry[bucket->keep - 1] = *entry;
		bucket->head++;
	}
	return false;
}

static uint32_t add_rank(struct gw_order_workspace *work, const struct gw_order_entry *entry,
			 enum phase phase)
{
	static const enum gw_order_state states[PHASE_COUNT] = {
		[PHASE_INSIDE] = GW_ORDER_INSIDE,      [PHASE_BORROWING] = GW_ORDER_BORROWING,
		[PHASE_WAITS_INSIDE] = GW_ORDER_WAITS, [PHASE_WAITS_BORROWING] = GW_ORDER_WAITS,
		[PHASE_BLOCKED] = GW_ORDER_BLOCKED,
	};

	work->rank[work->rank_count] = (struct gw_order_rank){
		.job = entry->job,
		.turn = 1,
		.state = states[phase],
		.borrowing = phase == PHASE_BORROWING || phase == PHASE_WAITS_BORROWING,
		.gap = entry->gap,
		.back = entry->back && entry->fate != GW_ORDER_BLOCKED};
	/* For the place of one job: the one behind it is all that is still wanted. */
	if (entry->job == work->in->job_count)
		work->stop_at = work->rank_count + 2;
	return (uint32_t)work->rank_count++;
}

/*
 * A task in a row with the first ones of its array makes its turn longer; the first one that is
 * not begins the next turn.
 */
static void count_turn(struct gw_order_workspace *work, struct gw_order_entry *entry, bool first)
{
	const struct gw_order_line *line = &work->line[entry->line];
	struct gw_order_kind *kind = &work->kind[line->kind];
	struct gw_order_rank *rank = &work->rank[entry->rank];

	if (kind->queue != line->queue) {
		kind->queue = line->queue;
		kind->epoch++;
	}
	if (first)
		entry->epoch = kind->epoch;
	else if (entry->epoch == kind->epoch)
		rank->turn++;
	else if (!rank->again)
		rank->again = (uint32_t)work->rank_count;
}

/* Whether the array goes on with its next task. */
static bool has_task_left(struct gw_order_workspace *work, struct gw_order_entry *entry,
			  enum phase phase)
{
	if (entry->left <= 1 || phase >= PHASE_WAITS_INSIDE || !work->tasks_left)
		return false;
	entry->left--;
	work->tasks_left--;
	return true;
}

/*
 * Whether a simulated start is one: it takes GPUs that are free. All others only wait, and their
 * queue holds no more for it.
 */
static bool takes_free(struct gw_order_workspace *work, const struct gw_order_line *line,
		       const struct gw_order_entry *entry, enum phase phase)
{
	struct gw_order_kind *kind = &work->kind[line->kind];

	if (kind->left == INT64_MAX)
		return true;
	if (phase >= PHASE_WAITS_INSIDE || entry->gpus > kind->left)
		return false;
	kind->left -= entry->gpus;
	return true;
}

/* One start: what it adds, and the rank when it is the first of its job. */
static void start(struct gw_order_workspace *work, struct gw_order_bucket *bucket, enum phase phase)
{
	struct gw_order_entry *entry = &work->entry[bucket->head];
	struct gw_order_line *line = &work->line[entry->line];
	bool first = entry->rank == GW_NOT_RANKED;

	if (first)
		entry->rank = add_rank(work, entry, phase);
	if (phase < PHASE_WAITS_INSIDE) {
		count_turn(work, entry, first);
		gw_order_take(work, line->cell, entry->gpus);
	} else {
		work->cell[line->cell].used += entry->gpus;
	}
	if (takes_free(work, line, entry, phase))
		line->key += entry->rate * line->per_rate;
	__builtin_prefetch(&work->entry[bucket->head + ENTRIES_AHEAD]);
	if (!has_task_left(work, entry, phase))
		bucket->head++;
}

static bool by_age(const struct gw_order_workspace *work)
{
	return work->in->conf->order == GW_ORDER_AGE;
}

static double queue_key(const struct gw_order_workspace *work, uint32_t bucket)
{
	return by_age(work) ? 0 : work->line[work->bucket[bucket].line].key;
}

static double pool_key(const struct gw_order_workspace *work, uint32_t group)
{
	const struct gw_order_cell *cell = &work->cell[work->group[group].cell];

	if (by_age(work) || cell->quota < 0)
		return 0;
	return cell->quota ? (double)cell->used / (double)cell->quota : INFINITY;
}

/* The best job of the best queue of the best pool starts. */
static void step(struct gw_order_workspace *work, enum phase phase)
{
	struct gw_order_node *pool = work->group_heap;
	struct gw_order_group *group = &work->group[pool->index];
	struct gw_order_node *queue = work->heap + group->begin;
	struct gw_order_bucket *bucket = &work->bucket[queue->index];
	uint32_t head = bucket->head;
	bool more = settle(work, bucket, phase);

	if (more && bucket->head == head) {
		start(work, bucket, phase);
		queue->key = queue_key(work, queue->index);
		pool->key = pool_key(work, pool->index);
		more = bucket->head < bucket->end;
		if (more)
			note_head(work, bucket);
	}
	if (!more)
		*queue = queue[--group->size];
	if (group->size)
		sift_bucket(work, group, 0);
	else
		*pool = pool[--work->group_count];
	if (work->group_count)
		sift_group(work, 0);
}

/* The least age from each entry to the end: what ties between queues are decided by. */
static void find_oldest(const struct gw_order_workspace *work, const struct gw_order_bucket *bucket)
{
	uint64_t oldest = UINT64_MAX;
	uint32_t tier = 0;

	for (uint32_t i = bucket->end; i-- > bucket->begin;) {
		struct gw_order_entry *entry = &work->entry[i];

		if (gw_order_tier_within(work, entry) != tier)
			oldest = UINT64_MAX;
		tier = gw_order_tier_within(work, entry);
		oldest = gw_order_age_of(entry) < oldest ? gw_order_age_of(entry) : oldest;
		entry->oldest = oldest;
	}
}

/* The group of a cell, which is the last one or a new one. */
static struct gw_order_group *group_for(struct gw_order_workspace *work, uint32_t cell,
					uint32_t heap_size)
{
	struct gw_order_group *group = &work->group[work->group_count];

	if (work->group_count && (by_age(work) || group[-1].cell == cell))
		return &group[-1];
	*group = (struct gw_order_group){.cell = cell, .begin = heap_size};
	work->group_heap[work->group_count] = (struct gw_order_node){
		.key = pool_key(work, work->group_count), .index = work->group_count};
	work->group_count++;
	return group;
}

/* Makes heaps of the buckets of one tier that have a job for this phase. */
static void open_tier(struct gw_order_workspace *work, size_t begin, size_t end, enum phase phase)
{
	uint32_t size = 0;

	work->group_count = 0;
	for (size_t i = begin; i < end; i++) {
		struct gw_order_bucket *bucket = &work->bucket[i];
		struct gw_order_group *group;

		find_oldest(work, bucket);
		bucket->head = bucket->keep = bucket->begin;
		if (!settle(work, bucket, phase))
			continue;
		group = group_for(work, work->line[bucket->line].cell, size);
		group->size++;
		work->heap[size++] = (struct gw_order_node){.key = queue_key(work, (uint32_t)i),
							    .index = (uint32_t)i};
	}
	for (uint32_t i = 0; i < work->group_count; i++)
		for (uint32_t j = work->group[i].size / 2; j-- > 0;)
			sift_bucket(work, &work->group[i], j);
	for (uint32_t i = work->group_count / 2; i-- > 0;)
		sift_group(work, i);
}

static void run_phase(struct gw_order_workspace *work, enum phase phase)
{
	size_t begin = 0, end;

	for (; begin < work->bucket_count; begin = end) {
		uint32_t tier = work->bucket[begin].tier;

		end = begin + 1;
		while (end < work->bucket_count && work->bucket[end].tier == tier)
			end++;
		open_tier(work, begin, end, phase);
		while (work->group_count && work->rank_count < work->stop_at)
			step(work, phase);
		if (work->rank_count >= work->stop_at)
			return;
		for (size_t i = begin; i < end; i++)
			work->bucket[i].end = work->bucket[i].keep;
	}
}

static void make_buckets(struct gw_order_workspace *work)
{
	struct gw_order_bucket *bucket = NULL;
	uint32_t last = 0;

	work->bucket_count = 0;
	for (size_t i = 0; i < work->entry_count; i++) {
		const struct gw_order_entry *entry = &work->entry[i];
		uint32_t number = gw_order_bucket_of(work, entry);

		if (!bucket || number != last) {
			bucket = &work->bucket[work->bucket_count++];
			*bucket = (struct gw_order_bucket){.line = entry->line,
							   .tier = gw_order_tier_of(work, entry),
							   .begin = (uint32_t)i};
			last = number;
		}
		bucket->end = (uint32_t)i + 1;
	}
}

int gw_order_run(struct gw_order_workspace *work, struct gw_error *error)
{
	size_t count = work->entry_count;
	size_t buckets = gw_lines(work->in->conf) * (work->tiers + 1) * 2;

	buckets = buckets < count ? buckets : count;
	work->rank = gw_order_memory(work, GW_MEMORY_RANKS, count, sizeof(*work->rank), error);
	work->bucket =
		gw_order_memory(work, GW_MEMORY_BUCKETS, buckets, sizeof(*work->bucket), error);
	work->heap = gw_order_memory(work, GW_MEMORY_HEAP, buckets, sizeof(*work->heap), error);
	work->group = gw_order_memory(work, GW_MEMORY_GROUPS, buckets, sizeof(*work->group), error);
	work->group_heap = gw_order_memory(work, GW_MEMORY_GROUP_HEAP, buckets,
					   sizeof(*work->group_heap), error);
	if (!work->rank || !work->bucket || !work->heap || !work->group || !work->group_heap)
		return -1;
	make_buckets(work);
	for (int phase = 0; phase < PHASE_COUNT && work->rank_count < work->stop_at; phase++)
		run_phase(work, (enum phase)phase);
	return 0;
}

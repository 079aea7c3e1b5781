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

typedef bool (*less_fn)(const struct gw_order_workspace *work, uint32_t a, uint32_t b);

static inline bool bucket_less(const struct gw_order_workspace *work, uint32_t a, uint32_t b)
{
	const struct gw_order_bucket *x = &work->bucket[a], *y = &work->bucket[b];

	if (x->key != y->key)
		return x->key < y->key;
	if (x->head_tier != y->head_tier)
		return x->head_tier < y->head_tier;
	return x->oldest < y->oldest;
}

static inline bool group_less(const struct gw_order_workspace *work, uint32_t a, uint32_t b)
{
	const struct gw_order_group *x = &work->group[a], *y = &work->group[b];

	if (x->ratio != y->ratio)
		return x->ratio < y->ratio;
	return bucket_less(work, work->heap[x->begin], work->heap[y->begin]);
}

/* The item at position moves down to where it belongs. */
static inline __attribute__((always_inline)) void sift(const struct gw_order_workspace *work,
						       uint32_t *heap, uint32_t size,
						       uint32_t position, less_fn less)
{
	uint32_t moved = heap[position];

	for (;;) {
		uint32_t child = 2 * position + 1;

		if (child >= size)
			break;
		if (child + 1 < size && less(work, heap[child + 1], heap[child]))
			child++;
		if (!less(work, heap[child], moved))
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
	bucket->oldest = work->entry[bucket->head].oldest;
	bucket->head_tier = work->entry[bucket->head].tier;
}

static bool fits(struct gw_order_workspace *work, const struct gw_order_entry *entry,
		 enum phase phase)
{
	uint32_t cell = work->line[entry->line].cell;

	switch (phase) {
	case PHASE_INSIDE:
		return entry->fate == GW_ORDER_INSIDE &&
		       gw_order_ask(work, cell, entry->gpus, entry->limit) == GW_ORDER_INSIDE;
	case PHASE_BORROWING:
		return entry->fate != GW_ORDER_BLOCKED &&
		       gw_order_ask(work, cell, entry->gpus, entry->limit) != GW_ORDER_BLOCKED;
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
		.borrowing = phase == PHASE_BORROWING || phase == PHASE_WAITS_BORROWING};
	/* For the place of one job: the one behind it is all that is still wanted. */
	if (entry->job == work->in->job_count)
		work->stop_at = work->rank_count + 2;
	return (uint32_t)work->rank_count++;
}

/* A task in a row with the first ones of its array makes its turn longer. */
static void count_turn(struct gw_order_workspace *work, struct gw_order_entry *entry, bool first)
{
	const struct gw_order_line *line = &work->line[entry->line];
	struct gw_order_kind *kind = &work->kind[line->kind];

	if (kind->queue != line->queue) {
		kind->queue = line->queue;
		kind->epoch++;
	}
	if (first)
		entry->epoch = kind->epoch;
	else if (entry->epoch == kind->epoch)
		work->rank[entry->rank].turn++;
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
	line->key += entry->rate * line->per_rate;
	if (!has_task_left(work, entry, phase))
		bucket->head++;
}

static bool by_age(const struct gw_order_workspace *work)
{
	return work->in->conf->order == GW_ORDER_AGE;
}

static void update_keys(const struct gw_order_workspace *work, struct gw_order_group *group,
			struct gw_order_bucket *bucket)
{
	const struct gw_order_cell *cell = &work->cell[group->cell];

	if (by_age(work))
		return;
	bucket->key = work->line[bucket->line].key;
	if (cell->quota >= 0)
		group->ratio = cell->quota ? (double)cell->used / (double)cell->quota : INFINITY;
}

/* The best job of the best queue of the best pool starts. */
static void step(struct gw_order_workspace *work, enum phase phase)
{
	struct gw_order_group *group = &work->group[work->group_heap[0]];
	uint32_t *heap = work->heap + group->begin;
	struct gw_order_bucket *bucket = &work->bucket[heap[0]];
	uint32_t head = bucket->head;
	bool more = settle(work, bucket, phase);

	if (more && bucket->head == head) {
		start(work, bucket, phase);
		update_keys(work, group, bucket);
		more = bucket->head < bucket->end;
		if (more)
			note_head(work, bucket);
	}
	if (!more)
		heap[0] = heap[--group->size];
	if (group->size)
		sift_bucket(work, group, 0);
	else
		work->group_heap[0] = work->group_heap[--work->group_count];
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

		if (entry->tier != tier)
			oldest = UINT64_MAX;
		tier = entry->tier;
		oldest = entry->age < oldest ? entry->age : oldest;
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
	work->group_heap[work->group_count] = work->group_count;
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
		update_keys(work, group, bucket);
		group->size++;
		work->heap[size++] = (uint32_t)i;
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

static struct gw_order_entry entry_of(const struct gw_order_workspace *work,
				      const struct gw_order_item *item)
{
	const struct gw_job *job = gw_order_job(work, item->job);

	return (struct gw_order_entry){.age = (uint64_t)item->field[GW_FIELD_AGE] << 32 |
					      item->field[GW_FIELD_ID],
				       .rate = job->rate,
				       .limit = job->limit,
				       .job = item->job,
				       .gpus = job->gpus,
				       .line = item->line,
				       .left = job->tasks,
				       .rank = GW_NOT_RANKED,
				       .tier = gw_order_tier_within(work, item),
				       .fate = item->fate};
}

static void make_buckets(struct gw_order_workspace *work)
{
	struct gw_order_bucket *bucket = NULL;
	uint32_t last = 0;

	work->bucket_count = 0;
	for (size_t i = 0; i < work->item_count; i++) {
		const struct gw_order_item *item = &work->item[i];
		uint32_t number = gw_order_bucket_of(work, item);

		if (!bucket || number != last) {
			bucket = &work->bucket[work->bucket_count++];
			*bucket = (struct gw_order_bucket){.line = item->line,
							   .tier = gw_order_tier_of(work, item),
							   .begin = (uint32_t)i};
			last = number;
		}
		work->entry[i] = entry_of(work, item);
		bucket->end = (uint32_t)i + 1;
	}
}

int gw_order_run(struct gw_order_workspace *work, struct gw_error *error)
{
	size_t count = work->item_count;
	size_t buckets = gw_lines(work->in->conf) * (work->tiers + 1) * 2;

	buckets = buckets < count ? buckets : count;
	work->entry = gw_order_memory(work, GW_MEMORY_ENTRIES, count, sizeof(*work->entry), error);
	work->rank = gw_order_memory(work, GW_MEMORY_RANKS, count, sizeof(*work->rank), error);
	work->bucket =
		gw_order_memory(work, GW_MEMORY_BUCKETS, buckets, sizeof(*work->bucket), error);
	work->heap = gw_order_memory(work, GW_MEMORY_HEAP, buckets, sizeof(*work->heap), error);
	work->group = gw_order_memory(work, GW_MEMORY_GROUPS, buckets, sizeof(*work->group), error);
	work->group_heap = gw_order_memory(work, GW_MEMORY_GROUP_HEAP, buckets,
					   sizeof(*work->group_heap), error);
	if (!work->entry || !work->rank || !work->bucket || !work->heap || !work->group ||
	    !work->group_heap)
		return -1;
	make_buckets(work);
	for (int phase = 0; phase < PHASE_COUNT && work->rank_count < work->stop_at; phase++)
		run_phase(work, (enum phase)phase);
	return 0;
}

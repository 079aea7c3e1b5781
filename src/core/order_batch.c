// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which of the jobs that SmallHold puts back go as a batch. Only how much waits in all is counted,
 * and the last of them, less than a batch, are found: those stay back, so nothing is sorted.
 */
#include "order_impl.h"

/* A job that is put back. */
struct held_job {
	uint64_t age; /* the lower the older */
	uint32_t gpus;
	uint64_t amount; /* GPUs of all its tasks */
};

/* Of one kind of GPUs. */
struct held {
	uint64_t all;  /* that is put back */
	uint64_t keep; /* so much of it stays back at most */
	bool some_go;
	struct held_job last; /* of those that go */
	/* What stays back by what is known so far: a heap, the first to go on top. */
	struct held_job *kept;
	uint32_t kept_count;
	uint64_t kept_sum;
};

static struct held_job held_job(const struct gw_order_entry *entry)
{
	return (struct held_job){(uint64_t)entry->field[GW_FIELD_AGE] << 32 |
					 entry->field[GW_FIELD_ID],
				 entry->gpus, (uint64_t)entry->gpus * entry->left};
}

/* The fewer GPUs a job needs the sooner it finds a gap by itself. */
static bool goes_before(const struct held_job *a, const struct held_job *b)
{
	return a->gpus != b->gpus ? a->gpus > b->gpus : a->age < b->age;
}

/* Where a job counts; NULL: it is not put back, or can not start anyway. */
static struct held *held_of(const struct gw_order_workspace *work, struct held *held,
			    const struct gw_order_entry *entry)
{
	if (entry->fate == GW_ORDER_BLOCKED || !gw_order_steps_back(work, entry))
		return NULL;
	return &held[work->line[entry->line].kind];
}

static bool goes(const struct held *held, const struct held_job *job)
{
	return held->some_go && !goes_before(&held->last, job);
}

static void keep(struct held *held, const struct held_job *job)
{
	uint32_t at = held->kept_count++, above;

	for (; at && goes_before(job, &held->kept[above = (at - 1) / 2]); at = above)
		held->kept[at] = held->kept[above];
	held->kept[at] = *job;
	held->kept_sum += job->amount;
}

static void let_first_go(struct held *held)
{
	struct held_job moved = held->kept[--held->kept_count];
	uint32_t at = 0, child;

	held->last = held->kept[0];
	held->some_go = true;
	held->kept_sum -= held->last.amount;
	while ((child = 2 * at + 1) < held->kept_count) {
		if (child + 1 < held->kept_count &&
		    goes_before(&held->kept[child + 1], &held->kept[child]))
			child++;
		if (!goes_before(&held->kept[child], &moved))
			break;
		held->kept[at] = held->kept[child];
		at = child;
	}
	held->kept[at] = moved;
}

static void sum_up(struct gw_order_workspace *work, struct held *held)
{
	for (size_t i = 0; i < work->entry_count; i++) {
		struct held *of = held_of(work, held, &work->entry[i]);

		if (of)
			of->all += held_job(&work->entry[i]).amount;
	}
	for (size_t kind = 0; kind < work->kinds; kind++)
		held[kind].keep = held[kind].all % work->in->conf->small_batch;
}

/* Job by job: what is more than may stay back goes. */
static void find_last(struct gw_order_workspace *work, struct held *held)
{
	for (size_t i = 0; i < work->entry_count; i++) {
		struct held *of = held_of(work, held, &work->entry[i]);
		struct held_job job = held_job(&work->entry[i]);

		if (!of || of->keep == of->all || goes(of, &job))
			continue;
		keep(of, &job);
		while (of->kept_sum > of->keep)
			let_first_go(of);
	}
}

int gw_order_batches(struct gw_order_workspace *work, struct gw_error *error)
{
	uint32_t batch = work->in->conf->small_batch;
	struct held_job *kept;
	struct held *held;

	if (!batch)
		return 0;
	held = gw_order_memory(work, GW_MEMORY_HELD, work->kinds, sizeof(*held), error);
	kept = gw_order_memory(work, GW_MEMORY_KEPT, work->kinds * batch, sizeof(*kept), error);
	if (!held || !kept)
		return -1;
	/* Each has a GPU at least: less than a batch stay back, and one more while it is looked at.
	 */
	for (size_t kind = 0; kind < work->kinds; kind++)
		held[kind] = (struct held){.kept = kept + kind * batch};
	sum_up(work, held);
	find_last(work, held);
	for (size_t i = 0; i < work->entry_count; i++) {
		const struct held *of = held_of(work, held, &work->entry[i]);
		struct held_job job = held_job(&work->entry[i]);

		if (of && goes(of, &job))
			gw_order_let_go(&work->entry[i]);
	}
	return 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which of the jobs that SmallHold puts back go as a batch. Only how much waits in all is counted,
 * and the last of them, less than a batch, are found: those stay back, so nothing is sorted.
 */
#include "order_impl.h"

static uint64_t amount_of(const struct gw_order_entry *entry)
{
	return (uint64_t)entry->gpus * entry->left;
}

static struct gw_order_held_job held_job(const struct gw_order_entry *entry)
{
	return (struct gw_order_held_job){gw_order_age_of(entry), amount_of(entry), entry->gpus};
}

/* The fewer GPUs a job needs the sooner it finds a gap by itself. */
static bool goes_before(const struct gw_order_held_job *a, const struct gw_order_held_job *b)
{
	return a->gpus != b->gpus ? a->gpus > b->gpus : a->age < b->age;
}

/*
 * Where a job counts; NULL: it is not put back, or can not start anyway. One that came this second
 * does not count: Slurm tries it alone, before the others of its batch have their new places.
 */
static struct gw_order_held *held_of(const struct gw_order_workspace *work,
				     const struct gw_order_entry *entry)
{
	if (!entry->back || entry->fate == GW_ORDER_BLOCKED || !entry->left ||
	    entry->field[GW_FIELD_AGE] >= work->in->now)
		return NULL;
	return &work->held[work->line[entry->line].kind];
}

static bool goes(const struct gw_order_held *held, const struct gw_order_held_job *job)
{
	return held->some_go && !goes_before(&held->last, job);
}

static void keep(struct gw_order_held *held, const struct gw_order_held_job *job)
{
	uint32_t at = held->kept_count++;

	while (at && goes_before(job, &held->kept[(at - 1) / 2])) {
		held->kept[at] = held->kept[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	held->kept[at] = *job;
	held->kept_sum += job->amount;
}

static void let_first_go(struct gw_order_held *held)
{
	struct gw_order_held_job moved = held->kept[--held->kept_count];
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

int gw_order_batches_begin(struct gw_order_workspace *work, struct gw_error *error)
{
	uint32_t batch = work->in->conf->small_batch;
	struct gw_order_held_job *kept;

	work->held = NULL;
	if (!batch)
		return 0;
	work->held = gw_order_memory(work, GW_MEMORY_HELD, work->kinds, sizeof(*work->held), error);
	kept = gw_order_memory(work, GW_MEMORY_KEPT, work->kinds * batch, sizeof(*kept), error);
	if (!work->held || !kept)
		return -1;
	/* Each counts for 1 at least: fewer than a batch stay back, and one is looked at. */
	for (size_t kind = 0; kind < work->kinds; kind++)
		work->held[kind] = (struct gw_order_held){.kept = kept + kind * batch};
	return 0;
}

void gw_order_batches_count(struct gw_order_workspace *work, const struct gw_order_entry *entry)
{
	struct gw_order_held *held = held_of(work, entry);

	if (held)
		held->all += amount_of(entry);
}

void gw_order_batches_find(struct gw_order_workspace *work)
{
	for (size_t kind = 0; kind < work->kinds; kind++)
		work->held[kind].keep = work->held[kind].all % work->in->conf->small_batch;
	/* Old jobs mostly come first: backwards, most are told by one look. */
	for (size_t i = work->entry_count; i-- > 0;) {
		struct gw_order_held *held = held_of(work, &work->entry[i]);
		struct gw_order_held_job job = held_job(&work->entry[i]);

		if (!held || held->keep == held->all || goes(held, &job))
			continue;
		keep(held, &job);
		while (held->kept_sum > held->keep)
			let_first_go(held);
	}
}

bool gw_order_goes_in_batch(const struct gw_order_workspace *work,
			    const struct gw_order_entry *entry)
{
	const struct gw_order_held *held = held_of(work, entry);
	struct gw_order_held_job job = held_job(entry);

	return held && goes(held, &job);
}

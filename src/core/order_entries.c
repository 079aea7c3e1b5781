// SPDX-License-Identifier: GPL-2.0-or-later
/* Pending jobs into entries: what each is sorted by, and all that the simulation wants of it. */
#include "order_impl.h"

#include <string.h>

static bool is_ranked(const struct gw_order_workspace *work, const struct gw_job *job)
{
	return job->state == GW_JOB_PENDING && !job->held && !job->pinned &&
	       gw_line(work->in->conf, job->queue, job->flavor) != GW_NO_INDEX;
}

/* Rank order of the class; jobs without one come behind all. */
static uint32_t class_order(const struct gw_order_workspace *work, const struct gw_job *job)
{
	size_t count = work->in->conf->class_count;
	bool known = job->job_class >= 0 && (size_t)job->job_class < count;

	return work->tier_of[known ? (size_t)job->job_class : count];
}

static bool *whole_waits(const struct gw_order_workspace *work, const struct gw_order_entry *entry)
{
	return &work->whole[entry->class_order * work->kinds + work->line[entry->line].kind];
}

static enum gw_order_state fate_of(struct gw_order_workspace *work, size_t index, uint32_t line)
{
	const struct gw_job *job = gw_order_job(work, index);
	bool barred = work->in->barred && index < work->in->job_count && work->in->barred[index];

	if (barred || gw_job_eligible_at(job) > work->in->now)
		return GW_ORDER_BLOCKED;
	return gw_order_ask(work, work->line[line].cell, job->gpus, job->limit);
}

/* What the highest class is spared, unless it is the only one. */
static bool is_exempt(const struct gw_order_workspace *work, const struct gw_order_entry *entry)
{
	return work->tiers > 1 && entry->class_order == 0;
}

int64_t gw_order_hold_left(const struct gw_conf *conf, int64_t eligible, int64_t now)
{
	int64_t left = conf->small_hold - (now - eligible);

	return left > 0 ? left : 1;
}

/* Seconds that fit: 100 years do. */
static uint32_t seconds32(int64_t seconds)
{
	return seconds <= 0 ? 0 : seconds >= UINT32_MAX ? UINT32_MAX : (uint32_t)seconds;
}

static uint32_t all_tiers(const struct gw_order_workspace *work)
{
	return (work->tiers + 1) * 2;
}

static uint32_t bucket_number(const struct gw_order_workspace *work, uint32_t line, uint32_t tier)
{
	switch (work->in->conf->order) {
	case GW_ORDER_AGE:
		return tier;
	case GW_ORDER_USAGE_BEFORE_CLASS:
		return work->line[line].place * all_tiers(work) + tier;
	case GW_ORDER_USAGE:
		break;
	}
	return tier * (uint32_t)gw_lines(work->in->conf) + work->line[line].place;
}

uint32_t gw_order_bucket_of(const struct gw_order_workspace *work,
			    const struct gw_order_entry *entry)
{
	uint32_t number = entry->field[GW_FIELD_TOP] / 2;

	return work->in->conf->order == GW_ORDER_USAGE_BEFORE_CLASS ? number / all_tiers(work)
								    : number;
}

uint32_t gw_order_tier_of(const struct gw_order_workspace *work, const struct gw_order_entry *entry)
{
	uint32_t number = entry->field[GW_FIELD_TOP] / 2;

	switch (work->in->conf->order) {
	case GW_ORDER_AGE:
		return number;
	case GW_ORDER_USAGE_BEFORE_CLASS:
		return 0;
	case GW_ORDER_USAGE:
		break;
	}
	return number / (uint32_t)gw_lines(work->in->conf);
}

uint32_t gw_order_tier_within(const struct gw_order_workspace *work,
			      const struct gw_order_entry *entry)
{
	return work->in->conf->order == GW_ORDER_USAGE_BEFORE_CLASS
		       ? entry->field[GW_FIELD_TOP] / 2 % all_tiers(work)
		       : 0;
}

/* All but the top field, which wants to know of every job first: here, whether it is a guard's. */
static void fill_fields(const struct gw_order_workspace *work, const struct gw_job *job,
			struct gw_order_entry *entry)
{
	const struct gw_conf *conf = work->in->conf;
	const struct gw_queue *queue = &conf->queues[job->queue];
	int64_t age = work->in->now - gw_job_eligible_at(job);
	bool by_age = conf->order == GW_ORDER_AGE;
	bool first = by_age || (queue->max_wait != GW_TIME_NONE && age > queue->max_wait);
	bool by_limit =
		!first && queue->within == GW_WITHIN_SHORTEST_LIMIT && !is_exempt(work, entry);

	entry->field[GW_FIELD_ID] = job->id;
	entry->field[GW_FIELD_AGE] = seconds32(gw_job_eligible_at(job));
	entry->field[GW_FIELD_LIMIT] = by_limit ? entry->limit : 0;
	entry->field[GW_FIELD_TOP] = first ? 0 : 1;
	entry->small = conf->small_hold && age < conf->small_hold && job->gpus &&
		       !job->whole_nodes && !is_exempt(work, entry);
}

static void fill(struct gw_order_workspace *work, size_t index, struct gw_order_entry *entry)
{
	const struct gw_job *job = gw_order_job(work, index);

	*entry = (struct gw_order_entry){
		.rate = job->rate,
		.limit = seconds32(job->limit),
		.job = (uint32_t)index,
		.gpus = job->gpus,
		.line = (uint32_t)gw_line(work->in->conf, job->queue, job->flavor),
		.left = job->tasks,
		.rank = GW_NOT_RANKED,
		.class_order = (uint16_t)class_order(work, job)};
	entry->fate = fate_of(work, index, entry->line) & 0xf;
	fill_fields(work, job, entry);
	work->any_nice = work->any_nice || job->nice;
	if (job->whole_nodes && entry->fate != GW_ORDER_BLOCKED)
		*whole_waits(work, entry) = true;
}

/* SmallHold is not for it, and where limits count its own counts as a shorter one. */
static void let_go(struct gw_order_entry *entry)
{
	entry->back = false;
	entry->field[GW_FIELD_LIMIT] = (uint32_t)(entry->field[GW_FIELD_LIMIT] * GW_ORDER_GAP_PART);
}

static void fill_hold(const struct gw_order_workspace *work, struct gw_order_entry *entry)
{
	entry->back = entry->small && *whole_waits(work, entry);
	entry->gap = entry->gap && !is_exempt(work, entry) &&
		     (entry->back || entry->field[GW_FIELD_LIMIT]);
	if (entry->gap)
		let_go(entry);
}

static void fill_top(const struct gw_order_workspace *work, struct gw_order_entry *entry)
{
	uint32_t tier = entry->class_order * 2U + entry->back;

	entry->field[GW_FIELD_TOP] += bucket_number(work, entry->line, tier) * 2;
}

/* All that depends on other jobs. */
static int fill_tops(struct gw_order_workspace *work, struct gw_error *error)
{
	if (gw_order_batches_begin(work, error))
		return -1;
	for (size_t i = 0; i < work->entry_count; i++) {
		fill_hold(work, &work->entry[i]);
		if (work->held)
			gw_order_batches_count(work, &work->entry[i]);
		else
			fill_top(work, &work->entry[i]);
	}
	if (!work->held)
		return 0;
	gw_order_batches_find(work);
	for (size_t i = 0; i < work->entry_count; i++) {
		if (gw_order_goes_in_batch(work, &work->entry[i]))
			let_go(&work->entry[i]);
		fill_top(work, &work->entry[i]);
	}
	return 0;
}

static int check_size(const struct gw_order_workspace *work, size_t jobs, struct gw_error *error)
{
	uint64_t buckets = 2 * (uint64_t)gw_lines(work->in->conf) * all_tiers(work);

	if (buckets > UINT32_MAX || jobs >= UINT32_MAX || work->tiers >= UINT16_MAX)
		return gw_error_set(error, "too many queues, flavors, classes or jobs");
	return 0;
}

int gw_order_entries(struct gw_order_workspace *work, struct gw_error *error)
{
	size_t count = work->in->job_count + (work->extra ? 1 : 0);
	size_t whole = (work->tiers + 1) * work->kinds;

	if (check_size(work, count, error))
		return -1;
	work->entry = gw_order_memory(work, GW_MEMORY_SORTED, count, sizeof(*work->entry), error);
	work->spare = gw_order_memory(work, GW_MEMORY_SPARE, count, sizeof(*work->spare), error);
	work->whole = gw_order_memory(work, GW_MEMORY_WHOLE, whole, sizeof(*work->whole), error);
	if (!work->entry || !work->spare || !work->whole)
		return -1;
	memset(work->whole, 0, whole * sizeof(*work->whole));
	work->entry_count = 0;
	work->any_nice = false;
	for (size_t i = 0; i < count; i++)
		if (is_ranked(work, gw_order_job(work, i)))
			fill(work, i, &work->entry[work->entry_count++]);
	if (gw_order_gaps(work, error))
		return -1;
	return fill_tops(work, error);
}

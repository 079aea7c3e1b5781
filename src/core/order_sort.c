// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pending jobs into items, sorted by bucket and by the order within one. A radix sort: its
 * time does not depend on what users submit, and a field that is in order costs no pass.
 */
#include "order_impl.h"

#include <string.h>

#define DIGIT_BITS 11
#define DIGITS     (1U << DIGIT_BITS)

static int64_t eligible_at(const struct gw_job *job)
{
	return job->eligible ? job->eligible : job->submit;
}

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

static bool *whole_waits(const struct gw_order_workspace *work, const struct gw_job *job,
			 uint32_t line)
{
	return &work->whole[class_order(work, job) * work->kinds + work->line[line].kind];
}

static enum gw_order_state fate_of(struct gw_order_workspace *work, size_t index, uint32_t line)
{
	const struct gw_job *job = gw_order_job(work, index);
	bool barred = work->in->barred && index < work->in->job_count && work->in->barred[index];

	if (barred || eligible_at(job) > work->in->now)
		return GW_ORDER_BLOCKED;
	return gw_order_ask(work, work->line[line].cell, job->gpus, job->limit);
}

/* All that must be known of every job before the first can be put into its tier. */
static void collect(struct gw_order_workspace *work, size_t count)
{
	const struct gw_conf *conf = work->in->conf;

	work->item_count = 0;
	work->any_nice = false;
	memset(work->whole, 0, (work->tiers + 1) * work->kinds * sizeof(*work->whole));
	for (size_t i = 0; i < count; i++) {
		const struct gw_job *job = gw_order_job(work, i);
		struct gw_order_item *item = &work->item[work->item_count];

		if (!is_ranked(work, job))
			continue;
		item->job = (uint32_t)i;
		item->line = (uint32_t)gw_line(conf, job->queue, job->flavor);
		item->fate = fate_of(work, i, item->line);
		work->item_count++;
		work->any_nice = work->any_nice || job->nice;
		if (job->whole_nodes && item->fate != GW_ORDER_BLOCKED)
			*whole_waits(work, job, item->line) = true;
	}
}

/* What the highest class is spared, unless it is the only one. */
static bool is_exempt(const struct gw_order_workspace *work, const struct gw_job *job)
{
	return work->tiers > 1 && class_order(work, job) == 0;
}

static bool steps_back(const struct gw_order_workspace *work, const struct gw_job *job,
		       uint32_t line)
{
	return job->gpus && !job->whole_nodes && !is_exempt(work, job) &&
	       work->in->now - eligible_at(job) < work->in->conf->small_hold &&
	       *whole_waits(work, job, line);
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

uint32_t gw_order_bucket_of(const struct gw_order_workspace *work, const struct gw_order_item *item)
{
	uint32_t number = item->field[GW_FIELD_TOP] / 2;

	return work->in->conf->order == GW_ORDER_USAGE_BEFORE_CLASS ? number / all_tiers(work)
								    : number;
}

uint32_t gw_order_tier_of(const struct gw_order_workspace *work, const struct gw_order_item *item)
{
	uint32_t number = item->field[GW_FIELD_TOP] / 2;

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
			      const struct gw_order_item *item)
{
	return work->in->conf->order == GW_ORDER_USAGE_BEFORE_CLASS
		       ? item->field[GW_FIELD_TOP] / 2 % all_tiers(work)
		       : 0;
}

static void fill_fields(const struct gw_order_workspace *work, struct gw_order_item *item)
{
	const struct gw_conf *conf = work->in->conf;
	const struct gw_job *job = gw_order_job(work, item->job);
	const struct gw_queue *queue = &conf->queues[job->queue];
	uint32_t tier = class_order(work, job) * 2 + (steps_back(work, job, item->line) ? 1 : 0);
	bool by_age = conf->order == GW_ORDER_AGE;
	bool first = !by_age && queue->max_wait != GW_TIME_NONE &&
		     work->in->now - eligible_at(job) > queue->max_wait;
	bool by_limit = !by_age && !first && queue->within == GW_WITHIN_SHORTEST_LIMIT &&
			!is_exempt(work, job);

	item->field[GW_FIELD_ID] = job->id;
	item->field[GW_FIELD_AGE] = seconds32(eligible_at(job));
	item->field[GW_FIELD_LIMIT] = by_limit ? seconds32(job->limit) : 0;
	item->field[GW_FIELD_TOP] =
		bucket_number(work, item->line, tier) * 2 + (first || by_age ? 0 : 1);
}

/* One pass by one digit, stable. */
static void radix_pass(const struct gw_order_item *from, struct gw_order_item *to, size_t count,
		       enum gw_order_field field, uint32_t least, unsigned int shift)
{
	uint32_t next[DIGITS] = {0}, sum = 0;

	for (size_t i = 0; i < count; i++)
		next[(from[i].field[field] - least) >> shift & (DIGITS - 1)]++;
	for (size_t i = 0; i < DIGITS; i++) {
		uint32_t here = next[i];

		next[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[next[(from[i].field[field] - least) >> shift & (DIGITS - 1)]++] = from[i];
}

/* Sorts by the fields from first on, the last one first. Which of the two arrays has it? */
static struct gw_order_item *radix_sort(struct gw_order_item *items, struct gw_order_item *spare,
					size_t count, enum gw_order_field first)
{
	for (unsigned int field = first; field < GW_FIELDS; field++) {
		uint32_t least = UINT32_MAX, most = 0, last = 0;
		bool in_order = true;

		for (size_t i = 0; i < count; i++) {
			uint32_t value = items[i].field[field];

			in_order = in_order && last <= value;
			last = value;
			least = value < least ? value : least;
			most = value > most ? value : most;
		}
		for (unsigned int shift = 0; !in_order && shift < 32; shift += DIGIT_BITS) {
			struct gw_order_item *sorted = spare;

			if ((most - least) >> shift == 0)
				break;
			radix_pass(items, spare, count, field, least, shift);
			spare = items;
			items = sorted;
		}
	}
	return items;
}

/* The fields to find jobs that nice may exchange: same user, limit or line, and bucket. */
static struct gw_order_item nice_item(const struct gw_order_workspace *work, size_t position)
{
	struct gw_order_item item = work->item[position];
	const struct gw_job *job = gw_order_job(work, item.job);

	item.field[GW_FIELD_ID] = (uint32_t)job->nice ^ UINT32_C(0x80000000);
	item.field[GW_FIELD_AGE] = job->user;
	if (work->in->conf->order == GW_ORDER_AGE)
		item.field[GW_FIELD_LIMIT] = item.line;
	item.job = (uint32_t)position;
	return item;
}

/*
 * The places of each user's jobs stay; which of them stands where, nice decides. Sorted by
 * user the places come in their order, sorted by user and nice the jobs in theirs.
 */
static int apply_nice(struct gw_order_workspace *work, struct gw_error *error)
{
	size_t count = work->item_count;
	struct gw_order_item *slots, *jobs;

	slots = gw_order_memory(work, GW_MEMORY_SLOTS, 2 * count, sizeof(*slots), error);
	jobs = gw_order_memory(work, GW_MEMORY_NICE, 2 * count, sizeof(*jobs), error);
	if (!slots || !jobs)
		return -1;
	for (size_t i = 0; i < count; i++)
		jobs[i] = slots[i] = nice_item(work, i);
	slots = radix_sort(slots, slots + count, count, GW_FIELD_AGE);
	jobs = radix_sort(jobs, jobs + count, count, GW_FIELD_ID);
	for (size_t i = 0; i < count; i++)
		work->spare[slots[i].job] = work->item[jobs[i].job];
	jobs = work->spare;
	work->spare = work->item;
	work->item = jobs;
	return 0;
}

static int check_size(const struct gw_order_workspace *work, size_t jobs, struct gw_error *error)
{
	uint64_t buckets = 2 * (uint64_t)gw_lines(work->in->conf) * all_tiers(work);

	if (buckets > UINT32_MAX || jobs >= UINT32_MAX)
		return gw_error_set(error, "too many queues, flavors, classes or jobs");
	return 0;
}

int gw_order_sort(struct gw_order_workspace *work, struct gw_error *error)
{
	size_t count = work->in->job_count + (work->extra ? 1 : 0);
	struct gw_order_item *items, *sorted;

	if (check_size(work, count, error))
		return -1;
	items = gw_order_memory(work, GW_MEMORY_ITEMS, count, sizeof(*items), error);
	work->spare = gw_order_memory(work, GW_MEMORY_SPARE, count, sizeof(*items), error);
	work->whole = gw_order_memory(work, GW_MEMORY_WHOLE, (work->tiers + 1) * work->kinds,
				      sizeof(*work->whole), error);
	if (!items || !work->spare || !work->whole)
		return -1;
	work->item = items;
	collect(work, count);
	for (size_t i = 0; i < work->item_count; i++)
		fill_fields(work, &items[i]);
	sorted = radix_sort(items, work->spare, work->item_count, GW_FIELD_ID);
	work->spare = sorted == items ? work->spare : items;
	work->item = sorted;
	return work->any_nice ? apply_nice(work, error) : 0;
}

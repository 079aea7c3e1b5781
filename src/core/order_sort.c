// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Entries in order: by bucket first, then each bucket, which the cache holds, by the order
 * within. A radix sort: its time does not depend on what users submit, and a field that is in
 * order costs no pass.
 */
#include "order_impl.h"

#include <string.h>

/* The digits of a pass: few entries do not pay for counting many. */
#define DIGIT_BITS_MAX 11
#define DIGIT_BITS     7
#define MANY           1024

struct digit {
	enum gw_order_field field;
	uint32_t least;
	unsigned int shift, bits;
};

static inline uint32_t digit_of(const struct digit *digit, const struct gw_order_entry *entry)
{
	return (entry->field[digit->field] - digit->least) >> digit->shift &
	       ((1U << digit->bits) - 1);
}

/* One pass by one digit, stable. */
static void radix_pass(const struct gw_order_entry *from, struct gw_order_entry *to, size_t count,
		       const struct digit *digit)
{
	uint32_t next[1U << DIGIT_BITS_MAX], sum = 0;

	memset(next, 0, sizeof(*next) << digit->bits);
	for (size_t i = 0; i < count; i++)
		next[digit_of(digit, &from[i])]++;
	for (size_t i = 0; i < 1U << digit->bits; i++) {
		uint32_t here = next[i];

		next[i] = sum;
		sum += here;
	}
	for (size_t i = 0; i < count; i++)
		to[next[digit_of(digit, &from[i])]++] = from[i];
}

/* Sorts by one field. Which of the two arrays has it? */
static struct gw_order_entry *sort_field(struct gw_order_entry *entries,
					 struct gw_order_entry *spare, size_t count,
					 enum gw_order_field field)
{
	struct digit digit = {.field = field, .least = UINT32_MAX};
	uint32_t most = 0, last = 0;
	bool in_order = true;

	for (size_t i = 0; i < count; i++) {
		uint32_t value = entries[i].field[field];

		in_order = in_order && last <= value;
		last = value;
		digit.least = value < digit.least ? value : digit.least;
		most = value > most ? value : most;
	}
	digit.bits = count < MANY ? DIGIT_BITS : DIGIT_BITS_MAX;
	for (; !in_order && digit.shift < 32; digit.shift += digit.bits) {
		struct gw_order_entry *sorted = spare;

		if ((most - digit.least) >> digit.shift == 0)
			break;
		radix_pass(entries, spare, count, &digit);
		spare = entries;
		entries = sorted;
	}
	return entries;
}

/* Sorts by the fields from first on, up to and without end. The result is in entries. */
static void sort_fields(struct gw_order_entry *entries, struct gw_order_entry *spare, size_t count,
			enum gw_order_field first, enum gw_order_field end)
{
	struct gw_order_entry *from = entries;

	for (unsigned int field = first; field < end; field++)
		from = sort_field(from, from == entries ? spare : entries, count,
				  (enum gw_order_field)field);
	if (from != entries)
		memcpy(entries, from, count * sizeof(*entries));
}

static void swap_spare(struct gw_order_workspace *work)
{
	struct gw_order_entry *entries = work->entry;

	work->entry = work->spare;
	work->spare = entries;
}

static void sort_entries(struct gw_order_workspace *work)
{
	size_t begin = 0, end;

	if (sort_field(work->entry, work->spare, work->entry_count, GW_FIELD_TOP) != work->entry)
		swap_spare(work);
	for (; begin < work->entry_count; begin = end) {
		uint32_t top = work->entry[begin].field[GW_FIELD_TOP];

		for (end = begin + 1; end < work->entry_count; end++)
			if (work->entry[end].field[GW_FIELD_TOP] != top)
				break;
		sort_fields(work->entry + begin, work->spare, end - begin, GW_FIELD_ID,
			    GW_FIELD_TOP);
	}
}

/* The fields to find jobs that nice may exchange: same user, limit or line, and bucket. */
static struct gw_order_entry nice_entry(const struct gw_order_workspace *work, size_t position)
{
	struct gw_order_entry entry = work->entry[position];
	const struct gw_job *job = gw_order_job(work, entry.job);

	entry.field[GW_FIELD_ID] = (uint32_t)job->nice ^ UINT32_C(0x80000000);
	entry.field[GW_FIELD_AGE] = job->user;
	if (work->in->conf->order == GW_ORDER_AGE)
		entry.field[GW_FIELD_LIMIT] = entry.line;
	entry.job = (uint32_t)position;
	return entry;
}

/*
 * The places of each user's jobs stay; which of them stands where, nice decides. Sorted by
 * user the places come in their order, sorted by user and nice the jobs in theirs.
 */
static int apply_nice(struct gw_order_workspace *work, struct gw_error *error)
{
	size_t count = work->entry_count;
	struct gw_order_entry *slots, *jobs;

	slots = gw_order_memory(work, GW_MEMORY_SLOTS, count, sizeof(*slots), error);
	jobs = gw_order_memory(work, GW_MEMORY_NICE, count, sizeof(*jobs), error);
	if (!slots || !jobs)
		return -1;
	for (size_t i = 0; i < count; i++)
		jobs[i] = slots[i] = nice_entry(work, i);
	sort_fields(slots, work->spare, count, GW_FIELD_AGE, GW_FIELDS);
	sort_fields(jobs, work->spare, count, GW_FIELD_ID, GW_FIELDS);
	for (size_t i = 0; i < count; i++)
		work->spare[slots[i].job] = work->entry[jobs[i].job];
	swap_spare(work);
	return 0;
}

int gw_order_sort(struct gw_order_workspace *work, struct gw_error *error)
{
	sort_entries(work);
	return work->any_nice ? apply_nice(work, error) : 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "numbers.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* How far apart new numbers are put where there is room, so that many fit between later. */
#define STEP (16 * (int64_t)GW_NUMBER_GAP)

/* What numbers may be, both ends included, and how far apart at least. */
struct range {
	int64_t low, high, gap, step;
};

struct gw_numbers_workspace {
	size_t size;
	uint32_t *wanted; /* the new numbers, until all are known */
	size_t *tail;     /* by length: the last index of the best run of that length */
	size_t *previous; /* of each index in its run */
	bool *kept;
};

struct gw_numbers_workspace *gw_numbers_workspace_new(struct gw_error *error)
{
	struct gw_numbers_workspace *work = calloc(1, sizeof(*work));

	if (!work)
		gw_error_memory(error);
	return work;
}

static void release(struct gw_numbers_workspace *work)
{
	free(work->wanted);
	free(work->tail);
	free(work->previous);
	free(work->kept);
	*work = (struct gw_numbers_workspace){0};
}

void gw_numbers_workspace_free(struct gw_numbers_workspace *work)
{
	if (!work)
		return;
	release(work);
	free(work);
}

static int reserve(struct gw_numbers_workspace *work, size_t count, struct gw_error *error)
{
	size_t size = 2 * count + 64;

	if (count <= work->size)
		return 0;
	release(work);
	work->wanted = malloc(size * sizeof(*work->wanted));
	work->tail = malloc(size * sizeof(*work->tail));
	work->previous = malloc(size * sizeof(*work->previous));
	work->kept = malloc(size * sizeof(*work->kept));
	if (!work->wanted || !work->tail || !work->previous || !work->kept) {
		release(work);
		return gw_error_memory(error);
	}
	work->size = size;
	return 0;
}

/* A power of two at most half of what the jobs could have evenly: it seldom changes. */
static struct range startable_range(size_t count)
{
	struct range range = {GW_NUMBER_LOW, GW_NUMBER_HIGH, GW_NUMBER_GAP, STEP};
	int64_t most = (range.high - range.low) / (2 * ((int64_t)count + 1));

	while (range.gap > 1 && range.gap > most)
		range.gap /= 2;
	return range;
}

/* Dense, as they are to stay small: room for twice the jobs, in powers of two. */
static struct range blocked_range(size_t count)
{
	struct range range = {.low = GW_NUMBER_BLOCKED, .gap = 1, .step = 2};
	int64_t size = 64;

	while (size < 2 * (int64_t)count && size < GW_NUMBER_LOW / 2)
		size *= 2;
	range.high = range.low + size - 1;
	return range;
}

/*
 * Run of job i and job j behind it: both keep their numbers only when those are gap apart for
 * each job on the way from one to the other, that is when number + gap * index does not
 * increase. The same with the ends of the range.
 */
static int64_t level(const struct range *range, uint32_t number, size_t index)
{
	return number + range->gap * (int64_t)index;
}

static bool may_stay(const struct range *range, uint32_t number, size_t index, size_t count)
{
	int64_t at = level(range, number, index);

	return at <= range->high && at >= range->low + range->gap * (int64_t)(count - 1);
}

/* How many runs have a tail at or above this level: the longest this one can carry on. */
static size_t run_before(const struct gw_numbers_workspace *work, const struct range *range,
			 const uint32_t *number, size_t runs, int64_t at)
{
	size_t low = 0, high = runs;

	/* Mostly all jobs stay, and then the longest run goes on. */
	if (runs && level(range, number[work->tail[runs - 1]], work->tail[runs - 1]) >= at)
		return runs;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		size_t tail = work->tail[middle];

		if (level(range, number[tail], tail) >= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Marks the jobs of the longest run in kept: patience sorting. */
static void find_kept(struct gw_numbers_workspace *work, const struct range *range,
		      const uint32_t *number, size_t count)
{
	size_t runs = 0, at;

	memset(work->kept, 0, count * sizeof(*work->kept));
	for (size_t i = 0; i < count; i++) {
		size_t length;

		if (!may_stay(range, number[i], i, count))
			continue;
		length = run_before(work, range, number, runs, level(range, number[i], i));
		work->previous[i] = length ? work->tail[length - 1] : SIZE_MAX;
		work->tail[length] = i;
		runs = length + 1 > runs ? length + 1 : runs;
	}
	for (at = runs ? work->tail[runs - 1] : SIZE_MAX; at != SIZE_MAX; at = work->previous[at])
		work->kept[at] = true;
}

/* Jobs begin to end, which are new, evenly between two numbers: the first gets the greatest. */
static void spread(uint32_t *wanted, size_t begin, size_t end, int64_t above, int64_t below)
{
	int64_t parts = (int64_t)(end - begin) + 1;

	for (size_t i = begin; i < end; i++)
		wanted[i] =
			(uint32_t)(above - (above - below) * ((int64_t)(i - begin) + 1) / parts);
}

/*
 * The two numbers that new jobs come between. With no neighbour on a side they stand step apart
 * rather than use up half of what is free there; with none at all, in the middle.
 */
static void bounds(const struct range *range, size_t jobs, int64_t *above, int64_t *below)
{
	int64_t width = range->step * ((int64_t)jobs + 1), middle;
	bool open_above = *above < 0, open_below = *below < 0;

	/* One gap beyond the ends, so that the outermost job may stand on them. */
	if (open_above)
		*above = range->high + range->gap;
	if (open_below)
		*below = range->low - range->gap;
	if (*above - *below <= width)
		return;
	middle = *below + (*above - *below) / 2;
	if (open_above && open_below) {
		*above = middle + width / 2;
		*below = *above - width;
	} else if (open_above) {
		*above = *below + width;
	} else if (open_below) {
		*below = *above - width;
	}
}

/* Jobs that get new numbers, from begin up to and without end, between two numbers. */
struct region {
	size_t begin, end;
	int64_t above, below; /* what stands there, or -1 */
};

/*
 * How far apart the jobs of a region should come to be: the gap for one job, the average of
 * all for all, and as their sizes grow by factors in between. A region that is denser takes in
 * its neighbours, so that a place where jobs arrive again and again is made room for now and
 * then, with an ever larger region ever more seldom.
 */
static double wanted_spacing(const struct range *range, size_t jobs, size_t count)
{
	double average = (double)(range->high - range->low) / (double)(count + 1);
	double part = count > 1 ? log2((double)jobs) / log2((double)count) : 1;

	return (double)range->gap * pow(average / (double)range->gap, part);
}

static bool is_dense(const struct range *range, const struct region *region, size_t count)
{
	int64_t above = region->above < 0 ? range->high + range->gap : region->above;
	int64_t below = region->below < 0 ? range->low - range->gap : region->below;
	size_t jobs = region->end - region->begin;

	return (double)(above - below) / (double)(jobs + 1) < wanted_spacing(range, jobs, count);
}

/* All that has no kept number, or already has its new one, does not bound a region. */
static void find_bounds(const struct gw_numbers_workspace *work, const uint32_t *number,
			size_t count, struct region *region)
{
	while (region->end < count && !work->kept[region->end])
		region->end++;
	region->above = region->begin ? (int64_t)work->wanted[region->begin - 1] : -1;
	region->below = region->end < count ? (int64_t)number[region->end] : -1;
}

static void widen(const struct gw_numbers_workspace *work, const uint32_t *number, size_t count,
		  struct region *region)
{
	size_t by = (region->end - region->begin + 1) / 2;

	region->begin -= by < region->begin ? by : region->begin;
	region->end += by < count - region->end ? by : count - region->end;
	find_bounds(work, number, count, region);
}

static void fill(struct gw_numbers_workspace *work, const struct range *range,
		 const uint32_t *number, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct region region = {.begin = i, .end = i};

		if (work->kept[i]) {
			work->wanted[i] = number[i];
			continue;
		}
		find_bounds(work, number, count, &region);
		while (region.end - region.begin < count && is_dense(range, &region, count))
			widen(work, number, count, &region);
		bounds(range, region.end - region.begin, &region.above, &region.below);
		spread(work->wanted, region.begin, region.end, region.above, region.below);
		i = region.end - 1;
	}
}

static void assign_range(struct gw_numbers_workspace *work, const struct range *range,
			 const uint32_t *number, size_t count)
{
	if (!count)
		return;
	find_kept(work, range, number, count);
	fill(work, range, number, count);
}

int gw_numbers_assign(struct gw_numbers_workspace *work, uint32_t *number, size_t count,
		      size_t startable, size_t *changed, struct gw_error *error)
{
	struct range high = startable_range(startable), low = blocked_range(count - startable);
	size_t larger = startable > count - startable ? startable : count - startable;

	if (count > GW_NUMBER_LOW / 4)
		return gw_error_set(error, "too many jobs to number");
	if (reserve(work, larger, error))
		return -1;
	*changed = 0;
	assign_range(work, &high, number, startable);
	for (size_t i = 0; i < startable; i++) {
		*changed += work->wanted[i] != number[i];
		number[i] = work->wanted[i];
	}
	number += startable;
	assign_range(work, &low, number, count - startable);
	for (size_t i = 0; i < count - startable; i++) {
		*changed += work->wanted[i] != number[i];
		number[i] = work->wanted[i];
	}
	return 0;
}

static bool is_in(const struct range *range, uint32_t number)
{
	return number >= range->low && number <= range->high;
}

static uint32_t between(const struct range *range, uint32_t before, uint32_t after)
{
	int64_t above = is_in(range, before) ? (int64_t)before : -1;
	int64_t below = is_in(range, after) ? (int64_t)after : -1;
	uint32_t number;

	bounds(range, 1, &above, &below);
	if (above - below < 2)
		return 0;
	spread(&number, 0, 1, above, below);
	return is_in(range, number) ? number : 0;
}

uint32_t gw_number_between(uint32_t before, uint32_t after)
{
	struct range range = {GW_NUMBER_LOW, GW_NUMBER_HIGH, 1, STEP};

	return between(&range, before, after);
}

uint32_t gw_number_between_blocked(uint32_t before, uint32_t after)
{
	struct range range = {GW_NUMBER_BLOCKED, GW_NUMBER_LOW - 1, 1, 2};

	if (!is_in(&range, before) && !is_in(&range, after))
		range = blocked_range(0);
	return between(&range, before, after);
}

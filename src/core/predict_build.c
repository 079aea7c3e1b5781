// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables from completions and running jobs: all are put in order of run time once, then dealt out
 * to the groups of one level after the other, so that each group is in order too.
 */
#include <stdlib.h>
#include <string.h>

#include "predict_impl.h"

/* A step that lowers survival by a smaller part than this is left to the next one. */
#define STEP_PART 64

/* One job: at risk from entry to exit, in seconds of its run time. */
struct item {
	float entry, exit;
	bool ended; /* at exit; else it was still running then */
	struct gw_predict_kind kind;
};

/* A group while it is made. */
struct pile {
	struct gw_predict_kind kind;
	uint32_t count, ended, first; /* first: in work.order */
};

struct work {
	struct item *item; /* by exit */
	size_t count;
	struct pile *pile; /* of one level */
	size_t pile_count;
	uint32_t *pile_of; /* by item */
	uint32_t *order;   /* items by pile, by exit */
	uint32_t *slot;    /* index of a pile + 1, found by hash */
	uint32_t slot_mask;
	float *entry; /* late ones of one group */
};

static size_t power_of_two(size_t least)
{
	size_t size = 16;

	while (size < least)
		size *= 2;
	return size;
}

static void free_work(struct work *work)
{
	free(work->item);
	free(work->pile);
	free(work->pile_of);
	free(work->order);
	free(work->slot);
	free(work->entry);
}

static bool make_work(struct work *work, size_t count)
{
	size_t slots = power_of_two(2 * count);

	*work = (struct work){.slot_mask = (uint32_t)slots - 1};
	work->item = calloc(count + 1, sizeof(*work->item));
	work->pile = calloc(count + 1, sizeof(*work->pile));
	work->pile_of = calloc(count + 1, sizeof(*work->pile_of));
	work->order = calloc(count + 1, sizeof(*work->order));
	work->slot = calloc(slots, sizeof(*work->slot));
	work->entry = calloc(count + 1, sizeof(*work->entry));
	return work->item && work->pile && work->pile_of && work->order && work->slot &&
	       work->entry;
}

/* A job of which nothing was seen, since it ended before the history began, is left out. */
static void add_item(struct work *work, const struct gw_predict *predict,
		     const struct gw_predict_kind *kind, int64_t start, int64_t end, bool ended)
{
	int64_t before = predict->since > start ? predict->since - start : 0;

	if (end <= start || (before && end <= predict->since))
		return;
	work->item[work->count++] =
		(struct item){(float)before, (float)(end - start), ended, *kind};
}

/* By exit; of equal ones those that ended first: the others were at risk then. */
static int by_exit(const void *a, const void *b)
{
	const struct item *one = a, *other = b;

	if (one->exit != other->exit)
		return one->exit < other->exit ? -1 : 1;
	return (int)other->ended - (int)one->ended;
}

static void fill_items(struct work *work, const struct gw_predict *predict,
		       const struct gw_predict_running *running, size_t count, int64_t now)
{
	for (size_t i = 0; i < predict->run_count; i++) {
		const struct gw_completion *run = &predict->run[i];

		add_item(work, predict, &run->kind, run->end - run->duration, run->end, true);
	}
	for (size_t i = 0; i < count; i++)
		add_item(work, predict, &running[i].kind, running[i].start, now, false);
	qsort(work->item, work->count, sizeof(*work->item), by_exit);
}

static uint32_t pile_for(struct work *work, const struct gw_predict_kind *kind, uint32_t level)
{
	uint32_t slot = gw_predict_hash(kind, level) & work->slot_mask;

	for (; work->slot[slot]; slot = (slot + 1) & work->slot_mask)
		if (gw_predict_same(&work->pile[work->slot[slot] - 1].kind, kind))
			return work->slot[slot] - 1;
	work->pile[work->pile_count] = (struct pile){.kind = *kind};
	work->slot[slot] = (uint32_t)++work->pile_count;
	return work->slot[slot] - 1;
}

/* Fills pile and order for one level. */
static void deal(struct work *work, enum gw_predict_level level)
{
	uint32_t first = 0;

	memset(work->slot, 0, (work->slot_mask + (size_t)1) * sizeof(*work->slot));
	work->pile_count = 0;
	for (size_t i = 0; i < work->count; i++) {
		struct gw_predict_kind kind = gw_predict_mask(&work->item[i].kind, level);
		uint32_t pile = pile_for(work, &kind, level);

		work->pile_of[i] = pile;
		work->pile[pile].count++;
		work->pile[pile].ended += work->item[i].ended;
	}
	for (size_t i = 0; i < work->pile_count; i++) {
		work->pile[i].first = first;
		first += work->pile[i].count;
		work->pile[i].count = 0;
	}
	for (size_t i = 0; i < work->count; i++) {
		struct pile *pile = &work->pile[work->pile_of[i]];

		work->order[pile->first + pile->count++] = (uint32_t)i;
	}
}

static int by_value(const void *a, const void *b)
{
	float one = *(const float *)a, other = *(const float *)b;

	return (one > other) - (one < other);
}

/* Entries of a group that are not at the start of a run, in order; returns their number. */
static size_t late_entries(const struct work *work, const struct pile *pile)
{
	size_t count = 0;

	for (uint32_t i = 0; i < pile->count; i++) {
		float entry = work->item[work->order[pile->first + i]].entry;

		if (entry > 0)
			work->entry[count++] = entry;
	}
	if (count)
		qsort(work->entry, count, sizeof(*work->entry), by_value);
	return count;
}

/*
 * The product-limit estimate; appends steps, for which there must be room. While some jobs have
 * yet to come into view, fewer than GW_PREDICT_ENOUGH at risk are no measure: one end of two would
 * halve survival for all later times.
 */
static size_t estimate(const struct work *work, const struct pile *pile, struct gw_step *step)
{
	const uint32_t *order = &work->order[pile->first];
	size_t late = late_entries(work, pile), entered = 0, steps = 0;
	double survival = 1, kept = 1;

	for (uint32_t i = 0, next; i < pile->count; i = next) {
		float time = work->item[order[i]].exit;
		size_t risk, ends = 0;

		for (next = i; next < pile->count && work->item[order[next]].exit == time; next++)
			ends += work->item[order[next]].ended;
		while (entered < late && work->entry[entered] < time)
			entered++;
		risk = pile->count - i - (late - entered);
		if (entered < late && risk < GW_PREDICT_ENOUGH)
			risk = GW_PREDICT_ENOUGH;
		survival *= (double)(risk - ends) / (double)risk;
		if (ends && survival <= kept - kept / STEP_PART) {
			step[steps++] = (struct gw_step){time, (float)survival};
			kept = survival;
		}
	}
	return steps;
}

/* Adds the groups of one level that have enough completions. */
static bool add_level(struct work *work, enum gw_predict_level level,
		      struct gw_predict_tables *tables)
{
	uint32_t least = level == GW_PREDICT_BY_ALL ? GW_PREDICT_FEW : GW_PREDICT_ENOUGH;
	size_t groups = tables->group_count, steps = tables->step_count;
	struct gw_group *group;
	struct gw_step *step;

	deal(work, level);
	for (size_t i = 0; i < work->pile_count; i++) {
		groups += work->pile[i].ended >= least;
		steps += work->pile[i].ended >= least ? work->pile[i].ended : 0;
	}
	group = realloc(tables->group, (groups + 1) * sizeof(*group));
	tables->group = group ? group : tables->group;
	step = realloc(tables->step, (steps + 1) * sizeof(*step));
	tables->step = step ? step : tables->step;
	for (size_t i = 0; group && step && i < work->pile_count; i++) {
		const struct pile *pile = &work->pile[i];

		if (pile->ended < least)
			continue;
		group[tables->group_count] = (struct gw_group){
			pile->kind, level, (uint32_t)tables->step_count,
			(uint32_t)estimate(work, pile, &step[tables->step_count])};
		tables->step_count += group[tables->group_count++].count;
	}
	return group && step;
}

static bool index_groups(struct gw_predict_tables *tables)
{
	size_t slots = power_of_two(2 * tables->group_count);

	tables->slot = calloc(slots, sizeof(*tables->slot));
	if (!tables->slot)
		return false;
	tables->slot_mask = (uint32_t)slots - 1;
	for (size_t i = 0; i < tables->group_count; i++) {
		const struct gw_group *group = &tables->group[i];
		uint32_t slot = gw_predict_hash(&group->kind, group->level) & tables->slot_mask;

		while (tables->slot[slot])
			slot = (slot + 1) & tables->slot_mask;
		tables->slot[slot] = (uint32_t)i + 1;
	}
	return true;
}

static bool make_tables(struct work *work, struct gw_predict_tables *tables)
{
	for (enum gw_predict_level level = 0; level <= GW_PREDICT_BY_ALL; level++)
		if (!add_level(work, level, tables))
			return false;
	return index_groups(tables);
}

int gw_predict_build(struct gw_predict *predict, const struct gw_predict_running *running,
		     size_t count, int64_t now, struct gw_error *error)
{
	struct gw_predict_tables tables = {0};
	struct work work;
	bool made = make_work(&work, predict->run_count + count);

	if (made) {
		fill_items(&work, predict, running, count, now);
		made = make_tables(&work, &tables);
	}
	free_work(&work);
	if (!made) {
		gw_predict_tables_free(&tables);
		return gw_error_memory(error);
	}
	gw_predict_tables_free(&predict->tables);
	predict->tables = tables;
	predict->built = true;
	predict->built_at = now;
	predict->built_runs = predict->run_count;
	predict->added = 0;
	return 0;
}

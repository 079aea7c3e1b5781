// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which jobs have a gap. Most jobs are told by one look at what lasts longest of their size; only
 * those that have a chance are put in order, and only a job that gets a gap costs a walk
 * over all of them.
 */
#include "order_impl.h"

#include <stdlib.h>

#include "cluster.h"

/* What is still left of a gap. */
struct gap {
	uint32_t kind, free;
	int64_t lasts; /* seconds from now */
};

/* A job that may get one. */
struct filler {
	uint64_t age;
	uint32_t limit, entry;
};

struct gaps {
	const struct gw_order_workspace *work;
	struct gap *gap;
	size_t count;
	int64_t *longest; /* of a kind with room for so many GPUs; 0: there is none */
};

static int64_t *longest_of(const struct gaps *gaps, uint32_t kind)
{
	return gaps->longest + (size_t)kind * (GW_GPUS_MAX + 1);
}

static void find_longest(const struct gaps *gaps, uint32_t kind)
{
	int64_t *longest = longest_of(gaps, kind);

	for (uint32_t gpus = 0; gpus <= GW_GPUS_MAX; gpus++)
		longest[gpus] = 0;
	for (size_t i = 0; i < gaps->count; i++)
		if (gaps->gap[i].kind == kind && gaps->gap[i].lasts > longest[gaps->gap[i].free])
			longest[gaps->gap[i].free] = gaps->gap[i].lasts;
	for (uint32_t gpus = GW_GPUS_MAX; gpus-- > 0;)
		if (longest[gpus + 1] > longest[gpus])
			longest[gpus] = longest[gpus + 1];
}

/* For how long a node must stay broken. */
static double wanted(const struct gaps *gaps, const struct gw_order_entry *entry)
{
	return gaps->work->in->conf->gap_match * (double)entry->limit;
}

/* Whether one task of it can get a gap as things stand. */
static bool has_chance(const struct gaps *gaps, const struct gw_order_entry *entry)
{
	const struct gw_order_line *line = &gaps->work->line[entry->line];
	int64_t longest;

	if (!entry->gpus || entry->gpus > GW_GPUS_MAX || entry->fate == GW_ORDER_BLOCKED ||
	    entry->limit == UINT32_MAX)
		return false;
	longest = longest_of(gaps, line->kind)[entry->gpus];
	return longest > 0 && (double)longest >= wanted(gaps, entry);
}

/* The gap that lasts longest; beyond the job's own limit, which may be 0, all are alike. */
static struct gap *best_gap(const struct gaps *gaps, const struct gw_order_entry *entry)
{
	uint32_t kind = gaps->work->line[entry->line].kind;
	struct gap *best = NULL;

	for (size_t i = 0; i < gaps->count && (!best || best->lasts < entry->limit); i++) {
		if (gaps->gap[i].kind != kind || gaps->gap[i].free < entry->gpus ||
		    (best && gaps->gap[i].lasts <= best->lasts))
			continue;
		best = &gaps->gap[i];
	}
	return best;
}

/* Whether there is one for each of its tasks. */
static bool have_room(const struct gaps *gaps, const struct gw_order_entry *entry)
{
	uint32_t kind = gaps->work->line[entry->line].kind;
	uint64_t room = 0;

	for (size_t i = 0; i < gaps->count && room < entry->left; i++)
		if (gaps->gap[i].kind == kind && (double)gaps->gap[i].lasts >= wanted(gaps, entry))
			room += gaps->gap[i].free / entry->gpus;
	return room >= entry->left;
}

/* All tasks get a gap, or none does. */
static bool take_gaps(const struct gaps *gaps, const struct gw_order_entry *entry)
{
	if (!have_room(gaps, entry))
		return false;
	for (uint32_t task = 0; task < entry->left; task++)
		best_gap(gaps, entry)->free -= entry->gpus;
	find_longest(gaps, gaps->work->line[entry->line].kind);
	return true;
}

/* Jobs with short limits find room before somebody's reservation; long ones only in gaps. */
static int compare_fillers(const void *a, const void *b)
{
	const struct filler *left = a, *right = b;

	if (left->limit != right->limit)
		return left->limit > right->limit ? -1 : 1;
	return left->age < right->age ? -1 : left->age > right->age;
}

static bool is_sub_node(const struct gw_job *job)
{
	return job->gpus && !job->whole_nodes && job->nodes <= 1;
}

static int give_gaps(const struct gaps *gaps, struct gw_order_workspace *work,
		     struct gw_error *error)
{
	struct filler *filler =
		gw_order_memory(work, GW_MEMORY_FILLERS, work->entry_count, sizeof(*filler), error);
	size_t count = 0;

	if (!filler)
		return -1;
	for (size_t i = 0; i < work->entry_count; i++) {
		const struct gw_order_entry *entry = &work->entry[i];

		if (is_sub_node(gw_order_job(work, entry->job)) && has_chance(gaps, entry))
			filler[count++] =
				(struct filler){gw_order_age_of(entry), entry->limit, (uint32_t)i};
	}
	qsort(filler, count, sizeof(*filler), compare_fillers);
	for (size_t i = 0; i < count; i++) {
		struct gw_order_entry *entry = &work->entry[filler[i].entry];

		entry->gap = has_chance(gaps, entry) && take_gaps(gaps, entry);
	}
	return 0;
}

int gw_order_gaps(struct gw_order_workspace *work, struct gw_error *error)
{
	const struct gw_order_input *in = work->in;
	struct gaps gaps = {.work = work};

	if (in->conf->gap_match <= 0 || !in->gap_count)
		return 0;
	gaps.gap = gw_order_memory(work, GW_MEMORY_GAPS, in->gap_count, sizeof(*gaps.gap), error);
	gaps.longest = gw_order_memory(work, GW_MEMORY_LONGEST, work->kinds * (GW_GPUS_MAX + 1),
				       sizeof(*gaps.longest), error);
	if (!gaps.gap || !gaps.longest)
		return -1;
	for (size_t i = 0; i < in->gap_count; i++) {
		const struct gw_order_gap *gap = &in->gaps[i];

		if (!gap->free || gap->free > GW_GPUS_MAX || gap->until <= in->now)
			continue;
		gaps.gap[gaps.count++] = (struct gap){gw_order_kind_of(in->conf, gap->flavor),
						      gap->free, gap->until - in->now};
	}
	for (uint32_t kind = 0; kind < work->kinds; kind++)
		find_longest(&gaps, kind);
	return give_gaps(&gaps, work, error);
}

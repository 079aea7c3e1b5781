// SPDX-License-Identifier: GPL-2.0-or-later
/* The arithmetic behind a reason, in words: rank, share, quota, placement, start. */
#include <stdio.h>

#include "explain_impl.h"

static const char *flavor_of(const struct gw_explain_facts *facts)
{
	return facts->flavor ? facts->flavor : "GPUs";
}

static const char *pool_of(const struct gw_explain_facts *facts)
{
	return facts->pool ? facts->pool : "?";
}

/* "pool train holds 90 of 96 h100": the beginning of most. Returns its length. */
static int say_held(const struct gw_explain_facts *facts, char *text, size_t size)
{
	return snprintf(text, size, "pool %.32s holds %u of %u %.24s", pool_of(facts),
			facts->figures->held, facts->figures->quota, flavor_of(facts));
}

static void say_limits(const struct gw_explain_facts *facts, char *text, size_t size)
{
	int length = say_held(facts, text, size);

	text += length;
	size -= (size_t)length;
	if (facts->quota->why == GW_QUOTA_OVER_POOL)
		snprintf(text, size, " and can not borrow; %u asked", facts->gpus);
	else if (facts->quota->why == GW_QUOTA_BORROW_LIMIT && facts->cohort)
		snprintf(text, size, "; cohort %.32s is at its BorrowLimit; %u asked",
			 facts->cohort, facts->gpus);
	else if (facts->quota->why == GW_QUOTA_BORROW_LIMIT)
		snprintf(text, size, " and may borrow %u; %u asked", facts->figures->borrow_limit,
			 facts->gpus);
	else
		snprintf(text, size, "; cohort %.32s has %u more for it; %u asked",
			 facts->cohort ? facts->cohort : "?",
			 facts->figures->reach - facts->figures->held, facts->gpus);
}

static void say_times(const struct gw_explain_facts *facts, char *text, size_t size)
{
	char limit[GW_TEXT_TIME_SIZE], other[GW_TEXT_TIME_SIZE];

	gw_text_time(limit, facts->limit);
	if (facts->quota->why == GW_QUOTA_LOAN_TIME) {
		gw_text_time(other, facts->loan_time);
		snprintf(text, size, "it would borrow %u %.24s, lent for %s at most; its limit: %s",
			 facts->quota->borrow, flavor_of(facts), other, limit);
	} else {
		gw_text_time(other, facts->until_peak);
		snprintf(
			text, size,
			"peak hours of pool %.32s begin in %s, when it does not fit; its limit: %s",
			pool_of(facts), other, limit);
	}
}

void gw_explain_quota(const struct gw_explain_facts *facts, char *text, size_t size)
{
	switch (facts->quota->why) {
	case GW_QUOTA_NO_QUOTA:
		snprintf(text, size, "no pool of queue %.32s has a quota of %.24s",
			 facts->queue ? facts->queue : "?", flavor_of(facts));
		return;
	case GW_QUOTA_LOAN_TIME:
	case GW_QUOTA_PEAK_STRICT:
		say_times(facts, text, size);
		return;
	default:
		break;
	}
	if (!facts->figures)
		snprintf(text, size, "%u %.24s too many for pool %.32s now", facts->quota->missing,
			 flavor_of(facts), pool_of(facts));
	else if (facts->quota->why == GW_QUOTA_NEVER)
		snprintf(text, size, "pool %.32s can hold %u %.24s at most; %u asked",
			 pool_of(facts), facts->figures->largest, flavor_of(facts), facts->gpus);
	else
		say_limits(facts, text, size);
}

/* The whole sum, also when quota is not what stands in the way. */
static void figure_quota(const struct gw_explain_facts *facts, char *text, size_t size)
{
	const struct gw_quota_figures *figures = facts->figures;
	int length;

	if (!facts->quota)
		return;
	if (!figures || facts->quota->why == GW_QUOTA_NO_QUOTA) {
		if (facts->quota->why != GW_QUOTA_ALLOWED)
			gw_explain_quota(facts, text, size);
		return;
	}
	length = say_held(facts, text, size);
	length += snprintf(text + length, size - (size_t)length,
			   ", %u borrowed, %u lent; may reach %u", figures->borrowed, figures->lent,
			   figures->reach);
	if (figures->cohort_quota)
		length += snprintf(text + length, size - (size_t)length, "; cohort holds %u of %u",
				   figures->cohort_held, figures->cohort_quota);
	snprintf(text + length, size - (size_t)length, "; this job asks %u, %u borrowed",
		 facts->gpus, facts->quota->borrow);
}

static void figure_share(const struct gw_explain_facts *facts, char *text, size_t size)
{
	if (!facts->queue || !facts->least_queue)
		return;
	if (facts->may_name_others)
		snprintf(text, size,
			 "queue %.48s: %.2f weighted GPUs held and used; least: queue %.48s, %.2f",
			 facts->queue, facts->key, facts->least_queue, facts->least_key);
	else
		snprintf(text, size,
			 "queue %.48s: %.2f weighted GPUs held and used; the least queue: %.2f",
			 facts->queue, facts->key, facts->least_key);
}

static void figure_placement(const struct gw_explain_facts *facts, char *text, size_t size)
{
	if (!facts->placement_known)
		return;
	snprintf(text, size, "%u %.24s are free, at most %u on one node; %s", facts->free,
		 flavor_of(facts), facts->free_on_a_node,
		 facts->fits_now ? "there are nodes for it now" : "no nodes for it now");
}

void gw_explain_figures(const struct gw_explain_facts *facts, struct gw_explanation *explanation)
{
	char in[GW_TEXT_TIME_SIZE], error[GW_TEXT_TIME_SIZE];

	if (facts->rank)
		snprintf(explanation->rank, sizeof(explanation->rank), "rank %u, %u before it",
			 facts->rank, facts->rank - 1);
	if (facts->gap)
		snprintf(explanation->gap, sizeof(explanation->gap),
			 "it goes earlier as it fits on a node that others keep broken (GapMatch)");
	figure_share(facts, explanation->share, sizeof(explanation->share));
	figure_quota(facts, explanation->quota, sizeof(explanation->quota));
	figure_placement(facts, explanation->placement, sizeof(explanation->placement));
	if (!facts->start_in && !facts->start_error)
		return;
	gw_text_time(in, facts->start_in);
	gw_text_time(error, facts->start_error);
	snprintf(explanation->start, sizeof(explanation->start), "in %s, give or take %s", in,
		 error);
}

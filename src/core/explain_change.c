// SPDX-License-Identifier: GPL-2.0-or-later
/* What would let a job start: the smallest change first. */
#include <stdio.h>

#include "explain_impl.h"

typedef bool (*change_test)(const struct gw_explain_facts *facts, enum gw_explain_tier tier,
			    struct gw_change *change);

static bool by_release(const struct gw_explain_facts *facts, enum gw_explain_tier tier,
		       struct gw_change *change)
{
	if (tier != GW_TIER_HELD)
		return false;
	if (facts->hold == GW_HOLD_USER)
		snprintf(change->text, sizeof(change->text), "scontrol release %u", facts->job);
	else if (facts->hold == GW_HOLD_ADMIN)
		snprintf(change->text, sizeof(change->text),
			 "an administrator's scontrol release %u", facts->job);
	else
		return false;
	change->value = facts->job;
	return true;
}

static bool by_shape(const struct gw_explain_facts *facts, enum gw_explain_tier tier,
		     struct gw_change *change)
{
	if (tier != GW_TIER_NEVER_FITS)
		return false;
	snprintf(change->text, sizeof(change->text), "submit it with %.120s", facts->fitting_shape);
	return true;
}

/* A loan or a peak may only want a shorter limit. */
static bool by_limit(const struct gw_explain_facts *facts, enum gw_explain_tier tier,
		     struct gw_change *change)
{
	char limit[GW_TEXT_TIME_SIZE];

	if (tier != GW_TIER_OVER_QUOTA)
		return false;
	if (facts->quota->why == GW_QUOTA_LOAN_TIME)
		change->value = facts->loan_time;
	else if (facts->quota->why == GW_QUOTA_PEAK_STRICT)
		change->value = facts->until_peak;
	if (change->value < 60)
		return false;
	gw_text_time(limit, change->value);
	snprintf(change->text, sizeof(change->text),
		 "a shorter limit: scontrol update JobId=%u TimeLimit=%s", facts->job, limit);
	return true;
}

/* How many GPUs could start: what quota leaves, or what is free together. */
static uint32_t startable(const struct gw_explain_facts *facts, enum gw_explain_tier tier)
{
	uint32_t most = 0;

	if (tier == GW_TIER_OVER_QUOTA && facts->quota->why == GW_QUOTA_LOAN_TIME)
		most = facts->gpus - facts->quota->borrow;
	else if (tier == GW_TIER_OVER_QUOTA && facts->quota->why == GW_QUOTA_NEVER)
		most = facts->figures ? facts->figures->reach - facts->figures->held : 0;
	else if (tier == GW_TIER_OVER_QUOTA && facts->gpus > facts->quota->missing &&
		 facts->quota->missing)
		most = facts->gpus - facts->quota->missing;
	else if (tier == GW_TIER_TOPOLOGY && facts->nodes <= 1)
		most = facts->free_on_a_node;
	else if (tier == GW_TIER_TOPOLOGY)
		most = facts->free_nodes * facts->gpus_per_node;
	else if (tier == GW_TIER_BEHIND && facts->rank == 1 && facts->placement_known)
		most = facts->nodes <= 1 && facts->gpus_per_node ? facts->free_on_a_node
								 : facts->free;
	if (facts->placement_known && facts->free < most)
		most = facts->free;
	return most < facts->gpus ? most : 0;
}

static bool by_fewer_gpus(const struct gw_explain_facts *facts, enum gw_explain_tier tier,
			  struct gw_change *change)
{
	uint32_t most = startable(facts, tier);

	if (!most)
		return false;
	change->value = most;
	snprintf(change->text, sizeof(change->text), "fewer GPUs: %u instead of %u", most,
		 facts->gpus);
	return true;
}

static bool by_flavor(const struct gw_explain_facts *facts, enum gw_explain_tier tier,
		      struct gw_change *change)
{
	if (tier < GW_TIER_OVER_QUOTA || tier == GW_TIER_NONE)
		return false;
	for (size_t i = 0; i < facts->flavor_count; i++) {
		const struct gw_explain_flavor *flavor = &facts->flavors[i];

		if (flavor->free < facts->gpus || flavor->room < facts->gpus)
			continue;
		change->value = (int64_t)i;
		snprintf(change->text, sizeof(change->text),
			 "another flavor: %.32s, --partition=%.32s", flavor->name,
			 flavor->partition ? flavor->partition : "?");
		return true;
	}
	return false;
}

/* GPUs that others must give back first. */
static uint32_t awaited(const struct gw_explain_facts *facts, enum gw_explain_tier tier)
{
	if (tier == GW_TIER_OVER_QUOTA)
		return facts->quota->missing;
	if (tier == GW_TIER_TOPOLOGY)
		return facts->gpus_per_node > facts->free_on_a_node
			       ? facts->gpus_per_node - facts->free_on_a_node
			       : 1;
	if (tier == GW_TIER_BEHIND && facts->gpus > facts->free)
		return facts->gpus - facts->free;
	return 0;
}

static bool by_job_end(const struct gw_explain_facts *facts, enum gw_explain_tier tier,
		       struct gw_change *change)
{
	uint32_t needed = awaited(facts, tier), given = 0;
	char in[GW_TEXT_TIME_SIZE];

	for (size_t i = 0; needed && i < facts->end_count; i++) {
		given += facts->ends[i].gpus;
		if (given < needed)
			continue;
		change->value = facts->ends[i].job;
		gw_text_time(in, facts->ends[i].in);
		if (facts->may_name_others)
			snprintf(change->text, sizeof(change->text),
				 "job %u ending, in %s at the latest", facts->ends[i].job, in);
		else
			snprintf(change->text, sizeof(change->text),
				 "running jobs ending, in %s at the latest", in);
		return true;
	}
	return false;
}

void gw_explain_changes(const struct gw_explain_facts *facts, struct gw_explanation *explanation)
{
	static const change_test tests[GW_CHANGE_KIND_COUNT] = {
		[GW_CHANGE_RELEASE] = by_release, [GW_CHANGE_SHAPE] = by_shape,
		[GW_CHANGE_LIMIT] = by_limit,     [GW_CHANGE_GPUS] = by_fewer_gpus,
		[GW_CHANGE_FLAVOR] = by_flavor,   [GW_CHANGE_JOB_END] = by_job_end,
	};

	for (enum gw_change_kind kind = 0; kind < GW_CHANGE_KIND_COUNT; kind++) {
		struct gw_change change = {.kind = kind};

		if (explanation->change_count < GW_CHANGES_MAX &&
		    tests[kind](facts, explanation->tier, &change))
			explanation->change[explanation->change_count++] = change;
	}
}

const char *gw_change_kind_name(enum gw_change_kind kind)
{
	static const char *const names[GW_CHANGE_KIND_COUNT] = {
		[GW_CHANGE_RELEASE] = "release", [GW_CHANGE_SHAPE] = "shape",
		[GW_CHANGE_LIMIT] = "limit",     [GW_CHANGE_GPUS] = "gpus",
		[GW_CHANGE_FLAVOR] = "flavor",   [GW_CHANGE_JOB_END] = "job-end",
	};

	return names[kind];
}

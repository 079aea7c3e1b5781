// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/placement.h"

#include "plugins/common/fault.h"
#include "plugins/common/gpus_registered.h"
#include "plugins/common/preference.h"
#include "plugins/common/snapshot.h"

static int stock_answer(struct gw_placement *question, struct gw_call *call)
{
	int rc;

	gw_call_stock_begin(call);
	rc = question->stock(question);
	gw_call_stock_end(call);
	return rc;
}

/* A job that asks for so many switches would wait where stock took more than that. */
static bool switches_are_met(const struct gw_placement *question)
{
	return !question->job->req_switch || question->job->best_switch;
}

/* Asks stock inside the preference. False: it has no answer there, all is as it was before. */
static bool try_tier(struct gw_placement *question, struct gw_call *call,
		     const struct gw_preference *preference, enum gw_narrow narrow)
{
	struct gw_snapshot *before = preference->memory->before;
	bool answered;

	gw_snapshot_take(before, question, preference->nodes);
	gw_preference_apply(preference, question, narrow);
	answered = stock_answer(question, call) == SLURM_SUCCESS && switches_are_met(question) &&
		   !gw_engine_fault(GW_HOOK_PLACEMENT, GW_FAULT_TIER);
	if (!answered)
		gw_snapshot_restore(before, question);
	return answered;
}

/* True if the preference has more nodes than the answer that stands, or is in more domains. */
static bool is_worse(const struct gw_preference *preference, const struct gw_placement *question)
{
	return preference->count > (size_t)bit_set_count(question->node_map) ||
	       gw_domains_more(&preference->memory->domains, preference->nodes, question->node_map);
}

/* How often stock is asked inside a preference: with its own answers, three times at most. */
enum { TRIES = 2, TRIES_WIDE = 1 };

/* All that is preferred, then less of it: nodes, GPUs and cores, nodes and GPUs, nodes alone. */
static bool try_tiers(struct gw_placement *question, struct gw_call *call,
		      const struct gw_preference *preference, int tries)
{
	for (int narrow = GW_NARROW_CORES; narrow >= GW_NARROW_NODES && tries; narrow--) {
		if (!gw_preference_narrows(preference, narrow))
			continue;
		if (try_tier(question, call, preference, narrow))
			return true;
		tries--;
	}
	return false;
}

/*
 * A preference that no smallest domain holds: stock may know how to do with fewer of them, or
 * with fewer nodes, and then its answer is the better one.
 */
static int wide_answer(struct gw_placement *question, struct gw_call *call,
		       const struct gw_preference *preference, bool *preferred)
{
	struct gw_snapshot *before = preference->memory->before_all;
	bool ours;
	int rc;

	gw_snapshot_take(before, question, NULL);
	rc = stock_answer(question, call);
	ours = rc != SLURM_SUCCESS || !is_worse(preference, question);
	if (ours)
		gw_snapshot_restore(before, question);
	*preferred = ours && try_tiers(question, call, preference, TRIES_WIDE);
	if (*preferred)
		return SLURM_SUCCESS;
	return ours ? stock_answer(question, call) : rc;
}

/* Where placement is only observed a preference is told, and then is none. */
static void keep_if_enforced(const struct gw_placement *question, struct gw_preference *preference)
{
	if (!preference->nodes || gw_engine_enforces(GW_PLACEMENT))
		return;
	gw_preference_log(question, preference);
	preference->nodes = NULL;
}

/*
 * A range of nodes: how many there are at best stock says; which ones, we do, unless stock's are in
 * fewer domains. Once stock was asked again, for ours, the job itself has traces of that: its own
 * answer is asked for anew then, else put back.
 */
static int range_answer(struct gw_placement *question, struct gw_call *call,
			struct gw_preference *preference, bool *preferred)
{
	struct gw_place_memory *memory =
		gw_engine_place_memory((size_t)bit_size(question->node_map));
	bitstr_t *stock_nodes;
	int rc;

	if (memory)
		gw_snapshot_take(memory->before_all, question, NULL);
	rc = stock_answer(question, call);
	if (!memory || rc != SLURM_SUCCESS)
		return rc;
	gw_snapshot_take(memory->stock, question, NULL);
	gw_snapshot_restore(memory->before_all, question);
	stock_nodes = gw_snapshot_nodes(memory->stock);
	gw_preference_make(question, (uint32_t)bit_set_count(stock_nodes), preference);
	keep_if_enforced(question, preference);
	if (!preference->nodes ||
	    gw_domains_more(&memory->domains, preference->nodes, stock_nodes)) {
		gw_snapshot_restore(memory->stock, question);
		return SLURM_SUCCESS;
	}
	*preferred = try_tiers(question, call, preference, TRIES_WIDE);
	return *preferred ? SLURM_SUCCESS : stock_answer(question, call);
}

/*
 * The preferred nodes, GPUs and cores, or less of that, then stock's own choice, which comes out
 * of the same state as if we had not been there. *preferred: one before that answered.
 */
static int tiered_answer(struct gw_placement *question, struct gw_call *call,
			 struct gw_preference *preference, bool *preferred)
{
	struct gw_test *test = gw_engine_test();
	bool of_now = !test->run_now && gw_preference_is_of_now(question);
	int rc = SLURM_SUCCESS;

	*preferred = false;
	if (preference->range) {
		rc = range_answer(question, call, preference, preferred);
	} else if (preference->nodes && preference->wide) {
		rc = wide_answer(question, call, preference, preferred);
	} else {
		*preferred = preference->nodes && try_tiers(question, call, preference, TRIES);
		if (!*preferred)
			rc = stock_answer(question, call);
	}
	gw_engine_count_preference(preference->nodes != NULL, *preferred, call->stock_calls);
	test->followed |= *preferred;
	if (of_now)
		test->followed_now = *preferred;
	return rc;
}

/* Asks stock from the state before and compares with the answer that stands in question. */
static const char *compare_with_stock(struct gw_placement *question, struct gw_call *call,
				      const struct gw_snapshot *before, int *rc)
{
	struct gw_snapshot *ours = gw_snapshot_create();
	const char *difference;
	int stock;

	gw_snapshot_take(ours, question, NULL);
	gw_snapshot_restore(before, question);
	stock = stock_answer(question, call);
	difference = stock != *rc ? "return code" : gw_snapshot_differs(ours, question);
	gw_snapshot_free(ours);
	*rc = stock;
	return difference;
}

/*
 * Checks an answer. One that stock gave must be the very one that stock gives from the state
 * before the hook, which is then applied; a preferred one must have left all other nodes alone.
 */
static int verified_answer(struct gw_placement *question, struct gw_call *call,
			   struct gw_preference *preference)
{
	struct gw_snapshot *before = gw_snapshot_create();
	const char *difference;
	bool preferred;
	int rc;

	gw_snapshot_take(before, question, NULL);
	rc = tiered_answer(question, call, preference, &preferred);
	if (preferred)
		difference = gw_snapshot_differs_outside(before, question, preference->nodes);
	else
		difference = compare_with_stock(question, call, before, &rc);
	gw_engine_count_verified(!difference);
	if (difference)
		call->error = difference;
	gw_snapshot_free(before);
	return rc;
}

static int answer(struct gw_placement *question, struct gw_call *call, const struct gw_test *test)
{
	struct gw_preference preference = {0};
	bool preferred;
	int rc;

	if (test->preference_allowed)
		gw_preference_make(question, 0, &preference);
	if (test->run_now && !preference.all_registered)
		gw_withhold_unregistered(question);
	keep_if_enforced(question, &preference);
	if (gw_engine_verifies() && !test->test_only)
		rc = verified_answer(question, call, &preference);
	else
		rc = tiered_answer(question, call, &preference, &preferred);
	return rc;
}

int gw_placement_answer(struct gw_placement *question)
{
	const struct gw_test *test = gw_engine_test();
	struct gw_call call;
	int rc;

	if (gw_call_begin(&call, GW_HOOK_PLACEMENT) && test->active)
		rc = answer(question, &call, test);
	else
		rc = stock_answer(question, &call);
	gw_call_end(&call);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/placement.h"

#include "plugins/common/gpus_registered.h"
#include "plugins/common/snapshot.h"

static int stock_answer(struct gw_placement *question, struct gw_call *call)
{
	int rc;

	gw_call_stock_begin(call);
	rc = question->stock(question);
	gw_call_stock_end(call);
	return rc;
}

/*
 * Asks stock a second time from the same state. What the first answer applied stays, or is
 * the same: a difference is an internal error, and the second answer, stock's own, is applied.
 */
static int verified_answer(struct gw_placement *question, struct gw_call *call)
{
	struct gw_snapshot *before = gw_snapshot_take(question), *first;
	const char *difference;
	int rc = stock_answer(question, call), again;

	first = gw_snapshot_take(question);
	gw_snapshot_restore(before, question);
	again = stock_answer(question, call);
	difference = again != rc ? "return code" : gw_snapshot_differs(first, question);
	gw_engine_count_verified(!difference);
	if (difference)
		call->error = difference;
	gw_snapshot_free(before);
	gw_snapshot_free(first);
	return again;
}

int gw_placement_answer(struct gw_placement *question)
{
	const struct gw_test *test = gw_engine_test();
	struct gw_call call;
	bool open = gw_call_begin(&call, GW_HOOK_PLACEMENT);
	int rc;

	if (open && test->active && test->run_now)
		gw_withhold_unregistered(question);
	if (open && test->active && !test->test_only && gw_engine_verifies())
		rc = verified_answer(question, &call);
	else
		rc = stock_answer(question, &call);
	gw_call_end(&call);
	return rc;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_state.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/common/engine.h"
#include "plugins/common/gate.h"
#include "plugins/common/rank_apply.h"
#include "plugins/common/rank_ledger.h"
#include "plugins/common/rank_record.h"
#include "plugins/common/recorder.h"
#include "plugins/common/touched.h"
#include "plugins/common/view.h"
#include "plugins/common/weak.h"
#include "src/slurmctld/locks.h"

/* Ranks never get older than this for the sake of the budget. */
#define GW_RANK_REST_SECONDS 10.0

/* Says why there are no ranks. Returns false, so that it can be returned. */
static bool fail(const struct gw_error *why)
{
	error("gangway: ranks: %s", why->text);
	return false;
}

/* Without its GPUs among the TRES, slurmctld does not count what jobs of queues ask for. */
static void tell_untracked(const struct gw_tres_positions *positions)
{
	if (positions->gpu < 0)
		error("gangway: AccountingStorageTRES lacks gres/gpu: jobs are neither ordered nor "
		      "held to quota, and the ledger counts nothing");
}

/* Takes another policy: its indexes hold from here on. */
static int adopt(struct gw_rank *rank, struct gw_policy *policy, struct gw_error *why)
{
	const struct gw_conf *conf = gw_policy_conf(policy);
	struct gw_quota *quota = gw_quota_new(conf, why);
	double *usage = calloc(gw_lines(conf) + 1, sizeof(*usage));
	double *held = calloc(gw_lines(conf) + 1, sizeof(*held));

	if (!rank->work)
		rank->work = gw_order_workspace_new(why);
	if (!quota || !usage || !held || !rank->work || gw_rank_ledger_adopt(rank, conf, why)) {
		gw_quota_free(quota);
		free(usage);
		free(held);
		return gw_error_set(why, "no memory for another configuration");
	}
	gw_quota_free(rank->quota);
	free(rank->usage);
	free(rank->held);
	gw_policy_put(rank->policy);
	rank->policy = gw_policy_hold(policy);
	rank->quota = quota;
	rank->usage = usage;
	rank->held = held;
	return 0;
}

static int compute(struct gw_rank *rank, const struct gw_order_rank **ranks, size_t *count,
		   struct gw_error *why)
{
	struct gw_order_input input = {
		.conf = gw_policy_conf(rank->policy),
		.jobs = rank->copy.pending,
		.job_count = rank->copy.pending_count,
		.usage = rank->usage,
		.held = rank->held,
		.quota = rank->quota,
		.gpus = rank->copy.gpus,
		.gaps = rank->copy.gaps,
		.gap_count = rank->copy.gap_count,
		.now = rank->copy.now,
	};

	if (gw_ledger_reconcile(rank->ledger, rank->copy.runs, rank->copy.run_count, rank->copy.now,
				why))
		return -1;
	gw_ledger_lines(rank->ledger, rank->copy.now, rank->usage, rank->held);
	if (gw_order_ranks(rank->work, &input, ranks, count, why))
		return -1;
	if (rank->copy.pending_count && gw_recorder_wants(GW_DECISION_ORDER))
		gw_rank_record(rank, *ranks, *count);
	return 0;
}

static bool pass_with(struct gw_rank *rank, struct gw_policy *policy, struct gw_call *call)
{
	const struct gw_order_rank *ranks;
	bool fresh = policy != rank->policy;
	struct gw_error why = {{0}};
	size_t count;

	gw_rank_ledger_clock(rank);
	if (fresh && adopt(rank, policy, &why))
		return fail(&why);
	gw_touched_load(rank);
	gw_touched_merge(rank);
	gw_rank_copy_take(&rank->copy, policy, rank->quota, rank->last_pass, call);
	gw_engine_quota_problem(rank->copy.quota_problem.text);
	if (fresh)
		tell_untracked(&rank->copy.positions);
	if (compute(rank, &ranks, &count, &why))
		return fail(&why);
	if (gw_rank_apply(rank, ranks, count, call, &why))
		return fail(&why);
	if (count && !gw_engine_enforces(GW_ORDER))
		debug("gangway: observe: JobId=%u would go first of %zu pending jobs",
		      rank->copy.pending[ranks[0].job].id, count);
	rank->last_pass = rank->copy.now;
	gw_rank_ledger_publish(rank);
	gw_view_publish(rank, ranks, count);
	return gw_engine_enforces(GW_ORDER);
}

/*
 * Takes our limits off the accounts of a policy that sets none any more: quota no longer acts, or
 * another policy does, which may lack queues of it. Once the job lock is had, no test works with
 * the former one.
 */
void gw_rank_shut_gate(struct gw_rank *rank)
{
	slurmctld_lock_t locks = {.job = READ_LOCK};
	struct gw_policy *policy = gw_engine_policy(), *former = rank->gate_policy;

	if (policy && (!gw_gate_acts(policy) || !gw_engine_hook_open(GW_HOOK_JOB_TEST))) {
		gw_policy_put(policy);
		policy = NULL;
	}
	rank->gate_policy = policy;
	if (former && former != policy) {
		lock_slurmctld(locks);
		gw_gate_restore(former);
		unlock_slurmctld(locks);
	}
	gw_policy_put(former);
}

/*
 * How long to leave slurmctld's locks alone after they were held for so long: passes one after the
 * other take half of the budget of a minute, however many jobs there are.
 */
static int64_t rest_after(struct gw_policy *policy, uint64_t held_ns)
{
	double minutes = (double)held_ns / 1e6 / gw_policy_conf(policy)->hook_time_budget;

	return (int64_t)(MIN(2 * minutes * 60, GW_RANK_REST_SECONDS) * 1e9);
}

bool gw_rank_pass(struct gw_rank *rank)
{
	struct gw_policy *policy;
	struct gw_call call;
	bool keep = false;

	/* An ending slurmctld that finds a lock held does not save its state. */
	if (slurmctld_config.shutdown_time)
		return true;
	policy = gw_engine_policy();
	if (gw_call_begin(&call, GW_HOOK_RANK) && policy && gw_policy_conf(policy)->queue_count) {
		gw_call_apart_begin(&call);
		keep = pass_with(rank, policy, &call);
		gw_call_apart_end(&call);
		if (!keep && gw_engine_enforces(GW_ORDER))
			call.error = "the ranks could not be made";
	}
	gw_call_end(&call);
	rank->locks_rest_ns = policy ? rest_after(policy, call.own) : 0;
	gw_policy_put(policy);
	gw_rank_shut_gate(rank);
	return keep;
}

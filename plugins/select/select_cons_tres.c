// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stands before Slurm's own select/cons_tres in PluginDir under its name and id, forwards
 * all of it, and tells the placement hook what kind of test it is called in.
 */
#include "plugins/common/compat/compat.h"

#include "plugins/common/domains.h"
#include "plugins/common/engine.h"
#include "plugins/common/gate.h"
#include "plugins/common/job_test.h"
#include "plugins/common/learned.h"
#include "plugins/common/rank.h"
#include "plugins/select/choose_nodes.h"

#define GW_TABLE        GW_SELECT_TABLE
#define GW_TABLE_PLUGIN GW_PLUGIN_SELECT
#include "plugins/common/forward.h"

GW_EXPORT const char plugin_name[] = "Gangway before select/cons_tres";
GW_EXPORT const char plugin_type[] = "select/cons_tres";
GW_EXPORT const uint32_t plugin_id = SELECT_PLUGIN_CONS_TRES;
GW_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

GW_EXPORT extern int init(void);
GW_EXPORT extern int fini(void);

extern int init(void)
{
	if (gw_stock_open(GW_PLUGIN_SELECT, plugin_type, "select_cons_tres.so", gw_stock_names,
			  GW_FUNCTION_COUNT))
		return SLURM_ERROR;
	if (running_in_slurmctld() && gw_choose_nodes_take()) {
		gw_stock_close(GW_PLUGIN_SELECT);
		return SLURM_ERROR;
	}
	gw_engine_add(GW_PLUGIN_SELECT, plugin_type);
	return SLURM_SUCCESS;
}

extern int fini(void)
{
	gw_engine_remove(GW_PLUGIN_SELECT);
	return gw_stock_close(GW_PLUGIN_SELECT);
}

/* What the placement hook may do in a test of this mode. */
static struct gw_test describe(struct gw_call *call, const job_record_t *job, uint16_t mode,
			       gw_list_t preemptable)
{
	struct gw_policy *policy =
		gw_engine_hook_open(GW_HOOK_PLACEMENT) ? gw_engine_policy() : NULL;
	struct gw_test test = {
		.active = true,
		.run_now = (mode & SELECT_MODE_BASE) == SELECT_MODE_RUN_NOW,
		.test_only = SELECT_IS_MODE_TEST_ONLY(mode),
	};

	/* A reservation is placed with a job that has no id. */
	test.preference_allowed = policy && !test.test_only && job->job_id &&
				  !SELECT_IS_MODE_RESV(mode) &&
				  (!preemptable || !list_count(preemptable)) &&
				  gw_gate_is_ours(policy, job, &test.queue, call);
	gw_policy_put(policy);
	return test;
}

/* What set_gate() did. */
enum gate {
	GATE_OPEN,
	GATE_OVER_QUOTA,
	GATE_NOT_ITS_TURN,
};

/*
 * Quota decides by the limit that Slurm's accounting policy will look at right after the test.
 * Also in a test whether the job could ever run, which does not look at it: where too few nodes
 * are free Slurm makes no other before it compares.
 */
static enum gate set_gate(struct gw_call *call, job_record_t *job)
{
	struct gw_policy *policy;
	enum gate gate = GATE_OPEN;
	bool turn_is_over;

	if (!call->live || call->error || !job->job_id)
		return GATE_OPEN;
	policy = gw_engine_policy();
	if (policy && gw_policy_conf(policy)->queue_count) {
		turn_is_over = gw_rank_turn_is_over(job);
		if (gw_gate_set(policy, job, turn_is_over, call) != GW_QUOTA_ALLOWED)
			gate = GATE_OVER_QUOTA;
		if (turn_is_over)
			gate = GATE_NOT_ITS_TURN;
	}
	gw_policy_put(policy);
	return gate;
}

static bool starts_now(const job_record_t *job, uint16_t mode, int rc)
{
	if (rc != SLURM_SUCCESS || SELECT_IS_MODE_TEST_ONLY(mode))
		return false;
	return (mode & SELECT_MODE_BASE) != SELECT_MODE_WILL_RUN || job->start_time <= time(NULL);
}

/*
 * A job that finds no nodes for a start now, in a pool that waits for nodes: what fills the nodes
 * fills the pool too, and is no reason not to reserve nodes for the job, nor to try all others of
 * the partition one by one, to find each over quota.
 */
static void leave_to_nodes(struct gw_call *call, const job_record_t *job, enum gate gate,
			   bool starts)
{
	struct gw_policy *policy;

	if (job->het_job_id && starts)
		gw_rank_het_may_start();
	if (gate != GATE_OVER_QUOTA || starts || !gw_rank_waits_for_nodes(job))
		return;
	policy = gw_engine_policy();
	if (policy)
		gw_gate_open(policy, job, call);
	gw_policy_put(policy);
}

static void test_begin(struct gw_call *call, struct gw_test *outer, struct gw_test now)
{
	*outer = *gw_engine_test();
	*gw_engine_test() = now;
	gw_call_stock_begin(call);
}

static void test_end(struct gw_call *call, const struct gw_test *outer)
{
	gw_call_stock_end(call);
	*gw_engine_test() = *outer;
}

/* The parameters of a test that are passed on as they are. */
struct ask {
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t mode;
	gw_list_t preemptable, *preempted;
	GW_JOB_TEST_LAST_FIELDS
};

static int stock_job_test(struct gw_job_test *test)
{
	const struct ask *ask = test->ask;

	return stock_select_p_job_test(test->job, test->nodes, ask->min_nodes, ask->max_nodes,
				       ask->req_nodes, ask->mode, ask->preemptable, ask->preempted,
				       GW_JOB_TEST_LAST_ARGS(ask->));
}

int select_p_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes, uint32_t max_nodes,
		      uint32_t req_nodes, uint16_t mode, gw_list_t preemptable,
		      gw_list_t *preempted, GW_JOB_TEST_LAST_PARAMS)
{
	struct ask ask = {min_nodes,
			  max_nodes,
			  req_nodes,
			  mode,
			  preemptable,
			  preempted,
			  GW_JOB_TEST_LAST_ARGS()};
	struct gw_job_test test = {job, nodes, stock_job_test, &ask};
	struct gw_call call;
	struct gw_test outer;
	enum gate gate;
	int rc;

	gw_call_begin(&call, GW_HOOK_JOB_TEST);
	gate = set_gate(&call, job);
	test_begin(&call, &outer, describe(&call, job, mode, preemptable));
	rc = gw_job_test_answer(&test);
	test_end(&call, &outer);
	leave_to_nodes(&call, job, gate,
		       starts_now(job, mode, rc) && !GW_JOB_TEST_OF_LATER(time(NULL)));
	gw_call_end(&call);
	return rc;
}

int select_p_job_begin(job_record_t *job)
{
	gw_rank_job_began(job);
	gw_learned_began(job);
	return stock_select_p_job_begin(job);
}

int select_p_job_fini(job_record_t *job)
{
	gw_rank_wake();
	gw_learned_ended(job);
	return stock_select_p_job_fini(job);
}

/* Called whenever slurmctld has read its nodes and topology. */
int select_p_node_init(void)
{
	gw_domains_stale();
	return stock_select_p_node_init();
}

int select_p_reconfigure(void)
{
	gw_domains_stale();
	return stock_select_p_reconfigure();
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stands before Slurm's own select/cons_tres in PluginDir under its name and id, forwards
 * all of it, and tells the placement hook what kind of test it is called in.
 */
#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "plugins/select/choose_nodes.h"

#define GW_TABLE	GW_SELECT_TABLE
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
static struct gw_test describe(const job_record_t *job, uint16_t mode, gw_list_t preemptable)
{
	struct gw_test test = {
		.active = true,
		.run_now = (mode & SELECT_MODE_BASE) == SELECT_MODE_RUN_NOW,
		.test_only = SELECT_IS_TEST(mode),
	};

	/* A reservation is placed with a job that has no id. */
	test.preference_allowed = !test.test_only && job->job_id && !SELECT_IS_MODE_RESV(mode) &&
				  (!preemptable || !list_count(preemptable));
	return test;
}

static void test_begin(struct gw_call *call, struct gw_test *outer, struct gw_test now)
{
	gw_call_begin(call, GW_HOOK_JOB_TEST);
	*outer = *gw_engine_test();
	*gw_engine_test() = now;
	gw_call_stock_begin(call);
}

static void test_end(struct gw_call *call, const struct gw_test *outer)
{
	gw_call_stock_end(call);
	*gw_engine_test() = *outer;
	gw_call_end(call);
}

int select_p_job_test(job_record_t *job, bitstr_t *nodes, uint32_t min_nodes, uint32_t max_nodes,
		      uint32_t req_nodes, uint16_t mode, gw_list_t preemptable,
		      gw_list_t *preempted, GW_JOB_TEST_LAST_PARAMS)
{
	struct gw_call call;
	struct gw_test outer;
	int rc;

	test_begin(&call, &outer, describe(job, mode, preemptable));
	rc = stock_select_p_job_test(job, nodes, min_nodes, max_nodes, req_nodes, mode,
				     preemptable, preempted, GW_JOB_TEST_LAST_ARGS);
	test_end(&call, &outer);
	return rc;
}

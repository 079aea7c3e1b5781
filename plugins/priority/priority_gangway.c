// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * priority/gangway: wraps Slurm's own priority/multifactor, whose numbers, decay of usage,
 * sshare and limits stay what they are. slurmctld loads it once it is the primary, so the
 * engine is started here.
 */
#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "plugins/common/rank.h"

#define GW_TABLE        GW_PRIORITY_TABLE
#define GW_TABLE_PLUGIN GW_PLUGIN_PRIORITY
#include "plugins/common/forward.h"

GW_EXPORT const char plugin_name[] = "Gangway over priority/multifactor";
GW_EXPORT const char plugin_type[] = "priority/gangway";
GW_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

GW_EXPORT extern int init(void);
GW_EXPORT extern int fini(void);

/* multifactor's own number, which counts in the job's site factor. */
static uint32_t stock_priority(job_record_t *job)
{
	return stock_priority_p_set(0, job);
}

extern int init(void)
{
	if (gw_stock_open(GW_PLUGIN_PRIORITY, plugin_type, "priority_multifactor.so",
			  gw_stock_names, GW_FUNCTION_COUNT))
		return SLURM_ERROR;
	gw_engine_add(GW_PLUGIN_PRIORITY, plugin_type);
	gw_engine_start();
	if (gw_rank_start(stock_priority))
		error("gangway: no thread could be started: jobs keep multifactor's order");
	return SLURM_SUCCESS;
}

extern int fini(void)
{
	gw_rank_stop();
	gw_engine_remove(GW_PLUGIN_PRIORITY);
	return gw_stock_close(GW_PLUGIN_PRIORITY);
}

uint32_t priority_p_set(uint32_t last_prio, job_record_t *job)
{
	struct gw_call call;
	uint32_t priority;

	if (gw_call_begin(&call, GW_HOOK_PRIORITY))
		priority = gw_rank_priority(job, &call);
	else
		priority = stock_priority_p_set(last_prio, job);
	gw_call_end(&call);
	return priority;
}

/*
 * assoc_clear tells a reconfigure from a change of debug flags. 24.11 never says true: it
 * reconfigures by starting anew. select_p_reconfigure() is of no use for it: slurmctld calls
 * that at its start and for every update of a partition too.
 */
void priority_p_reconfig(bool assoc_clear)
{
	if (assoc_clear)
		gw_engine_reconfigure();
	stock_priority_p_reconfig(assoc_clear);
}

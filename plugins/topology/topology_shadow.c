// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stands before one of Slurm's own topology plugins in PluginDir under its name and id and
 * forwards all of it; the placement hook of 23.11 and later is here. Built once for each
 * stock plugin: GW_TOPOLOGY is its name, GW_TOPOLOGY_ID its id.
 */
#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "plugins/common/placement.h"

#define GW_TABLE        GW_TOPOLOGY_TABLE
#define GW_TABLE_PLUGIN GW_PLUGIN_TOPOLOGY
#include "plugins/common/forward.h"

GW_EXPORT const char plugin_name[] = "Gangway before topology/" GW_TOPOLOGY;
GW_EXPORT const char plugin_type[] = "topology/" GW_TOPOLOGY;
GW_EXPORT const uint32_t plugin_id = GW_TOPOLOGY_ID;
GW_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

GW_EXPORT extern int init(void);
GW_EXPORT extern int fini(void);

extern int init(void)
{
	if (gw_stock_open(GW_PLUGIN_TOPOLOGY, plugin_type, "topology_" GW_TOPOLOGY ".so",
			  gw_stock_names, GW_FUNCTION_COUNT))
		return SLURM_ERROR;
	gw_engine_add(GW_PLUGIN_TOPOLOGY, plugin_type);
	return SLURM_SUCCESS;
}

extern int fini(void)
{
	gw_engine_remove(GW_PLUGIN_TOPOLOGY);
	return gw_stock_close(GW_PLUGIN_TOPOLOGY);
}

static int stock_eval_nodes(struct gw_placement *question)
{
	return stock_topology_p_eval_nodes(question->ask);
}

int topology_p_eval_nodes(topology_eval_t *ask)
{
	struct gw_placement question = {
		.job = ask->job_ptr,
		.node_map = ask->node_map,
		.avail_core = ask->avail_core,
		.avail_res = ask->avail_res_array,
		.min_nodes = ask->min_nodes,
		.max_nodes = ask->max_nodes,
		.req_nodes = ask->req_nodes,
		.cr_type = ask->cr_type,
		.stock = stock_eval_nodes,
		.ask = ask,
		.ask_size = sizeof(*ask),
	};

	return gw_placement_answer(&question);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/select/choose_nodes.h"

#include "plugins/common/placement.h"
#include "plugins/common/stock.h"

/* The parameters of choose_nodes that a placement question does not name. */
struct ask {
	uint32_t min_nodes, max_nodes, req_nodes;
	uint16_t cr_type;
	bool prefer_alloc_nodes;
	gres_mc_data_t *mc;
};

static int stock_choose_nodes(struct gw_placement *question)
{
	const struct ask *ask = question->ask;
	__typeof__(((cons_common_callbacks_t *)NULL)->choose_nodes) function =
		gw_stock_symbol(GW_PLUGIN_SELECT, "choose_nodes");

	return function(question->job, question->node_map, question->avail_core, ask->min_nodes,
			ask->max_nodes, ask->req_nodes, question->avail_res, ask->cr_type,
			ask->prefer_alloc_nodes, ask->mc);
}

static int our_choose_nodes(job_record_t *job, bitstr_t *node_map, bitstr_t **avail_core,
			    uint32_t min_nodes, uint32_t max_nodes, uint32_t req_nodes,
			    avail_res_t **avail_res, uint16_t cr_type, bool prefer_alloc_nodes,
			    gres_mc_data_t *mc)
{
	struct ask ask = {min_nodes, max_nodes, req_nodes, cr_type, prefer_alloc_nodes, mc};
	struct gw_placement question = {
		.job = job,
		.node_map = node_map,
		.avail_core = avail_core,
		.avail_res = avail_res,
		.min_nodes = min_nodes,
		.max_nodes = max_nodes,
		.req_nodes = req_nodes,
		.cr_type = cr_type,
		.stock = stock_choose_nodes,
		.ask = &ask,
		.ask_size = sizeof(ask),
	};

	return gw_placement_answer(&question);
}

int gw_choose_nodes_take(void)
{
	cons_common_callbacks_t *callbacks =
		gw_stock_symbol(GW_PLUGIN_SELECT, "cons_common_callbacks");

	if (!callbacks || !callbacks->choose_nodes ||
	    !gw_stock_symbol(GW_PLUGIN_SELECT, "choose_nodes")) {
		error("gangway: Slurm's own select_cons_tres.so has no choose_nodes");
		return SLURM_ERROR;
	}
	callbacks->choose_nodes = our_choose_nodes;
	return SLURM_SUCCESS;
}

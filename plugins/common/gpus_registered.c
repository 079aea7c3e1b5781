// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/gpus_registered.h"

#include "plugins/common/gres_name.h"
#include "plugins/common/weak.h"

static bool under_power_saving(const node_record_t *node)
{
	return IS_NODE_CLOUD(node) || IS_NODE_POWERED_DOWN(node) || IS_NODE_POWERING_UP(node) ||
	       IS_NODE_POWERING_DOWN(node) || IS_NODE_POWER_UP(node) || IS_NODE_POWER_DOWN(node);
}

/*
 * 24.11 saves the devices with the node and finds them again, unless its node state is lost: a node
 * it knows from there gives GPUs before it has registered, and need not wait.
 */
bool gw_gpus_must_wait(const sock_gres_t *gres, const node_record_t *node)
{
	const gres_state_t *state = gres->gres_state_node;
	const gres_state_t *named = gres->gres_state_job ? gres->gres_state_job : state;

	if (!state || !state->gres_data || !gw_gres_is_gpu(named))
		return false;
	return !gw_gpus_are_known(state->gres_data) && !under_power_saving(node);
}

/* list_find_first() callback. */
static int must_wait(void *gres, void *node)
{
	return gw_gpus_must_wait(gres, node);
}

static bool node_must_wait(const avail_res_t *resources, node_record_t *node)
{
	return resources && resources->sock_gres_list &&
	       list_find_first(resources->sock_gres_list, must_wait, node);
}

void gw_withhold_unregistered(struct gw_placement *question)
{
	bool enforce = gw_engine_enforces(GW_PLACEMENT);
	bitoff_t first = bit_ffs(question->node_map), last = bit_fls(question->node_map);
	uint32_t withheld = 0;

	for (bitoff_t i = first; i >= 0 && i <= last; i++) {
		if (!bit_test(question->node_map, i) ||
		    !node_must_wait(question->avail_res[i], node_record_table_ptr[i]))
			continue;
		withheld++;
		if (enforce)
			bit_clear(question->node_map, i);
	}
	if (!withheld)
		return;
	gw_engine_count_withheld(withheld);
	debug("gangway: %pJ: %s %u nodes whose GPUs have not registered since slurmctld started",
	      question->job, enforce ? "waits for" : "observe: would wait for", withheld);
}

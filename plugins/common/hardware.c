// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/compat/compat.h"

#include "plugins/common/hardware.h"
#include "plugins/common/snap.h"
#include "plugins/common/weak.h"

static void add_node(struct gw_route_hardware *hardware, uint64_t gpus)
{
	if (!gpus || gpus == NO_CONSUME_VAL64)
		return;
	hardware->nodes++;
	if (gpus > hardware->node_gpus)
		hardware->node_gpus = (uint32_t)gpus;
}

void gw_hardware_of_flavors(const struct gw_policy *policy, struct gw_route_hardware *hardware)
{
	const struct gw_conf *conf = gw_policy_conf(policy);
	struct gw_tres_positions positions;

	gw_snap_positions(policy, &positions);
	for (size_t flavor = 0; flavor < conf->flavor_count; flavor++) {
		const char *name = conf->flavors[flavor].partition;
		const part_record_t *part = name ? find_part_record((char *)name) : NULL;

		for (int i = 0; positions.flavor[flavor] >= 0 && i < node_record_count; i++) {
			const node_record_t *node = node_record_table_ptr[i];

			if (!node || !node->tres_cnt ||
			    (part && part->node_bitmap && !bit_test(part->node_bitmap, i)))
				continue;
			add_node(&hardware[flavor], node->tres_cnt[positions.flavor[flavor]]);
		}
	}
	gw_snap_positions_free(&positions);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What nodes there are behind each flavor, read from slurmctld's node table. */
#ifndef GW_HARDWARE_H
#define GW_HARDWARE_H

#include <time.h>

#include "plugins/common/policy.h"
#include "plugins/common/snap.h"
#include "src/core/order.h"
#include "src/core/route.h"

/*
 * Fills hardware, one element a flavor: nodes that have GPUs of it and the most on one node;
 * all 0 where slurmctld does not know. The caller holds the node and partition read locks. Costs a
 * pass over the nodes.
 */
void gw_hardware_of_flavors(const struct gw_policy *policy,
			    const struct gw_tres_positions *positions,
			    struct gw_route_hardware *hardware);

/*
 * Fills gpus, one element a flavor, and tells policy the most on one node. The same locks are held.
 * Costs a pass over the nodes a flavor.
 */
void gw_hardware_gpus(struct gw_policy *policy, struct gw_order_gpus *gpus);

/*
 * GPUs left on nodes that others are used of, node by node; freed by xfree(). until: by node, when
 * all that runs there has ended; NULL: no gaps are wanted, and none are given. An exclusive node
 * has none. The same locks are held, the same cost.
 */
struct gw_order_gap *gw_hardware_gaps(const struct gw_policy *policy, const time_t *until,
				      size_t *count);

#endif

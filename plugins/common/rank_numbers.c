// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_numbers.h"

#include <string.h>

/* Jobs that wait for quota others take first keep their place among those that may start. */
static size_t startable_of(const struct gw_order_rank *ranks, size_t count)
{
	size_t startable = 0;

	while (startable < count && ranks[startable].state != GW_ORDER_BLOCKED)
		startable++;
	return startable;
}

int gw_rank_numbers(struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		    struct gw_error *why)
{
	uint32_t *in_order = xcalloc(count + 1, sizeof(*in_order));
	size_t changed;
	int rc = -1;

	if (!rank->numbers)
		rank->numbers = gw_numbers_workspace_new(why);
	for (size_t i = 0; i < count; i++)
		in_order[i] = rank->number[ranks[i].job];
	if (rank->numbers)
		rc = gw_numbers_assign(rank->numbers, in_order, count, startable_of(ranks, count),
				       &changed, why);
	if (!rc) {
		memset(rank->number, 0, rank->copy.pending_count * sizeof(*rank->number));
		for (size_t i = 0; i < count; i++)
			rank->number[ranks[i].job] = in_order[i];
	}
	xfree(in_order);
	return rc;
}

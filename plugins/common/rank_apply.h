// SPDX-License-Identifier: GPL-2.0-or-later
/* The only writer of slurmctld's jobs for the ranks: numbers, and the sentence of who waits. */
#ifndef GW_RANK_APPLY_H
#define GW_RANK_APPLY_H

#include "plugins/common/rank_state.h"

/*
 * Turns ranks into numbers, writes those of the jobs that moved (where order is enforced), says
 * why jobs wait for quota, and publishes both for the hooks. Takes slurmctld's job write lock only
 * if something is to be written.
 */
int gw_rank_apply(struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		  struct gw_call *call, struct gw_error *why);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* From ranks to priority numbers. */
#ifndef GW_RANK_NUMBERS_H
#define GW_RANK_NUMBERS_H

#include "plugins/common/rank_state.h"

/*
 * Turns rank->number, the numbers the jobs have (0: none), into those they should have: in
 * the order of the ranks, with as few changes as can be. Jobs that are not ranked get 0.
 */
int gw_rank_numbers(struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		    struct gw_error *why);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* A pass of the ranks as a recorded decision. */
#ifndef GW_RANK_RECORD_H
#define GW_RANK_RECORD_H

#include "plugins/common/rank_state.h"

/* Records the order just made. */
void gw_rank_record(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* What is published after a pass for gangway queues, why and usage to read. */
#ifndef GW_VIEW_H
#define GW_VIEW_H

#include "plugins/common/rank_state.h"

/* The most pending jobs a view holds; the rest are counted. */
#define GW_VIEW_JOBS_MAX 20000

/* Hands a new view to the engine's thread, every few seconds. */
void gw_view_publish(struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count);

#endif

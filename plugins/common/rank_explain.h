// SPDX-License-Identifier: GPL-2.0-or-later
/* Why a ranked job waits, from what the pass knows. */
#ifndef GW_RANK_EXPLAIN_H
#define GW_RANK_EXPLAIN_H

#include "plugins/common/rank_state.h"
#include "src/core/explain.h"

struct gw_rank_reason {
	struct gw_quota_answer quota;
	struct gw_explanation explanation;
};

/* Explains the job at this place of the ranks. */
void gw_rank_explain(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		     size_t place, struct gw_rank_reason *reason);

#endif

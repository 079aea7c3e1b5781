// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_record.h"

#include <time.h>

#include "plugins/common/recorder.h"

/* What every pool holds of every flavor; freed by xfree(). */
static struct gw_decision_held *held_of(const struct gw_rank *rank, size_t *count)
{
	const struct gw_conf *conf = gw_policy_conf(rank->policy);
	struct gw_decision_held *held =
		xcalloc(conf->pool_count * conf->flavor_count + 1, sizeof(*held));

	*count = 0;
	for (int32_t pool = 0; pool < (int32_t)conf->pool_count; pool++)
		for (int32_t flavor = 0; flavor < (int32_t)conf->flavor_count; flavor++) {
			uint32_t gpus = gw_quota_held(rank->quota, pool, flavor);

			if (gpus)
				held[(*count)++] = (struct gw_decision_held){pool, flavor, gpus};
		}
	return held;
}

void gw_rank_record(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count)
{
	size_t lines = gw_lines(gw_policy_conf(rank->policy)), held_count;
	struct gw_decision_held *held = held_of(rank, &held_count);
	struct gw_decision decision = {
		.kind = GW_DECISION_ORDER,
		.order =
			{
				.now = rank->copy.now,
				.has_quota = true,
				.minute = rank->copy.minute,
				.jobs = rank->copy.pending,
				.job_count = rank->copy.pending_count,
				.usage = rank->usage,
				.usage_count = lines,
				.rates = rank->held,
				.rate_count = lines,
				.held = held,
				.held_count = held_count,
				.gpus = rank->copy.gpus,
				.gpus_count = gw_policy_conf(rank->policy)->flavor_count,
				.gaps = rank->copy.gaps,
				.gap_count = rank->copy.gap_count,
				.ranks = (struct gw_order_rank *)ranks,
				.rank_count = count,
			},
	};

	gw_recorder_add(rank->policy, &decision);
	xfree(held);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_explain.h"

#include <string.h>

static const char *pool_name(const struct gw_conf *conf, int32_t pool)
{
	return pool == GW_INDEX_NONE ? NULL : conf->pools[pool].name;
}

/* What quota says of the job as things stand, other pending jobs left out. */
static void ask_quota(const struct gw_rank *rank, const struct gw_job *job, int32_t pool,
		      struct gw_quota_answer *answer)
{
	struct gw_quota_ask ask = {
		.pool = pool, .flavor = job->flavor, .gpus = job->gpus, .limit = job->limit};

	*answer = gw_quota_ask(rank->quota, &ask);
}

void gw_rank_explain(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		     size_t place, struct gw_rank_reason *reason)
{
	const struct gw_conf *conf = gw_policy_conf(rank->policy);
	const struct gw_job *job = &rank->copy.pending[ranks[place].job];
	struct gw_quota_answer answer;
	int32_t pool = gw_policy_pool(rank->policy, job->queue, job->flavor);
	struct gw_quota_figures figures = gw_quota_figures(rank->quota, pool, job->flavor);
	struct gw_explain_facts facts = {
		.job = job->id,
		.gpus = job->gpus,
		.nodes = job->nodes,
		.limit = job->limit,
		.queue = conf->queues[job->queue].name,
		.pool = pool_name(conf, pool),
		.flavor = conf->flavors[job->flavor].name,
		.quota = &answer,
		.figures = &figures,
		.rank = (uint32_t)place + 1,
	};

	(void)count;
	memset(reason, 0, sizeof(*reason));
	ask_quota(rank, job, pool, &reason->quota);
	answer = reason->quota;
	if (gw_order_startable(&ranks[place])) {
		/* Nodes are what it waits for. */
		answer.why = GW_QUOTA_ALLOWED;
		answer.missing = 0;
	}
	if (reason->quota.cohort != GW_INDEX_NONE && conf->cohort_count)
		facts.cohort = conf->cohorts[reason->quota.cohort].name;
	if (ranks[place].back) {
		facts.small_hold_left =
			gw_order_hold_left(conf, gw_job_eligible_at(job), rank->copy.now);
		facts.small_batch = conf->small_batch;
	}
	if (pool != GW_INDEX_NONE)
		facts.loan_time = conf->pools[pool].loan_time;
	if (place > 0) {
		const struct gw_job *next = &rank->copy.pending[ranks[place - 1].job];

		facts.next_job = next->id;
		facts.next_queue = conf->queues[next->queue].name;
	}
	gw_explain(&facts, &reason->explanation);
}

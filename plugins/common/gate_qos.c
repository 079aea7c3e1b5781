// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/gate_qos.h"

#include <math.h>

#include "plugins/common/gate.h"
#include "plugins/common/weak.h"
#include "src/common/assoc_mgr.h"
#include "src/slurmctld/acct_policy.h"

/* What Slurm multiplies the account's limits by for this job; not above 0: by nothing. */
static double limit_factor(job_record_t *job)
{
	slurmdb_qos_rec_t *qos[2];

	acct_policy_set_qos_order(job, &qos[0], &qos[1]);
	for (int i = 0; i < 2; i++)
		if (qos[i] && !fuzzy_equal(qos[i]->limit_factor, INFINITE))
			return qos[i]->limit_factor;
	return 0;
}

uint64_t gw_gate_qos_limit(job_record_t *job, uint64_t reach)
{
	double factor = limit_factor(job), limit;

	if (factor <= 0)
		return reach;
	limit = floor((double)reach / factor) + 1;
	/* More is no whole number of its own in a double. */
	if (limit >= 0x1p53)
		return (uint64_t)0x1p53;
	/* Slurm cuts the product off, as it is here. */
	while (limit > 0 && limit * factor >= (double)reach + 1)
		limit--;
	return (uint64_t)limit;
}

struct look {
	const struct gw_policy *policy;
	int gpu;
	struct gw_error *problem;
};

/* Whether jobs of queues have this QOS, or run in a partition that has it. */
static bool is_of_queues(const struct gw_policy *policy, const slurmdb_qos_rec_t *qos)
{
	const struct gw_conf *conf = gw_policy_conf(policy);

	if (!conf->class_count || gw_policy_class(policy, qos->name) != GW_INDEX_NONE)
		return true;
	for (size_t i = 0; i < conf->flavor_count; i++) {
		const part_record_t *part = find_part_record(conf->flavors[i].partition);

		if (part && part->qos_ptr == qos)
			return true;
	}
	return false;
}

/* list_for_each() callback; ends at the first problem. */
static int visit_qos(void *item, void *arg)
{
	const slurmdb_qos_rec_t *qos = item;
	const struct look *look = arg;

	if (!qos->name || !is_of_queues(look->policy, qos))
		return 0;
	if (qos->grp_tres_ctld && qos->grp_tres_ctld[look->gpu] != INFINITE64)
		return gw_error_set(look->problem,
				    "QOS %.64s has GrpTRES=gres/gpu, in place of which Slurm does "
				    "not look at quota: take it off (GrpTRES=gres/gpu=-1)",
				    qos->name);
	if (qos->flags & QOS_FLAG_DENY_LIMIT)
		return gw_error_set(look->problem,
				    "QOS %.64s has DenyOnLimit, by which Slurm refuses jobs for a "
				    "limit that quota has set for another: take it off "
				    "(Flags-=DenyOnLimit)",
				    qos->name);
	return 0;
}

void gw_gate_qos_problem(const struct gw_policy *policy, int gpu, struct gw_error *problem)
{
	struct look look = {policy, gpu, problem};

	problem->text[0] = '\0';
	if (gpu >= 0 && assoc_mgr_qos_list && gw_gate_acts(policy))
		list_for_each(assoc_mgr_qos_list, visit_qos, &look);
}

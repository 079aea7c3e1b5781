// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Quota at the moment of the test. slurmctld tests a job in one thread under its job lock:
 * select_p_job_test(), then its own accounting policy, which compares what the association of
 * the job's account holds with that association's GrpTRES. Just before, this sets that number,
 * in memory only, to what this very job may reach: what is held and its request if quota
 * allows it, else what is held. Slurm then starts the job or makes it wait with AssocGrpGRES,
 * which blocks nobody else. The number is never above the admin's own limit.
 */
#ifndef GW_GATE_H
#define GW_GATE_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/policy.h"
#include "plugins/common/snap.h"
#include "src/core/quota.h"

/*
 * Fills quota with what pools hold now, by Slurm's own count: what the accounts of their
 * queues hold, less what queues below them hold. The caller holds the association lock.
 */
void gw_gate_fill(const struct gw_policy *policy, const struct gw_tres_positions *positions,
		  struct gw_quota *quota, unsigned int minute);

/* Now, in minutes since Sunday 00:00 on the site's wall clock. */
unsigned int gw_gate_minute(void);

/*
 * Opens or shuts the gate for job. Takes the association lock. Where quota is only observed, or
 * the job is an outside one, nothing is changed. Returns why the job may not start, or
 * GW_QUOTA_ALLOWED.
 */
GW_EXPORT enum gw_quota_why gw_gate_set(struct gw_policy *policy, job_record_t *job,
					bool turn_is_over);

/* True for a job of a queue. Takes the association lock. */
GW_EXPORT bool gw_gate_is_ours(struct gw_policy *policy, const job_record_t *job);

/* Puts the admin's own limits back on all queues' accounts. */
void gw_gate_restore(struct gw_policy *policy);

#endif

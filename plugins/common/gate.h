// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Quota at the moment of the test. slurmctld tests a job in one thread under its job lock:
 * select_p_job_test(), then its own accounting policy, which compares what the association of
 * the job's account holds with that association's GrpTRES. Just before, this sets that number,
 * in memory only, to what the account may reach with this very job: what is held and the most
 * that quota allows such a job. Slurm then starts the job or makes it wait with AssocGrpGRES,
 * which blocks nobody else. The number is never above the admin's own limit.
 *
 * A job that finds no nodes for a start now is another matter: where nodes are what its pool waits
 * for, Slurm must not see a limit in its way, or it would reserve nothing for it. So the gate is
 * then opened behind the test. That starts nothing: each start has its own test right before it,
 * which sets the number. But the components of a het job, once each was found to start now, are
 * compared together after all tests of a pass of backfill: while there is such a one the gate stays
 * as it is.
 *
 * It is not made of the job's own request, because Slurm compares more than that: all GPUs of
 * the nodes of an exclusive job, more nodes than the fewest, and the components of a het job one
 * after the other, with no test in between. So a job of a queue's account that asks for no GPUs but
 * gets whole nodes may have as many as one that asks for some; and where GPUs are of a flavor that
 * is not for the queue the account may hold no more than it does.
 */
#ifndef GW_GATE_H
#define GW_GATE_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
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
 * Opens or shuts the gate for job; call is the passage it is made in. Takes the association
 * lock. Where quota is only observed nothing is changed; for an outside job the accounts above
 * it get the admin's own limits. Returns why the job may not start, or GW_QUOTA_ALLOWED.
 */
GW_EXPORT enum gw_quota_why gw_gate_set(struct gw_policy *policy, job_record_t *job,
					bool turn_is_over, struct gw_call *call);

/*
 * Takes our limits off the accounts above the job, until the next test of one of their jobs sets
 * them again. Takes the association lock.
 */
GW_EXPORT void gw_gate_open(struct gw_policy *policy, const job_record_t *job,
			    struct gw_call *call);

/* True if quota decides for any pool. */
bool gw_gate_acts(const struct gw_policy *policy);

/*
 * True for a job of a queue; *queue is then gw_predict_queue() of its name. call is the passage it
 * is asked in. Takes the association lock.
 */
GW_EXPORT bool gw_gate_is_ours(struct gw_policy *policy, const job_record_t *job, uint32_t *queue,
			       struct gw_call *call);

/* Puts the admin's own limits back on all queues' accounts. */
void gw_gate_restore(struct gw_policy *policy);

#endif

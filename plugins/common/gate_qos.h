// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What settings of a QOS do to quota, which Slurm enforces by the limit of an account: it
 * multiplies that limit by LimitFactor, which is made up for, and there are two with which it does
 * not compare as it should, which can only be told.
 */
#ifndef GW_GATE_QOS_H
#define GW_GATE_QOS_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/policy.h"
#include "src/util/error.h"

/*
 * The limit of an account that comes to reach once Slurm has multiplied it for this job; to as
 * little less as there can be where none comes to just that. The caller holds the job lock and the
 * QOS read lock.
 */
uint64_t gw_gate_qos_limit(job_record_t *job, uint64_t reach);

/*
 * Fills problem with the first QOS of a class, or of a flavor's partition, with which quota does
 * not hold, and what to do; empty: none. With no classes any QOS counts. gpu is the position of
 * gres/gpu. The caller holds the partition and the QOS read lock.
 */
void gw_gate_qos_problem(const struct gw_policy *policy, int gpu, struct gw_error *problem);

#endif

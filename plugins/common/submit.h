// SPDX-License-Identifier: GPL-2.0-or-later
/* A submit request to and from core's routing. */
#ifndef GW_SUBMIT_H
#define GW_SUBMIT_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/export.h"

/*
 * Routes one submit: fills in what is missing, or refuses it. Returns SLURM_SUCCESS or the
 * error for slurmctld; *err_msg gets what is to be said to the user, if anything. Slurm holds its
 * configuration, job, node and partition read locks; the association locks are taken here.
 * Several threads may be in it at once.
 */
GW_EXPORT int gw_submit_route(job_desc_msg_t *job_desc, char **err_msg);

/*
 * Asks about a change of a job by a user: QOS, time limit and account must be as they could have
 * been submitted. Operators may do anything. Returns as gw_submit_route(); err_msg may be NULL.
 * Slurm holds its job write lock; the association locks are taken here.
 */
GW_EXPORT int gw_submit_change(job_desc_msg_t *job_desc, const job_record_t *record, uint32_t uid,
			       char **err_msg);

#endif

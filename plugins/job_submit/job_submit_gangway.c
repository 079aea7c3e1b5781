// SPDX-License-Identifier: GPL-2.0-or-later
/* job_submit/gangway: routes what is submitted, asks about changes. */
#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "plugins/common/submit.h"

GW_EXPORT const char plugin_name[] = "Gangway job_submit";
GW_EXPORT const char plugin_type[] = "job_submit/gangway";
GW_EXPORT const uint32_t plugin_version = SLURM_VERSION_NUMBER;

GW_EXPORT extern int init(void);
GW_EXPORT extern int fini(void);
GW_EXPORT extern int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg);
GW_EXPORT extern int job_modify(GW_JOB_MODIFY_PARAMS);

extern int init(void)
{
	gw_engine_add(GW_PLUGIN_JOB_SUBMIT, plugin_type);
	return SLURM_SUCCESS;
}

extern int fini(void)
{
	gw_engine_remove(GW_PLUGIN_JOB_SUBMIT);
	return SLURM_SUCCESS;
}

extern int job_submit(job_desc_msg_t *job_desc, uint32_t submit_uid, char **err_msg)
{
	(void)submit_uid;
	return gw_submit_route(job_desc, err_msg);
}

extern int job_modify(GW_JOB_MODIFY_PARAMS)
{
	return gw_submit_change(job_desc, job, submit_uid, GW_JOB_MODIFY_ERR_MSG);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Accounts and QOS of jobs, from slurmctld. */
#include "replay_diff_asked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "slurmctld.h"

static bool waits_for_gpus(const slurm_job_info_t *job)
{
	return (job->job_state & JOB_STATE_BASE) == JOB_PENDING && job->tres_req_str &&
	       strstr(job->tres_req_str, "gres/gpu");
}

static int copy_jobs(const job_info_msg_t *message, struct gw_diff_asked *asked,
		     struct gw_error *error)
{
	asked->known = calloc(message->record_count + 1, sizeof(*asked->known));
	if (!asked->known)
		return gw_error_memory(error);
	for (uint32_t i = 0; i < message->record_count; i++) {
		const slurm_job_info_t *job = &message->job_array[i];

		asked->known[asked->count++] = (struct gw_diff_known){
			.id = job->job_id,
			.account = job->account,
			.qos = job->qos,
			.waits_for_gpus = waits_for_gpus(job),
		};
	}
	qsort(asked->known, asked->count, sizeof(*asked->known), gw_diff_compare_known);
	return 0;
}

int gw_diff_ask(const struct gw_site *site, struct gw_diff_asked *asked, struct gw_error *error)
{
	job_info_msg_t *message = NULL;

	*asked = (struct gw_diff_asked){0};
	if (!gw_slurmctld_answers(site->places.slurm_conf, &site->slurm))
		return gw_error_set(error, "slurmctld does not answer");
	if (slurm_load_jobs(0, &message, SHOW_ALL))
		return gw_error_set(error, "slurmctld: %s", slurm_strerror(errno));
	asked->message = message;
	return copy_jobs(message, asked, error);
}

void gw_diff_asked_free(struct gw_diff_asked *asked)
{
	if (asked->message)
		slurm_free_job_info_msg(asked->message);
	free(asked->known);
	*asked = (struct gw_diff_asked){0};
}

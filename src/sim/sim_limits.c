// SPDX-License-Identifier: GPL-2.0-or-later
/* Limits of how many jobs of one user or partition a backfill pass looks at. */
#include <stdlib.h>

#include "sim_impl.h"

/* A job counts for both only when neither is used up. */
static void leave_out(struct sim *sim, uint32_t *by_user, uint32_t *by_partition)
{
	const struct gw_model_sched *sched = &sim->model->sched;
	size_t queues = sim->lane_count / sim->model->partition_count, kept = 0;

	for (size_t i = 0; i < sim->turn_count; i++) {
		const struct sim_job *job = &sim->job[sim->turn[i].job];
		uint32_t *partition = &by_partition[sim->need[job->need].lane / queues];
		uint32_t *user = &by_user[sim->trace->job[job->trace].user];

		if ((sched->bf_max_job_part && *partition >= sched->bf_max_job_part) ||
		    (sched->bf_max_job_user && *user >= sched->bf_max_job_user))
			continue;
		++*partition;
		++*user;
		sim->turn[kept++] = sim->turn[i];
	}
	sim->turn_count = kept;
	sim->ordered = 0;
}

int sim_limits(struct sim *sim)
{
	const struct gw_model_sched *sched = &sim->model->sched;
	uint32_t *by_user, *by_partition;
	int rc = 0;

	if (!sched->bf_max_job_user && !sched->bf_max_job_part)
		return 0;
	by_user = calloc(sim->trace->name_count + 1, sizeof(*by_user));
	by_partition = calloc(sim->model->partition_count, sizeof(*by_partition));
	if (by_user && by_partition)
		leave_out(sim, by_user, by_partition);
	else
		rc = gw_error_memory(sim->error);
	free(by_user);
	free(by_partition);
	return rc;
}

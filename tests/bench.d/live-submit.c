// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Submits the jobs of a window, each at its time by the cluster's clock, all by one client: an
 * sbatch for each takes a fifth of a second, which is twelve seconds of a clock that runs 60 times
 * as fast, and a burst of two hundred jobs would come forty minutes late.
 *
 * live-submit JOBS LOG, inside a cluster: JOBS has lines "ID SUBMIT DURATION MINUTES USER ACCOUNT
 * QOS NODES GPUS" (GPUS a node). LOG gets "origin SECONDS", from which all times count, and then
 * "ID WANTED ACTUAL SLURM_ID" for each.
 */
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#define WORD  64
#define TRIES 5

/* Before 24.11 GRES were named gres:gpu. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
#define GRES_SEPARATOR '/'
#else
#define GRES_SEPARATOR ':'
#endif

struct job {
	long submit; /* seconds from the origin */
	unsigned int duration, minutes, nodes, gpus;
	char id[WORD], user[WORD], account[WORD], qos[WORD];
};

static bool read_job(FILE *jobs, struct job *job)
{
	return fscanf(jobs, "%63s %ld %u %u %63s %63s %63s %u %u", job->id, &job->submit,
		      &job->duration, &job->minutes, job->user, job->account, job->qos, &job->nodes,
		      &job->gpus) == 9;
}

/* With our environment, as sbatch has it: in it is what makes the job's clock fast. */
static void set_environment(job_desc_msg_t *ask)
{
	ask->environment = environ;
	ask->env_size = 0;
	while (environ[ask->env_size])
		ask->env_size++;
}

/* As sbatch -N NODES --ntasks-per-node=1 --mem=1 --gres=gpu:h100:GPUS would. Returns Slurm's id. */
static uint32_t submit(const struct job *job)
{
	char script[WORD], gres[WORD];
	const struct passwd *user = getpwnam(job->user);
	submit_response_msg_t *response = NULL;
	uint32_t id = 0;
	job_desc_msg_t ask;

	if (!user)
		return 0;
	snprintf(script, sizeof(script), "#!/bin/sh\nexec sleep %u\n", job->duration);
	snprintf(gres, sizeof(gres), "gres%cgpu:h100:%u", GRES_SEPARATOR, job->gpus);
	slurm_init_job_desc_msg(&ask);
	ask.name = (char *)job->id;
	ask.user_id = user->pw_uid;
	ask.group_id = user->pw_gid;
	ask.account = (char *)job->account;
	ask.qos = (char *)job->qos;
	ask.time_limit = job->minutes;
	ask.min_nodes = ask.max_nodes = ask.num_tasks = ask.min_cpus = job->nodes;
	ask.ntasks_per_node = 1;
	ask.pn_min_memory = 1;
	ask.tres_per_node = gres;
	ask.script = script;
	ask.work_dir = "/";
	ask.std_out = "/dev/null";
	set_environment(&ask);
	if (slurm_submit_batch_job(&ask, &response) == SLURM_SUCCESS && response)
		id = response->job_id;
	else
		slurm_perror("slurm_submit_batch_job");
	slurm_free_submit_response_response_msg(response);
	return id;
}

/* A client may get no answer in time although slurmctld took the job: 0, or its id. */
static uint32_t find(const struct job *job)
{
	job_info_msg_t *all = NULL;
	uint32_t id = 0;

	if (slurm_load_jobs(0, &all, SHOW_ALL) != SLURM_SUCCESS)
		return 0;
	for (uint32_t i = 0; i < all->record_count; i++)
		if (!strcmp(all->job_array[i].name, job->id))
			id = all->job_array[i].job_id;
	slurm_free_job_info_msg(all);
	return id;
}

static void wait_until(time_t when)
{
	for (time_t now = time(NULL); now < when; now = time(NULL))
		sleep((unsigned int)(when - now));
}

static int submit_all(FILE *jobs, FILE *log)
{
	/* A start a moment from now, on a whole second. */
	time_t origin = time(NULL) + 60;
	struct job job;

	fprintf(log, "origin %jd\n", (intmax_t)origin);
	while (read_job(jobs, &job)) {
		uint32_t id = 0;
		time_t actual;

		wait_until(origin + job.submit);
		actual = time(NULL);
		for (int i = 0; i < TRIES && !id; i++) {
			id = i ? find(&job) : 0;
			id = id ? id : submit(&job);
		}
		if (!id) {
			fprintf(stderr, "live-submit: job %s can not be submitted\n", job.id);
			return 1;
		}
		fprintf(log, "%s %ld %jd %" PRIu32 "\n", job.id, job.submit,
			(intmax_t)(actual - origin), id);
		fflush(log);
	}
	if (feof(jobs))
		return 0;
	fprintf(stderr, "live-submit: the line after job %s can not be read\n", job.id);
	return 1;
}

int main(int argc, char **argv)
{
	FILE *jobs = argc == 3 ? fopen(argv[1], "r") : NULL;
	FILE *log = jobs ? fopen(argv[2], "w") : NULL;
	int rc;

	if (!log) {
		fprintf(stderr, "usage: live-submit JOBS LOG\n");
		return 2;
	}
	slurm_init(NULL);
	rc = submit_all(jobs, log);
	if (fclose(log))
		rc = 1;
	fclose(jobs);
	slurm_fini();
	return rc;
}

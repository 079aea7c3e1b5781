// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GPUs without nodes, the bound that no placement can beat: a job starts wherever so many GPUs
 * are free, and backfill keeps a profile of free GPUs over time.
 */
#include <stdlib.h>
#include <string.h>

#include "sim_impl.h"

/* So many GPUs are free from at on, until the next step. */
struct step {
	int64_t at, free;
};

struct profile {
	struct step *step;
	size_t count, room;
};

static int compare_steps(const void *a, const void *b)
{
	const struct step *left = a, *right = b;

	return left->at < right->at ? -1 : left->at > right->at;
}

static int profile_make(struct sim *sim, struct profile *profile)
{
	int64_t free = sim->free_gpus;

	profile->room = 2 * (sim->end_count + sim->turn_count) + 2;
	profile->step = malloc(profile->room * sizeof(*profile->step));
	if (!profile->step)
		return gw_error_memory(sim->error);
	profile->step[0] = (struct step){sim->now, 0};
	for (size_t i = 0; i < sim->end_count; i++) {
		const struct sim_job *job = &sim->job[sim->ends[i].job];
		int64_t until = job->start + job->limit;

		profile->step[i + 1] = (struct step){until > sim->now ? until : sim->now + 1,
						     sim->need[job->need].gpus};
	}
	profile->count = sim->end_count + 1;
	qsort(profile->step + 1, profile->count - 1, sizeof(*profile->step), compare_steps);
	for (size_t i = 0; i < profile->count; i++)
		profile->step[i].free = free += profile->step[i].free;
	return 0;
}

/* The step at which so many GPUs are free for as long as span. */
static size_t find_start(const struct profile *profile, int64_t gpus, int64_t span)
{
	size_t start = 0;

	for (size_t i = 0; i < profile->count; i++) {
		if (i > start && profile->step[i].at >= profile->step[start].at + span)
			break;
		if (profile->step[i].free < gpus)
			start = i + 1;
		if (start == profile->count)
			break;
	}
	return start;
}

static void split(struct profile *profile, int64_t at)
{
	size_t i = 0;

	while (i < profile->count && profile->step[i].at < at)
		i++;
	if (i < profile->count && profile->step[i].at == at)
		return;
	memmove(&profile->step[i + 1], &profile->step[i],
		(profile->count - i) * sizeof(*profile->step));
	profile->step[i] = (struct step){at, profile->step[i - 1].free};
	profile->count++;
}

static void take(struct profile *profile, size_t start, int64_t gpus, int64_t span)
{
	int64_t end = profile->step[start].at + span;

	split(profile, end);
	for (size_t i = start; i < profile->count && profile->step[i].at < end; i++)
		profile->step[i].free -= gpus;
}

static int backfill(struct sim *sim, struct profile *profile)
{
	for (size_t i = 0; i < sim->turn_count; i++) {
		const struct sim_turn turn = sim->turn[i];
		const struct sim_job *job = &sim->job[turn.job];
		int64_t gpus = sim->need[job->need].gpus;
		bool allowed = !turn.barred && sim_quota_allows(sim, job);
		size_t start;

		if ((!allowed && !turn.for_nodes) || !sim->free_gpus)
			continue;
		start = find_start(profile, gpus, job->limit);
		if (start == profile->count || (!allowed && profile->step[start].at <= sim->now))
			continue;
		take(profile, start, gpus, job->limit);
		if (profile->step[start].at > sim->now)
			continue;
		if (sim_start(sim, turn.job, 0))
			return -1;
		sim_order_started(sim, job, i + 1);
	}
	return 0;
}

int sim_pool_backfill(struct sim *sim)
{
	struct profile profile = {0};
	int rc = profile_make(sim, &profile) || backfill(sim, &profile) ? -1 : 0;

	free(profile.step);
	return rc;
}

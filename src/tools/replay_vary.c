// SPDX-License-Identifier: GPL-2.0-or-later
/* The same jobs with other time limits, or arriving faster or slower. */
#include "replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"

#define HOUR INT64_C(3600)
#define DAY  (24 * HOUR)

static const char *const limits_names[GW_LIMITS_COUNT] = {
	[GW_LIMITS_AS_GIVEN] = "as-given", [GW_LIMITS_PERFECT] = "perfect",
	[GW_LIMITS_TO_3] = "1-3x",         [GW_LIMITS_TO_20] = "1-20x",
	[GW_LIMITS_CLASSES] = "classes",   [GW_LIMITS_EQUAL] = "equal",
};

const char *gw_replay_limits_name(enum gw_replay_limits limits)
{
	return limits_names[limits];
}

bool gw_replay_limits_named(const char *name, enum gw_replay_limits *limits)
{
	for (unsigned int i = 0; i < GW_LIMITS_COUNT; i++) {
		if (!gw_same(name, limits_names[i]))
			continue;
		*limits = (enum gw_replay_limits)i;
		return true;
	}
	return false;
}

/* Evenly in 0 to 1, by job and seed alone (splitmix64, Steele et al. 2014). */
static double even(uint64_t job, uint32_t seed)
{
	uint64_t x = job + UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)seed + 1);

	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	x ^= x >> 31;
	return (double)(x >> 11) / 9007199254740992.0;
}

/* Slurm keeps limits in minutes. */
static int64_t whole_minutes(double seconds)
{
	int64_t minutes = (int64_t)ceil(seconds / 60);

	return 60 * (minutes > 0 ? minutes : 1);
}

static int64_t least_of_classes(int64_t duration)
{
	static const int64_t classes[] = {4 * HOUR, DAY, 14 * DAY};

	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (duration <= classes[i])
			return classes[i];
	return whole_minutes((double)duration);
}

static int64_t limit_of(const struct gw_trace_job *job, enum gw_replay_limits limits, uint32_t seed)
{
	double duration = (double)job->duration;

	switch (limits) {
	case GW_LIMITS_PERFECT:
		return whole_minutes(duration);
	case GW_LIMITS_TO_3:
		return whole_minutes(duration * (1 + 2 * even(job->id, seed)));
	case GW_LIMITS_TO_20:
		return whole_minutes(duration * (1 + 19 * even(job->id, seed)));
	case GW_LIMITS_CLASSES:
		return least_of_classes(job->duration);
	case GW_LIMITS_EQUAL:
		return job->duration > 30 * DAY ? whole_minutes(duration) : 30 * DAY;
	case GW_LIMITS_AS_GIVEN:
	case GW_LIMITS_COUNT:
		break;
	}
	return job->limit;
}

int gw_replay_vary(const struct gw_trace *trace, enum gw_replay_limits limits, double load,
		   uint32_t seed, struct gw_trace *varied, struct gw_error *error)
{
	int64_t first = trace->count ? trace->job[0].submit : 0;

	*varied = *trace;
	varied->job = malloc((trace->count + 1) * sizeof(*varied->job));
	if (!varied->job)
		return gw_error_memory(error);
	if (trace->count)
		memcpy(varied->job, trace->job, trace->count * sizeof(*varied->job));
	for (size_t i = 0; i < trace->count; i++) {
		struct gw_trace_job *job = &varied->job[i];
		int64_t later = llround((double)(job->submit - first) / load);

		job->limit = limit_of(job, limits, seed);
		if (load == 1)
			continue;
		job->eligible += first + later - job->submit;
		job->submit = first + later;
	}
	return 0;
}

void gw_replay_vary_free(struct gw_trace *varied)
{
	free(varied->job);
	varied->job = NULL;
}

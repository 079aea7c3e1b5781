// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway replay: the options that are numbers. */
#include "replay.h"

#include <string.h>
#include <unistd.h>

#include "../util/parse.h"

#define SEEDS_MAX      1000
#define WORKERS_MAX    256
#define USUAL_JITTER   600 /* seconds */
#define USUAL_WARMUP   0.1
#define SERIES_BINS    240
#define MAX_NAME_BYTES 64

static int count_within(const char *text, uint64_t least, uint64_t most, uint32_t *number,
			struct gw_error *error)
{
	uint64_t count;

	if (gw_parse_count(text, &count, NULL) || count < least || count > most)
		return gw_error_set(error, "%s: must be a whole number from %llu to %llu", text,
				    (unsigned long long)least, (unsigned long long)most);
	*number = (uint32_t)count;
	return 0;
}

/* "10" is seeds 1 to 10, "11-20" are ten others. One seed given as such is the trace as it is. */
static int read_seeds(const char *text, struct gw_replay *replay, struct gw_error *error)
{
	const char *dash = text ? strchr(text, '-') : NULL;
	char first[MAX_NAME_BYTES];
	uint32_t last = 0;

	replay->seed_first = replay->seed_count = 1;
	if (!text)
		return 0;
	if (!dash)
		return count_within(text, 1, SEEDS_MAX, &replay->seed_count, error);
	if ((size_t)(dash - text) >= sizeof(first))
		return gw_error_set(error, "%s: must be FIRST-LAST", text);
	memcpy(first, text, (size_t)(dash - text));
	first[dash - text] = '\0';
	if (count_within(first, 1, UINT32_MAX / 2, &replay->seed_first, error) ||
	    count_within(dash + 1, replay->seed_first, (uint64_t)replay->seed_first + SEEDS_MAX - 1,
			 &last, error))
		return -1;
	replay->seed_count = last - replay->seed_first + 1;
	return 0;
}

static int read_jitter(const struct gw_replay_request *request, struct gw_replay *replay,
		       struct gw_error *error)
{
	bool several = replay->seed_count > 1 || replay->seed_first > 1;

	replay->options.jitter = several ? USUAL_JITTER : 0;
	if (!request->jitter)
		return 0;
	if (gw_parse_time(request->jitter, GW_TIME_PLAIN, &replay->options.jitter, error))
		return gw_error_prefix(error, "--jitter %s: ", request->jitter);
	return 0;
}

static int read_warmup(const char *text, double *warmup, struct gw_error *error)
{
	double percent;

	*warmup = USUAL_WARMUP;
	if (!text)
		return 0;
	if (gw_parse_double(text, &percent, NULL) || percent < 0 || percent > 90)
		return gw_error_set(error, "--warmup %s: must be percent from 0 to 90", text);
	*warmup = percent / 100;
	return 0;
}

static int read_workers(const char *text, uint32_t *workers, struct gw_error *error)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);

	*workers = cores < 1 ? 1 : cores > WORKERS_MAX ? WORKERS_MAX : (uint32_t)cores;
	if (text && count_within(text, 1, WORKERS_MAX, workers, error))
		return gw_error_prefix(error, "--jobs ");
	return 0;
}

int gw_replay_settings(struct gw_replay *replay)
{
	const struct gw_replay_request *request = replay->request;
	struct gw_error error = {0};

	replay->options.samples = request->html ? SERIES_BINS : 0;
	if (read_seeds(request->seeds, replay, &error)) {
		gw_error_prefix(&error, "--seeds ");
	} else if (!read_jitter(request, replay, &error) &&
		   !read_warmup(request->warmup, &replay->options.warmup, &error) &&
		   !read_workers(request->jobs, &replay->workers, &error)) {
		return GW_EXIT_OK;
	}
	gw_complain(replay->command, "%s", error.text);
	return GW_EXIT_USAGE;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway replay: the options that are numbers. */
#include "replay.h"

#include <string.h>
#include <unistd.h>

#include "../util/parse.h"
#include "wall_clock.h"

#define SEEDS_MAX      1000
#define WORKERS_MAX    256
#define USUAL_JITTER   600 /* seconds */
#define USUAL_WARMUP   0.1
#define SERIES_BINS    240
#define MAX_NAME_BYTES 64

bool gw_replay_options_agree(const struct gw_command *command,
			     const struct gw_replay_request *request)
{
	const struct {
		const char *name, *given, *other_name, *other;
	} options[] = {
		{"--view", request->view, "--diff", request->diff},
		{"--key", request->anonymise_key, "--anonymise", request->anonymise},
		{"--keep", request->anonymise_keep, "--anonymise", request->anonymise},
	};

	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		if (!options[i].given || options[i].other)
			continue;
		gw_complain(command, "%s is for %s, which is not given", options[i].name,
			    options[i].other_name);
		return false;
	}
	if (!request->make || !request->time_zone)
		return true;
	gw_complain(command, "--time-zone: jobs of --make have no dates");
	return false;
}

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

/* "11-20": the first, and up to the last. False when it is no such thing. */
static bool read_seed_range(const char *text, const char *dash, struct gw_replay *replay)
{
	char first[MAX_NAME_BYTES];
	uint32_t last = 0;

	if ((size_t)(dash - text) >= sizeof(first))
		return false;
	memcpy(first, text, (size_t)(dash - text));
	first[dash - text] = '\0';
	if (count_within(first, 1, UINT32_MAX / 2, &replay->seed_first, NULL) ||
	    count_within(dash + 1, replay->seed_first, (uint64_t)replay->seed_first + SEEDS_MAX - 1,
			 &last, NULL))
		return false;
	replay->seed_count = last - replay->seed_first + 1;
	return true;
}

/* "10" is seeds 1 to 10, "11-20" are ten others. One seed given as such is the trace as it is. */
static int read_seeds(const char *text, struct gw_replay *replay, struct gw_error *error)
{
	const char *dash = text ? strchr(text, '-') : NULL;

	replay->seed_first = replay->seed_count = 1;
	if (!text || (dash ? read_seed_range(text, dash, replay)
			   : !count_within(text, 1, SEEDS_MAX, &replay->seed_count, NULL)))
		return 0;
	return gw_error_set(error,
			    "%s: must be a number from 1 to %d, or FIRST-LAST of at most so many, "
			    "such as 11-20",
			    text, SEEDS_MAX);
}

/* Checked here, whether there are dates or not. */
static int check_time_zone(const char *zone, struct gw_error *error)
{
	struct gw_wall_clock clock;

	if (zone && gw_wall_clock_init(&clock, zone, error))
		return gw_error_prefix(error, "--time-zone: ");
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
		   !read_workers(request->jobs, &replay->workers, &error) &&
		   !check_time_zone(request->time_zone, &error)) {
		return GW_EXIT_OK;
	}
	gw_complain(replay->command, "%s", error.text);
	return GW_EXIT_USAGE;
}

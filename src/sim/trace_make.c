// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_make.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"
#include "../util/random.h"
#include "../util/str.h"

#define HOUR INT64_C(3600)
#define DAY  (24 * HOUR)

#define USERS 12 /* of a team */

/* No job runs longer, nor shorter. */
#define DURATION_MAX (30 * DAY)
#define DURATION_MIN 10

#define SIZES 6

static const uint32_t sizes[SIZES] = {1, 2, 4, 8, 16, 32};

/* Parts of 100 of the jobs: of each team, and within it of each size. */
static const struct team {
	const char *name;
	int share, size_share[SIZES];
} teams[] = {
	{"team1", 51, {42, 3, 16, 32, 6, 1}},
	{"team2", 13, {30, 1, 38, 28, 3, 0}},
	{"team3", 9, {10, 3, 3, 75, 0, 9}},
	{"team4", 27, {67, 11, 20, 2, 0, 0}},
};

/* Of the natural logarithm of seconds: larger jobs vary as much as small ones. */
static const struct {
	double mean, deviation;
} durations[SIZES] = {{8.2, 3.0}, {9.6, 2.6}, {9.0, 2.8}, {9.3, 2.8}, {8.7, 2.9}, {8.3, 2.9}};

/* Of submits: by the hour, then by the day from Monday on; 100 is the busiest. */
static const int by_hour[24] = {40, 30, 25, 20,  18, 18, 20, 28, 45, 70, 88, 95,
				85, 88, 97, 100, 98, 92, 80, 68, 60, 58, 55, 48};
static const int by_day[7] = {90, 98, 100, 97, 88, 45, 42};

/* Of time limits that people choose, seconds. */
static const int64_t limits[] = {HOUR / 4, HOUR,    4 * HOUR, 12 * HOUR, DAY,
				 3 * DAY,  7 * DAY, 14 * DAY, 30 * DAY};

void gw_trace_make_default(struct gw_trace_make *make)
{
	*make = (struct gw_trace_make){
		.jobs = 8000, .days = 60, .gpus = 832, .load = 0.95, .seed = 1};
}

enum what { JOBS, DAYS, GPUS, LOAD, SEED };

/* What --make takes, and from what to what. */
static const struct number {
	const char *name;
	enum what what;
	double least, most;
	const char *range;
} numbers[] = {
	{"jobs", JOBS, 1, 1e8, "from 1 to 100000000"},
	{"days", DAYS, 0.01, 36500, "from 0.01 to 36500"},
	{"gpus", GPUS, 1, 1e7, "from 1 to 10000000"},
	{"load", LOAD, 0.001, 10, "from 0.001 to 10"},
	{"seed", SEED, 0, 0x1p53, "from 0 to 2^53"},
};

static void store(struct gw_trace_make *make, enum what what, double value)
{
	switch (what) {
	case JOBS:
		make->jobs = (size_t)value;
		break;
	case DAYS:
		make->days = value;
		break;
	case GPUS:
		make->gpus = (uint32_t)value;
		break;
	case LOAD:
		make->load = value;
		break;
	case SEED:
		make->seed = (uint64_t)value;
		break;
	}
}

static int set_value(struct gw_trace_make *make, const char *name, const char *text,
		     struct gw_error *error)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const struct number *number = &numbers[i];
		double value;

		if (!gw_same(name, number->name))
			continue;
		if (gw_parse_double(text, &value, NULL) || value < number->least ||
		    value > number->most)
			return gw_error_set(error, "%s=%s: must be a number %s", name, text,
					    number->range);
		store(make, number->what, value);
		return 0;
	}
	return gw_error_set(error, "%s=%s: must be jobs, days, gpus, load or seed", name, text);
}

int gw_trace_make_parse(const char *text, struct gw_trace_make *make, struct gw_error *error)
{
	struct gw_trace_make parsed = *make;
	struct gw_strings words = {0};
	int failed = *text && gw_strings_split(&words, text) ? gw_error_memory(error) : 0;

	for (size_t i = 0; !failed && i < words.count; i++) {
		char *equals = strchr(words.item[i], '=');

		if (!equals) {
			failed = gw_error_set(error, "'%s' must be NAME=NUMBER", words.item[i]);
			continue;
		}
		*equals = '\0';
		failed = set_value(&parsed, words.item[i], equals + 1, error);
	}
	gw_strings_free(&words);
	if (!failed)
		*make = parsed;
	return failed;
}

/* One of several things by their parts of 100. */
static size_t choose(struct gw_random *random, const int *share, size_t stride, size_t count)
{
	int drawn = (int)gw_random_below(random, 100);
	size_t i = 0;

	for (; i + 1 < count && drawn >= share[i * stride]; i++)
		drawn -= share[i * stride];
	return i;
}

/* By rejection: of times that are all alike, busy hours keep more. */
static int64_t draw_submit(struct gw_random *random, double days)
{
	for (;;) {
		int64_t submit = (int64_t)(gw_random_uniform(random) * days * (double)DAY);
		int busy = by_hour[submit / HOUR % 24] * by_day[submit / DAY % 7];

		if ((int)gw_random_below(random, 100 * 100) < busy)
			return submit;
	}
}

/* Names of teams and users as indexes of names. */
struct people {
	uint32_t team[4], user[4][USERS], high, normal;
};

static int name_people(struct gw_trace *trace, struct people *people, struct gw_error *error)
{
	char name[32];

	if (gw_trace_name(trace, "high", &people->high, error) ||
	    gw_trace_name(trace, "normal", &people->normal, error))
		return -1;
	for (int team = 0; team < 4; team++) {
		if (gw_trace_name(trace, teams[team].name, &people->team[team], error))
			return -1;
		for (int user = 0; user < USERS; user++) {
			snprintf(name, sizeof(name), "user%d_%d", team + 1, user + 1);
			if (gw_trace_name(trace, name, &people->user[team][user], error))
				return -1;
		}
	}
	return 0;
}

/* Few users have most of the jobs of a team. */
static size_t draw_user(struct gw_random *random)
{
	double part = gw_random_uniform(random);

	return (size_t)(part * part * USERS);
}

/* Longer than any job may run to begin with; see fit_load(). */
static double draw_duration(struct gw_random *random, size_t size)
{
	double log_seconds =
		durations[size].mean + durations[size].deviation * gw_random_normal(random);

	return exp(log_seconds < 40 ? log_seconds : 40);
}

static struct gw_trace_job draw_job(struct gw_random *random, const struct gw_trace_make *make,
				    const struct people *people, double *duration)
{
	size_t team = choose(random, &teams[0].share, sizeof(teams[0]) / sizeof(int), 4);
	size_t size = choose(random, teams[team].size_share, 1, SIZES);

	while (size && sizes[size] > make->gpus)
		size--;
	*duration = draw_duration(random, size);
	return (struct gw_trace_job){
		.start = GW_TRACE_NONE,
		.end = GW_TRACE_NONE,
		.gpus = sizes[size],
		.account = people->team[team],
		.user = people->user[team][draw_user(random)],
		.qos = gw_random_below(random, 100) < (sizes[size] >= 8 ? 20 : 5) ? people->high
										  : people->normal,
	};
}

/* Part of the submits bring more jobs like the first, seconds apart. */
static size_t draw_siblings(struct gw_random *random)
{
	return gw_random_below(random, 100) < 6 ? 1 + gw_random_below(random, 12) : 0;
}

static int draw_jobs(struct gw_random *random, const struct gw_trace_make *make,
		     struct gw_trace *trace, double *duration, struct gw_error *error)
{
	struct people people;
	struct gw_trace_job job;
	size_t siblings = 0;

	if (name_people(trace, &people, error))
		return -1;
	while (trace->count < make->jobs) {
		if (siblings) {
			siblings--;
			job.submit += 1 + (int64_t)gw_random_below(random, 20);
			duration[trace->count] =
				duration[trace->count - 1] * exp(0.3 * gw_random_normal(random));
		} else {
			job = draw_job(random, make, &people, &duration[trace->count]);
			job.submit = draw_submit(random, make->days);
			siblings = draw_siblings(random);
		}
		/* The duration is found by this until all are known. */
		job.id = trace->count;
		if (gw_trace_add(trace, &job, error))
			return -1;
	}
	return gw_trace_sort(trace, error);
}

static double bounded(double seconds, double most)
{
	if (seconds < DURATION_MIN)
		return DURATION_MIN;
	return seconds > most ? most : seconds;
}

static double gpu_seconds(const struct gw_trace *trace, const double *duration, double scale,
			  double most)
{
	double sum = 0;

	for (size_t i = 0; i < trace->count; i++)
		sum += trace->job[i].gpus * bounded(duration[trace->job[i].id] * scale, most);
	return sum;
}

/* What all durations are multiplied by for the load, by bisection: bounds make it no quotient. */
static double fit_load(const struct gw_trace *trace, const struct gw_trace_make *make,
		       const double *duration, double most)
{
	double wanted = make->load * make->gpus * make->days * (double)DAY;
	double low = -40, high = 40;

	for (int i = 0; i < 50; i++) {
		double middle = (low + high) / 2;

		if (gpu_seconds(trace, duration, exp(middle), most) < wanted)
			low = middle;
		else
			high = middle;
	}
	return exp(low);
}

/* The next larger one above what a user guesses, which is up to thrice what the job takes. */
static int64_t draw_limit(struct gw_random *random, int64_t duration)
{
	double guess = (double)duration * (1 + 2 * gw_random_uniform(random));
	size_t count = sizeof(limits) / sizeof(limits[0]);

	for (size_t i = 0; i < count; i++)
		if ((double)limits[i] > guess)
			return limits[i];
	return duration > limits[count - 1] ? duration : limits[count - 1];
}

/* Half of the time at most, or a short trace would be a few jobs. */
static double longest(double days)
{
	double most = days / 2 * (double)DAY;

	return most < DURATION_MAX ? most : DURATION_MAX;
}

static void finish_jobs(struct gw_random *random, const struct gw_trace_make *make,
			struct gw_trace *trace, const double *duration)
{
	double most = longest(make->days), scale = fit_load(trace, make, duration, most);

	for (size_t i = 0; i < trace->count; i++) {
		struct gw_trace_job *job = &trace->job[i];

		job->duration = (int64_t)bounded(duration[job->id] * scale, most);
		job->limit = draw_limit(random, job->duration);
		job->eligible = job->submit;
		job->id = i + 1;
	}
}

int gw_trace_make(const struct gw_trace_make *make, struct gw_trace *trace, struct gw_error *error)
{
	double *duration = calloc(make->jobs + 1, sizeof(*duration));
	struct gw_random random;
	int failed;

	if (!duration)
		return gw_error_memory(error);
	gw_random_seed(&random, make->seed);
	failed = draw_jobs(&random, make, trace, duration, error);
	if (!failed)
		finish_jobs(&random, make, trace, duration);
	free(duration);
	return failed ? -1 : 0;
}

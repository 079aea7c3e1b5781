// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Runs of rows and seeds on all cores. Each run is a task of its own with a result of its own, so
 * what comes out does not depend on how many workers there are.
 *
 * Locks: the mutex guards next, left, failed and error; how far a task is is atomic. A worker
 * writes only the result of its task.
 */
#include "replay.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_WIDTH      40
#define REDRAW_NS      200000000L
#define PARTS_OF_A_RUN 1000

struct task {
	struct gw_replay_row *row;
	uint32_t seed;    /* from 0 */
	atomic_uint done; /* of PARTS_OF_A_RUN */
};

struct crew {
	struct gw_replay *replay;
	struct task *task;
	size_t count;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	size_t next, left; /* left: workers that have not returned */
	size_t failed;     /* the first task that did; count: none */
	struct gw_error error;
	int shown; /* percent */
};

static void note_progress(void *arg, double done)
{
	struct task *task = arg;

	atomic_store(&task->done, (unsigned int)(done * PARTS_OF_A_RUN));
}

static int compare_waits(const void *a, const void *b)
{
	float x = *(const float *)a, y = *(const float *)b;

	return (x > y) - (x < y);
}

static void quantiles_of(float *waits, size_t count, struct gw_replay_quantiles *quantiles)
{
	quantiles->jobs = count;
	if (!count)
		return;
	qsort(waits, count, sizeof(*waits), compare_waits);
	for (size_t i = 0; i < GW_REPLAY_QUANTILES; i++)
		quantiles->at[i] = waits[i * (count - 1) / (GW_REPLAY_QUANTILES - 1)];
}

/* What the page shows of the runs of all jobs, so that they need not be kept. */
static int summarise_waits(const struct gw_trace *trace, const struct gw_sim_result *result,
			   struct gw_replay_row *row, struct gw_error *error)
{
	float *waits = malloc((result->run_count + 1) * sizeof(*waits));

	if (!waits)
		return gw_error_memory(error);
	for (size_t size = 0; size < GW_SIM_SIZES; size++) {
		size_t count = 0;

		for (size_t i = 0; i < result->run_count; i++) {
			const struct gw_sim_run *run = &result->run[i];
			uint32_t gpus = trace->job[run->job].gpus;

			if (gpus && gw_sim_size_of(gpus) == size)
				waits[count++] = (float)(run->start - run->eligible);
		}
		quantiles_of(waits, count, &row->waits[size]);
	}
	free(waits);
	return 0;
}

static void drop_runs(struct gw_sim_result *result)
{
	free(result->run);
	result->run = NULL;
	result->run_count = 0;
}

/* A window that was given moves with the arrivals. */
static int64_t moved(int64_t when, int64_t first, double load)
{
	return when ? first + llround((double)(when - first) / load) : 0;
}

static struct gw_sim_options options_of(const struct gw_replay *replay, struct task *task)
{
	struct gw_sim_options options = replay->options;
	int64_t first = replay->trace.count ? replay->trace.job[0].submit : 0;

	options.seed = replay->seed_first + task->seed;
	if (!replay->options.jitter)
		options.seed = 0;
	options.from = moved(options.from, first, task->row->load);
	options.until = moved(options.until, first, task->row->load);
	if (task->seed)
		options.samples = 0;
	options.progress = note_progress;
	options.progress_arg = task;
	return options;
}

static int run_varied(const struct gw_replay *replay, struct task *task,
		      const struct gw_trace *trace, struct gw_error *error)
{
	struct gw_sim_options options = options_of(replay, task);
	struct gw_replay_row *row = task->row;
	struct gw_sim_result *result = &row->result[task->seed];
	int failed;

	failed = row->recorded
			 ? gw_sim_recorded(trace, &replay->model, &row->policy, &options, result,
					   error)
			 : gw_sim_run(trace, &replay->model, &row->policy, &options, result, error);
	if (failed)
		return gw_error_prefix(error, "%s: ", row->label);
	if (!task->seed && summarise_waits(trace, result, row, error))
		return -1;
	if (task->seed || row != &replay->row[0] || !replay->request->schedule)
		drop_runs(result);
	return 0;
}

static int run_task(const struct gw_replay *replay, struct task *task, struct gw_error *error)
{
	const struct gw_replay_row *row = task->row;
	uint32_t seed = replay->seed_first + task->seed;
	struct gw_trace varied;
	int failed;

	if (row->limits == GW_LIMITS_AS_GIVEN && row->load == 1)
		return run_varied(replay, task, &replay->trace, error);
	if (gw_replay_vary(&replay->trace, row->limits, row->load, seed, &varied, error))
		return -1;
	failed = run_varied(replay, task, &varied, error);
	gw_replay_vary_free(&varied);
	return failed;
}

/* The error of the first task in their order is kept, whoever failed first. */
static void keep_error(struct crew *crew, size_t index, const struct gw_error *error)
{
	pthread_mutex_lock(&crew->mutex);
	if (index < crew->failed) {
		crew->failed = index;
		crew->error = *error;
	}
	pthread_mutex_unlock(&crew->mutex);
}

static size_t take(struct crew *crew)
{
	size_t index = crew->count;

	pthread_mutex_lock(&crew->mutex);
	if (crew->failed == crew->count && crew->next < crew->count)
		index = crew->next++;
	pthread_mutex_unlock(&crew->mutex);
	return index;
}

static void *work(void *arg)
{
	struct crew *crew = arg;
	size_t index;

	while ((index = take(crew)) < crew->count) {
		struct gw_error error = {0};

		if (run_task(crew->replay, &crew->task[index], &error))
			keep_error(crew, index, &error);
		note_progress(&crew->task[index], 1);
	}
	pthread_mutex_lock(&crew->mutex);
	crew->left--;
	pthread_cond_signal(&crew->changed);
	pthread_mutex_unlock(&crew->mutex);
	return NULL;
}

static void draw(struct crew *crew)
{
	double done = 0;
	int full;

	for (size_t i = 0; i < crew->count; i++)
		done += atomic_load(&crew->task[i].done);
	done /= (double)PARTS_OF_A_RUN * (double)crew->count;
	if ((int)(100 * done) == crew->shown)
		return;
	crew->shown = (int)(100 * done);
	full = (int)(done * BAR_WIDTH);
	fprintf(stderr, "\r[%.*s%*s] %3d %% of %zu runs", full,
		"########################################", BAR_WIDTH - full, "", crew->shown,
		crew->count);
	fflush(stderr);
}

/* Until the last worker has returned. */
static void watch(struct crew *crew)
{
	bool visible = crew->replay->request->progress || isatty(STDERR_FILENO);

	pthread_mutex_lock(&crew->mutex);
	while (crew->left) {
		struct timespec when;

		if (visible)
			draw(crew);
		clock_gettime(CLOCK_REALTIME, &when);
		when.tv_nsec += REDRAW_NS;
		when.tv_sec += when.tv_nsec / 1000000000L;
		when.tv_nsec %= 1000000000L;
		pthread_cond_timedwait(&crew->changed, &crew->mutex, &when);
	}
	pthread_mutex_unlock(&crew->mutex);
	if (visible)
		fprintf(stderr, "\r%*s\r", BAR_WIDTH + 40, "");
}

static void run_crew(struct crew *crew)
{
	size_t wanted = crew->replay->workers < crew->count ? crew->replay->workers : crew->count;
	pthread_t thread[wanted ? wanted : 1];
	size_t started = 0;

	crew->left = wanted;
	while (started < wanted && !pthread_create(&thread[started], NULL, work, crew))
		started++;
	pthread_mutex_lock(&crew->mutex);
	crew->left -= wanted - started;
	pthread_mutex_unlock(&crew->mutex);
	if (started)
		watch(crew);
	for (size_t i = 0; i < started; i++)
		pthread_join(thread[i], NULL);
	if (!started) {
		crew->left = 1;
		work(crew);
	}
}

static int make_tasks(struct gw_replay *replay, struct crew *crew)
{
	size_t limit = replay->row_count * replay->seed_count;

	crew->task = calloc(limit + 1, sizeof(*crew->task));
	if (!crew->task)
		return -1;
	for (size_t i = 0; i < replay->row_count; i++) {
		struct gw_replay_row *row = &replay->row[i];
		uint32_t seeds = row->recorded ? 1 : replay->seed_count;

		row->result = calloc(seeds, sizeof(*row->result));
		if (!row->result)
			return -1;
		for (uint32_t seed = 0; seed < seeds; seed++) {
			crew->task[crew->count].row = row;
			crew->task[crew->count++].seed = seed;
		}
	}
	return 0;
}

int gw_replay_run(struct gw_replay *replay)
{
	struct crew crew = {.replay = replay, .shown = -1};
	int code = GW_EXIT_OK;

	if (make_tasks(replay, &crew)) {
		free(crew.task);
		return gw_complain(replay->command, "out of memory");
	}
	crew.failed = crew.count;
	pthread_mutex_init(&crew.mutex, NULL);
	pthread_cond_init(&crew.changed, NULL);
	run_crew(&crew);
	if (crew.failed < crew.count)
		code = gw_complain(replay->command, "%s", crew.error.text);
	pthread_cond_destroy(&crew.changed);
	pthread_mutex_destroy(&crew.mutex);
	free(crew.task);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_state.h"

#include <signal.h>
#include <string.h>

#include "plugins/common/breaker.h"
#include "plugins/common/engine.h"
#include "plugins/common/learned.h"
#include "plugins/common/touched.h"
#include "plugins/common/weak.h"
#include "src/common/assoc_mgr.h"
#include "src/core/numbers.h"
#include "src/slurmctld/job_scheduler.h"

/* A pass at least so often, if it is cheap. */
#define GW_RANK_SECONDS 1

/* After a pass none for this long, nor for so many times as long as it took. */
#define GW_RANK_PAUSE_NS    (100 * 1000000LL)
#define GW_RANK_PAUSE_TIMES 20

/* Longer than a pass of backfill takes, at the end of which het jobs start. */
#define GW_RANK_HET_SECONDS 600

static struct gw_rank *the_rank(void)
{
	static struct gw_rank rank = {.lock = PTHREAD_MUTEX_INITIALIZER};

	return &rank;
}

/* Waits by a clock that nobody sets. */
static void make_wake(void)
{
	pthread_condattr_t monotonic;

	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&the_rank()->wake, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

struct gw_rank *gw_rank_get(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_wake);
	return the_rank();
}

/* Waits until poked, stopped, or a second is over. False: stop. */
static bool wait_for_work(struct gw_rank *rank)
{
	struct timespec until;
	bool go_on;

	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_sec += GW_RANK_SECONDS;
	pthread_mutex_lock(&rank->lock);
	while (!rank->stop && !rank->poked &&
	       !pthread_cond_timedwait(&rank->wake, &rank->lock, &until))
		;
	rank->poked = false;
	go_on = !rank->stop;
	pthread_mutex_unlock(&rank->lock);
	return go_on;
}

int64_t gw_rank_cpu_ns(void)
{
	struct timespec used;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
	return (int64_t)used.tv_sec * 1000000000LL + used.tv_nsec;
}

/*
 * The ranks cost at most a few percent of one CPU, however many jobs there are, and less time under
 * slurmctld's locks than breaks their budget. Ends at once when slurmctld does.
 */
static void pause_after(struct gw_rank *rank, int64_t took_ns)
{
	int64_t ns = took_ns * GW_RANK_PAUSE_TIMES;
	struct timespec until;

	ns = MAX(ns, MAX(rank->locks_rest_ns, GW_RANK_PAUSE_NS));
	clock_gettime(CLOCK_MONOTONIC, &until);
	ns += until.tv_nsec;
	until.tv_sec += ns / 1000000000LL;
	until.tv_nsec = ns % 1000000000LL;
	pthread_mutex_lock(&rank->lock);
	while (!rank->stop && !pthread_cond_timedwait(&rank->wake, &rank->lock, &until))
		;
	pthread_mutex_unlock(&rank->lock);
}

/*
 * Slurm sorts its queue once a pass: with the ranks that a start made new, those who were turned
 * away have their turn in another.
 */
static void schedule_again(struct gw_rank *rank, bool ranked)
{
	bool again;

	pthread_mutex_lock(&rank->lock);
	again = rank->turned_away && ranked;
	rank->turned_away = false;
	pthread_mutex_unlock(&rank->lock);
	if (again && !slurmctld_config.shutdown_time)
		schedule(false);
}

static void *run(void *arg)
{
	struct gw_rank *rank = arg;

	while (wait_for_work(rank)) {
		int64_t begun = gw_rank_cpu_ns(), took;
		bool ranked = gw_rank_pass(rank);

		if (!ranked)
			gw_rank_leave(rank);
		took = gw_rank_cpu_ns() - begun;
		schedule_again(rank, ranked);
		gw_learned_pass();
		pause_after(rank, took);
	}
	return NULL;
}

int gw_rank_start(gw_stock_priority *stock)
{
	struct gw_rank *rank = gw_rank_get();
	sigset_t all, before;
	int rc;

	if (!running_in_slurmctld() || rank->running)
		return 0;
	rank->stock = stock;
	rank->stop = false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	rc = pthread_create(&rank->thread, NULL, run, rank);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	rank->running = !rc;
	return rc ? -1 : 0;
}

void gw_rank_wake(void)
{
	struct gw_rank *rank = gw_rank_get();

	pthread_mutex_lock(&rank->lock);
	rank->poked = true;
	pthread_cond_signal(&rank->wake);
	pthread_mutex_unlock(&rank->lock);
}

void gw_rank_stop(void)
{
	struct gw_rank *rank = gw_rank_get();

	if (!rank->running)
		return;
	pthread_mutex_lock(&rank->lock);
	rank->stop = true;
	pthread_cond_signal(&rank->wake);
	pthread_mutex_unlock(&rank->lock);
	pthread_join(rank->thread, NULL);
	rank->running = false;
	/* What the hooks noted since the last pass is in the jobs' state, which outlives us. */
	gw_touched_load(rank);
	gw_touched_merge(rank);
	gw_touched_publish(rank);
	gw_learned_stop();
	gw_rank_free(rank);
}

/* An array task is tested through its head record, which alone is ranked. */
static uint32_t ranked_id(const job_record_t *job)
{
	return job->array_job_id ? job->array_job_id : job->job_id;
}

bool gw_rank_turn_is_over(const job_record_t *job)
{
	struct gw_rank *rank = gw_rank_get();
	bool over;

	pthread_mutex_lock(&rank->lock);
	over = gw_standing_waits_for_turn(&rank->standing, ranked_id(job));
	rank->turned_away = rank->turned_away || over;
	pthread_mutex_unlock(&rank->lock);
	return over;
}

bool gw_rank_waits_for_nodes(const job_record_t *job)
{
	struct gw_rank *rank = gw_rank_get();
	const struct gw_standing_entry *entry;
	time_t now = time(NULL);
	bool waits;

	pthread_mutex_lock(&rank->lock);
	entry = gw_standing_find(&rank->standing, ranked_id(job));
	waits = entry && entry->for_nodes &&
		(now < rank->het_tested || now - rank->het_tested > GW_RANK_HET_SECONDS);
	pthread_mutex_unlock(&rank->lock);
	return waits;
}

void gw_rank_het_may_start(void)
{
	struct gw_rank *rank = gw_rank_get();

	pthread_mutex_lock(&rank->lock);
	rank->het_tested = time(NULL);
	pthread_mutex_unlock(&rank->lock);
}

void gw_rank_job_began(const job_record_t *job)
{
	struct gw_rank *rank = gw_rank_get();

	pthread_mutex_lock(&rank->lock);
	gw_standing_began(&rank->standing, ranked_id(job));
	rank->poked = true;
	pthread_cond_signal(&rank->wake);
	pthread_mutex_unlock(&rank->lock);
}

/* Adds a job that was placed, so that the next one is placed with it. */
static void board_add(struct gw_rank_board *board, const struct gw_job *job, uint32_t number)
{
	if (board->count == board->room) {
		board->room = board->room ? board->room * 2 : 64;
		xrealloc(board->job, board->room * sizeof(*board->job));
		xrealloc(board->number, board->room * sizeof(*board->number));
	}
	board->job[board->count] = *job;
	board->number[board->count++] = number;
}

/* Exact places of new jobs may take a third of the budget of a minute: a burst does not spend it.
 */
static bool may_place(struct gw_rank *rank)
{
	uint64_t budget = gw_policy_conf(rank->board.policy)->hook_time_budget * UINT64_C(1000000);
	uint64_t now = gw_engine_clock_ns();

	if (now - rank->place_begun >= GW_BREAKER_WINDOW_NS) {
		rank->place_begun = now;
		rank->place_ns = 0;
	}
	return rank->board.count <= GW_RANK_PLACE_MAX && rank->place_ns < budget / 3;
}

/* The number of a job that the last ranks did not see; 0: it can not be told. */
static uint32_t place(struct gw_rank *rank, const struct gw_job *job)
{
	struct gw_rank_board *board = &rank->board;
	struct gw_order_input input = {
		.conf = gw_policy_conf(board->policy),
		.jobs = board->job,
		.job_count = board->count,
		.usage = board->usage,
		.held = board->held,
		.quota = board->quota,
		.gpus = board->gpus,
		.gaps = board->gaps,
		.gap_count = board->gap_count,
		.now = time(NULL),
	};
	struct gw_order_place where;
	struct gw_error why = {{0}};
	uint32_t before = 0, after = 0;

	if (gw_order_place(rank->board_work, &input, job, &where, &why) ||
	    where.place == GW_NO_INDEX)
		return 0;
	if (where.before != GW_NO_INDEX)
		before = board->number[where.before];
	if (where.after != GW_NO_INDEX)
		after = board->number[where.after];
	return where.rank.state == GW_ORDER_BLOCKED ? gw_number_between_blocked(before, after)
						    : gw_number_between(before, after);
}

static uint32_t place_in_time(struct gw_rank *rank, const struct gw_job *job)
{
	uint64_t begun = gw_engine_clock_ns();
	uint32_t number;

	if (!may_place(rank))
		return gw_number_between(rank->board.last_startable, 0);
	number = place(rank, job);
	rank->place_ns += gw_engine_clock_ns() - begun;
	return number;
}

/* Notes the job's own site factor, before ours takes its place. */
static void note_fresh(struct gw_rank *rank, const job_record_t *record)
{
	if (rank->fresh_count == rank->fresh_room) {
		rank->fresh_room = rank->fresh_room ? rank->fresh_room * 2 : 64;
		xrealloc(rank->fresh, rank->fresh_room * sizeof(*rank->fresh));
	}
	rank->fresh[rank->fresh_count++] = (struct gw_noted){
		.job = record->job_id,
		.array_job = record->array_job_id,
		.before = gw_touched_before(record),
	};
}

/*
 * The policy's number for job, or 0: it is for stock to say. A task that was split off its array
 * and waits again is ranked by itself.
 */
static uint32_t number_of(struct gw_rank *rank, const struct gw_policy *policy,
			  const job_record_t *record, const struct gw_job *job)
{
	const struct gw_standing_entry *entry;
	uint32_t number = 0;

	pthread_mutex_lock(&rank->lock);
	/* The indexes of the job are those of policy. */
	if (policy == rank->board.policy) {
		entry = gw_standing_find(&rank->standing, job->id);
		number = entry ? entry->number : place_in_time(rank, job);
		if (!entry && number) {
			const struct gw_standing_entry placed = {.job = job->id, .number = number};

			board_add(&rank->board, job, number);
			gw_standing_insert(&rank->standing, &placed);
		}
		if (number)
			note_fresh(rank, record);
	}
	rank->poked = true;
	pthread_cond_signal(&rank->wake);
	pthread_mutex_unlock(&rank->lock);
	return number;
}

/* Copies one job; false: an outside job, or one that is not for us to order. */
static bool look_at(struct gw_policy *policy, const job_record_t *record, struct gw_job *job,
		    struct gw_call *call)
{
	assoc_mgr_lock_t locks = {.assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK};
	struct gw_tres_positions positions;
	bool ours;

	gw_snap_lock(policy, &positions, &locks, call);
	ours = gw_snap_job(policy, &positions, record, job);
	assoc_mgr_unlock(&locks);
	gw_snap_positions_free(&positions);
	/* A job that was just made has no priority yet; it is not held. */
	job->held = gw_snap_depends(record);
	return ours && !job->pinned;
}

uint32_t gw_rank_priority(job_record_t *record, struct gw_call *call)
{
	struct gw_rank *rank = gw_rank_get();
	struct gw_policy *policy = gw_engine_policy();
	uint32_t number = 0;
	struct gw_job job;

	if (policy && IS_JOB_PENDING(record) && record->details && gw_engine_enforces(GW_ORDER) &&
	    look_at(policy, record, &job, call))
		number = number_of(rank, policy, record, &job);
	gw_policy_put(policy);
	gw_call_stock_begin(call);
	number = number ? gw_number_set(record, number, rank->stock) : rank->stock(record);
	gw_call_stock_end(call);
	return number;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "order_jobs.h"
#include "unit.h"

/* --- against the definition, step by step over all jobs --- */

static uint32_t random_state;

static uint32_t pick(uint32_t below)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % below;
}

struct step_key {
	double part[9];
};

/* What a definition starts, as it goes. */
struct started {
	struct gw_quota *quota; /* what is held now and what of it started */
	uint32_t used[4][2];    /* also of what nodes keep from starting */
	double held[LINES_MAX];
	bool nodes[4][2]; /* are what is short */
	int64_t left[2];  /* free GPUs by flavor that nobody has taken */
};

static enum gw_order_state ask_now(const struct fixture *f, const struct started *started,
				   const struct gw_job *job)
{
	int32_t pool = gw_quota_pool_of(f->conf, job->queue, job->flavor);
	const struct gw_pool *conf = &f->conf->pools[pool];
	struct gw_quota_figures figures = gw_quota_figures(started->quota, pool, job->flavor);
	struct gw_quota_ask ask = {pool, job->flavor, job->gpus, job->limit};
	struct gw_quota_answer answer = gw_quota_ask(started->quota, &ask);
	bool borrow = started->used[pool][job->flavor] + job->gpus > figures.quota;

	if (!started->nodes[pool][job->flavor]) {
		if (answer.why != GW_QUOTA_ALLOWED)
			return GW_ORDER_BLOCKED;
		return answer.borrow ? GW_ORDER_BORROWING : GW_ORDER_INSIDE;
	}
	borrow = borrow && conf->cohort.index != GW_NO_INDEX && figures.borrow_limit;
	if (job->gpus > figures.largest || (borrow && job->limit > conf->loan_time))
		return GW_ORDER_BLOCKED;
	ask.gpus =
		job->gpus < figures.reach - figures.held ? job->gpus : figures.reach - figures.held;
	if (gw_quota_ask(started->quota, &ask).why == GW_QUOTA_PEAK_STRICT)
		return GW_ORDER_BLOCKED;
	return borrow ? GW_ORDER_BORROWING : GW_ORDER_INSIDE;
}

static void start_now(const struct fixture *f, struct started *started, const struct gw_job *job)
{
	int32_t pool = gw_quota_pool_of(f->conf, job->queue, job->flavor);
	uint32_t room = gw_quota_reach(started->quota, pool, job->flavor) -
			gw_quota_held(started->quota, pool, job->flavor);

	if (job->gpus <= room)
		gw_quota_hold(started->quota, pool, job->flavor, job->gpus);
	started->used[pool][job->flavor] += job->gpus;
	/* A job that the free GPUs do not hold only waits: its queue holds no more for it. */
	if (job->gpus > started->left[job->flavor])
		return;
	started->left[job->flavor] -= job->gpus;
	started->held[line_of(f, job->queue, job->flavor)] += job->rate;
}

/* What SmallHold does with a job. */
enum hold { NOTHING, BACK, LET_GO };

/* The same arithmetic as the key's definition, from nothing but the input. */
static struct step_key key_of(const struct fixture *f, const struct started *started, size_t index,
			      enum hold hold, enum gw_order_state fate)
{
	const struct gw_job *job = &f->job[index];
	int32_t pool = gw_quota_pool_of(f->conf, job->queue, job->flavor);
	uint32_t quota = gw_quota_figures(started->quota, pool, job->flavor).quota;
	enum gw_order_state state = ask_now(f, started, job);
	size_t line = line_of(f, job->queue, job->flavor);
	const struct gw_queue *queue = &f->conf->queues[job->queue];
	bool guard = NOW - job->eligible > queue->max_wait,
	     shortest = job->job_class == STANDARD && !guard;
	double per_usage = log(2) / WEEK, phase = 2 + fate;
	double usage = f->usage[line] * per_usage + f->conf->share_term * started->held[line];

	if (fate != GW_ORDER_BLOCKED && state != GW_ORDER_BLOCKED)
		phase = state;
	return (struct step_key){
		{phase, job->job_class, hold == BACK,
		 quota ? (double)started->used[pool][job->flavor] / quota : INFINITY,
		 usage / queue->weight, !guard,
		 shortest && queue->within == GW_WITHIN_SHORTEST_LIMIT
			 ? trunc((double)job->limit * (hold == LET_GO ? GW_ORDER_GAP_PART : 1))
			 : 0,
		 (double)job->eligible, job->id}};
}

static bool key_less(const struct step_key *a, const struct step_key *b)
{
	for (int i = 0; i < COUNT(a->part); i++)
		if (a->part[i] != b->part[i])
			return a->part[i] < b->part[i];
	return false;
}

/* Freed by gw_quota_free() of its quota. */
static struct started nothing_started(const struct fixture *f)
{
	struct started started = {.quota = gw_quota_copy(f->quota, NULL)};

	memcpy(started.held, f->held, sizeof(started.held));
	for (size_t flavor = 0; flavor < 2; flavor++)
		started.left[flavor] = f->in.gpus ? f->in.gpus[flavor].free : INT32_MAX;
	for (int32_t pool = 0; pool < 4; pool++)
		for (int32_t flavor = 0; flavor < 2; flavor++) {
			uint32_t held = gw_quota_held(f->quota, pool, flavor);

			started.used[pool][flavor] = held;
			started.nodes[pool][flavor] =
				f->in.gpus &&
				gw_quota_reach(f->quota, pool, flavor) - held >=
					f->in.gpus[flavor].free &&
				gw_quota_figures(f->quota, pool, flavor).alone >=
					f->in.gpus[flavor].all;
		}
	return started;
}

static enum gw_order_state alone(const struct fixture *f, const struct gw_job *job)
{
	struct started nothing = nothing_started(f);
	enum gw_order_state state = ask_now(f, &nothing, job);

	gw_quota_free(nothing.quota);
	return state;
}

static bool counts(const struct fixture *f, const enum gw_order_state *fate, const enum hold *hold,
		   size_t index, int flavor)
{
	return hold[index] == BACK && f->job[index].flavor == flavor &&
	       f->job[index].eligible < NOW && fate[index] != GW_ORDER_BLOCKED;
}

static size_t first_to_go(const struct fixture *f, const enum gw_order_state *fate,
			  const enum hold *hold, int flavor)
{
	size_t first = SIZE_MAX;

	for (size_t i = 0; i < f->in.job_count; i++)
		if (counts(f, fate, hold, i, flavor) &&
		    (first == SIZE_MAX || f->job[i].gpus > f->job[first].gpus ||
		     (f->job[i].gpus == f->job[first].gpus &&
		      f->job[i].eligible < f->job[first].eligible)))
			first = i;
	return first;
}

/* The largest and oldest that step back go, until no more than the remainder is left. */
static void let_go(const struct fixture *f, const enum gw_order_state *fate, enum hold *hold,
		   int flavor)
{
	uint32_t batch = f->conf->small_batch, all = 0, left;

	for (size_t i = 0; i < f->in.job_count; i++)
		if (counts(f, fate, hold, i, flavor))
			all += f->job[i].gpus;
	left = all;
	while (batch && left > all % batch) {
		size_t first = first_to_go(f, fate, hold, flavor);

		hold[first] = LET_GO;
		left -= f->job[first].gpus;
	}
}

static void find_holds(const struct fixture *f, const enum gw_order_state *fate, const bool *whole,
		       enum hold *hold)
{
	for (size_t i = 0; i < f->in.job_count; i++) {
		const struct gw_job *job = &f->job[i];
		bool back = whole[job->flavor] && job->job_class == STANDARD && !job->whole_nodes &&
			    NOW - job->eligible < 12 * HOUR;

		hold[i] = back ? BACK : NOTHING;
	}
	for (int flavor = 0; flavor < 2; flavor++)
		let_go(f, fate, hold, flavor);
}

/* What starts and orders by the definition; only what starts is held. */
static void check_against_definition(struct fixture *f)
{
	struct started started = nothing_started(f);
	enum gw_order_state fate[JOBS_MAX];
	enum hold hold[JOBS_MAX];
	bool done[JOBS_MAX] = {false}, whole[4] = {false};

	for (size_t i = 0; i < f->in.job_count; i++) {
		fate[i] = alone(f, &f->job[i]);
		if (f->job[i].whole_nodes && f->job[i].job_class == STANDARD &&
		    fate[i] != GW_ORDER_BLOCKED)
			whole[f->job[i].flavor] = true;
	}
	find_holds(f, fate, whole, hold);
	for (size_t step = 0; step < f->in.job_count; step++) {
		struct step_key best, key;
		size_t found = SIZE_MAX;

		for (size_t i = 0; i < f->in.job_count; i++) {
			if (done[i])
				continue;
			key = key_of(f, &started, i, hold[i], fate[i]);
			if (found != SIZE_MAX && !key_less(&key, &best))
				continue;
			best = key;
			found = i;
		}
		if (best.part[0] >= 2)
			break;
		ck_assert_msg(f->rank[step].job == found, "step %zu: job %u, not %zu", step,
			      f->rank[step].job, found);
		ck_assert_int_eq(f->rank[step].state, (int)best.part[0]);
		done[found] = true;
		start_now(f, &started, &f->job[found]);
	}
	gw_quota_free(started.quota);
}

static const char random_conf[] =
	"SmallHold=12:00:00 WithinQueue=shortest-limit QueueMaxWait=3-0\n" WEEKLY TWO_CLASSES
		FLAVORS "CohortName=top Quota=h100=4\nCohortName=mid Parent=top LendLimit=h100=10\n"
	"PoolName=p Cohort=mid Quota=h100=40,a100=16 LoanTime=12:00:00 LendLimit=h100=20\n"
	"PoolName=q Cohort=mid Quota=h100=24 BorrowLimit=h100=16\n"
	"PoolName=r Cohort=top Quota=h100=8,a100=8\n"
	"PoolName=s Quota=h100=16 PeakStrict=yes\n"
	"PoolName=s Peak=Mon-Fri/09:00-21:00 Quota=h100=4\n"
	"QueueName=a Pool=p\nQueueName=b Pool=q Weight=2\nQueueName=c Pool=r WithinQueue=fifo\n"
	"QueueName=d Pool=s\nQueueName=e Pool=p\nQueueName=f Pool=q\n";

static void add_random(struct fixture *f)
{
	static const int served[6] = {2, 1, 2, 1, 2, 1};
	int queue = (int)pick(6);
	struct gw_job *job = add(f, queue);

	job->flavor = (int)pick((uint32_t)served[queue]);
	resize(job, 1 + pick(pick(4) ? 8 : 24));
	job->whole_nodes = job->gpus % 8 == 0;
	job->job_class = pick(4) ? STANDARD : HIGH;
	job->limit = 60 * (1 + pick(2000));
	job->eligible = NOW - pick(pick(5) ? DAY : 5 * DAY);
}

static struct fixture *set_up_random(uint32_t seed, int jobs)
{
	struct fixture *f = set_up(random_conf);

	random_state = seed;
	for (size_t i = 0; i < gw_lines(f->conf); i++) {
		f->usage[i] = usage_of(pick(100000) / 1000.0);
		f->held[i] = pick(16);
	}
	for (int pool = 0; pool < 4; pool++)
		gw_quota_hold(f->quota, pool, H100, pick(16));
	for (int i = 0; i < jobs; i++)
		add_random(f);
	return f;
}

START_TEST(starts_are_those_of_the_definition)
{
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct fixture *f = set_up_random(seed, 80);
		struct gw_order_gpus gpus[] = {{40 + pick(40), pick(40)}, {pick(24), pick(24)}};
		uint32_t before[4], seen = 0;

		if (seed > 20)
			f->in.gpus = gpus;
		f->conf->small_batch = seed % 3 * 12;
		for (int pool = 0; pool < 4; pool++)
			before[pool] = gw_quota_held(f->quota, pool, H100);
		rank(f);
		for (int pool = 0; pool < 4; pool++)
			ck_assert_uint_eq(before[pool], gw_quota_held(f->quota, pool, H100));
		ck_assert_uint_eq(f->count, f->in.job_count);
		for (size_t i = 0; i < f->count; i++) {
			seen += f->rank[i].job + 1;
			ck_assert(i == 0 || f->rank[i].state >= f->rank[i - 1].state);
			ck_assert_int_eq(f->rank[i].state == GW_ORDER_BLOCKED,
					 alone(f, &f->job[f->rank[i].job]) == GW_ORDER_BLOCKED);
		}
		ck_assert_uint_eq(seen, 80 * 81 / 2);
		check_against_definition(f);
		tear_down(f);
	}
}
END_TEST

/* --- the place of one job --- */

START_TEST(a_place_is_that_of_all_ranks)
{
	for (uint32_t seed = 100; seed < 200; seed++) {
		struct fixture *f = set_up_random(seed, 80);
		struct gw_order_place place;
		struct gw_job job = f->job[--f->in.job_count];

		f->conf->small_batch = seed % 2 * 12;
		job.tasks = 1 + pick(3);
		ck_assert_int_eq(gw_order_place(f->work, &f->in, &job, &place, NULL), 0);
		f->job[f->in.job_count++] = job;
		rank(f);
		ck_assert_uint_lt(place.place, f->count);
		ck_assert_uint_eq(f->rank[place.place].job, f->in.job_count - 1);
		ck_assert_int_eq(f->rank[place.place].state, place.rank.state);
		if (place.place)
			ck_assert_uint_eq(f->rank[place.place - 1].job, place.before);
		if (place.place + 1 < f->count)
			ck_assert_uint_eq(f->rank[place.place + 1].job, place.after);
		else
			ck_assert_uint_eq(place.after, GW_NO_INDEX);
		tear_down(f);
	}
}
END_TEST

START_TEST(a_held_job_has_no_place)
{
	struct fixture *f = set_up(PLAIN);
	struct gw_order_place place;
	struct gw_job job = *add(f, A);

	job.held = true;
	ck_assert_int_eq(gw_order_place(f->work, &f->in, &job, &place, NULL), 0);
	ck_assert_uint_eq(place.place, GW_NO_INDEX);
	tear_down(f);
}
END_TEST

/* --- size and memory --- */

START_TEST(no_jobs_no_ranks)
{
	struct fixture *f = set_up(PLAIN);

	ck_assert_str_eq(order(f), "");
	tear_down(f);
}
END_TEST

START_TEST(memory_out)
{
	struct fixture *f = set_up_random(5, 60);
	int result = -1;

	f->job[0].nice = 1;
	for (unsigned int n = 1; result; n++) {
		struct gw_order_workspace *work;
		struct gw_error error = {0};
		bool failed;

		alloc_fail_at(n);
		work = gw_order_workspace_new(&error);
		result = work ? gw_order_ranks(work, &f->in, &f->rank, &f->count, &error) : -1;
		failed = alloc_failed();
		ck_assert_int_eq(result != 0, failed);
		ck_assert_int_eq(result != 0, gw_error_is_set(&error));
		gw_order_workspace_free(work);
		ck_assert_uint_lt(n, 100);
	}
	gw_order_workspace_free(NULL);
	tear_down(f);
}
END_TEST

/* Once it knew the largest input, the workspace needs no memory. */
START_TEST(steady_state_allocates_nothing)
{
	struct fixture *f = set_up_random(6, 500);
	int result;

	f->job[3].nice = 5;
	rank(f);
	alloc_fail_at(1);
	result = gw_order_ranks(f->work, &f->in, &f->rank, &f->count, NULL);
	ck_assert(!alloc_failed());
	ck_assert_int_eq(result, 0);
	tear_down(f);
}
END_TEST

UNIT_MAIN("order_definition", UNIT(starts_are_those_of_the_definition),
	  UNIT(a_place_is_that_of_all_ranks), UNIT(a_held_job_has_no_place), UNIT(no_jobs_no_ranks),
	  UNIT(memory_out), UNIT(steady_state_allocates_nothing))

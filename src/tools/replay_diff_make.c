// SPDX-License-Identifier: GPL-2.0-or-later
/* The order and the quotas of the published jobs under another configuration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../core/route.h"
#include "replay_diff_impl.h"

/* What ranks are made of, beside the view. */
struct making {
	const struct gw_view *view;
	const struct gw_conf *conf;
	const struct gw_diff_known *known;
	size_t known_count;
	struct gw_job *pending;         /* those of a queue */
	const struct gw_view_job **own; /* beside pending */
	size_t pending_count;
	double *usage, *held;       /* by line */
	struct gw_order_gpus *gpus; /* by flavor */
	struct gw_quota *quota;
};

int gw_diff_compare_known(const void *a, const void *b)
{
	uint32_t x = ((const struct gw_diff_known *)a)->id;
	uint32_t y = ((const struct gw_diff_known *)b)->id;

	return x < y ? -1 : x > y;
}

static const struct gw_diff_known *known_of(const struct making *making, uint32_t id)
{
	const struct gw_diff_known key = {.id = id};

	return making->known_count ? bsearch(&key, making->known, making->known_count, sizeof(key),
					     gw_diff_compare_known)
				   : NULL;
}

static int32_t queue_named(const struct gw_conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->queue_count; i++)
		if (gw_same(conf->queues[i].name, name))
			return (int32_t)i;
	return GW_INDEX_NONE;
}

static int32_t flavor_named(const struct gw_conf *conf, const char *name)
{
	for (size_t i = 0; i < conf->flavor_count; i++)
		if (gw_same(conf->flavors[i].name, name))
			return (int32_t)i;
	return GW_INDEX_NONE;
}

/* As the ledger does: usage stays with the names of queue and flavor. */
static void take_usage(const struct making *making)
{
	for (size_t i = 0; i < making->view->line_count; i++) {
		const struct gw_view_line *from = &making->view->line[i];
		int32_t queue = queue_named(making->conf, from->queue);
		int32_t flavor = flavor_named(making->conf, from->flavor);
		size_t line = queue != GW_INDEX_NONE && (flavor != GW_INDEX_NONE || !*from->flavor)
				      ? gw_line(making->conf, queue, flavor)
				      : GW_NO_INDEX;

		if (line != GW_NO_INDEX)
			making->usage[line] += from->usage;
	}
}

static void take_jobs(struct making *making, struct gw_diff *diff)
{
	const struct gw_view *view = making->view;

	for (size_t i = 0; i < view->job_count; i++) {
		const struct gw_view_job *from = &view->job[i];
		struct gw_job job;

		gw_diff_belongs(view, making->conf, from, known_of(making, from->id), &job);
		if (!from->running && from->rank) {
			if (job.queue == GW_INDEX_NONE)
				continue;
			making->own[making->pending_count] = from;
			making->pending[making->pending_count++] = job;
		} else if (from->running && job.queue != GW_INDEX_NONE) {
			making->held[gw_line(making->conf, job.queue, job.flavor)] += job.rate;
			gw_quota_hold(making->quota,
				      gw_quota_pool_of(making->conf, job.queue, job.flavor),
				      job.flavor, job.gpus);
		} else if (from->running) {
			diff->running_lost++;
		}
	}
}

double gw_diff_key(const struct gw_conf *conf, int32_t queue, const double *usage,
		   const double *held)
{
	double half_life = conf->usage_half_life == GW_TIME_NONE ? GW_ORDER_NO_DECAY
								 : (double)conf->usage_half_life;
	double used = 0, holds = 0;

	for (int32_t flavor = 0; flavor < (int32_t)conf->flavor_count; flavor++) {
		size_t line = gw_line(conf, queue, flavor);

		used += usage[line];
		holds += held[line];
	}
	return (used * M_LN2 / half_life + conf->share_term * holds) / conf->queues[queue].weight;
}

static void fill_job(const struct making *making, const struct gw_order_rank *rank, size_t place,
		     struct gw_diff_job *to)
{
	const struct gw_job *job = &making->pending[rank->job];
	struct gw_quota_ask ask = {
		.pool = gw_quota_pool_of(making->conf, job->queue, job->flavor),
		.flavor = job->flavor,
		.gpus = job->gpus,
		.limit = job->limit,
	};

	*to = (struct gw_diff_job){
		.view = making->own[rank->job],
		.rank = (uint32_t)place + 1,
		.queue = job->queue,
		.job_class = job->job_class,
		.flavor = job->flavor,
		.pool = ask.pool,
		.state = rank->state,
		.quota = gw_quota_ask(making->quota, &ask),
	};
	gw_diff_why(making->view, making->conf,
		    gw_diff_key(making->conf, job->queue, making->usage, making->held), to);
}

/* Ranked jobs first, then those that leave; the view has them in order of their old ranks. */
static void fill_jobs(const struct making *making, const struct gw_order_rank *ranks, size_t count,
		      struct gw_diff *diff)
{
	for (size_t i = 0; i < count; i++)
		fill_job(making, &ranks[i], i, &diff->job[diff->job_count++]);
	for (size_t i = 0; i < making->view->job_count; i++) {
		const struct gw_view_job *from = &making->view->job[i];
		struct gw_job job;

		if (from->running || !from->rank)
			continue;
		gw_diff_belongs(making->view, making->conf, from, known_of(making, from->id), &job);
		if (job.queue != GW_INDEX_NONE)
			continue;
		diff->job[diff->job_count] = (struct gw_diff_job){
			.view = from,
			.queue = GW_INDEX_NONE,
			.job_class = GW_INDEX_NONE,
			.flavor = GW_INDEX_NONE,
			.pool = GW_INDEX_NONE,
		};
		gw_diff_why(making->view, making->conf, 0, &diff->job[diff->job_count++]);
	}
	for (size_t i = 0; i < diff->job_count; i++)
		diff->moved += diff->job[i].why[0] != '\0';
}

static bool has_queue_now(const struct gw_view *view, const char *account)
{
	for (size_t i = 0; i < view->queue_count; i++)
		if (!strcmp(view->queue[i].account, account))
			return true;
	return false;
}

/* Held ones of a queue are not in the view either: they stay where they are. */
static size_t count_joining(const struct making *making)
{
	size_t joining = 0;

	for (size_t i = 0; i < making->known_count; i++) {
		const struct gw_diff_known *job = &making->known[i];

		joining +=
			job->waits_for_gpus && job->account &&
			gw_route_queue_of(making->conf, job->account, NULL, 0) != GW_INDEX_NONE &&
			!has_queue_now(making->view, job->account) &&
			!gw_view_job(making->view, job->id);
	}
	return joining;
}

static const struct gw_view_pool *pool_now(const struct gw_view *view, const char *pool,
					   const char *flavor)
{
	for (size_t i = 0; i < view->pool_count; i++)
		if (gw_same(view->pool[i].name, pool) && gw_same(view->pool[i].flavor, flavor))
			return &view->pool[i];
	return NULL;
}

/* Whether a pool that gave back so many GPUs could start a job of one. */
static bool has_room(const struct making *making, int32_t pool, int32_t flavor, uint32_t given)
{
	struct gw_quota_ask ask = {.pool = pool, .flavor = flavor, .gpus = 1};
	uint32_t missing;

	gw_quota_hold(making->quota, pool, flavor, -(int64_t)given);
	missing = gw_quota_ask(making->quota, &ask).missing;
	gw_quota_hold(making->quota, pool, flavor, given);
	return !missing;
}

/*
 * GPUs that a pool has to give back before it holds no more than it may: one less than before it
 * may start anything. Of what is too much in a cohort no more is its own than it borrows.
 */
static uint32_t over_now(const struct making *making, int32_t pool, int32_t flavor,
			 uint32_t borrowed)
{
	uint32_t low = 0, high = borrowed + 1;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (has_room(making, pool, flavor, middle))
			high = middle;
		else
			low = middle + 1;
	}
	if (low > borrowed)
		return borrowed;
	return low ? low - 1 : 0;
}

static void fill_pools(const struct making *making, struct gw_diff *diff)
{
	const struct gw_conf *conf = making->conf;

	for (size_t pool = 0; pool < conf->pool_count; pool++) {
		for (size_t flavor = 0; flavor < conf->flavor_count; flavor++) {
			struct gw_diff_pool *to = &diff->pool[diff->pool_count];

			if (!conf->pools[pool].quota.gpus ||
			    conf->pools[pool].quota.gpus[flavor] == GW_NOT_GIVEN)
				continue;
			to->pool = conf->pools[pool].name;
			to->flavor = conf->flavors[flavor].name;
			to->view = pool_now(making->view, to->pool, to->flavor);
			to->figures =
				gw_quota_figures(making->quota, (int32_t)pool, (int32_t)flavor);
			to->over = over_now(making, (int32_t)pool, (int32_t)flavor,
					    to->figures.borrowed);
			diff->over += to->over > 0;
			diff->pool_count++;
		}
	}
}

/* GPUs of each flavor; false: one is not in the view. */
static bool take_gpus(const struct making *making, struct gw_order_gpus *gpus)
{
	for (size_t i = 0; i < making->conf->flavor_count; i++) {
		const struct gw_view_flavor *flavor =
			gw_view_flavor(making->view, making->conf->flavors[i].name);

		if (!flavor || !flavor->gpus.all)
			return false;
		gpus[i] = flavor->gpus;
	}
	return true;
}

static int rank_jobs(const struct making *making, struct gw_diff *diff, struct gw_error *error)
{
	struct gw_order_workspace *work = gw_order_workspace_new(error);
	const struct gw_order_input input = {
		.conf = making->conf,
		.jobs = making->pending,
		.job_count = making->pending_count,
		.usage = making->usage,
		.held = making->held,
		.quota = making->quota,
		.gpus = take_gpus(making, making->gpus) ? making->gpus : NULL,
		.now = making->view->written,
	};
	const struct gw_order_rank *ranks;
	size_t count;
	int failed = !work || gw_order_ranks(work, &input, &ranks, &count, error);

	if (!failed)
		fill_jobs(making, ranks, count, diff);
	gw_order_workspace_free(work);
	return failed ? -1 : 0;
}

static int allocate(struct making *making, struct gw_diff *diff, struct gw_error *error)
{
	const struct gw_conf *conf = making->conf;
	size_t jobs = making->view->job_count + 1, lines = gw_lines(conf) + 1;

	making->pending = calloc(jobs, sizeof(*making->pending));
	making->own = calloc(jobs, sizeof(*making->own));
	making->usage = calloc(lines, sizeof(*making->usage));
	making->held = calloc(lines, sizeof(*making->held));
	making->gpus = calloc(conf->flavor_count + 1, sizeof(*making->gpus));
	making->quota = gw_quota_new(conf, error);
	diff->job = calloc(jobs, sizeof(*diff->job));
	diff->pool = calloc(conf->pool_count * conf->flavor_count + 1, sizeof(*diff->pool));
	if (making->pending && making->own && making->usage && making->held && making->gpus &&
	    making->quota && diff->job && diff->pool)
		return 0;
	return gw_error_memory(error);
}

int gw_diff_make(const struct gw_view *view, const struct gw_conf *conf,
		 const struct gw_diff_known *known, size_t known_count, struct gw_diff *diff,
		 struct gw_error *error)
{
	struct making making = {
		.view = view, .conf = conf, .known = known, .known_count = known_count};
	int failed;

	*diff = (struct gw_diff){.conf = conf};
	failed = allocate(&making, diff, error);
	if (!failed) {
		gw_quota_at(making.quota, view->minute);
		take_usage(&making);
		take_jobs(&making, diff);
		failed = rank_jobs(&making, diff, error);
	}
	if (!failed) {
		fill_pools(&making, diff);
		diff->joining = count_joining(&making);
	}
	free(making.pending);
	free(making.own);
	free(making.usage);
	free(making.held);
	free(making.gpus);
	gw_quota_free(making.quota);
	return failed;
}

void gw_diff_free(struct gw_diff *diff)
{
	free(diff->job);
	free(diff->pool);
	*diff = (struct gw_diff){0};
}

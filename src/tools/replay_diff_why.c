// SPDX-License-Identifier: GPL-2.0-or-later
/* Why a pending job changes place. */
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "replay_diff_impl.h"

static void add(struct gw_diff_job *job, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void add(struct gw_diff_job *job, const char *format, ...)
{
	size_t length = strlen(job->why);
	va_list args;

	if (length && length + 2 < sizeof(job->why)) {
		strcpy(job->why + length, "; ");
		length += 2;
	}
	va_start(args, format);
	vsnprintf(job->why + length, sizeof(job->why) - length, format, args);
	va_end(args);
}

const char *gw_diff_state_name(enum gw_order_state state)
{
	switch (state) {
	case GW_ORDER_INSIDE:
		return "may start";
	case GW_ORDER_BORROWING:
		return "may borrow";
	case GW_ORDER_WAITS:
	case GW_ORDER_BLOCKED:
		break;
	}
	return "must wait";
}

const char *gw_diff_view_state(const struct gw_view_job *job)
{
	if (!job->startable)
		return gw_diff_state_name(GW_ORDER_WAITS);
	return gw_diff_state_name(job->borrowing ? GW_ORDER_BORROWING : GW_ORDER_INSIDE);
}

static void why_queue(const struct gw_conf *conf, struct gw_diff_job *job)
{
	const char *now = job->view->queue, *then = conf->queues[job->queue].name;

	if (!gw_same(now, then))
		add(job, "queue %s -> %s", now, then);
}

/* The rank of a class in the view, or GW_NOT_GIVEN. */
static uint32_t rank_now(const struct gw_view *view, const char *job_class)
{
	for (size_t i = 0; i < view->class_count; i++)
		if (gw_same(view->job_class[i].name, job_class))
			return view->job_class[i].rank;
	return GW_NOT_GIVEN;
}

static void why_class(const struct gw_view *view, const struct gw_conf *conf,
		      struct gw_diff_job *job)
{
	const char *now = job->view->job_class;
	const struct gw_class *then =
		job->job_class == GW_INDEX_NONE ? NULL : &conf->classes[job->job_class];
	uint32_t rank = rank_now(view, now);

	if (!gw_same(now, then ? then->name : ""))
		add(job, "class %s -> %s", *now ? now : "none", then ? then->name : "none");
	else if (then && rank != GW_NOT_GIVEN && rank != then->rank)
		add(job, "class %s: rank %" PRIu32 " -> %" PRIu32, now, rank, then->rank);
}

static void why_pool(const struct gw_view *view, const struct gw_conf *conf,
		     struct gw_diff_job *job)
{
	const struct gw_view_pool *now = gw_view_pool_of(view, job->view->queue, job->view->flavor);
	const char *then = job->pool == GW_INDEX_NONE ? "none" : conf->pools[job->pool].name;

	if (!gw_same(now ? now->name : "none", then))
		add(job, "pool %s -> %s", now ? now->name : "none", then);
}

static void why_quota(struct gw_diff_job *job)
{
	const char *now = gw_diff_view_state(job->view), *then = gw_diff_state_name(job->state);

	if (now == then)
		return;
	if (job->state == GW_ORDER_WAITS)
		add(job, "quota: jobs before it take what is left");
	else if (job->quota.why != GW_QUOTA_ALLOWED)
		add(job, "quota: %s", gw_quota_why_name(job->quota.why));
	else
		add(job, "quota: was %s", gw_quota_why_name(job->view->why));
}

static void why_key(const struct gw_view *view, const struct gw_conf *conf, double key,
		    struct gw_diff_job *job)
{
	const struct gw_view_queue *now = gw_view_queue(view, job->view->queue);
	const struct gw_queue *then = &conf->queues[job->queue];
	char before[32], after[32];

	if (!now || !gw_same(now->name, then->name))
		return;
	snprintf(before, sizeof(before), "%.3f", now->key);
	snprintf(after, sizeof(after), "%.3f", key);
	if (now->weight != then->weight)
		add(job, "queue %s: weight %g -> %g, key %s -> %s", now->name, now->weight,
		    then->weight, before, after);
	else if (strcmp(before, after))
		add(job, "queue %s: key %s -> %s", now->name, before, after);
}

void gw_diff_why(const struct gw_view *view, const struct gw_conf *conf, double key,
		 struct gw_diff_job *job)
{
	job->why[0] = '\0';
	if (job->queue == GW_INDEX_NONE) {
		add(job, "in no queue: none has its account and its GPUs");
		return;
	}
	why_queue(conf, job);
	why_class(view, conf, job);
	why_pool(view, conf, job);
	why_quota(job);
	if (job->rank == job->view->rank)
		return;
	why_key(view, conf, key, job);
	if (!job->why[0])
		add(job, "others moved");
}

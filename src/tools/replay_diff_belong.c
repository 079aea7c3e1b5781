// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a published job belongs by another configuration. */
#include "replay_diff_impl.h"

#include <string.h>

#include "../core/belong.h"
#include "../core/route.h"

static int32_t queue_of(const struct gw_view *view, const struct gw_conf *conf,
			const struct gw_view_job *job, const struct gw_diff_known *known)
{
	const struct gw_view_queue *queue = gw_view_queue(view, job->queue);
	int32_t own = GW_INDEX_NONE;

	if (known && known->account)
		own = gw_route_queue_of(conf, known->account, NULL, 0);
	/* The account of its queue is its own, or the nearest above that has a queue now. */
	return own == GW_INDEX_NONE && queue ? gw_route_queue_of(conf, queue->account, NULL, 0)
					     : own;
}

static const char *qos_of(const struct gw_view *view, const char *job_class)
{
	for (size_t i = 0; i < view->class_count; i++)
		if (gw_same(view->job_class[i].name, job_class))
			return view->job_class[i].qos;
	return NULL;
}

static int32_t class_of(const struct gw_view *view, const struct gw_conf *conf,
			const struct gw_view_job *job, const struct gw_diff_known *known)
{
	const char *qos = known && known->qos ? known->qos : qos_of(view, job->job_class);
	int32_t job_class = qos ? gw_belong_class(conf, qos) : GW_INDEX_NONE;

	/* A view of an older engine tells no QOS. */
	for (size_t i = 0; !qos && i < conf->class_count; i++)
		if (gw_same(conf->classes[i].name, job->job_class))
			job_class = (int32_t)i;
	return job_class == GW_INDEX_NONE ? gw_belong_class(conf, NULL) : job_class;
}

/* The GPUs it asks for, or has, are the same, so is the partition. */
static int32_t flavor_of(const struct gw_view *view, const struct gw_conf *conf,
			 const struct gw_view_job *job, int32_t queue)
{
	const struct gw_view_flavor *now = gw_view_flavor(view, job->flavor);
	const char *colon = now ? strchr(now->gres, ':') : NULL;

	if (!now)
		return GW_INDEX_NONE;
	return gw_belong_flavor(conf, queue, colon ? colon + 1 : NULL,
				*now->partition ? now->partition : NULL);
}

static bool weighs_others(const struct gw_conf *conf)
{
	for (size_t i = 0; i < conf->usage_weights.count; i++) {
		const char *name = conf->usage_weights.entry[i].name;

		if (!gw_same(name, "gres/gpu") && !gw_same_n(name, "gres/gpu:", 9))
			return true;
	}
	return false;
}

/* What it is charged for CPUs and memory is taken as it is now: the view does not have these. */
static double rate_of(const struct gw_view *view, const struct gw_conf *conf,
		      const struct gw_view_job *job, int32_t flavor)
{
	const struct gw_view_flavor *now = gw_view_flavor(view, job->flavor);
	double rest = job->rate - (now ? job->gpus * now->weight : 0);

	return job->gpus * gw_belong_gpu_weight(conf, flavor) +
	       (job->rate > 0 && rest > 0 && weighs_others(conf) ? rest : 0);
}

void gw_diff_belongs(const struct gw_view *view, const struct gw_conf *conf,
		     const struct gw_view_job *job, const struct gw_diff_known *known,
		     struct gw_job *to)
{
	*to = (struct gw_job){
		.id = job->id,
		.tasks = job->tasks ? job->tasks : 1,
		.state = job->running ? GW_JOB_RUNNING : GW_JOB_PENDING,
		.queue = queue_of(view, conf, job, known),
		.flavor = GW_INDEX_NONE,
		.job_class = class_of(view, conf, job, known),
		.user = job->user,
		.gpus = job->gpus,
		.nodes = job->nodes,
		.whole_nodes = job->whole_nodes,
		.limit = job->limit,
		.submit = job->submit,
		.eligible = job->eligible,
		.start = job->start,
		.nice = job->nice,
	};
	if (to->queue != GW_INDEX_NONE)
		to->flavor = flavor_of(view, conf, job, to->queue);
	if (to->flavor == GW_INDEX_NONE)
		to->queue = GW_INDEX_NONE;
	else
		to->rate = rate_of(view, conf, job, to->flavor);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/view.h"

#include <math.h>
#include <stdlib.h>

#include "plugins/common/engine.h"
#include "plugins/common/rank_explain.h"
#include "plugins/common/weak.h"
#include "src/util/record.h"

/* After a view none for so many times as long as it took. */
#define GW_VIEW_REST_TIMES 50

static void put_number(struct gw_str *text, const char *key, int64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRId64, value);
	gw_record_append(text, key, digits);
}

static void put_limit(struct gw_str *text, const char *key, uint32_t value)
{
	if (value == GW_NOT_GIVEN)
		gw_record_append(text, key, "none");
	else
		put_number(text, key, value);
}

static void put_double(struct gw_str *text, const char *key, double value)
{
	char digits[40];

	snprintf(digits, sizeof(digits), "%.9g", value);
	gw_record_append(text, key, digits);
}

static void put_head(const struct gw_rank *rank, struct gw_str *text)
{
	gw_record_append(text, "View", "1");
	put_number(text, "Written", rank->copy.now);
	gw_record_append(text, "Cluster", slurm_conf.cluster_name);
	put_number(text, "Minute", rank->copy.minute);
	gw_str_append(text, "\n");
}

static void put_pool(const struct gw_rank *rank, size_t pool, size_t flavor, struct gw_str *text)
{
	const struct gw_conf *conf = gw_policy_conf(rank->policy);
	const struct gw_pool *p = &conf->pools[pool];
	struct gw_quota_figures f = gw_quota_figures(rank->quota, (int32_t)pool, (int32_t)flavor);

	gw_record_append(text, "Pool", p->name);
	gw_record_append(text, "Flavor", conf->flavors[flavor].name);
	gw_record_append(text, "Cohort", p->cohort.name ? p->cohort.name : "");
	put_number(text, "Quota", f.quota);
	put_limit(text, "BorrowLimit", f.borrow_limit);
	put_limit(text, "LendLimit", f.lend_limit);
	put_number(text, "Held", f.held);
	put_number(text, "Borrowed", f.borrowed);
	put_number(text, "Lent", f.lent);
	put_number(text, "Reach", f.reach);
	put_number(text, "Largest", f.largest);
	put_number(text, "CohortQuota", f.cohort_quota);
	put_number(text, "CohortHeld", f.cohort_held);
	put_number(text, "CohortFree", f.cohort_free);
	gw_str_append(text, "\n");
}

static void put_pools(const struct gw_rank *rank, struct gw_str *text)
{
	const struct gw_conf *conf = gw_policy_conf(rank->policy);

	for (size_t i = 0; i < conf->flavor_count; i++) {
		gw_record_append(text, "Flavor", conf->flavors[i].name);
		gw_record_append(text, "Gres", conf->flavors[i].gres);
		gw_record_append(text, "Partition",
				 conf->flavors[i].partition ? conf->flavors[i].partition : "");
		put_number(text, "All", rank->copy.gpus[i].all);
		put_number(text, "Free", rank->copy.gpus[i].free);
		put_double(text, "Weight", gw_policy_gpu_weight(rank->policy, (int32_t)i));
		gw_str_append(text, "\n");
	}
	for (size_t pool = 0; pool < conf->pool_count; pool++)
		for (size_t flavor = 0; flavor < conf->flavor_count; flavor++)
			if (conf->pools[pool].quota.gpus &&
			    conf->pools[pool].quota.gpus[flavor] != GW_NOT_GIVEN)
				put_pool(rank, pool, flavor, text);
}

/* By which QOS jobs are of which class. */
static void put_classes(const struct gw_rank *rank, struct gw_str *text)
{
	const struct gw_conf *conf = gw_policy_conf(rank->policy);

	for (size_t i = 0; i < conf->class_count; i++) {
		gw_record_append(text, "Class", conf->classes[i].name);
		gw_record_append(text, "QOS", conf->classes[i].qos);
		put_number(text, "Rank", conf->classes[i].rank);
		gw_str_append(text, "\n");
	}
}

/* Jobs of one queue, counted. */
struct counts {
	uint32_t running, running_gpus, pending, pending_gpus, blocked;
};

static void count_jobs(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		       struct counts *counts)
{
	for (size_t i = 0; i < rank->copy.running_count; i++) {
		struct counts *c = &counts[rank->copy.running[i].queue];

		c->running++;
		c->running_gpus += rank->copy.running[i].gpus;
	}
	for (size_t i = 0; i < rank->copy.pending_count; i++) {
		struct counts *c = &counts[rank->copy.pending[i].queue];

		c->pending += rank->copy.pending[i].tasks;
		c->pending_gpus += rank->copy.pending[i].tasks * rank->copy.pending[i].gpus;
	}
	for (size_t i = 0; i < count; i++)
		if (ranks[i].state == GW_ORDER_BLOCKED)
			counts[rank->copy.pending[ranks[i].job].queue].blocked++;
}

static void put_queue(const struct gw_rank *rank, size_t queue, const struct counts *c,
		      struct gw_str *text)
{
	const struct gw_conf *conf = gw_policy_conf(rank->policy);
	const struct gw_queue *q = &conf->queues[queue];
	double usage = 0, held = 0;
	double half_life = conf->usage_half_life == GW_TIME_NONE ? GW_ORDER_NO_DECAY
								 : (double)conf->usage_half_life;

	for (int32_t flavor = 0; flavor < (int32_t)conf->flavor_count; flavor++) {
		size_t line = gw_line(conf, (int32_t)queue, flavor);

		usage += rank->usage[line];
		held += rank->held[line];
	}
	gw_record_append(text, "Queue", q->name);
	gw_record_append(text, "Account", q->account);
	gw_record_append(text, "Pool", q->pools.names.count ? q->pools.names.item[0] : "");
	put_double(text, "Weight", q->weight);
	put_double(text, "Usage", usage);
	put_double(text, "Held", held);
	put_double(text, "Key", (usage * M_LN2 / half_life + conf->share_term * held) / q->weight);
	put_number(text, "Running", c->running);
	put_number(text, "RunningGpus", c->running_gpus);
	put_number(text, "Pending", c->pending);
	put_number(text, "PendingGpus", c->pending_gpus);
	put_number(text, "Blocked", c->blocked);
	gw_str_append(text, "\n");
}

/* Usage by flavor, for auditors. */
static void put_lines(const struct gw_rank *rank, size_t queue, struct gw_str *text)
{
	const struct gw_conf *conf = gw_policy_conf(rank->policy);

	for (int32_t flavor = 0; flavor < (int32_t)conf->flavor_count; flavor++) {
		size_t line = gw_line(conf, (int32_t)queue, flavor);

		gw_record_append(text, "Line", conf->queues[queue].name);
		gw_record_append(text, "Flavor", conf->flavors[flavor].name);
		put_double(text, "Usage", rank->usage[line]);
		put_double(text, "Held", rank->held[line]);
		gw_str_append(text, "\n");
	}
}

static int put_queues(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		      struct gw_str *text)
{
	size_t queues = gw_policy_conf(rank->policy)->queue_count;
	struct counts *counts = calloc(queues + 1, sizeof(*counts));

	if (!counts)
		return -1;
	count_jobs(rank, ranks, count, counts);
	for (size_t queue = 0; queue < queues; queue++) {
		put_queue(rank, queue, &counts[queue], text);
		put_lines(rank, queue, text);
	}
	free(counts);
	return 0;
}

static void put_job(const struct gw_rank *rank, const struct gw_job *job, struct gw_str *text)
{
	const struct gw_conf *conf = gw_policy_conf(rank->policy);

	put_number(text, "Job", job->id);
	gw_record_append(text, "Queue", conf->queues[job->queue].name);
	gw_record_append(text, "Class",
			 job->job_class == GW_INDEX_NONE ? "" : conf->classes[job->job_class].name);
	put_number(text, "User", job->user);
	gw_record_append(text, "Flavor", conf->flavors[job->flavor].name);
	put_number(text, "Gpus", job->gpus);
	put_number(text, "Nodes", job->nodes);
	put_number(text, "Tasks", job->tasks);
	gw_record_append(text, "State", job->state == GW_JOB_PENDING ? "pending" : "running");
	put_number(text, "Eligible", job->eligible);
	put_number(text, "Submit", job->submit);
	put_number(text, "Start", job->state == GW_JOB_PENDING ? 0 : job->start);
	put_number(text, "Limit", job->limit == GW_TIME_INFINITE ? -1 : job->limit);
	put_double(text, "Rate", job->rate);
	if (job->nice)
		put_number(text, "Nice", job->nice);
	if (job->whole_nodes)
		gw_record_append(text, "Whole", "yes");
}

static void put_pending(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
			size_t place, struct gw_str *text)
{
	const struct gw_order_rank *r = &ranks[place];
	const struct gw_job *job = &rank->copy.pending[r->job];
	struct gw_rank_reason reason;

	gw_rank_explain(rank, ranks, count, place, &reason);
	put_job(rank, job, text);
	put_number(text, "ArrayJob", rank->copy.extra[r->job].array_job);
	put_number(text, "Rank", (int64_t)place + 1);
	put_number(text, "Number", rank->number[r->job]);
	gw_record_append(text, "Startable", gw_order_startable(r) ? "yes" : "no");
	gw_record_append(text, "Borrowing", r->borrowing ? "yes" : "no");
	if (r->gap)
		gw_record_append(text, "Gap", "yes");
	if (r->back)
		gw_record_append(text, "Back", "yes");
	put_number(text, "Turn", r->turn);
	gw_record_append(text, "Why", gw_quota_why_name(reason.quota.why));
	put_number(text, "Missing", reason.quota.missing);
	put_number(text, "Borrow", reason.quota.borrow);
	gw_record_append(text, "Tier", gw_explain_tier_name(reason.explanation.tier));
	gw_record_append(text, "Problem", gw_problem_name(reason.explanation.problem));
	gw_record_append(text, "Sentence", reason.explanation.line);
	gw_str_append(text, "\n");
}

static void put_jobs(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		     struct gw_str *text)
{
	size_t shown = count < GW_VIEW_JOBS_MAX ? count : GW_VIEW_JOBS_MAX;

	for (size_t i = 0; i < shown; i++)
		put_pending(rank, ranks, count, i, text);
	for (size_t i = 0; i < rank->copy.running_count; i++) {
		put_job(rank, &rank->copy.running[i], text);
		gw_str_append(text, "\n");
	}
	if (shown < count) {
		put_number(text, "Truncated", (int64_t)(count - shown));
		gw_str_append(text, "\n");
	}
}

/* The more often the cheaper it is; the clock may have been set back. */
static bool is_due(const struct gw_rank *rank)
{
	int64_t rest = rank->view_ns * GW_VIEW_REST_TIMES / 1000000000LL;

	return rank->copy.now < rank->view_published ||
	       rank->copy.now - rank->view_published > rest;
}

static void publish(struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count)
{
	struct gw_str text = {0};
	char *whole;

	put_head(rank, &text);
	put_pools(rank, &text);
	put_classes(rank, &text);
	if (put_queues(rank, ranks, count, &text))
		text.failed = true;
	put_jobs(rank, ranks, count, &text);
	whole = gw_str_take(&text);
	if (whole)
		gw_engine_publish_file("view", whole);
	gw_str_free(&text);
}

void gw_view_publish(struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count)
{
	int64_t begun = gw_rank_cpu_ns();

	if (!is_due(rank))
		return;
	rank->view_published = rank->copy.now;
	publish(rank, ranks, count);
	rank->view_ns = gw_rank_cpu_ns() - begun;
}

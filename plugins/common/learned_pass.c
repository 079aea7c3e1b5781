// SPDX-License-Identifier: GPL-2.0-or-later
/* What the rank thread does for what is learned: the job list, the tables and the file. */
#include "plugins/common/learned_state.h"

#include <errno.h>
#include <stdlib.h>

#include "plugins/common/engine.h"
#include "plugins/common/snap.h"
#include "plugins/common/weak.h"
#include "src/common/assoc_mgr.h"
#include "src/slurmctld/locks.h"
#include "src/util/file.h"

#define GW_RUNTIMES_FILE "runtimes"
#define GW_MIX_FILE      "jobmix"
/* gangway learn's. */
#define GW_SEED_FILE     "runtimes.seed"
#define GW_MIX_SEED_FILE "jobmix.seed"

/* The most that kill -9 may cost. */
#define GW_KEEP_SECONDS 300

/* One running job of the list. */
struct copied {
	struct copied *next;
	uint32_t job;
	struct gw_predict_running running;
	size_t node_count;
	uint32_t *node;
};

struct visit {
	const struct gw_policy *policy;
	int gpu;
	struct copied *first;
	struct gw_mix_nodes nodes;
};

/* list_for_each() callback. */
static int visit_job(void *item, void *arg)
{
	const job_record_t *job = item;
	struct visit *visit = arg;
	struct copied *copied;

	if (!IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job))
		return 0;
	copied = calloc(1, sizeof(*copied));
	if (!copied)
		return 0;
	copied->job = job->job_id;
	copied->running.kind = gw_learned_kind(visit->policy, job, visit->gpu);
	copied->running.start = job->start_time;
	copied->node = gw_learned_nodes(job, &copied->node_count);
	copied->next = visit->first;
	visit->first = copied;
	return 0;
}

static void copy_jobs(struct visit *visit)
{
	slurmctld_lock_t locks = {.job = READ_LOCK, .node = READ_LOCK};
	assoc_mgr_lock_t assoc_locks = {.assoc = READ_LOCK};

	lock_slurmctld(locks);
	assoc_mgr_lock(&assoc_locks);
	if (job_list)
		list_for_each(job_list, visit_job, visit);
	assoc_mgr_unlock(&assoc_locks);
	gw_learned_nodes_of_cluster(&visit->nodes);
	unlock_slurmctld(locks);
}

static void free_copy(struct visit *visit)
{
	while (visit->first) {
		struct copied *copied = visit->first;

		visit->first = copied->next;
		free(copied->node);
		free(copied);
	}
}

/* A damaged or newer file is put aside, so that nothing is lost, and learning begins anew. */
static void put_aside(const char *path, const struct gw_error *why)
{
	char aside[PATH_MAX];

	error("gangway: run times: %s", why->text);
	if (snprintf(aside, sizeof(aside), "%s.bad", path) < (int)sizeof(aside) &&
	    !rename(path, aside))
		error("gangway: run times: kept aside as %s; learned anew", aside);
}

/* Takes what is in a text into what is learned; says how much that is. */
typedef int (*take_text)(struct gw_learned *into, const char *text, struct gw_error *why);

static int take_runs(struct gw_learned *into, const char *text, struct gw_error *why)
{
	if (gw_predict_load(into->predict, text, why))
		return -1;
	verbose("gangway: run times of %zu jobs are known", gw_predict_runs(into->predict));
	return 0;
}

static int take_mix(struct gw_learned *into, const char *text, struct gw_error *why)
{
	if (gw_mix_seen_load(into->seen, text, why))
		return -1;
	verbose("gangway: %zu kinds of jobs are known", gw_mix_seen_kinds(into->seen));
	return 0;
}

/* False: there is no such file. */
static bool load(struct gw_learned *into, const char *name, take_text take)
{
	struct gw_error why = {{0}};
	char path[PATH_MAX], *text = NULL;

	if (gw_engine_state_path(name, path))
		return true;
	if (gw_file_read(path, &text, &why)) {
		if (errno == ENOENT)
			return false;
		put_aside(path, &why);
	} else if (take(into, text, &why)) {
		put_aside(path, &why);
	}
	free(text);
	return true;
}

static bool begin(struct gw_learned *learned, int64_t now)
{
	struct gw_error why = {{0}};
	struct gw_learned fresh = {0};

	if (learned->predict)
		return true;
	fresh.predict = gw_predict_create(now, &why);
	fresh.seen = gw_mix_seen_create(&why);
	if (!fresh.predict || !fresh.seen) {
		error("gangway: run times: %s", why.text);
		gw_predict_free(fresh.predict);
		gw_mix_seen_free(fresh.seen);
		return false;
	}
	if (!load(&fresh, GW_RUNTIMES_FILE, take_runs))
		load(&fresh, GW_SEED_FILE, take_runs);
	if (!load(&fresh, GW_MIX_FILE, take_mix))
		load(&fresh, GW_MIX_SEED_FILE, take_mix);
	pthread_mutex_lock(&learned->lock);
	learned->predict = fresh.predict;
	learned->seen = fresh.seen;
	pthread_mutex_unlock(&learned->lock);
	return true;
}

/* The jobs that run now, judged anew; NULL: memory is out. */
static struct gw_drain *make_drain(const struct visit *visit, const struct gw_predict *predict,
				   int64_t now, struct gw_error *why)
{
	struct gw_drain *drain = gw_drain_create(why);

	for (const struct copied *job = visit->first; drain && job; job = job->next) {
		if (!gw_drain_start(drain, predict, job->job, &job->running, job->node,
				    job->node_count, now, why))
			continue;
		gw_drain_free(drain);
		drain = NULL;
	}
	return drain;
}

/* The lock is held. */
static int learn(struct gw_learned *learned, struct gw_error *why)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < learned->run_count; i++) {
		const struct gw_learned_run *run = &learned->run[i];

		rc = gw_predict_add(learned->predict, &run->kind, run->duration, run->end, why);
	}
	learned->changed = learned->changed || learned->run_count > 0;
	learned->run_count = 0;
	return rc;
}

/* What is learned becomes what the job list says; the hooks do without meanwhile. */
static int renew(struct gw_learned *learned, const struct visit *visit, int64_t now,
		 struct gw_error *why)
{
	struct gw_drain *fresh;
	int rc = 0;

	pthread_mutex_lock(&learned->lock);
	gw_learned_apply(learned);
	fresh = make_drain(visit, learned->predict, now, why);
	gw_learned_mix_renew(learned, &visit->nodes, now);
	if (fresh) {
		gw_learned_replace(learned, fresh);
		if (learn(learned, why) ||
		    gw_drain_refresh(learned->drain, learned->predict, now, why))
			rc = -1;
	} else {
		gw_learned_events_free(&learned->recent);
		learned->copying = false;
		rc = -1;
	}
	pthread_mutex_unlock(&learned->lock);
	return rc;
}

/* Whether there was something to keep; the lock is held. */
static bool keep_mix(struct gw_learned *learned)
{
	struct gw_error why = {{0}};
	char *text;

	if (!learned->seen_changed)
		return false;
	text = gw_mix_seen_text(learned->seen, &why);
	if (text)
		gw_engine_keep_file(GW_MIX_FILE, 0600, text);
	else
		error("gangway: mix of jobs: %s", why.text);
	learned->seen_changed = false;
	return true;
}

/* Whether there was something to keep. */
static bool keep_runs(struct gw_learned *learned)
{
	struct gw_error why = {{0}};
	char *text;

	if (!learned->changed)
		return false;
	text = gw_predict_text(learned->predict, &why);
	if (text)
		gw_engine_keep_file(GW_RUNTIMES_FILE, 0600, text);
	else
		error("gangway: run times: %s", why.text);
	learned->changed = false;
	return true;
}

static void keep(struct gw_learned *learned, int64_t now)
{
	bool kept = keep_runs(learned);

	pthread_mutex_lock(&learned->lock);
	kept = keep_mix(learned) || kept;
	pthread_mutex_unlock(&learned->lock);
	if (kept)
		learned->kept = now;
}

static void set_gpu_position(struct gw_learned *learned, const struct gw_policy *policy)
{
	struct gw_tres_positions positions;

	gw_snap_positions(policy, &positions);
	atomic_store(&learned->gpu, positions.gpu);
	gw_snap_positions_free(&positions);
}

static void refresh(struct gw_learned *learned, const struct gw_policy *policy, int64_t now)
{
	struct gw_error why = {{0}};
	struct visit visit = {.policy = policy};

	set_gpu_position(learned, policy);
	visit.gpu = atomic_load(&learned->gpu);
	pthread_mutex_lock(&learned->lock);
	learned->copying = true;
	pthread_mutex_unlock(&learned->lock);
	copy_jobs(&visit);
	if (renew(learned, &visit, now, &why))
		error("gangway: run times: %s", why.text);
	free_copy(&visit);
	learned->refreshed = now;
	if (now - learned->kept < GW_KEEP_SECONDS && now >= learned->kept)
		return;
	keep(learned, now);
}

void gw_learned_pass(void)
{
	struct gw_learned *learned = gw_learned_get();
	int64_t now = time(NULL);
	struct gw_policy *policy;

	/* An ending slurmctld that finds a lock held does not save its state. */
	if (slurmctld_config.shutdown_time || !gw_engine_hook_open(GW_HOOK_PLACEMENT) ||
	    (now >= learned->refreshed && now - learned->refreshed < GW_DRAIN_REFRESH_SECONDS))
		return;
	policy = gw_engine_policy();
	if (policy && gw_policy_conf(policy)->queue_count && begin(learned, now))
		refresh(learned, policy, now);
	gw_policy_put(policy);
}

void gw_learned_stop(void)
{
	struct gw_learned *learned = gw_learned_get();
	struct gw_error why = {{0}};

	pthread_mutex_lock(&learned->lock);
	gw_learned_apply(learned);
	if (learned->predict && !learn(learned, &why))
		keep_runs(learned);
	keep_mix(learned);
	gw_learned_events_free(&learned->inbox);
	gw_learned_events_free(&learned->recent);
	gw_drain_free(learned->drain);
	gw_predict_free(learned->predict);
	gw_mix_free(learned->mix);
	gw_mix_seen_free(learned->seen);
	xfree(learned->run);
	learned->run_count = learned->run_room = 0;
	learned->drain = NULL;
	learned->predict = NULL;
	learned->mix = NULL;
	learned->seen = NULL;
	learned->refreshed = learned->kept = learned->mix_at = 0;
	pthread_mutex_unlock(&learned->lock);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/learned_state.h"

#include <stdlib.h>

#include "plugins/common/engine.h"
#include "plugins/common/snap.h"
#include "src/common/assoc_mgr.h"

struct gw_learned *gw_learned_get(void)
{
	static struct gw_learned learned = {
		.gpu = -1,
		.inbox_lock = PTHREAD_MUTEX_INITIALIZER,
		.lock = PTHREAD_MUTEX_INITIALIZER,
	};

	return &learned;
}

static void push(struct gw_learned_events *events, struct gw_learned_event *event)
{
	event->next = NULL;
	if (!events->end)
		events->end = &events->first;
	*events->end = event;
	events->end = &event->next;
}

static struct gw_learned_event *pop(struct gw_learned_events *events)
{
	struct gw_learned_event *event = events->first;

	if (event && !(events->first = event->next))
		events->end = NULL;
	return event;
}

static void free_event(struct gw_learned_event *event)
{
	free(event->node);
	free(event);
}

void gw_learned_events_free(struct gw_learned_events *events)
{
	struct gw_learned_event *event;

	while ((event = pop(events)))
		free_event(event);
}

static uint64_t requested_gpus(const job_record_t *job, int position)
{
	const uint64_t *counts = job->tres_req_cnt;

	return counts && position >= 0 && counts[position] != NO_CONSUME_VAL64 ? counts[position]
									       : 0;
}

static int64_t limit_of(const job_record_t *job)
{
	return job->time_limit == INFINITE || job->time_limit == NO_VAL
		       ? 0
		       : (int64_t)job->time_limit * 60;
}

struct gw_predict_kind gw_learned_kind(const struct gw_policy *policy, const job_record_t *job,
				       int gpu_position)
{
	int32_t queue = gw_snap_queue(policy, job);

	return (struct gw_predict_kind){
		.queue = queue == GW_INDEX_NONE
				 ? 0
				 : gw_predict_queue(gw_policy_conf(policy)->queues[queue].name),
		.user = job->user_id,
		.gpus = (uint32_t)requested_gpus(job, gpu_position),
		.limit = limit_of(job),
	};
}

uint32_t *gw_learned_nodes(const job_record_t *job, size_t *count)
{
	bitstr_t *nodes = job->node_bitmap;
	bitoff_t first = nodes ? bit_ffs(nodes) : -1, last = nodes ? bit_fls(nodes) : -1;
	uint32_t *node = NULL;

	*count = 0;
	if (first >= 0)
		node = calloc((size_t)bit_set_count(nodes), sizeof(*node));
	for (bitoff_t i = first; node && i <= last; i++)
		if (bit_test(nodes, i))
			node[(*count)++] = (uint32_t)i;
	return node;
}

/* Sets what a start is judged by; false: there is no policy to judge by. */
static bool describe(const job_record_t *job, struct gw_learned_event *event)
{
	assoc_mgr_lock_t locks = {.assoc = READ_LOCK};
	struct gw_policy *policy = gw_engine_policy();

	if (!policy)
		return false;
	assoc_mgr_lock(&locks);
	event->running.kind = gw_learned_kind(policy, job, atomic_load(&gw_learned_get()->gpu));
	assoc_mgr_unlock(&locks);
	gw_policy_put(policy);
	event->running.start = time(NULL);
	event->holds = gw_learned_holds(job, event->running.kind.gpus);
	event->node = gw_learned_nodes(job, &event->node_count);
	return event->node != NULL;
}

static void note(struct gw_learned_event *event)
{
	struct gw_learned *learned = gw_learned_get();

	pthread_mutex_lock(&learned->inbox_lock);
	push(&learned->inbox, event);
	pthread_mutex_unlock(&learned->inbox_lock);
}

/* Without queues the thread does not take what is noted. */
static bool is_taken(void)
{
	struct gw_policy *policy = gw_engine_policy();
	bool queues = policy && gw_policy_conf(policy)->queue_count;

	gw_policy_put(policy);
	return queues && gw_engine_hook_open(GW_HOOK_PLACEMENT);
}

/* NULL: nothing is to be noted, or memory is out. */
static struct gw_learned_event *event_of(const job_record_t *job)
{
	struct gw_learned_event *event = NULL;

	if (is_taken())
		event = calloc(1, sizeof(*event));
	if (event)
		event->job = job->job_id;
	return event;
}

void gw_learned_began(const job_record_t *job)
{
	struct gw_learned_event *event = event_of(job);

	if (!event)
		return;
	event->began = true;
	if (describe(job, event))
		note(event);
	else
		free_event(event);
}

/* Not one that Slurm took the nodes from: how long it would have run is not known. */
static bool ran_to_its_end(const job_record_t *job)
{
	switch (job->job_state & JOB_STATE_BASE) {
	case JOB_COMPLETE:
	case JOB_FAILED:
	case JOB_TIMEOUT:
	case JOB_CANCELLED:
	case JOB_OOM:
	case JOB_DEADLINE:
		return true;
	default:
		return false;
	}
}

void gw_learned_ended(const job_record_t *job)
{
	struct gw_learned_event *event = event_of(job);

	if (!event)
		return;
	event->ran = ran_to_its_end(job);
	event->at = time(NULL);
	note(event);
}

static void add_run(struct gw_learned *learned, const struct gw_learned_event *event,
		    const struct gw_predict_running *running)
{
	if (!event->ran || !running->kind.queue || !running->kind.gpus)
		return;
	if (learned->run_count == learned->run_room) {
		learned->run_room = learned->run_room ? learned->run_room * 2 : 64;
		xrealloc(learned->run, learned->run_room * sizeof(*learned->run));
	}
	learned->run[learned->run_count++] = (struct gw_learned_run){
		running->kind, MAX(event->at - running->start, 0), event->at};
}

static void see(struct gw_learned *learned, const struct gw_learned_event *event)
{
	if (!event->began || !event->running.kind.queue || !event->holds.gpus)
		return;
	gw_mix_seen_add(learned->seen, &event->holds, (uint32_t)event->node_count,
			event->running.start);
	learned->seen_changed = true;
}

static bool apply(struct gw_drain *drain, const struct gw_predict *predict,
		  const struct gw_learned_event *event, struct gw_predict_running *ended)
{
	struct gw_error why = {{0}};

	if (!event->began)
		return gw_drain_end(drain, event->job, ended);
	if (gw_drain_start(drain, predict, event->job, &event->running, event->node,
			   event->node_count, event->running.start, &why))
		debug("gangway: run times: %s", why.text);
	return false;
}

void gw_learned_apply(struct gw_learned *learned)
{
	struct gw_learned_events events;
	struct gw_learned_event *event;

	if (!learned->drain)
		return;
	pthread_mutex_lock(&learned->inbox_lock);
	events = learned->inbox;
	learned->inbox = (struct gw_learned_events){0};
	pthread_mutex_unlock(&learned->inbox_lock);
	while ((event = pop(&events))) {
		struct gw_predict_running ended;

		if (apply(learned->drain, learned->predict, event, &ended))
			add_run(learned, event, &ended);
		see(learned, event);
		if (learned->copying)
			push(&learned->recent, event);
		else
			free_event(event);
	}
}

void gw_learned_replace(struct gw_learned *learned, struct gw_drain *fresh)
{
	struct gw_learned_event *event;

	while ((event = pop(&learned->recent))) {
		apply(fresh, learned->predict, event, NULL);
		free_event(event);
	}
	gw_drain_free(learned->drain);
	learned->drain = fresh;
	learned->copying = false;
}

bool gw_learned_take(void)
{
	struct gw_learned *learned = gw_learned_get();

	if (pthread_mutex_trylock(&learned->lock))
		return false;
	if (!learned->drain) {
		pthread_mutex_unlock(&learned->lock);
		return false;
	}
	gw_learned_apply(learned);
	return true;
}

void gw_learned_give_back(void)
{
	pthread_mutex_unlock(&gw_learned_get()->lock);
}

const float *gw_learned_node(uint32_t node)
{
	return gw_drain_node(gw_learned_get()->drain, node);
}

int64_t gw_learned_until(uint32_t node)
{
	return gw_drain_until(gw_learned_get()->drain, node);
}

void gw_learned_ask(const job_record_t *job, uint32_t queue, float stays[GW_GRID_POINTS])
{
	struct gw_learned *learned = gw_learned_get();
	const struct gw_predict_kind kind = {
		.queue = queue,
		.user = job->user_id,
		.gpus = (uint32_t)requested_gpus(job, atomic_load(&learned->gpu)),
		.limit = limit_of(job),
	};

	gw_drain_ask(learned->predict, &kind, stays);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_copy.h"

#include <string.h>

#include "plugins/common/gate.h"
#include "plugins/common/gate_qos.h"
#include "plugins/common/hardware.h"
#include "plugins/common/weak.h"
#include "src/common/assoc_mgr.h"
#include "src/slurmctld/locks.h"

/*
 * Seconds by which the end of a job may lie before the moment slurmctld shows it as ended: it
 * takes the time first and then waits for its locks.
 */
#define GW_RANK_ENDED_LATE 60

struct visit {
	struct gw_rank_copy *copy;
	struct gw_policy *policy;
	time_t ended_since;
};

/* Room for one more item; xrealloc() zeroes what it adds. */
static void *room(void *items, size_t count, size_t *room, size_t size)
{
	if (count < *room)
		return items;
	*room = *room ? *room * 2 : 256;
	xrealloc(items, *room * size);
	return items;
}

/* The scheduler gives a job of several partitions the priority it has in the last one it tried. */
static void copy_priority(const job_record_t *job, struct gw_pending_extra *extra)
{
	uint32_t *each = GW_PRIORITY_ARRAY(job);
	/* Between a change of the partitions and the next sum there may be fewer. */
	size_t room = each ? xsize(each) / sizeof(*each) : 0;
	size_t count = MIN(room, (size_t)GW_PRIORITY_COUNT(job));

	extra->lowest = extra->highest = job->priority;
	for (size_t i = 0; i < count; i++) {
		extra->lowest = MIN(extra->lowest, each[i]);
		extra->highest = MAX(extra->highest, each[i]);
	}
}

static void add_pending(struct gw_rank_copy *copy, const job_record_t *job,
			const struct gw_job *view)
{
	struct gw_pending_extra *extra;
	size_t extra_room = copy->pending_room;

	copy->extra = room(copy->extra, copy->pending_count, &extra_room, sizeof(*copy->extra));
	copy->pending = room(copy->pending, copy->pending_count, &copy->pending_room,
			     sizeof(*copy->pending));
	copy->pending[copy->pending_count] = *view;
	extra = &copy->extra[copy->pending_count++];
	extra->array_job = job->array_job_id;
	copy_priority(job, extra);
	extra->accounting_waits = job->state_reason == WAIT_ASSOC_GRP_GRES;
}

static void add_run(struct gw_rank_copy *copy, const struct gw_job *view, time_t end)
{
	struct gw_run *run;

	copy->runs = room(copy->runs, copy->run_count, &copy->run_room, sizeof(*copy->runs));
	run = &copy->runs[copy->run_count++];
	run->id = view->id;
	run->queue = view->queue;
	run->flavor = view->flavor;
	run->rate = view->rate;
	run->start = view->start;
	run->end = end;
}

static void add_running(struct gw_rank_copy *copy, const job_record_t *job,
			const struct gw_job *view)
{
	copy->running = room(copy->running, copy->running_count, &copy->running_room,
			     sizeof(*copy->running));
	copy->running[copy->running_count++] = *view;
	add_run(copy, view, 0);
	if (job->site_factor == NICE_OFFSET)
		return;
	copy->marked =
		room(copy->marked, copy->marked_count, &copy->marked_room, sizeof(*copy->marked));
	copy->marked[copy->marked_count++] =
		(struct gw_marked){.job = job->job_id, .array_job = job->array_job_id};
}

/* Its nodes stay in use until its limit. */
static void keep_nodes(struct gw_rank_copy *copy, const job_record_t *job)
{
	int last = job->node_bitmap ? bit_fls(job->node_bitmap) : -1;

	if (!copy->until || last >= node_record_count)
		return;
	for (int i = last < 0 ? 0 : bit_ffs(job->node_bitmap); i <= last; i++)
		if (bit_test(job->node_bitmap, i))
			copy->until[i] = MAX(copy->until[i], job->end_time);
}

/* list_for_each() callback. */
static int visit_job(void *item, void *arg)
{
	job_record_t *job = item;
	struct visit *visit = arg;
	struct gw_rank_copy *copy = visit->copy;
	bool finished = IS_JOB_FINISHED(job);
	struct gw_job view;

	if (IS_JOB_RUNNING(job))
		keep_nodes(copy, job);
	if ((finished && (job->end_time < visit->ended_since || !job->start_time)) ||
	    !gw_snap_job(visit->policy, &copy->positions, job, &view))
		return 0;
	if (finished)
		add_run(copy, &view, MAX(job->end_time, job->start_time));
	else if (view.state == GW_JOB_PENDING)
		add_pending(copy, job, &view);
	else
		add_running(copy, job, &view);
	return 0;
}

void gw_rank_copy_take(struct gw_rank_copy *copy, struct gw_policy *policy, struct gw_quota *quota,
		       time_t ended_since, struct gw_call *call)
{
	slurmctld_lock_t locks = {.job = READ_LOCK, .node = READ_LOCK, .part = READ_LOCK};
	assoc_mgr_lock_t assoc_locks = {.assoc = READ_LOCK, .qos = READ_LOCK, .tres = READ_LOCK};
	struct visit visit = {copy, policy, ended_since - GW_RANK_ENDED_LATE};

	gw_snap_positions_free(&copy->positions);
	gw_snap_positions(policy, &copy->positions);
	copy->pending_count = copy->running_count = copy->run_count = copy->marked_count = 0;
	xfree(copy->gpus);
	copy->gpus = xcalloc(gw_policy_conf(policy)->flavor_count + 1, sizeof(*copy->gpus));
	xfree(copy->gaps);
	xfree(copy->until);
	lock_slurmctld(locks);
	gw_call_apart_end(call);
	if (gw_policy_conf(policy)->gap_match > 0)
		copy->until = xcalloc(node_record_count + 1, sizeof(*copy->until));
	/* Not before: what ended while we waited for the lock would end in the future. */
	copy->now = time(NULL);
	copy->minute = gw_gate_minute();
	assoc_mgr_lock(&assoc_locks);
	gw_hardware_gpus(policy, copy->gpus);
	if (job_list)
		list_for_each(job_list, visit_job, &visit);
	gw_gate_qos_problem(policy, copy->positions.gpu, &copy->quota_problem);
	gw_gate_fill(policy, &copy->positions, quota, copy->minute);
	copy->gaps = gw_hardware_gaps(policy, copy->until, &copy->gap_count);
	assoc_mgr_unlock(&assoc_locks);
	gw_call_apart_begin(call);
	unlock_slurmctld(locks);
}

void gw_rank_copy_free(struct gw_rank_copy *copy)
{
	gw_snap_positions_free(&copy->positions);
	xfree(copy->pending);
	xfree(copy->extra);
	xfree(copy->running);
	xfree(copy->runs);
	xfree(copy->marked);
	xfree(copy->gpus);
	xfree(copy->gaps);
	xfree(copy->until);
	memset(copy, 0, sizeof(*copy));
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "sim.h"

#include <stdlib.h>
#include <string.h>

#include "sim_impl.h"

/* Told this many times. */
#define PROGRESS_STEPS 200

/* Peak= hours come again after this long. */
#define WEEK_SECONDS (7 * 86400)

void sim_wait(struct sim *sim, uint32_t index)
{
	struct sim_job *job = &sim->job[index];
	const struct sim_need *need = &sim->need[job->need];
	const struct gw_trace_job *from = &sim->trace->job[job->trace];

	job->lower_started = sim_measure_lower(sim, job);
	job->pending_place = (uint32_t)sim->pending_count;
	sim->pending[sim->pending_count] = index;
	sim->pending_view[sim->pending_count++] = (struct gw_job){
		.id = index + 1,
		.tasks = 1,
		.state = GW_JOB_PENDING,
		.queue = job->queue,
		.flavor = job->flavor,
		.job_class = job->job_class,
		.user = from->user,
		.gpus = need->gpus,
		.nodes = need->nodes + (need->rest != UINT32_MAX),
		.rate = sim_rate(sim, job),
		.whole_nodes = need->gpus && need->rest == UINT32_MAX &&
			       sim->unit[need->unit].gpus == sim->node_gpus_max,
		.limit = job->limit,
		.submit = job->submit,
		.eligible = job->eligible,
	};
	sim->need[job->need].pending++;
	if (job->queue != GW_INDEX_NONE)
		sim->queue_pending[job->queue] += need->gpus;
}

void sim_waits_no_more(struct sim *sim, uint32_t index)
{
	struct sim_job *job = &sim->job[index];
	uint32_t last = (uint32_t)--sim->pending_count, place = job->pending_place;

	sim->pending[place] = sim->pending[last];
	sim->pending_view[place] = sim->pending_view[last];
	sim->job[sim->pending[place]].pending_place = place;
	sim->need[job->need].pending--;
	if (job->queue != GW_INDEX_NONE)
		sim->queue_pending[job->queue] -= sim->need[job->need].gpus;
}

static void push_end(struct sim *sim, int64_t at, uint32_t job)
{
	size_t i = sim->end_count++;

	while (i && sim->ends[(i - 1) / 2].at > at) {
		sim->ends[i] = sim->ends[(i - 1) / 2];
		i = (i - 1) / 2;
	}
	sim->ends[i] = (struct sim_event){at, job};
}

static struct sim_event pop_end(struct sim *sim)
{
	struct sim_event first = sim->ends[0], last = sim->ends[--sim->end_count];
	size_t i = 0;

	for (size_t child = 1; child < sim->end_count; child = 2 * i + 1) {
		if (child + 1 < sim->end_count && sim->ends[child + 1].at < sim->ends[child].at)
			child++;
		if (last.at <= sim->ends[child].at)
			break;
		sim->ends[i] = sim->ends[child];
		i = child;
	}
	sim->ends[i] = last;
	return first;
}

static int take_nodes(struct sim *sim, uint32_t index, size_t chosen)
{
	struct sim_job *job = &sim->job[index];
	const struct sim_need *need = &sim->need[job->need];

	if (sim_is_pool(sim)) {
		sim->free_gpus -= need->gpus;
		return 0;
	}
	job->nodes = malloc(chosen * sizeof(*job->nodes));
	if (!job->nodes)
		return gw_error_memory(sim->error);
	job->node_count = (uint32_t)chosen;
	for (size_t i = 0; i < chosen; i++) {
		const struct gw_choice *choice = &sim->choice[i];
		bool is_rest = need->rest != UINT32_MAX &&
			       gw_gpus_count(choice->gpus) == sim->unit[need->rest].gpus;

		job->nodes[i] = choice->index;
		if (sim_hold(sim, index, choice, &sim->unit[is_rest ? need->rest : need->unit],
			     sim->now + job->limit))
			return -1;
	}
	return 0;
}

static int account_start(struct sim *sim, uint32_t index)
{
	const struct sim_job *job = &sim->job[index];
	uint32_t gpus = sim->need[job->need].gpus;

	if (job->queue == GW_INDEX_NONE)
		return 0;
	sim->queue_gpus[job->queue] += gpus;
	if (sim->quota && job->flavor != GW_INDEX_NONE)
		gw_quota_hold(sim->quota,
			      gw_quota_pool_of(sim->policy->conf, job->queue, job->flavor),
			      job->flavor, gpus);
	return gw_ledger_start(sim->ledger, job->queue, job->flavor, index + 1, sim_rate(sim, job),
			       sim->now, sim->error);
}

int sim_start(struct sim *sim, uint32_t index, size_t chosen)
{
	struct sim_job *job = &sim->job[index];

	sim_measure_started(sim, index);
	job->start = sim->now;
	job->end = sim->now + job->duration;
	sim_waits_no_more(sim, index);
	sim->version++;
	push_end(sim, job->end, index);
	sim_windows_started(&sim->windows, job->start + job->limit);
	sim->result->run[sim->result->run_count++] =
		(struct gw_sim_run){job->trace, job->eligible, job->start, job->end};
	return take_nodes(sim, index, chosen) || account_start(sim, index) ||
			       sim_predict_started(sim, index)
		       ? -1
		       : 0;
}

int sim_end(struct sim *sim)
{
	struct sim_event event = pop_end(sim);
	struct sim_job *job = &sim->job[event.job];
	uint32_t gpus = sim->need[job->need].gpus;

	sim_windows_ended(&sim->windows, job->start + job->limit);
	if (sim_is_pool(sim))
		sim->free_gpus += gpus;
	for (uint32_t i = 0; i < job->node_count; i++)
		sim_release(sim, event.job, job->nodes[i]);
	free(job->nodes);
	job->nodes = NULL;
	job->node_count = 0;
	sim->version++;
	if (sim_predict_ended(sim, event.job))
		return -1;
	if (job->queue == GW_INDEX_NONE)
		return 0;
	sim->queue_gpus[job->queue] -= gpus;
	if (sim->quota && job->flavor != GW_INDEX_NONE)
		gw_quota_hold(sim->quota,
			      gw_quota_pool_of(sim->policy->conf, job->queue, job->flavor),
			      job->flavor, -(int64_t)gpus);
	gw_ledger_end(sim->ledger, event.job + 1, sim->now);
	return 0;
}

/* When the passes are due; GW_SIM_NEVER: nothing has happened since the last one. */
struct due {
	int64_t main, backfill;
	int64_t hours_until; /* while the hours of the week alone may let a job start */
};

static void something_happened(const struct sim *sim, struct due *due)
{
	const struct gw_model_sched *sched = &sim->model->sched;
	int64_t next = (sim->now / sched->bf_interval + 1) * sched->bf_interval;

	if (sim->quota && sim->policy->conf->peak_count)
		due->hours_until = sim->now + WEEK_SECONDS;
	if (due->main == GW_SIM_NEVER)
		due->main = sim->now + sched->batch_sched_delay;
	if (due->backfill == GW_SIM_NEVER && sched->backfill &&
	    sim->policy->backfill != GW_SIM_BACKFILL_NONE)
		due->backfill = next;
}

static int run_passes(struct sim *sim, struct due *due)
{
	size_t started = sim->result->run_count;

	if (due->main <= sim->now) {
		due->main = GW_SIM_NEVER;
		if (sim_pass_main(sim))
			return -1;
	}
	if (due->backfill <= sim->now) {
		due->backfill = GW_SIM_NEVER;
		if (sim_pass_backfill(sim))
			return -1;
	}
	if (sim->result->run_count > started && sim->pending_count)
		something_happened(sim, due);
	if (due->main == GW_SIM_NEVER && sim->pending_count && sim->now < due->hours_until &&
	    sim->model->sched.sched_interval > 0)
		due->main = sim->now + sim->model->sched.sched_interval;
	return 0;
}

static int submit(struct sim *sim, uint32_t index)
{
	sim_wait(sim, index);
	return sim_pass_submit(sim, index);
}

static void tell(const struct sim *sim, size_t done)
{
	size_t step = sim->job_count / PROGRESS_STEPS + 1;

	if (sim->options->progress && done % step == 0)
		sim->options->progress(sim->options->progress_arg,
				       (double)done / (double)sim->job_count);
}

static int run(struct sim *sim)
{
	struct due due = {GW_SIM_NEVER, GW_SIM_NEVER, INT64_MIN};
	uint32_t next = 0;

	while (next < sim->job_count || sim->end_count ||
	       (sim->pending_count && sim_earlier(due.main, due.backfill) != GW_SIM_NEVER)) {
		int64_t at = sim_earlier(due.main, due.backfill);

		if (next < sim->job_count)
			at = sim_earlier(at, sim->job[next].eligible);
		if (sim->end_count)
			at = sim_earlier(at, sim->ends[0].at);
		sim_measure_to(sim, at);
		sim->now = at;
		if (sim_predict_refresh(sim))
			return -1;
		while (sim->end_count && sim->ends[0].at <= at) {
			if (sim_end(sim))
				return -1;
			something_happened(sim, &due);
		}
		for (; next < sim->job_count && sim->job[next].eligible <= at; tell(sim, next)) {
			something_happened(sim, &due);
			if (submit(sim, next++))
				return -1;
		}
		if (run_passes(sim, &due))
			return -1;
	}
	sim->result->left_out += sim->pending_count;
	return 0;
}

void sim_find_window(struct sim *sim)
{
	const struct gw_trace *trace = sim->trace;

	sim->from = sim->options->from;
	sim->until = sim->options->until;
	if (!sim->from && trace->count)
		sim->from = trace->job[0].submit;
	if (!sim->until && trace->count)
		sim->until = trace->job[trace->count - 1].submit;
	if (sim->job_count)
		sim->now = sim_earlier(sim->from, sim->job[0].eligible);
}

int gw_sim_run(const struct gw_trace *trace, const struct gw_model *model,
	       const struct gw_sim_policy *policy, const struct gw_sim_options *options,
	       struct gw_sim_result *result, struct gw_error *error)
{
	struct sim sim = {
		.trace = trace,
		.model = model,
		.policy = policy,
		.options = options,
		.error = error,
		.result = result,
		.version = 1,
	};
	int rc = -1;

	memset(result, 0, sizeof(*result));
	if (!sim_load(&sim)) {
		sim_find_window(&sim);
		if (!sim_predict_new(&sim) && !sim_measure_new(&sim) && !run(&sim) &&
		    !sim_measure_end(&sim))
			rc = 0;
	}
	sim_unload(&sim);
	if (rc)
		gw_sim_result_free(result);
	return rc;
}

void gw_sim_result_free(struct gw_sim_result *result)
{
	free(result->by_class);
	free(result->by_queue);
	free(result->by_class_size);
	free(result->run);
	free(result->series.pending_jobs);
	free(result->series.pending_gpus);
	free(result->series.used);
	free(result->series.stranded);
	free(result->series.held);
	free(result->series.entitled);
	memset(result, 0, sizeof(*result));
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_record.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../util/parse.h"
#include "trace_ids.h"

void gw_trace_intake_begin(struct gw_trace_intake *intake, struct gw_trace *trace, bool strict)
{
	*intake = (struct gw_trace_intake){
		.trace = trace, .strict = strict, .last = INT64_MIN, .first = trace->count};
}

void gw_trace_intake_free(struct gw_trace_intake *intake)
{
	if (!intake)
		return;
	for (int i = 0; i < GW_TRACE_PROBLEM_COUNT; i++)
		gw_strings_free(&intake->notes[i]);
	gw_trace_ids_free(&intake->by_id);
	gw_trace_ids_free(&intake->by_run);
	*intake = (struct gw_trace_intake){0};
}

void gw_trace_record_clear(struct gw_trace_record *record)
{
	*record = (struct gw_trace_record){.job = {.submit = GW_TRACE_NONE,
						   .eligible = GW_TRACE_NONE,
						   .start = GW_TRACE_NONE,
						   .end = GW_TRACE_NONE,
						   .duration = GW_TRACE_NONE,
						   .limit = GW_TRACE_NONE}};
}

/* Not odd, as a requeue is, but wrong. */
static bool is_bad(enum gw_trace_problem problem)
{
	return problem == GW_TRACE_MALFORMED || problem == GW_TRACE_NEGATIVE_DURATION;
}

int gw_trace_intake_note(struct gw_trace_intake *intake, enum gw_trace_problem problem,
			 const char *where, uint64_t line, const char *text, struct gw_error *error)
{
	struct gw_strings *notes = &intake->notes[problem];
	struct gw_error note = {0};
	bool stop = intake->strict && is_bad(problem);

	intake->trace->problems[problem]++;
	if (!stop && notes->count >= GW_TRACE_NOTES_MAX)
		return 0;
	gw_error_set(&note, "%s", text);
	if (line)
		gw_error_prefix(&note, "%s:%" PRIu64 ": ", where, line);
	else if (where)
		gw_error_prefix(&note, "%s: ", where);
	if (stop)
		return gw_error_set(error, "%s", note.text);
	if (gw_strings_add(notes, note.text, strlen(note.text)))
		return gw_error_memory(error);
	return 0;
}

/* Where a record was found. */
struct place {
	struct gw_trace_intake *intake;
	const char *where;
	uint64_t line;
};

static int note_job(const struct place *place, enum gw_trace_problem problem,
		    const struct gw_trace_job *job, struct gw_error *error)
{
	char text[160];

	snprintf(text, sizeof(text), "job %" PRIu64 ": %s", job->id,
		 gw_trace_problem_text(problem));
	return gw_trace_intake_note(place->intake, problem, place->where, place->line, text, error);
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

/* GW_TRACE_NONE is the least number, so a missing time is never the latest. */
static void see_times(struct gw_trace_intake *intake, const struct gw_trace_job *job)
{
	int64_t last = later(later(job->submit, job->eligible), later(job->start, job->end));

	if (job->start != GW_TRACE_NONE && job->duration != GW_TRACE_NONE)
		last = later(last, job->start + job->duration);
	intake->last = later(intake->last, last);
}

/* Submitted at the latest when eligible, and that at the latest when started. */
static void order_times(struct gw_trace_job *job)
{
	if (job->submit == GW_TRACE_NONE)
		job->submit = job->eligible != GW_TRACE_NONE ? job->eligible : job->start;
	if (job->start != GW_TRACE_NONE && job->submit > job->start)
		job->submit = job->start;
	job->eligible = later(job->eligible, job->submit);
	if (job->start != GW_TRACE_NONE && job->eligible > job->start)
		job->eligible = job->start;
}

/* sacct of some versions gives a job that was cancelled while pending a start, but no nodes. */
static bool never_started(const struct gw_trace_record *record)
{
	const struct gw_trace_job *job = &record->job;
	bool ran = job->duration != GW_TRACE_NONE && job->duration != 0;

	if (job->state == GW_TRACE_PENDING)
		return true;
	if (job->start == GW_TRACE_NONE)
		return job->duration == GW_TRACE_NONE || (!ran && job->state == GW_TRACE_CANCELLED);
	return !ran && job->state == GW_TRACE_CANCELLED && record->node_list &&
	       gw_same(record->node_list, "None assigned");
}

/* In the hour that a clock shows twice, an end can look earlier than its start. */
static void mend_end(struct gw_trace_job *job)
{
	if (job->start != GW_TRACE_NONE && job->end != GW_TRACE_NONE && job->end < job->start &&
	    job->duration >= 0 && job->start + job->duration - job->end == 3600)
		job->end += 3600;
}

static bool is_negative(const struct gw_trace_job *job)
{
	if (job->start != GW_TRACE_NONE && job->end != GW_TRACE_NONE && job->end < job->start)
		return true;
	return job->duration != GW_TRACE_NONE && job->duration < 0;
}

/* The run time, or GW_TRACE_NONE while it is not known: see gw_trace_intake_end(). */
static int read_duration(const struct place *place, struct gw_trace_job *job,
			 struct gw_error *error)
{
	bool open = job->end == GW_TRACE_NONE &&
		    (job->duration == GW_TRACE_NONE || job->state == GW_TRACE_RUNNING);

	if (open && job->start != GW_TRACE_NONE) {
		job->duration = GW_TRACE_NONE;
		return note_job(place, GW_TRACE_NO_END, job, error);
	}
	if (job->duration == GW_TRACE_NONE)
		job->duration = job->end - job->start;
	if (job->start != GW_TRACE_NONE && job->end == GW_TRACE_NONE)
		job->end = job->start + job->duration;
	return 0;
}

static int read_limit(const struct place *place, struct gw_trace_job *job, struct gw_error *error)
{
	if (job->limit == GW_TRACE_NONE) {
		job->limit = GW_TIME_INFINITE;
		return note_job(place, GW_TRACE_NO_LIMIT, job, error);
	}
	if (job->duration <= job->limit)
		return 0;
	job->limit = job->duration;
	return note_job(place, GW_TRACE_OVER_LIMIT, job, error);
}

static int read_names(struct gw_trace *trace, const struct gw_trace_record *record,
		      struct gw_trace_job *job, struct gw_error *error)
{
	const char *nodes = record->node_list;

	if (nodes && gw_same(nodes, "None assigned"))
		nodes = NULL;
	return gw_trace_name(trace, record->user, &job->user, error) ||
			       gw_trace_name(trace, record->account, &job->account, error) ||
			       gw_trace_name(trace, record->qos, &job->qos, error) ||
			       gw_trace_name(trace, record->partition, &job->partition, error) ||
			       gw_trace_name(trace, record->name, &job->name, error) ||
			       gw_trace_name(trace, record->gpu_type, &job->gpu_type, error) ||
			       gw_trace_name(trace, nodes, &job->node_list, error)
		       ? -1
		       : 0;
}

static bool same_owner(const struct gw_trace_job *a, const struct gw_trace_job *b)
{
	return a->user == b->user && a->account == b->account && a->name == b->name;
}

static bool was_put_back(const struct gw_trace_job *job)
{
	return job->state == GW_TRACE_REQUEUED || job->state == GW_TRACE_NODE_FAIL ||
	       job->state == GW_TRACE_PREEMPTED;
}

/* Of two records of one id: is the later one a further run of the same job? */
static enum gw_trace_problem same_id(const struct gw_trace_job *a, const struct gw_trace_job *b)
{
	const struct gw_trace_job *before = a->submit <= b->submit ? a : b;

	return same_owner(a, b) && was_put_back(before) ? GW_TRACE_REQUEUE : GW_TRACE_RECYCLED_ID;
}

/* The record that knows its end is the newer one. */
static int keep_newer(const struct place *place, const struct gw_trace_job *job, size_t at,
		      struct gw_error *error)
{
	struct gw_trace_job *kept = &place->intake->trace->job[at];

	if (kept->duration == GW_TRACE_NONE && job->duration != GW_TRACE_NONE)
		*kept = *job;
	return note_job(place, GW_TRACE_DUPLICATE, job, error);
}

static int add_job(const struct place *place, const struct gw_trace_job *job,
		   struct gw_error *error)
{
	struct gw_trace_intake *intake = place->intake;
	struct gw_trace *trace = intake->trace;
	uint32_t *run, *id;

	if (gw_trace_ids_room(&intake->by_run, trace, intake->first, true, error) ||
	    gw_trace_ids_room(&intake->by_id, trace, intake->first, false, error))
		return -1;
	run = gw_trace_ids_find(&intake->by_run, trace, job, true);
	if (*run)
		return keep_newer(place, job, *run - 1, error);
	id = gw_trace_ids_find(&intake->by_id, trace, job, false);
	if (*id && note_job(place, same_id(&trace->job[*id - 1], job), job, error))
		return -1;
	if (gw_trace_add(trace, job, error))
		return -1;
	intake->by_run.used++;
	intake->by_id.used += !*id;
	*run = *id = (uint32_t)trace->count;
	return 0;
}

int gw_trace_intake_add(struct gw_trace_intake *intake, const struct gw_trace_record *record,
			const char *where, uint64_t line, struct gw_error *error)
{
	const struct place place = {intake, where, line};
	struct gw_trace_job job = record->job;

	if (record->is_step)
		return note_job(&place, GW_TRACE_STEP, &job, error);
	see_times(intake, &job);
	if (never_started(record))
		return note_job(&place, GW_TRACE_NO_START, &job, error);
	mend_end(&job);
	if (is_negative(&job))
		return note_job(&place, GW_TRACE_NEGATIVE_DURATION, &job, error);
	order_times(&job);
	if (job.submit == GW_TRACE_NONE)
		return gw_trace_intake_note(intake, GW_TRACE_MALFORMED, where, line,
					    "has no time of submit", error);
	if (read_duration(&place, &job, error) || read_limit(&place, &job, error) ||
	    read_names(intake->trace, record, &job, error))
		return -1;
	return add_job(&place, &job, error);
}

/* Slurm would have ended it at its limit: one that seems to run on was lost by accounting. */
static int64_t duration_until(const struct gw_trace_job *job, int64_t now)
{
	int64_t duration = later(now - job->start, 0);

	return duration > job->limit ? job->limit : duration;
}

int gw_trace_intake_end(struct gw_trace_intake *intake, int64_t now, struct gw_error *error)
{
	struct gw_trace *trace = intake->trace;

	for (size_t i = intake->first; i < trace->count; i++) {
		struct gw_trace_job *job = &trace->job[i];

		if (job->duration != GW_TRACE_NONE)
			continue;
		job->duration = duration_until(job, now == GW_TRACE_NONE ? intake->last : now);
		job->end = job->start + job->duration;
	}
	gw_trace_ids_free(&intake->by_id);
	gw_trace_ids_free(&intake->by_run);
	intake->first = trace->count;
	return gw_trace_sort(trace, error);
}

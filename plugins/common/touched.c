// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/touched.h"

#include <errno.h>
#include <stdlib.h>

#include "plugins/common/engine.h"
#include "plugins/common/weak.h"
#include "src/core/numbers.h"
#include "src/slurmctld/locks.h"
#include "src/util/file.h"
#include "src/util/record.h"

#define GW_TOUCHED_FILE "site_factors"

static int compare(const void *a, const void *b)
{
	uint32_t x = ((const struct gw_touched *)a)->job, y = ((const struct gw_touched *)b)->job;

	return (x > y) - (x < y);
}

static struct gw_touched *find(const struct gw_rank *rank, uint32_t job)
{
	const struct gw_touched key = {.job = job};

	return rank->touched_count
		       ? bsearch(&key, rank->touched, rank->touched_count, sizeof(key), compare)
		       : NULL;
}

static int compare_noted(const void *a, const void *b)
{
	const struct gw_noted *x = a, *y = b;

	if (x->job != y->job)
		return x->job > y->job ? 1 : -1;
	return (x->order > y->order) - (x->order < y->order);
}

/* The first that was noted of a job counts: later ones may be of ours. */
static void add(struct gw_rank *rank, const struct gw_noted *noted)
{
	if (find(rank, noted->job))
		return;
	if (rank->noted_count == rank->noted_room) {
		rank->noted_room = rank->noted_room ? rank->noted_room * 2 : 64;
		xrealloc(rank->noted, rank->noted_room * sizeof(*rank->noted));
	}
	rank->noted[rank->noted_count] = *noted;
	rank->noted[rank->noted_count].order = (uint32_t)rank->noted_count;
	rank->noted_count++;
}

/* Sorts what was noted, one of each job. */
static void sort_noted(struct gw_rank *rank)
{
	size_t kept = 0;

	qsort(rank->noted, rank->noted_count, sizeof(*rank->noted), compare_noted);
	for (size_t i = 0; i < rank->noted_count; i++)
		if (!kept || rank->noted[kept - 1].job != rank->noted[i].job)
			rank->noted[kept++] = rank->noted[i];
	rank->noted_count = kept;
}

/* From the end, where the room is. */
static void merge_noted(struct gw_rank *rank)
{
	size_t old = rank->touched_count, left = rank->noted_count, at = old + left;

	rank->touched_count = at;
	if (at > rank->touched_room) {
		rank->touched_room = at * 2;
		xrealloc(rank->touched, rank->touched_room * sizeof(*rank->touched));
	}
	while (left > 0)
		if (old > 0 && rank->touched[old - 1].job > rank->noted[left - 1].job) {
			rank->touched[--at] = rank->touched[--old];
		} else {
			left--;
			rank->touched[--at] = (struct gw_touched){rank->noted[left].job,
								  rank->noted[left].before};
		}
}

/* Takes what was noted into the list: all at once, for there may be very many. */
static void settle(struct gw_rank *rank)
{
	if (!rank->noted_count)
		return;
	sort_noted(rank);
	merge_noted(rank);
	/* A task that was split off its array has the number of the array. */
	for (size_t i = 0; i < rank->noted_count; i++) {
		const struct gw_noted *noted = &rank->noted[i];
		const struct gw_touched *array =
			noted->array_job ? find(rank, noted->array_job) : NULL;

		if (array)
			find(rank, noted->job)->before = array->before;
	}
	rank->noted_count = 0;
	rank->touched_changed = true;
}

/* Only of ours is a number so high: nobody noted what was before, as after kill -9. */
uint32_t gw_touched_before(const job_record_t *job)
{
	int64_t factor = (int64_t)job->site_factor - NICE_OFFSET;

	return factor < (int64_t)GW_NUMBER_LOW / 2 ? job->site_factor : NICE_OFFSET;
}

void gw_touched_note(struct gw_rank *rank, const job_record_t *job)
{
	const struct gw_noted noted = {
		.job = job->job_id,
		.array_job = job->array_job_id,
		.before = gw_touched_before(job),
	};

	add(rank, &noted);
}

void gw_touched_merge(struct gw_rank *rank)
{
	struct gw_noted *fresh;
	size_t count;

	pthread_mutex_lock(&rank->lock);
	fresh = rank->fresh;
	count = rank->fresh_count;
	rank->fresh = NULL;
	rank->fresh_count = rank->fresh_room = 0;
	pthread_mutex_unlock(&rank->lock);
	for (size_t i = 0; i < count; i++)
		add(rank, &fresh[i]);
	xfree(fresh);
	settle(rank);
}

/* Job=ID Before=N, N as scontrol shows a site factor. */
static void load_record(struct gw_rank *rank, const struct gw_record *record)
{
	const char *job = gw_record_value(record, "Job"),
		   *before = gw_record_value(record, "Before");

	const struct gw_noted noted = {
		.job = job ? (uint32_t)strtoul(job, NULL, 10) : 0,
		.before = before ? (uint32_t)(strtoll(before, NULL, 10) + NICE_OFFSET) : 0,
	};

	if (job && before)
		add(rank, &noted);
}

void gw_touched_load(struct gw_rank *rank)
{
	struct gw_record_reader reader;
	struct gw_error why = {{0}};
	struct gw_record record;
	char path[PATH_MAX], *text = NULL;
	int rc;

	if (rank->touched_loaded)
		return;
	rank->touched_loaded = true;
	if (gw_engine_state_path(GW_TOUCHED_FILE, path))
		return;
	if (gw_file_read(path, &text, &why)) {
		if (errno != ENOENT)
			error("gangway: %s", why.text);
		return;
	}
	gw_record_reader_init(&reader, text);
	while ((rc = gw_record_next(&reader, &record, &why)) > 0) {
		load_record(rank, &record);
		gw_record_free(&record);
	}
	if (rc < 0)
		error("gangway: %s:%d: %s: what follows is not known", path, reader.error_line,
		      why.text);
	free(text);
	settle(rank);
	rank->touched_changed = false;
}

/* Splits the list in those that are still ranked, which stay, and the others, which go to gone. */
static size_t split(struct gw_rank *rank, struct gw_touched *gone)
{
	bool *ranked = xcalloc(rank->touched_count + 1, sizeof(*ranked));
	size_t kept = 0, count = 0;

	for (size_t i = 0; i < rank->copy.pending_count; i++) {
		const struct gw_touched *found = find(rank, rank->copy.pending[i].id);

		if (found)
			ranked[found - rank->touched] = true;
	}
	for (size_t i = 0; i < rank->touched_count; i++)
		if (ranked[i])
			rank->touched[kept++] = rank->touched[i];
		else
			gone[count++] = rank->touched[i];
	rank->touched_changed = rank->touched_changed || count;
	rank->touched_count = kept;
	xfree(ranked);
	return count;
}

struct gw_touched *gw_touched_leavers(struct gw_rank *rank, size_t *count)
{
	const struct gw_rank_copy *copy = &rank->copy;
	struct gw_touched *gone =
		xcalloc(rank->touched_count + copy->marked_count + 1, sizeof(*gone));
	size_t tasks = 0;

	for (size_t i = 0; i < copy->marked_count; i++) {
		const struct gw_marked *marked = &copy->marked[i];
		const struct gw_touched *array =
			marked->array_job ? find(rank, marked->array_job) : NULL;

		if (array && !find(rank, marked->job))
			gone[tasks++] = (struct gw_touched){marked->job, array->before};
	}
	*count = tasks + split(rank, gone + tasks);
	return gone;
}

void gw_touched_restore(struct gw_rank *rank, const struct gw_touched *touched)
{
	job_record_t *job = find_job_record(touched->job);

	if (!job)
		return;
	job->site_factor = touched->before;
	if (IS_JOB_PENDING(job) && job->details && job->priority && !job->direct_set_prio)
		job->priority = rank->stock(job);
}

void gw_touched_publish(struct gw_rank *rank)
{
	struct gw_str text = {0};
	char *whole;

	settle(rank);
	if (!rank->touched_changed)
		return;
	gw_str_append(&text, "# site factors before Gangway's, of pending jobs\n");
	for (size_t i = 0; i < rank->touched_count; i++)
		gw_str_appendf(&text, "Job=%u Before=%" PRId64 "\n", rank->touched[i].job,
			       (int64_t)rank->touched[i].before - NICE_OFFSET);
	whole = gw_str_take(&text);
	rank->touched_changed = !whole;
	if (whole)
		gw_engine_keep_file(GW_TOUCHED_FILE, 0600, whole);
	gw_str_free(&text);
}

void gw_touched_put_back(struct gw_rank *rank)
{
	slurmctld_lock_t locks = {.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK};

	gw_touched_load(rank);
	gw_touched_merge(rank);
	if (!rank->touched_count)
		return;
	lock_slurmctld(locks);
	gw_touched_merge(rank);
	for (size_t i = 0; i < rank->touched_count; i++)
		gw_touched_restore(rank, &rank->touched[i]);
	last_job_update = time(NULL);
	unlock_slurmctld(locks);
	rank->touched_count = 0;
	rank->touched_changed = true;
	gw_touched_publish(rank);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/touched.h"

#include <stdlib.h>

#include "plugins/common/engine.h"
#include "plugins/common/weak.h"
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

static void add(struct gw_rank *rank, uint32_t job, uint32_t before)
{
	size_t at = rank->touched_count;

	if (find(rank, job))
		return;
	if (at == rank->touched_room) {
		rank->touched_room = at ? at * 2 : 64;
		xrealloc(rank->touched, rank->touched_room * sizeof(*rank->touched));
	}
	while (at > 0 && rank->touched[at - 1].job > job) {
		rank->touched[at] = rank->touched[at - 1];
		at--;
	}
	rank->touched[at] = (struct gw_touched){job, before};
	rank->touched_count++;
	rank->touched_changed = true;
}

/* A task that was split off its array has the number of the array. */
static void add_task(struct gw_rank *rank, uint32_t job, uint32_t array_job, uint32_t before)
{
	const struct gw_touched *array = array_job ? find(rank, array_job) : NULL;

	add(rank, job, array ? array->before : before);
}

void gw_touched_note(struct gw_rank *rank, const job_record_t *job)
{
	add_task(rank, job->job_id, job->array_job_id, job->site_factor);
}

void gw_touched_merge(struct gw_rank *rank)
{
	struct gw_fresh *fresh;
	size_t count;

	pthread_mutex_lock(&rank->lock);
	fresh = rank->fresh;
	count = rank->fresh_count;
	rank->fresh = NULL;
	rank->fresh_count = rank->fresh_room = 0;
	pthread_mutex_unlock(&rank->lock);
	for (size_t i = 0; i < count; i++)
		add_task(rank, fresh[i].job, fresh[i].array_job, fresh[i].before);
	xfree(fresh);
}

/* Job=ID Before=N, N as scontrol shows a site factor. */
static void load_record(struct gw_rank *rank, const struct gw_record *record)
{
	const char *job = gw_record_value(record, "Job"),
		   *before = gw_record_value(record, "Before");

	if (job && before)
		add(rank, (uint32_t)strtoul(job, NULL, 10),
		    (uint32_t)(strtoll(before, NULL, 10) + NICE_OFFSET));
}

void gw_touched_load(struct gw_rank *rank)
{
	struct gw_record_reader reader;
	struct gw_error why = {{0}};
	struct gw_record record;
	char path[PATH_MAX], *text = NULL;

	if (rank->touched_loaded)
		return;
	rank->touched_loaded = true;
	if (gw_engine_state_path(GW_TOUCHED_FILE, path) || gw_file_read(path, &text, &why))
		return;
	gw_record_reader_init(&reader, text);
	while (gw_record_next(&reader, &record, &why) > 0) {
		load_record(rank, &record);
		gw_record_free(&record);
	}
	free(text);
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

	if (!rank->touched_changed)
		return;
	rank->touched_changed = false;
	gw_str_append(&text, "# site factors before Gangway's, of pending jobs\n");
	for (size_t i = 0; i < rank->touched_count; i++)
		gw_str_appendf(&text, "Job=%u Before=%" PRId64 "\n", rank->touched[i].job,
			       (int64_t)rank->touched[i].before - NICE_OFFSET);
	whole = gw_str_take(&text);
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

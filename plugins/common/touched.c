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

void gw_touched_note(struct gw_rank *rank, uint32_t job, uint32_t before)
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
}

/* Job=ID Before=N, N as scontrol shows a site factor. */
static void load_record(struct gw_rank *rank, const struct gw_record *record)
{
	const char *job = gw_record_value(record, "Job"),
		   *before = gw_record_value(record, "Before");

	if (job && before)
		gw_touched_note(rank, (uint32_t)strtoul(job, NULL, 10),
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

/* Keeps those of the list that are among the pending jobs, which come in any order. */
static void forget_started(struct gw_rank *rank)
{
	struct gw_touched *kept = xcalloc(rank->touched_count + 1, sizeof(*kept));
	size_t count = 0;

	for (size_t i = 0; i < rank->copy.pending_count; i++) {
		const struct gw_touched *found = find(rank, rank->copy.pending[i].id);

		if (found)
			kept[count++] = *found;
	}
	qsort(kept, count, sizeof(*kept), compare);
	xfree(rank->touched);
	rank->touched = kept;
	rank->touched_room = rank->touched_count + 1;
	rank->touched_count = count;
}

static void publish(const struct gw_rank *rank)
{
	struct gw_str text = {0};
	char *whole;

	gw_str_append(&text, "# site factors before Gangway's, of pending jobs\n");
	for (size_t i = 0; i < rank->touched_count; i++)
		gw_str_appendf(&text, "Job=%u Before=%" PRId64 "\n", rank->touched[i].job,
			       (int64_t)rank->touched[i].before - NICE_OFFSET);
	whole = gw_str_take(&text);
	if (whole)
		gw_engine_keep_file(GW_TOUCHED_FILE, 0600, whole);
	gw_str_free(&text);
}

void gw_touched_publish(struct gw_rank *rank, bool changed)
{
	size_t before = rank->touched_count;

	if (!before && !changed)
		return;
	forget_started(rank);
	if (changed || rank->touched_count != before)
		publish(rank);
}

void gw_touched_put_back(struct gw_rank *rank)
{
	slurmctld_lock_t locks = {.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK};

	gw_touched_load(rank);
	if (!rank->touched_count)
		return;
	lock_slurmctld(locks);
	for (size_t i = 0; i < rank->touched_count; i++) {
		job_record_t *job = find_job_record(rank->touched[i].job);

		if (!job || !IS_JOB_PENDING(job) || !job->details)
			continue;
		job->site_factor = rank->touched[i].before;
		if (job->priority && !job->direct_set_prio)
			job->priority = rank->stock(job);
	}
	last_job_update = time(NULL);
	unlock_slurmctld(locks);
	rank->touched_count = 0;
	publish(rank);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/rank_apply.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/common/engine.h"
#include "plugins/common/rank_explain.h"
#include "plugins/common/rank_numbers.h"
#include "plugins/common/touched.h"
#include "plugins/common/weak.h"
#include "src/slurmctld/locks.h"

/* The most sentences one pass writes, so that its time under the lock is bounded. */
#define GW_SENTENCES_MAX 2000

/* What is to be written of one job. */
struct change {
	uint32_t job, number; /* number 0: it stays */
	char *sentence;       /* NULL: it stays */
};

struct changes {
	struct change *change;
	size_t count, numbers; /* numbers: written so far */
	struct gw_touched *leaver;
	size_t leavers;
};

/* multifactor's factors move a job so far from its number before it is written again. */
#define GW_DRIFT_MAX (GW_NUMBER_GAP / 16)

static int make_room(struct gw_rank *rank, struct gw_error *why)
{
	/* Never 0: realloc() would free. */
	size_t room = rank->copy.pending_room + 1;
	uint32_t *grown;

	if (rank->copy.pending_count < rank->number_room)
		return 0;
	grown = realloc(rank->number, room * sizeof(*grown));
	if (!grown)
		return gw_error_memory(why);
	rank->number = grown;
	rank->number_room = room;
	return 0;
}

/* The numbers the jobs have now, 0 for new ones. */
static void current_numbers(struct gw_rank *rank)
{
	pthread_mutex_lock(&rank->lock);
	for (size_t i = 0; i < rank->copy.pending_count; i++) {
		const struct gw_standing_entry *entry =
			gw_standing_find(&rank->standing, rank->copy.pending[i].id);

		rank->number[i] = entry ? entry->number : 0;
	}
	pthread_mutex_unlock(&rank->lock);
}

static char *sentence_of(const struct gw_rank *rank, const struct gw_order_rank *ranks,
			 size_t count, size_t place)
{
	struct gw_rank_reason reason;

	if (!rank->copy.extra[ranks[place].job].accounting_waits)
		return NULL;
	gw_rank_explain(rank, ranks, count, place, &reason);
	return reason.explanation.line[0] ? xstrdup(reason.explanation.line) : NULL;
}

/* A lowest priority of 0 is not to be compared. */
static bool drifted(const struct gw_pending_extra *extra, uint32_t number)
{
	bool above = extra->lowest > number && extra->lowest - number > GW_DRIFT_MAX;
	bool below = extra->highest < number && number - extra->highest > GW_DRIFT_MAX;

	return extra->lowest && number && (above || below) && gw_engine_enforces(GW_ORDER);
}

static void collect(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		    const uint32_t *before, struct changes *changes)
{
	size_t sentences = 0;

	changes->change = xcalloc(count + 1, sizeof(*changes->change));
	for (size_t i = 0; i < count; i++) {
		uint32_t job = ranks[i].job, number = rank->number[job];
		struct change *change = &changes->change[changes->count];

		change->job = rank->copy.pending[job].id;
		if (number != before[job] || drifted(&rank->copy.extra[job], number))
			change->number = number;
		if (sentences < GW_SENTENCES_MAX)
			change->sentence = sentence_of(rank, ranks, count, i);
		sentences += change->sentence != NULL;
		if (change->number || change->sentence)
			changes->count++;
	}
}

static void free_changes(struct changes *changes)
{
	for (size_t i = 0; i < changes->count; i++)
		xfree(changes->change[i].sentence);
	xfree(changes->change);
	xfree(changes->leaver);
}

static bool write_number(struct gw_rank *rank, job_record_t *job, uint32_t number,
			 struct gw_call *call)
{
	uint32_t before = job->priority;

	if (!number || !job->priority || job->direct_set_prio || !gw_engine_enforces(GW_ORDER))
		return false;
	gw_touched_note(rank, job);
	gw_call_stock_begin(call);
	job->priority = gw_number_set(job, number, rank->stock);
	gw_call_stock_end(call);
	/* A number that can not be reached is no change in each pass. */
	return job->priority != before;
}

/* slurmctld frees the description at each evaluation of the job, so it is written again. */
static bool write_sentence(job_record_t *job, char **sentence)
{
	if (!*sentence || job->state_reason != WAIT_ASSOC_GRP_GRES ||
	    !gw_engine_enforces(GW_QUOTA) || !xstrcmp(job->state_desc, *sentence))
		return false;
	xfree(job->state_desc);
	job->state_desc = *sentence;
	*sentence = NULL;
	return true;
}

static void write_changes(struct gw_rank *rank, struct changes *changes, struct gw_call *call)
{
	slurmctld_lock_t locks = {.job = WRITE_LOCK, .node = READ_LOCK, .part = READ_LOCK};
	bool changed = false;

	if (!changes->count && !changes->leavers)
		return;
	lock_slurmctld(locks);
	gw_call_apart_end(call);
	gw_touched_merge(rank);
	gw_call_stock_begin(call);
	for (size_t i = 0; i < changes->leavers; i++)
		gw_touched_restore(rank, &changes->leaver[i]);
	gw_call_stock_end(call);
	for (size_t i = 0; i < changes->count; i++) {
		struct change *change = &changes->change[i];
		job_record_t *job = find_job_record(change->job);

		if (!job || !IS_JOB_PENDING(job) || !job->details)
			continue;
		changes->numbers += write_number(rank, job, change->number, call);
		changed = write_sentence(job, &change->sentence) || changed;
	}
	if (changed || changes->numbers)
		last_job_update = time(NULL);
	gw_call_apart_begin(call);
	unlock_slurmctld(locks);
}

static int fill_standing(const struct gw_rank *rank, const struct gw_order_rank *ranks,
			 size_t count, struct gw_standing *standing, struct gw_error *why)
{
	if (gw_standing_make(standing, count, gw_policy_conf(rank->policy)->flavor_count))
		return gw_error_memory(why);
	for (size_t i = 0; i < count; i++) {
		const struct gw_job *job = &rank->copy.pending[ranks[i].job];

		standing->entry[i] = (struct gw_standing_entry){
			.job = job->id,
			.number = rank->number[ranks[i].job],
			.rank = (uint32_t)i + 1,
			.turn = (int32_t)ranks[i].turn,
			.again = ranks[i].again,
			.flavor = job->flavor,
			.array = job->tasks > 1,
			.for_nodes = gw_order_startable(&ranks[i]),
		};
	}
	gw_standing_sort(standing);
	return 0;
}

static void *copy_of(const void *items, size_t count, size_t size)
{
	void *copy = xcalloc(count + 1, size);

	if (count)
		memcpy(copy, items, count * size);
	return copy;
}

static void free_board(struct gw_rank_board *board)
{
	xfree(board->job);
	xfree(board->number);
	xfree(board->usage);
	xfree(board->held);
	xfree(board->gpus);
	xfree(board->gaps);
	gw_quota_free(board->quota);
	gw_policy_put(board->policy);
	memset(board, 0, sizeof(*board));
}

static int fill_board(const struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		      struct gw_rank_board *board, struct gw_error *why)
{
	size_t lines = gw_lines(gw_policy_conf(rank->policy));

	memset(board, 0, sizeof(*board));
	board->quota = gw_quota_copy(rank->quota, why);
	if (!board->quota)
		return -1;
	board->policy = gw_policy_hold(rank->policy);
	board->job = copy_of(rank->copy.pending, rank->copy.pending_count, sizeof(*board->job));
	board->number = copy_of(rank->number, rank->copy.pending_count, sizeof(*board->number));
	board->count = rank->copy.pending_count;
	board->room = board->count + 1;
	board->usage = copy_of(rank->usage, lines, sizeof(*board->usage));
	board->held = copy_of(rank->held, lines, sizeof(*board->held));
	board->gpus = copy_of(rank->copy.gpus, gw_policy_conf(rank->policy)->flavor_count,
			      sizeof(*board->gpus));
	board->gaps = copy_of(rank->copy.gaps, rank->copy.gap_count, sizeof(*board->gaps));
	board->gap_count = rank->copy.gap_count;
	for (size_t i = 0; i < count; i++)
		if (gw_order_startable(&ranks[i]))
			board->last_startable = rank->number[ranks[i].job];
	return 0;
}

/* Puts what the hooks look at in place of what they looked at. */
static int publish(struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		   struct gw_error *why)
{
	struct gw_standing standing = {0}, old_standing;
	struct gw_rank_board board, old_board;

	if (!rank->board_work)
		rank->board_work = gw_order_workspace_new(why);
	if (!rank->board_work || fill_standing(rank, ranks, count, &standing, why))
		return -1;
	if (fill_board(rank, ranks, count, &board, why)) {
		gw_standing_free(&standing);
		return -1;
	}
	pthread_mutex_lock(&rank->lock);
	old_standing = rank->standing;
	old_board = rank->board;
	rank->standing = standing;
	rank->board = board;
	pthread_mutex_unlock(&rank->lock);
	gw_standing_free(&old_standing);
	free_board(&old_board);
	return 0;
}

int gw_rank_apply(struct gw_rank *rank, const struct gw_order_rank *ranks, size_t count,
		  struct gw_call *call, struct gw_error *why)
{
	struct changes changes = {0};
	uint32_t *before;

	if (make_room(rank, why))
		return -1;
	current_numbers(rank);
	before = copy_of(rank->number, rank->copy.pending_count, sizeof(*before));
	if (gw_rank_numbers(rank, ranks, count, why) ||
	    (gw_engine_enforces(GW_ORDER) && publish(rank, ranks, count, why))) {
		xfree(before);
		return -1;
	}
	collect(rank, ranks, count, before, &changes);
	changes.leaver = gw_touched_leavers(rank, &changes.leavers);
	write_changes(rank, &changes, call);
	gw_touched_publish(rank);
	free_changes(&changes);
	xfree(before);
	return 0;
}

void gw_rank_leave(struct gw_rank *rank)
{
	struct gw_standing standing;
	struct gw_rank_board board;

	pthread_mutex_lock(&rank->lock);
	standing = rank->standing;
	board = rank->board;
	memset(&rank->standing, 0, sizeof(rank->standing));
	memset(&rank->board, 0, sizeof(rank->board));
	pthread_mutex_unlock(&rank->lock);
	gw_standing_free(&standing);
	free_board(&board);
	gw_touched_put_back(rank);
	gw_rank_shut_gate(rank);
}

void gw_rank_free(struct gw_rank *rank)
{
	gw_standing_free(&rank->standing);
	free_board(&rank->board);
	gw_order_workspace_free(rank->board_work);
	gw_order_workspace_free(rank->work);
	gw_numbers_workspace_free(rank->numbers);
	gw_rank_copy_free(&rank->copy);
	gw_ledger_free(rank->ledger);
	gw_quota_free(rank->quota);
	gw_policy_put(rank->policy);
	free(rank->usage);
	free(rank->held);
	free(rank->number);
	xfree(rank->touched);
	xfree(rank->fresh);
	xfree(rank->noted);
	rank->board_work = rank->work = NULL;
	rank->numbers = NULL;
	rank->ledger = NULL;
	rank->quota = NULL;
	rank->policy = NULL;
	rank->usage = rank->held = NULL;
	rank->number = NULL;
	rank->number_room = rank->touched_count = rank->touched_room = 0;
	gw_policy_put(rank->gate_policy);
	rank->gate_policy = NULL;
	rank->fresh_count = rank->fresh_room = rank->noted_count = rank->noted_room = 0;
	rank->touched_loaded = rank->touched_changed = false;
	rank->last_pass = rank->ledger_published = rank->view_published = rank->clock_up = 0;
	rank->view_ns = rank->locks_rest_ns = 0;
}

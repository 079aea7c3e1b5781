// SPDX-License-Identifier: GPL-2.0-or-later
/* Agreement with the controller's own record of jobs, and usage out of history. */
#include "ledger_impl.h"

static void advance_all(struct gw_ledger *ledger, int64_t now)
{
	if (now > ledger->now)
		ledger->now = now;
	for (size_t i = 0; i < ledger->account_count; i++)
		gw_account_advance(&ledger->account[i], ledger->half_life, ledger->now);
}

/* A start that was noted a little early or late: all accounts stand at or after both times. */
static void move_start(struct gw_ledger *ledger, struct gw_running *job, int64_t start)
{
	struct gw_account *account = &ledger->account[job->account];

	gw_account_correct(account, ledger->half_life, job->rate, start, job->start);
	gw_account_correct(account, ledger->half_life, -job->rate, job->start, start);
	job->start = start;
	if (job->last_seen < start)
		job->last_seen = start;
}

static void set_rate(const struct gw_ledger *ledger, struct gw_running *job, double rate)
{
	struct gw_account *account = &ledger->account[job->account];

	if (rate == job->rate)
		return;
	gw_account_rate(account, rate - job->rate);
	job->rate = rate;
	if (job->full_rate < rate)
		job->full_rate = rate;
}

static void close_when_seen(struct gw_ledger *ledger, size_t job, int64_t at_most)
{
	int64_t end = ledger->job[job].last_seen;

	gw_ledger_close(ledger, job, end < at_most ? end : at_most);
}

static bool is_same_run(const struct gw_running *job, size_t account, const struct gw_run *run)
{
	int64_t apart = job->start - run->start;

	return job->account == account && apart <= GW_LEDGER_SLACK && apart >= -GW_LEDGER_SLACK;
}

static void add_whole(struct gw_ledger *ledger, size_t account, const struct gw_run *run)
{
	gw_account_correct(&ledger->account[account], ledger->half_life, run->rate, run->start,
			   run->end ? run->end : ledger->now);
}

static void take_running(struct gw_ledger *ledger, size_t account, const struct gw_run *run)
{
	bool found;
	size_t job = gw_ledger_find(ledger, run->id, &found);

	if (found && !is_same_run(&ledger->job[job], account, run)) {
		close_when_seen(ledger, job, run->start);
		found = false;
	}
	if (found) {
		move_start(ledger, &ledger->job[job], run->start);
		set_rate(ledger, &ledger->job[job], run->rate);
	} else {
		gw_ledger_open(ledger, account, run);
		job = gw_ledger_find(ledger, run->id, &found);
	}
	ledger->job[job].seen = true;
	ledger->job[job].last_seen = ledger->now;
}

static void take_ended(struct gw_ledger *ledger, size_t account, const struct gw_run *run)
{
	bool found;
	size_t job = gw_ledger_find(ledger, run->id, &found);

	if (found && is_same_run(&ledger->job[job], account, run)) {
		move_start(ledger, &ledger->job[job], run->start);
		gw_ledger_close(ledger, job, run->end);
	} else if (ledger->gap_from != GW_TIME_NONE && run->start >= ledger->gap_from) {
		add_whole(ledger, account, run);
	}
}

/* Nothing is in the future, nothing ends before it starts. */
static struct gw_run in_the_past(const struct gw_run *given, int64_t now)
{
	struct gw_run run = *given;

	if (run.start > now)
		run.start = now;
	if (run.end > now)
		run.end = now;
	if (run.end && run.end < run.start)
		run.end = run.start;
	return run;
}

static bool is_ours(const struct gw_ledger *ledger, const struct gw_run *run)
{
	return gw_line(ledger->conf, run->queue, run->flavor) != GW_NO_INDEX;
}

/* All that needs memory, before anything changes. */
static int prepare(struct gw_ledger *ledger, const struct gw_run *runs, size_t count,
		   struct gw_error *error)
{
	if (gw_ledger_room(ledger, count, error))
		return -1;
	for (size_t i = 0; i < count; i++) {
		const struct gw_run *run = &runs[i];

		if (!is_ours(ledger, run))
			continue;
		if (!(run->rate >= 0) || run->rate > GW_LEDGER_RATE_MAX)
			return gw_error_set(error, "job %u has a rate of %g", run->id, run->rate);
		if (gw_ledger_account_at(ledger, run->queue, run->flavor, error) == GW_NO_INDEX)
			return -1;
	}
	return 0;
}

int gw_ledger_reconcile(struct gw_ledger *ledger, const struct gw_run *runs, size_t count,
			int64_t now, struct gw_error *error)
{
	if (prepare(ledger, runs, count, error))
		return -1;
	advance_all(ledger, now);
	for (size_t i = 0; i < ledger->job_count; i++)
		ledger->job[i].seen = false;
	for (size_t i = 0; i < count; i++) {
		struct gw_run run = in_the_past(&runs[i], ledger->now);
		size_t line = gw_line(ledger->conf, run.queue, run.flavor);

		if (line == GW_NO_INDEX)
			continue;
		if (run.end)
			take_ended(ledger, ledger->account_of[line], &run);
		else
			take_running(ledger, ledger->account_of[line], &run);
	}
	for (size_t i = ledger->job_count; i-- > 0;)
		if (!ledger->job[i].seen)
			close_when_seen(ledger, i, ledger->now);
	/* A run may begin and end before the next time: nobody else tells of it. */
	ledger->gap_from = ledger->now;
	return 0;
}

int gw_ledger_add(struct gw_ledger *ledger, const struct gw_run *given, int64_t now,
		  struct gw_error *error)
{
	struct gw_run run;

	if (prepare(ledger, given, 1, error))
		return -1;
	if (!is_ours(ledger, given))
		return gw_error_set(error, "no queue %d or flavor %d is configured", given->queue,
				    given->flavor);
	advance_all(ledger, now);
	run = in_the_past(given, ledger->now);
	add_whole(ledger, ledger->account_of[gw_line(ledger->conf, run.queue, run.flavor)], &run);
	return 0;
}

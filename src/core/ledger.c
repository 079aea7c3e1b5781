// SPDX-License-Identifier: GPL-2.0-or-later
/* Accounts, running jobs and the events that change them. */
#include "ledger_impl.h"

#include <stdlib.h>
#include <string.h>

static size_t *lines_alloc(const struct gw_conf *conf)
{
	return calloc(gw_lines(conf) + 1, sizeof(size_t));
}

static void take_conf(struct gw_ledger *ledger, const struct gw_conf *conf, size_t *account_of)
{
	gw_ledger_map(ledger, conf, account_of);
	free(ledger->account_of);
	ledger->account_of = account_of;
	ledger->conf = conf;
	ledger->half_life = conf->usage_half_life;
	ledger->charge = conf->charge;
}

struct gw_ledger *gw_ledger_new(const struct gw_conf *conf, struct gw_error *error)
{
	struct gw_ledger *ledger = calloc(1, sizeof(*ledger));
	size_t *account_of = lines_alloc(conf);

	if (!ledger || !account_of) {
		free(ledger);
		free(account_of);
		gw_error_memory(error);
		return NULL;
	}
	ledger->gap_from = GW_TIME_NONE;
	take_conf(ledger, conf, account_of);
	return ledger;
}

void gw_ledger_free(struct gw_ledger *ledger)
{
	if (!ledger)
		return;
	for (size_t i = 0; i < ledger->account_count; i++) {
		free(ledger->account[i].queue);
		free(ledger->account[i].flavor);
	}
	free(ledger->account);
	free(ledger->job);
	free(ledger->account_of);
	free(ledger);
}

/* Late is what is told of a time before the latest told. */
static void tell_time(struct gw_ledger *ledger, int64_t now)
{
	if (now < ledger->now)
		ledger->late++;
	else
		ledger->now = now;
}

int gw_ledger_set_conf(struct gw_ledger *ledger, const struct gw_conf *conf, int64_t now,
		       struct gw_error *error)
{
	size_t *account_of = lines_alloc(conf);

	if (!account_of)
		return gw_error_memory(error);
	tell_time(ledger, now);
	for (size_t i = 0; i < ledger->account_count; i++)
		gw_account_advance(&ledger->account[i], ledger->half_life, ledger->now);
	take_conf(ledger, conf, account_of);
	return 0;
}

size_t gw_ledger_find(const struct gw_ledger *ledger, uint32_t id, bool *found)
{
	size_t low = 0, high = ledger->job_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (ledger->job[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	*found = low < ledger->job_count && ledger->job[low].id == id;
	return low;
}

int gw_ledger_room(struct gw_ledger *ledger, size_t more, struct gw_error *error)
{
	size_t capacity = ledger->job_capacity ? ledger->job_capacity : 64;
	struct gw_running *jobs;

	while (capacity < ledger->job_count + more)
		capacity *= 2;
	if (capacity == ledger->job_capacity)
		return 0;
	jobs = realloc(ledger->job, capacity * sizeof(*jobs));
	if (!jobs)
		return gw_error_memory(error);
	ledger->job = jobs;
	ledger->job_capacity = capacity;
	return 0;
}

void gw_ledger_open(struct gw_ledger *ledger, size_t index, const struct gw_run *run)
{
	struct gw_account *account = &ledger->account[index];
	bool found;
	size_t at = gw_ledger_find(ledger, run->id, &found);
	struct gw_running *job = &ledger->job[at];

	memmove(job + 1, job, (ledger->job_count - at) * sizeof(*job));
	ledger->job_count++;
	*job = (struct gw_running){.id = run->id,
				   .account = index,
				   .rate = run->rate,
				   .full_rate = run->rate,
				   .start = run->start,
				   .last_seen = run->start};
	gw_account_advance(account, ledger->half_life, run->start);
	gw_account_correct(account, ledger->half_life, run->rate,
			   run->start > ledger->floor ? run->start : ledger->floor, account->at);
	account->rate += run->rate;
	account->jobs++;
}

void gw_ledger_close(struct gw_ledger *ledger, size_t index, int64_t end)
{
	struct gw_running *job = &ledger->job[index];
	struct gw_account *account = &ledger->account[job->account];

	if (end < ledger->floor)
		end = ledger->floor;
	if (end < job->start)
		end = job->start;
	gw_account_advance(account, ledger->half_life, end);
	gw_account_correct(account, ledger->half_life, -job->rate, end, account->at);
	account->jobs--;
	gw_account_rate(account, -job->rate);
	ledger->job_count--;
	memmove(job, job + 1, (ledger->job_count - index) * sizeof(*job));
}

int gw_ledger_start(struct gw_ledger *ledger, int32_t queue, int32_t flavor, uint32_t id,
		    double rate, int64_t now, struct gw_error *error)
{
	struct gw_run run = {.id = id, .rate = rate, .start = now};
	size_t account, job;
	bool found;

	if (!(rate >= 0) || rate > GW_LEDGER_RATE_MAX)
		return gw_error_set(error, "job %u has a rate of %g", id, rate);
	if (gw_ledger_room(ledger, 1, error))
		return -1;
	account = gw_ledger_account_at(ledger, queue, flavor, error);
	if (account == GW_NO_INDEX)
		return -1;
	tell_time(ledger, now);
	job = gw_ledger_find(ledger, id, &found);
	if (found)
		gw_ledger_close(ledger, job, now);
	gw_ledger_open(ledger, account, &run);
	return 0;
}

bool gw_ledger_end(struct gw_ledger *ledger, uint32_t id, int64_t now)
{
	bool found;
	size_t job = gw_ledger_find(ledger, id, &found);

	tell_time(ledger, now);
	if (found)
		gw_ledger_close(ledger, job, now);
	return found;
}

/* From now, or from when it was told late, the job runs at another rate. */
static void set_rate(struct gw_ledger *ledger, struct gw_running *job, double rate, int64_t now)
{
	struct gw_account *account = &ledger->account[job->account];
	double by = rate - job->rate;

	if (now < job->start)
		now = job->start;
	gw_account_advance(account, ledger->half_life, now);
	gw_account_correct(account, ledger->half_life, by, now, account->at);
	gw_account_rate(account, by);
	job->rate = rate;
}

static struct gw_running *job_told(struct gw_ledger *ledger, uint32_t id, int64_t now)
{
	bool found;
	size_t job = gw_ledger_find(ledger, id, &found);

	tell_time(ledger, now);
	return found ? &ledger->job[job] : NULL;
}

bool gw_ledger_resize(struct gw_ledger *ledger, uint32_t id, double rate, int64_t now)
{
	struct gw_running *job = job_told(ledger, id, now);

	if (!job || !(rate >= 0))
		return false;
	set_rate(ledger, job, rate, now);
	job->full_rate = rate;
	return true;
}

bool gw_ledger_suspend(struct gw_ledger *ledger, uint32_t id, double held_rate, int64_t now)
{
	struct gw_running *job = job_told(ledger, id, now);

	if (!job || !(held_rate >= 0))
		return false;
	set_rate(ledger, job, held_rate, now);
	return true;
}

bool gw_ledger_resume(struct gw_ledger *ledger, uint32_t id, int64_t now)
{
	struct gw_running *job = job_told(ledger, id, now);

	if (!job)
		return false;
	set_rate(ledger, job, job->full_rate, now);
	return true;
}

/* What was charged at the start and not yet used: it shrinks as real usage grows. */
static double charge_left(const struct gw_ledger *ledger, const struct gw_running *job, int64_t now)
{
	int64_t left = ledger->charge - (now - job->start);

	if (now < job->start)
		left = ledger->charge;
	return left > 0 ? job->rate * (double)left : 0;
}

double gw_ledger_usage(const struct gw_ledger *ledger, int32_t queue, int32_t flavor, int64_t now)
{
	size_t line = gw_line(ledger->conf, queue, flavor);
	size_t account = line == GW_NO_INDEX ? GW_NO_INDEX : ledger->account_of[line];
	double usage;

	if (account == GW_NO_INDEX)
		return 0;
	usage = gw_account_usage(&ledger->account[account], ledger->half_life, now);
	for (size_t i = 0; ledger->charge && i < ledger->job_count; i++)
		if (ledger->job[i].account == account)
			usage += charge_left(ledger, &ledger->job[i], now);
	return usage;
}

void gw_ledger_lines(const struct gw_ledger *ledger, int64_t now, double *usage, double *held)
{
	for (size_t i = 0; i < gw_lines(ledger->conf); i++) {
		size_t account = ledger->account_of[i];
		bool any = account != GW_NO_INDEX;

		usage[i] = any ? gw_account_usage(&ledger->account[account], ledger->half_life, now)
			       : 0;
		held[i] = any ? ledger->account[account].rate : 0;
	}
	for (size_t i = 0; ledger->charge && i < ledger->job_count; i++) {
		size_t line = ledger->account[ledger->job[i].account].line;
		double left = charge_left(ledger, &ledger->job[i], now);

		if (line != GW_NO_INDEX)
			usage[line] += left;
	}
}

static int64_t shifted(int64_t time, int64_t by)
{
	return time > -by ? time + by : 0;
}

void gw_ledger_shift(struct gw_ledger *ledger, int64_t by)
{
	ledger->now = shifted(ledger->now, by);
	ledger->floor = by > 0 ? ledger->now : 0;
	if (ledger->gap_from != GW_TIME_NONE)
		ledger->gap_from = shifted(ledger->gap_from, by);
	for (size_t i = 0; i < ledger->account_count; i++)
		ledger->account[i].at = shifted(ledger->account[i].at, by);
	for (size_t i = 0; i < ledger->job_count; i++) {
		struct gw_running *job = &ledger->job[i];

		/* The controller does not move its starts; none is in the future. */
		if (job->start > ledger->now)
			job->start = ledger->now;
		job->last_seen = shifted(job->last_seen, by);
		if (job->last_seen < job->start)
			job->last_seen = job->start;
	}
}

int64_t gw_ledger_now(const struct gw_ledger *ledger)
{
	return ledger->now;
}

size_t gw_ledger_running(const struct gw_ledger *ledger)
{
	return ledger->job_count;
}

uint64_t gw_ledger_late(const struct gw_ledger *ledger)
{
	return ledger->late;
}

double gw_ledger_credit(struct gw_ledger *ledger, int32_t queue, int32_t flavor, double usage,
			int64_t now)
{
	size_t line = gw_line(ledger->conf, queue, flavor);
	struct gw_account *account;

	if (line == GW_NO_INDEX || ledger->account_of[line] == GW_NO_INDEX || !(usage > 0))
		return 0;
	tell_time(ledger, now);
	account = &ledger->account[ledger->account_of[line]];
	gw_account_advance(account, ledger->half_life, now);
	if (usage > account->usage)
		usage = account->usage;
	account->usage -= usage;
	return usage;
}

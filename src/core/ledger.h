// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The ledger: what each queue used of each flavor, decayed, and what its running jobs add.
 *
 * Owns: the integral, the charge of fresh starts, the list of running jobs and the text they
 * are kept as. Does not own: files, the clock, and who comes next (order does).
 *
 * A queue that runs at the weighted rate r for dt goes from u to
 *     u * 2^(-dt/H) + r * (H/ln 2) * (1 - 2^(-dt/H)),       H = UsageHalfLife; NONE: u + r * dt
 * which is exact however seldom it is applied. Usage is in weighted unit-seconds (one GPU of
 * weight 1 for one second adds 1), rates in weighted units, times in seconds since the epoch.
 *
 * Time never goes back but by gw_ledger_shift(): a question about the past is answered for the
 * latest time known. A start or end that is told late is put in exactly where it belongs and
 * counted by gw_ledger_late(), so that the caller can say so.
 *
 * Queues are known by name: one that is taken out of the configuration keeps its usage, and
 * has it when it comes back. One thread at a time may use a ledger. Every function that can
 * fail changes nothing then.
 */
#ifndef GW_CORE_LEDGER_H
#define GW_CORE_LEDGER_H

#include "ledger_line.h"

struct gw_ledger;

/* One run of a job, as the controller or accounting tells it. */
struct gw_run {
	uint32_t id;
	int32_t queue, flavor; /* flavor: GW_INDEX_NONE for a job without GPUs */
	double rate;           /* what it holds: all of it, or less while suspended */
	int64_t start;
	int64_t end; /* 0: it is still running */
};

struct gw_ledger *gw_ledger_new(const struct gw_conf *conf, struct gw_error *error);
void gw_ledger_free(struct gw_ledger *ledger);

/* Another configuration from now on; its indexes hold from here, usage and jobs stay. */
int gw_ledger_set_conf(struct gw_ledger *ledger, const struct gw_conf *conf, int64_t now,
		       struct gw_error *error);

/* A job starts. If it runs already, that run ends at the same time (a requeue told late). */
int gw_ledger_start(struct gw_ledger *ledger, int32_t queue, int32_t flavor, uint32_t id,
		    double rate, int64_t now, struct gw_error *error);

/* These return false when no such job runs. The rest of the charge goes back at the end. */
bool gw_ledger_end(struct gw_ledger *ledger, uint32_t id, int64_t now);
bool gw_ledger_resize(struct gw_ledger *ledger, uint32_t id, double rate, int64_t now);
bool gw_ledger_suspend(struct gw_ledger *ledger, uint32_t id, double held_rate, int64_t now);
bool gw_ledger_resume(struct gw_ledger *ledger, uint32_t id, int64_t now);

/* Usage of one queue and flavor at now, charges of fresh starts included. */
double gw_ledger_usage(const struct gw_ledger *ledger, int32_t queue, int32_t flavor, int64_t now);

/* The same for all lines, and the rates that run now: what gw_order_ranks() wants. */
void gw_ledger_lines(const struct gw_ledger *ledger, int64_t now, double *usage, double *held);

/*
 * The clock was set by so many seconds: the ledger's own time goes along, so that nothing is used
 * or forgotten for a time that was not, nor stands still until a time that was too late comes
 * again. Runs that began before and are told only now count from here, those that ended before end
 * here.
 */
void gw_ledger_shift(struct gw_ledger *ledger, int64_t by);

/* The latest time told. */
int64_t gw_ledger_now(const struct gw_ledger *ledger);

/* How many jobs run by the ledger, and how many events were told late. */
size_t gw_ledger_running(const struct gw_ledger *ledger);
uint64_t gw_ledger_late(const struct gw_ledger *ledger);

/*
 * Makes the ledger agree with the jobs that run by the controller's own record. Exact, however
 * late, for jobs that started, and for jobs that ended and are among the runs with their end.
 * A job that runs here and is not among them is taken to have ended when last seen running. Runs
 * that ended and are not known here count when they began at or after the last call, or the time
 * of the text that was loaded: else they have been counted, so the same run may be told again. A
 * start that differs by more than GW_LEDGER_SLACK is another run of the job.
 */
int gw_ledger_reconcile(struct gw_ledger *ledger, const struct gw_run *runs, size_t count,
			int64_t now, struct gw_error *error);

#define GW_LEDGER_SLACK 60

/* Adds a run out of accounting history; without an end, what it used until now. */
int gw_ledger_add(struct gw_ledger *ledger, const struct gw_run *run, int64_t now,
		  struct gw_error *error);

/* Forgives up to this many unit-seconds of a line. Returns what was forgiven. */
double gw_ledger_credit(struct gw_ledger *ledger, int32_t queue, int32_t flavor, double usage,
			int64_t now);

/*
 * The ledger as text, one record a line, a checksum in the last. NULL when memory is out. The
 * caller frees it. Loading it gives the same ledger to the last bit.
 */
char *gw_ledger_text(const struct gw_ledger *ledger, int64_t now, struct gw_error *error);

/* Takes all from a text in place of what is there. A newer or damaged text is refused. */
int gw_ledger_load(struct gw_ledger *ledger, const char *text, struct gw_error *error);

#endif

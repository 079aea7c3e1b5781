// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one engine of a process, shared by all of Gangway's plugins in it.
 *
 * Owns: the configuration in force, the modes, the breaker and the figures of each hook,
 * the stock plugins' function tables, and the one thread that does all file work.
 * Does not own: Slurm's records, and any policy.
 *
 * Outside slurmctld, in a standby slurmctld, and until gw_engine_start() was called, every
 * hook is closed: gw_call_begin() says false and the plugin does what stock does.
 *
 * Locks: engine_lock guards figures, breakers and what is published; it is held for a
 * few assignments, never while Slurm is called and never during file work. What hooks
 * ask most (is this hook open, which mode) is atomic. Slurm's locks are never taken here.
 */
#ifndef GW_ENGINE_H
#define GW_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/common/export.h"
#include "plugins/common/histogram.h"
#include "plugins/common/policy.h"
#include "src/core/conf.h"

enum gw_plugin {
	GW_PLUGIN_PRIORITY,
	GW_PLUGIN_SELECT,
	GW_PLUGIN_TOPOLOGY,
	GW_PLUGIN_JOB_SUBMIT,
	GW_PLUGIN_COUNT,
};

enum gw_hook {
	GW_HOOK_PLACEMENT, /* which nodes, GPUs, cores */
	GW_HOOK_JOB_TEST,  /* may this job start: quota */
	GW_HOOK_PRIORITY,  /* the priority number of one job */
	GW_HOOK_SUBMIT,    /* a job is submitted */
	GW_HOOK_MODIFY,    /* a job is updated */
	GW_HOOK_RANK,      /* one pass over all jobs, in a thread of its own */
	GW_HOOK_COUNT,
};

/* Figures of one hook since the engine started. Times in nanoseconds. */
struct gw_hook_figures {
	uint64_t calls, errors, trips;
	uint64_t own_total, own_max; /* Gangway's own time, the stock call taken out */
	struct gw_histogram own;
	uint64_t stock_total;
	uint64_t verified, mismatches; /* placement answers computed twice and compared */
	uint64_t preferences, applied; /* placements core had a preference for; it was followed */
	uint64_t withheld;             /* nodes kept from a job until their GPUs registered */
	uint64_t retried; /* tests made again, because what was preferred could not be used */
	uint64_t most_stock_calls;       /* for one placement */
	uint64_t most_stock_calls_alone; /* for one without a preference */
	/* Tests made with and without a preference and compared: of these stock has a place, and
	 * ours was worse. */
	uint64_t compared, stock_places, refused, later, more_nodes, more_domains;
	bool open; /* the breaker is open: stock until reconfigure */
	char last_error[160];
};

/* One passage through a hook, on the stack of the thread that makes it. */
struct gw_call {
	enum gw_hook hook;
	bool live;
	const char *error; /* static text; NULL while nothing failed */
	uint64_t begun, stock, stock_begun, apart, apart_begun;
	uint64_t own; /* once it is closed: Gangway's own time */
	unsigned int stock_calls;
};

/* What the select plugin was asked, for the placement hook below it. Thread-local. */
struct gw_test {
	bool active;
	bool run_now;   /* the answer starts the job */
	bool test_only; /* "could it ever run": must never be narrowed */
	/* A job of a queue, no preemption candidates, no reservation. */
	bool preference_allowed;
	uint32_t queue; /* where it is allowed: gw_predict_queue() of the job's queue */
	/* Out: some placement of the test followed a preference; in one that may find a later
	 * start, the last of those among GPUs as they are now did. */
	bool followed, followed_now;
};

/* How an answer of ours is worse than the one that stock alone gives. */
struct gw_comparison {
	bool stock_places; /* stock has one, or else there is nothing to be worse than */
	bool refused;      /* stock has one, we have none */
	bool later;        /* the job would start later */
	bool more_nodes, more_domains;
};

/*
 * Called by every plugin's init(): notes that the plugin is here, its type as Slurm names
 * it, and the table of the stock plugin's functions, which the plugin owns (NULL for
 * plugins that forward to none).
 */
GW_EXPORT void gw_engine_add(enum gw_plugin plugin, const char *type);

/* Called by every plugin's fini(); priority, which starts the engine, ends it, or the last. */
GW_EXPORT void gw_engine_remove(enum gw_plugin plugin);

/*
 * Opens the hooks: called once slurmctld has become the primary, while it may still wait
 * for files. Reads the configuration and starts the thread. Calling it again does nothing.
 */
GW_EXPORT void gw_engine_start(void);

/* slurmctld reconfigures: the thread reads the configuration again, soon. Never blocks. */
GW_EXPORT void gw_engine_reconfigure(void);

/*
 * Opens one passage. False: the hook is closed (not started, off, breaker open, observed
 * subsystems included in neither): do what stock does, then still call gw_call_end().
 */
GW_EXPORT bool gw_call_begin(struct gw_call *call, enum gw_hook hook);

/* Around every call of the stock plugin, so that its time is not counted as ours. */
GW_EXPORT void gw_call_stock_begin(struct gw_call *call);
GW_EXPORT void gw_call_stock_end(struct gw_call *call);

/*
 * Around what a thread of Gangway's does while it holds none of slurmctld's locks: nothing waits
 * for it, so it is not counted. Waiting for them is such a time.
 */
void gw_call_apart_begin(struct gw_call *call);
void gw_call_apart_end(struct gw_call *call);

/* Nanoseconds by the clock that passages are timed by, which nobody sets. */
uint64_t gw_engine_clock_ns(void);

/* Closes the passage and accounts for it; call->error counts against the error budget. */
GW_EXPORT void gw_call_end(struct gw_call *call);

/* True if this fault is injected into this hook (tests only). */
bool gw_engine_fault(enum gw_hook hook, int kind);

/* Adds to the figures of the placement hook. */
GW_EXPORT void gw_engine_count_preference(bool had_one, bool applied, unsigned int stock_calls);
GW_EXPORT void gw_engine_count_verified(bool same);
GW_EXPORT void gw_engine_count_withheld(uint32_t nodes);
void gw_engine_count_retried(void);
void gw_engine_count_compared(const struct gw_comparison *found);

/*
 * Tells of something in Slurm's accounting with which quota does not hold: in the log, unless it
 * was told before, and in the status until text is another. Empty: nothing.
 */
void gw_engine_quota_problem(const char *text);

/* True where the subsystem may change something; false: decide and log only. */
GW_EXPORT bool gw_engine_enforces(enum gw_subsystem subsystem);

/* True while gw_call_begin() would open this hook. */
GW_EXPORT bool gw_engine_hook_open(enum gw_hook hook);

/* Verify=yes in the configuration in force. */
GW_EXPORT bool gw_engine_verifies(void);

/* The configuration in force, held for the caller, who puts it back; NULL: none yet. */
GW_EXPORT struct gw_policy *gw_engine_policy(void);

/* The test the calling thread is in; never NULL. */
GW_EXPORT struct gw_test *gw_engine_test(void);

/* The path of a file in the state directory, in path[PATH_MAX]. -1: too long, or not started. */
int gw_engine_state_path(const char *name, char *path);

/*
 * Hands a text to the engine's thread, which writes it soon, atomically: keep in the state
 * directory with this mode, publish in the published one. The text is the engine's from then
 * on, freed by free(); a newer text of the same name takes its place.
 */
void gw_engine_keep_file(const char *name, unsigned int mode, char *text);
void gw_engine_publish_file(const char *name, char *text);

/* Name of a hook as status and messages have it, and the subsystem it serves. */
const char *gw_hook_name(enum gw_hook hook);
enum gw_subsystem gw_hook_subsystem(enum gw_hook hook);

#endif

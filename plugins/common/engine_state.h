// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inside of the engine: shared by engine.c, engine_thread.c and status.c, and by
 * tests/bench.d/hook, which has no slurmctld to open a hook for it.
 */
#ifndef GW_ENGINE_STATE_H
#define GW_ENGINE_STATE_H

#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "plugins/common/breaker.h"
#include "plugins/common/engine.h"
#include "plugins/common/fault.h"
#include "plugins/common/place_memory.h"
#include "plugins/common/policy.h"
#include "src/util/error.h"
#include "src/util/str.h"

enum gw_config_state {
	GW_CONFIG_NONE, /* never had a good one: all hooks closed */
	GW_CONFIG_OK,
	GW_CONFIG_KEPT, /* the file is bad: the last good one stays in force */
};

/* A file that waits to be written. */
struct gw_letter {
	const char *name; /* static text; NULL: an empty slot */
	unsigned int mode;
	bool published;
	char *text;
	bool failed; /* it could not be written, and is tried again */
};

#define GW_LETTERS 8

struct gw_engine {
	pthread_mutex_t lock;

	/* Under the lock. */
	unsigned int users; /* plugins between init() and fini() */
	const char *plugin_type[GW_PLUGIN_COUNT];
	struct gw_breaker breaker[GW_HOOK_COUNT];
	struct gw_breaker_limits limits;
	struct gw_hook_figures figures[GW_HOOK_COUNT];
	enum gw_config_state config_state;
	struct gw_error config_error;
	bool off; /* gangway off */
	struct gw_error quota_problem;
	struct gw_letter letter[GW_LETTERS];
	struct gw_policy *policy; /* the configuration in force; NULL before the first */

	/* Under Slurm's job write lock, while hooks are open. */
	struct gw_place_memory place_memory;

	/* What hooks read without the lock. */
	atomic_bool hook_open[GW_HOOK_COUNT];
	atomic_bool enforces[GW_SUBSYSTEM_COUNT];
	atomic_bool verifies;

	/* Set before the thread starts, constant after. */
	char conf_path[PATH_MAX];
	char state_directory[PATH_MAX];
	struct gw_fault fault;
	time_t started_at;

	/* The thread's own (before it starts: the starter's). */
	char publish_directory[PATH_MAX];
	time_t written_at;
	bool shapes_due; /* their files are to be read */

	/* The thread and how it is called. */
	bool started;
	pthread_t thread;
	int wake_fd;
	atomic_bool stop, reload;
};

/* The one of the process. */
struct gw_engine *gw_engine_get(void);

/* Recomputes which hooks are open; engine->lock is held. */
void gw_engine_publish(struct gw_engine *engine);

/*
 * Takes conf (which it frees in time; NULL: what is in force stays) into force and closes all
 * breakers.
 */
void gw_engine_take_conf(struct gw_engine *engine, struct gw_conf *conf, uint64_t sum,
			 enum gw_config_state state, const struct gw_error *why);

/* engine_thread.c: first load of the configuration, in the caller; then the thread. */
void gw_engine_first_load(struct gw_engine *engine);
int gw_engine_thread_start(struct gw_engine *engine);
void gw_engine_thread_stop(struct gw_engine *engine);

/* status.c: the text of the status file; freed with gw_str_free(). */
void gw_status_text(struct gw_engine *engine, time_t now, struct gw_str *text);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/compat/compat.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/common/engine_state.h"
#include "plugins/common/recorder.h"
#include "plugins/common/shape_source.h"
#include "plugins/common/weak.h"

/* The one engine of the process. */
struct gw_engine *gw_engine_get(void)
{
	static struct gw_engine engine = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake_fd = -1};

	return &engine;
}

static const struct {
	const char *name;
	enum gw_subsystem subsystem;
} hooks[GW_HOOK_COUNT] = {
	[GW_HOOK_PLACEMENT] = {"placement", GW_PLACEMENT},
	[GW_HOOK_JOB_TEST] = {"job_test", GW_QUOTA},
	[GW_HOOK_PRIORITY] = {"priority", GW_ORDER},
	[GW_HOOK_SUBMIT] = {"submit", GW_ROUTING},
	[GW_HOOK_MODIFY] = {"modify", GW_ROUTING},
	[GW_HOOK_RANK] = {"rank", GW_ORDER},
};

const char *gw_hook_name(enum gw_hook hook)
{
	return hooks[hook].name;
}

enum gw_subsystem gw_hook_subsystem(enum gw_hook hook)
{
	return hooks[hook].subsystem;
}

uint64_t gw_engine_clock_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000ULL + (uint64_t)now.tv_nsec;
}

void gw_engine_add(enum gw_plugin plugin, const char *type)
{
	struct gw_engine *engine = gw_engine_get();

	pthread_mutex_lock(&engine->lock);
	if (!engine->plugin_type[plugin])
		engine->users++;
	engine->plugin_type[plugin] = type;
	pthread_mutex_unlock(&engine->lock);
}

/* Frees what the engine holds; its thread has ended. */
static void engine_end(struct gw_engine *engine)
{
	gw_policy_put(engine->policy);
	engine->policy = NULL;
	gw_place_memory_free(&engine->place_memory);
	gw_shape_source_end();
	for (int i = 0; i < GW_LETTERS; i++) {
		free(engine->letter[i].text);
		engine->letter[i] = (struct gw_letter){0};
	}
	engine->started = false;
	engine->config_state = GW_CONFIG_NONE;
	gw_engine_publish(engine);
}

void gw_engine_remove(enum gw_plugin plugin)
{
	struct gw_engine *engine = gw_engine_get();
	bool last = false;

	pthread_mutex_lock(&engine->lock);
	if (engine->plugin_type[plugin]) {
		engine->plugin_type[plugin] = NULL;
		last = --engine->users == 0;
	}
	/* At its end slurmctld removes priority alone; the others die with the process. */
	last = (last || plugin == GW_PLUGIN_PRIORITY) && engine->started;
	pthread_mutex_unlock(&engine->lock);
	if (!last)
		return;
	gw_engine_thread_stop(engine);
	gw_recorder_reset(0);
	pthread_mutex_lock(&engine->lock);
	engine_end(engine);
	pthread_mutex_unlock(&engine->lock);
}

/* The file beside slurm.conf, and the directory under StateSaveLocation. */
static int find_paths(struct gw_engine *engine)
{
	char *conf = get_extra_conf_path("gangway.conf");
	int conf_length = snprintf(engine->conf_path, sizeof(engine->conf_path), "%s", conf);
	int state_length = snprintf(engine->state_directory, sizeof(engine->state_directory),
				    "%s/gangway", slurm_conf.state_save_location);

	xfree(conf);
	return conf_length < PATH_MAX && state_length < PATH_MAX ? 0 : -1;
}

void gw_engine_start(void)
{
	struct gw_engine *engine = gw_engine_get();

	if (!running_in_slurmctld() || engine->started)
		return;
	if (find_paths(engine)) {
		error("gangway: StateSaveLocation or the path of slurm.conf is too long");
		return;
	}
	engine->started = true;
	engine->started_at = time(NULL);
	engine->fault = gw_fault_parse(getenv("GANGWAY_FAULT"));
	gw_engine_first_load(engine);
	if (gw_engine_thread_start(engine)) {
		error("gangway: no thread could be started; all hooks stay stock");
		pthread_mutex_lock(&engine->lock);
		engine_end(engine);
		pthread_mutex_unlock(&engine->lock);
	}
}

void gw_engine_publish(struct gw_engine *engine)
{
	bool usable = engine->started && !engine->off && engine->policy &&
		      engine->config_state != GW_CONFIG_NONE;

	for (int hook = 0; hook < GW_HOOK_COUNT; hook++)
		atomic_store(&engine->hook_open[hook], usable && !engine->breaker[hook].open);
}

/* The lock is held. */
static void use_conf(struct gw_engine *engine, const struct gw_conf *conf)
{
	engine->limits.own_ns = (uint64_t)conf->hook_time_budget * 1000000ULL;
	engine->limits.errors = conf->hook_error_budget;
	for (int subsystem = 0; subsystem < GW_SUBSYSTEM_COUNT; subsystem++)
		atomic_store(&engine->enforces[subsystem],
			     gw_conf_mode(conf, subsystem) == GW_MODE_ENFORCE);
	atomic_store(&engine->verifies, conf->verify);
}

void gw_engine_take_conf(struct gw_engine *engine, struct gw_conf *conf, uint64_t sum,
			 enum gw_config_state state, const struct gw_error *why)
{
	struct gw_policy *fresh = conf ? gw_policy_create(conf, sum) : NULL, *old = NULL;

	pthread_mutex_lock(&engine->lock);
	engine->config_state = state;
	engine->config_error = *why;
	engine->quota_problem.text[0] = '\0';
	if (fresh) {
		old = engine->policy;
		engine->policy = fresh;
		use_conf(engine, gw_policy_conf(fresh));
	}
	for (int hook = 0; hook < GW_HOOK_COUNT; hook++) {
		gw_breaker_reset(&engine->breaker[hook]);
		engine->figures[hook].open = false;
	}
	gw_engine_publish(engine);
	pthread_mutex_unlock(&engine->lock);
	/* The recorder hands texts to the engine, so its lock comes before the engine's. */
	if (fresh)
		gw_recorder_reset(gw_policy_conf(fresh)->record_decisions);
	gw_policy_put(old);
}

struct gw_policy *gw_engine_policy(void)
{
	struct gw_engine *engine = gw_engine_get();
	struct gw_policy *policy;

	pthread_mutex_lock(&engine->lock);
	policy = gw_policy_hold(engine->policy);
	pthread_mutex_unlock(&engine->lock);
	return policy;
}

static void inject(struct gw_call *call, enum gw_fault_kind kind)
{
	if (kind == GW_FAULT_ERROR)
		call->error = "injected fault";
	while (kind == GW_FAULT_SLOW && gw_engine_clock_ns() - call->begun < GW_FAULT_SLOW_NS)
		;
}

bool gw_call_begin(struct gw_call *call, enum gw_hook hook)
{
	struct gw_engine *engine = gw_engine_get();

	memset(call, 0, sizeof(*call));
	call->hook = hook;
	call->live = atomic_load_explicit(&engine->hook_open[hook], memory_order_relaxed);
	if (!call->live)
		return false;
	call->begun = gw_engine_clock_ns();
	if (engine->fault.kind != GW_FAULT_NONE && engine->fault.hook == hook)
		inject(call, engine->fault.kind);
	return !call->error;
}

void gw_call_stock_begin(struct gw_call *call)
{
	if (!call->live)
		return;
	call->stock_calls++;
	call->stock_begun = gw_engine_clock_ns();
}

void gw_call_stock_end(struct gw_call *call)
{
	if (call->live)
		call->stock += gw_engine_clock_ns() - call->stock_begun;
}

void gw_call_apart_begin(struct gw_call *call)
{
	if (call->live)
		call->apart_begun = gw_engine_clock_ns();
}

void gw_call_apart_end(struct gw_call *call)
{
	if (call->live)
		call->apart += gw_engine_clock_ns() - call->apart_begun;
}

static void add_figures(struct gw_hook_figures *figures, const struct gw_call *call)
{
	uint64_t own = call->own;

	figures->calls++;
	figures->own_total += own;
	gw_histogram_add(&figures->own, own);
	figures->stock_total += call->stock;
	if (own > figures->own_max)
		figures->own_max = own;
	if (!call->error)
		return;
	figures->errors++;
	snprintf(figures->last_error, sizeof(figures->last_error), "%s", call->error);
}

void gw_call_end(struct gw_call *call)
{
	struct gw_engine *engine = gw_engine_get();
	struct gw_hook_figures *figures = &engine->figures[call->hook];
	enum gw_trip trip;
	uint64_t now;

	if (!call->live)
		return;
	now = gw_engine_clock_ns();
	call->own = now - call->begun - call->stock - call->apart;
	pthread_mutex_lock(&engine->lock);
	add_figures(figures, call);
	trip = gw_breaker_add(&engine->breaker[call->hook], &engine->limits, now, call->own,
			      call->error);
	if (trip != GW_TRIP_NONE) {
		figures->trips++;
		figures->open = true;
		gw_engine_publish(engine);
	}
	pthread_mutex_unlock(&engine->lock);
	if (trip == GW_TRIP_TIME)
		error("gangway: hook %s used more than HookTimeBudget=%" PRIu64
		      " ms within a minute: stock until reconfigure",
		      gw_hook_name(call->hook), engine->limits.own_ns / 1000000);
	if (trip == GW_TRIP_ERRORS)
		error("gangway: hook %s failed more than HookErrorBudget=%u times within a minute "
		      "(last: %s): stock until reconfigure",
		      gw_hook_name(call->hook), engine->limits.errors, call->error);
}

int gw_engine_state_path(const char *name, char *path)
{
	const struct gw_engine *engine = gw_engine_get();
	int length = snprintf(path, PATH_MAX, "%s/%s", engine->state_directory, name);

	return engine->state_directory[0] && length < PATH_MAX ? 0 : -1;
}

/* Puts text in the slot of name; free if there is no slot left. */
static void post(const char *name, unsigned int mode, bool published, char *text)
{
	struct gw_engine *engine = gw_engine_get();
	struct gw_letter *free_slot = NULL, *slot = NULL;

	pthread_mutex_lock(&engine->lock);
	for (int i = 0; i < GW_LETTERS && !slot; i++) {
		if (!engine->letter[i].name)
			free_slot = free_slot ? free_slot : &engine->letter[i];
		else if (!strcmp(engine->letter[i].name, name))
			slot = &engine->letter[i];
	}
	slot = slot ? slot : free_slot;
	if (slot) {
		free(slot->text);
		*slot = (struct gw_letter){name, mode, published, text, slot->failed};
	}
	pthread_mutex_unlock(&engine->lock);
	if (!slot)
		free(text);
}

void gw_engine_keep_file(const char *name, unsigned int mode, char *text)
{
	post(name, mode, false, text);
}

void gw_engine_publish_file(const char *name, char *text)
{
	post(name, 0640, true, text);
}

bool gw_engine_fault(enum gw_hook hook, int kind)
{
	const struct gw_fault *fault = &gw_engine_get()->fault;

	return (int)fault->kind == kind && fault->hook == hook;
}

void gw_engine_count_preference(bool had_one, bool applied, unsigned int stock_calls)
{
	struct gw_engine *engine = gw_engine_get();
	struct gw_hook_figures *figures = &engine->figures[GW_HOOK_PLACEMENT];

	pthread_mutex_lock(&engine->lock);
	figures->preferences += had_one;
	figures->applied += applied;
	figures->most_stock_calls = MAX(figures->most_stock_calls, stock_calls);
	if (!had_one)
		figures->most_stock_calls_alone = MAX(figures->most_stock_calls_alone, stock_calls);
	pthread_mutex_unlock(&engine->lock);
}

struct gw_place_memory *gw_engine_place_memory(size_t nodes)
{
	struct gw_engine *engine = gw_engine_get();

	return gw_place_memory_fit(&engine->place_memory, nodes) ? &engine->place_memory : NULL;
}

void gw_engine_count_verified(bool same)
{
	struct gw_engine *engine = gw_engine_get();

	pthread_mutex_lock(&engine->lock);
	engine->figures[GW_HOOK_PLACEMENT].verified++;
	engine->figures[GW_HOOK_PLACEMENT].mismatches += !same;
	pthread_mutex_unlock(&engine->lock);
}

void gw_engine_count_withheld(uint32_t nodes)
{
	struct gw_engine *engine = gw_engine_get();

	pthread_mutex_lock(&engine->lock);
	engine->figures[GW_HOOK_PLACEMENT].withheld += nodes;
	pthread_mutex_unlock(&engine->lock);
}

void gw_engine_count_retried(void)
{
	struct gw_engine *engine = gw_engine_get();

	pthread_mutex_lock(&engine->lock);
	engine->figures[GW_HOOK_PLACEMENT].retried++;
	pthread_mutex_unlock(&engine->lock);
}

void gw_engine_count_compared(const struct gw_comparison *found)
{
	struct gw_engine *engine = gw_engine_get();
	struct gw_hook_figures *figures = &engine->figures[GW_HOOK_PLACEMENT];

	pthread_mutex_lock(&engine->lock);
	figures->compared++;
	figures->stock_places += found->stock_places;
	figures->refused += found->refused;
	figures->later += found->later;
	figures->more_nodes += found->more_nodes;
	figures->more_domains += found->more_domains;
	pthread_mutex_unlock(&engine->lock);
}

void gw_engine_quota_problem(const char *text)
{
	struct gw_engine *engine = gw_engine_get();
	bool told;

	pthread_mutex_lock(&engine->lock);
	told = !strcmp(engine->quota_problem.text, text);
	if (!told)
		snprintf(engine->quota_problem.text, sizeof(engine->quota_problem.text), "%s",
			 text);
	pthread_mutex_unlock(&engine->lock);
	if (!told && *text)
		error("gangway: quota: %s", text);
}

bool gw_engine_enforces(enum gw_subsystem subsystem)
{
	return atomic_load_explicit(&gw_engine_get()->enforces[subsystem], memory_order_relaxed);
}

bool gw_engine_hook_open(enum gw_hook hook)
{
	return atomic_load_explicit(&gw_engine_get()->hook_open[hook], memory_order_relaxed);
}

bool gw_engine_verifies(void)
{
	return atomic_load_explicit(&gw_engine_get()->verifies, memory_order_relaxed);
}

struct gw_test *gw_engine_test(void)
{
	static _Thread_local struct gw_test test;

	return &test;
}

void gw_engine_reconfigure(void)
{
	struct gw_engine *engine = gw_engine_get();
	uint64_t one = 1;

	atomic_store(&engine->reload, true);
	if (engine->wake_fd >= 0 && write(engine->wake_fd, &one, sizeof(one)) < 0)
		debug("gangway: the engine is woken already");
}

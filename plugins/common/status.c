// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/compat/compat.h"

#include <string.h>

#include "plugins/common/engine_state.h"
#include "plugins/common/shape_source.h"
#include "src/util/record.h"

static void append_number(struct gw_str *text, const char *key, uint64_t value)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%" PRIu64, value);
	gw_record_append(text, key, digits);
}

static const char *overall_mode(struct gw_engine *engine)
{
	bool any = false, all = true;

	for (int subsystem = 0; subsystem < GW_SUBSYSTEM_COUNT; subsystem++) {
		bool enforces = atomic_load(&engine->enforces[subsystem]);

		any = any || enforces;
		all = all && enforces;
	}
	return all ? "enforce" : any ? "mixed" : "observe";
}

static void append_head(struct gw_engine *engine, time_t now, struct gw_str *text)
{
	static const char *const states[] = {
		[GW_CONFIG_NONE] = "none", [GW_CONFIG_OK] = "ok", [GW_CONFIG_KEPT] = "kept"};

	gw_record_append(text, "Version", GW_VERSION);
	gw_record_append(text, "Slurm", SLURM_VERSION_STRING);
	append_number(text, "Pid", (uint64_t)getpid());
	append_number(text, "Started", (uint64_t)engine->started_at);
	append_number(text, "Written", (uint64_t)now);
	gw_record_append(text, "Mode", overall_mode(engine));
	gw_record_append(text, "Config", engine->conf_path);
	gw_record_append(text, "ConfigState", states[engine->config_state]);
	gw_record_append(text, "ConfigError", engine->config_error.text);
	gw_record_append(text, "Off", engine->off ? "yes" : "no");
	gw_str_append(text, "\n");
}

static void append_plugins(struct gw_engine *engine, struct gw_str *text)
{
	static const char *const expected[GW_PLUGIN_COUNT] = {
		[GW_PLUGIN_PRIORITY] = "priority/gangway",
		[GW_PLUGIN_SELECT] = "select/cons_tres",
		[GW_PLUGIN_TOPOLOGY] = GW_HAS_TOPOLOGY_HOOK ? "topology" : NULL,
		[GW_PLUGIN_JOB_SUBMIT] = "job_submit/gangway",
	};

	for (int plugin = 0; plugin < GW_PLUGIN_COUNT; plugin++) {
		const char *here = engine->plugin_type[plugin];

		if (!expected[plugin])
			continue;
		gw_record_append(text, "Plugin", here ? here : expected[plugin]);
		gw_record_append(text, "State", here ? "forwarding" : "absent");
		gw_str_append(text, "\n");
	}
}

/* Tripped: the breaker of any of its hooks is open. */
static const char *subsystem_state(struct gw_engine *engine, int subsystem)
{
	for (int hook = 0; hook < GW_HOOK_COUNT; hook++)
		if ((int)gw_hook_subsystem(hook) == subsystem && engine->breaker[hook].open)
			return "tripped";
	if (engine->off || engine->config_state == GW_CONFIG_NONE)
		return "off";
	return "on";
}

static void append_subsystems(struct gw_engine *engine, struct gw_str *text)
{
	for (int subsystem = 0; subsystem < GW_SUBSYSTEM_COUNT; subsystem++) {
		bool enforces = atomic_load(&engine->enforces[subsystem]);

		gw_record_append(text, "Subsystem", gw_subsystem_name(subsystem));
		gw_record_append(text, "Mode", enforces ? "enforce" : "observe");
		gw_record_append(text, "State", subsystem_state(engine, subsystem));
		if (subsystem == GW_QUOTA && engine->quota_problem.text[0])
			gw_record_append(text, "Problem", engine->quota_problem.text);
		gw_str_append(text, "\n");
	}
}

static void append_hooks(struct gw_engine *engine, struct gw_str *text)
{
	for (int hook = 0; hook < GW_HOOK_COUNT; hook++) {
		const struct gw_hook_figures *figures = &engine->figures[hook];

		gw_record_append(text, "Hook", gw_hook_name(hook));
		gw_record_append(text, "Subsystem", gw_subsystem_name(gw_hook_subsystem(hook)));
		append_number(text, "Calls", figures->calls);
		append_number(text, "Errors", figures->errors);
		append_number(text, "Trips", figures->trips);
		append_number(text, "OwnTotalNs", figures->own_total);
		append_number(text, "OwnMedianNs", gw_histogram_quantile(&figures->own, 500));
		append_number(text, "OwnP999Ns", gw_histogram_quantile(&figures->own, 999));
		append_number(text, "OwnMaxNs", figures->own_max);
		append_number(text, "StockTotalNs", figures->stock_total);
		append_number(text, "Preferences", figures->preferences);
		append_number(text, "Applied", figures->applied);
		append_number(text, "Verified", figures->verified);
		append_number(text, "Mismatches", figures->mismatches);
		append_number(text, "Withheld", figures->withheld);
		append_number(text, "Retried", figures->retried);
		append_number(text, "MostStockCalls", figures->most_stock_calls);
		append_number(text, "MostStockCallsAlone", figures->most_stock_calls_alone);
		append_number(text, "Compared", figures->compared);
		append_number(text, "StockPlaces", figures->stock_places);
		append_number(text, "Refused", figures->refused);
		append_number(text, "Later", figures->later);
		append_number(text, "MoreNodes", figures->more_nodes);
		append_number(text, "MoreDomains", figures->more_domains);
		gw_record_append(text, "LastError", figures->last_error);
		gw_str_append(text, "\n");
	}
}

static void append_shapes(struct gw_str *text)
{
	struct gw_shape_set *set = gw_shape_source_set();
	const struct gw_named_shape *shape;
	size_t count = 0;

	if (!set)
		return;
	shape = gw_shape_set_shapes(set, &count);
	for (size_t i = 0; i < count; i++) {
		gw_record_append(text, "Shape", shape[i].info.name);
		gw_record_append(text, "State", gw_shape_state_name(shape[i].state));
		gw_record_append(text, "Nodes", shape[i].nodes);
		gw_record_append(text, "File", shape[i].file);
		gw_str_append(text, "\n");
	}
	gw_shape_set_put(set);
}

void gw_status_text(struct gw_engine *engine, time_t now, struct gw_str *text)
{
	pthread_mutex_lock(&engine->lock);
	append_head(engine, now, text);
	append_plugins(engine, text);
	append_subsystems(engine, text);
	append_hooks(engine, text);
	pthread_mutex_unlock(&engine->lock);
	append_shapes(text);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Loading: records from files into a configuration under construction, then the checks. */
#include "conf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/record.h"
#include "conf_impl.h"

struct load {
	struct gw_conf *conf;
	const struct gw_conf_source *source;
	struct gw_where seen[GW_CONF_KEYS_MAX]; /* of each global key */
	const char *open[GW_CONF_INCLUDE_DEPTH_MAX];
	int depth;
	struct gw_error *error;
};

static int load_file(struct load *load, const char *path, const struct gw_where *included_at);

int gw_conf_error(struct gw_error *error, struct gw_where where, const char *key, const char *value,
		  const char *format, ...)
{
	char text[GW_ERROR_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return gw_error_set(error, "%.300s:%d: %.64s=%.100s: %s", where.file, where.line, key,
			    value, text);
}

char *gw_conf_beside(const char *file, const char *path)
{
	const char *slash = strrchr(file, '/');
	struct gw_str beside = {0};

	if (path[0] != '/' && slash)
		gw_str_append_n(&beside, file, (size_t)(slash - file) + 1);
	gw_str_append(&beside, path);
	return gw_str_take(&beside);
}

/* The key of any kind, of which the item may begin with the first of another. */
static const char *kind_of_key(const char *name)
{
	for (int kind = GW_KIND_CLASS; kind < GW_KIND_COUNT; kind++)
		if (gw_conf_key(&gw_conf_kinds[kind], name))
			return gw_conf_kinds[kind].keys[0].name;
	return gw_conf_key(&gw_conf_kinds[GW_KIND_GLOBAL], name) ? "global" : NULL;
}

struct guess {
	const char *name;
	unsigned int distance;
};

static void guess_key(struct guess *guess, const char *word, const struct gw_key *key)
{
	unsigned int distance = gw_edit_distance(word, key->name);

	if (distance < guess->distance) {
		guess->distance = distance;
		guess->name = key->name;
	}
}

/* The nearest key that may stand here, or NULL when none is near. */
static const char *nearest_key(enum gw_kind_id kind_id, const char *word)
{
	const struct gw_kind *kind = &gw_conf_kinds[kind_id];
	struct guess guess = {.distance = (unsigned int)strlen(word) / 3 + 1};

	for (size_t i = 0; i < kind->key_count; i++)
		guess_key(&guess, word, &kind->keys[i]);
	for (int other = GW_KIND_CLASS; kind_id == GW_KIND_GLOBAL && other < GW_KIND_COUNT; other++)
		guess_key(&guess, word, &gw_conf_kinds[other].keys[0]);
	return guess.name;
}

static int refuse_key(struct load *load, enum gw_kind_id kind, const struct gw_pair *pair,
		      struct gw_where where)
{
	const char *home = kind_of_key(pair->key), *near = nearest_key(kind, pair->key);

	if (home && gw_same(home, pair->key))
		return gw_conf_error(load->error, where, pair->key, pair->value,
				     "must be the first on its line");
	if (home && gw_same(home, "global"))
		return gw_conf_error(load->error, where, pair->key, pair->value,
				     "must be on a line of its own, outside %s",
				     gw_conf_kinds[kind].keys[0].name);
	if (home)
		return gw_conf_error(load->error, where, pair->key, pair->value,
				     "belongs on a line that begins with %s", home);
	if (near)
		return gw_conf_error(load->error, where, pair->key, pair->value,
				     "unknown key; did you mean %s?", near);
	return gw_conf_error(load->error, where, pair->key, pair->value, "unknown key");
}

/* seen: where each key of the kind was given before. */
static int load_pair(struct load *load, enum gw_kind_id kind_id, const struct gw_pair *pair,
		     const char *file, void *item, struct gw_where *seen)
{
	const struct gw_kind *kind = &gw_conf_kinds[kind_id];
	const struct gw_key *key = gw_conf_key(kind, pair->key);
	struct gw_where where = {.file = file, .line = pair->line};
	struct gw_error why = {0};
	struct gw_where *before;

	if (!key)
		return refuse_key(load, kind_id, pair, where);
	before = &seen[key - kind->keys];
	if (before->file)
		return gw_conf_error(load->error, where, key->name, pair->value,
				     "given before, at %.200s:%d", before->file, before->line);
	*before = where;
	if (key->where_offset)
		*(struct gw_where *)((char *)item + key->where_offset) = where;
	if (gw_conf_value(key, pair->value, where, item, &why))
		return gw_conf_error(load->error, where, key->name, pair->value, "%s", why.text);
	if (key->warning && !(key->quiet && gw_same(pair->value, key->quiet)) &&
	    gw_conf_warn(load->conf, where, "%s=%.100s %s", key->name, pair->value, key->warning))
		return gw_error_memory(load->error);
	return 0;
}

static int check_required(struct load *load, const struct gw_kind *kind,
			  const struct gw_record *record, const struct gw_where *seen)
{
	struct gw_where where = {.file = seen[0].file, .line = record->pair[0].line};

	for (size_t i = 0; i < kind->key_count; i++)
		if ((kind->keys[i].flags & GW_KEY_REQUIRED) && !seen[i].file)
			return gw_conf_error(load->error, where, kind->keys[0].name,
					     record->pair[0].value, "%s= is missing",
					     kind->keys[i].name);
	return 0;
}

/* A new zeroed item of the kind, counted already so that gw_conf_free() frees what it gets. */
static void *add_item(struct gw_conf *conf, enum gw_kind_id kind_id)
{
	const struct gw_kind *kind = &gw_conf_kinds[kind_id];
	char *base = (char *)conf;
	size_t *count = (size_t *)(void *)(base + kind->count_offset);
	void *items;

	memcpy(&items, base + kind->items_offset, sizeof(items));
	items = gw_array_room(items, *count, kind->item_size);
	if (!items)
		return NULL;
	memcpy(base + kind->items_offset, &items, sizeof(items));
	return (char *)items + kind->item_size * (*count)++;
}

static int load_item(struct load *load, enum gw_kind_id kind_id, const struct gw_record *record,
		     const char *file)
{
	const struct gw_kind *kind = &gw_conf_kinds[kind_id];
	struct gw_where where = {.file = file, .line = record->pair[0].line};
	struct gw_where seen[GW_CONF_KEYS_MAX] = {{0}};
	void *item;

	if (*(size_t *)(void *)((char *)load->conf + kind->count_offset) >= GW_CONF_RECORDS_MAX)
		return gw_conf_error(load->error, where, record->pair[0].key, record->pair[0].value,
				     "more than %d of them", GW_CONF_RECORDS_MAX);
	item = add_item(load->conf, kind_id);
	if (!item)
		return gw_error_memory(load->error);
	gw_conf_item_init(kind_id, item);
	memcpy((char *)item + kind->where_offset, &where, sizeof(where));
	for (size_t i = 0; i < record->count; i++)
		if (load_pair(load, kind_id, &record->pair[i], file, item, seen))
			return -1;
	return check_required(load, kind, record, seen);
}

static int load_globals(struct load *load, const struct gw_record *record, const char *file)
{
	for (size_t i = 0; i < record->count; i++)
		if (load_pair(load, GW_KIND_GLOBAL, &record->pair[i], file, load->conf, load->seen))
			return -1;
	return 0;
}

static enum gw_kind_id record_kind(const struct gw_record *record)
{
	for (int kind = GW_KIND_CLASS; kind < GW_KIND_COUNT; kind++) {
		if (!gw_same(record->pair[0].key, gw_conf_kinds[kind].keys[0].name))
			continue;
		if (kind == GW_KIND_POOL && gw_record_value(record, "Peak"))
			return GW_KIND_PEAK;
		return (enum gw_kind_id)kind;
	}
	return GW_KIND_GLOBAL;
}

static int load_include(struct load *load, const struct gw_record *record, const char *file)
{
	const struct gw_pair *pair = &record->pair[0];
	struct gw_where where = {.file = file, .line = pair->line};
	char *path;
	int result;

	if (record->count > 1 || !*pair->value)
		return gw_conf_error(load->error, where, pair->key, pair->value,
				     "must be the path of one file, alone on its line");
	if (load->depth == GW_CONF_INCLUDE_DEPTH_MAX)
		return gw_conf_error(load->error, where, pair->key, pair->value,
				     "more than %d files deep", GW_CONF_INCLUDE_DEPTH_MAX);
	path = gw_conf_beside(file, pair->value);
	if (!path)
		return gw_error_memory(load->error);
	for (int i = 0; i < load->depth; i++)
		if (!strcmp(path, load->open[i]))
			gw_conf_error(load->error, where, pair->key, pair->value,
				      "includes a file that includes it");
	result = gw_error_is_set(load->error) ? -1 : load_file(load, path, &where);
	free(path);
	return result;
}

static int load_record(struct load *load, const struct gw_record *record, const char *file)
{
	enum gw_kind_id kind = record_kind(record);

	if (gw_same(record->pair[0].key, "Include"))
		return load_include(load, record, file);
	if (kind == GW_KIND_GLOBAL)
		return load_globals(load, record, file);
	return load_item(load, kind, record, file);
}

static int load_text(struct load *load, const char *text, const char *file)
{
	struct gw_record_reader reader;
	struct gw_record record;
	struct gw_error why = {0};
	int more;

	gw_record_reader_init(&reader, text);
	while ((more = gw_record_next(&reader, &record, &why)) > 0) {
		int failed = load_record(load, &record, file);

		gw_record_free(&record);
		if (failed)
			return -1;
	}
	if (more < 0)
		return gw_error_set(load->error, "%.300s:%d: %s", file, reader.error_line,
				    why.text);
	return 0;
}

static int refuse_file(const struct load *load, const char *path,
		       const struct gw_where *included_at, const char *why)
{
	size_t length = strlen(path);

	if (!strncmp(why, path, length) && !strncmp(why + length, ": ", 2))
		why += length + 2;
	if (included_at)
		return gw_conf_error(load->error, *included_at, "Include", path,
				     "cannot be read: %s", why);
	return gw_error_set(load->error, "%.300s: cannot be read: %s", path, why);
}

/* included_at: NULL for the first file. */
static int load_file(struct load *load, const char *path, const struct gw_where *included_at)
{
	struct gw_strings *files = &load->conf->files;
	struct gw_error why = {0};
	char *text = NULL;
	int result;

	if (gw_strings_add(files, path, strlen(path)))
		return gw_error_memory(load->error);
	if (load->source->read(load->source->arg, path, &text, &why))
		return refuse_file(load, path, included_at, why.text);
	load->open[load->depth++] = files->item[files->count - 1];
	result = load_text(load, text, files->item[files->count - 1]);
	load->depth--;
	free(text);
	return result;
}

static int load_all(struct load *load, const char *path)
{
	struct gw_conf *conf = load->conf;
	const struct gw_kind *global = &gw_conf_kinds[GW_KIND_GLOBAL];

	if (load_file(load, path, NULL))
		return -1;
	if (!load->seen[gw_conf_key(global, "UsageHalfLife") - global->keys].file)
		return gw_error_set(load->error,
				    "%.300s: UsageHalfLife= is missing: write a time above 0, such "
				    "as UsageHalfLife=7-00:00:00, or NONE for no decay",
				    path);
	if (!conf->usage_weights.count &&
	    gw_tres_parse("gres/gpu=1", &conf->usage_weights, load->error))
		return -1;
	return gw_conf_check(conf, load->error);
}

int gw_conf_load(const struct gw_conf_source *source, const char *path, struct gw_conf **conf,
		 struct gw_error *error)
{
	struct gw_error own = {0};
	struct load load = {.source = source, .error = error ? error : &own};

	load.conf = calloc(1, sizeof(*load.conf));
	if (!load.conf)
		return gw_error_memory(error);
	load.conf->hook_time_budget = 1000;
	load.conf->hook_error_budget = 10;
	load.conf->share_term = 1;
	load.conf->small_hold = INT64_C(12) * 3600;
	load.conf->within = GW_WITHIN_FIFO;
	load.conf->queue_max_wait = INT64_C(10) * 86400;
	load.conf->unmatched_queue.index = GW_NO_INDEX;
	if (load_all(&load, path)) {
		gw_conf_free(load.conf);
		return -1;
	}
	*conf = load.conf;
	return 0;
}

enum gw_mode gw_conf_mode(const struct gw_conf *conf, enum gw_subsystem subsystem)
{
	if (conf->modes.each[subsystem] != GW_MODE_INHERIT)
		return conf->modes.each[subsystem];
	return conf->modes.all != GW_MODE_INHERIT ? conf->modes.all : GW_MODE_ENFORCE;
}

enum gw_mode gw_conf_pool_mode(const struct gw_conf *conf, const struct gw_pool *pool,
			       enum gw_subsystem subsystem)
{
	if (pool->modes.each[subsystem] != GW_MODE_INHERIT)
		return pool->modes.each[subsystem];
	return pool->modes.all != GW_MODE_INHERIT ? pool->modes.all : gw_conf_mode(conf, subsystem);
}

const char *gw_subsystem_name(enum gw_subsystem subsystem)
{
	static const char *const names[GW_SUBSYSTEM_COUNT] = {
		[GW_ORDER] = "order",
		[GW_QUOTA] = "quota",
		[GW_PLACEMENT] = "placement",
		[GW_ROUTING] = "routing",
	};

	return names[subsystem];
}

const char *gw_mode_name(enum gw_mode mode)
{
	return mode == GW_MODE_OBSERVE ? "observe" : "enforce";
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/compat/compat.h"

#include "plugins/common/shape_source.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "plugins/common/weak.h"

struct source {
	pthread_mutex_t lock;
	struct gw_shape_set *set;
	atomic_uint turn;
	/* The one table under way. */
	enum { NO_TABLE, WANTED, MADE } state;
	struct gw_shape_info wanted;
	struct gw_gpuset_table *table;
};

static struct source *source_get(void)
{
	static struct source source = {.lock = PTHREAD_MUTEX_INITIALIZER};

	return &source;
}

/* Takes the set over; NULL: none. */
static void replace(struct gw_shape_set *set)
{
	struct source *source = source_get();
	struct gw_shape_set *old;

	pthread_mutex_lock(&source->lock);
	old = source->set;
	source->set = set;
	atomic_fetch_add(&source->turn, 1);
	pthread_mutex_unlock(&source->lock);
	gw_shape_set_put(old);
}

void gw_shape_source_begin(const struct gw_conf *conf)
{
	struct gw_shape_set *set = gw_shape_source_set();

	if (!set)
		replace(gw_shape_set_waiting(conf));
	gw_shape_set_put(set);
}

static void say(const char *text)
{
	error("gangway: %s", text);
}

/* Reads nothing, where hwloc is not there. */
static int read_nothing(const char *path, const atomic_bool *stop, struct gw_shape_info *shape,
			struct gw_topo_cores *cores, struct gw_error *why)
{
	(void)stop;
	(void)shape;
	(void)cores;
	return gw_error_set(why, "%s can not be read without hwloc", path);
}

/* hwloc is there only while its files are read. NULL: it can not be had. */
static void *open_reader(gw_shape_reader_function *read)
{
	void *object = dlopen(GW_SHAPE_READER_FILE, RTLD_NOW | RTLD_LOCAL);
	void *function = object ? dlsym(object, GW_SHAPE_READER_FUNCTION) : NULL;

	*read = read_nothing;
	if (function)
		memcpy(read, &function, sizeof(*read));
	else
		error("gangway: " GW_SHAPE_READER_FILE ": %s", dlerror());
	return object;
}

void gw_shape_source_read(const struct gw_conf *conf, const char *kept, const atomic_bool *stop)
{
	struct gw_shape_files files = {
		.read = read_nothing, .kept = kept, .say = say, .stop = stop};
	void *reader = conf->shape_count ? open_reader(&files.read) : NULL;
	struct gw_shape_set *set = gw_shape_set_read(conf, &files);

	if (!set)
		error("gangway: no memory for the shapes of nodes: those before stay in use");
	else if (atomic_load(stop))
		gw_shape_set_put(set);
	else
		replace(set);
	if (reader)
		dlclose(reader);
}

void gw_shape_source_work(void)
{
	struct source *source = source_get();
	struct gw_error why = {{0}};
	struct gw_gpuset_table *table;
	struct gw_shape_info wanted;
	bool some;

	pthread_mutex_lock(&source->lock);
	some = source->state == WANTED;
	wanted = source->wanted;
	pthread_mutex_unlock(&source->lock);
	if (!some)
		return;
	table = gw_gpuset_table_create(&wanted, &why);
	if (!table)
		error("gangway: a shape of %u GPUs: %s", wanted.gpus, why.text);
	pthread_mutex_lock(&source->lock);
	source->table = table;
	source->state = MADE;
	pthread_mutex_unlock(&source->lock);
}

void gw_shape_source_end(void)
{
	struct source *source = source_get();

	replace(NULL);
	pthread_mutex_lock(&source->lock);
	gw_gpuset_table_free(source->table);
	source->table = NULL;
	source->state = NO_TABLE;
	pthread_mutex_unlock(&source->lock);
}

unsigned int gw_shape_source_turn(void)
{
	return atomic_load_explicit(&source_get()->turn, memory_order_acquire);
}

struct gw_shape_set *gw_shape_source_set(void)
{
	struct source *source = source_get();
	struct gw_shape_set *set;

	pthread_mutex_lock(&source->lock);
	set = gw_shape_set_hold(source->set);
	pthread_mutex_unlock(&source->lock);
	return set;
}

bool gw_shape_source_table(const struct gw_shape_info *info, struct gw_gpuset_table **table)
{
	struct source *source = source_get();
	bool made = false;

	pthread_mutex_lock(&source->lock);
	if (source->state == NO_TABLE) {
		source->wanted = *info;
		source->state = WANTED;
	} else if (source->state == MADE && !memcmp(&source->wanted, info, sizeof(*info))) {
		*table = source->table;
		source->table = NULL;
		source->state = NO_TABLE;
		made = true;
	}
	pthread_mutex_unlock(&source->lock);
	return made;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/shape_set.h"

#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/util/file.h"
#include "src/util/str.h"

struct named_node {
	char *name;
	size_t shape;
};

struct gw_shape_set {
	atomic_uint holders;
	struct gw_named_shape *shape;
	size_t count;
	struct named_node *node; /* sorted by name */
	size_t node_count;
};

const char *gw_shape_state_name(enum gw_shape_state state)
{
	static const char *const names[] = {
		[GW_SHAPE_WAITS] = "waits",
		[GW_SHAPE_READ] = "read",
		[GW_SHAPE_KEPT] = "kept",
		[GW_SHAPE_BAD] = "bad",
	};

	return names[state];
}

static int compare_nodes(const void *a, const void *b)
{
	return strcmp(((const struct named_node *)a)->name, ((const struct named_node *)b)->name);
}

static void set_free(struct gw_shape_set *set)
{
	for (size_t i = 0; set->shape && i < set->count; i++) {
		gw_gpuset_table_free(set->shape[i].table);
		free(set->shape[i].near);
		free(set->shape[i].file);
		free(set->shape[i].nodes);
	}
	for (size_t i = 0; i < set->node_count; i++)
		free(set->node[i].name);
	free(set->shape);
	free(set->node);
	free(set);
}

static bool fill_nodes(struct gw_shape_set *set, const struct gw_conf *conf)
{
	size_t count = 0;

	for (size_t i = 0; i < conf->shape_count; i++)
		count += conf->shapes[i].node.count;
	set->node = calloc(count + 1, sizeof(*set->node));
	if (!set->node)
		return false;
	for (size_t i = 0; i < conf->shape_count; i++) {
		for (size_t k = 0; k < conf->shapes[i].node.count; k++) {
			char *name = gw_strdup(conf->shapes[i].node.item[k]);

			if (!name)
				return false;
			set->node[set->node_count++] = (struct named_node){name, i};
		}
	}
	qsort(set->node, set->node_count, sizeof(*set->node), compare_nodes);
	return true;
}

static bool fill_shapes(struct gw_shape_set *set, const struct gw_conf *conf)
{
	set->count = conf->shape_count;
	set->shape = calloc(set->count + 1, sizeof(*set->shape));
	for (size_t i = 0; set->shape && i < set->count; i++) {
		struct gw_named_shape *shape = &set->shape[i];

		snprintf(shape->info.name, sizeof(shape->info.name), "%s", conf->shapes[i].name);
		shape->file = gw_strdup(conf->shapes[i].hwloc);
		shape->nodes = gw_strdup(conf->shapes[i].nodes);
		if (!shape->file || !shape->nodes)
			return false;
	}
	return set->shape != NULL;
}

struct gw_shape_set *gw_shape_set_waiting(const struct gw_conf *conf)
{
	struct gw_shape_set *set = calloc(1, sizeof(*set));

	if (!set)
		return NULL;
	atomic_init(&set->holders, 1);
	if (fill_shapes(set, conf) && fill_nodes(set, conf))
		return set;
	set_free(set);
	return NULL;
}

/* Cores of GPUs that hwloc finds near none stay unmarked. */
static int mark_near(struct gw_named_shape *shape, const struct gw_topo_cores *cores,
		     struct gw_error *error)
{
	/* Counted by a child of ours, which a bad file may have led astray. */
	if (shape->info.gpus > GW_SHAPE_GPUS_MAX)
		return gw_error_set(error, "has %" PRIu32 " GPUs, more than %d", shape->info.gpus,
				    GW_SHAPE_GPUS_MAX);
	shape->cores = cores->count;
	shape->near = calloc((size_t)shape->info.gpus * cores->count + 1, 1);
	if (!shape->near)
		return gw_error_memory(error);
	for (uint32_t gpu = 0; gpu < shape->info.gpus; gpu++)
		gw_topo_mark_list(cores->gpu[gpu], cores->count, shape->near + gpu * cores->count);
	return 0;
}

static int read_file(const struct gw_shape_files *files, const char *path,
		     struct gw_named_shape *shape, struct gw_error *error)
{
	struct gw_topo_cores cores;
	struct gw_shape_info info;

	if (files->read(path, files->stop, &info, &cores, error))
		return -1;
	memcpy(info.name, shape->info.name, sizeof(info.name));
	shape->info = info;
	if (mark_near(shape, &cores, error))
		return gw_error_prefix(error, "%s: ", path);
	shape->table = gw_gpuset_table_create(&info, error);
	if (shape->table)
		return 0;
	free(shape->near);
	shape->near = NULL;
	return gw_error_prefix(error, "%s: ", path);
}

/* A name may have a slash in it, but no percent sign. */
static bool kept_path(const char *kept, const char *name, char path[PATH_MAX])
{
	int length = snprintf(path, PATH_MAX, "%s/shape-%s.xml", kept, name);

	for (char *at = path + strlen(kept) + 1; length < PATH_MAX && *at; at++)
		if (*at == '/')
			*at = '%';
	return length < PATH_MAX;
}

/* Copies a good file unless it is there already. What can not be kept is only not kept. */
static void keep(const char *from, const char *to)
{
	struct gw_error ignored = {{0}};
	char *text = NULL, *old = NULL;

	if (!gw_file_read(from, &text, &ignored) &&
	    (gw_file_read(to, &old, &ignored) || strcmp(text, old)))
		gw_file_keep(to, 0600, text, strlen(text), &ignored);
	free(text);
	free(old);
}

static void complain(const struct gw_shape_files *files, const struct gw_shape *shape,
		     const char *what, enum gw_shape_state state)
{
	struct gw_str text = {0};

	gw_str_appendf(&text, "%s:%d: ShapeName=%s: %s: ", shape->where.file, shape->where.line,
		       shape->name, what);
	if (state == GW_SHAPE_KEPT)
		gw_str_append(&text, "the file that was read before stays in use");
	else
		gw_str_appendf(&text, "nodes %s have the links and cores of gres.conf",
			       shape->nodes);
	files->say(gw_str_text(&text));
	gw_str_free(&text);
}

static bool is_stopped(const struct gw_shape_files *files)
{
	return files->stop && atomic_load(files->stop);
}

static void read_shape(const struct gw_shape_files *files, const struct gw_shape *from,
		       struct gw_named_shape *shape)
{
	struct gw_error error = {{0}}, ignored = {{0}};
	char path[PATH_MAX];
	bool has_path = kept_path(files->kept, from->name, path);

	if (!read_file(files, from->hwloc, shape, &error)) {
		shape->state = GW_SHAPE_READ;
		if (has_path)
			keep(from->hwloc, path);
		return;
	}
	if (is_stopped(files))
		return;
	shape->state =
		has_path && !read_file(files, path, shape, &ignored) ? GW_SHAPE_KEPT : GW_SHAPE_BAD;
	complain(files, from, error.text, shape->state);
}

struct gw_shape_set *gw_shape_set_read(const struct gw_conf *conf,
				       const struct gw_shape_files *files)
{
	struct gw_shape_set *set = gw_shape_set_waiting(conf);

	for (size_t i = 0; set && i < set->count && !is_stopped(files); i++)
		read_shape(files, &conf->shapes[i], &set->shape[i]);
	return set;
}

struct gw_shape_set *gw_shape_set_hold(struct gw_shape_set *set)
{
	if (set)
		atomic_fetch_add(&set->holders, 1);
	return set;
}

void gw_shape_set_put(struct gw_shape_set *set)
{
	if (set && atomic_fetch_sub(&set->holders, 1) == 1)
		set_free(set);
}

const struct gw_named_shape *gw_shape_set_shapes(const struct gw_shape_set *set, size_t *count)
{
	*count = set->count;
	return set->shape;
}

const struct gw_named_shape *gw_shape_set_of_node(const struct gw_shape_set *set, const char *node)
{
	const struct named_node key = {(char *)node, 0}, *found;

	found = bsearch(&key, set->node, set->node_count, sizeof(key), compare_nodes);
	return found ? &set->shape[found->shape] : NULL;
}

/* Whether gres.conf and the file have some core of the GPU in common; true if either has none. */
static bool agrees(const struct gw_named_shape *shape, const struct gw_shape_claim *claim,
		   uint32_t gpu)
{
	const uint8_t *near = shape->near + (size_t)gpu * shape->cores;
	bool any = false;

	for (uint32_t core = 0; core < shape->cores; core++) {
		any = any || near[core];
		if (near[core] && claim->near(claim->arg, gpu, core))
			return true;
	}
	return !any;
}

bool gw_named_shape_fits(const struct gw_named_shape *shape, const struct gw_shape_claim *claim,
			 struct gw_error *why)
{
	if (claim->gpus != shape->info.gpus || claim->cores != shape->cores) {
		gw_error_set(why,
			     "ShapeName=%s: node %s has %u GPUs and %u cores, %s %u GPUs and %u "
			     "cores: both must be the same",
			     shape->info.name, claim->node, claim->gpus, claim->cores, shape->file,
			     shape->info.gpus, shape->cores);
		return false;
	}
	for (uint32_t gpu = 0; gpu < claim->gpus; gpu++) {
		if (agrees(shape, claim, gpu))
			continue;
		gw_error_set(why,
			     "ShapeName=%s: GPU %u of node %s is near other cores by Cores= of "
			     "gres.conf than in %s: gres.conf must list GPUs in order of PCI "
			     "addresses",
			     shape->info.name, gpu, claim->node, shape->file);
		return false;
	}
	return true;
}

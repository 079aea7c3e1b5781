// SPDX-License-Identifier: GPL-2.0-or-later
/* The shapes of gangway.conf: their files, and which nodes of slurm.conf they cover. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "../topo/topo.h"
#include "../util/hostlist.h"

#define NODES_MAX 65536

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void gw_check_known_nodes(const struct gw_slurm_conf *slurm, struct gw_strings *known)
{
	for (size_t i = 0; i < slurm->line_count; i++) {
		const struct gw_pair *pair = &slurm->line[i].record.pair[0];
		struct gw_strings names = {0};

		if (!gw_same(pair->key, "NodeName") || gw_same(pair->value, "DEFAULT"))
			continue;
		if (gw_hostlist_expand(pair->value, NODES_MAX, &names, NULL)) {
			gw_strings_free(known);
			return;
		}
		for (size_t k = 0; k < names.count; k++)
			gw_strings_add(known, names.item[k], strlen(names.item[k]));
		gw_strings_free(&names);
	}
	if (known->count)
		qsort(known->item, known->count, sizeof(*known->item), compare_names);
}

void gw_check_names(const struct gw_check *check, const struct gw_strings *known,
		    const struct gw_strings *names, const char *file, int line, const char *what)
{
	const char *first = NULL;
	size_t missing = 0;

	for (size_t i = 0; known->count && i < names->count; i++) {
		if (bsearch(&names->item[i], known->item, known->count, sizeof(*known->item),
			    compare_names))
			continue;
		first = first ? first : names->item[i];
		missing++;
	}
	if (missing)
		gw_findings_add(check->findings, GW_WARNING, file, line,
				"%s: %zu of its nodes %s not in slurm.conf, the first %s", what,
				missing, missing == 1 ? "is" : "are", first);
}

static void check_nodes(const struct gw_check *check, const struct gw_shape *shape,
			const struct gw_strings *known)
{
	struct gw_str what = {0};

	gw_str_appendf(&what, "ShapeName=%s", shape->name);
	gw_check_names(check, known, &shape->node, shape->where.file, shape->where.line,
		       gw_str_text(&what));
	gw_str_free(&what);
}

static void check_shape(const struct gw_check *check, const struct gw_shape *shape,
			struct gw_checked_shape *checked)
{
	struct gw_error error = {0};
	struct gw_shape_info info;
	struct gw_topo_cores cores;

	checked->shape = shape;
	if (gw_topo_shape_from_xml_apart(shape->hwloc, NULL, &info, &cores, &error)) {
		gw_findings_add(check->findings, GW_ERROR, shape->where.file, shape->where.line,
				"ShapeName=%s: %s", shape->name, error.text);
		return;
	}
	checked->gpus = info.gpus;
	checked->cores = cores.count;
}

void gw_check_shapes(const struct gw_check *check, struct gw_checked_shapes *shapes)
{
	size_t count = check->conf ? check->conf->shape_count : 0;
	struct gw_strings known = {0};

	shapes->item = calloc(count + 1, sizeof(*shapes->item));
	if (!shapes->item) {
		check->findings->failed = true;
		return;
	}
	gw_check_known_nodes(check->slurm, &known);
	for (size_t i = 0; i < count; i++) {
		check_shape(check, &check->conf->shapes[i], &shapes->item[shapes->count++]);
		check_nodes(check, &check->conf->shapes[i], &known);
	}
	gw_strings_free(&known);
}

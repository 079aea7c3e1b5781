// SPDX-License-Identifier: GPL-2.0-or-later
/* The shapes of gangway.conf: their files, and which nodes of slurm.conf they cover. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include "../topo/topo.h"

void gw_check_names(const struct gw_check *check, const struct gw_strings *known,
		    const struct gw_strings *names, const char *file, int line, const char *what)
{
	struct gw_str text = {0};

	if (known->count && gw_slurm_missing(known, names, &text))
		gw_findings_add(check->findings, GW_WARNING, file, line, "%s: %s", what,
				gw_str_text(&text));
	check->findings->failed = check->findings->failed || text.failed;
	gw_str_free(&text);
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
	gw_slurm_nodes(check->slurm, &known);
	for (size_t i = 0; i < count; i++) {
		check_shape(check, &check->conf->shapes[i], &shapes->item[shapes->count++]);
		check_nodes(check, &check->conf->shapes[i], &known);
	}
	gw_strings_free(&known);
}

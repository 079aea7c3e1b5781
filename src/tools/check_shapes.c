// SPDX-License-Identifier: GPL-2.0-or-later
#include "check.h"

#include "../topo/topo.h"

static void check_shape(const struct gw_check *check, const struct gw_shape *shape)
{
	struct gw_shape_info info;
	struct gw_error error = {0};

	if (!shape->hwloc)
		return;
	if (gw_topo_shape_from_xml_apart(shape->hwloc, &info, NULL, &error))
		gw_findings_add(check->findings, GW_ERROR, shape->where.file, shape->where.line,
				"ShapeName=%s: %s", shape->name, error.text);
}

void gw_check_shapes(const struct gw_check *check)
{
	for (size_t i = 0; check->conf && i < check->conf->shape_count; i++)
		check_shape(check, &check->conf->shapes[i]);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/shape_reader.h"

int gw_shape_reader(const char *path, const atomic_bool *stop, struct gw_shape_info *shape,
		    struct gw_topo_cores *cores, struct gw_error *error)
{
	return gw_topo_shape_from_xml_apart(path, stop, shape, cores, error);
}

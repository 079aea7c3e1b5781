// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The one function of libgangway_topo.so, the only object beside the command that needs hwloc.
 * slurmctld opens it where there are shapes to read, and closes it again; programs that open
 * plugins, such as srun, never do.
 */
#ifndef GW_SHAPE_READER_H
#define GW_SHAPE_READER_H

#include "plugins/common/export.h"
#include "src/topo/topo.h"

#define GW_SHAPE_READER_FILE     "libgangway_topo.so"
#define GW_SHAPE_READER_FUNCTION "gw_shape_reader"

/* gw_topo_shape_from_xml_apart(): hwloc runs in a child process. */
typedef int (*gw_shape_reader_function)(const char *path, const atomic_bool *stop,
					struct gw_shape_info *shape, struct gw_topo_cores *cores,
					struct gw_error *error);

GW_EXPORT int gw_shape_reader(const char *path, const atomic_bool *stop,
			      struct gw_shape_info *shape, struct gw_topo_cores *cores,
			      struct gw_error *error);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* The cores near each GPU as ranges of logical indexes, which is how Slurm numbers cores. */
#include <stdio.h>

#include "topo_impl.h"

struct ranges {
	char *text;
	size_t used;
	bool full;
	int first, last; /* range under way; -1: none */
};

static void end_range(struct ranges *ranges)
{
	const char *comma = ranges->used ? "," : "";
	size_t room = GW_TOPO_CORES_SIZE - ranges->used;
	int length;

	if (ranges->first < 0)
		return;
	if (ranges->first == ranges->last)
		length = snprintf(ranges->text + ranges->used, room, "%s%d", comma, ranges->first);
	else
		length = snprintf(ranges->text + ranges->used, room, "%s%d-%d", comma,
				  ranges->first, ranges->last);
	if ((size_t)length >= room)
		ranges->full = true;
	else
		ranges->used += length;
}

static void add_core(struct ranges *ranges, int core)
{
	if (ranges->first >= 0 && core == ranges->last + 1) {
		ranges->last = core;
		return;
	}
	end_range(ranges);
	ranges->first = ranges->last = core;
}

bool gw_topo_write_cores(hwloc_topology_t topology, hwloc_const_cpuset_t near,
			 char text[GW_TOPO_CORES_SIZE])
{
	hwloc_obj_type_t type = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0
					? HWLOC_OBJ_CORE
					: HWLOC_OBJ_PU;
	struct ranges ranges = {.text = text, .first = -1};
	hwloc_obj_t core = NULL;

	text[0] = '\0';
	while (!ranges.full &&
	       (core = hwloc_get_next_obj_inside_cpuset_by_type(topology, near, type, core)))
		add_core(&ranges, (int)core->logical_index);
	if (!ranges.full)
		end_range(&ranges);
	return !ranges.full;
}

int gw_topo_find_cores(hwloc_topology_t topology, const struct gw_topo_gpus *gpus,
		       struct gw_topo_cores *cores, struct gw_error *error)
{
	int count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);

	/* Some machines have no cores of their own, only processing units. */
	if (count <= 0)
		count = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
	*cores = (struct gw_topo_cores){.count = count > 0 ? (uint32_t)count : 0};
	for (uint32_t i = 0; i < gpus->count; i++) {
		hwloc_obj_t near = hwloc_get_non_io_ancestor_obj(topology, gpus->gpu[i]);

		if (!gw_topo_write_cores(topology, near->cpuset, cores->gpu[i]))
			return gw_error_set(error, "GPU %u: too many ranges of cores", i);
	}
	return 0;
}

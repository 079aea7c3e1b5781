// SPDX-License-Identifier: GPL-2.0-or-later
/* A shape from gres.conf's Links= and Cores=. Needs no hwloc. */
#include "topo.h"

/* Strengths when only the sockets are known. */
#define ONE_NUMA    3
#define ONE_SOCKET  2
#define TWO_SOCKETS 1

static int check_links(const struct gw_topo_row *rows, uint32_t gpus, uint32_t gpu,
		       struct gw_error *error)
{
	const struct gw_topo_row *row = &rows[gpu];

	if (row->link_count != gpus)
		return gw_error_set(error, "Links of GPU %u has %zu numbers for %u GPUs", gpu,
				    row->link_count, gpus);
	if (row->link[gpu] != -1)
		return gw_error_set(error,
				    "Links of GPU %u has %d in place %u, its own: must be -1", gpu,
				    row->link[gpu], gpu);
	for (uint32_t other = 0; other < gpus; other++) {
		if (other == gpu)
			continue;
		if (row->link[other] < 0)
			return gw_error_set(error,
					    "Links of GPU %u has %d in place %u: only its own "
					    "place %u is negative",
					    gpu, row->link[other], other, gpu);
		if (other < gpu && gpu < rows[other].link_count &&
		    row->link[other] != rows[other].link[gpu])
			return gw_error_set(error,
					    "Links of GPU %u says %d of GPU %u, which says %d of "
					    "it: must be equal",
					    gpu, row->link[other], other, rows[other].link[gpu]);
	}
	return 0;
}

static bool have_links(const struct gw_topo_row *rows, uint32_t gpus)
{
	for (uint32_t gpu = 0; gpu < gpus; gpu++)
		if (rows[gpu].link_count)
			return true;
	return false;
}

static bool is_placed(const struct gw_topo_row *row)
{
	return row->core != GW_TOPO_NO_CORE && !row->everywhere;
}

static bool are_placed(const struct gw_topo_row *rows, uint32_t gpus)
{
	for (uint32_t gpu = 0; gpu < gpus; gpu++)
		if (is_placed(&rows[gpu]))
			return true;
	return false;
}

int gw_topo_check_row(const struct gw_topo_row *rows, uint32_t gpus, uint32_t gpu,
		      struct gw_error *error)
{
	return have_links(rows, gpus) ? check_links(rows, gpus, gpu, error) : 0;
}

/* As plugins/common/shape_gres.c: where some GPUs are placed, others are on no socket. */
static void set_sockets(const struct gw_topo_row *rows, uint32_t cores_per_socket,
			struct gw_shape_info *shape)
{
	bool known = shape->sockets > 1 && cores_per_socket && are_placed(rows, shape->gpus);

	for (uint32_t gpu = 0; known && gpu < shape->gpus; gpu++)
		shape->socket[gpu] = is_placed(&rows[gpu]) ? rows[gpu].core / cores_per_socket
							   : GW_SHAPE_NO_SOCKET;
}

static uint8_t apart(const struct gw_shape_info *shape, uint32_t a, uint32_t b)
{
	return shape->socket[a] == shape->socket[b] && shape->socket[a] != GW_SHAPE_NO_SOCKET
		       ? ONE_SOCKET
		       : TWO_SOCKETS;
}

/* Who have the same cores are in one NUMA node, as far as anybody can tell. */
static uint8_t nearness(const struct gw_topo_row *rows, const struct gw_shape_info *shape,
			uint32_t a, uint32_t b)
{
	if (rows[a].core == GW_TOPO_NO_CORE || rows[b].core == GW_TOPO_NO_CORE ||
	    shape->socket[a] == GW_SHAPE_NO_SOCKET || shape->socket[b] == GW_SHAPE_NO_SOCKET)
		return 0;
	if (rows[a].core == rows[b].core)
		return ONE_NUMA;
	return apart(shape, a, b);
}

static void set_links(const struct gw_topo_row *rows, bool given, struct gw_shape_info *shape)
{
	for (uint32_t a = 0; a < shape->gpus; a++) {
		for (uint32_t b = 0; b < shape->gpus; b++) {
			int link = apart(shape, a, b);

			if (a == b)
				continue;
			if (given)
				link = rows[a].link[b];
			shape->link[a][b] = link < UINT8_MAX ? link : UINT8_MAX;
			shape->near[a][b] = nearness(rows, shape, a, b);
		}
	}
}

int gw_topo_shape_from_links(const struct gw_topo_row *rows, uint32_t gpus, uint32_t sockets,
			     uint32_t cores_per_socket, struct gw_shape_info *shape,
			     struct gw_error *error)
{
	struct gw_shape_info found = {.gpus = gpus, .sockets = sockets ? sockets : 1};
	bool given = have_links(rows, gpus);

	if (!gpus)
		return gw_error_set(error, "no GPUs");
	if (gpus > GW_SHAPE_GPUS_MAX)
		return gw_error_set(error, "%u GPUs: at most %d are supported", gpus,
				    GW_SHAPE_GPUS_MAX);
	for (uint32_t gpu = 0; gpu < gpus; gpu++)
		if (gw_topo_check_row(rows, gpus, gpu, error) < 0)
			return -1;
	set_sockets(rows, cores_per_socket, &found);
	set_links(rows, given, &found);
	*shape = found;
	return 0;
}

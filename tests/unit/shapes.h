// SPDX-License-Identifier: GPL-2.0-or-later
/* Node kinds that several tests use. Synthetic, from published matrices. */
#ifndef GW_TESTS_SHAPES_H
#define GW_TESTS_SHAPES_H

#include "src/core/cluster.h"

/* Every pair linked with strength, GPUs spread over the sockets in index order. */
static inline void shape_uniform(struct gw_shape_info *shape, uint32_t gpus, uint32_t sockets,
				 uint8_t strength)
{
	*shape = (struct gw_shape_info){.gpus = gpus, .sockets = sockets};
	for (uint32_t a = 0; a < gpus; a++) {
		shape->socket[a] = a * sockets / gpus;
		for (uint32_t b = 0; b < gpus; b++)
			shape->link[a][b] = a == b ? 0 : strength;
	}
}

static inline void shape_link(struct gw_shape_info *shape, uint32_t a, uint32_t b, uint8_t strength)
{
	shape->link[a][b] = shape->link[b][a] = strength;
}

/* Links of strength far between sockets and near inside one. */
static inline void shape_two_levels(struct gw_shape_info *shape, uint32_t gpus, uint8_t far,
				    uint8_t near)
{
	shape_uniform(shape, gpus, 2, far);
	for (uint32_t a = 0; a < gpus; a++)
		for (uint32_t b = 0; b < a; b++)
			if (shape->socket[a] == shape->socket[b])
				shape_link(shape, a, b, near);
}

/* Two sockets of four GPUs, strong pairs (0,3)(1,2)(4,7)(5,6). */
static inline void shape_strong_pairs(struct gw_shape_info *shape)
{
	shape_two_levels(shape, 8, 1, 2);
	shape_link(shape, 0, 3, 8);
	shape_link(shape, 1, 2, 8);
	shape_link(shape, 4, 7, 8);
	shape_link(shape, 5, 6, 8);
}

/* Eight cards without NVLink: four a socket, two behind one switch. */
static inline void shape_switches(struct gw_shape_info *shape)
{
	shape_two_levels(shape, 8, 1, 2);
	for (uint32_t a = 0; a < 8; a += 2)
		shape_link(shape, a, a + 1, 3);
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/place_memory.h"

#include <stdlib.h>

bool gw_place_memory_fit(struct gw_place_memory *memory, size_t nodes)
{
	struct gw_error why = {{0}};

	if (!memory->shapes)
		memory->shapes = gw_shapes_create();
	if (nodes <= memory->size)
		return true;
	gw_place_free(memory->place);
	free(memory->node);
	free(memory->choice);
	memory->place =
		gw_place_create(gw_shapes_tables(memory->shapes), GW_SHAPES_MAX, nodes, &why);
	memory->node = calloc(nodes, sizeof(*memory->node));
	memory->choice = calloc(nodes, sizeof(*memory->choice));
	memory->size = memory->place && memory->node && memory->choice ? nodes : 0;
	return memory->size > 0;
}

void gw_place_memory_free(struct gw_place_memory *memory)
{
	gw_place_free(memory->place);
	gw_shapes_free(memory->shapes);
	free(memory->node);
	free(memory->choice);
	*memory = (struct gw_place_memory){0};
}

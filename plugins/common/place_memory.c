// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/place_memory.h"

#include <stdlib.h>

#include "plugins/common/stock.h"

bool gw_place_memory_fit(struct gw_place_memory *memory, size_t nodes)
{
	struct gw_error why = {{0}};

	if (!memory->shapes) {
		memory->shapes = gw_shapes_create();
		memory->usage = gw_stock_symbol(GW_PLUGIN_SELECT, "select_node_usage");
		memory->parts = gw_stock_symbol(GW_PLUGIN_SELECT, "select_part_record");
		memory->before = gw_snapshot_create();
		memory->before_all = gw_snapshot_create();
		memory->stock = gw_snapshot_create();
	}
	gw_shapes_refresh(memory->shapes);
	if (!gw_domains_refresh(&memory->domains))
		return false;
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

struct gw_core_choice *gw_place_memory_cores(struct gw_place_memory *memory, size_t count)
{
	if (count > memory->cores_size) {
		free(memory->cores);
		memory->cores = calloc(count, sizeof(*memory->cores));
		memory->cores_size = memory->cores ? count : 0;
	}
	return memory->cores;
}

void gw_place_memory_free(struct gw_place_memory *memory)
{
	gw_place_free(memory->place);
	gw_shapes_free(memory->shapes);
	gw_domains_free(&memory->domains);
	free(memory->node);
	free(memory->choice);
	FREE_NULL_BITMAP(memory->chosen);
	gw_snapshot_free(memory->before);
	gw_snapshot_free(memory->before_all);
	gw_snapshot_free(memory->stock);
	FREE_NULL_BITMAP(memory->tested);
	free(memory->cores);
	*memory = (struct gw_place_memory){0};
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the topology plugin of each generation keeps what it read from topology.conf. */
#ifndef GW_TOPOLOGY_TABLES_H
#define GW_TOPOLOGY_TABLES_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/stock.h"
#include "plugins/common/weak.h"

/* Slurm's own tables, valid under its node lock; none for a flat topology. */
struct gw_topology_tables {
	const switch_record_t *switches;
	int switch_count;
#if GW_HAS_BLOCKS
	const block_record_t *blocks;
	int block_count;
	bitstr_t *block_levels; /* which powers of two of base blocks are a block too */
#endif
};

#if GW_HAS_BLOCKS
static inline int gw_stock_topology_count(const char *name)
{
	const int *count = gw_stock_symbol(GW_PLUGIN_TOPOLOGY, name);

	return count ? *count : 0;
}

static inline void *gw_stock_topology_pointer(const char *name)
{
	void **pointer = gw_stock_symbol(GW_PLUGIN_TOPOLOGY, name);

	return pointer ? *pointer : NULL;
}

/* The tables are the plugin's: which it has says which plugin it is. */
static inline struct gw_topology_tables gw_topology_tables(void)
{
	struct gw_topology_tables tables = {
		.switch_count = gw_stock_topology_count("switch_record_cnt"),
		.block_count = gw_stock_topology_count("block_record_cnt"),
	};

	if (tables.switch_count)
		tables.switches = gw_stock_topology_pointer("switch_record_table");
	if (tables.block_count) {
		tables.blocks = gw_stock_topology_pointer("block_record_table");
		tables.block_levels = gw_stock_topology_pointer("block_levels");
	}
	return tables;
}
#else
/* The tables are slurmctld's; a plugin without switches leaves them empty. */
static inline struct gw_topology_tables gw_topology_tables(void)
{
	struct gw_topology_tables tables = {0};

	if (&switch_record_table && &switch_record_cnt && switch_record_cnt > 0) {
		tables.switches = switch_record_table;
		tables.switch_count = switch_record_cnt;
	}
	return tables;
}
#endif

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* The placement hook of 22.05: cons_tres calls choose_nodes through a table it exports. */
#ifndef GW_CHOOSE_NODES_H
#define GW_CHOOSE_NODES_H

#include "plugins/common/compat/compat.h"

#if GW_HAS_TOPOLOGY_HOOK
/* From 23.11 on the topology plugin is asked. */
static inline int gw_choose_nodes_take(void)
{
	return SLURM_SUCCESS;
}
#else
/* Puts ours in the table, which the stock init() has just filled in. SLURM_ERROR: no table. */
int gw_choose_nodes_take(void);
#endif

#endif

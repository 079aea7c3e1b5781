// SPDX-License-Identifier: GPL-2.0-or-later
/* What gres.conf says of a node, as slurmctld has it of the node's last registration. */
#ifndef GW_SHAPE_GRES_H
#define GW_SHAPE_GRES_H

#include "plugins/common/compat/compat.h"

#include "src/core/gpuset.h"

/* The cores of Cores= of a GPU; NULL: not given. GPU number gpu is its bit. */
bitstr_t *gw_shape_gres_cores(const gres_node_state_t *gpus, int gpu);

/* The shape by Links= and Cores=. False: neither is given. */
bool gw_shape_gres(const node_record_t *node, const gres_node_state_t *gpus,
		   struct gw_shape_info *info);

/*
 * Takes Links= as the links of info, a shape of as many GPUs, where they tell GPUs apart. False:
 * they do not, or there are none.
 */
bool gw_shape_gres_links(const gres_node_state_t *gpus, struct gw_shape_info *info);

/* A checksum of the links, of where each GPU is, and of the numbers of GPUs and cores. */
uint64_t gw_shape_gres_sum(const gres_node_state_t *gpus, uint32_t cores);

#endif

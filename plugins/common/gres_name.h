// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a GRES is gres/gpu: asked of every node in a question, so no call. */
#ifndef GW_GRES_NAME_H
#define GW_GRES_NAME_H

#include "plugins/common/compat/compat.h"

static inline bool gw_gres_is_gpu(const gres_state_t *state)
{
	const char *name = state->gres_name;

	return name && name[0] == 'g' && name[1] == 'p' && name[2] == 'u' && !name[3];
}

/* list_find_first() callback: the first gres_state_t of gres/gpu. */
static inline int gw_gres_find_gpu(void *item, void *unused)
{
	(void)unused;
	return gw_gres_is_gpu(item);
}

/* The record of gres/gpu in a list of a node or a job (NULL: none); NULL: there is none. */
static inline gres_state_t *gw_gres_gpu_of(gw_list_t list)
{
	return list ? list_find_first(list, gw_gres_find_gpu, NULL) : NULL;
}

#endif

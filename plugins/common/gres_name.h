// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a GRES is gres/gpu: asked of every node in a question. */
#ifndef GW_GRES_NAME_H
#define GW_GRES_NAME_H

#include "plugins/common/compat/compat.h"

static inline bool gw_gres_is_gpu(const gres_state_t *state)
{
	const char *name = state->gres_name;

	return name && name[0] == 'g' && name[1] == 'p' && name[2] == 'u' && !name[3];
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Between the files of mix_seen. */
#ifndef GW_CORE_MIX_SEEN_IMPL_H
#define GW_CORE_MIX_SEEN_IMPL_H

#include "mix_seen.h"

struct gw_mix_seen {
	int64_t origin; /* when a job that starts has weight 1 a node; later ones have more */
	struct gw_mix_kind kind[GW_MIX_SEEN_KINDS];
	size_t count;
};

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* What slurmctld says of jobs that the view does not have. */
#ifndef GW_TOOLS_REPLAY_DIFF_ASKED_H
#define GW_TOOLS_REPLAY_DIFF_ASKED_H

#include "replay_diff_impl.h"

struct gw_diff_asked {
	struct gw_diff_known *known; /* sorted by id; texts are the message's */
	size_t count;
	void *message;
};

/* Returns 0, or -1 with error when slurmctld does not tell. Freed in any case. */
int gw_diff_ask(const struct gw_site *site, struct gw_diff_asked *asked, struct gw_error *error);
void gw_diff_asked_free(struct gw_diff_asked *asked);

#endif

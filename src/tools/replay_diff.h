// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * gangway replay --diff: which pending jobs of the live cluster would change place under another
 * gangway.conf, and which pools would hold more than it lets them.
 *
 * The old place is the one the engine published; the new one is made from the same jobs by the
 * same src/core.
 */
#ifndef GW_TOOLS_REPLAY_DIFF_H
#define GW_TOOLS_REPLAY_DIFF_H

#include "output.h"
#include "site.h"

struct gw_replay_diff_options {
	const char *conf;           /* the other gangway.conf */
	struct gw_site_paths paths; /* paths.conf: the one in force; it says where the view is */
	const struct gw_output *output;
};

/* Prints the differences, or what is wrong. Returns an exit code. */
int gw_replay_diff(const struct gw_command *command, const struct gw_replay_diff_options *options);

/* Columns that --format may name. */
extern const char *const gw_replay_diff_job_columns[], *const gw_replay_diff_pool_columns[];

#endif

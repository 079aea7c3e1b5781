// SPDX-License-Identifier: GPL-2.0-or-later
/* Who a job is for, copied from Slurm's associations. */
#ifndef GW_IDENTITY_H
#define GW_IDENTITY_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/engine.h"
#include "src/core/route.h"

/* What is looked up. Strings may be NULL: not given. */
struct gw_asked {
	uint32_t uid;
	const char *account;
	const char *partition; /* names with commas between */
};

struct gw_identity {
	char *user, *account, *qos;
	struct gw_strings ancestors;
	char *partitions; /* see partitions_open of struct gw_route_job */
	bool associated;
	uint32_t association; /* Slurm's id of it */
};

/*
 * Fills identity, which gw_identity_free() frees. An association can be for one partition: those
 * asked for are tried in turn, or else those that routing may fill in and the default one. The
 * association locks are taken here; waiting for them is no time of the call's own.
 */
void gw_identity_look_up(const struct gw_conf *conf, const struct gw_asked *asked,
			 struct gw_call *call, struct gw_identity *identity);
void gw_identity_free(struct gw_identity *identity);

/* The same in a job's words, which stay the identity's. */
void gw_identity_describe(const struct gw_identity *identity, struct gw_route_job *job);

#endif

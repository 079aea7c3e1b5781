// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The configuration on disk: gangway.conf and what it includes, and beside the other state
 * a copy of the last good one, so that a bad edit survives neither reconfigure nor restart.
 */
#ifndef GW_CONF_STORE_H
#define GW_CONF_STORE_H

#include "src/core/conf.h"
#include "src/util/error.h"

/*
 * Loads path and, if it is good, remembers it in the file kept (written only when it
 * changed). Returns 0 with *conf, freed by gw_conf_free(), and the checksum of its
 * text, or -1 with error. A copy that
 * can not be written is told in note, which is otherwise left empty.
 */
int gw_conf_store_load(const char *path, const char *kept, struct gw_conf **conf, uint64_t *sum,
		       struct gw_error *note, struct gw_error *error);

/* Loads the last good configuration of path from kept. The same results. */
int gw_conf_store_load_kept(const char *path, const char *kept, struct gw_conf **conf,
			    uint64_t *sum, struct gw_error *error);

#endif

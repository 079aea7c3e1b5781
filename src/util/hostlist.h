// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expansion of node ranges: "n[0-3,7],login1", "r[1-2]n[01-16]". Leading zeros
 * are kept. No name is looked up.
 */
#ifndef GW_UTIL_HOSTLIST_H
#define GW_UTIL_HOSTLIST_H

#include "error.h"
#include "str.h"

/* The most names of any list of nodes in a file of Slurm's or Gangway's. */
#define GW_HOSTLIST_MAX 65536

/*
 * Adds every name of text to an empty list, in the order written. At most limit
 * names: more is an error, so that a slip like n[0-99999999] costs nothing.
 * On failure the list is empty.
 */
int gw_hostlist_expand(const char *text, size_t limit, struct gw_strings *names,
		       struct gw_error *error);

#endif

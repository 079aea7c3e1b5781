// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A placement question as it stood, and an answer as it came out, so that the question can
 * be asked again from the same state and two answers compared bit for bit.
 *
 * Costs memory and time in proportion to the nodes copied: all of them only where Verify=yes.
 */
#ifndef GW_SNAPSHOT_H
#define GW_SNAPSHOT_H

#include "plugins/common/placement.h"

struct gw_snapshot;

/* An empty one; freed by gw_snapshot_free(). */
struct gw_snapshot *gw_snapshot_create(void);

/*
 * Copies all that a stock answer may change, of these nodes alone (NULL: of all in question), over
 * what was there. One that is kept allocates nothing for questions like those before.
 */
void gw_snapshot_take(struct gw_snapshot *snapshot, const struct gw_placement *question,
		      bitstr_t *nodes);

/* Puts the question back to what it was when taken. */
void gw_snapshot_restore(const struct gw_snapshot *snapshot, struct gw_placement *question);

/* The nodes of the question when taken; the snapshot's. */
bitstr_t *gw_snapshot_nodes(const struct gw_snapshot *snapshot);

/*
 * Compares the question as it stands with the snapshot. Returns NULL if they are the same,
 * else the name (static text) of the first thing that differs.
 */
const char *gw_snapshot_differs(const struct gw_snapshot *snapshot,
				const struct gw_placement *question);

/* The same for the nodes that are not among those given: what an answer must leave as it was. */
const char *gw_snapshot_differs_outside(const struct gw_snapshot *snapshot,
					const struct gw_placement *question, bitstr_t *nodes);

void gw_snapshot_free(struct gw_snapshot *snapshot);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the placement hook gets what takes too long for it: the shapes that ShapeName= names, and
 * tables of GPU subsets of large nodes. The engine's thread makes both.
 *
 * Locks: a lock of its own, held for a few assignments; nothing is called under it.
 */
#ifndef GW_SHAPE_SOURCE_H
#define GW_SHAPE_SOURCE_H

#include "plugins/common/shape_set.h"

/* The thread, or who starts it: the shapes of conf are there, but to be read, unless some are. */
void gw_shape_source_begin(const struct gw_conf *conf);

/*
 * The thread: reads the files, logs what is wrong with them. For kept and stop see struct
 * gw_shape_files; once stopped the set before stays in force.
 */
void gw_shape_source_read(const struct gw_conf *conf, const char *kept, const atomic_bool *stop);

/* The thread: makes the table that is asked for, if one is. */
void gw_shape_source_work(void);

/* The thread has ended: frees all. */
void gw_shape_source_end(void);

/* Changes with every set. */
unsigned int gw_shape_source_turn(void);

/* The set in force, held for the caller; NULL: none. */
struct gw_shape_set *gw_shape_source_set(void);

/*
 * Asks for a table, which may take seconds. True when it is made: *table is the caller's, NULL if
 * memory was out. One at a time: whoever asks for several asks for all of them until each is made.
 */
bool gw_shape_source_table(const struct gw_shape_info *info, struct gw_gpuset_table **table);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which ShapeName= the nodes of a job have, and whether its file is in use. */
#ifndef GW_TOOLS_WHY_SHAPES_H
#define GW_TOOLS_WHY_SHAPES_H

#include "../util/record.h"
#include "../util/str.h"

/*
 * By what GPUs of these nodes (a list as Slurm writes it) are chosen, a sentence for each shape
 * among the records of the status file. Appends nothing where they have none.
 */
void gw_why_shapes(const struct gw_record *record, size_t count, const char *nodes,
		   struct gw_str *text);

#endif

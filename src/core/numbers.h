// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An order kept as priority numbers with gaps, so that only jobs that moved are rewritten.
 *
 * Owns: which numbers stay and which are new. Does not own: the order, and writing.
 *
 * Jobs that may start have numbers from GW_NUMBER_LOW to GW_NUMBER_HIGH, above what stock's
 * factors reach at a site of usual weights; blocked ones small numbers from
 * GW_NUMBER_BLOCKED up, below outside jobs of almost any priority. 0 is Slurm's for a held job
 * and 1 its lowest, so neither is given out.
 *
 * Numbers of jobs that may start are at least GW_NUMBER_GAP apart for up to 12,287 of them: two
 * that drift towards one another by 30,000 each keep their order. With more jobs the gap halves
 * for each doubling: 8,192 for 98,303 jobs. Blocked ones are 1 apart or more.
 */
#ifndef GW_CORE_NUMBERS_H
#define GW_CORE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "../util/error.h"

#define GW_NUMBER_LOW     UINT32_C(0x10000000)
#define GW_NUMBER_HIGH    UINT32_C(0x70000000)
#define GW_NUMBER_BLOCKED UINT32_C(2)
#define GW_NUMBER_GAP     UINT32_C(65536)

/* Reusable memory. One thread at a time. */
struct gw_numbers_workspace;

struct gw_numbers_workspace *gw_numbers_workspace_new(struct gw_error *error);
void gw_numbers_workspace_free(struct gw_numbers_workspace *work);

/*
 * Numbers for jobs in order, the first first: startable of them, then blocked ones. number[i] is
 * what job i has now (0: none), and afterwards what it shall have. As many keep theirs as can:
 * the longest run of numbers that decrease and leave room for the jobs between them; where it is
 * narrow, neighbours get new ones too, so that the next time few have to. What a job has should be
 * the number last given, not one with stock's drift. Returns 0 and how many changed, or -1 with
 * error when memory is out or there are more blocked jobs than numbers; then nothing changed.
 */
int gw_numbers_assign(struct gw_numbers_workspace *work, uint32_t *number, size_t count,
		      size_t startable, size_t *changed, struct gw_error *error);

/*
 * A number for one new job that may start, between those of its neighbours in the order: before
 * is in front of it, after behind it; 0, or a number outside the range: there is none. 0 when
 * no number is left between them: assign all anew.
 */
uint32_t gw_number_between(uint32_t before, uint32_t after);

/* The same for a blocked job. */
uint32_t gw_number_between_blocked(uint32_t before, uint32_t after);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which GPUs of one node: a table made once per shape, then answers for any set of free GPUs.
 *
 * Of all sets of the wanted size the best is, in this order,
 *   1. the one whose weakest link is strongest: a collective moves at the pace of its slowest link,
 *      and the more pairs are linked directly, the more rings there are beside each other;
 *   2. the one whose links together are strongest;
 *   3. the one on the fewest sockets, where a GPU whose socket is not known is on one of its own;
 *   4. the one whose GPUs are nearest to each other by PCIe and NUMA, all pairs summed;
 *   5. for a gang, a job of several nodes, which talks over the network: the one with the most GPUs
 *      that have a network card behind PCIe switches of theirs, then at their host bridge, then on
 *      their NUMA node, then on their socket;
 *   6. the one that leaves the most links of the strongest kind among the free GPUs it does not
 *      take, then of the next kind, and so on, then the most pairs on one socket: one GPU comes
 *      from an island that is broken already, pairs and halves stay whole for those who come after;
 *   7. the one that leaves the GPUs it does not take nearest to each other, summed as in rule 4;
 *   8. for a job of one node: the one with the fewest GPUs near network cards, counted as in rule
 * 5, which stay for gangs;
 *   9. the one with the lowest mask.
 * In rule 6 strengths are told apart down to the eighth kind; weaker ones count as that.
 *
 * Owns nothing of the caller's; a table is immutable and may be used by several threads.
 */
#ifndef GW_CORE_GPUSET_H
#define GW_CORE_GPUSET_H

#include "cluster.h"
#include "../util/error.h"

/* Larger shapes are refused: a search over them has no useful bound. */
#define GW_GPUSET_MAX 16

struct gw_gpuset_table;

/*
 * Every answer is computed here and looked up later. A table takes about 20 KB and 0.1 ms for 8
 * GPUs, 9 MB and a quarter of a second for 16; a quarter and a half more where GPUs differ in their
 * network cards, so that gangs have answers of their own. The caller frees it. NULL on error: no
 * GPUs, more than GW_GPUSET_MAX, a socket out of range, or no memory.
 */
struct gw_gpuset_table *gw_gpuset_table_create(const struct gw_shape_info *shape,
					       struct gw_error *error);
void gw_gpuset_table_free(struct gw_gpuset_table *table);

uint32_t gw_gpuset_gpus(const struct gw_gpuset_table *table);

/*
 * The best count GPUs out of free; 0 when there are not that many or count is 0. Without a
 * table (links not known) those of the lowest index.
 */
gw_gpus gw_gpuset_choose(const struct gw_gpuset_table *table, gw_gpus free, uint32_t count);

/* The same for the part of a node that a job of several nodes takes. */
gw_gpus gw_gpuset_choose_for_gang(const struct gw_gpuset_table *table, gw_gpus free,
				  uint32_t count);

/* One or the other. */
static inline gw_gpus gw_gpuset_choose_as(const struct gw_gpuset_table *table, gw_gpus free,
					  uint32_t count, bool gang)
{
	return gang ? gw_gpuset_choose_for_gang(table, free, count)
		    : gw_gpuset_choose(table, free, count);
}

/* Whether network cards make the answers for gangs others. False without a table. */
bool gw_gpuset_has_gangs(const struct gw_gpuset_table *table);

/*
 * How good that answer is by rules 1 to 3, without searching for it: larger is better, comparable
 * between nodes of one shape only. 0 when there are not that many free, or without a table.
 */
uint32_t gw_gpuset_quality(const struct gw_gpuset_table *table, gw_gpus free, uint32_t count);

/*
 * Whether the weakest link of that answer is as strong as on an idle node. True without a table
 * and for one GPU; false when there are not that many free.
 */
bool gw_gpuset_is_good(const struct gw_gpuset_table *table, gw_gpus free, uint32_t count);

/* Number of GPUs in a set. */
static inline uint32_t gw_gpus_count(gw_gpus set)
{
	/* Not __builtin_popcount: without a machine option that is a call into libgcc. */
	set -= (set >> 1) & UINT64_C(0x5555555555555555);
	set = (set & UINT64_C(0x3333333333333333)) + ((set >> 2) & UINT64_C(0x3333333333333333));
	set = (set + (set >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)((set * UINT64_C(0x0101010101010101)) >> 56);
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Whether a node can serve, and how well: one number, its parts in the order of place.h. */
#include "place_impl.h"

#include "mix.h"

/* Memory that a GPU needs at least: this part of its share. */
#define MEMORY_PART 4
/* Useless GPUs are -32..32, as a number without sign, GPUs left 0..31; more counts as that. */
#define USELESS_OFFSET 32
#define LEFT_MAX       31
#define USELESS_MAX    ((1 << 14) - 1)
#define QUALITY_MAX    ((UINT32_C(1) << 28) - 1)
#define TIME_MAX       ((1 << GW_COST_TIME_BITS) - 1)
#define SECONDS_A_STEP 60
#define CPUS_MAX       0xffff

static bool is_whole(const struct gw_node *node)
{
	return node->free == node->all && !node->gpus_other && !node->busy_until &&
	       node->cpus_free == node->cpus_total;
}

bool gw_node_fits(const struct gw_node *node, const struct gw_need *need)
{
	if (need->gpus && gw_gpus_count(gw_place_offered(node)) < need->gpus)
		return false;
	if (node->cpus_free < need->cpus || node->memory_free < need->memory)
		return false;
	if (node->cpus_offered && node->cpus_offered < need->cpus)
		return false;
	return !need->whole || is_whole(node);
}

/* Of free GPUs, those that the CPUs and the memory can not serve; divides only when some are. */
static int32_t unserved(uint32_t gpus, uint32_t free, uint64_t have, uint64_t total)
{
	if (!total || have * gpus >= free * total)
		return 0;
	return free - (uint32_t)(have * gpus / total);
}

static int32_t larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

static uint64_t within(int32_t value, int32_t least, int32_t most)
{
	return (uint64_t)(value < least ? least : value > most ? most : value);
}

/* GPUs useless for want of the least a GPU job needs, and for want of their share. */
struct useless {
	int32_t least, share;
};

static struct useless useless(const struct gw_node *node, uint32_t gpus, uint32_t free,
			      uint32_t cpus, uint64_t memory)
{
	int32_t least = free > cpus ? free - cpus : 0;

	return (struct useless){
		larger(least, unserved(gpus, free, memory * MEMORY_PART, node->memory_total)),
		larger(larger(least, unserved(gpus, free, cpus, node->cpus_total)),
		       unserved(gpus, free, memory, node->memory_total)),
	};
}

/* Whether the CPUs and the memory serve all of the free GPUs. On most nodes they do. */
static bool all_served(const struct gw_node *node, uint32_t gpus, uint32_t free, uint32_t cpus,
		       uint64_t memory)
{
	return free <= cpus && (uint64_t)cpus * gpus >= (uint64_t)free * node->cpus_total &&
	       memory * gpus >= free * node->memory_total;
}

/* What the node is worth less to the site's jobs, in place of what becomes useless: 14 bits. */
static uint32_t worth_lost(const struct gw_node *node, const struct gw_need *need, uint32_t free,
			   uint32_t cpus, uint64_t memory)
{
	uint32_t before, after;

	/* Where memory is not given out none is short. */
	if (!node->memory_total)
		memory = UINT64_MAX;
	before = gw_mix_worth(need->mix, free, cpus, memory);
	after = gw_mix_worth(need->mix, free - need->gpus, cpus - need->cpus,
			     memory - need->memory);
	return before - after < USELESS_MAX ? before - after : USELESS_MAX;
}

static uint32_t worth_lost_now(const struct gw_node *node, const struct gw_need *need)
{
	return worth_lost(node, need, gw_gpus_count(node->free), node->cpus_free,
			  node->memory_free);
}

/* What the job adds to the useless GPUs of a node, 14 bits. */
static uint64_t useless_added(const struct gw_node *node, const struct gw_need *need, uint32_t free)
{
	uint32_t gpus = gw_gpus_count(node->all), cpus = node->cpus_free - need->cpus;
	uint64_t memory = node->memory_free - need->memory;
	struct useless before, after;

	if (need->mix && !need->whole)
		return worth_lost_now(node, need);
	if (need->whole || (all_served(node, gpus, free, node->cpus_free, node->memory_free) &&
			    all_served(node, gpus, free - need->gpus, cpus, memory)))
		return USELESS_OFFSET << 7 | USELESS_OFFSET;
	before = useless(node, gpus, free, node->cpus_free, node->memory_free);
	after = useless(node, gpus, free - need->gpus, cpus, memory);
	return within(after.least - before.least + USELESS_OFFSET, 0, 2 * USELESS_OFFSET) << 7 |
	       within(after.share - before.share + USELESS_OFFSET, 0, 2 * USELESS_OFFSET);
}

/* How far its jobs end from this one's end, in minutes. */
static uint64_t time_apart(const struct gw_node *node, const struct gw_need *need)
{
	int64_t apart;

	if (!need->limit || !node->busy_until)
		return TIME_MAX;
	apart = need->limit > node->busy_until ? need->limit - node->busy_until
					       : node->busy_until - need->limit;
	apart /= SECONDS_A_STEP;
	return apart < TIME_MAX ? apart : TIME_MAX;
}

/* From the top: no GPU node 1 bit, useless 14, idle 1, CPUs left 16, time 14. */
static uint64_t cpu_cost(const struct gw_node *node, const struct gw_need *need)
{
	uint32_t left = node->cpus_free - need->cpus;
	uint64_t cost = node->all || node->gpus_other;

	cost = cost << 14 | useless_added(node, need, gw_gpus_count(node->free));
	cost = cost << 1 | !node->busy_until;
	cost = cost << 16 | (left < CPUS_MAX ? left : CPUS_MAX);
	return cost << GW_COST_TIME_BITS | time_apart(node, need);
}

static uint32_t gpus_left(const struct gw_need *need, uint32_t free)
{
	return free - need->gpus < LEFT_MAX ? free - need->gpus : LEFT_MAX;
}

/* One GPU has no links. */
static bool is_badly_linked(const struct gw_node *node, const struct gw_need *need,
			    const struct gw_gpuset_table *table)
{
	return need->gpus > 1 && !gw_gpuset_is_good(table, gw_place_offered(node), need->gpus);
}

/* What its GPUs lack in links: 28 bits. */
static uint64_t unlinked(const struct gw_node *node, const struct gw_need *need,
			 const struct gw_gpuset_table *table)
{
	return QUALITY_MAX - gw_gpuset_quality(table, gw_place_offered(node), need->gpus);
}

/* From the top: worth lost over time 15 bits, idle 1, badly linked 1, GPUs left 5, quality 28. */
static uint64_t worth_cost(const struct gw_node *node, const struct gw_need *need,
			   const struct gw_gpuset_table *table)
{
	const struct gw_worth_lost lost = {
		worth_lost_now(node, need),
		worth_lost(node, need, gw_gpus_count(node->all), node->cpus_total,
			   node->memory_total),
	};
	uint64_t cost = gw_drain_worth_code(node, need, &lost);

	cost = cost << 1 | (node->free == node->all && !node->gpus_other);
	cost = cost << 1 | is_badly_linked(node, need, table);
	cost = cost << 5 | gpus_left(need, gw_gpus_count(node->free));
	return cost << 28 | unlinked(node, need, table);
}

/* From the top: useless 14 bits, idle 1, badly linked 1, broken time 15, GPUs left 5, quality 28.
 */
static uint64_t drain_cost(const struct gw_node *node, const struct gw_need *need,
			   const struct gw_gpuset_table *table, uint64_t above)
{
	uint32_t free = gw_gpus_count(node->free), code = 0;
	uint64_t cost = useless_added(node, need, free);
	bool idle = node->free == node->all && !node->gpus_other;

	cost = cost << 1 | idle;
	if (cost > above >> 49)
		return GW_COST_NONE;
	cost = cost << 1 | is_badly_linked(node, need, table);
	if (cost > above >> 48)
		return GW_COST_NONE;
	if (!idle)
		code = gw_drain_code(node, need,
				     cost == above >> 48 ? above >> 33 & GW_DRAIN_CODE_MAX
							 : GW_DRAIN_CODE_MAX);
	if (code > GW_DRAIN_CODE_MAX)
		return GW_COST_NONE;
	cost = (cost << GW_DRAIN_CODE_BITS | code) << 5 | gpus_left(need, free);
	if (cost > above >> 28)
		return GW_COST_NONE;
	return cost << 28 | unlinked(node, need, table);
}

/* From the top: useless 14 bits, idle 1, badly linked 1, GPUs left 6, quality 28, time 14. */
static uint64_t gpu_cost(const struct gw_node *node, const struct gw_need *need,
			 const struct gw_gpuset_table *table, uint64_t above)
{
	uint32_t free = gw_gpus_count(node->free);
	uint64_t cost = useless_added(node, need, free);

	cost = cost << 1 | (node->free == node->all && !node->gpus_other);
	if (cost > above >> 49)
		return GW_COST_NONE;
	cost = cost << 1 | is_badly_linked(node, need, table);
	cost = cost << 6 | (free - need->gpus);
	if (cost > above >> 42)
		return GW_COST_NONE;
	cost = cost << 28 | unlinked(node, need, table);
	return cost << GW_COST_TIME_BITS | time_apart(node, need);
}

uint64_t gw_node_cost(const struct gw_node *node, const struct gw_need *need,
		      const struct gw_gpuset_table *table, uint64_t above)
{
	if (!need->gpus)
		return cpu_cost(node, need);
	if (need->stays && need->mix && !need->whole)
		return worth_cost(node, need, table);
	return need->stays ? drain_cost(node, need, table, above)
			   : gpu_cost(node, need, table, above);
}

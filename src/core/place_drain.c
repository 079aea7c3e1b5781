// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The time for which a job alone would keep a node from becoming whole: as run times of the past
 * let expect, plus as time limits say. Together they are better than either: limits are exact
 * where they mean something, and the past corrects those that say nothing (docs/bench.md).
 */
#include "place_impl.h"

#include <string.h>

#include "grid.h"
#include "mix.h"

/* Summed so many points at a time, each of four sums for itself, so that none waits for another. */
#define CHUNK 12

/* Seconds for which a job costs a node at least what it takes now. */
#define LEAST_TOGETHER 60

/* Bits of a float below those of a code, and what is added so that codes begin at 0. */
#define CODE_SHIFT 14
#define CODE_LEAST 0x1p-20F
#define CODE_OF_0  (UINT32_C(0x35800000) >> CODE_SHIFT)

/*
 * From the last points on, which weigh most. No point lowers the sum, so one that has come to
 * enough is not worth ending.
 */
static float sum_until(const float *ended, const float *stays, float enough)
{
	float sum = 0;

	for (int chunk = GW_GRID_POINTS - CHUNK; chunk >= 0 && sum < enough; chunk -= CHUNK) {
		float part[4] = {0};

		for (int i = chunk; i < chunk + CHUNK; i += 4)
			for (int j = 0; j < 4; j++)
				part[j] += ended[i + j] * stays[i + j];
		sum += (part[0] + part[2]) + (part[1] + part[3]);
	}
	return sum;
}

uint32_t gw_place_broken_seconds(const struct gw_ask *ask, const struct gw_node *node)
{
	return (uint32_t)sum_until(node->ended, ask->stays, (float)UINT32_MAX);
}

/*
 * Seconds to one part in 512, and to a millionth below a millisecond: of nodes that a job keeps
 * from nothing, the one that has longest to go is to be told apart. The top bits of a float are in
 * the order of its value.
 */
static uint32_t code_of(float seconds)
{
	float value = seconds + CODE_LEAST;
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	bits = (bits >> CODE_SHIFT) - CODE_OF_0;
	return bits < GW_DRAIN_CODE_MAX ? bits : GW_DRAIN_CODE_MAX - 1;
}

/* Seconds whose code is above this one. */
static float beyond(uint32_t code)
{
	uint32_t bits = (CODE_OF_0 + code + 1) << CODE_SHIFT;
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* The same by time limits: 0 when its jobs may run longer than this one may. */
static float by_limits(const struct gw_node *node, const struct gw_need *need)
{
	return need->limit && need->limit > node->busy_until
		       ? (float)(need->limit - node->busy_until)
		       : 0;
}

uint32_t gw_place_stay_seconds(const struct gw_ask *ask)
{
	float sum = 0;

	for (int i = 0; i < GW_GRID_POINTS; i++)
		sum += ask->stays[i];
	return (uint32_t)sum;
}

/* In whole seconds, which are what is recorded of a decision. */
uint32_t gw_drain_worth_code(const struct gw_node *node, const struct gw_need *need,
			     const struct gw_worth_lost *lost)
{
	float alone, together;

	if (!node->ended)
		return GW_DRAIN_CODE_MAX;
	alone = (float)(uint32_t)sum_until(node->ended, need->stays, (float)UINT32_MAX) +
		by_limits(node, need);
	/* Also a job that ends at once costs what it takes: nodes must not all look alike. */
	together = (float)need->span > alone + LEAST_TOGETHER ? (float)need->span - alone
							      : LEAST_TOGETHER;
	return code_of((alone * (float)lost->whole + together * (float)lost->now) / GW_MIX_GPU);
}

uint32_t gw_drain_code(const struct gw_node *node, const struct gw_need *need, uint32_t most)
{
	float enough, sum;

	if (!node->ended)
		return GW_DRAIN_CODE_MAX;
	enough = beyond(most);
	sum = by_limits(node, need);
	if (sum < enough)
		sum += sum_until(node->ended, need->stays, enough - sum);
	return sum < enough ? code_of(sum) : GW_DRAIN_CODE_MAX + 1;
}

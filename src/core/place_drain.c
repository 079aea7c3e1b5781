// SPDX-License-Identifier: GPL-2.0-or-later
/* The time for which a job alone would keep a node from becoming whole. */
#include "place_impl.h"

#include <string.h>

#include "grid.h"

/* Summed so many points at a time, each of four sums for itself, so that none waits for another. */
#define CHUNK 12

/* Bits of a float below those of a code. */
#define CODE_SHIFT 13
#define CODE_OF_1  (UINT32_C(0x3f800000) >> CODE_SHIFT)

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
 * Whole seconds, exact to 1,024, then to one part in 1,024: the top bits of seconds + 1 as a float,
 * which are in the order of time.
 */
static uint32_t code_of(uint32_t seconds)
{
	float value = (float)seconds + 1;
	uint32_t bits;

	memcpy(&bits, &value, sizeof(bits));
	bits = (bits >> CODE_SHIFT) - CODE_OF_1;
	return bits < GW_DRAIN_CODE_MAX ? bits : GW_DRAIN_CODE_MAX - 1;
}

/* Seconds whose code is above this one. */
static float beyond(uint32_t code)
{
	uint32_t bits = (CODE_OF_1 + code + 1) << CODE_SHIFT;
	float value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

uint32_t gw_drain_code(const float *ended, const float *stays, uint32_t most)
{
	float enough, sum;

	if (!ended)
		return GW_DRAIN_CODE_MAX;
	enough = beyond(most);
	sum = sum_until(ended, stays, enough);
	return sum < enough ? code_of((uint32_t)sum) : GW_DRAIN_CODE_MAX + 1;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "random.h"

#include <math.h>

/* The step of splitmix64: 2^64 over the golden ratio. */
#define GOLDEN UINT64_C(0x9e3779b97f4a7c15)

uint64_t gw_random_mix(uint64_t x)
{
	x += GOLDEN;
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

void gw_random_seed(struct gw_random *random, uint64_t seed)
{
	for (int i = 0; i < 4; i++)
		random->state[i] = gw_random_mix(seed + (uint64_t)i * GOLDEN);
}

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

uint64_t gw_random_next(struct gw_random *random)
{
	uint64_t *s = random->state, result = rotate(s[1] * 5, 7) * 9, shifted = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= shifted;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t gw_random_below(struct gw_random *random, uint64_t limit)
{
	/* Numbers below this would make small results more likely. */
	uint64_t least = -limit % limit, x;

	do
		x = gw_random_next(random);
	while (x < least);
	return x % limit;
}

double gw_random_uniform(struct gw_random *random)
{
	return (double)(gw_random_next(random) >> 11) * 0x1p-53;
}

/* Marsaglia's polar method, with half of the pair: nothing is kept between calls. */
double gw_random_normal(struct gw_random *random)
{
	double x, y, square;

	do {
		x = 2 * gw_random_uniform(random) - 1;
		y = 2 * gw_random_uniform(random) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square <= 0);
	return x * sqrt(-2 * log(square) / square);
}

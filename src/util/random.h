// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Random numbers that are the same everywhere for the same seed. Not for secrets.
 *
 * xoshiro256** by Blackman and Vigna, seeded by splitmix64 ("Scrambled Linear Pseudorandom Number
 * Generators", ACM TOMS 47, 2021).
 */
#ifndef GW_UTIL_RANDOM_H
#define GW_UTIL_RANDOM_H

#include <stdint.h>

struct gw_random {
	uint64_t state[4];
};

/* Any seed is good; streams of different seeds have nothing to do with each other. */
void gw_random_seed(struct gw_random *random, uint64_t seed);

uint64_t gw_random_next(struct gw_random *random);

/* From 0 to below limit, all alike; limit is at least 1. */
uint64_t gw_random_below(struct gw_random *random, uint64_t limit);

/* From 0 to below 1. */
double gw_random_uniform(struct gw_random *random);

/* Mean 0, standard deviation 1. */
double gw_random_normal(struct gw_random *random);

/* A good mix of the bits of x (splitmix64's), for hashes and for one number of a numbered stream.
 */
uint64_t gw_random_mix(uint64_t x);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers without sign. */
#ifndef GW_UTIL_ARITH_H
#define GW_UTIL_ARITH_H

#include <stdint.h>

static inline uint64_t gw_larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* b is not 0. */
static inline uint64_t gw_divide_up(uint64_t a, uint64_t b)
{
	return a / b + (a % b != 0);
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* SipHash-2-4 of Aumasson and Bernstein (2012): a hash that nobody can guess without its key. */
#ifndef GW_UTIL_SIPHASH_H
#define GW_UTIL_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t gw_siphash(const uint64_t key[2], const void *data, size_t length);

#endif

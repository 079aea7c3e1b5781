// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Texts of Gangway's that are kept in files: "Name=VERSION ..." first, "Checksum=..." last, so that
 * one that is newer, cut short or damaged is told from a good one before it is read.
 */
#ifndef GW_UTIL_CHECKSUM_H
#define GW_UTIL_CHECKSUM_H

#include <stdint.h>

#include "error.h"
#include "str.h"

/* FNV-1a, 64 bits: of bytes, or of other numbers one after the other. */
#define GW_CHECKSUM_START UINT64_C(0xcbf29ce484222325)
static inline uint64_t gw_checksum_add(uint64_t sum, uint64_t number)
{
	return (sum ^ number) * UINT64_C(0x100000001b3);
}

/* The same of a text. */
uint64_t gw_checksum(const char *text, size_t length);

/* Appends the last line, the checksum of all that is before it. */
void gw_checksum_append(struct gw_str *str);

/*
 * Whether a text begins with this key and version and ends in a checksum that is right; else -1
 * with error, in which it is called what ("ledger").
 */
int gw_checksum_check(const char *text, const char *key, int version, const char *what,
		      struct gw_error *error);

#endif

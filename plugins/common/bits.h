// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slurm's bitmaps by words, where a question has thousands of them. Slurm keeps to itself how it
 * stores them: whether it still is as in the versions we know is tried once, and where it is not,
 * its functions are called for every bit.
 */
#ifndef GW_BITS_H
#define GW_BITS_H

#include "plugins/common/compat/compat.h"

#include "src/core/cluster.h"

/* Where a bitmap has its size and its first word. */
enum { GW_BITS_SIZE = 1, GW_BITS_FIRST = 2, GW_BITS_OF_WORD = 64 };

/* Whether words are where we know them to be; a caller asks once for many bitmaps. */
bool gw_bits_are_words(void);

/* Bits 64 * n to 64 * n + 63, those that are there, of a bitmap that has some of them. */
uint64_t gw_bits_word(bitstr_t *bits, bool words, bitoff_t n);

/*
 * The bits of a bitmap of at most GW_GPUS_MAX (NULL: none); false: it has more. words:
 * gw_bits_are_words(). Asked several times for each candidate, so no call.
 */
static inline bool gw_bits_mask(bitstr_t *bits, bool words, gw_gpus *mask)
{
	bitoff_t size;

	*mask = 0;
	if (!bits)
		return true;
	size = words ? bits[GW_BITS_SIZE] : bit_size(bits);
	if (size > 0 && size <= GW_GPUS_MAX)
		*mask = words ? (gw_gpus)bits[GW_BITS_FIRST] & gw_gpus_first((uint32_t)size)
			      : gw_bits_word(bits, false, 0);
	return size <= GW_GPUS_MAX;
}

/* Makes *to equal to from, whatever either is (NULL: none); allocates only where sizes differ. */
void gw_bits_put(bitstr_t **to, bitstr_t *from);

/* The first bit that is set from this one on; -1: none. */
bitoff_t gw_bits_next(bitstr_t *bits, bool words, bitoff_t from);

#endif

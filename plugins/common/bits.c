// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/bits.h"

#include <stdatomic.h>

#define BITS_OF_WORD 64

static bool are_as_known(void)
{
	bitstr_t *bits = bit_alloc(BITS_OF_WORD + 6);
	bool same;

	bit_set(bits, 0);
	bit_set(bits, 5);
	bit_set(bits, 29);
	bit_set(bits, BITS_OF_WORD + 1);
	same = sizeof(*bits) * 8 == BITS_OF_WORD && bits[GW_BITS_SIZE] == BITS_OF_WORD + 6 &&
	       bits[GW_BITS_FIRST] == (1 << 29 | 1 << 5 | 1) && bits[GW_BITS_FIRST + 1] == 1 << 1;
	FREE_NULL_BITMAP(bits);
	return same;
}

bool gw_bits_are_words(void)
{
	enum { UNTRIED, KNOWN, UNKNOWN };
	static atomic_int answer = UNTRIED;

	if (atomic_load_explicit(&answer, memory_order_relaxed) == UNTRIED)
		atomic_store(&answer, are_as_known() ? KNOWN : UNKNOWN);
	return atomic_load_explicit(&answer, memory_order_relaxed) == KNOWN;
}

bool gw_bits_mask_by_bits(bitstr_t *bits, gw_gpus *mask)
{
	bitoff_t size = bit_size(bits);

	*mask = 0;
	if (size > GW_GPUS_MAX)
		return false;
	for (bitoff_t i = 0; i < size; i++)
		if (bit_test(bits, i))
			*mask |= (gw_gpus)1 << i;
	return true;
}

static bitoff_t next_by_bits(bitstr_t *bits, bitoff_t from)
{
	bitoff_t size = bit_size(bits);

	while (from < size && !bit_test(bits, from))
		from++;
	return from < size ? from : -1;
}

bitoff_t gw_bits_next(bitstr_t *bits, bool words, bitoff_t from)
{
	bitoff_t size, word;
	uint64_t left;

	if (!words)
		return next_by_bits(bits, from);
	size = bits[GW_BITS_SIZE];
	if (from >= size)
		return -1;
	word = from / BITS_OF_WORD;
	left = (uint64_t)bits[GW_BITS_FIRST + word] & ~UINT64_C(0) << from % BITS_OF_WORD;
	while (!left && ++word * BITS_OF_WORD < size)
		left = (uint64_t)bits[GW_BITS_FIRST + word];
	from = left ? word * BITS_OF_WORD + __builtin_ctzll(left) : size;
	return from < size ? from : -1;
}

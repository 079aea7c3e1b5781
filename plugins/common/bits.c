// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/bits.h"

#include <stdatomic.h>

static bool are_as_known(void)
{
	bitstr_t *bits = bit_alloc(GW_BITS_OF_WORD + 6);
	bool same;

	bit_set(bits, 0);
	bit_set(bits, 5);
	bit_set(bits, 29);
	bit_set(bits, GW_BITS_OF_WORD + 1);
	same = sizeof(*bits) * 8 == GW_BITS_OF_WORD && bits[GW_BITS_SIZE] == GW_BITS_OF_WORD + 6 &&
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

void gw_bits_put(bitstr_t **to, bitstr_t *from)
{
	if (!from) {
		FREE_NULL_BITMAP(*to);
	} else if (*to && bit_size(*to) == bit_size(from)) {
		bit_copybits(*to, from);
	} else {
		FREE_NULL_BITMAP(*to);
		*to = bit_copy(from);
	}
}

static uint64_t word_by_bits(bitstr_t *bits, bitoff_t first, bitoff_t end)
{
	uint64_t word = 0;

	for (bitoff_t i = first; i < end; i++)
		if (bit_test(bits, i))
			word |= UINT64_C(1) << (i - first);
	return word;
}

uint64_t gw_bits_word(bitstr_t *bits, bool words, bitoff_t n)
{
	bitoff_t first = n * GW_BITS_OF_WORD, size = words ? bits[GW_BITS_SIZE] : bit_size(bits);
	bitoff_t there = MIN(size - first, GW_BITS_OF_WORD);

	if (!words)
		return word_by_bits(bits, first, first + there);
	return (uint64_t)bits[GW_BITS_FIRST + n] & ~UINT64_C(0) >> (GW_BITS_OF_WORD - there);
}

bitoff_t gw_bits_next(bitstr_t *bits, bool words, bitoff_t from)
{
	bitoff_t size = words ? bits[GW_BITS_SIZE] : bit_size(bits);
	bitoff_t n = from / GW_BITS_OF_WORD;
	uint64_t left;

	if (from >= size)
		return -1;
	left = gw_bits_word(bits, words, n) & ~UINT64_C(0) << from % GW_BITS_OF_WORD;
	while (!left && ++n * GW_BITS_OF_WORD < size)
		left = gw_bits_word(bits, words, n);
	return left ? n * GW_BITS_OF_WORD + __builtin_ctzll(left) : -1;
}

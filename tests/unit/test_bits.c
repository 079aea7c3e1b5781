// SPDX-License-Identifier: GPL-2.0-or-later
/* Slurm's bitmaps by words say what its own functions say of every bit. */
#include "plugins/common/bits.h"

#include "unit.h"

static const bitoff_t sizes[] = {1, 8, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1000};

/* Of each bit by itself: none, all, some. */
static bitstr_t *bits_of(bitoff_t size, int kind)
{
	bitstr_t *bits = bit_alloc(size);
	uint64_t state = (uint64_t)size;

	for (bitoff_t i = 0; i < size; i++) {
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		if (kind == 1 || (kind == 2 && state >> 62 == 0))
			bit_set(bits, i);
	}
	return bits;
}

static void expect_next(bitstr_t *bits, bool words)
{
	bitoff_t size = bit_size(bits), want = -1;

	ck_assert_int_eq(gw_bits_next(bits, words, size), -1);
	for (bitoff_t from = size; from-- > 0;) {
		want = bit_test(bits, from) ? from : want;
		ck_assert_int_eq(gw_bits_next(bits, words, from), want);
	}
}

static void expect_words(bitstr_t *bits, bool words)
{
	bitoff_t size = bit_size(bits);

	for (bitoff_t n = 0; n * GW_BITS_OF_WORD < size; n++) {
		uint64_t word = gw_bits_word(bits, words, n);

		for (bitoff_t i = 0; i < GW_BITS_OF_WORD; i++) {
			bitoff_t bit = n * GW_BITS_OF_WORD + i;

			ck_assert_int_eq(word >> i & 1, bit < size && bit_test(bits, bit));
		}
	}
}

static void expect_mask(bitstr_t *bits, bool words)
{
	bitoff_t size = bit_size(bits);
	gw_gpus mask;

	ck_assert_int_eq(gw_bits_mask(bits, words, &mask), size <= GW_GPUS_MAX);
	for (bitoff_t i = 0; size <= GW_GPUS_MAX && i < GW_GPUS_MAX; i++)
		ck_assert_int_eq(mask >> i & 1, i < size && bit_test(bits, i));
}

/* A Slurm that stores them otherwise gets the same answers, bit by bit. */
START_TEST(words_say_what_bits_say)
{
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		for (int kind = 0; kind < 3; kind++) {
			bitstr_t *bits = bits_of(sizes[i], kind);

			for (int words = 0; words < 2; words++) {
				expect_next(bits, words);
				expect_words(bits, words);
				expect_mask(bits, words);
			}
			FREE_NULL_BITMAP(bits);
		}
	}
}
END_TEST

START_TEST(this_slurm_is_known)
{
	ck_assert(gw_bits_are_words());
}
END_TEST

START_TEST(no_bitmap_is_no_gpu)
{
	gw_gpus mask = 1;

	ck_assert(gw_bits_mask(NULL, true, &mask));
	ck_assert_uint_eq(mask, 0);
}
END_TEST

UNIT_MAIN("bits", UNIT(words_say_what_bits_say), UNIT(this_slurm_is_known),
	  UNIT(no_bitmap_is_no_gpu))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "siphash.h"

static uint64_t rotate(uint64_t x, int bits)
{
	return x << bits | x >> (64 - bits);
}

static void rounds(uint64_t v[4], int count)
{
	while (count--) {
		v[0] += v[1];
		v[1] = rotate(v[1], 13) ^ v[0];
		v[0] = rotate(v[0], 32);
		v[2] += v[3];
		v[3] = rotate(v[3], 16) ^ v[2];
		v[0] += v[3];
		v[3] = rotate(v[3], 21) ^ v[0];
		v[2] += v[1];
		v[1] = rotate(v[1], 17) ^ v[2];
		v[2] = rotate(v[2], 32);
	}
}

/* Up to eight bytes, the first the least. */
static uint64_t take_word(const unsigned char *bytes, size_t count)
{
	uint64_t word = 0;

	for (size_t i = 0; i < count; i++)
		word |= (uint64_t)bytes[i] << (8 * i);
	return word;
}

static void absorb(uint64_t v[4], uint64_t word)
{
	v[3] ^= word;
	rounds(v, 2);
	v[0] ^= word;
}

uint64_t gw_siphash(const uint64_t key[2], const void *data, size_t length)
{
	/* "somepseudorandomlygeneratedbytes" */
	uint64_t v[4] = {
		key[0] ^ UINT64_C(0x736f6d6570736575), key[1] ^ UINT64_C(0x646f72616e646f6d),
		key[0] ^ UINT64_C(0x6c7967656e657261), key[1] ^ UINT64_C(0x7465646279746573)};
	const unsigned char *bytes = data;
	size_t left = length;

	for (; left >= 8; left -= 8, bytes += 8)
		absorb(v, take_word(bytes, 8));
	absorb(v, take_word(bytes, left) | (uint64_t)(length & 0xff) << 56);
	v[2] ^= 0xff;
	rounds(v, 4);
	return v[0] ^ v[1] ^ v[2] ^ v[3];
}

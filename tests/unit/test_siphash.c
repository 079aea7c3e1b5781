// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/util/siphash.h"
#include "unit.h"

/* From the reference implementation: key 00 01 .. 0f, data 00 01 .. length - 1. */
static const struct {
	size_t length;
	uint64_t hash;
} vectors[] = {
	{0, UINT64_C(0x726fdb47dd0e0e31)},  {1, UINT64_C(0x74f839c593dc67fd)},
	{7, UINT64_C(0xab0200f58b01d137)},  {8, UINT64_C(0x93f5f5799a932462)},
	{15, UINT64_C(0xa129ca6149be45e5)},
};

START_TEST(as_published)
{
	static const uint64_t key[2] = {UINT64_C(0x0706050403020100), UINT64_C(0x0f0e0d0c0b0a0908)};
	unsigned char data[16];

	for (size_t i = 0; i < sizeof(data); i++)
		data[i] = (unsigned char)i;
	ck_assert_uint_eq(gw_siphash(key, data, vectors[_i].length), vectors[_i].hash);
}
END_TEST

UNIT_MAIN("siphash", UNIT_ROWS(as_published, vectors))

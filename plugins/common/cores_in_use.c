// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/cores_in_use.h"

#include "plugins/common/bits.h"
#include "src/core/gpuset.h"

/* The cores of one word that jobs of a partition have; *left: there are words after it. */
static uint64_t in_partition(const part_res_record_t *part, uint32_t index, bitoff_t word,
			     bool words, bool *left)
{
	uint64_t cores = 0;

	for (uint16_t r = 0; part->row && r < part->num_rows; r++) {
		bitstr_t *row = part->row[r].row_bitmap ? part->row[r].row_bitmap[index] : NULL;

		if (!row || !part->row[r].num_jobs || word * GW_BITS_OF_WORD >= bit_size(row))
			continue;
		cores |= gw_bits_word(row, words, word);
		*left = *left || (word + 1) * GW_BITS_OF_WORD < bit_size(row);
	}
	return cores;
}

uint32_t gw_cores_in_use(const part_res_record_t *parts, uint32_t index)
{
	bool words = gw_bits_are_words(), left = true;
	uint32_t count = 0;

	for (bitoff_t word = 0; left; word++) {
		uint64_t cores = 0;

		left = false;
		for (const part_res_record_t *part = parts; part; part = part->next)
			cores |= in_partition(part, index, word, words, &left);
		count += gw_gpus_count(cores);
	}
	return count;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a busy cluster asks: all 582,041 questions of
 *   gangway replay --make jobs=100000,days=60,gpus=8000,load=0.95 --nodes 1000x8 --policy gangway
 * counted by kind and by the number of nodes that have room.
 */
#include "tests/bench.d/hook.h"

/* Hundredths of a percent of the questions that have at most so many candidates. */
static const uint32_t level[] = {0,    1000, 2500, 5000, 7500, 9000,
				 9500, 9800, 9900, 9950, 9990, 10000};

#define LEVELS (sizeof(level) / sizeof(*level))

static const struct share {
	struct hook_kind kind;
	uint32_t of_10000;
	uint32_t candidates[LEVELS];
} shares[] = {
	{{"8 GPUs", 1, 8, 0}, 6266, {1, 1, 2, 4, 10, 25, 46, 217, 402, 497, 772, 998}},
	{{"4 GPUs", 1, 4, 0}, 1488, {1, 1, 1, 3, 9, 108, 285, 468, 596, 736, 881, 1000}},
	{{"2x8 GPUs", 2, 8, 0}, 990, {2, 2, 3, 5, 11, 22, 42, 175, 367, 481, 759, 999}},
	{{"1 GPU", 1, 1, 0}, 823, {1, 4, 23, 101, 265, 451, 552, 740, 802, 912, 966, 1000}},
	{{"4x8 GPUs", 4, 8, 0}, 308, {4, 4, 4, 6, 11, 22, 46, 246, 447, 591, 762, 992}},
	{{"2 GPUs", 1, 2, 0}, 125, {1, 1, 2, 26, 169, 404, 505, 692, 761, 838, 962, 999}},
};

const struct hook_kind *hook_busy_draw(struct gw_random *random, uint32_t *candidates)
{
	const struct share *share = shares;
	uint32_t of_10000 = (uint32_t)gw_random_below(random, 10000);
	uint32_t at = (uint32_t)gw_random_below(random, 10000);
	size_t i = 0;

	while (of_10000 >= share->of_10000)
		of_10000 -= share++->of_10000;
	while (at >= level[i + 1])
		i++;
	*candidates = share->candidates[i] + (share->candidates[i + 1] - share->candidates[i]) *
						     (at - level[i]) / (level[i + 1] - level[i]);
	return &share->kind;
}

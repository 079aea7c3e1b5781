// SPDX-License-Identifier: GPL-2.0-or-later
/* Best GPUs by looking at every set, to hold gpuset against. */
#ifndef GW_TESTS_GPUSET_BRUTE_H
#define GW_TESTS_GPUSET_BRUTE_H

#include "src/core/gpuset.h"

#define WORTH_LEFT 257

/* The rules of gpuset.h written down a second time, without any table. */
struct worth {
	uint32_t weakest, total, sockets;
	uint32_t near;
	uint32_t left[WORTH_LEFT]; /* links left by strength, strongest first; last: pairs on one
				      socket */
	uint32_t near_left;
	uint32_t cards[GW_CARD_NEAREST + 1]; /* GPUs of the set with a card that near */
};

static inline struct worth worth_of(const struct gw_shape_info *shape, gw_gpus free, gw_gpus set)
{
	struct worth worth = {.weakest = 255};
	bool socket[256] = {false};

	for (uint32_t a = 0; a < shape->gpus; a++) {
		if (set >> a & 1 && !socket[shape->socket[a]]) {
			socket[shape->socket[a]] = shape->socket[a] != GW_SHAPE_NO_SOCKET;
			worth.sockets++;
		}
		worth.cards[shape->card[a]] += set >> a & 1;
		for (uint32_t b = a + 1; b < shape->gpus; b++) {
			uint8_t link = shape->link[a][b];

			if (set >> a & 1 && set >> b & 1) {
				worth.weakest = link < worth.weakest ? link : worth.weakest;
				worth.total += link;
				worth.near += shape->near[a][b];
			} else if ((free & ~set) >> a & (free & ~set) >> b & 1) {
				if (link)
					worth.left[255 - link]++;
				worth.left[256] += shape->socket[a] == shape->socket[b] &&
						   shape->socket[a] != GW_SHAPE_NO_SOCKET;
				worth.near_left += shape->near[a][b];
			}
		}
	}
	return worth;
}

/* How much nearer cards are to a than to b: larger, equal or smaller than 0. */
static inline int nearer_cards(const struct worth *a, const struct worth *b)
{
	for (int near = GW_CARD_NEAREST; near > 0; near--)
		if (a->cards[near] != b->cards[near])
			return a->cards[near] > b->cards[near] ? 1 : -1;
	return 0;
}

static inline bool is_better(const struct worth *a, const struct worth *b, bool gang)
{
	if (a->weakest != b->weakest)
		return a->weakest > b->weakest;
	if (a->total != b->total)
		return a->total > b->total;
	if (a->sockets != b->sockets)
		return a->sockets < b->sockets;
	if (a->near != b->near)
		return a->near > b->near;
	if (gang && nearer_cards(a, b))
		return nearer_cards(a, b) > 0;
	for (int i = 0; i < WORTH_LEFT; i++)
		if (a->left[i] != b->left[i])
			return a->left[i] > b->left[i];
	if (a->near_left != b->near_left)
		return a->near_left > b->near_left;
	return nearer_cards(a, b) < 0;
}

static inline gw_gpus brute_for(const struct gw_shape_info *shape, gw_gpus free, uint32_t count,
				bool gang)
{
	gw_gpus best = 0;
	struct worth best_worth = {0};

	for (gw_gpus set = 1; set < 1u << shape->gpus; set++) {
		struct worth worth;

		if (set & ~free || gw_gpus_count(set) != count)
			continue;
		worth = worth_of(shape, free, set);
		if (!best || is_better(&worth, &best_worth, gang)) {
			best = set;
			best_worth = worth;
		}
	}
	return best;
}

static inline gw_gpus brute(const struct gw_shape_info *shape, gw_gpus free, uint32_t count)
{
	return brute_for(shape, free, count, false);
}

static inline gw_gpus brute_for_gang(const struct gw_shape_info *shape, gw_gpus free,
				     uint32_t count)
{
	return brute_for(shape, free, count, true);
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
#include "gpuset.h"

#include <stdlib.h>

#define SOCKETS_MAX 32
/* Kinds of links told apart in what is left, and the width of their counts: 120 pairs at most. */
#define KINDS     8
#define KIND_BITS 7
/* A key is weakest link, links together (at most 120 * 255), and 31 less the number of sockets. */
#define WEAKEST_SHIFT 20
#define TOTAL_SHIFT   5
/* 120 pairs of it fit into 16 bits with much to spare. */
#define NEAR_MAX 15
/* 16 GPUs of each nearness to a network card. */
#define CARD_BITS 5

struct gw_gpuset_table {
	uint32_t gpus;
	uint8_t *size;   /* of each set: its GPUs */
	uint32_t *key;   /* of each set: rules 1 to 3 */
	uint64_t *rest;  /* of each set: its worth when left, rule 6 */
	uint16_t *near;  /* of each set: nearness summed, rules 4 and 7 */
	uint32_t *card;  /* of each set: its GPUs near network cards, rules 5 and 8 */
	uint32_t *reach; /* [free][k]: best key of k GPUs out of free */
	uint16_t *dense; /* [free][k]: the answer */
	uint16_t *gang;  /* the same for a gang; NULL where cards tell no GPUs apart */
};

/* What building needs beside the table. */
struct kinds {
	const struct gw_shape_info *shape;
	uint8_t kind[256]; /* of each strength: 0 is the strongest */
};

static uint32_t link_of(const struct gw_shape_info *shape, uint32_t a, uint32_t b)
{
	return shape->link[a][b] < shape->link[b][a] ? shape->link[a][b] : shape->link[b][a];
}

static uint32_t near_of(const struct gw_shape_info *shape, uint32_t a, uint32_t b)
{
	uint32_t near =
		shape->near[a][b] < shape->near[b][a] ? shape->near[a][b] : shape->near[b][a];

	return near < NEAR_MAX ? near : NEAR_MAX;
}

static uint32_t card_of(const struct gw_shape_info *shape, uint32_t gpu)
{
	return shape->card[gpu] < GW_CARD_NEAREST ? shape->card[gpu] : GW_CARD_NEAREST;
}

static bool cards_differ(const struct gw_shape_info *shape)
{
	for (uint32_t a = 1; a < shape->gpus; a++)
		if (card_of(shape, a) != card_of(shape, 0))
			return true;
	return false;
}

static void find_kinds(struct kinds *kinds, const struct gw_shape_info *shape)
{
	bool seen[256] = {false};
	uint8_t next = 0;

	kinds->shape = shape;
	for (uint32_t a = 0; a < shape->gpus; a++)
		for (uint32_t b = 0; b < a; b++)
			seen[link_of(shape, a, b)] = true;
	for (int strength = 255; strength >= 0; strength--) {
		kinds->kind[strength] = next;
		if (seen[strength] && next < KINDS - 1)
			next++;
	}
}

static bool has_socket(const struct gw_shape_info *shape, uint32_t gpu)
{
	return shape->socket[gpu] != GW_SHAPE_NO_SOCKET;
}

static bool share_socket(const struct gw_shape_info *shape, uint32_t a, uint32_t b)
{
	return has_socket(shape, a) && shape->socket[a] == shape->socket[b];
}

static uint32_t count_sockets(const struct gw_shape_info *shape, gw_gpus set)
{
	uint32_t sockets = 0, own = 0;

	for (uint32_t a = 0; a < shape->gpus; a++) {
		if (!(set >> a & 1))
			continue;
		if (has_socket(shape, a))
			sockets |= UINT32_C(1) << shape->socket[a];
		else
			own++;
	}
	return gw_gpus_count(sockets) + own;
}

/* The number of those nearest counts most. */
static uint32_t cards_of(const struct gw_shape_info *shape, gw_gpus set)
{
	uint32_t cards = 0;

	for (uint32_t a = 0; a < shape->gpus; a++)
		if ((set >> a & 1) && card_of(shape, a))
			cards += UINT32_C(1) << CARD_BITS * (card_of(shape, a) - 1);
	return cards;
}

static void weigh_set(struct gw_gpuset_table *table, const struct kinds *kinds, gw_gpus set)
{
	const struct gw_shape_info *shape = kinds->shape;
	uint32_t weakest = 255, total = 0, near = 0;
	uint64_t rest = 0;

	for (uint32_t a = 0; a < shape->gpus; a++) {
		for (uint32_t b = 0; b < a; b++) {
			uint32_t strength = link_of(shape, a, b);

			if (!(set >> a & set >> b & 1))
				continue;
			near += near_of(shape, a, b);
			weakest = strength < weakest ? strength : weakest;
			total += strength;
			if (strength)
				rest += UINT64_C(1) << KIND_BITS * (KINDS - kinds->kind[strength]);
			if (share_socket(shape, a, b))
				rest++;
		}
	}
	table->size[set] = (uint8_t)gw_gpus_count(set);
	table->rest[set] = rest;
	table->near[set] = (uint16_t)near;
	table->card[set] = cards_of(shape, set);
	table->key[set] =
		weakest << WEAKEST_SHIFT | total << TOTAL_SHIFT | (31 - count_sockets(shape, set));
}

static void find_reach(struct gw_gpuset_table *table)
{
	uint32_t width = table->gpus + 1;

	for (gw_gpus set = 1; set < UINT32_C(1) << table->gpus; set++) {
		uint32_t *reach = &table->reach[set * width];

		reach[gw_gpus_count(set)] = table->key[set];
		for (gw_gpus left = set; left; left &= left - 1) {
			const uint32_t *without = &table->reach[(set & ~(left & -left)) * width];

			for (uint32_t k = 1; k < gw_gpus_count(set); k++)
				if (without[k] > reach[k])
					reach[k] = without[k];
		}
	}
}

/* Rules 4 to 8, of two sets that rules 1 to 3 find equal. */
static bool is_better(const struct gw_gpuset_table *table, bool gang, gw_gpus free, gw_gpus set,
		      gw_gpus best)
{
	gw_gpus left = free & ~set, best_left = free & ~best;

	if (table->near[set] != table->near[best])
		return table->near[set] > table->near[best];
	if (gang && table->card[set] != table->card[best])
		return table->card[set] > table->card[best];
	if (table->rest[left] != table->rest[best_left])
		return table->rest[left] > table->rest[best_left];
	if (table->near[left] != table->near[best_left])
		return table->near[left] > table->near[best_left];
	return table->card[set] < table->card[best];
}

/*
 * Every set of every free mask once: 3^gpus steps, 43 million for 16 GPUs. Masks fall, so that of
 * equals the last one, which is the lowest, stays.
 */
static void fill(const struct gw_gpuset_table *table, bool gang, uint16_t *dense)
{
	uint32_t width = table->gpus + 1;

	for (gw_gpus free = 1; free < UINT32_C(1) << table->gpus; free++) {
		uint16_t *answer = &dense[free * width];
		const uint32_t *reach = &table->reach[free * width];

		for (gw_gpus set = free; set; set = (set - 1) & free) {
			uint32_t k = table->size[set];

			if (table->key[set] == reach[k] &&
			    (!answer[k] || !is_better(table, gang, free, answer[k], set)))
				answer[k] = (uint16_t)set;
		}
	}
}

static int check_shape(const struct gw_shape_info *shape, struct gw_error *error)
{
	if (!shape->gpus)
		return gw_error_set(error, "a shape without GPUs");
	if (shape->gpus > GW_GPUSET_MAX)
		return gw_error_set(error, "a shape of %u GPUs: at most %d are supported",
				    shape->gpus, GW_GPUSET_MAX);
	for (uint32_t a = 0; a < shape->gpus; a++)
		if (has_socket(shape, a) && shape->socket[a] >= SOCKETS_MAX)
			return gw_error_set(error, "GPU %u on socket %u: at most %d are supported",
					    a, shape->socket[a], SOCKETS_MAX);
	return 0;
}

static void build(struct gw_gpuset_table *table, const struct gw_shape_info *shape)
{
	struct kinds kinds;

	find_kinds(&kinds, shape);
	for (gw_gpus set = 0; set < UINT32_C(1) << shape->gpus; set++)
		weigh_set(table, &kinds, set);
	find_reach(table);
	fill(table, false, table->dense);
	if (table->gang)
		fill(table, true, table->gang);
}

struct gw_gpuset_table *gw_gpuset_table_create(const struct gw_shape_info *shape,
					       struct gw_error *error)
{
	struct gw_gpuset_table *table;
	size_t sets;

	if (check_shape(shape, error) < 0)
		return NULL;
	sets = (size_t)1 << shape->gpus;
	table = calloc(1, sizeof(*table));
	if (!table)
		goto fail;
	table->gpus = shape->gpus;
	table->size = calloc(sets, sizeof(*table->size));
	table->key = calloc(sets, sizeof(*table->key));
	table->rest = calloc(sets, sizeof(*table->rest));
	table->near = calloc(sets, sizeof(*table->near));
	table->card = calloc(sets, sizeof(*table->card));
	table->reach = calloc(sets * (shape->gpus + 1), sizeof(*table->reach));
	table->dense = calloc(sets * (shape->gpus + 1), sizeof(*table->dense));
	if (!table->size || !table->key || !table->rest || !table->near || !table->card ||
	    !table->reach || !table->dense)
		goto fail;
	if (cards_differ(shape)) {
		table->gang = calloc(sets * (shape->gpus + 1), sizeof(*table->gang));
		if (!table->gang)
			goto fail;
	}
	build(table, shape);
	return table;
fail:
	gw_error_memory(error);
	gw_gpuset_table_free(table);
	return NULL;
}

void gw_gpuset_table_free(struct gw_gpuset_table *table)
{
	if (!table)
		return;
	free(table->size);
	free(table->key);
	free(table->rest);
	free(table->near);
	free(table->card);
	free(table->reach);
	free(table->dense);
	free(table->gang);
	free(table);
}

uint32_t gw_gpuset_gpus(const struct gw_gpuset_table *table)
{
	return table->gpus;
}

static gw_gpus lowest(gw_gpus free, uint32_t count)
{
	gw_gpus set = 0;

	for (; free && count; count--) {
		set |= free & -free;
		free &= free - 1;
	}
	return count ? 0 : set;
}

/* GPUs that the shape does not know are not offered. */
static gw_gpus known(const struct gw_gpuset_table *table, gw_gpus free)
{
	return free & gw_gpus_first(table->gpus);
}

static gw_gpus look_up(const struct gw_gpuset_table *table, const uint16_t *dense, gw_gpus free,
		       uint32_t count)
{
	free = known(table, free);
	if (!count || count > gw_gpus_count(free))
		return 0;
	return dense[free * (table->gpus + 1) + count];
}

gw_gpus gw_gpuset_choose(const struct gw_gpuset_table *table, gw_gpus free, uint32_t count)
{
	return table ? look_up(table, table->dense, free, count) : lowest(free, count);
}

bool gw_gpuset_has_gangs(const struct gw_gpuset_table *table)
{
	return table && table->gang;
}

gw_gpus gw_gpuset_choose_for_gang(const struct gw_gpuset_table *table, gw_gpus free, uint32_t count)
{
	return gw_gpuset_has_gangs(table) ? look_up(table, table->gang, free, count)
					  : gw_gpuset_choose(table, free, count);
}

uint32_t gw_gpuset_quality(const struct gw_gpuset_table *table, gw_gpus free, uint32_t count)
{
	if (!table || count > table->gpus)
		return 0;
	return table->reach[known(table, free) * (table->gpus + 1) + count];
}

bool gw_gpuset_is_good(const struct gw_gpuset_table *table, gw_gpus free, uint32_t count)
{
	uint32_t quality;

	if (!table)
		return gw_gpus_count(free) >= count;
	quality = gw_gpuset_quality(table, free, count);
	return quality &&
	       quality >> WEAKEST_SHIFT ==
		       gw_gpuset_quality(table, gw_gpus_first(table->gpus), count) >> WEAKEST_SHIFT;
}

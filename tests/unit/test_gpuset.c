// SPDX-License-Identifier: GPL-2.0-or-later
#include <inttypes.h>

#include "unit.h"

#include "gpuset_brute.h"
#include "shapes.h"
#include "src/core/gpuset.h"

static struct gw_gpuset_table *table_of(const struct gw_shape_info *shape)
{
	struct gw_error error = {0};
	struct gw_gpuset_table *table = gw_gpuset_table_create(shape, &error);

	ck_assert_msg(table != NULL, "%s", error.text);
	return table;
}

/* Shapes by name for the tables below. */
static void pairs(struct gw_shape_info *shape)
{
	shape_strong_pairs(shape);
}

static void nvswitch(struct gw_shape_info *shape)
{
	shape_uniform(shape, 8, 2, 12);
}

/* DGX A100: all links equal, two GPUs a NUMA node. */
static void nvswitch_numa(struct gw_shape_info *shape)
{
	shape_uniform(shape, 8, 4, 12);
}

/* All links equal, two sockets, two GPUs behind one switch: only nearness tells pairs apart. */
static void nvswitch_near(struct gw_shape_info *shape)
{
	shape_uniform(shape, 8, 2, 12);
	for (uint32_t a = 0; a < 8; a++)
		for (uint32_t b = 0; b < 8; b++)
			shape->near[a][b] = a / 2 == b / 2 ? 5 : a / 4 == b / 4 ? 2 : 1;
}

static void switches(struct gw_shape_info *shape)
{
	shape_switches(shape);
}

/* NVLink only between 0-1 and 2-3. */
static void bridges(struct gw_shape_info *shape)
{
	shape_uniform(shape, 4, 1, 0);
	shape_link(shape, 0, 1, 4);
	shape_link(shape, 2, 3, 4);
}

/* All links equal, a card behind the switch of GPUs 0 and 1. */
static void card_of_pair(struct gw_shape_info *shape)
{
	nvswitch_near(shape);
	for (uint32_t a = 0; a < 8; a++)
		shape->card[a] = a < 2 ? GW_CARD_SWITCH : a < 4 ? GW_CARD_SOCKET : GW_CARD_FAR;
}

/* Eight cards without NVLink and one network card, on the second of two NUMA nodes. */
static void card_of_socket(struct gw_shape_info *shape)
{
	shape_switches(shape);
	for (uint32_t a = 4; a < 8; a++)
		shape->card[a] = GW_CARD_NUMA;
}

/* Strong pairs, and the cards beside others: 0, 2, 5 and 7. */
static void cards_apart(struct gw_shape_info *shape)
{
	static const uint8_t card[8] = {GW_CARD_BRIDGE, GW_CARD_NUMA,   GW_CARD_BRIDGE,
					GW_CARD_NUMA,   GW_CARD_SOCKET, GW_CARD_SWITCH,
					GW_CARD_FAR,    GW_CARD_SWITCH};

	shape_strong_pairs(shape);
	for (uint32_t a = 0; a < 8; a++)
		shape->card[a] = card[a];
}

/* As every GPU of an HGX H100 has. */
static void card_each(struct gw_shape_info *shape)
{
	nvswitch_near(shape);
	for (uint32_t a = 0; a < 8; a++)
		shape->card[a] = GW_CARD_SWITCH;
}

#define SET4(a, b, c, d) (1u << (a) | 1u << (b) | 1u << (c) | 1u << (d))
#define SET2(a, b)       SET4(a, b, a, b)
#define SET1(a)          SET2(a, a)

static const struct row {
	const char *what;
	void (*shape)(struct gw_shape_info *shape);
	gw_gpus free;
	uint32_t count;
	gw_gpus want;
} rows[] = {
	{"case 5: a strong pair", pairs, 0xff, 2, SET2(1, 2)},
	{"case 5: a strong pair, GPU 0 busy", pairs, 0xfe, 2, SET2(1, 2)},
	{"case 5: one, GPU 0 busy, from the broken pair", pairs, 0xfe, 1, SET1(3)},
	{"case 5: half a node is one socket", pairs, 0xff, 4, 0x0f},
	{"case 5: half a node with GPU 0 busy is the other socket", pairs, 0xfe, 4, 0xf0},
	{"case 5: three are on one socket with a pair", pairs, 0xff, 3, 0x07},
	{"case 5: six leave a strong pair", pairs, 0xff, 6, 0x6f},
	{"case 5: all", pairs, 0xff, 8, 0xff},
	{"one of a socket broken already, not of the whole one", pairs, 0x1f, 1, SET1(4)},
	{"a pair that leaves the whole socket", pairs, 0xf9 & ~0x20, 2, SET2(0, 3)},
	{"no strong pair free: both on one socket", pairs, SET4(0, 4, 5, 5), 2, SET2(4, 5)},
	{"no pair on one socket", pairs, SET2(1, 6), 2, SET2(1, 6)},
	{"all links equal: one socket", nvswitch, 0xff, 2, SET2(0, 1)},
	{"all links equal: the broken socket", nvswitch, 0xfc, 2, SET2(2, 3)},
	{"all links equal: one from the broken socket", nvswitch, 0xf7, 1, SET1(0)},
	{"all links equal: four that are free on one socket", nvswitch, 0xfe, 4, 0xf0},
	{"all links equal: five need both", nvswitch, 0xff, 5, 0x1f},
	{"pairs by NUMA: the whole pair", nvswitch_numa, 0xfe, 2, SET2(2, 3)},
	{"pairs by NUMA: one from the broken pair", nvswitch_numa, 0xfb, 1, SET1(3)},
	{"all links equal, pair behind one switch", nvswitch_near, 0xfe, 2, SET2(2, 3)},
	{"all links equal, switch of the broken socket", nvswitch_near, 0xf6, 2, SET2(4, 5)},
	{"all links equal, one of a broken switch", nvswitch_near, 0x7f, 1, SET1(6)},
	{"all links equal, halves behind whole switches", nvswitch_near, 0xf7, 4, 0xf0},
	{"same switch", switches, 0xfe, 2, SET2(2, 3)},
	{"broken switch first", switches, 0xef, 1, SET1(5)},
	{"three on the broken socket", switches, 0xfe, 3, 0x0e},
	{"half is a socket", switches, 0xff, 4, 0x0f},
	{"bridged pair", bridges, 0x0d, 2, SET2(2, 3)},
	{"one beside the bridge", bridges, 0x0d, 1, SET1(0)},
	{"none asked", pairs, 0xff, 0, 0},
	{"more than free", pairs, 0x07, 4, 0},
	{"more than there are", bridges, 0x0f, 5, 0},
	{"GPUs that the shape has not are not offered", bridges, 0xf1, 2, 0},
};

START_TEST(chooses)
{
	const struct row *row = &rows[_i];
	struct gw_shape_info shape;
	struct gw_gpuset_table *table;

	row->shape(&shape);
	table = table_of(&shape);
	ck_assert_msg(gw_gpuset_choose(table, row->free, row->count) == row->want,
		      "%s: got 0x%" PRIx64 ", not 0x%" PRIx64, row->what,
		      gw_gpuset_choose(table, row->free, row->count), row->want);
	gw_gpuset_table_free(table);
}
END_TEST

/* Of a job of one node, and of a gang. */
static const struct gang_row {
	const char *what;
	void (*shape)(struct gw_shape_info *shape);
	gw_gpus free;
	uint32_t count;
	gw_gpus one, gang;
} gang_rows[] = {
	{"half a node", card_of_socket, 0xff, 4, 0x0f, 0xf0},
	{"a pair", card_of_socket, 0xff, 2, SET2(0, 1), SET2(4, 5)},
	{"one GPU", card_of_socket, 0xff, 1, SET1(0), SET1(4)},
	{"a gang breaks the whole socket for it", card_of_socket, 0xfe, 1, SET1(1), SET1(4)},
	{"no gang is worse linked for it", card_of_socket, 0x3f & ~0x10, 2, SET2(0, 1), SET2(0, 1)},
	{"a gang takes what is whole anyway", card_of_socket, 0x7f, 4, 0x0f, 0x0f},
	{"all", card_of_socket, 0xff, 8, 0xff, 0xff},
	{"a switch with a card is left to gangs", card_of_pair, 0xff, 2, SET2(4, 5), SET2(0, 1)},
	{"a socket with a card is left to gangs", card_of_pair, 0xff, 4, 0xf0, 0x0f},
	{"what is left counts before it", card_of_pair, 0xfd, 1, SET1(0), SET1(0)},
	{"then the card on the socket", card_of_pair, 0xfc, 2, SET2(2, 3), SET2(2, 3)},
	{"then the card on the socket, both whole", card_of_pair, 0xcc, 2, SET2(6, 7), SET2(2, 3)},
	{"a strong pair before any card", cards_apart, 0xff, 2, SET2(1, 2), SET2(4, 7)},
	{"one card nearer before two less near", cards_apart, 0x69, 2, SET2(0, 3), SET2(5, 6)},
	{"one of equals is not the nearest", cards_apart, 0xff, 1, SET1(6), SET1(5)},
	{"a card each changes nothing", card_each, 0xff, 2, SET2(0, 1), SET2(0, 1)},
	{"a card each changes nothing, GPU 0 busy", card_each, 0xfe, 4, 0xf0, 0xf0},
	{"none known", nvswitch_near, 0xff, 4, 0x0f, 0x0f},
	{"more than free", card_of_socket, 0x70, 4, 0, 0},
	{"none asked", card_of_socket, 0xff, 0, 0, 0},
};

START_TEST(network_cards_are_for_gangs)
{
	const struct gang_row *row = &gang_rows[_i];
	struct gw_shape_info shape;
	struct gw_gpuset_table *table;
	gw_gpus one, gang;

	row->shape(&shape);
	table = table_of(&shape);
	one = gw_gpuset_choose(table, row->free, row->count);
	gang = gw_gpuset_choose_for_gang(table, row->free, row->count);
	ck_assert_msg(one == row->one, "%s: one node got 0x%" PRIx64 ", not 0x%" PRIx64, row->what,
		      one, row->one);
	ck_assert_msg(gang == row->gang, "%s: a gang got 0x%" PRIx64 ", not 0x%" PRIx64, row->what,
		      gang, row->gang);
	gw_gpuset_table_free(table);
}
END_TEST

/* What was the same for every GPU before they were known stays as it was. */
START_TEST(cards_that_do_not_differ_change_nothing)
{
	struct gw_shape_info known, unknown;
	struct gw_gpuset_table *with, *without;

	card_each(&known);
	nvswitch_near(&unknown);
	with = table_of(&known);
	without = table_of(&unknown);
	ck_assert(!gw_gpuset_has_gangs(with));
	ck_assert(!gw_gpuset_has_gangs(NULL));
	for (gw_gpus free = 0; free < 256; free++) {
		for (uint32_t count = 0; count <= 8; count++) {
			gw_gpus before = gw_gpuset_choose(without, free, count);

			ck_assert_uint_eq(gw_gpuset_choose(with, free, count), before);
			ck_assert_uint_eq(gw_gpuset_choose_for_gang(with, free, count), before);
		}
	}
	gw_gpuset_table_free(with);
	gw_gpuset_table_free(without);
}
END_TEST

static uint32_t next_random(uint64_t *state)
{
	*state = *state * 6364136223846793005u + 1442695040888963407u;
	return *state >> 33;
}

static void random_shape(struct gw_shape_info *shape, uint32_t gpus, uint64_t *state)
{
	uint32_t kinds = 1 + next_random(state) % 8;
	uint8_t strength[8];

	for (uint32_t i = 0; i < kinds; i++)
		strength[i] = next_random(state);
	*shape = (struct gw_shape_info){.gpus = gpus, .sockets = 4};
	for (uint32_t a = 0; a < gpus; a++) {
		shape->socket[a] = next_random(state) % 4;
		shape->card[a] = next_random(state) % (GW_CARD_NEAREST + 1);
		for (uint32_t b = 0; b < a; b++) {
			shape_link(shape, a, b, strength[next_random(state) % kinds]);
			shape->near[a][b] = shape->near[b][a] = next_random(state) % 4;
		}
	}
}

static void check_all_masks(const struct gw_shape_info *shape)
{
	struct gw_gpuset_table *table = table_of(shape);
	gw_gpus idle = gw_gpus_first(shape->gpus);

	for (gw_gpus free = 0; free <= idle; free++) {
		for (uint32_t count = 0; count <= shape->gpus; count++) {
			gw_gpus got = gw_gpuset_choose(table, free, count);
			gw_gpus want = brute(shape, free, count);

			if (got != want)
				ck_abort_msg("%u of 0x%" PRIx64 ": 0x%" PRIx64 ", not 0x%" PRIx64,
					     count, free, got, want);
			got = gw_gpuset_choose_for_gang(table, free, count);
			want = brute_for_gang(shape, free, count);
			if (got != want)
				ck_abort_msg("a gang's %u of 0x%" PRIx64 ": 0x%" PRIx64
					     ", not 0x%" PRIx64,
					     count, free, got, want);
		}
	}
	gw_gpuset_table_free(table);
}

START_TEST(every_mask_and_count_equals_brute_force)
{
	static void (*const named[])(struct gw_shape_info *) = {
		pairs,   nvswitch,     nvswitch_numa,  nvswitch_near, switches,
		bridges, card_of_pair, card_of_socket, cards_apart,   card_each};
	struct gw_shape_info shape;
	uint64_t state = 1;

	for (int i = 0; i < COUNT(named); i++) {
		named[i](&shape);
		check_all_masks(&shape);
	}
	for (uint32_t gpus = 1; gpus <= 8; gpus++) {
		random_shape(&shape, gpus, &state);
		check_all_masks(&shape);
	}
}
END_TEST

START_TEST(sixteen_gpus_equal_brute_force)
{
	struct gw_shape_info shape;
	struct gw_gpuset_table *table;
	uint64_t state = 7;

	random_shape(&shape, 16, &state);
	table = table_of(&shape);
	for (int i = 0; i < 100; i++) {
		gw_gpus free = next_random(&state) & 0xffff;
		uint32_t count = next_random(&state) % 17;

		ck_assert_uint_eq(gw_gpuset_choose(table, free, count), brute(&shape, free, count));
		ck_assert_uint_eq(gw_gpuset_choose_for_gang(table, free, count),
				  brute_for_gang(&shape, free, count));
	}
	gw_gpuset_table_free(table);
}
END_TEST

START_TEST(quality_tells_the_answer_without_a_search)
{
	struct gw_shape_info shape;
	struct gw_gpuset_table *table;

	pairs(&shape);
	table = table_of(&shape);
	ck_assert_uint_eq(gw_gpuset_quality(table, 0xff, 2), gw_gpuset_quality(table, 0x09, 2));
	ck_assert_uint_gt(gw_gpuset_quality(table, 0x09, 2), gw_gpuset_quality(table, 0x03, 2));
	ck_assert_uint_gt(gw_gpuset_quality(table, 0x03, 2), gw_gpuset_quality(table, 0x11, 2));
	ck_assert_uint_eq(gw_gpuset_quality(table, 0x01, 2), 0);
	ck_assert_uint_eq(gw_gpuset_quality(table, 0xff, 9), 0);
	ck_assert_uint_eq(gw_gpuset_quality(NULL, 0xff, 2), 0);
	ck_assert(gw_gpuset_is_good(table, 0x09, 2));
	ck_assert(!gw_gpuset_is_good(table, 0x03, 2));
	ck_assert(!gw_gpuset_is_good(table, 0x01, 2));
	ck_assert(gw_gpuset_is_good(table, 0x01, 1));
	ck_assert(gw_gpuset_is_good(NULL, 0x03, 2));
	ck_assert(!gw_gpuset_is_good(NULL, 0x03, 3));
	ck_assert_uint_eq(gw_gpuset_gpus(table), 8);
	gw_gpuset_table_free(table);
}
END_TEST

START_TEST(without_links_the_lowest_indexes)
{
	ck_assert_uint_eq(gw_gpuset_choose(NULL, 0xf0f0, 3), 0x0070);
	ck_assert_uint_eq(gw_gpuset_choose(NULL, 0xf0f0, 5), 0x10f0);
	ck_assert_uint_eq(gw_gpuset_choose(NULL, 0x3, 3), 0);
	ck_assert_uint_eq(gw_gpuset_choose(NULL, 0x3, 0), 0);
	ck_assert_uint_eq(gw_gpuset_choose(NULL, UINT32_MAX, 32), UINT32_MAX);
	ck_assert_uint_eq(gw_gpuset_choose_for_gang(NULL, 0xf0f0, 3), 0x0070);
}
END_TEST

START_TEST(refuses_what_it_can_not_make)
{
	struct gw_shape_info shape = {0};
	struct gw_error error = {0};

	ck_assert_ptr_null(gw_gpuset_table_create(&shape, &error));
	ck_assert_str_eq(error.text, "a shape without GPUs");
	gw_error_clear(&error);
	shape.gpus = 17;
	ck_assert_ptr_null(gw_gpuset_table_create(&shape, &error));
	ck_assert_str_eq(error.text, "a shape of 17 GPUs: at most 16 are supported");
	gw_error_clear(&error);
	shape.gpus = 2;
	shape.socket[1] = 32;
	ck_assert_ptr_null(gw_gpuset_table_create(&shape, &error));
	ck_assert_str_eq(error.text, "GPU 1 on socket 32: at most 32 are supported");
	gw_gpuset_table_free(NULL);
}
END_TEST

START_TEST(memory_may_run_out)
{
	struct gw_shape_info shape;

	cards_apart(&shape);
	for (unsigned int n = 1;; n++) {
		struct gw_error error = {0};
		struct gw_gpuset_table *table;

		alloc_fail_at(n);
		table = gw_gpuset_table_create(&shape, &error);
		if (!alloc_failed()) {
			ck_assert_ptr_nonnull(table);
			gw_gpuset_table_free(table);
			return;
		}
		ck_assert_ptr_null(table);
		ck_assert(gw_error_is_set(&error));
	}
}
END_TEST

/* 16 GPUs take their time on a busy machine. */
UNIT_MAIN("gpuset", tcase_set_timeout(tests, 60), UNIT_ROWS(chooses, rows),
	  UNIT_ROWS(network_cards_are_for_gangs, gang_rows),
	  UNIT(cards_that_do_not_differ_change_nothing),
	  UNIT(every_mask_and_count_equals_brute_force), UNIT(sixteen_gpus_equal_brute_force),
	  UNIT(quality_tells_the_answer_without_a_search), UNIT(without_links_the_lowest_indexes),
	  UNIT(refuses_what_it_can_not_make), UNIT(memory_may_run_out))

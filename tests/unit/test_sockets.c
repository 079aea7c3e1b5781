// SPDX-License-Identifier: GPL-2.0-or-later
/* GPUs by socket: as many sockets as are asked for, and on each its GPUs and its cores. */
#include "src/core/sockets.h"

#include "cores_text.h"
#include "shapes.h"
#include "unit.h"

#define SOCKETS 4

/*
 * Two sockets of four GPUs, strong pairs (0,3)(1,2)(4,7)(5,6), eight free cores each where nothing
 * else is said.
 */
static const struct {
	const char *what;
	gw_gpus free;
	uint32_t cores[2];
	struct gw_sockets_ask ask;
	gw_gpus chosen;
	uint32_t used;
} rows[] = {
	{"one of an idle node: a strong pair", 0xff, {8, 8}, {1, 2, 2, 0}, 0x06, 1},
	{"the socket that is broken, linked as well", 0x6f, {8, 8}, {1, 2, 2, 0}, 0x60, 2},
	{"better links before that", 0x3f, {8, 8}, {1, 2, 2, 0}, 0x06, 1},
	{"one GPU: of the broken socket", 0x1f, {8, 8}, {1, 1, 1, 0}, 0x10, 2},
	{"a pair on both", 0xff, {8, 8}, {2, 2, 4, 0}, 0x66, 3},
	{"a pair on both, GPU 1 taken", 0xfd, {8, 8}, {2, 2, 4, 0}, 0x69, 3},
	{"all", 0xff, {8, 8}, {2, 4, 16, 0}, 0xff, 3},
	{"the socket that has the cores", 0xff, {3, 8}, {1, 2, 4, 0}, 0x60, 2},
	{"an odd number of cores is not halved", 0xff, {8, 4}, {2, 2, 9, 0}, 0, 0},
	{"no core on one", 0xff, {8, 0}, {2, 2, 0, 0}, 0, 0},
	{"too few GPUs on one", 0x1f, {8, 8}, {2, 2, 4, 0}, 0, 0},
	{"more sockets than there are", 0xff, {8, 8}, {3, 1, 3, 0}, 0, 0},
	{"more GPUs than a socket has", 0xff, {8, 8}, {1, 5, 1, 0}, 0, 0},
};

static uint32_t sockets_of(const struct gw_socket *socket, uint32_t count, gw_gpus gpus)
{
	uint32_t used = 0;

	for (uint32_t s = 0; s < count; s++)
		if (socket[s].free & gpus)
			used |= UINT32_C(1) << s;
	return used;
}

START_TEST(sockets_are_chosen)
{
	struct gw_socket socket[] = {
		{rows[_i].free & 0x0f, rows[_i].cores[0]},
		{rows[_i].free & 0xf0, rows[_i].cores[1]},
	};
	struct gw_gpuset_table *table;
	struct gw_shape_info shape;
	uint32_t used;
	gw_gpus chosen;

	shape_strong_pairs(&shape);
	table = gw_gpuset_table_create(&shape, NULL);
	ck_assert_ptr_nonnull(table);
	chosen = gw_sockets_choose(table, socket, 2, &rows[_i].ask);
	used = sockets_of(socket, 2, chosen);
	ck_assert_msg(chosen == rows[_i].chosen && (!chosen || used == rows[_i].used),
		      "%s: 0x%x on sockets 0x%x", rows[_i].what, (unsigned)chosen, used);
	gw_gpuset_table_free(table);
}
END_TEST

/* Cards near GPUs 2, 3 and 6, 7. */
START_TEST(gangs_are_near_network_cards)
{
	const struct gw_socket socket[] = {{0x0f, 8}, {0xf0, 8}};
	struct gw_sockets_ask ask = {.sockets = 2, .gpus = 2, .cores = 2};
	struct gw_gpuset_table *table;
	struct gw_shape_info shape;

	shape_two_levels(&shape, 8, 1, 2);
	for (uint32_t gpu = 0; gpu < 8; gpu++)
		shape.card[gpu] = gpu / 2 % 2 ? GW_CARD_SWITCH : GW_CARD_FAR;
	table = gw_gpuset_table_create(&shape, NULL);
	ck_assert_ptr_nonnull(table);
	ck_assert_uint_eq(gw_sockets_choose(table, socket, 2, &ask), 0x33);
	ask.gang = true;
	ck_assert_uint_eq(gw_sockets_choose(table, socket, 2, &ask), 0xcc);
	gw_gpuset_table_free(table);
}
END_TEST

/* Links are not known: the lowest GPUs, of the sockets with the fewest. */
START_TEST(without_links)
{
	const struct gw_socket socket[SOCKETS] = {{0x00f, 4}, {0x070, 4}, {0xf00, 4}, {0x7000, 0}};
	const struct gw_sockets_ask ask = {.sockets = 2, .gpus = 2, .cores = 4};
	gw_gpus chosen = gw_sockets_choose(NULL, socket, SOCKETS, &ask);

	ck_assert_uint_eq(chosen, 0x33);
	ck_assert_uint_eq(sockets_of(socket, SOCKETS, chosen), 3);
}
END_TEST

/* Four sockets of eight cores; the near ones are the upper half of each. */
static const struct {
	const char *what, *free;
	uint32_t used, wanted;
	bool exact;
	const char *chosen; /* NULL: too few */
} core_rows[] = {
	{"near ones", "0-31", 1, 2, true, "4-5"},
	{"near ones of two", "0-31", 3, 4, true, "4-5,12-13"},
	{"an odd one from the first", "0-31", 3, 5, true, "4-6,12-13"},
	{"fewer than sockets: one of each", "0-31", 6, 1, true, "12,20"},
	{"more than are near", "0-31", 8, 6, true, "24-25,28-31"},
	{"all of the socket", "0-31", 4, 8, true, "16-23"},
	{"some are taken", "0-4,6-31", 3, 4, true, "4,6,12-13"},
	{"none near is free", "0-3,8-31", 1, 2, true, "0-1"},
	{"the number is not known", "0-3,8-31", 3, 0, true, "0-3,8-15"},
	{"not just so many", "0-3,8-31", 3, 4, false, "0-3,8-15"},
	{"too few on one", "0-8", 3, 4, true, NULL},
	{"none on one", "0-7", 3, 0, true, NULL},
	{"no sockets", "0-31", 0, 4, true, NULL},
};

START_TEST(cores_go_with_sockets)
{
	const struct gw_cores free = cores_of(core_rows[_i].free),
			      near = cores_of("4-7,12-15,20-23,28-31"), other = {{0}};
	const struct gw_coreset_ask ask = {.per_socket = 8,
					   .wanted = core_rows[_i].wanted,
					   .exact = core_rows[_i].exact,
					   .free = &free,
					   .near = &near,
					   .other = &other};
	struct gw_cores chosen;
	char text[256];
	bool some = gw_sockets_cores(&ask, core_rows[_i].used, &chosen);

	ck_assert_msg(some == (core_rows[_i].chosen != NULL), "%s", core_rows[_i].what);
	if (some)
		ck_assert_msg(!strcmp(list_of(&chosen, text), core_rows[_i].chosen), "%s: %s",
			      core_rows[_i].what, text);
}
END_TEST

UNIT_MAIN("sockets", UNIT_ROWS(sockets_are_chosen, rows), UNIT(gangs_are_near_network_cards),
	  UNIT(without_links), UNIT_ROWS(cores_go_with_sockets, core_rows))

// SPDX-License-Identifier: GPL-2.0-or-later
/* The files of etc/shapes, and machines of odd kinds: what placement makes of them. */
#include <stdio.h>
#include <unistd.h>

#include "unit.h"

#include "gpuset_brute.h"
#include "src/topo/node.h"

static const char *in_source(const char *name)
{
	static char path[4096];
	const char *source = getenv("srcdir");

	snprintf(path, sizeof(path), "%s/%s", source ? source : ".", name);
	return path;
}

static struct gw_topo_node *read_node(const char *name)
{
	struct gw_topo_node *node = calloc(1, sizeof(*node));
	struct gw_error error = {0};

	ck_assert_ptr_nonnull(node);
	ck_assert_msg(!gw_topo_node_read(in_source(name), node, &error), "%s", error.text);
	return node;
}

typedef gw_gpus chooser(const struct gw_gpuset_table *table, gw_gpus free, uint32_t count);

/* Sets of a size as they are given out on an idle node: "01 23 45 67", a digit a GPU. */
static const char *given(const struct gw_gpuset_table *table, uint32_t size, chooser *choose)
{
	static char text[64];
	gw_gpus free = gw_gpus_first(gw_gpuset_gpus(table)), set;
	size_t used = 0;

	while ((set = choose(table, free, size))) {
		if (used)
			text[used++] = ' ';
		for (uint32_t i = 0; i < gw_gpuset_gpus(table); i++)
			if (set >> i & 1)
				text[used++] = "0123456789abcdef"[i];
		free &= ~set;
	}
	text[used] = '\0';
	return text;
}

static const struct row {
	const char *file, *sockets, *numas, *pairs, *halves, *types;
	enum gw_topo_path link, nic; /* of GPUs 0 and 1; of GPU 0 and the first card */
	uint32_t nics;
	const char *cards; /* enum gw_card_near of each GPU */
	const char *gangs; /* halves given to gangs; NULL: the same */
} rows[] = {
	{"etc/shapes/dgx-a100.xml", "00001111", "33117755", "01 23 45 67", "0123 4567", "a100",
	 GW_PATH_NV, GW_PATH_PIX, 8, "44444444", NULL},
	{"etc/shapes/hgx-a100.xml", "00001111", "00001111", "01 23 45 67", "0123 4567", "a100",
	 GW_PATH_NV, GW_PATH_PIX, 4, "44444444", NULL},
	{"etc/shapes/hgx-h100.xml", "00001111", "00001111", "01 23 45 67", "0123 4567", "h100",
	 GW_PATH_NV, GW_PATH_PIX, 8, "44444444", NULL},
	{"etc/shapes/8xt4.xml", "00001111", "00001111", "01 23 45 67", "0123 4567", "t4",
	 GW_PATH_PHB, GW_PATH_SYS, 1, "00002222", "4567 0123"},
	{"etc/shapes/8xmi300x.xml", "00001111", "00001111", "01 23 45 67", "0123 4567", "mi300x",
	 GW_PATH_XGMI, GW_PATH_PIX, 8, "44444444", NULL},
	/* NUMA node 0 holds the high CPU numbers: Slurm counts its cores last. */
	{"tests/fixtures/topo/cloud-h100.xml", "11110000", "00001111", "01 23 45 67", "0123 4567",
	 "h100", GW_PATH_NV, GW_PATH_PHB, 8, "33333333", NULL},
	/* Halves with XGMI between all their GPUs come before whole pairs with gaps. */
	{"tests/fixtures/topo/mi250x.xml", "00000000", "33110022", "23 01 45 67", "0147 2356",
	 "mi250x", GW_PATH_XGMI, GW_PATH_SYS, 0, "00000000", NULL},
	{"tests/fixtures/topo/bridges.xml", "0011", "0011", "01 23", "01 23", "a100", GW_PATH_NV,
	 GW_PATH_SYS, 0, "0000", NULL},
	{"tests/fixtures/topo/strong-pairs.xml", "00001111", "00001111", "12 03 56 47", "0123 4567",
	 "a100", GW_PATH_NODE, GW_PATH_SYS, 0, "00000000", NULL},
	{"tests/fixtures/topo/one-rdma-card.xml", "01111", "02333", "34 12", "34 12", "l40s",
	 GW_PATH_SYS, GW_PATH_PHB, 2, "01234", NULL},
	/* Every other pair has a card behind its switch: a job of one node takes the rest. */
	{"tests/fixtures/topo/two-boards.xml", "0000000011111111", "0000000011111111",
	 "23 01 67 45 ab 89 ef cd", "01234567 89abcdef", "v100", GW_PATH_NV, GW_PATH_PIX, 4,
	 "4433443344334433", NULL},
	/* By OS device though of class VGA; the third is near no socket. */
	{"tests/fixtures/topo/unequal.xml", "01-", "01-", "01", "0 1 2", "", GW_PATH_SYS,
	 GW_PATH_SYS, 0, "000", NULL},
};

static void check_places(const struct row *row, const struct gw_topo_node *node)
{
	for (uint32_t i = 0; i < node->shape.gpus; i++) {
		ck_assert_int_eq(node->shape.socket[i], row->sockets[i] == '-'
								? GW_SHAPE_NO_SOCKET
								: row->sockets[i] - '0');
		ck_assert_int_eq(node->gpu[i].numa,
				 row->numas[i] == '-' ? -1 : row->numas[i] - '0');
		ck_assert_str_eq(node->gpu[i].type, row->types);
		ck_assert_int_eq(node->shape.card[i], row->cards[i] - '0');
	}
}

START_TEST(shapes)
{
	const struct row *row = &rows[_i];
	struct gw_topo_node *node = read_node(row->file);
	struct gw_gpuset_table *table = gw_gpuset_table_create(&node->shape, NULL);

	ck_assert_ptr_nonnull(table);
	ck_assert_uint_eq(node->shape.gpus, strlen(row->sockets));
	check_places(row, node);
	ck_assert_int_eq(node->path[0][1], row->link);
	ck_assert_uint_eq(node->nics, row->nics);
	ck_assert_int_eq(node->nic_path[0][0], row->nic);
	ck_assert_str_eq(given(table, 2, gw_gpuset_choose), row->pairs);
	ck_assert_str_eq(given(table, node->shape.gpus / 2, gw_gpuset_choose), row->halves);
	ck_assert_str_eq(given(table, node->shape.gpus / 2, gw_gpuset_choose_for_gang),
			 row->gangs ? row->gangs : row->halves);
	gw_gpuset_table_free(table);
	free(node);
}
END_TEST

static void check_choice(const struct gw_gpuset_table *table, const struct gw_shape_info *shape,
			 gw_gpus free, uint32_t count)
{
	ck_assert_uint_eq(gw_gpuset_choose(table, free, count), brute(shape, free, count));
	ck_assert_uint_eq(gw_gpuset_choose_for_gang(table, free, count),
			  brute_for_gang(shape, free, count));
}

/* Of 16 GPUs some of the 65,536 masks and all counts between them. */
static void check_some(const struct gw_gpuset_table *table, const struct gw_shape_info *shape)
{
	uint32_t state = 1;

	for (int i = 0; i < 320; i++) {
		state = state * 1664525 + 1013904223;
		check_choice(table, shape, state >> 16, i % 16 + 1);
	}
}

START_TEST(choices_equal_brute_force)
{
	struct gw_topo_node *node = read_node(rows[_i].file);
	struct gw_gpuset_table *table = gw_gpuset_table_create(&node->shape, NULL);
	gw_gpus idle = gw_gpus_first(node->shape.gpus);

	if (node->shape.gpus > 8)
		check_some(table, &node->shape);
	for (gw_gpus free = 0; node->shape.gpus <= 8 && free <= idle; free++)
		for (uint32_t count = 0; count <= node->shape.gpus; count++)
			check_choice(table, &node->shape, free, count);
	gw_gpuset_table_free(table);
	free(node);
}
END_TEST

/* 16 GPUs, a board broken: what is left of it first, then what is whole on the other. */
START_TEST(sixteen_gpus)
{
	struct gw_topo_node *node = read_node("tests/fixtures/topo/two-boards.xml");
	struct gw_gpuset_table *table = gw_gpuset_table_create(&node->shape, NULL);

	ck_assert_str_eq(given(table, 2, gw_gpuset_choose_for_gang), "01 45 89 cd 23 67 ab ef");
	ck_assert_str_eq(given(table, 4, gw_gpuset_choose), "0123 4567 89ab cdef");
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xfffe, 8), 0xff00);
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xfffe, 4), 0x00f0);
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xfffe, 2), 0x000c);
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xfffe, 1), 0x0002);
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xfcfc, 8), 0x0cfc);
	ck_assert(!gw_gpuset_is_good(table, 0xfcfc, 8));
	ck_assert(gw_gpuset_is_good(table, 0xfcff, 8));
	gw_gpuset_table_free(table);
	free(node);
}
END_TEST

/* The synthetic file and the machine it is like give out the same GPUs, if that one is at hand. */
START_TEST(like_the_real_one)
{
	static const char real[] = "../shared/topologies/g4dn-metal-8xT4.xml";
	struct gw_topo_node *made, *recorded;

	if (access(in_source(real), R_OK)) {
		printf("SKIP: %s is not there\n", real);
		return;
	}
	made = read_node("etc/shapes/8xt4.xml");
	recorded = read_node(real);
	ck_assert_mem_eq(&made->shape, &recorded->shape, sizeof(made->shape));
	ck_assert_mem_eq(&made->cores, &recorded->cores, sizeof(made->cores));
	ck_assert_mem_eq(made->path, recorded->path, sizeof(made->path));
	for (uint32_t i = 0; i < 8; i++) {
		ck_assert_int_eq(made->nic_path[i][0], recorded->nic_path[i][0]);
		ck_assert_str_eq(made->gpu[i].device, recorded->gpu[i].device);
		ck_assert_str_eq(made->gpu[i].type, recorded->gpu[i].type);
	}
	free(made);
	free(recorded);
}
END_TEST

/* As slurmd counts them: hwloc's logical cores, not Linux' numbers. */
START_TEST(cores_are_those_of_slurm)
{
	struct gw_topo_node *node = read_node("tests/fixtures/topo/cloud-h100.xml");

	ck_assert_str_eq(node->cores.gpu[0], "4-7");
	ck_assert_str_eq(node->cores.gpu[7], "0-3");
	ck_assert_uint_eq(node->core_of_pu[4], 4);
	ck_assert_uint_eq(node->core_of_pu[8], GW_TOPO_NO_PU);
	free(node);
	node = read_node("etc/shapes/dgx-a100.xml");
	ck_assert_uint_eq(node->core_count, 128);
	ck_assert_uint_eq(node->pu_count, 256);
	ck_assert_uint_eq(node->core_of_pu[176], 48);
	free(node);
}
END_TEST

START_TEST(unlocal_gpu_has_all_cores)
{
	struct gw_topo_node *node = read_node("tests/fixtures/topo/unequal.xml");

	ck_assert(node->gpu[0].local);
	ck_assert(!node->gpu[2].local);
	ck_assert_str_eq(node->cores.gpu[2], "0-3");
	ck_assert_str_eq(node->gpu[0].os, "cuda0");
	free(node);
}
END_TEST

/* 16 GPUs take their time on a busy machine. */
UNIT_MAIN("shapes", tcase_set_timeout(tests, 60), UNIT_ROWS(shapes, rows),
	  UNIT_ROWS(choices_equal_brute_force, rows), UNIT(sixteen_gpus), UNIT(like_the_real_one),
	  UNIT(cores_are_those_of_slurm), UNIT(unlocal_gpu_has_all_cores))

// SPDX-License-Identifier: GPL-2.0-or-later
/* What could never start, why, and the nearest request that could. */
#include "unit.h"

#include "src/core/place.h"

/* Ten nodes of 8 GPUs, 64 CPUs and 1 TiB, then two of 4 GPUs, 32 CPUs and 512 GiB. */
static void cluster(struct gw_node node[12])
{
	for (uint32_t i = 0; i < 12; i++) {
		bool large = i < 10;

		/* Full: only what they have in all counts. */
		node[i] = (struct gw_node){.index = i,
					   .shape = -1,
					   .all = large ? 0xff : 0x0f,
					   .cpus_total = large ? 64 : 32,
					   .memory_total = large ? 1 << 20 : 1 << 19};
	}
}

static const struct row {
	const char *what;
	struct gw_ask ask;
	const char *lack, *way; /* empty: it fits */
} rows[] = {
	{"case 3: 16 GPUs on one node",
	 {.min_nodes = 1, .max_nodes = 1, .gpus = 16},
	 "no node has 16 GPUs, the largest has 8",
	 "-N2 --gpus-per-node=8"},
	{"case 3: per node",
	 {.min_nodes = 1, .max_nodes = 1, .gpus_per_node = 16},
	 "no node has 16 GPUs, the largest has 8",
	 "-N2 --gpus-per-node=8"},
	{"16 GPUs anywhere", {.min_nodes = 1, .max_nodes = 99, .gpus = 16}, "", ""},
	{"one GPU", {.min_nodes = 1, .gpus_per_node = 1}, "", ""},
	{"all of it", {.min_nodes = 1, .max_nodes = 12, .gpus = 88}, "", ""},
	{"the large ones", {.min_nodes = 10, .max_nodes = 10, .gpus_per_node = 8}, "", ""},
	{"a CPU job", {.min_nodes = 12, .max_nodes = 12, .cpus_per_node = 32}, "", ""},
	{"12 on one node",
	 {.min_nodes = 1, .max_nodes = 1, .gpus = 12},
	 "no node has 12 GPUs, the largest has 8",
	 "-N2 --gpus-per-node=6"},
	{"13 on one node",
	 {.min_nodes = 1, .max_nodes = 1, .gpus = 13},
	 "no node has 13 GPUs, the largest has 8",
	 "--gpus=13 without -N"},
	{"40 on two",
	 {.min_nodes = 2, .max_nodes = 2, .gpus = 40},
	 "no node has 20 GPUs, the largest has 8",
	 "-N5 --gpus-per-node=8"},
	{"more than there are",
	 {.min_nodes = 1, .max_nodes = 99, .gpus = 89},
	 "89 GPUs are asked, all nodes together have 88",
	 ""},
	{"too many nodes of 8",
	 {.min_nodes = 11, .max_nodes = 11, .gpus_per_node = 8},
	 "11 nodes are asked, only 10 would do",
	 "--gpus=88 without -N"},
	{"twelve nodes of 6",
	 {.min_nodes = 12, .max_nodes = 12, .gpus_per_node = 6},
	 "12 nodes are asked, only 10 would do",
	 "-N9 --gpus-per-node=8"},
	{"too many CPUs, GPUs can not be split",
	 {.min_nodes = 1, .gpus_per_node = 1, .cpus_per_node = 128},
	 "no such node has 128 CPUs, the largest has 64",
	 ""},
	{"too many CPUs, half on each of two",
	 {.min_nodes = 1, .gpus_per_node = 8, .cpus_per_node = 128},
	 "no such node has 128 CPUs, the largest has 64",
	 "-N2 --gpus-per-node=4"},
	{"too much memory",
	 {.min_nodes = 1, .gpus_per_node = 2, .memory_per_node = 2 << 20},
	 "no such node has 2097152 MiB of memory, the largest has 1048576",
	 "-N2 --gpus-per-node=1"},
	{"a CPU job too large",
	 {.min_nodes = 1, .cpus_per_node = 65},
	 "no such node has 65 CPUs, the largest has 64",
	 ""},
};

START_TEST(tells_what_never_fits)
{
	const struct row *row = &rows[_i];
	struct gw_node node[12];
	struct gw_place_fit fit;
	char lack[128], way[128];

	cluster(node);
	ck_assert_msg(gw_place_fits(&row->ask, node, 12, &fit) == !row->lack[0], "%s", row->what);
	gw_place_fit_lack(&fit, lack, sizeof(lack));
	gw_place_fit_way(&fit, way, sizeof(way));
	ck_assert_msg(!strcmp(lack, row->lack), "%s: %s", row->what, lack);
	ck_assert_msg(!strcmp(way, row->way), "%s: %s", row->what, way);
}
END_TEST

START_TEST(no_nodes_at_all)
{
	struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = 1};
	struct gw_place_fit fit;
	char text[8];

	ck_assert(!gw_place_fits(&ask, NULL, 0, &fit));
	ck_assert_int_eq(fit.lack, GW_PLACE_LACKS_GPUS);
	gw_place_fit_lack(&fit, text, sizeof(text));
	ck_assert_str_eq(text, "no node");
}
END_TEST

/* What a way names must itself fit. */
START_TEST(every_way_out_fits)
{
	struct gw_node node[12];

	cluster(node);
	for (uint32_t gpus = 1; gpus < 100; gpus++) {
		struct gw_ask ask = {.min_nodes = 1, .max_nodes = 1, .gpus = gpus}, again;
		struct gw_place_fit fit, second;

		if (gw_place_fits(&ask, node, 12, &fit))
			continue;
		again = (struct gw_ask){.min_nodes = fit.nodes,
					.max_nodes = fit.nodes,
					.gpus_per_node = fit.gpus_per_node};
		if (fit.gpus)
			again = (struct gw_ask){.min_nodes = 1, .max_nodes = 99, .gpus = fit.gpus};
		if (gpus > 88)
			ck_assert(!fit.nodes && !fit.gpus);
		else
			ck_assert(gw_place_fits(&again, node, 12, &second));
	}
}
END_TEST

UNIT_MAIN("place_fits", UNIT_ROWS(tells_what_never_fits, rows), UNIT(no_nodes_at_all),
	  UNIT(every_way_out_fits))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "place_cluster.h"

static struct cluster cluster;

START_TEST(case_1_two_nodes_of_four)
{
	cluster_make(&cluster, 2, 4, NULL);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_small(&cluster, 1)), "0");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_small(&cluster, 2)), "0");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_small(&cluster, 2)), "1");
	cluster_free(&cluster);
}
END_TEST

/* Bit i of the order: does a whole-node job come before the i-th small one? */
START_TEST(case_1_every_arrival_order)
{
	struct gw_shape_info shape;

	shape_strong_pairs(&shape);
	/* Eight small jobs and three large ones: every one of the 165 ways to mix them. */
	for (unsigned int order = 0; order < 1u << 11; order++) {
		if (gw_gpus_count(order) != 3)
			continue;
		cluster_make(&cluster, 4, 8, &shape);
		for (int i = 0; i < 11; i++)
			ck_assert_uint_eq(cluster_start_small(&cluster, order >> i & 1 ? 8 : 1), 1);
		cluster_free(&cluster);
	}
}
END_TEST

/* The nodes may come in any order; the same one is chosen. */
START_TEST(order_of_nodes_does_not_matter)
{
	struct gw_node moved;

	cluster_make(&cluster, 4, 8, NULL);
	cluster_leave(&cluster, 2, 0x07);
	cluster_leave(&cluster, 3, 0x07);
	for (int i = 0; i < 4; i++) {
		struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = 1};

		ck_assert_str_eq(cluster_chosen(&cluster, cluster_ask(&cluster, &ask)), "2");
		ask.min_nodes = 3;
		ck_assert_str_eq(cluster_chosen(&cluster, cluster_ask(&cluster, &ask)), "2 3 0");
		moved = cluster.node[0];
		memmove(cluster.node, cluster.node + 1, 3 * sizeof(moved));
		cluster.node[3] = moved;
	}
	cluster_free(&cluster);
}
END_TEST

static const struct gw_ask heavy_in_cores[] = {
	{.min_nodes = 1, .gpus_per_node = 1, .cpus_per_node = 12},
	{.min_nodes = 1, .gpus_per_node = 1, .cpus_per_gpu = 12},
	{.min_nodes = 1, .max_nodes = 2, .gpus = 1, .cpus_per_gpu = 12},
	{.min_nodes = 1, .max_nodes = 2, .gpus = 1, .cpus = 12},
};

START_TEST(case_2_stranded_by_cores)
{
	struct gw_ask heavy = heavy_in_cores[_i];

	cluster_make(&cluster, 2, 8, NULL);
	cluster.node[0].cpus_free = cluster.node[0].cpus_total = 16;
	cluster.node[1].cpus_free = cluster.node[1].cpus_total = 32;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &heavy)), "1");
	for (int i = 0; i < 15; i++)
		ck_assert_uint_eq(cluster_start_small(&cluster, 1), 1);
	cluster_free(&cluster);
}
END_TEST

static const struct gw_ask heavy_in_memory[] = {
	{.min_nodes = 1, .gpus_per_node = 1, .memory_per_node = 1000 << 10},
	{.min_nodes = 1, .max_nodes = 3, .gpus = 1, .memory = 1000 << 10},
};

START_TEST(heavy_in_memory_strands_no_gpu)
{
	struct gw_ask heavy = heavy_in_memory[_i];

	cluster_make(&cluster, 3, 8, NULL);
	cluster_leave(&cluster, 0, 0x0f);
	cluster_leave(&cluster, 1, 0x01);
	cluster.node[0].memory_free = cluster.node[1].memory_free = NODE_MEMORY;
	/* Node 1 has no other GPU that would miss the memory. */
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &heavy)), "1");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &heavy)), "0");
	cluster_free(&cluster);
}
END_TEST

/* Idle GPUs 1+1+4+2. */
START_TEST(case_3_sum_is_not_shape)
{
	struct gw_ask open = {.min_nodes = 1, .max_nodes = 4, .gpus = 8};

	cluster_make(&cluster, 4, 8, NULL);
	cluster_leave(&cluster, 0, 0x01);
	cluster_leave(&cluster, 1, 0x80);
	cluster_leave(&cluster, 2, 0x0f);
	cluster_leave(&cluster, 3, 0x30);
	ck_assert_uint_eq(cluster_start_small(&cluster, 8), 0);
	ck_assert_str_eq(cluster.reason, "no node has room for it now");
	ck_assert_uint_eq(cluster_start(&cluster, &open), 0);
	ck_assert_str_eq(cluster.reason, "no node has room for it now");
	cluster_leave(&cluster, 1, 0xff);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &open)), "1");
	cluster_free(&cluster);
}
END_TEST

/* Eight nodes; what is left free on the first ones, and where a job goes. */
static const struct one_row {
	const char *what;
	gw_gpus free[4];
	uint32_t gpus;
	const char *want;
	gw_gpus want_gpus;
} one_rows[] = {
	{"fewest left", {0x03, 0x01, 0x07, 0x0f}, 1, "1", 0x01},
	{"fits exactly", {0x0f, 0x09, 0x0f, 0x0f}, 2, "1", 0x09},
	{"broken before idle", {0, 0x7f, 0, 0}, 1, "1", 0x10},
	{"of one left alike, the strong pair", {0x03, 0x06, 0x11, 0x0f}, 2, "1", 0x06},
	{"a strong pair rather than fewest left", {0x03, 0x05, 0x0f, 0x01}, 2, "2", 0x06},
	{"no strong pair is broken for want of one", {0x03, 0x11, 0, 0}, 2, "0", 0x03},
	{"an idle node stays whole even without a strong pair", {0x11, 0, 0, 0}, 2, "0", 0x11},
	{"idle only when it must", {0x01, 0x01, 0x01, 0x01}, 2, "4", 0x06},
	{"whole node", {0x7f, 0x7f, 0x7f, 0x7f}, 8, "4", 0xff},
	{"half", {0x1f, 0x8f, 0xf0, 0x3f}, 4, "2", 0xf0},
};

START_TEST(one_node)
{
	const struct one_row *row = &one_rows[_i];
	struct gw_shape_info shape;

	shape_strong_pairs(&shape);
	cluster_make(&cluster, 8, 8, &shape);
	for (size_t i = 0; i < 4; i++)
		cluster_leave(&cluster, i, row->free[i]);
	cluster_check(&cluster, cluster_start_small(&cluster, row->gpus), row->what, row->want,
		      row->want_gpus);
	cluster_free(&cluster);
}
END_TEST

/* Eight GPUs of seven slices: one node has six of them left, one fifty, one all. */
START_TEST(slices_are_as_good_as_gpus)
{
	cluster_make(&cluster, 3, 56, NULL);
	cluster_leave(&cluster, 1, gw_gpus_first(56) & ~gw_gpus_first(6));
	cluster_leave(&cluster, 2, gw_gpus_first(6) << 50);
	cluster_check(&cluster, cluster_start_small(&cluster, 5), "the fullest", "2",
		      gw_gpus_first(5) << 50);
	cluster_check(&cluster, cluster_start_small(&cluster, 5), "a broken one", "1",
		      gw_gpus_first(5) << 6);
	cluster_check(&cluster, cluster_start_small(&cluster, 56), "a whole one", "0",
		      gw_gpus_first(56));
	cluster_free(&cluster);
}
END_TEST

/* Two whole nodes give 16 CPUs each, a third one 8 with the rest; nodes 0 and 1 have 7 left. */
START_TEST(parts_of_what_all_nodes_give)
{
	const struct gw_ask ask = {.min_nodes = 1, .max_nodes = 9, .gpus = 20, .cpus = 40};

	cluster_make(&cluster, 5, 8, NULL);
	cluster_leave(&cluster, 1, 0x0f);
	cluster_leave(&cluster, 4, 0x0f);
	cluster.node[0].cpus_free = cluster.node[1].cpus_free = 7;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "2 3 4");
	cluster_free(&cluster);
}
END_TEST

/* Of two broken nodes the first would serve with better GPUs than those it offers. */
START_TEST(only_what_is_offered)
{
	struct gw_shape_info shape;

	shape_strong_pairs(&shape);
	cluster_make(&cluster, 3, 8, &shape);
	cluster_leave(&cluster, 0, 0x3f);
	cluster_leave(&cluster, 1, 0xcf);
	cluster.node[0].offered = 0x30;
	cluster.node[1].offered = 0x06;
	cluster_check(&cluster, cluster_start_small(&cluster, 2), "the pair it offers", "1", 0x06);
	cluster.node[1].offered = 0x40;
	cluster_check(&cluster, cluster_start_small(&cluster, 2), "as many as it offers", "0",
		      0x30);
	cluster_free(&cluster);
}
END_TEST

START_TEST(weights_are_the_sites)
{
	cluster_make(&cluster, 8, 8, NULL);
	for (size_t i = 0; i < 8; i++)
		cluster.node[i].weight = i < 4 ? 20 : 10;
	cluster_leave(&cluster, 0, 0x01);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_small(&cluster, 1)), "4");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_gang(&cluster, 3, 8)), "5 6 7");
	/* Node 4 is broken: heavier ones are needed. */
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_small(&cluster, 8)), "1");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_gang(&cluster, 2, 1)), "4 0");
	cluster_free(&cluster);
}
END_TEST

START_TEST(weights_a_light_and_a_heavy_node)
{
	cluster_make(&cluster, 4, 8, NULL);
	for (size_t i = 0; i < 4; i++)
		cluster.node[i].weight = 4 - i;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_gang(&cluster, 2, 8)), "3 2");
	cluster_free(&cluster);
}
END_TEST

/* Slurm's number of a node: the weight in it may be any of 32 bits, above it is what must boot. */
START_TEST(weights_of_more_than_32_bits)
{
	static const uint64_t weight[] = {UINT64_C(1) << 41 | 1 << 8, 65536 << 8, 256 << 8 | 2,
					  256 << 8, UINT64_C(1) << 33 | 1};

	cluster_make(&cluster, 5, 8, NULL);
	for (size_t i = 0; i < 5; i++)
		cluster.node[i].weight = weight[i];
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_small(&cluster, 8)), "3");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_gang(&cluster, 2, 8)), "2 1");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_gang(&cluster, 2, 8)), "4 0");
	cluster_free(&cluster);
}
END_TEST

/* Cores are free that the job may not use, or only with memory that is not there. */
START_TEST(fewer_cpus_offered_than_free)
{
	struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = 2, .cpus_per_gpu = 8};

	cluster_make(&cluster, 3, 8, NULL);
	cluster_leave(&cluster, 0, 0x03);
	cluster_leave(&cluster, 1, 0x0f);
	cluster.node[0].cpus_offered = 15;
	cluster.node[1].cpus_offered = 16;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "1");
	cluster.node[0].cpus_offered = 16;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "0");
	cluster_free(&cluster);
}
END_TEST

START_TEST(cpu_jobs_stay_off_gpu_nodes)
{
	struct gw_ask ask = {.min_nodes = 1, .cpus_per_node = 4};

	cluster_make(&cluster, 6, 8, NULL);
	cluster.node[4].all = cluster.node[4].free = 0;
	cluster.node[5].all = cluster.node[5].free = 0;
	cluster.node[5].cpus_free = 6;
	cluster.node[5].busy_until = 60;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "5");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "4");
	cluster.node[4].cpus_free = 0;
	/* GPUs of node 2 are all held, those of node 1 would miss the CPUs. */
	cluster_leave(&cluster, 2, 0);
	cluster.node[2].cpus_free = 16;
	cluster_leave(&cluster, 1, 0x0f);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "2");
	ask.min_nodes = ask.max_nodes = 2;
	ask.cpus_per_node = 1;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "5 2");
	cluster_free(&cluster);
}
END_TEST

START_TEST(ends_with_the_others)
{
	struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = 1, .limit = 7200};

	cluster_make(&cluster, 4, 8, NULL);
	for (size_t i = 0; i < 4; i++)
		cluster_leave(&cluster, i, 0x0f);
	cluster.node[1].busy_until = 86400;
	cluster.node[2].busy_until = 7000;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "2");
	ask.limit = 90000;
	cluster_leave(&cluster, 2, 0x0f);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "1");
	cluster_free(&cluster);
}
END_TEST

START_TEST(whole_nodes_are_idle_nodes)
{
	struct gw_ask ask = {.min_nodes = 2, .max_nodes = 2, .gpus_per_node = 1};

	ask.whole_nodes = true;
	cluster_make(&cluster, 6, 8, NULL);
	cluster_leave(&cluster, 0, 0x7f);
	cluster.node[1].busy_until = 10;
	cluster.node[2].gpus_other = 1;
	cluster.node[3].cpus_free--;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "4 5");
	ck_assert_uint_eq(cluster_start(&cluster, &ask), 0);
	ck_assert_str_eq(cluster.reason, "too few nodes have room for it now");
	cluster_free(&cluster);
}
END_TEST

/* Network cards near GPUs 4 to 7: the parts of a gang get these, jobs of one node the others. */
START_TEST(gangs_are_near_network_cards)
{
	const struct gw_ask twelve = {.min_nodes = 1, .max_nodes = 2, .gpus = 12};
	struct gw_shape_info shape;
	size_t chosen;

	shape_switches(&shape);
	for (uint32_t gpu = 4; gpu < 8; gpu++)
		shape.card[gpu] = GW_CARD_NUMA;
	cluster_make(&cluster, 3, 8, &shape);
	chosen = cluster_start_gang(&cluster, 2, 4);
	cluster_check(&cluster, chosen, "a gang of halves", "0 1", 0xf0);
	ck_assert_uint_eq(cluster.choice[1].gpus, 0xf0);
	cluster_check(&cluster, cluster_start_small(&cluster, 4), "half a node", "0", 0x0f);
	cluster_free(&cluster);
	cluster_make(&cluster, 3, 8, &shape);
	cluster_check(&cluster, cluster_start_small(&cluster, 4), "an idle node", "0", 0x0f);
	chosen = cluster_start(&cluster, &twelve);
	cluster_check(&cluster, chosen, "a node and a half", "1 0", 0xff);
	ck_assert_uint_eq(cluster.choice[1].gpus, 0xf0);
	cluster_free(&cluster);
	cluster_make(&cluster, 2, 8, &shape);
	chosen = cluster_start(&cluster, &twelve);
	cluster_check(&cluster, chosen, "the half of an idle node", "0 1", 0xff);
	ck_assert_uint_eq(cluster.choice[1].gpus, 0xf0);
	cluster_free(&cluster);
}
END_TEST

static const struct {
	struct gw_ask ask;
	const char *why;
} no_preference[] = {
	{{.min_nodes = 1, .max_nodes = 2, .gpus_per_node = 1}, "the number of nodes is left open"},
	{{.min_nodes = 1, .max_nodes = 2, .gpus = 3, .gpus_per_node = 2},
	 "GPUs are not the same on each node"},
	{{.min_nodes = 1, .max_nodes = 1, .gpus = 9}, "more GPUs than so many nodes have"},
	{{.min_nodes = 4, .max_nodes = 4, .gpus = 3}, "fewer GPUs than nodes"},
	{{.min_nodes = 1, .gpus = 1, .cpus_per_node = 99}, "no node has such GPUs"},
	{{.min_nodes = 1, .gpus_per_node = 9}, "no node has room for it now"},
	{{.min_nodes = 1, .cpus_per_node = 65}, "no node has room for it now"},
	{{.min_nodes = 5, .gpus_per_node = 1}, "too few nodes have room for it now"},
};

START_TEST(no_preference_says_why)
{
	cluster_make(&cluster, 4, 8, NULL);
	ck_assert_uint_eq(cluster_start(&cluster, &no_preference[_i].ask), 0);
	ck_assert_str_eq(cluster.reason, no_preference[_i].why);
	cluster_free(&cluster);
}
END_TEST

START_TEST(room_is_kept)
{
	struct gw_ask ask = {.min_nodes = 3, .gpus_per_node = 1};
	struct gw_place *small;
	const char *reason;

	cluster_make(&cluster, 4, 8, NULL);
	ck_assert_uint_eq(
		gw_place_nodes(cluster.place, &ask, cluster.node, 4, cluster.choice, 2, &reason),
		0);
	ck_assert_str_eq(reason, "more nodes than there is room for");
	small = gw_place_create(NULL, 0, 3, NULL);
	ck_assert_uint_eq(gw_place_nodes(small, &ask, cluster.node, 4, cluster.choice, 4, &reason),
			  0);
	ck_assert_str_eq(reason, "more nodes than were prepared for");
	gw_place_free(small);
	cluster_free(&cluster);
}
END_TEST

/* A shape of four GPUs given to nodes of eight: still as many GPUs as were asked. */
START_TEST(shape_of_too_few_gpus)
{
	struct gw_shape_info shape;

	shape_uniform(&shape, 4, 1, 1);
	cluster_make(&cluster, 2, 8, &shape);
	ck_assert_uint_eq(cluster_start_small(&cluster, 6), 1);
	ck_assert_uint_eq(cluster_start_gang(&cluster, 1, 8), 1);
	cluster_free(&cluster);
}
END_TEST

/* Random requests on a random cluster: cluster_start checks every answer. */
START_TEST(answers_always_satisfy_the_request)
{
	struct gw_shape_info shape;
	uint64_t state = _i + 1;

	shape_strong_pairs(&shape);
	cluster_make(&cluster, 64, 8, &shape);
	for (uint32_t i = 0; i < 64; i++) {
		cluster.node[i].domain = i / 7;
		cluster.node[i].weight = i % 3;
		cluster.node[i].shape = (int32_t)(i % 4) - 2;
	}
	for (int i = 0; i < 2000; i++) {
		uint32_t r = (state = state * 6364136223846793005u + 1442695040888963407u) >> 33;
		struct gw_ask ask = {.min_nodes = 1 + r % 5, .cpus_per_node = r >> 8 & 31};
		struct gw_node *node = &cluster.node[r >> 24 & 63];

		ask.max_nodes = ask.min_nodes + (r >> 4 & 1) * 3;
		ask.memory_per_node = (r >> 16 & 7) << 16;
		ask.gpus_per_node = r >> 6 & 1 ? r >> 20 & 7 : 0;
		ask.gpus = r >> 7 & 1 ? (r >> 12 & 31) : 0;
		ask.whole_nodes = (r >> 27 & 7) == 0;
		if (!ask.gpus_per_node && !ask.gpus && !ask.cpus_per_node)
			continue;
		cluster_start(&cluster, &ask);
		cluster_leave(&cluster, node->index, node->all);
	}
	cluster_free(&cluster);
}
END_TEST

START_TEST(memory_may_run_out)
{
	for (unsigned int n = 1;; n++) {
		struct gw_error error = {0};
		struct gw_place *place;

		alloc_fail_at(n);
		place = gw_place_create(NULL, 0, 8, &error);
		if (!alloc_failed()) {
			gw_place_free(place);
			return;
		}
		ck_assert_ptr_null(place);
		ck_assert(gw_error_is_set(&error));
	}
}
END_TEST

UNIT_MAIN("place", UNIT(case_1_two_nodes_of_four), UNIT(case_1_every_arrival_order),
	  UNIT(order_of_nodes_does_not_matter), UNIT_ROWS(case_2_stranded_by_cores, heavy_in_cores),
	  UNIT_ROWS(heavy_in_memory_strands_no_gpu, heavy_in_memory), UNIT(case_3_sum_is_not_shape),
	  UNIT_ROWS(one_node, one_rows), UNIT(slices_are_as_good_as_gpus),
	  UNIT(parts_of_what_all_nodes_give), UNIT(only_what_is_offered),
	  UNIT(weights_are_the_sites), UNIT(weights_a_light_and_a_heavy_node),
	  UNIT(weights_of_more_than_32_bits), UNIT(fewer_cpus_offered_than_free),
	  UNIT(cpu_jobs_stay_off_gpu_nodes), UNIT(ends_with_the_others),
	  UNIT(whole_nodes_are_idle_nodes), UNIT(gangs_are_near_network_cards),
	  UNIT_ROWS(no_preference_says_why, no_preference), UNIT(room_is_kept),
	  UNIT(shape_of_too_few_gpus),
	  tcase_add_loop_test(tests, answers_always_satisfy_the_request, 0, 5),
	  UNIT(memory_may_run_out))

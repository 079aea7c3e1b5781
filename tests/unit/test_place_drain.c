// SPDX-License-Identifier: GPL-2.0-or-later
/* Small jobs go where they keep a node from becoming whole for the shortest time. */
#include "place_cluster.h"
#include "src/core/decision.h"
#include "src/core/grid.h"

static struct cluster cluster;

/* Grids with one point: a job that stays a second for each chance in a node's. */
static float ended[CLUSTER_NODES][GW_GRID_POINTS];
static const float stays[GW_GRID_POINTS] = {[20] = 1};

/* Nodes of 8 GPUs in pairs. A job added to node i would keep it broken for so many seconds. */
static void make(size_t count)
{
	struct gw_shape_info shape;

	shape_strong_pairs(&shape);
	cluster_make(&cluster, count, 8, &shape);
	memset(ended, 0, sizeof(ended));
}

static void leave(size_t node, gw_gpus free, float seconds)
{
	cluster_leave(&cluster, node, free);
	ended[node][20] = seconds;
	cluster.node[node].ended = ended[node];
}

/* Four broken nodes of five: GPUs that are free and seconds that a job adds. */
static const struct row {
	const char *what;
	struct {
		gw_gpus free;
		float seconds;
	} node[4];
	uint32_t gpus;
	const char *want;
	gw_gpus want_gpus;
} rows[] = {
	{"least added time", {{0x03, 90}, {0x0f, 50}, {0x01, 70}, {0x7f, 60}}, 1, "1", 0x01},
	{"not one without room", {{0x03, 90}, {0x0f, 50}, {0x01, 7}, {0, 6}}, 2, "1", 0x06},
	{"then fewest left", {{0x0f, 50}, {0x0f, 90}, {0x03, 50}, {0x7f, 50}}, 1, "2", 0x01},
	{"then the lowest index", {{0x0f, 90}, {0x0f, 50}, {0x0f, 50}, {0x0f, 50}}, 1, "1", 0x01},
	{"a second is not rounded off",
	 {{0x01, 1000}, {0x0f, 999}, {0x01, 1000}, {0x01, 1000}},
	 1,
	 "1",
	 0x01},
	{"but for long times: fewest left",
	 {{0x0f, 500000}, {0x03, 500100}, {0x07, 500000}, {0x07, 501000}},
	 1,
	 "1",
	 0x01},
	{"a strong pair first", {{0x05, 10}, {0x06, 90}, {0x11, 20}, {0x0f, 95}}, 2, "1", 0x06},
	{"broken before idle, however long", {{0x01, 9e5F}, {0, 0}, {0, 0}, {0, 0}}, 1, "0", 0x01},
	{"idle when it must", {{0x01, 1}, {0x01, 1}, {0x01, 1}, {0x01, 1}}, 2, "4", 0x06},
	{"no time at all", {{0x0f, 1}, {0x0f, 0}, {0x01, 2}, {0x01, 1}}, 1, "1", 0x01},
};

START_TEST(one_node)
{
	const struct row *row = &rows[_i];
	struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = row->gpus, .stays = stays};

	make(5);
	for (size_t i = 0; i < 4; i++)
		leave(i, row->node[i].free, row->node[i].seconds);
	cluster_check(&cluster, cluster_start(&cluster, &ask), row->what, row->want,
		      row->want_gpus);
	cluster_free(&cluster);
}
END_TEST

/* GPUs that would become useless for want of CPUs count more than time. */
START_TEST(useless_gpus_come_first)
{
	struct gw_ask ask = {
		.min_nodes = 1, .gpus_per_node = 1, .cpus_per_node = 12, .stays = stays};

	make(2);
	leave(0, 0x03, 10);
	leave(1, 0x01, 9000);
	cluster.node[0].cpus_free = cluster.node[1].cpus_free = 12;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "1");
	cluster_free(&cluster);
}
END_TEST

START_TEST(weights_are_still_the_sites)
{
	struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = 1, .stays = stays};

	make(2);
	leave(0, 0x03, 10);
	leave(1, 0x03, 9000);
	cluster.node[0].weight = 2;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "1");
	cluster_free(&cluster);
}
END_TEST

/* A node of which nothing is known comes after those that are, and before idle ones. */
START_TEST(nothing_known_of_a_node)
{
	struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = 1, .stays = stays};

	make(4);
	cluster_leave(&cluster, 0, 0x01);
	cluster_leave(&cluster, 1, 0x03);
	leave(2, 0x01, 5e6F);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "2");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "0");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "1");
	cluster_free(&cluster);
}
END_TEST

START_TEST(nothing_known_of_the_job)
{
	struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = 1};

	make(3);
	leave(0, 0x03, 10);
	leave(1, 0x01, 9000);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "1");
	cluster_free(&cluster);
}
END_TEST

/* Half nodes: each is broken for itself. */
START_TEST(gangs_of_parts)
{
	struct gw_ask ask = {.min_nodes = 2, .max_nodes = 2, .gpus_per_node = 4, .stays = stays};

	make(6);
	leave(0, 0x0f, 500);
	leave(1, 0x0f, 100);
	leave(2, 0xff, 0);
	leave(3, 0x1f, 50);
	leave(4, 0x0f, 400);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "3 1");
	cluster_free(&cluster);
}
END_TEST

/* 20 GPUs: two whole nodes, the rest where it is the least harm in their domain. */
START_TEST(the_rest_of_a_gang)
{
	struct gw_ask ask = {.min_nodes = 1, .max_nodes = 9, .gpus = 20, .stays = stays};

	make(12);
	for (size_t i = 0; i < 12; i++)
		cluster.node[i].domain = i / 4;
	leave(4, 0x0f, 900);
	leave(5, 0x1f, 300);
	leave(8, 0x0f, 10);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "6 7 5");
	ck_assert_uint_eq(gw_gpus_count(cluster.choice[2].gpus), 4);
	cluster_free(&cluster);
}
END_TEST

static uint32_t next(uint64_t *state)
{
	return (uint32_t)((*state = *state * 6364136223846793005u + 1442695040888963407u) >> 33);
}

/* Random grids, as they may be: nothing known of some nodes. */
static void make_random(uint64_t *state, float random_stays[GW_GRID_POINTS])
{
	make(200);
	for (size_t i = 0; i < GW_GRID_POINTS; i++)
		random_stays[i] = (float)(next(state) % 1000) * gw_grid_weight[i] / 1000;
	for (size_t i = 0; i < 200; i++) {
		cluster_leave(&cluster, i, next(state) & next(state) & 0xff);
		for (size_t j = 0; j < GW_GRID_POINTS; j++)
			ended[i][j] = (float)(next(state) % 1000) / 1000;
		cluster.node[i].ended = next(state) % 8 ? ended[i] : NULL;
		cluster.node[i].shape = next(state) % 4 ? 0 : -1;
	}
}

/* The answer is the one of the least of all sums, found by trial. */
START_TEST(the_least_of_all)
{
	uint64_t state = (uint64_t)_i + 1;
	float random_stays[GW_GRID_POINTS];
	struct gw_ask ask = {.min_nodes = 1, .gpus_per_node = 1, .stays = random_stays};
	uint32_t least = UINT32_MAX, chosen;

	make_random(&state, random_stays);
	for (size_t i = 0; i < 200; i++) {
		const struct gw_node *node = &cluster.node[i];
		uint32_t seconds;

		if (!node->ended || !node->free || node->free == node->all)
			continue;
		seconds = gw_place_broken_seconds(&ask, node);
		least = seconds < least ? seconds : least;
	}
	ck_assert_uint_eq(cluster_start(&cluster, &ask), 1);
	chosen = gw_place_broken_seconds(&ask, &cluster.node[cluster.choice[0].index]);
	ck_assert_uint_ge(chosen, least);
	ck_assert_uint_le(chosen, least + least / 1000 + 1);
	cluster_free(&cluster);
}
END_TEST

/* What is recorded is enough to decide again, though grids are not recorded. */
START_TEST(repeats_from_its_record)
{
	uint64_t state = (uint64_t)_i + 100;
	float random_stays[GW_GRID_POINTS];
	uint32_t gpus = 1 + next(&state) % 4, nodes = 1 + next(&state) % 3;
	struct gw_decision made = {.kind = GW_DECISION_PLACEMENT}, again;
	struct gw_shape_info shape;
	struct gw_error difference = {0}, error = {0};
	struct gw_record_reader reader;
	struct gw_str text = {0}, copy = {0};

	shape_strong_pairs(&shape);
	make_random(&state, random_stays);
	made.placement =
		(struct gw_decision_placement){.ask = {.min_nodes = nodes,
						       .max_nodes = nodes,
						       .gpus_per_node = gpus,
						       .limit = 3600,
						       .stays = _i % 3 ? random_stays : NULL},
					       .shapes = &shape,
					       .shape_count = 1,
					       .nodes = cluster.node,
					       .node_count = 200,
					       .choices = cluster.choice};
	made.placement.choice_count = cluster_ask(&cluster, &made.placement.ask);
	ck_assert_int_eq(gw_decision_repeat(&made, NULL, 0, &difference, &error), 0);
	ck_assert_int_eq(gw_decision_write(&made, &text, &error), 0);
	gw_record_reader_init(&reader, gw_str_text(&text));
	ck_assert_msg(gw_decision_read(&reader, &again, &error) == 1, "%s", error.text);
	ck_assert_uint_eq(again.placement.broken_count, made.placement.ask.stays ? 200 : 0);
	ck_assert_msg(!gw_decision_repeat(&again, NULL, 0, &difference, &error), "%s",
		      difference.text);
	ck_assert_int_eq(gw_decision_write(&again, &copy, &error), 0);
	ck_assert_str_eq(gw_str_text(&text), gw_str_text(&copy));
	gw_decision_free(&again);
	gw_str_free(&text);
	gw_str_free(&copy);
	cluster_free(&cluster);
}
END_TEST

UNIT_MAIN("place_drain", UNIT_ROWS(one_node, rows), UNIT(useless_gpus_come_first),
	  UNIT(weights_are_still_the_sites), UNIT(nothing_known_of_a_node),
	  UNIT(nothing_known_of_the_job), UNIT(gangs_of_parts), UNIT(the_rest_of_a_gang),
	  tcase_add_loop_test(tests, the_least_of_all, 0, 20),
	  tcase_add_loop_test(tests, repeats_from_its_record, 0, 30))

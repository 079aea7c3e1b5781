// SPDX-License-Identifier: GPL-2.0-or-later
/* Gangs over domains: as few as can be, the smallest that do, evenly. */
#include "place_cluster.h"
#include "unit.h"

static struct cluster cluster;

/* 16 idle nodes, 4 in a domain; how many of each domain are taken before. */
static const struct gang_row {
	const char *what;
	uint32_t taken[4];
	struct gw_ask ask;
	const char *want;
} gang_rows[] = {
	{"the smallest domain that holds it", {0, 1, 2, 0}, {2, 2, .gpus_per_node = 8}, "10 11"},
	{"one that holds it, not the fullest", {0, 1, 2, 2}, {3, 3, .gpus_per_node = 8}, "5 6 7"},
	{"a whole domain", {1, 0, 1, 1}, {4, 4, .gpus_per_node = 8}, "4 5 6 7"},
	{"the fewest domains, evenly", {0, 0, 0, 0}, {6, 6, .gpus_per_node = 8}, "0 1 2 4 5 6"},
	{"evenly, of the smallest that do",
	 {0, 1, 1, 2},
	 {6, 6, .gpus_per_node = 8},
	 "5 6 7 9 10 11"},
	{"as even as can be", {0, 3, 3, 1}, {6, 6, .gpus_per_node = 8}, "0 1 2 13 14 15"},
	{"uneven when it must be", {0, 3, 3, 3}, {5, 5, .gpus_per_node = 8}, "0 1 2 3 7"},
	{"all that is left", {3, 3, 3, 3}, {4, 4, .gpus_per_node = 8}, "3 7 11 15"},
	{"one node: an idle one of the most broken domain",
	 {0, 3, 2, 0},
	 {1, 1, .gpus_per_node = 8},
	 "7"},
	{"a small job that must break one: there too",
	 {0, 3, 2, 0},
	 {1, 1, .gpus_per_node = 2},
	 "7"},
	{"GPUs without nodes: whole nodes, fewest", {0, 1, 2, 0}, {1, 16, .gpus = 16}, "10 11"},
	{"and the rest beside them", {0, 1, 2, 0}, {1, 16, .gpus = 20}, "10 11 5"},
	{"with more nodes than needed, evenly", {0, 1, 2, 0}, {2, 2, .gpus = 9}, "10 11"},
	{"both given", {0, 1, 2, 0}, {1, 4, .gpus = 16, .gpus_per_node = 8}, "10 11"},
	{"too many", {3, 3, 3, 3}, {5, 5, .gpus_per_node = 8}, ""},
};

static void take_some(const uint32_t *taken)
{
	cluster_make(&cluster, 16, 8, NULL);
	for (size_t i = 0; i < 16; i++) {
		cluster.node[i].domain = 100 * (i / 4);
		if (i % 4 < taken[i / 4])
			cluster_leave(&cluster, i, 0);
	}
}

static int by_index(const void *a, const void *b)
{
	const struct gw_choice *one = a, *other = b;

	return one->index < other->index ? -1 : one->index > other->index;
}

START_TEST(gangs)
{
	const struct gang_row *row = &gang_rows[_i];
	size_t count;

	take_some(row->taken);
	count = cluster_start(&cluster, &row->ask);
	if (row->ask.gpus != 20)
		qsort(cluster.choice, count, sizeof(cluster.choice[0]), by_index);
	ck_assert_msg(!strcmp(cluster_chosen(&cluster, count), row->want), "%s: %s", row->what,
		      cluster_chosen(&cluster, count));
	cluster_free(&cluster);
}
END_TEST

START_TEST(rest_goes_into_a_hole_near_by)
{
	static const uint32_t none[4] = {0, 0, 0, 0};
	struct gw_ask ask = {.min_nodes = 1, .max_nodes = 8, .gpus = 20};

	take_some(none);
	cluster_leave(&cluster, 6, 0x0f);
	cluster_leave(&cluster, 7, 0x1f);
	cluster_leave(&cluster, 9, 0x0f);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "4 5 6");
	ck_assert_uint_eq(gw_gpus_count(cluster.choice[2].gpus), 4);
	cluster_free(&cluster);
}
END_TEST

/* Two domains are one wider one; with all nodes of the last domain taken, three are equal. */
START_TEST(wider_domains_stay_whole_too)
{
	static const uint32_t last[4] = {0, 0, 0, 4};

	take_some(last);
	for (size_t i = 0; i < 16; i++)
		cluster.node[i].wider = i / 8;
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_gang(&cluster, 2, 8)), "8 9");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_small(&cluster, 1)), "10");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_gang(&cluster, 2, 8)), "0 1");
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start_gang(&cluster, 4, 8)), "4 5 6 7");
	cluster_free(&cluster);
}
END_TEST

START_TEST(uneven_shares)
{
	struct gw_ask ask = {.min_nodes = 3, .max_nodes = 3, .gpus = 8};

	cluster_make(&cluster, 4, 8, NULL);
	ck_assert_str_eq(cluster_chosen(&cluster, cluster_start(&cluster, &ask)), "0 1 2");
	ck_assert_uint_eq(cluster.choice[0].gpus, 0x07);
	ck_assert_uint_eq(cluster.choice[1].gpus, 0x07);
	ck_assert_uint_eq(cluster.choice[2].gpus, 0x03);
	cluster_free(&cluster);
}
END_TEST

/* Nodes taken of each domain, of an answer. */
static uint32_t domains_of(size_t count, uint32_t taken[8])
{
	uint32_t domains = 0;

	memset(taken, 0, 8 * sizeof(*taken));
	for (size_t i = 0; i < count; i++)
		domains += !taken[cluster.node[cluster.choice[i].index].domain]++;
	return domains;
}

/* The fewest of eight domains with so many idle nodes that hold a gang: every set is tried. */
static uint32_t fewest_by_trial(const uint32_t idle[8], uint32_t nodes)
{
	uint32_t fewest = 9;

	for (uint32_t set = 1; set < 256; set++) {
		uint32_t held = 0;

		for (uint32_t i = 0; i < 8; i++)
			held += set >> i & 1 ? idle[i] : 0;
		if (held >= nodes && gw_gpus_count(set) < fewest)
			fewest = gw_gpus_count(set);
	}
	return fewest;
}

/* Some set of so many domains could share the gang so that no two differ by more than one. */
static bool can_be_even(const uint32_t idle[8], uint32_t domains, uint32_t nodes)
{
	uint32_t enough = 0;

	for (uint32_t i = 0; i < 8; i++)
		enough += idle[i] >= (nodes + domains - 1) / domains;
	return enough >= domains;
}

START_TEST(never_more_domains_than_needed)
{
	uint64_t state = 5;

	for (int round = 0; round < 500; round++) {
		uint32_t idle[8] = {0}, taken[8], total = 0, nodes, domains, least = 99, most = 0;

		cluster_make(&cluster, 48, 8, NULL);
		for (uint32_t i = 0; i < 48; i++) {
			state = state * 6364136223846793005u + 1442695040888963407u;
			cluster.node[i].domain = i % 8;
			if (state >> 62)
				cluster_leave(&cluster, i, state >> 40 & 0x7f);
			idle[i % 8] += !(state >> 62);
			total += !(state >> 62);
		}
		nodes = 2 + (state >> 35) % 12;
		if (nodes <= total) {
			ck_assert_uint_eq(cluster_start_gang(&cluster, nodes, 8), nodes);
			domains = domains_of(nodes, taken);
			ck_assert_uint_eq(domains, fewest_by_trial(idle, nodes));
			for (uint32_t i = 0; i < 8; i++) {
				least = taken[i] && taken[i] < least ? taken[i] : least;
				most = taken[i] > most ? taken[i] : most;
			}
			ck_assert(most - least <= 1 || !can_be_even(idle, domains, nodes));
		}
		cluster_free(&cluster);
	}
}
END_TEST

UNIT_MAIN("place_gang", UNIT_ROWS(gangs, gang_rows), UNIT(rest_goes_into_a_hole_near_by),
	  UNIT(wider_domains_stay_whole_too), UNIT(uneven_shares),
	  UNIT(never_more_domains_than_needed))

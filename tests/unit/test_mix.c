// SPDX-License-Identifier: GPL-2.0-or-later
#include "unit.h"

#include "src/core/cluster.h"
#include "src/core/grid.h"
#include "src/core/mix.h"
#include "src/core/place.h"

#define GPUS   8
#define CPUS   64
#define MEMORY (1 << 20)

static struct gw_mix *make(const struct gw_mix_kind *kinds, size_t count)
{
	struct gw_error error = {0};
	struct gw_mix *mix = gw_mix_create(kinds, count, GPUS, CPUS, MEMORY, &error);

	ck_assert_msg(mix != NULL, "%s", error.text);
	return mix;
}

static const struct gw_mix_kind one_gpu = {.gpus = 1, .cpus = 4, .weight = 1};
static const struct gw_mix_kind whole_node = {.gpus = 8, .cpus = 64, .memory = 1024, .weight = 1};
static const struct gw_mix_kind quarter = {.gpus = 1, .shared = 4, .cpus = 1, .weight = 1};
static const struct gw_mix_kind no_gpu = {.cpus = 1, .weight = 1};

static const struct worth_row {
	struct gw_mix_kind kinds[2];
	uint32_t gpus, cpus;
	uint64_t memory;
	double worth; /* GPUs */
} worth_rows[] = {
	/* Nothing is worth nothing. */
	{{one_gpu}, 0, 64, MEMORY, 0},
	/* All of four GPUs can be used; with CPUs for one job less, and more than a quarter. */
	{{one_gpu}, 4, 16, MEMORY, 4},
	{{one_gpu}, 4, 15, MEMORY, 4 * 0.98218}, /* (3/4)^(1/16) */
	{{one_gpu}, 4, 4, MEMORY, 4 * 0.91700},  /* (1/4)^(1/16) */
	{{one_gpu}, 4, 3, MEMORY, 0},
	/* A job for eight has no use for seven. */
	{{whole_node}, 8, 64, MEMORY, 8},
	{{whole_node}, 7, 64, MEMORY, 0},
	{{whole_node}, 8, 63, MEMORY, 0},
	{{whole_node}, 8, 64, 1023, 0},
	{{whole_node}, 8, 64, 1024, 8},
	/* Four share a GPU, each with a CPU. */
	{{quarter}, 1, 4, MEMORY, 1},
	{{quarter}, 1, 1, MEMORY, 0.91700},
	/* The mean of the kinds by their weights; those without GPUs do not count. */
	{{one_gpu, whole_node}, 7, 64, MEMORY, 3.5},
	{{one_gpu, no_gpu}, 7, 64, MEMORY, 7},
	{{{.gpus = 1, .cpus = 4, .weight = 3}, whole_node}, 4, 64, MEMORY, 3},
	/* Larger nodes than were prepared for count as the largest. */
	{{one_gpu}, 9, 999, 2 * MEMORY, 8},
};

START_TEST(worth_is)
{
	const struct worth_row *row = &worth_rows[_i];
	struct gw_mix *mix = make(row->kinds, COUNT(row->kinds));

	ck_assert_double_eq_tol(gw_mix_worth(mix, row->gpus, row->cpus, row->memory),
				row->worth * GW_MIX_GPU, 0.6);
	gw_mix_free(mix);
}
END_TEST

/* Else a job could lose less than nothing. */
START_TEST(more_is_never_worth_less)
{
	const struct gw_mix_kind kinds[] = {one_gpu,
					    whole_node,
					    quarter,
					    {.gpus = 2, .cpus = 9, .memory = 70000, .weight = 0.3},
					    {.gpus = 4, .memory = 300000, .weight = 2}};
	struct gw_mix *mix = make(kinds, COUNT(kinds));

	for (uint32_t gpus = 0; gpus < GPUS; gpus++)
		for (uint32_t cpus = 0; cpus < CPUS; cpus++)
			for (uint64_t memory = 0; memory < MEMORY; memory += 32768) {
				uint32_t worth = gw_mix_worth(mix, gpus, cpus, memory);

				ck_assert(worth <= gw_mix_worth(mix, gpus + 1, cpus, memory));
				ck_assert(worth <= gw_mix_worth(mix, gpus, cpus + 1, memory));
				ck_assert(worth <= gw_mix_worth(mix, gpus, cpus, memory + 32768));
			}
	gw_mix_free(mix);
}
END_TEST

START_TEST(bad_mixes_are_refused)
{
	struct gw_error error = {0};

	ck_assert_ptr_null(gw_mix_create(NULL, 0, 8, 64, 1024, &error));
	ck_assert(gw_error_is_set(&error));
	gw_error_clear(&error);
	ck_assert_ptr_null(gw_mix_create(&no_gpu, 1, 8, 64, 1024, &error));
	ck_assert(gw_error_is_set(&error));
	gw_error_clear(&error);
	ck_assert_ptr_null(gw_mix_create(&one_gpu, 1, GW_MIX_GPUS_MAX + 1, 64, 1024, &error));
	ck_assert(gw_error_is_set(&error));
	gw_mix_free(NULL);
}
END_TEST

/* A full mix of the largest nodes does not wrap. */
START_TEST(largest_nodes)
{
	struct gw_error error = {0};
	struct gw_mix *mix = gw_mix_create(&one_gpu, 1, GW_MIX_GPUS_MAX, 512, 0, &error);

	ck_assert_ptr_nonnull(mix);
	ck_assert_uint_eq(gw_mix_worth(mix, GW_MIX_GPUS_MAX, 512, 0), GW_MIX_GPUS_MAX * GW_MIX_GPU);
	gw_mix_free(mix);
}
END_TEST

static struct gw_node node_of(uint32_t index, gw_gpus free, uint32_t cpus)
{
	return (struct gw_node){.index = index,
				.shape = -1,
				.all = 0xff,
				.free = free,
				.cpus_free = cpus,
				.cpus_total = 64,
				.memory_free = MEMORY,
				.memory_total = MEMORY,
				.busy_until = free == 0xff ? 0 : 3600};
}

/* Where a job goes once the mix is known. */
static const struct place_row {
	struct gw_mix_kind kind;
	struct gw_ask ask;
	struct {
		gw_gpus free;
		uint32_t cpus;
	} node[2];
	uint32_t chosen;
} place_rows[] = {
	/* Jobs here take 12 CPUs a GPU: node 0 is left with one GPU and 8 CPUs, node 1 with 16. */
	{{.gpus = 1, .cpus = 12, .weight = 1},
	 {.min_nodes = 1, .gpus_per_node = 1, .cpus_per_node = 8},
	 {{0x03, 16}, {0x07, 64}},
	 1},
	/* They take 4: both are as good, the fuller one it is. */
	{{.gpus = 1, .cpus = 4, .weight = 1},
	 {.min_nodes = 1, .gpus_per_node = 1, .cpus_per_node = 8},
	 {{0x03, 16}, {0x07, 64}},
	 0},
	/* Pairs are what comes: one GPU from the three, not from the two. */
	{{.gpus = 2, .cpus = 2, .weight = 1},
	 {.min_nodes = 1, .gpus_per_node = 1, .cpus_per_node = 1},
	 {{0x03, 16}, {0x07, 16}},
	 1},
	/* CPUs only, from the node whose GPUs can spare them. */
	{{.gpus = 1, .cpus = 8, .weight = 1},
	 {.min_nodes = 1, .cpus_per_node = 9},
	 {{0x03, 20}, {0x01, 17}},
	 1},
};

START_TEST(nodes_by_what_they_lose)
{
	const struct place_row *row = &place_rows[_i];
	struct gw_error error = {0};
	struct gw_place *place = gw_place_create(NULL, 0, 2, &error);
	struct gw_mix *mix = make(&row->kind, 1);
	struct gw_ask ask = row->ask;
	struct gw_choice choice;
	struct gw_node nodes[2];
	const char *reason;

	for (uint32_t i = 0; i < 2; i++)
		nodes[i] = node_of(i, row->node[i].free, row->node[i].cpus);
	ask.mix = mix;
	ck_assert_uint_eq(gw_place_nodes(place, &ask, nodes, 2, &choice, 1, &reason), 1);
	ck_assert_uint_eq(choice.index, row->chosen);
	gw_mix_free(mix);
	gw_place_free(place);
}
END_TEST

START_TEST(worth_of_a_moment)
{
	/* Run times of seconds are expected: what a node loses decides all the same. */
	const struct gw_mix_kind kind = {.gpus = 1, .cpus = 12, .weight = 1};
	struct gw_error error = {0};
	struct gw_place *place = gw_place_create(NULL, 0, 2, &error);
	struct gw_mix *mix = make(&kind, 1);
	float stays[GW_GRID_POINTS] = {0}, ended[GW_GRID_POINTS];
	struct gw_node nodes[] = {node_of(0, 0xff, 32), node_of(1, 0xff, 64)};
	struct gw_ask ask = {.min_nodes = 1,
			     .gpus_per_node = 1,
			     .cpus_per_node = 24,
			     .mix = mix,
			     .stays = stays};
	struct gw_choice choice;
	const char *reason;

	for (int i = 0; i < GW_GRID_POINTS; i++)
		ended[i] = 1;
	for (int j = 0; j < 2; j++) {
		nodes[j].ended = ended;
		nodes[j].cpus_total = nodes[j].cpus_free;
	}
	ck_assert_uint_eq(gw_place_nodes(place, &ask, nodes, 2, &choice, 1, &reason), 1);
	ck_assert_uint_eq(choice.index, 1);
	gw_mix_free(mix);
	gw_place_free(place);
}
END_TEST

/*
 * Only whole nodes are of worth, so that three free GPUs are not: which node it is depends on when
 * its jobs end. The one whose jobs end later is kept from being whole for less.
 */
START_TEST(worth_is_lost_while_it_runs)
{
	const struct gw_mix_kind kind = {.gpus = 8, .weight = 1};
	struct gw_error error = {0};
	struct gw_place *place = gw_place_create(NULL, 0, 2, &error);
	struct gw_mix *mix = make(&kind, 1);
	float stays[GW_GRID_POINTS], ended[2][GW_GRID_POINTS];
	struct gw_node nodes[] = {node_of(0, 7, 64), node_of(1, 7, 64)};
	struct gw_ask ask = {
		.min_nodes = 1, .gpus_per_node = 1, .mix = mix, .stays = stays, .limit = 86400};
	struct gw_choice choice;
	const char *reason;

	for (int later = 0; later < 2; later++) {
		for (int i = 0; i < GW_GRID_POINTS; i++) {
			stays[i] = i < 20 ? gw_grid_weight[i] : 0;
			for (int j = 0; j < 2; j++)
				ended[j][i] = i >= (j == later ? 12 : 6);
		}
		for (int j = 0; j < 2; j++)
			nodes[j].ended = ended[j];
		ck_assert_uint_eq(gw_place_nodes(place, &ask, nodes, 2, &choice, 1, &reason), 1);
		ck_assert_uint_eq(choice.index, later);
	}
	gw_mix_free(mix);
	gw_place_free(place);
}
END_TEST

START_TEST(memory_may_run_out)
{
	for (unsigned int n = 1;; n++) {
		struct gw_error error = {0};
		struct gw_mix *mix;

		alloc_fail_at(n);
		mix = gw_mix_create(&one_gpu, 1, GPUS, CPUS, MEMORY, &error);
		if (!alloc_failed()) {
			gw_mix_free(mix);
			return;
		}
		ck_assert_ptr_null(mix);
		ck_assert(gw_error_is_set(&error));
	}
}
END_TEST

UNIT_MAIN("mix", UNIT_ROWS(worth_is, worth_rows), UNIT(more_is_never_worth_less),
	  UNIT(bad_mixes_are_refused), UNIT(largest_nodes),
	  UNIT_ROWS(nodes_by_what_they_lose, place_rows), UNIT(worth_of_a_moment),
	  UNIT(worth_is_lost_while_it_runs), UNIT(memory_may_run_out))

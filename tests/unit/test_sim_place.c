// SPDX-License-Identifier: GPL-2.0-or-later
/* Where jobs go, by policy: nodes and GPUs as "node:mask", in the order chosen. */
#include "sim_jobs.h"

#include "unit.h"

static void light_end(struct gw_model *model)
{
	model->node[model->node_count - 1].weight = 0;
}

static void heavy_start(struct gw_model *model)
{
	model->node[0].weight = model->node[1].weight = 9;
}

/*
 * Slurm's own: runs of neighbouring nodes, the tightest that holds the job; from its beginning. The
 * second node is taken for long, the first only until 100.
 */
#define HOLE                                                                                       \
	{0, 100, 100, 8, "a", "", .start = 0, .where = "0:ff"},                                    \
	{                                                                                          \
		0, 900, 900, 8, "a", "", .start = 0, .where = "1:ff"                               \
	}

static const struct sim_case stock[] = {
	{"from the first node on", "fifo", "4x8", .row = {HOLE}},
	{"the tightest run that holds it", "fifo", "4x8",
	 .row = {HOLE, {200, 9, 9, 8, "a", "", .start = 200, .where = "0:ff"}}},
	{"a run of one does not hold two", "fifo", "4x8",
	 .row = {HOLE, {200, 9, 9, 16, "a", "", .start = 200, .where = "2:ff 3:ff"}}},
	{"where none holds all: the largest, then what is left", "fifo", "4x8",
	 .row = {HOLE, {200, 9, 9, 24, "a", "", .start = 200, .where = "2:ff 3:ff 0:ff"}}},
	{"the rest of a gang by the same rule", "fifo", "4x8",
	 .row = {HOLE, {200, 9, 9, 20, "a", "", .start = 200, .where = "2:ff 3:ff 0:f"}}},
	{"tight is by CPUs: of runs of one the busier node", "fifo", "3x8",
	 .row = {{0, 900, 900, 4, "a", "", .start = 0, .where = "0:f"},
		 {0, 900, 900, 8, "a", "", .start = 0, .where = "1:ff"},
		 {1, 9, 9, 4, "a", "", .start = 1, .where = "0:f0"}}},
	{"the lightest node first", "fifo", "4x8",
	 .row = {{0, 9, 9, 8, "a", "", .start = 0, .where = "3:ff"}}, .change = light_end},
	{"though another run would hold all of it", "fifo", "4x8",
	 .row = {{0, 9, 9, 16, "a", "", .start = 0, .where = "3:ff 0:ff"}}, .change = light_end},
	{"heavy ones last", "fifo", "4x8",
	 .row = {{0, 9, 9, 24, "a", "", .start = 0, .where = "2:ff 3:ff 0:ff"}},
	 .change = heavy_start},
};

START_TEST(runs_of_neighbours)
{
	sim_check(&stock[_i]);
}
END_TEST

static void least_loaded(struct gw_model *model)
{
	model->partition[0].lln = true;
}

static const struct sim_case peers[] = {
	{"first fit: the lowest index", "first-fit", "2x8",
	 .row = {{0, 900, 900, 4, "a", "", .start = 0, .where = "0:f"},
		 {0, 900, 900, 6, "a", "", .start = 0, .where = "1:3f"},
		 {1, 9, 9, 2, "a", "", .start = 1, .where = "0:30"}}},
	{"best fit: least GPUs left", "best-fit", "2x8",
	 .row = {{0, 900, 900, 4, "a", "", .start = 0, .where = "0:f"},
		 {0, 900, 900, 6, "a", "", .start = 0, .where = "1:3f"},
		 {1, 9, 9, 2, "a", "", .start = 1, .where = "1:c0"}}},
	{"best fit: gangs from the far end", "best-fit", "4x8",
	 .row = {{0, 9, 9, 16, "a", "", .start = 0, .where = "3:ff 2:ff"},
		 {0, 9, 9, 8, "a", "", .start = 0, .where = "0:ff"}}},
	{"best fit: their rest on what is broken", "best-fit", "4x8",
	 .row = {{0, 9, 9, 2, "a", "", .start = 0, .where = "0:3"},
		 {0, 9, 9, 20, "a", "", .start = 0, .where = "3:ff 2:ff 0:3c"}}},
	{"best fit: light nodes first", "best-fit", "2x8",
	 .row = {{0, 900, 900, 1, "a", "", .start = 0, .where = "1:1"},
		 {0, 900, 900, 1, "a", "", .start = 0, .where = "1:2"}},
	 .change = light_end},
	{"CR_LLN: the least loaded", "lln", "2x8",
	 .row = {{0, 900, 900, 1, "a", "", .start = 0, .where = "0:1"},
		 {0, 900, 900, 2, "a", "", .start = 0, .where = "1:3"},
		 {1, 9, 9, 1, "a", "", .start = 1, .where = "0:2"}}},
	{"LLN=yes of a partition is Slurm's own choice there", "stock", "2x8",
	 .row = {{0, 900, 900, 1, "a", "", .start = 0, .where = "0:1"},
		 {0, 900, 900, 2, "a", "", .start = 0, .where = "1:3"}},
	 .change = least_loaded},
	{"and Gangway leaves it as it is", "gangway", "2x8",
	 .row = {{0, 900, 900, 1, "a", "", .start = 0, .where = "0:1"},
		 {0, 900, 900, 2, "a", "", .start = 0, .where = "1:3"}},
	 .change = least_loaded},
	{"but no rule of a peer", "best-fit", "2x8",
	 .row = {{0, 900, 900, 1, "a", "", .start = 0, .where = "0:1"},
		 {0, 900, 900, 2, "a", "", .start = 0, .where = "0:6"}},
	 .change = least_loaded},
	{"buddy: aligned cells, from what is broken most", "buddy", "1x8",
	 .row = {{0, 9, 9, 1, "a", "", .start = 0, .where = "0:1"},
		 {0, 9, 9, 3, "a", "", .start = 0, .where = "0:70"},
		 {0, 9, 9, 1, "a", "", .start = 0, .where = "0:2"},
		 {0, 9, 9, 1, "a", "", .start = 0, .where = "0:80"},
		 {0, 9, 9, 2, "a", "", .start = 0, .where = "0:c"}}},
	{"buddy: two GPUs of two cells are none", "buddy", "1x8",
	 .row = {{0, 100, 100, 3, "a", "", .start = 0, .where = "0:7"},
		 {0, 200, 200, 3, "a", "", .start = 0, .where = "0:70"},
		 {1, 9, 9, 2, "a", "", .start = 103, .where = "0:3"}}},
	{"buddy: the node whose cell is smallest", "buddy", "2x8",
	 .row = {{0, 9, 9, 4, "a", "", .start = 0, .where = "0:f"},
		 {0, 9, 9, 8, "a", "", .start = 0, .where = "1:ff"},
		 {20, 9, 9, 2, "a", "", .start = 20, .where = "0:3"},
		 {21, 9, 9, 1, "a", "", .start = 21, .where = "0:4"}}},
	{"buddy: CPUs alone", "buddy", "1x8",
	 .row = {{0, 9, 9, 0, "a", "", .start = 0, .where = "0:0"}}},
	/* Jobs ask for 4, 5 and five times 2. A third free GPU is of no use to more of them. */
	{"FGD: where least is lost to what jobs ask for", "fgd", "2x8",
	 .row = {{0, 900, 900, 4, "a", "", .start = 0, .where = "0:f"},
		 {0, 900, 900, 5, "a", "", .start = 0, .where = "1:1f"},
		 {1, 900, 900, 2, "a", "", .start = 1, .where = "0:30"},
		 {2, 900, 900, 2, "a", "", .start = 2, .where = "0:c0"},
		 {3, 900, 900, 2, "a", "", .start = 3, .where = "1:60"},
		 {4, 1, 1, 2, "a", "", .start = 903},
		 {5, 1, 1, 2, "a", "", .start = 903}}},
	{"best fit fills the other", "best-fit", "2x8",
	 .row = {{0, 900, 900, 4, "a", "", .start = 0, .where = "0:f"},
		 {0, 900, 900, 5, "a", "", .start = 0, .where = "1:1f"},
		 {1, 900, 900, 2, "a", "", .start = 1, .where = "1:60"}}},
};

START_TEST(rules_of_peers)
{
	sim_check(&peers[_i]);
}
END_TEST

/* The core's answers, here only that they are asked for and heard. */

static void two_domains(struct gw_model *model)
{
	for (size_t i = 1; i < model->node_count; i++)
		model->node[i].domain = 1;
}

/* Links between GPUs 0 and 2, 1 and 3, and so on. */
static void linked_pairs(struct gw_model *model)
{
	model->shape = calloc(1, sizeof(*model->shape));
	model->shape_count = 1;
	model->shape->gpus = 8;
	model->shape->sockets = 1;
	for (int i = 0; i < 8; i++)
		model->shape->link[i][i ^ 2] = 2;
	for (size_t i = 0; i < model->node_count; i++)
		model->node[i].shape = 0;
}

static const struct sim_case gangway[] = {
	{"a broken node before a whole one", "gangway", "2x8",
	 .row = {{0, 9, 9, 4, "a", "", .start = 0, .where = "0:f"},
		 {0, 9, 9, 8, "a", "", .start = 0, .where = "1:ff"},
		 {1, 9, 9, 2, "a", "", .start = 1, .where = "0:30"}}},
	{"a gang in one domain", "gangway", "3x8",
	 .row = {{0, 9, 9, 16, "a", "", .start = 0, .where = "1:ff 2:ff"}}, .change = two_domains},
	{"with a rest in it", "gangway", "4x8",
	 .row = {{0, 9, 9, 20, "a", "", .start = 0, .where = "1:ff 2:ff 3:f"}},
	 .change = two_domains},
	{"linked GPUs", "gangway", "1x8",
	 .row = {{0, 9, 9, 2, "a", "", .start = 0, .where = "0:5"}}, .change = linked_pairs},
	{"linked GPUs under other rules as well", "best-fit", "1x8",
	 .row = {{0, 9, 9, 2, "a", "", .start = 0, .where = "0:5"}}, .change = linked_pairs},
	{"stock's order, the core's nodes", "gangway-place", "3x8",
	 .row = {{0, 9, 9, 16, "a", "", .start = 0, .where = "1:ff 2:ff"}}, .change = two_domains},
	{"the core's order, stock's nodes", "gangway-order", "3x8",
	 .row = {{0, 9, 9, 16, "a", "", .start = 0, .where = "0:ff 1:ff"}}, .change = two_domains},
};

START_TEST(choices_of_the_core)
{
	sim_check(&gangway[_i]);
}
END_TEST

/* A shape that no table can be made of is an error, not a wrong answer. */
START_TEST(a_shape_that_is_none)
{
	static const struct sim_row row = {0, 9, 9, 2, "a", "", .start = 0};
	struct gw_error error = {0};
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, "stock", "1x8", NULL);
	linked_pairs(&jobs.model);
	jobs.model.shape->gpus = 0;
	sim_jobs_add(&jobs, &row);
	ck_assert_int_eq(gw_sim_run(&jobs.trace, &jobs.model, &jobs.policy, &jobs.options,
				    &jobs.result, &error),
			 -1);
	ck_assert_uint_gt(strlen(error.text), 0);
	sim_jobs_free(&jobs);
}
END_TEST

UNIT_MAIN("sim_place", UNIT_ROWS(runs_of_neighbours, stock); UNIT_ROWS(rules_of_peers, peers);
	  UNIT_ROWS(choices_of_the_core, gangway); UNIT(a_shape_that_is_none))

// SPDX-License-Identifier: GPL-2.0-or-later
/* How many GPUs a request comes to, in all its spellings, and how a type is filled in. */
#include "src/core/route_gpus.h"
#include "unit.h"

/* h100, a100: positions in the expected counts of a request. */
static const char *const types[] = {"", "h100", "a100"};

/* One request in many spellings: what it comes to. */
static const struct {
	struct gw_gpus_request request;
	uint32_t total, total_max, per_node, nodes_min, nodes_max;
	uint32_t of[3]; /* untyped, h100, a100 */
} spellings[] = {
	/* Case 11: the same GPU six times, in the words of 22.05 and of 24.11. */
	{{.tres = {[GW_PER_NODE] = "gres:gpu:1"}}, 1, 1, 1, 1, 0, {1}},
	{{.tres = {[GW_PER_NODE] = "gres/gpu:1"}}, 1, 1, 1, 1, 0, {1}},
	{{.tres = {[GW_PER_JOB] = "gres:gpu:1"}}, 1, 1, 0, 1, 0, {1}},
	{{.tres = {[GW_PER_JOB] = "gres/gpu:1"}}, 1, 1, 0, 1, 0, {1}},
	{{.tres = {[GW_PER_TASK] = "gres:gpu:1"}, .tasks = 1}, 1, 1, 1, 1, 0, {1}},
	{{.tres = {[GW_PER_TASK] = "gres/gpu=1"}, .tasks = 1}, 1, 1, 1, 1, 0, {1}},
	{{.tres = {[GW_PER_TASK] = "cpu=4,gres/gpu=1"}, .tasks = 1}, 1, 1, 1, 1, 0, {1}},
	{{.tres = {[GW_PER_SOCKET] = "gres:gpu:1"}, .sockets_per_node = 1}, 1, 1, 1, 1, 0, {1}},
	{{.tres = {[GW_PER_SOCKET] = "gres/gpu:1"}, .sockets_per_node = 1}, 1, 1, 1, 1, 0, {1}},
	/* A job of one node has all of them there. */
	{{.tres = {[GW_PER_JOB] = "gres:gpu:8"}, .nodes_min = 1, .nodes_max = 1},
	 8,
	 8,
	 8,
	 1,
	 1,
	 {8}},
	/* Nodes, sockets and tasks multiply. */
	{{.tres = {[GW_PER_NODE] = "gres:gpu:h100:8"}, .nodes_min = 4, .nodes_max = 4},
	 32,
	 32,
	 8,
	 4,
	 4,
	 {0, 32}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu:h100:8"}, .nodes_min = 2, .nodes_max = 4},
	 16,
	 32,
	 8,
	 2,
	 4,
	 {0, 16}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu:2"}, .tasks = 64}, 2, 0, 2, 1, 0, {2}},
	{{.tres = {[GW_PER_SOCKET] = "gres:gpu:2"},
	  .sockets_per_node = 2,
	  .nodes_min = 2,
	  .nodes_max = 2},
	 8,
	 8,
	 4,
	 2,
	 2,
	 {8}},
	{{.tres = {[GW_PER_SOCKET] = "gres:gpu:2"}, .tasks = 5, .tasks_per_socket = 2},
	 6,
	 0,
	 2,
	 1,
	 0,
	 {6}},
	{{.tres = {[GW_PER_TASK] = "gres/gpu:h100=2"}, .tasks = 8, .tasks_per_node = 4},
	 16,
	 16,
	 8,
	 1,
	 0,
	 {0, 16}},
	{{.tres = {[GW_PER_TASK] = "gres/gpu:2"}, .nodes_min = 3, .nodes_max = 3},
	 6,
	 6,
	 2,
	 3,
	 3,
	 {6}},
	{{.tres = {[GW_PER_TASK] = "gres/gpu:2"},
	  .nodes_min = 3,
	  .nodes_max = 3,
	  .tasks_per_node = 2},
	 12,
	 12,
	 4,
	 3,
	 3,
	 {12}},
	{{.tres = {[GW_PER_TASK] = "gres/gpu:2"},
	  .tasks_per_gpu = 2,
	  .nodes_min = 2,
	  .nodes_max = 2},
	 8,
	 8,
	 2,
	 2,
	 2,
	 {8}},
	{{.tres = {[GW_PER_TASK] = "gres/gpu:2", [GW_PER_JOB] = "gres/gpu:8"}}, 8, 8, 2, 1, 0, {8}},
	{{.tres = {[GW_PER_JOB] = "gres/gpu:16", [GW_PER_NODE] = "gres/gpu:8"}},
	 16,
	 16,
	 8,
	 2,
	 2,
	 {16}},
	{{.tasks = 8, .tasks_per_gpu = 2}, 4, 4, 0, 1, 0, {4}},
	/* A type alone is one; 0 is none; other things are no GPUs; suffixes are Slurm's. */
	{{.tres = {[GW_PER_NODE] = "gres:gpu:h100"}}, 1, 1, 1, 1, 0, {0, 1}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu"}}, 1, 1, 1, 1, 0, {1}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu:0"}}, 0, 0, 0, 1, 0, {0}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu:1k"}}, 1024, 1024, 1024, 1, 0, {1024}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu:1KB"}}, 1000, 1000, 1000, 1, 0, {1000}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu:1kib"}}, 1024, 1024, 1024, 1, 0, {1024}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu:99999999999999999999"}},
	 100000000,
	 100000000,
	 100000000,
	 1,
	 0,
	 {100000000}},
	{{.tres = {[GW_PER_NODE] = "gres:gpu:9p"}},
	 100000000,
	 100000000,
	 100000000,
	 1,
	 0,
	 {100000000}},
	{{.tres = {[GW_PER_NODE] = "gres:nic:2,gres:shard:4,gres/gpumem:80,craynetwork:1"}},
	 0,
	 0,
	 0,
	 1,
	 0,
	 {0}},
	/* Case 13: several types beside other GRES, counted exactly. */
	{{.tres = {[GW_PER_NODE] = "gres:gpu:h100:2,gres:nic:1,gres:gpu:a100:1"}},
	 3,
	 3,
	 3,
	 1,
	 0,
	 {0, 2, 1}},
	/* Case 18: with and without a type is the same device. */
	{{.tres = {[GW_PER_NODE] = "gres/gpu=4"}}, 4, 4, 4, 1, 0, {4}},
	{{.tres = {[GW_PER_NODE] = "gres/gpu:h100=1"}}, 1, 1, 1, 1, 0, {0, 1}},
	{{.tres = {[GW_PER_NODE] = "gres/gpu:a100=1,gres/gpu=1"}}, 1, 2, 1, 1, 0, {1, 0, 1}},
	/* In one string the last of a type counts, as in Slurm. */
	{{.tres = {[GW_PER_NODE] = "gres:gpu:h100:2,,gres:gpu:h100:3"}}, 3, 3, 3, 1, 0, {0, 3}},
	{{.tres = {[GW_PER_NODE] = ""}}, 0, 0, 0, 1, 0, {0}},
};

START_TEST(one_request)
{
	struct gw_gpus gpus;

	ck_assert_int_eq(gw_gpus_read(&spellings[_i].request, &gpus, NULL), 0);
	ck_assert_uint_eq(gpus.total, spellings[_i].total);
	ck_assert_uint_eq(gpus.total_max, spellings[_i].total_max);
	ck_assert_uint_eq(gpus.per_node, spellings[_i].per_node);
	ck_assert_uint_eq(gpus.nodes_min, spellings[_i].nodes_min);
	ck_assert_uint_eq(gpus.nodes_max, spellings[_i].nodes_max);
	for (uint32_t i = 0; i < gpus.types; i++)
		for (int type = 0; type < COUNT(types); type++)
			if (!strcmp(gpus.of[i].type, types[type]))
				ck_assert_uint_eq(gpus.of[i].total, spellings[_i].of[type]);
}
END_TEST

static const char *const unreadable[] = {
	"gres:gpu:",
	"gres:gpu::1",
	"gres:gpu:h100:",
	"gres:gpu:h100:x",
	"gres/gpu=x",
	"gres/gpu:h100=",
	"gres:gpu:a:b:2",
	"gres:gpu:2:h100",
	"gres:gpu:1,gres:gpu:",
	"gres:gpu:0123456789012345678901234567890123456789012345678901234567890123456789:1",
	"gres:gpu:a,gres:gpu:b,gres:gpu:c,gres:gpu:d,gres:gpu:e,gres:gpu:f,gres:gpu:g,gres:gpu:h,"
	"gres:gpu:i",
};

START_TEST(what_slurm_refuses)
{
	const struct gw_gpus_request request = {.tres = {[GW_PER_NODE] = unreadable[_i]}};
	struct gw_error error = {0};
	struct gw_gpus gpus;

	ck_assert_int_eq(gw_gpus_read(&request, &gpus, &error), -1);
	ck_assert(gw_error_is_set(&error));
}
END_TEST

static const struct {
	const char *tres, *typed;
	unsigned int filled;
} typing[] = {
	{"gres:gpu:2", "gres:gpu:h100:2", 1},
	{"gres/gpu=2", "gres/gpu:h100=2", 1},
	{"gres:gpu", "gres:gpu:h100", 1},
	{"cpu=2,gres/gpu:2,gres/nic:1", "cpu=2,gres/gpu:h100:2,gres/nic:1", 1},
	{"gres:gpu:a100:2", "gres:gpu:a100:2", 0},
	{"gres:gpu:a100", "gres:gpu:a100", 0},
	{"gres:gpu:0", "gres:gpu:0", 0},
	{"gres:gpumem:2", "gres:gpumem:2", 0},
};

START_TEST(types_are_filled_in)
{
	struct gw_str typed = {0};

	ck_assert_uint_eq(gw_gpus_type_tres(typing[_i].tres, "h100", &typed), typing[_i].filled);
	ck_assert_str_eq(gw_str_text(&typed), typing[_i].typed);
	gw_str_free(&typed);
}
END_TEST

UNIT_MAIN("route_gpus", UNIT_ROWS(one_request, spellings);
	  UNIT_ROWS(what_slurm_refuses, unreadable); UNIT_ROWS(types_are_filled_in, typing))

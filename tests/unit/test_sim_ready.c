// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The two orders that the simulator keeps instead of making anew: nodes by the time at which they
 * have room, and ends of running jobs in Slurm's windows. Both must say what they would say made
 * anew.
 */
#include "src/sim/sim_impl.h"
#include "src/util/random.h"
#include "unit.h"

#define NODES 40

struct machine {
	struct sim sim;
	struct gw_sim_policy policy;
	struct gw_error error;
	struct sim_node node[NODES];
	struct sim_unit unit[2];
	bool has[2 * NODES];
	struct sim_ready ready[2];
	struct gw_random random;
};

/* Two lanes: all nodes, and every third. The first unit is of 3 GPUs, the second of 8. */
static struct machine *machine_new(void)
{
	struct machine *machine = calloc(1, sizeof(*machine));
	struct sim *sim = &machine->sim;

	machine->unit[0].gpus = 3;
	machine->unit[1].gpus = 8;
	machine->ready[0] = (struct sim_ready){.unit = 0, .lane = 0};
	machine->ready[1] = (struct sim_ready){.unit = 1, .lane = 1};
	*sim = (struct sim){.policy = &machine->policy,
			    .error = &machine->error,
			    .node = machine->node,
			    .node_count = NODES,
			    .unit = machine->unit,
			    .unit_count = 2,
			    .ready = machine->ready,
			    .ready_count = 2,
			    .lane_has = machine->has,
			    .lane_count = 2};
	for (int i = 0; i < NODES; i++) {
		machine->node[i].all = machine->node[i].free = 0xff;
		machine->has[i] = true;
		machine->has[NODES + i] = i % 3 == 0;
	}
	gw_random_seed(&machine->random, 1);
	ck_assert_int_eq(sim_ready_log_new(sim), 0);
	ck_assert_int_eq(sim_ready_new(sim, &machine->ready[0]), 0);
	ck_assert_int_eq(sim_ready_new(sim, &machine->ready[1]), 0);
	return machine;
}

static void machine_free(struct machine *machine)
{
	for (int i = 0; i < NODES; i++)
		free(machine->node[i].hold);
	sim_ready_free(&machine->ready[0]);
	sim_ready_free(&machine->ready[1]);
	free(machine->sim.changed);
	free(machine);
}

/* A node is free, or holds one job on some GPUs until one of few times: many are alike. */
static void change_a_node(struct machine *machine)
{
	uint32_t index = (uint32_t)gw_random_below(&machine->random, NODES);
	struct sim_node *node = &machine->node[index];
	gw_gpus taken = (gw_gpus)gw_random_below(&machine->random, 256);

	if (!node->hold)
		node->hold = calloc(1, sizeof(*node->hold));
	node->hold_count = taken != 0;
	node->hold[0] = (struct sim_hold){
		.gpus = taken, .until = 10 + (int64_t)gw_random_below(&machine->random, 5)};
	node->free = node->all & (gw_gpus)~taken;
	sim_ready_changed(&machine->sim, index);
}

static void expect_order(struct machine *machine, uint32_t which)
{
	const struct sim_ready *ready = sim_ready(&machine->sim, which);
	size_t now = 0;

	for (size_t i = 0; i < ready->count; i++) {
		uint32_t node = ready->order[i];
		int64_t at = sim_node_ready(&machine->sim, node, ready->unit);

		now += at == 0;
		ck_assert_int_eq(ready->at[node], at);
		ck_assert(machine->has[ready->lane * NODES + node]);
		if (i && ready->at[ready->order[i - 1]] == at)
			ck_assert_uint_lt(ready->order[i - 1], node);
		else if (i)
			ck_assert_int_lt(ready->at[ready->order[i - 1]], at);
	}
	ck_assert_uint_eq(ready->now_count, now);
}

START_TEST(nodes_stay_in_order)
{
	struct machine *machine = machine_new();

	expect_order(machine, 0);
	ck_assert_uint_eq(sim_ready(&machine->sim, 0)->count, NODES);
	ck_assert_uint_eq(sim_ready(&machine->sim, 1)->count, (NODES + 2) / 3);
	/* Few changes between questions are made up for one by one, many by sorting anew. */
	for (int round = 0; round < 2000; round++) {
		for (uint64_t n = gw_random_below(&machine->random, 9); n; n--)
			change_a_node(machine);
		expect_order(machine, 0);
		if (round % 3 == 0)
			expect_order(machine, 1);
	}
	machine_free(machine);
}
END_TEST

/* --- windows --- */

#define ENDS 60

static int compare_times(const void *a, const void *b)
{
	int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;

	return left < right ? -1 : left > right;
}

/* As Slurm goes: end by end, until the next one is beyond the window. */
static int64_t walk(int64_t *end, size_t count, int64_t ready, int64_t linear)
{
	int64_t window = 30, first;

	qsort(end, count, sizeof(*end), compare_times);
	first = count ? end[0] + 30 - end[0] % 30 : 0;
	for (size_t i = 0; i < count; i++) {
		if (i + 1 < count && end[i + 1] <= first + window)
			continue;
		if (end[i] >= ready)
			return end[i];
		while (i + 1 < count && end[i + 1] > first + window)
			window += linear ? linear : window;
	}
	return ready;
}

static const int64_t linears[] = {0, 7, 60, 1000};

START_TEST(room_is_noticed_at_the_end_of_a_window)
{
	int64_t room[ENDS], copy[ENDS];
	struct gw_random random;
	struct sim_windows windows = {.end = room};

	gw_random_seed(&random, 2);
	for (int round = 0; round < 300; round++) {
		int64_t span = 1 + (int64_t)gw_random_below(&random, 20000), ready = 0;

		if (windows.count < ENDS && (!windows.count || gw_random_below(&random, 5) < 3))
			sim_windows_started(&windows, (int64_t)gw_random_below(&random, 20000));
		else
			sim_windows_ended(&windows, room[gw_random_below(&random, windows.count)]);
		sim_windows_begin(&windows);
		for (int i = 0; i < 20; i++) {
			memcpy(copy, room, sizeof(copy));
			ready = i % 2 ? ready + 20 : (int64_t)gw_random_below(&random, span);
			ck_assert_int_eq(sim_windows_notice(&windows, ready + 1, linears[_i]),
					 walk(copy, windows.count, ready + 1, linears[_i]));
		}
	}
}
END_TEST

START_TEST(what_a_pass_starts_counts_from_the_next_on)
{
	int64_t room[3];
	struct sim_windows windows = {.end = room};

	sim_windows_started(&windows, 1000);
	sim_windows_begin(&windows);
	ck_assert_int_eq(sim_windows_notice(&windows, 500, 0), 1000);
	sim_windows_started(&windows, 600);
	ck_assert_int_eq(sim_windows_notice(&windows, 400, 0), 1000);
	sim_windows_begin(&windows);
	ck_assert_int_eq(sim_windows_notice(&windows, 400, 0), 600);
	/* One that this pass started may end before the next. */
	sim_windows_started(&windows, 700);
	sim_windows_ended(&windows, 700);
	ck_assert_uint_eq(windows.count, 2);
	ck_assert_int_eq(sim_windows_notice(&windows, 1001, 0), 1001);
}
END_TEST

UNIT_MAIN("sim_ready", UNIT(nodes_stay_in_order);
	  UNIT_ROWS(room_is_noticed_at_the_end_of_a_window, linears);
	  UNIT(what_a_pass_starts_counts_from_the_next_on))

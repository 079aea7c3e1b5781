// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/core/coreset.h"

#include "cores_text.h"
#include "unit.h"

/* Of cores with 2 threads, but for the last rows. */
static const struct {
	const char *what;
	struct gw_core_need need;
	uint32_t cores, worth;
} needs[] = {
	{"8 tasks", {8, 1, 2, 0, 1}, 4, 2},
	{"an odd number of CPUs", {3, 3, 2, 0, 9}, 5, 2},
	{"one task of many CPUs", {1, 20, 2, 0, 20}, 10, 2},
	{"CPUs for each GPU are more", {1, 1, 2, 0, 24}, 12, 2},
	{"--threads-per-core=1", {8, 1, 1, 0, 8}, 8, 1},
	{"--ntasks-per-core=1", {8, 1, 2, 1, 8}, 8, 1},
	{"the same, tasks of 3 CPUs", {2, 3, 2, 1, 6}, 4, 2},
	{"the same, tasks of 4 CPUs", {2, 4, 2, 1, 8}, 4, 2},
	{"no tasks a CPU are given", {2, 0, 2, 0, 0}, 1, 2},
	{"it is not known", {0, 4, 2, 0, 8}, 0, 2},
	{"4 threads, 2 tasks a core", {8, 1, 4, 2, 8}, 4, 2},
	{"one thread", {8, 2, 1, 0, 16}, 16, 1},
};

START_TEST(needs_are_counted_in_cores)
{
	ck_assert_msg(gw_core_need_cores(&needs[_i].need) == needs[_i].cores, "%s: %u",
		      needs[_i].what, gw_core_need_cores(&needs[_i].need));
	ck_assert_uint_eq(gw_core_need_worth(&needs[_i].need), needs[_i].worth);
}
END_TEST

#define ANY NULL

/*
 * The nodes: 2 sockets of 16 cores, all cores of a socket near its GPUs (hgx); 2 sockets of 64 with
 * 4 NUMA nodes of 16 each, of which every other one has a pair of GPUs (dgx: 48-63 and 16-31,
 * 112-127 and 80-95); 4 sockets of 8 (quad).
 */
static const struct {
	const char *what;
	uint32_t per_socket, wanted;
	bool exact, bound;
	const char *free, *near, *other, *chosen;
} rows[] = {
	{"hgx, idle, few", 16, 4, true, false, "0-31", "0-15", "", "0-15"},
	{"hgx, just all of the socket", 16, 16, true, false, "0-31", "0-15", "16-31", "0-15"},
	{"hgx, 4 more: from the next socket", 16, 20, true, false, "0-31", "16-31", "0-15",
	 "0-3,16-31"},
	{"hgx, 4 more, bound: Slurm says", 16, 20, true, true, "0-31", "16-31", "0-15", ANY},
	{"hgx, all cores", 16, 32, true, false, "0-31", "0-15", "16-31", ANY},
	{"hgx, more than all", 16, 40, true, false, "0-31", "0-15", "16-31", ANY},
	{"hgx, both sockets' GPUs", 16, 20, true, false, "0-31", "0-31", "", ANY},
	{"hgx, near ones all taken", 16, 2, true, false, "16-31", "0-15", "16-31", "16-17"},
	{"hgx, near ones all taken, bound", 16, 2, true, true, "16-31", "0-15", "16-31", ANY},
	{"hgx, some taken", 16, 12, true, false, "4-31", "0-15", "16-31", "4-15"},
	{"dgx, a pair", 64, 16, true, false, "0-127", "48-63", "16-31,80-95,112-127", "48-63"},
	{"dgx, more: where no GPU is", 64, 20, true, false, "0-127", "48-63", "16-31,80-95,112-127",
	 "0-3,48-63"},
	{"dgx, more, bound: the socket's", 64, 20, true, true, "0-127", "48-63",
	 "16-31,80-95,112-127", "0-3,48-63"},
	{"dgx, then where GPUs are free", 64, 52, true, false, "0-127", "48-63",
	 "16-31,80-95,112-127", "0-19,32-63"},
	{"dgx, then the other socket", 64, 70, true, false, "0-127", "48-63", "16-31,80-95,112-127",
	 "0-69"},
	{"dgx, of that too where no GPU is", 64, 70, true, false, "0-127", "48-63",
	 "16-31,64-79,112-127", "0-63,80-85"},
	{"dgx, half a node", 64, 40, true, false, "0-127", "16-31,48-63", "80-95,112-127",
	 "0-7,16-31,48-63"},
	{"dgx, only far ones free", 64, 4, true, false, "32-47,64-127", "48-63", "16-31,80-95",
	 "32-35"},
	{"quad, the next sockets in order", 8, 20, true, false, "0-31", "16-23", "24-31",
	 "0-11,16-23"},
	{"a number that is not exact", 16, 20, false, false, "0-31", "16-31", "", ANY},
	{"not exact, but enough near", 16, 8, false, false, "0-31", "16-31", "", "16-31"},
	{"GPUs near no core", 16, 4, true, false, "0-31", "", "", ANY},
	{"no number", 16, 0, true, false, "0-31", "0-15", "", ANY},
	{"sockets not known", 0, 18, true, false, "0-31", "0-15", "", "0-17"},
	{"the last core there may be", 512, 1, true, false, "0-1023", "1023", "0-1022", "1023"},
};

START_TEST(cores_go_with_gpus)
{
	const struct gw_cores free = cores_of(rows[_i].free), near = cores_of(rows[_i].near),
			      other = cores_of(rows[_i].other);
	const struct gw_coreset_ask ask = {
		.per_socket = rows[_i].per_socket,
		.wanted = rows[_i].wanted,
		.exact = rows[_i].exact,
		.bound = rows[_i].bound,
		.free = &free,
		.near = &near,
		.other = &other,
	};
	struct gw_cores chosen;
	bool some = gw_coreset_choose(&ask, &chosen);
	char text[256];

	ck_assert_msg(some == (rows[_i].chosen != ANY), "%s", rows[_i].what);
	if (some)
		ck_assert_str_eq(list_of(&chosen, text), rows[_i].chosen);
}
END_TEST

/* For any free and near cores, wanted number and rule. */
START_TEST(an_answer_keeps_its_promises)
{
	uint64_t word = (uint64_t)_i * 0x9e3779b97f4a7c15;

	for (int turn = 0; turn < 200; turn++) {
		struct gw_cores free = {{0}}, near = {{0}}, other = {{0}}, chosen;
		struct gw_coreset_ask ask = {
			.per_socket = 8 << turn % 3, .free = &free, .near = &near, .other = &other};
		uint32_t count;

		word = word * 6364136223846793005 + 1442695040888963407;
		free.word[0] = word ^ word >> 29;
		near.word[0] = word * 0xbf58476d1ce4e5b9 & word * 0x94d049bb133111eb;
		other.word[0] = ~near.word[0] & word << 7;
		ask.wanted = (uint32_t)(word >> 58);
		ask.exact = word >> 8 & 1;
		ask.bound = word >> 9 & 1;
		if (!gw_coreset_choose(&ask, &chosen))
			continue;
		count = gw_cores_count(&chosen);
		ck_assert_uint_eq(chosen.word[0] & ~free.word[0], 0);
		ck_assert_uint_ge(count, ask.wanted);
		ck_assert_uint_lt(count, gw_cores_count(&free));
		/* All near ones, and others only where these are not enough. */
		ck_assert_uint_eq(free.word[0] & near.word[0] & ~chosen.word[0], 0);
		if (chosen.word[0] & ~near.word[0]) {
			ck_assert(ask.exact);
			ck_assert_uint_eq(count, ask.wanted);
		}
		if (ask.bound)
			ck_assert_uint_eq(
				gw_coreset_count(&chosen, &near, ask.per_socket).elsewhere, 0);
	}
}
END_TEST

static const struct {
	const char *held, *near;
	uint32_t per_socket;
	struct gw_coreset_count count;
} held_rows[] = {
	{"0-15", "0-15", 16, {16, 0, 0}},
	{"0-3,16-31", "16-31", 16, {16, 0, 4}},
	{"0-3,48-63", "48-63", 64, {16, 4, 0}},
	{"0-69", "48-63", 64, {16, 48, 6}},
	{"4-5", "", 16, {0, 0, 2}},
	{"", "0-15", 16, {0, 0, 0}},
};

START_TEST(cores_that_are_held_are_counted)
{
	const struct gw_cores held = cores_of(held_rows[_i].held),
			      near = cores_of(held_rows[_i].near);
	struct gw_coreset_count count = gw_coreset_count(&held, &near, held_rows[_i].per_socket);

	ck_assert_uint_eq(count.near, held_rows[_i].count.near);
	ck_assert_uint_eq(count.same_socket, held_rows[_i].count.same_socket);
	ck_assert_uint_eq(count.elsewhere, held_rows[_i].count.elsewhere);
}
END_TEST

static const int seeds[] = {1, 2, 3, 4, 5};

UNIT_MAIN("coreset", UNIT_ROWS(needs_are_counted_in_cores, needs),
	  UNIT_ROWS(cores_go_with_gpus, rows), UNIT_ROWS(an_answer_keeps_its_promises, seeds),
	  UNIT_ROWS(cores_that_are_held_are_counted, held_rows))

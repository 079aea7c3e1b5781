// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/core/numbers.h"

#include "unit.h"

#define MAX 20000

/* Jobs in the wanted order, by name, and the number of each name. */
struct fixture {
	struct gw_numbers_workspace *work;
	uint32_t name[MAX], number_of[MAX], number[MAX];
	size_t count, startable, changed;
};

static struct fixture *set_up(size_t startable, size_t blocked)
{
	struct fixture *f = calloc(1, sizeof(*f));

	f->work = gw_numbers_workspace_new(NULL);
	f->startable = startable;
	f->count = startable + blocked;
	for (size_t i = 0; i < f->count; i++)
		f->name[i] = (uint32_t)i;
	return f;
}

static void tear_down(struct fixture *f)
{
	gw_numbers_workspace_free(f->work);
	free(f);
}

static void assign(struct fixture *f)
{
	for (size_t i = 0; i < f->count; i++)
		f->number[i] = f->number_of[f->name[i]];
	ck_assert_int_eq(
		gw_numbers_assign(f->work, f->number, f->count, f->startable, &f->changed, NULL),
		0);
	for (size_t i = 0; i < f->count; i++)
		f->number_of[f->name[i]] = f->number[i];
}

/* Each ck_assert() costs a system call, so a whole order is looked at first. */
static bool is_good(const struct fixture *f, size_t i, uint32_t gap)
{
	uint32_t number = f->number[i];

	if (i < f->startable)
		return number >= GW_NUMBER_LOW && number <= GW_NUMBER_HIGH &&
		       (!i || f->number[i - 1] >= number + gap);
	return number >= GW_NUMBER_BLOCKED && number < GW_NUMBER_LOW &&
	       (!i || f->number[i - 1] > number);
}

/* Order by number is the wanted order, in the right ranges and with the gap. */
static void check(const struct fixture *f, uint32_t gap)
{
	size_t bad = SIZE_MAX;

	for (size_t i = 0; i < f->count; i++)
		if (!is_good(f, i, gap))
			bad = i;
	ck_assert_msg(bad == SIZE_MAX, "the number of job %zu is wrong", bad);
}

static void move(struct fixture *f, size_t from, size_t to)
{
	uint32_t moved = f->name[from];

	memmove(f->name + from, f->name + from + 1, (f->count - from - 1) * sizeof(*f->name));
	memmove(f->name + to + 1, f->name + to, (f->count - to - 1) * sizeof(*f->name));
	f->name[to] = moved;
}

static uint32_t random_state = 1;

static uint32_t pick(size_t below)
{
	random_state = random_state * 1664525 + 1013904223;
	return (uint32_t)((random_state >> 4) % below);
}

START_TEST(what_is_in_order_stays)
{
	struct fixture *f = set_up(100, 50);

	assign(f);
	check(f, GW_NUMBER_GAP);
	ck_assert_uint_eq(f->changed, 150);
	assign(f);
	check(f, GW_NUMBER_GAP);
	ck_assert_uint_eq(f->changed, 0);
	tear_down(f);
}
END_TEST

START_TEST(nothing_is_something_too)
{
	struct fixture *f = set_up(0, 0);

	assign(f);
	ck_assert_uint_eq(f->changed, 0);
	tear_down(f);
}
END_TEST

static const struct {
	size_t startable, blocked, from, to;
} moves[] = {
	{100, 0, 99, 0},    {100, 0, 0, 99},    {100, 0, 50, 51}, {100, 0, 10, 90},
	{1000, 0, 1, 999},  {10000, 0, 1, 999}, {0, 100, 99, 0},  {0, 100, 3, 60},
	{10, 100, 10, 109}, {2, 0, 0, 1},
};

START_TEST(one_that_moved_is_one_rewritten)
{
	struct fixture *f = set_up(moves[_i].startable, moves[_i].blocked);

	assign(f);
	move(f, moves[_i].from, moves[_i].to);
	assign(f);
	ck_assert_uint_eq(f->changed, 1);
	check(f, GW_NUMBER_GAP);
	tear_down(f);
}
END_TEST

/* A job that may start now, one that no longer may: each is one change. */
START_TEST(jobs_change_sides)
{
	struct fixture *f = set_up(20, 20);

	assign(f);
	move(f, 30, 7);
	f->startable++;
	assign(f);
	ck_assert_uint_eq(f->changed, 1);
	move(f, 3, 30);
	f->startable--;
	assign(f);
	ck_assert_uint_eq(f->changed, 1);
	check(f, GW_NUMBER_GAP);
	tear_down(f);
}
END_TEST

/* Numbers of others, out of range or twice, are not kept. */
START_TEST(strange_numbers_are_replaced)
{
	static const uint32_t strange[] = {
		UINT32_MAX, 0, 1, GW_NUMBER_LOW, GW_NUMBER_LOW, GW_NUMBER_HIGH, GW_NUMBER_HIGH + 1,
		5,          5, 1};
	struct fixture *f = set_up(6, 4);

	memcpy(f->number_of, strange, sizeof(strange));
	assign(f);
	check(f, GW_NUMBER_GAP);
	tear_down(f);
}
END_TEST

/* Always before all others: the gap above is used up slowly, and then made anew. */
static const struct {
	const char *what;
	size_t from, to;
	double most; /* rewritten a time, on average */
} repeats[] = {
	{"to the front", 199, 0, 1.5},        {"to the back", 0, 199, 1.5},
	{"to one place", 199, 100, 12},       {"blocked to the front", 399, 200, 8},
	{"blocked to the back", 200, 399, 8},
};

START_TEST(gaps_that_are_used_up_are_made_anew)
{
	struct fixture *f = set_up(200, 200);
	size_t total = 0;

	assign(f);
	for (int i = 0; i < 5000; i++) {
		move(f, repeats[_i].from, repeats[_i].to);
		assign(f);
		check(f, GW_NUMBER_GAP);
		total += f->changed;
	}
	ck_assert_msg((double)total / 5000 <= repeats[_i].most, "%s: %g each", repeats[_i].what,
		      (double)total / 5000);
	tear_down(f);
}
END_TEST

/* Jobs come, go, move and change sides at random. */
START_TEST(random_changes_keep_the_order)
{
	struct fixture *f = set_up(300, 100);
	size_t total = 0, rounds = 3000;

	assign(f);
	for (size_t i = 0; i < rounds; i++) {
		switch (pick(4)) {
		case 0: /* one goes, another comes */
			f->number_of[f->name[pick(f->count)]] = 0;
			break;
		case 1:
			move(f, pick(f->startable), pick(f->startable));
			break;
		case 2:
			if (f->startable > 100)
				f->startable--;
			break;
		default:
			if (f->startable < f->count)
				f->startable++;
			break;
		}
		assign(f);
		check(f, GW_NUMBER_GAP);
		total += f->changed;
	}
	ck_assert_msg(total <= 2 * rounds, "%g each", (double)total / (double)rounds);
	tear_down(f);
}
END_TEST

/* 500 moves: those, and some of their neighbours where it became narrow. */
START_TEST(shuffled_jobs)
{
	struct fixture *f = set_up(2000, 500);

	assign(f);
	for (int round = 0; round < 20; round++) {
		for (size_t i = 0; i < 500; i++)
			move(f, pick(2000), pick(2000));
		assign(f);
		check(f, GW_NUMBER_GAP);
		ck_assert_uint_le(f->changed, 1000);
	}
	tear_down(f);
}
END_TEST

/* Against all subsets: where there is room as many stay as possible, and never more change. */
START_TEST(as_many_as_can_stay)
{
	size_t changed = 0, needed = 0;

	for (int round = 0; round < 300; round++) {
		enum { N = 8 };
		struct fixture *f = set_up(N, 0);
		size_t most = 0;

		for (size_t i = 0; i < N; i++)
			f->number_of[i] = GW_NUMBER_LOW + pick(12) * 2048 * GW_NUMBER_GAP;
		for (unsigned int set = 0; set < 1U << N; set++) {
			int64_t last = GW_NUMBER_HIGH + (int64_t)GW_NUMBER_GAP, at = -1;
			bool possible = true;
			size_t size = 0;

			for (int i = 0; i < N; i++) {
				if (!(set & 1U << i))
					continue;
				possible = possible && last - f->number_of[i] >=
							       (i - at) * (int64_t)GW_NUMBER_GAP;
				last = f->number_of[i];
				at = i;
				size++;
			}
			possible = possible &&
				   last - GW_NUMBER_LOW >= (N - 1 - at) * (int64_t)GW_NUMBER_GAP;
			if (possible && size > most)
				most = size;
		}
		assign(f);
		check(f, GW_NUMBER_GAP);
		ck_assert_uint_ge(f->changed, N - most);
		changed += f->changed;
		needed += N - most;
		tear_down(f);
	}
	ck_assert_msg(changed <= needed + needed / 10, "%zu for %zu", changed, needed);
}
END_TEST

static const struct {
	size_t count;
	uint32_t gap;
} gaps[] = {{12287, 65536}, {12288, 32768}, {19999, 32768}};

START_TEST(many_jobs_have_smaller_gaps)
{
	struct fixture *f = set_up(gaps[_i].count, 0);

	assign(f);
	check(f, gaps[_i].gap);
	move(f, 17, 4711);
	assign(f);
	check(f, gaps[_i].gap);
	ck_assert_uint_eq(f->changed, 1);
	tear_down(f);
}
END_TEST

/* Blocked jobs stay below outside jobs: their numbers are small. */
START_TEST(blocked_numbers_are_dense)
{
	struct fixture *f = set_up(0, 1000);

	assign(f);
	ck_assert_uint_lt(f->number[0], 4200);
	tear_down(f);
}
END_TEST

START_TEST(one_number_between_two)
{
	uint32_t top = gw_number_between(0, 0), above = gw_number_between(0, top);
	uint32_t below = gw_number_between(top, 0);

	ck_assert(top > GW_NUMBER_LOW && top < GW_NUMBER_HIGH);
	ck_assert_uint_ge(above, top + GW_NUMBER_GAP);
	ck_assert_uint_le(below, top - GW_NUMBER_GAP);
	ck_assert_uint_eq(gw_number_between(GW_NUMBER_LOW + 10, GW_NUMBER_LOW + 8),
			  GW_NUMBER_LOW + 9);
	ck_assert_uint_eq(gw_number_between(GW_NUMBER_LOW + 9, GW_NUMBER_LOW + 8), 0);
	ck_assert_uint_eq(gw_number_between(0, GW_NUMBER_HIGH), 0);
	ck_assert_uint_eq(gw_number_between(GW_NUMBER_LOW, 0), 0);
	/* A blocked neighbour behind is none; so is one with a strange number. */
	ck_assert_uint_eq(gw_number_between(top, 17), below);
	ck_assert_uint_eq(gw_number_between(UINT32_MAX, top), above);
}
END_TEST

START_TEST(one_number_between_two_blocked)
{
	uint32_t first = gw_number_between_blocked(GW_NUMBER_HIGH, 0);

	ck_assert(first >= GW_NUMBER_BLOCKED && first < 100);
	ck_assert_uint_eq(gw_number_between_blocked(10, 6), 8);
	ck_assert_uint_eq(gw_number_between_blocked(10, 9), 0);
	ck_assert_uint_eq(gw_number_between_blocked(2, 0), 0);
	ck_assert_uint_eq(gw_number_between_blocked(0, 100), 102);
	ck_assert_uint_lt(gw_number_between_blocked(100, 0), 100);
}
END_TEST

START_TEST(memory_out)
{
	uint32_t number[3] = {1, 2, 3};

	for (unsigned int n = 1; n < 7; n++) {
		struct gw_numbers_workspace *work;
		struct gw_error error = {0};
		size_t changed = 0;
		int result = -1;

		alloc_fail_at(n);
		work = gw_numbers_workspace_new(&error);
		if (work)
			result = gw_numbers_assign(work, number, 3, 2, &changed, &error);
		ck_assert_int_eq(alloc_failed(), result != 0);
		ck_assert_int_eq(gw_error_is_set(&error), result != 0);
		ck_assert_int_eq(number[2] == 3 && number[1] == 2, result != 0);
		gw_numbers_workspace_free(work);
	}
	gw_numbers_workspace_free(NULL);
}
END_TEST

START_TEST(too_many_are_refused)
{
	struct gw_numbers_workspace *work = gw_numbers_workspace_new(NULL);
	struct gw_error error = {0};
	size_t changed;

	ck_assert_int_eq(gw_numbers_assign(work, NULL, GW_NUMBER_LOW, 0, &changed, &error), -1);
	ck_assert_str_eq(error.text, "too many jobs to number");
	gw_numbers_workspace_free(work);
}
END_TEST

UNIT_MAIN("numbers", UNIT(what_is_in_order_stays), UNIT(nothing_is_something_too),
	  UNIT_ROWS(one_that_moved_is_one_rewritten, moves), UNIT(jobs_change_sides),
	  UNIT(strange_numbers_are_replaced),
	  UNIT_ROWS(gaps_that_are_used_up_are_made_anew, repeats),
	  UNIT(random_changes_keep_the_order), UNIT(shuffled_jobs), UNIT(as_many_as_can_stay),
	  UNIT_ROWS(many_jobs_have_smaller_gaps, gaps), UNIT(blocked_numbers_are_dense),
	  UNIT(one_number_between_two), UNIT(one_number_between_two_blocked), UNIT(memory_out),
	  UNIT(too_many_are_refused))

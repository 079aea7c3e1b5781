// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "order_jobs.h"
#include "unit.h"

/* Jobs of A: small and young 1, small and old 2, whole-node 3. */
static const struct {
	const char *what, *globals, *order;
	int small_class;
	bool whole_held, whole_elsewhere;
} holds[] = {
	{"steps back", "SmallHold=12:00:00\n", "2 3 1", STANDARD, false, false},
	{"off", "SmallHold=0\n", "2 1 3", STANDARD, false, false},
	{"highest class", "SmallHold=12:00:00\n", "2 1 3", HIGH, false, false},
	{"nobody waits", "SmallHold=12:00:00\n", "2 1", STANDARD, true, false},
	{"other GPUs", "SmallHold=12:00:00\n", "2 1 3", STANDARD, false, true},
};

START_TEST(young_small_jobs_step_back)
{
	struct fixture *f = set_up_with(holds[_i].globals);

	for (int i = 0; i < 3; i++)
		add(f, A)->job_class = holds[_i].small_class;
	f->job[1].eligible = NOW - 13 * HOUR;
	take_whole_node(&f->job[2]);
	f->job[2].eligible = NOW - 60;
	f->job[2].held = holds[_i].whole_held;
	f->job[2].flavor = holds[_i].whole_elsewhere ? A100 : H100;
	if (holds[_i].whole_elsewhere)
		gw_quota_hold(f->quota, 0, A100, 9);
	ck_assert_msg(!strcmp(order(f), holds[_i].order), "%s: %s, not %s", holds[_i].what, f->text,
		      holds[_i].order);
	tear_down(f);
}
END_TEST

START_TEST(small_jobs_step_back_behind_other_queues)
{
	struct fixture *f = set_up("SmallHold=12:00:00\n" PLAIN);

	add(f, A);
	take_whole_node(add(f, B));
	add(f, C)->job_class = GW_INDEX_NONE;
	f->usage[line_of(f, B, H100)] = usage_of(50);
	ck_assert_str_eq(order(f), "2 1 3");
	tear_down(f);
}
END_TEST

enum first { AS_ALL, BARRED, JUST_COME, ELSEWHERE };

/* Small jobs of A, the oldest first, and a whole-node job that is younger than all of them. */
static const struct {
	const char *what, *batch, *gpus, *order;
	uint32_t tasks;   /* of job 1 */
	enum first first; /* what job 1 is like */
} batches[] = {
	{"off", "0", "1111", "5 1 2 3 4", 1, AS_ALL},
	{"too few", "4", "111", "4 1 2 3", 1, AS_ALL},
	{"a batch", "4", "1111", "1 2 3 4 5", 1, AS_ALL},
	{"the youngest is too many", "4", "11111", "1 2 3 4 6 5", 1, AS_ALL},
	{"two batches", "4", "11111111", "1 2 3 4 5 6 7 8 9", 1, AS_ALL},
	{"one that is a batch", "4", "14", "2 3 1", 1, AS_ALL},
	{"of equal ones the oldest", "4", "2222222", "1 2 3 4 5 6 8 7", 1, AS_ALL},
	{"no more than the remainder stays", "4", "33", "1 2 3", 1, AS_ALL},
	{"of different ones the largest", "4", "12121", "2 4 6 1 3 5", 1, AS_ALL},
	{"an array alone", "4", "11", "1 3 2", 4, AS_ALL},
	{"that is barred", "4", "1111", "5 2 3 4 ! 1", 1, BARRED},
	{"that has just come", "4", "1111", "5 2 3 4 1", 1, JUST_COME},
	{"of other GPUs", "4", "1111", "6 5 1 2 3 4", 1, ELSEWHERE},
};

START_TEST(small_jobs_go_in_batches)
{
	bool barred[10] = {batches[_i].first == BARRED};
	char globals[64];
	struct fixture *f;
	size_t count = strlen(batches[_i].gpus);

	snprintf(globals, sizeof(globals), "SmallHold=12:00:00 SmallBatch=%s\n", batches[_i].batch);
	f = set_up_with(globals);
	for (size_t i = 0; i <= count; i++)
		add(f, A)->eligible = NOW - (int64_t)(count - i + 1) * 60;
	for (size_t i = 0; i < count; i++)
		resize(&f->job[i], (uint32_t)(batches[_i].gpus[i] - '0'));
	take_whole_node(&f->job[count]);
	f->job[0].tasks = batches[_i].tasks;
	f->in.barred = barred;
	if (batches[_i].first == JUST_COME)
		f->job[0].eligible = NOW;
	if (batches[_i].first == ELSEWHERE) {
		f->job[0].flavor = A100;
		take_whole_node(add(f, A));
		f->job[count + 1].flavor = A100;
	}
	ck_assert_msg(!strcmp(order(f), batches[_i].order), "%s: %s, not %s", batches[_i].what,
		      f->text, batches[_i].order);
	tear_down(f);
}
END_TEST

/* Who goes with a batch has a short limit, so that it goes as a whole. */
START_TEST(a_batch_goes_before_shorter_jobs)
{
	struct fixture *f =
		set_up_with("SmallHold=12:00:00 SmallBatch=2 WithinQueue=shortest-limit\n");

	add(f, A)->limit = 4 * HOUR;
	add(f, A)->limit = 4 * HOUR;
	take_whole_node(add(f, A));
	rank(f);
	ck_assert_str_eq(order(f), "1 2 3");
	for (size_t i = 0; i < f->count; i++)
		ck_assert(!f->rank[i].back);
	f->job[1].held = true;
	ck_assert_str_eq(order(f), "3 1");
	ck_assert(!f->rank[0].back && f->rank[1].back);
	tear_down(f);
}
END_TEST

START_TEST(how_long_a_job_is_held)
{
	struct fixture *f = set_up_with("SmallHold=12:00:00\n");

	ck_assert_int_eq(gw_order_hold_left(f->conf, NOW - HOUR, NOW), 11 * HOUR);
	ck_assert_int_eq(gw_order_hold_left(f->conf, NOW - DAY, NOW), 1);
	tear_down(f);
}
END_TEST

/* Jobs of A: 2 GPUs for 4 hours 1, 1 GPU for 8 hours 2, an older one of a whole node 3. */
static const struct {
	const char *what, *match, *order, *moved;
	struct gw_order_gap gap;
	int job_class;
	uint32_t tasks; /* of job 1 */
} gaps[] = {
	{"none", "0.5", "3 1 2", "", {H100, 0, 0}, STANDARD, 1},
	{"both", "0.5", "1 2 3", "1 2", {H100, 3, NOW + 4 * HOUR}, STANDARD, 1},
	{"the longer limit", "0.5", "2 3 1", "2", {H100, 2, NOW + 4 * HOUR}, STANDARD, 1},
	{"too short for it", "0.5", "1 3 2", "1", {H100, 2, NOW + 4 * HOUR - 1}, STANDARD, 1},
	{"all of the limit", "1", "1 3 2", "1", {H100, 3, NOW + 4 * HOUR}, STANDARD, 1},
	{"other GPUs", "0.5", "3 1 2", "", {A100, 3, NOW + 4 * HOUR}, STANDARD, 1},
	{"highest class", "0.5", "3 1 2", "", {H100, 3, NOW + 4 * HOUR}, HIGH, 1},
	{"not all tasks", "0.5", "2 3 1", "2", {H100, 4, NOW + 4 * HOUR}, STANDARD, 2},
	{"all tasks", "0.5", "1 2 3", "1 2", {H100, 5, NOW + 4 * HOUR}, STANDARD, 2},
	{"over by its limit", "0.5", "3 1 2", "", {H100, 3, NOW - 1}, STANDARD, 1},
	{"off", "0", "3 1 2", "", {H100, 3, NOW + 4 * HOUR}, STANDARD, 1},
};

/* Ids of the jobs that a gap has moved, in order. */
static const char *moved(struct fixture *f)
{
	size_t length = 0;

	f->text[0] = '\0';
	for (size_t i = 0; i < f->count; i++)
		if (f->rank[i].gap)
			length +=
				(size_t)snprintf(f->text + length, sizeof(f->text) - length,
						 length ? " %u" : "%u", f->job[f->rank[i].job].id);
	return f->text;
}

START_TEST(gaps_go_to_small_jobs)
{
	char globals[64];
	struct fixture *f;

	snprintf(globals, sizeof(globals), "GapMatch=%s WithinQueue=shortest-limit\n",
		 gaps[_i].match);
	f = set_up_with(globals);
	for (int i = 0; i < 3; i++)
		add(f, A)->job_class = gaps[_i].job_class;
	resize(&f->job[0], 2);
	f->job[0].limit = 4 * HOUR;
	f->job[0].tasks = gaps[_i].tasks;
	f->job[1].limit = 8 * HOUR;
	take_whole_node(&f->job[2]);
	f->job[2].limit = DAY;
	f->job[2].eligible -= HOUR;
	set_gap(f, &gaps[_i].gap);
	ck_assert_msg(!strcmp(order(f), gaps[_i].order), "%s: %s, not %s", gaps[_i].what, f->text,
		      gaps[_i].order);
	ck_assert_msg(!strcmp(moved(f), gaps[_i].moved), "%s: %s, not %s", gaps[_i].what, f->text,
		      gaps[_i].moved);
	tear_down(f);
}
END_TEST

/* A user may set the limit of a waiting job to 0, and it ends as soon as it starts. */
START_TEST(gap_for_a_job_without_time)
{
	static const struct gw_order_gap gap = {H100, 3, NOW + DAY};
	struct fixture *f = set_up("GapMatch=0.5 WithinQueue=shortest-limit\n" PLAIN);

	add(f, A);
	add(f, A)->limit = 0;
	add(f, A)->limit = 0;
	f->job[2].tasks = 2;
	set_gap(f, &gap);
	ck_assert_str_eq(order(f), "2 3 1");
	tear_down(f);
}
END_TEST

/* Only in its own queue: B is owed more. Nobody is moved for it then. */
START_TEST(gaps_are_no_way_past_other_queues)
{
	static const struct gw_order_gap gap = {H100, 3, NOW + DAY};
	struct fixture *f = set_up("GapMatch=0.5\n" PLAIN);

	add(f, A);
	add(f, B);
	f->usage[line_of(f, A, H100)] = usage_of(1);
	set_gap(f, &gap);
	ck_assert_str_eq(order(f), "2 1");
	ck_assert_str_eq(moved(f), "");
	tear_down(f);
}
END_TEST

/* One class only: there is no highest one to be spared. */
START_TEST(the_only_class_is_not_the_highest)
{
	struct fixture *f = set_up("SmallHold=12:00:00 WithinQueue=shortest-limit\n" WEEKLY
				   "ClassName=x Rank=1 Default=yes\n" FLAVORS ONE_POOL QUEUES);

	for (int i = 0; i < 3; i++)
		add(f, A)->job_class = 0;
	f->job[1].limit = 60;
	f->job[2].whole_nodes = true;
	ck_assert_str_eq(order(f), "3 2 1");
	tear_down(f);
}
END_TEST

UNIT_MAIN("order_small", UNIT_ROWS(young_small_jobs_step_back, holds),
	  UNIT_ROWS(small_jobs_go_in_batches, batches), UNIT(a_batch_goes_before_shorter_jobs),
	  UNIT(how_long_a_job_is_held), UNIT_ROWS(gaps_go_to_small_jobs, gaps),
	  UNIT(gap_for_a_job_without_time), UNIT(gaps_are_no_way_past_other_queues),
	  UNIT(small_jobs_step_back_behind_other_queues), UNIT(the_only_class_is_not_the_highest))

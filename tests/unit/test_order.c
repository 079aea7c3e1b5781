// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/core/order.h"

#include <math.h>
#include <stdio.h>

#include "conf_text.h"
#include "unit.h"

#define NOW  INT64_C(1700000000)
#define HOUR 3600
#define DAY  86400
#define WEEK (7 * DAY)

enum { A, B, C };
enum { HIGH, STANDARD };
enum { H100, A100 };

#define WEEKLY      "UsageHalfLife=7-0\n"
#define TWO_CLASSES "ClassName=high Rank=3\nClassName=standard Rank=2 Default=yes\n"
#define FLAVORS                                                                                    \
	"FlavorName=h100 Gres=gpu:h100 Partition=gpu\nFlavorName=a100 Gres=gpu:a100 "              \
	"Partition=old\n"
#define ONE_POOL "PoolName=all Quota=h100=1000,a100=1000\n"
#define QUEUES   "QueueName=a Pool=all\nQueueName=b Pool=all\nQueueName=c Pool=all\n"
#define PLAIN    WEEKLY TWO_CLASSES FLAVORS ONE_POOL QUEUES

#define LINES_MAX 64
#define JOBS_MAX  4096

struct fixture {
	struct gw_conf *conf;
	struct gw_quota *quota;
	struct gw_order_workspace *work;
	struct gw_order_input in;
	double usage[LINES_MAX], held[LINES_MAX];
	struct gw_job job[JOBS_MAX];
	const struct gw_order_rank *rank;
	size_t count;
	char text[1024];
};

static struct fixture *set_up(const char *conf_text)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct gw_error error = {0};

	ck_assert_msg(!conf_load_text(conf_text, &f->conf, &error), "%s", error.text);
	f->quota = gw_quota_new(f->conf, NULL);
	f->work = gw_order_workspace_new(NULL);
	f->in = (struct gw_order_input){.conf = f->conf,
					.jobs = f->job,
					.usage = f->usage,
					.held = f->held,
					.quota = f->quota,
					.now = NOW};
	ck_assert_uint_le(gw_lines(f->conf), LINES_MAX);
	return f;
}

static size_t line_of(const struct fixture *f, int32_t queue, int32_t flavor)
{
	size_t line = gw_line(f->conf, queue, flavor);

	ck_assert(line < LINES_MAX);
	return line < LINES_MAX ? line : 0;
}

static void tear_down(struct fixture *f)
{
	gw_order_workspace_free(f->work);
	gw_quota_free(f->quota);
	gw_conf_free(f->conf);
	free(f);
}

/* A standard job of one h100 for an hour, an hour old; tests change what they are about. */
static struct gw_job *add(struct fixture *f, int queue)
{
	struct gw_job *job = &f->job[f->in.job_count++];

	*job = (struct gw_job){.id = (uint32_t)f->in.job_count,
			       .tasks = 1,
			       .queue = queue,
			       .flavor = H100,
			       .job_class = STANDARD,
			       .gpus = 1,
			       .nodes = 1,
			       .rate = 1,
			       .limit = HOUR,
			       .submit = NOW - HOUR,
			       .eligible = NOW - HOUR};
	return job;
}

static void resize(struct gw_job *job, uint32_t gpus)
{
	job->gpus = gpus;
	job->rate = gpus;
}

/* u = rate of so many GPUs for ever would have: the key of what is held and used compare. */
static double usage_of(double gpus)
{
	return gpus * WEEK / log(2);
}

static void rank(struct fixture *f)
{
	struct gw_error error = {0};

	ck_assert_msg(!gw_order_ranks(f->work, &f->in, &f->rank, &f->count, &error), "%s",
		      error.text);
}

/* Job ids in order; "|" before the first that waits its turn and "!" before the first blocked. */
static const char *order(struct fixture *f)
{
	size_t length = 0;
	int state = 0;

	rank(f);
	f->text[0] = '\0';
	for (size_t i = 0; i < f->count; i++) {
		int group = (int)f->rank[i].state - (int)GW_ORDER_BORROWING;

		if (group > state) {
			length += (size_t)snprintf(f->text + length, sizeof(f->text) - length,
						   group == 1 ? "| " : "! ");
			state = group;
		}
		length += (size_t)snprintf(f->text + length, sizeof(f->text) - length, "%u ",
					   f->job[f->rank[i].job].id);
		ck_assert_uint_lt(length, sizeof(f->text));
	}
	if (length)
		f->text[length - 1] = '\0';
	return f->text;
}

/* --- between queues --- */

START_TEST(the_queue_that_used_least_goes_first)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A);
	add(f, B);
	add(f, C);
	f->usage[line_of(f, A, H100)] = 3;
	f->usage[line_of(f, B, H100)] = 1;
	f->usage[line_of(f, C, H100)] = 2;
	ck_assert_str_eq(order(f), "2 3 1");
	tear_down(f);
}
END_TEST

START_TEST(weight_divides_the_key)
{
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS ONE_POOL
				   "QueueName=a Pool=all Weight=3\nQueueName=b Pool=all\n");

	add(f, A);
	add(f, B);
	f->usage[line_of(f, A, H100)] = usage_of(20);
	f->usage[line_of(f, B, H100)] = usage_of(10);
	ck_assert_str_eq(order(f), "1 2");
	tear_down(f);
}
END_TEST

/* Twice the weight: two starts to the other's one. */
START_TEST(starts_interleave_by_weight)
{
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS ONE_POOL
				   "QueueName=a Pool=all Weight=2\nQueueName=b Pool=all\n");

	for (int i = 0; i < 6; i++)
		add(f, A);
	for (int i = 0; i < 3; i++)
		add(f, B);
	f->usage[line_of(f, B, H100)] = 1;
	ck_assert_str_eq(order(f), "1 7 2 3 8 4 5 9 6");
	tear_down(f);
}
END_TEST

START_TEST(held_now_counts_by_the_share_term)
{
	struct fixture *f = set_up("ShareTerm=0.5\n" PLAIN);

	add(f, A);
	add(f, B);
	f->held[line_of(f, A, H100)] = 4;
	f->usage[line_of(f, B, H100)] = usage_of(1.9);
	ck_assert_str_eq(order(f), "2 1");
	f->usage[line_of(f, B, H100)] = usage_of(2.1);
	ck_assert_str_eq(order(f), "1 2");
	tear_down(f);
}
END_TEST

/* Without a share term only the charge tells the simulation that a start costs. */
START_TEST(charge_interleaves_as_well)
{
	struct fixture *f = set_up("ShareTerm=0 Charge=01:00:00\n" PLAIN);

	add(f, A);
	add(f, A);
	add(f, B);
	f->usage[line_of(f, B, H100)] = 1800;
	ck_assert_str_eq(order(f), "1 3 2");
	tear_down(f);
}
END_TEST

START_TEST(without_decay_a_week_is_the_measure)
{
	struct fixture *f = set_up("UsageHalfLife=NONE\n" TWO_CLASSES FLAVORS ONE_POOL QUEUES);

	add(f, A);
	add(f, B);
	f->held[line_of(f, A, H100)] = 4;
	f->usage[line_of(f, B, H100)] = usage_of(3);
	ck_assert_str_eq(order(f), "2 1");
	tear_down(f);
}
END_TEST

START_TEST(gpu_usage_does_not_rank_cpu_jobs)
{
	struct fixture *f = set_up(PLAIN);

	for (int queue = A; queue <= B; queue++) {
		struct gw_job *job = add(f, queue);

		job->flavor = GW_INDEX_NONE;
		job->gpus = 0;
		job->rate = 0.01;
	}
	f->usage[line_of(f, A, H100)] = usage_of(100);
	f->usage[line_of(f, B, GW_INDEX_NONE)] = 1;
	ck_assert_str_eq(order(f), "1 2");
	tear_down(f);
}
END_TEST

/* Equal in all, as on the first day: the oldest job decides between queues, then the id. */
START_TEST(equal_queues_go_by_age)
{
	struct fixture *f = set_up("ShareTerm=0\n" PLAIN);

	add(f, B)->eligible = NOW - 10;
	add(f, A)->eligible = NOW - 20;
	add(f, C)->eligible = NOW - 15;
	add(f, A)->eligible = NOW - 5;
	add(f, B)->eligible = NOW - 5;
	ck_assert_str_eq(order(f), "2 3 1 4 5");
	tear_down(f);
}
END_TEST

/* Case 16. Usage A 0.10, B 0.09, room for one job: B starts one, then it is A's turn. */
static const struct {
	uint32_t tasks; /* of one array, or 0: as many single jobs */
} bursts[] = {{0}, {100}};

START_TEST(a_burst_inside_one_moment_interleaves)
{
	struct fixture *f = set_up(PLAIN);

	f->usage[line_of(f, A, H100)] = 0.10;
	f->usage[line_of(f, B, H100)] = 0.09;
	if (bursts[_i].tasks) {
		struct gw_job *array = add(f, B);

		resize(array, 8);
		array->tasks = bursts[_i].tasks;
	} else {
		for (int i = 0; i < 100; i++)
			resize(add(f, B), 8);
	}
	resize(add(f, A), 8);
	rank(f);
	ck_assert_int_eq(f->job[f->rank[0].job].queue, B);
	ck_assert_uint_eq(f->rank[0].turn, 1);
	ck_assert_int_eq(f->job[f->rank[1].job].queue, A);
	tear_down(f);
}
END_TEST

/* --- arrays --- */

START_TEST(the_turn_is_what_starts_in_a_row)
{
	struct fixture *f = set_up(PLAIN);
	struct gw_job *array = add(f, A);

	array->tasks = 50;
	add(f, B);
	add(f, A);
	f->usage[line_of(f, B, H100)] = usage_of(9.5);
	ck_assert_str_eq(order(f), "1 2 3");
	ck_assert_uint_eq(f->rank[0].turn, 10);
	ck_assert_uint_eq(f->rank[1].turn, 1);
	/* Then it is the array's turn again, before the third. */
	ck_assert_uint_eq(f->rank[0].again, 2);
	ck_assert_uint_eq(f->rank[1].again, 0);
	tear_down(f);
}
END_TEST

START_TEST(alone_an_array_has_all_the_turns_its_quota_allows)
{
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS "PoolName=all Quota=h100=10\n"
							      "QueueName=a Pool=all\n");
	struct gw_job *array = add(f, A);

	resize(array, 3);
	array->tasks = 50;
	ck_assert_str_eq(order(f), "1");
	ck_assert_uint_eq(f->rank[0].turn, 3);
	ck_assert_uint_eq(f->rank[0].again, 0);
	tear_down(f);
}
END_TEST

START_TEST(other_gpus_do_not_end_a_turn)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A)->tasks = 50;
	add(f, B)->flavor = A100;
	f->usage[line_of(f, B, A100)] = usage_of(4.5);
	ck_assert_str_eq(order(f), "1 2");
	ck_assert_uint_eq(f->rank[0].turn, 50);
	ck_assert_uint_eq(f->rank[0].again, 0);
	tear_down(f);
}
END_TEST

/* Flavors without a type may be the same GPUs; so may two partitions of one type. */
START_TEST(flavors_that_may_be_the_same_gpus_end_a_turn)
{
	static const char *const same[] = {"gpu", "gpu:h100"};

	for (int i = 0; i < COUNT(same); i++) {
		char text[512];
		struct fixture *f;

		snprintf(text, sizeof(text),
			 WEEKLY TWO_CLASSES
			 "FlavorName=h100 Gres=gpu:h100 Partition=gpu\n"
			 "FlavorName=a100 Gres=%s Partition=low\n" ONE_POOL QUEUES,
			 same[i]);
		f = set_up(text);
		add(f, A)->tasks = 50;
		add(f, B)->flavor = A100;
		rank(f);
		/* One start fills its flavor of the pool more than the other is filled. */
		ck_assert_uint_eq(f->rank[0].turn, 1);
		tear_down(f);
	}
}
END_TEST

START_TEST(endless_arrays_end)
{
	struct fixture *f = set_up(PLAIN);

	for (int i = 0; i < 3; i++) {
		struct gw_job *array = add(f, i % 2);

		array->flavor = GW_INDEX_NONE;
		array->gpus = 0;
		array->rate = 0;
		array->tasks = UINT32_MAX;
	}
	ck_assert_str_eq(order(f), "1 2 3");
	tear_down(f);
}
END_TEST

/* --- class, SmallHold, OrderWithinClass --- */

START_TEST(class_goes_before_usage)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A);
	add(f, B)->job_class = HIGH;
	add(f, C)->job_class = GW_INDEX_NONE;
	f->usage[line_of(f, B, H100)] = usage_of(100);
	ck_assert_str_eq(order(f), "2 1 3");
	tear_down(f);
}
END_TEST

START_TEST(classes_of_one_rank_are_equal)
{
	struct fixture *f = set_up(
		WEEKLY
		"ClassName=x Rank=2 QOS=x\nClassName=y Rank=2 QOS=y Default=yes\n" FLAVORS ONE_POOL
			QUEUES);

	add(f, A)->job_class = 0;
	add(f, B)->job_class = 1;
	f->usage[line_of(f, A, H100)] = 1;
	ck_assert_str_eq(order(f), "2 1");
	tear_down(f);
}
END_TEST

START_TEST(usage_before_class_turns_them_round)
{
	struct fixture *f = set_up("OrderWithinClass=usage-before-class\n" PLAIN);

	add(f, A);
	add(f, A)->job_class = HIGH;
	add(f, B)->job_class = HIGH;
	f->usage[line_of(f, B, H100)] = usage_of(1.5);
	ck_assert_str_eq(order(f), "2 1 3");
	/* Equal queues: class, however old the other is. */
	f->usage[line_of(f, B, H100)] = 0;
	f->job[1].job_class = STANDARD;
	f->job[0].eligible = NOW - DAY;
	ck_assert_str_eq(order(f), "3 1 2");
	tear_down(f);
}
END_TEST

START_TEST(age_leaves_usage_out)
{
	struct fixture *f =
		set_up("OrderWithinClass=age WithinQueue=shortest-limit QueueMaxWait=1-0\n" PLAIN);

	f->usage[line_of(f, A, H100)] = usage_of(100);
	add(f, A)->eligible = NOW - 30;
	add(f, B)->eligible = NOW - 10;
	add(f, A)->eligible = NOW - 20;
	add(f, A)->eligible = NOW - 2 * DAY;
	add(f, C)->job_class = HIGH;
	f->job[2].limit = 60;
	ck_assert_str_eq(order(f), "5 4 1 3 2");
	tear_down(f);
}
END_TEST

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
	char text[1024];
	struct fixture *f;

	snprintf(text, sizeof(text), "%s%s", holds[_i].globals, PLAIN);
	f = set_up(text);
	for (int i = 0; i < 3; i++)
		add(f, A)->job_class = holds[_i].small_class;
	f->job[1].eligible = NOW - 13 * HOUR;
	resize(&f->job[2], 8);
	f->job[2].whole_nodes = true;
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
	resize(add(f, B), 8);
	f->job[1].whole_nodes = true;
	add(f, C)->job_class = GW_INDEX_NONE;
	f->usage[line_of(f, B, H100)] = usage_of(50);
	ck_assert_str_eq(order(f), "2 1 3");
	tear_down(f);
}
END_TEST

/* Jobs of A: 2 GPUs for 4 hours 1, 1 GPU for 8 hours 2, an older one of a whole node 3. */
static const struct {
	const char *what, *match, *order;
	struct gw_order_gap gap;
	int job_class;
	uint32_t tasks; /* of job 1 */
} gaps[] = {
	{"none", "0.5", "3 1 2", {H100, 0, 0}, STANDARD, 1},
	{"both", "0.5", "1 2 3", {H100, 3, NOW + 4 * HOUR}, STANDARD, 1},
	{"the longer limit", "0.5", "2 3 1", {H100, 2, NOW + 4 * HOUR}, STANDARD, 1},
	{"too short for it", "0.5", "1 3 2", {H100, 2, NOW + 4 * HOUR - 1}, STANDARD, 1},
	{"all of the limit", "1", "1 3 2", {H100, 3, NOW + 4 * HOUR}, STANDARD, 1},
	{"other GPUs", "0.5", "3 1 2", {A100, 3, NOW + 4 * HOUR}, STANDARD, 1},
	{"highest class", "0.5", "3 1 2", {H100, 3, NOW + 4 * HOUR}, HIGH, 1},
	{"not all tasks", "0.5", "2 3 1", {H100, 4, NOW + 4 * HOUR}, STANDARD, 2},
	{"all tasks", "0.5", "1 2 3", {H100, 5, NOW + 4 * HOUR}, STANDARD, 2},
	{"over by its limit", "0.5", "3 1 2", {H100, 3, NOW - 1}, STANDARD, 1},
	{"off", "0", "3 1 2", {H100, 3, NOW + 4 * HOUR}, STANDARD, 1},
};

START_TEST(gaps_go_to_small_jobs)
{
	char text[1024];
	struct fixture *f;

	snprintf(text, sizeof(text), "GapMatch=%s WithinQueue=shortest-limit\n%s", gaps[_i].match,
		 PLAIN);
	f = set_up(text);
	for (int i = 0; i < 3; i++)
		add(f, A)->job_class = gaps[_i].job_class;
	resize(&f->job[0], 2);
	f->job[0].limit = 4 * HOUR;
	f->job[0].tasks = gaps[_i].tasks;
	f->job[1].limit = 8 * HOUR;
	resize(&f->job[2], 8);
	f->job[2].whole_nodes = true;
	f->job[2].limit = DAY;
	f->job[2].eligible -= HOUR;
	f->in.gaps = &gaps[_i].gap;
	f->in.gap_count = 1;
	ck_assert_msg(!strcmp(order(f), gaps[_i].order), "%s: %s, not %s", gaps[_i].what, f->text,
		      gaps[_i].order);
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
	f->in.gaps = &gap;
	f->in.gap_count = 1;
	ck_assert_str_eq(order(f), "2 3 1");
	tear_down(f);
}
END_TEST

/* Only in its own queue: B is owed more. */
START_TEST(gaps_are_no_way_past_other_queues)
{
	static const struct gw_order_gap gap = {H100, 3, NOW + DAY};
	struct fixture *f = set_up("GapMatch=0.5\n" PLAIN);

	add(f, A);
	add(f, B);
	f->usage[line_of(f, A, H100)] = usage_of(1);
	f->in.gaps = &gap;
	f->in.gap_count = 1;
	ck_assert_str_eq(order(f), "2 1");
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

/* --- inside a queue --- */

/* Jobs: 1 long and 11 days old, 2 long, 3 short, 4 without limit but older than 2 and 3. */
static const struct {
	const char *globals, *order;
	int job_class;
} within[] = {
	{"WithinQueue=fifo QueueMaxWait=NONE\n", "1 4 2 3", STANDARD},
	{"WithinQueue=shortest-limit QueueMaxWait=NONE\n", "3 1 2 4", STANDARD},
	{"WithinQueue=shortest-limit QueueMaxWait=10-0\n", "1 3 2 4", STANDARD},
	{"WithinQueue=shortest-limit QueueMaxWait=10-0\n", "1 4 2 3", HIGH},
};

START_TEST(order_inside_a_queue)
{
	char text[1024];
	struct fixture *f;

	snprintf(text, sizeof(text), "%s%s", within[_i].globals, PLAIN);
	f = set_up(text);
	for (int i = 0; i < 4; i++) {
		add(f, A)->job_class = within[_i].job_class;
		f->job[i].eligible = NOW - 100 + i;
		f->job[i].limit = DAY;
	}
	f->job[0].eligible = NOW - 11 * DAY;
	f->job[2].limit = 60;
	f->job[3].limit = GW_TIME_INFINITE;
	f->job[3].eligible = NOW - 200;
	ck_assert_str_eq(order(f), within[_i].order);
	tear_down(f);
}
END_TEST

START_TEST(eligible_time_is_kept_or_is_that_of_submit)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A)->eligible = 0;
	f->job[0].submit = NOW - 10;
	add(f, A)->eligible = NOW - 20;
	add(f, A)->eligible = NOW + 5;
	ck_assert_str_eq(order(f), "2 1 ! 3");
	tear_down(f);
}
END_TEST

/* Places 1, 3, 5 are ann's, 2 and 4 bob's. */
START_TEST(nice_orders_one_users_jobs_only)
{
	struct fixture *f = set_up(PLAIN);

	for (int i = 0; i < 5; i++) {
		add(f, A)->user = i % 2 ? 7 : 3;
		f->job[i].eligible = NOW - 100 + i;
	}
	f->job[0].nice = 100;
	f->job[4].nice = -5;
	ck_assert_str_eq(order(f), "5 2 3 4 1");
	tear_down(f);
}
END_TEST

/* Nor does it order jobs of another queue, class or flavor. */
START_TEST(nice_stays_in_its_queue_and_class)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A)->nice = 1000;
	add(f, B);
	add(f, A)->job_class = HIGH;
	f->usage[line_of(f, B, H100)] = usage_of(10);
	ck_assert_str_eq(order(f), "3 1 2");
	tear_down(f);
}
END_TEST

/* A short job can not be a ticket for a long one. */
START_TEST(nice_exchanges_jobs_of_one_limit)
{
	struct fixture *f = set_up("WithinQueue=shortest-limit\n" PLAIN);

	add(f, A)->nice = 1000;
	f->job[0].limit = 60;
	add(f, A);
	add(f, A)->nice = -1;
	ck_assert_str_eq(order(f), "1 3 2");
	tear_down(f);
}
END_TEST

START_TEST(nice_under_age_stays_in_its_queue)
{
	struct fixture *f = set_up("OrderWithinClass=age\n" PLAIN);

	for (int i = 0; i < 3; i++)
		add(f, i == 1 ? B : A);
	f->job[0].nice = 10;
	ck_assert_str_eq(order(f), "3 2 1");
	tear_down(f);
}
END_TEST

START_TEST(some_jobs_are_not_ranked)
{
	struct fixture *f = set_up(PLAIN);

	add(f, A)->held = true;
	add(f, A)->pinned = true;
	add(f, GW_INDEX_NONE);
	add(f, A)->state = GW_JOB_RUNNING;
	add(f, A);
	ck_assert_str_eq(order(f), "5");
	tear_down(f);
}
END_TEST

/* --- quota --- */

#define TWO_POOLS                                                                                  \
	WEEKLY TWO_CLASSES FLAVORS "CohortName=c\n"                                                \
				   "PoolName=p Cohort=c Quota=h100=8 LoanTime=12:00:00\n"          \
				   "PoolName=q Cohort=c Quota=h100=8 LendLimit=h100=4\n"           \
				   "PoolName=z Cohort=c Quota=h100=0\n"                            \
				   "QueueName=a Pool=p\nQueueName=b Pool=q\nQueueName=c Pool=z\n"

START_TEST(quota_comes_before_class)
{
	struct fixture *f = set_up(TWO_POOLS);

	resize(add(f, A), 14);
	f->job[0].job_class = HIGH;
	resize(add(f, B), 8);
	ck_assert_str_eq(order(f), "2 ! 1");
	tear_down(f);
}
END_TEST

/* Of A's jobs of 4: two are inside, the third borrows, for the fourth nothing is left. */
START_TEST(inside_then_borrowing_then_waiting)
{
	struct fixture *f = set_up(TWO_POOLS);

	for (int i = 0; i < 4; i++)
		resize(add(f, A), 4);
	ck_assert_str_eq(order(f), "1 2 3 | 4");
	ck_assert_int_eq(f->rank[1].state, GW_ORDER_INSIDE);
	ck_assert_int_eq(f->rank[2].state, GW_ORDER_BORROWING);
	ck_assert(f->rank[2].borrowing);
	ck_assert(gw_order_startable(&f->rank[2]));
	ck_assert(!gw_order_startable(&f->rank[3]));
	ck_assert_uint_eq(gw_quota_held(f->quota, 0, H100), 0);
	tear_down(f);
}
END_TEST

/* The highest class borrows after the lowest that stays inside. */
START_TEST(inside_goes_before_borrowing_across_classes)
{
	struct fixture *f = set_up(TWO_POOLS);

	gw_quota_hold(f->quota, 0, H100, 6);
	resize(add(f, A), 4);
	f->job[0].job_class = HIGH;
	add(f, A);
	resize(add(f, B), 4);
	ck_assert_str_eq(order(f), "3 2 1");
	tear_down(f);
}
END_TEST

START_TEST(a_loan_has_a_longest_time)
{
	struct fixture *f = set_up(TWO_POOLS);

	gw_quota_hold(f->quota, 0, H100, 8);
	resize(add(f, A), 2);
	resize(add(f, A), 2);
	f->job[0].limit = 13 * HOUR;
	ck_assert_str_eq(order(f), "2 ! 1");
	tear_down(f);
}
END_TEST

/* Case 14: 4 GPUs to lend, two pools want them. */
START_TEST(two_borrowers_do_not_share_the_last_gpus)
{
	struct fixture *f = set_up(TWO_POOLS);

	gw_quota_hold(f->quota, 0, H100, 8);
	resize(add(f, A), 4);
	resize(add(f, C), 4);
	f->usage[line_of(f, A, H100)] = 1;
	ck_assert_str_eq(order(f), "1 | 2");
	tear_down(f);
}
END_TEST

START_TEST(the_emptier_pool_goes_first)
{
	struct fixture *f = set_up(TWO_POOLS);

	gw_quota_hold(f->quota, 0, H100, 2);
	gw_quota_hold(f->quota, 1, H100, 1);
	add(f, A);
	add(f, B);
	add(f, B);
	add(f, C);
	f->usage[line_of(f, B, H100)] = usage_of(100);
	/* 2/8 and 1/8, then equal: by the queues' keys; a quota of 0 borrows and is last. */
	ck_assert_str_eq(order(f), "2 1 3 4");
	tear_down(f);
}
END_TEST

START_TEST(what_is_barred_or_has_no_quota_is_blocked)
{
	static const bool barred[] = {false, true, false};
	struct fixture *f = set_up(TWO_POOLS);

	add(f, A)->flavor = A100;
	add(f, A);
	add(f, A);
	f->in.barred = barred;
	ck_assert_str_eq(order(f), "3 ! 2 1");
	f->in.quota = NULL;
	f->in.barred = NULL;
	ck_assert_str_eq(order(f), "1 2 3");
	tear_down(f);
}
END_TEST

START_TEST(a_pool_that_observes_blocks_nothing)
{
	struct fixture *f = set_up("ModeQuota=observe\n" TWO_POOLS);

	add(f, A)->flavor = A100;
	resize(add(f, A), 100);
	resize(add(f, C), 1);
	ck_assert_str_eq(order(f), "1 2 3");
	ck_assert_int_eq(f->rank[1].state, GW_ORDER_BORROWING);
	ck_assert_uint_eq(gw_quota_held(f->quota, 0, H100), 0);
	tear_down(f);
}
END_TEST

START_TEST(over_quota_jobs_of_the_highest_class_are_last)
{
	struct fixture *f = set_up(TWO_POOLS);

	for (int i = 0; i < 1000; i++) {
		resize(add(f, A), 13);
		f->job[i].job_class = HIGH;
	}
	add(f, B);
	rank(f);
	ck_assert_uint_eq(f->job[f->rank[0].job].id, 1001);
	ck_assert(gw_order_startable(&f->rank[0]));
	for (size_t i = 1; i < f->count; i++)
		ck_assert_int_eq(f->rank[i].state, GW_ORDER_BLOCKED);
	tear_down(f);
}
END_TEST

/* --- starts that can be --- */

/* Two queues that hold the same: a burst is shared, and what waits stands by what is held then. */
static const struct {
	uint32_t free;
	const char *order;
} starts[] = {
	{32, "1 4 2 5 3 6"}, /* all can start: in turn */
	{16,
	 "1 4 2 3 5 6"}, /* one each; then the queues hold the same, the first one is named first */
	{8, "1 4 5 6 2 3"}, /* a starts one, and then stands behind b with all it has */
	{0, "1 2 3 4 5 6"},
};

START_TEST(only_what_is_free_is_charged)
{
	const struct gw_order_gpus gpus[] = {{1000, starts[_i].free}, {0}};
	struct fixture *f = set_up(PLAIN);

	f->in.gpus = gpus;
	for (int i = 0; i < 6; i++) {
		resize(add(f, i < 3 ? A : B), 8);
		f->job[i].rate = 8;
	}
	ck_assert_str_eq(order(f), starts[_i].order);
	tear_down(f);
}
END_TEST

/* --- where nodes decide --- */

/* All GPUs, as one pool and with a cohort of two; 16, of which the first queue's pool holds. */
#define ALL_GPUS WEEKLY TWO_CLASSES FLAVORS "PoolName=all Quota=h100=16\n" QUEUES
#define COHORT                                                                                     \
	WEEKLY TWO_CLASSES FLAVORS "CohortName=both\nPoolName=x Cohort=both Quota=h100=8\n"        \
				   "PoolName=y Cohort=both Quota=h100=8 LoanTime=2:00:00\n"        \
				   "QueueName=a Pool=x\nQueueName=b Pool=y\n"

/* A whole-node job, a small one behind it, one that is larger than the pool; GPUs held by a. */
static const struct {
	const char *conf;
	uint32_t held, all, free; /* all 0: not known */
	int64_t limit;            /* of the whole-node job, of queue b */
	const char *order;
} nodes_decide[] = {
	/* Not known: quota decides, and what fits it goes first. */
	{ALL_GPUS, 12, 0, 0, HOUR, "2 ! 1 3"},
	/* The quota that is left is all that is free: nodes decide. */
	{ALL_GPUS, 12, 16, 4, HOUR, "1 2 ! 3"},
	{ALL_GPUS, 16, 16, 0, HOUR, "1 2 ! 3"},
	/* Others end first: still nodes. */
	{ALL_GPUS, 4, 16, 2, HOUR, "1 2 ! 3"},
	/* More is free than the pool may take: quota decides. */
	{ALL_GPUS, 12, 16, 5, HOUR, "2 ! 1 3"},
	/* The pool is not the whole cluster: full nodes are no reason. */
	{ALL_GPUS, 16, 32, 0, HOUR, "! 1 3 2"},
	/* A pool that borrows does so behind those inside theirs; for no longer than LoanTime. */
	{COHORT, 12, 16, 4, HOUR, "1 2 ! 3"},
	{COHORT, 16, 16, 0, HOUR, "1 2 ! 3"},
	{COHORT, 12, 16, 4, 3 * HOUR, "1 2 ! 3"},
};

START_TEST(where_nodes_decide_quota_takes_nobody_from_his_place)
{
	struct fixture *f = set_up(nodes_decide[_i].conf);
	const struct gw_order_gpus gpus[] = {{nodes_decide[_i].all, nodes_decide[_i].free}, {0}};

	gw_quota_hold(f->quota, 0, H100, nodes_decide[_i].held);
	if (nodes_decide[_i].all)
		f->in.gpus = gpus;
	resize(add(f, B), 8);
	f->job[0].limit = nodes_decide[_i].limit;
	add(f, B)->eligible++;
	resize(add(f, B), 17);
	ck_assert_str_eq(order(f), nodes_decide[_i].order);
	tear_down(f);
}
END_TEST

START_TEST(borrowers_that_wait_for_nodes_stay_behind)
{
	static const struct gw_order_gpus gpus[] = {{16, 4}, {0}};
	struct fixture *f = set_up(COHORT);

	gw_quota_hold(f->quota, 0, H100, 8);
	gw_quota_hold(f->quota, 1, H100, 4);
	f->in.gpus = gpus;
	resize(add(f, A), 8);
	resize(add(f, B), 4);
	resize(add(f, B), 8);
	f->job[2].limit = DAY;
	/* The last would borrow for longer than it may. */
	ck_assert_str_eq(order(f), "2 1 ! 3");
	ck_assert_int_eq(f->rank[1].state, GW_ORDER_BORROWING);
	tear_down(f);
}
END_TEST

/* What waits for nodes takes no quota from a pool that may not borrow what it has. */
START_TEST(what_can_not_start_now_takes_no_quota)
{
	static const struct gw_order_gpus gpus[] = {{16, 4}, {0}};
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS
				   "CohortName=both\nPoolName=x Cohort=both Quota=h100=8\n"
				   "PoolName=y Cohort=both Quota=h100=8 BorrowLimit=h100=0\n"
				   "QueueName=a Pool=x\nQueueName=b Pool=y\n");

	gw_quota_hold(f->quota, 0, H100, 7);
	gw_quota_hold(f->quota, 1, H100, 5);
	f->in.gpus = gpus;
	resize(add(f, A), 8);
	resize(add(f, A), 8);
	resize(add(f, B), 3);
	resize(add(f, B), 4);
	ck_assert_str_eq(order(f), "3 1 2 ! 4");
	tear_down(f);
}
END_TEST

/* A peak in which the job would not fit forbids it all the same. */
START_TEST(peaks_are_kept_where_nodes_decide)
{
	static const struct gw_order_gpus gpus[] = {{16, 4}, {0}};
	struct fixture *f = set_up(WEEKLY TWO_CLASSES FLAVORS
				   "PoolName=all Quota=h100=16 PeakStrict=yes\n"
				   "PoolName=all Peak=Mon-Fri/09:00-21:00 Quota=h100=14\n" QUEUES);

	gw_quota_hold(f->quota, 0, H100, 12);
	f->in.gpus = gpus;
	resize(add(f, A), 8);
	resize(add(f, B), 8);
	f->job[0].limit = 2 * DAY;
	ck_assert_str_eq(order(f), "2 ! 1");
	tear_down(f);
}
END_TEST

/* --- against the definition, step by step over all jobs --- */

static uint32_t random_state;

static uint32_t pick(uint32_t below)
{
	random_state = random_state * 1664525 + 1013904223;
	return (random_state >> 8) % below;
}

struct step_key {
	double part[9];
};

/* What a definition starts, as it goes. */
struct started {
	struct gw_quota *quota; /* what is held now and what of it started */
	uint32_t used[4][2];    /* also of what nodes keep from starting */
	double held[LINES_MAX];
	bool nodes[4][2]; /* are what is short */
	int64_t left[2];  /* free GPUs by flavor that nobody has taken */
};

static enum gw_order_state ask_now(const struct fixture *f, const struct started *started,
				   const struct gw_job *job)
{
	int32_t pool = gw_quota_pool_of(f->conf, job->queue, job->flavor);
	const struct gw_pool *conf = &f->conf->pools[pool];
	struct gw_quota_figures figures = gw_quota_figures(started->quota, pool, job->flavor);
	struct gw_quota_ask ask = {pool, job->flavor, job->gpus, job->limit};
	struct gw_quota_answer answer = gw_quota_ask(started->quota, &ask);
	bool borrow = started->used[pool][job->flavor] + job->gpus > figures.quota;

	if (!started->nodes[pool][job->flavor]) {
		if (answer.why != GW_QUOTA_ALLOWED)
			return GW_ORDER_BLOCKED;
		return answer.borrow ? GW_ORDER_BORROWING : GW_ORDER_INSIDE;
	}
	borrow = borrow && conf->cohort.index != GW_NO_INDEX && figures.borrow_limit;
	if (job->gpus > figures.largest || (borrow && job->limit > conf->loan_time))
		return GW_ORDER_BLOCKED;
	ask.gpus =
		job->gpus < figures.reach - figures.held ? job->gpus : figures.reach - figures.held;
	if (gw_quota_ask(started->quota, &ask).why == GW_QUOTA_PEAK_STRICT)
		return GW_ORDER_BLOCKED;
	return borrow ? GW_ORDER_BORROWING : GW_ORDER_INSIDE;
}

static void start_now(const struct fixture *f, struct started *started, const struct gw_job *job)
{
	int32_t pool = gw_quota_pool_of(f->conf, job->queue, job->flavor);
	uint32_t room = gw_quota_reach(started->quota, pool, job->flavor) -
			gw_quota_held(started->quota, pool, job->flavor);

	if (job->gpus <= room)
		gw_quota_hold(started->quota, pool, job->flavor, job->gpus);
	started->used[pool][job->flavor] += job->gpus;
	/* A job that the free GPUs do not hold only waits: its queue holds no more for it. */
	if (job->gpus > started->left[job->flavor])
		return;
	started->left[job->flavor] -= job->gpus;
	started->held[line_of(f, job->queue, job->flavor)] += job->rate;
}

/* The same arithmetic as the key's definition, from nothing but the input. */
static struct step_key key_of(const struct fixture *f, const struct started *started, size_t index,
			      bool whole, enum gw_order_state fate)
{
	const struct gw_job *job = &f->job[index];
	int32_t pool = gw_quota_pool_of(f->conf, job->queue, job->flavor);
	uint32_t quota = gw_quota_figures(started->quota, pool, job->flavor).quota;
	enum gw_order_state state = ask_now(f, started, job);
	size_t line = line_of(f, job->queue, job->flavor);
	const struct gw_queue *queue = &f->conf->queues[job->queue];
	int64_t age = NOW - job->eligible;
	bool guard = age > queue->max_wait, shortest = job->job_class == STANDARD && !guard;
	double per_usage = log(2) / WEEK, phase = 2 + fate;
	double usage = f->usage[line] * per_usage + f->conf->share_term * started->held[line];

	if (fate != GW_ORDER_BLOCKED && state != GW_ORDER_BLOCKED)
		phase = state;
	return (struct step_key){
		{phase, job->job_class,
		 whole && job->job_class == STANDARD && !job->whole_nodes && age < 12 * HOUR,
		 quota ? (double)started->used[pool][job->flavor] / quota : INFINITY,
		 usage / queue->weight, !guard,
		 shortest && queue->within == GW_WITHIN_SHORTEST_LIMIT ? (double)job->limit : 0,
		 (double)job->eligible, job->id}};
}

static bool key_less(const struct step_key *a, const struct step_key *b)
{
	for (int i = 0; i < COUNT(a->part); i++)
		if (a->part[i] != b->part[i])
			return a->part[i] < b->part[i];
	return false;
}

/* Freed by gw_quota_free() of its quota. */
static struct started nothing_started(const struct fixture *f)
{
	struct started started = {.quota = gw_quota_copy(f->quota, NULL)};

	memcpy(started.held, f->held, sizeof(started.held));
	for (size_t flavor = 0; flavor < 2; flavor++)
		started.left[flavor] = f->in.gpus ? f->in.gpus[flavor].free : INT32_MAX;
	for (int32_t pool = 0; pool < 4; pool++)
		for (int32_t flavor = 0; flavor < 2; flavor++) {
			uint32_t held = gw_quota_held(f->quota, pool, flavor);

			started.used[pool][flavor] = held;
			started.nodes[pool][flavor] =
				f->in.gpus &&
				gw_quota_reach(f->quota, pool, flavor) - held >=
					f->in.gpus[flavor].free &&
				gw_quota_figures(f->quota, pool, flavor).alone >=
					f->in.gpus[flavor].all;
		}
	return started;
}

static enum gw_order_state alone(const struct fixture *f, const struct gw_job *job)
{
	struct started nothing = nothing_started(f);
	enum gw_order_state state = ask_now(f, &nothing, job);

	gw_quota_free(nothing.quota);
	return state;
}

/* What starts and orders by the definition; only what starts is held. */
static void check_against_definition(struct fixture *f)
{
	struct started started = nothing_started(f);
	enum gw_order_state fate[JOBS_MAX];
	bool done[JOBS_MAX] = {false}, whole[4] = {false};

	for (size_t i = 0; i < f->in.job_count; i++) {
		fate[i] = alone(f, &f->job[i]);
		if (f->job[i].whole_nodes && f->job[i].job_class == STANDARD &&
		    fate[i] != GW_ORDER_BLOCKED)
			whole[f->job[i].flavor] = true;
	}
	for (size_t step = 0; step < f->in.job_count; step++) {
		struct step_key best, key;
		size_t found = SIZE_MAX;

		for (size_t i = 0; i < f->in.job_count; i++) {
			if (done[i])
				continue;
			key = key_of(f, &started, i, whole[f->job[i].flavor], fate[i]);
			if (found != SIZE_MAX && !key_less(&key, &best))
				continue;
			best = key;
			found = i;
		}
		if (best.part[0] >= 2)
			break;
		ck_assert_msg(f->rank[step].job == found, "step %zu: job %u, not %zu", step,
			      f->rank[step].job, found);
		ck_assert_int_eq(f->rank[step].state, (int)best.part[0]);
		done[found] = true;
		start_now(f, &started, &f->job[found]);
	}
	gw_quota_free(started.quota);
}

static const char random_conf[] =
	"SmallHold=12:00:00 WithinQueue=shortest-limit QueueMaxWait=3-0\n" WEEKLY TWO_CLASSES
		FLAVORS "CohortName=top Quota=h100=4\nCohortName=mid Parent=top LendLimit=h100=10\n"
	"PoolName=p Cohort=mid Quota=h100=40,a100=16 LoanTime=12:00:00 LendLimit=h100=20\n"
	"PoolName=q Cohort=mid Quota=h100=24 BorrowLimit=h100=16\n"
	"PoolName=r Cohort=top Quota=h100=8,a100=8\n"
	"PoolName=s Quota=h100=16 PeakStrict=yes\n"
	"PoolName=s Peak=Mon-Fri/09:00-21:00 Quota=h100=4\n"
	"QueueName=a Pool=p\nQueueName=b Pool=q Weight=2\nQueueName=c Pool=r WithinQueue=fifo\n"
	"QueueName=d Pool=s\nQueueName=e Pool=p\nQueueName=f Pool=q\n";

static void add_random(struct fixture *f)
{
	static const int served[6] = {2, 1, 2, 1, 2, 1};
	int queue = (int)pick(6);
	struct gw_job *job = add(f, queue);

	job->flavor = (int)pick((uint32_t)served[queue]);
	resize(job, 1 + pick(pick(4) ? 8 : 24));
	job->whole_nodes = job->gpus % 8 == 0;
	job->job_class = pick(4) ? STANDARD : HIGH;
	job->limit = 60 * (1 + pick(2000));
	job->eligible = NOW - pick(pick(5) ? DAY : 5 * DAY);
}

static struct fixture *set_up_random(uint32_t seed, int jobs)
{
	struct fixture *f = set_up(random_conf);

	random_state = seed;
	for (size_t i = 0; i < gw_lines(f->conf); i++) {
		f->usage[i] = usage_of(pick(100000) / 1000.0);
		f->held[i] = pick(16);
	}
	for (int pool = 0; pool < 4; pool++)
		gw_quota_hold(f->quota, pool, H100, pick(16));
	for (int i = 0; i < jobs; i++)
		add_random(f);
	return f;
}

START_TEST(starts_are_those_of_the_definition)
{
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct fixture *f = set_up_random(seed, 80);
		struct gw_order_gpus gpus[] = {{40 + pick(40), pick(40)}, {pick(24), pick(24)}};
		uint32_t before[4], seen = 0;

		if (seed > 20)
			f->in.gpus = gpus;
		for (int pool = 0; pool < 4; pool++)
			before[pool] = gw_quota_held(f->quota, pool, H100);
		rank(f);
		for (int pool = 0; pool < 4; pool++)
			ck_assert_uint_eq(before[pool], gw_quota_held(f->quota, pool, H100));
		ck_assert_uint_eq(f->count, f->in.job_count);
		for (size_t i = 0; i < f->count; i++) {
			seen += f->rank[i].job + 1;
			ck_assert(i == 0 || f->rank[i].state >= f->rank[i - 1].state);
			ck_assert_int_eq(f->rank[i].state == GW_ORDER_BLOCKED,
					 alone(f, &f->job[f->rank[i].job]) == GW_ORDER_BLOCKED);
		}
		ck_assert_uint_eq(seen, 80 * 81 / 2);
		check_against_definition(f);
		tear_down(f);
	}
}
END_TEST

/* --- the place of one job --- */

START_TEST(a_place_is_that_of_all_ranks)
{
	for (uint32_t seed = 100; seed < 200; seed++) {
		struct fixture *f = set_up_random(seed, 80);
		struct gw_order_place place;
		struct gw_job job = f->job[--f->in.job_count];

		job.tasks = 1 + pick(3);
		ck_assert_int_eq(gw_order_place(f->work, &f->in, &job, &place, NULL), 0);
		f->job[f->in.job_count++] = job;
		rank(f);
		ck_assert_uint_lt(place.place, f->count);
		ck_assert_uint_eq(f->rank[place.place].job, f->in.job_count - 1);
		ck_assert_int_eq(f->rank[place.place].state, place.rank.state);
		if (place.place)
			ck_assert_uint_eq(f->rank[place.place - 1].job, place.before);
		if (place.place + 1 < f->count)
			ck_assert_uint_eq(f->rank[place.place + 1].job, place.after);
		else
			ck_assert_uint_eq(place.after, GW_NO_INDEX);
		tear_down(f);
	}
}
END_TEST

START_TEST(a_held_job_has_no_place)
{
	struct fixture *f = set_up(PLAIN);
	struct gw_order_place place;
	struct gw_job job = *add(f, A);

	job.held = true;
	ck_assert_int_eq(gw_order_place(f->work, &f->in, &job, &place, NULL), 0);
	ck_assert_uint_eq(place.place, GW_NO_INDEX);
	tear_down(f);
}
END_TEST

/* --- size and memory --- */

START_TEST(no_jobs_no_ranks)
{
	struct fixture *f = set_up(PLAIN);

	ck_assert_str_eq(order(f), "");
	tear_down(f);
}
END_TEST

START_TEST(memory_out)
{
	struct fixture *f = set_up_random(5, 60);
	int result = -1;

	f->job[0].nice = 1;
	for (unsigned int n = 1; result; n++) {
		struct gw_order_workspace *work;
		struct gw_error error = {0};
		bool failed;

		alloc_fail_at(n);
		work = gw_order_workspace_new(&error);
		result = work ? gw_order_ranks(work, &f->in, &f->rank, &f->count, &error) : -1;
		failed = alloc_failed();
		ck_assert_int_eq(result != 0, failed);
		ck_assert_int_eq(result != 0, gw_error_is_set(&error));
		gw_order_workspace_free(work);
		ck_assert_uint_lt(n, 100);
	}
	gw_order_workspace_free(NULL);
	tear_down(f);
}
END_TEST

/* Once it knew the largest input, the workspace needs no memory. */
START_TEST(steady_state_allocates_nothing)
{
	struct fixture *f = set_up_random(6, 500);
	int result;

	f->job[3].nice = 5;
	rank(f);
	alloc_fail_at(1);
	result = gw_order_ranks(f->work, &f->in, &f->rank, &f->count, NULL);
	ck_assert(!alloc_failed());
	ck_assert_int_eq(result, 0);
	tear_down(f);
}
END_TEST

UNIT_MAIN("order", UNIT(the_queue_that_used_least_goes_first), UNIT(weight_divides_the_key),
	  UNIT(starts_interleave_by_weight), UNIT(held_now_counts_by_the_share_term),
	  UNIT(charge_interleaves_as_well), UNIT(without_decay_a_week_is_the_measure),
	  UNIT(gpu_usage_does_not_rank_cpu_jobs), UNIT(equal_queues_go_by_age),
	  UNIT_ROWS(a_burst_inside_one_moment_interleaves, bursts),
	  UNIT(the_turn_is_what_starts_in_a_row),
	  UNIT(alone_an_array_has_all_the_turns_its_quota_allows),
	  UNIT(other_gpus_do_not_end_a_turn), UNIT(flavors_that_may_be_the_same_gpus_end_a_turn),
	  UNIT(endless_arrays_end), UNIT(class_goes_before_usage),
	  UNIT(classes_of_one_rank_are_equal), UNIT(usage_before_class_turns_them_round),
	  UNIT(age_leaves_usage_out), UNIT_ROWS(young_small_jobs_step_back, holds),
	  UNIT_ROWS(gaps_go_to_small_jobs, gaps), UNIT(gap_for_a_job_without_time),
	  UNIT(gaps_are_no_way_past_other_queues), UNIT(small_jobs_step_back_behind_other_queues),
	  UNIT(the_only_class_is_not_the_highest), UNIT_ROWS(order_inside_a_queue, within),
	  UNIT(eligible_time_is_kept_or_is_that_of_submit), UNIT(nice_orders_one_users_jobs_only),
	  UNIT(nice_stays_in_its_queue_and_class), UNIT(nice_exchanges_jobs_of_one_limit),
	  UNIT(nice_under_age_stays_in_its_queue), UNIT(some_jobs_are_not_ranked),
	  UNIT(quota_comes_before_class), UNIT(inside_then_borrowing_then_waiting),
	  UNIT(inside_goes_before_borrowing_across_classes), UNIT(a_loan_has_a_longest_time),
	  UNIT(two_borrowers_do_not_share_the_last_gpus), UNIT(the_emptier_pool_goes_first),
	  UNIT(what_is_barred_or_has_no_quota_is_blocked),
	  UNIT(a_pool_that_observes_blocks_nothing),
	  UNIT(over_quota_jobs_of_the_highest_class_are_last),
	  UNIT_ROWS(only_what_is_free_is_charged, starts),
	  UNIT_ROWS(where_nodes_decide_quota_takes_nobody_from_his_place, nodes_decide),
	  UNIT(borrowers_that_wait_for_nodes_stay_behind),
	  UNIT(what_can_not_start_now_takes_no_quota), UNIT(peaks_are_kept_where_nodes_decide),
	  UNIT(starts_are_those_of_the_definition), UNIT(a_place_is_that_of_all_ranks),
	  UNIT(a_held_job_has_no_place), UNIT(no_jobs_no_ranks), UNIT(memory_out),
	  UNIT(steady_state_allocates_nothing))

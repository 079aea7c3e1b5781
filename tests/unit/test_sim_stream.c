// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A gang of four nodes under an endless stream of small jobs. By their limits the nodes are free at
 * 1000, 1500, 2000 and 3000, when the gang is reserved for. From 20 on, for much longer, a job of
 * one GPU comes every 10 s; it runs for 100 s and its limit is 300 s, of each fifth 2 h.
 */
#include "sim_jobs.h"

#include "unit.h"

#define RESERVED    3000
#define LATEST      (RESERVED + 3) /* the main pass after the last end */
#define STREAM_ENDS 12000
#define GANG        4 /* the fifth job */

#define KEYS(text)                                                                                 \
	"UsageHalfLife=7-0\nUsageWeights=gres/gpu=1\n" text                                        \
	"ClassName=normal QOS=normal Rank=1 Default=yes\n"                                         \
	"FlavorName=gpu Gres=gpu Partition=main\n" SIM_POOL                                        \
	"QueueName=a Pool=all\nQueueName=b Pool=all\n"
#define DEFAULTS KEYS("")
#define SHORTEST KEYS("WithinQueue=shortest-limit\n")
#define GAPS     KEYS("SmallHold=2-0\nGapMatch=1\nWithinQueue=shortest-limit\n")
#define EXAMPLE                                                                                    \
	KEYS("SmallHold=2-0\nSmallBatch=16\nGapMatch=0.5\nWithinQueue=shortest-limit\n"            \
	     "QueueMaxWait=1:00:00\n")

struct stream {
	const char *what, *policy, *conf; /* conf NULL: SIM_CONF, where SmallHold=NONE */
	const char *had;                  /* account that has the nodes at first */
	const char *small;                /* account of the stream; the gang is of a */
	int64_t from, until;              /* when the gang may start */
	void (*change)(struct gw_model *model);
};

static void reserve_nothing_so_late(struct gw_model *model)
{
	model->sched.bf_window = 500;
}

static const struct stream kept[] = {
	{"stock", "stock", NULL, "c", "a", 0, LATEST, NULL},
	{"stock: of another account", "stock", NULL, "c", "b", 0, LATEST, NULL},
	{"SmallHold=NONE", "gangway", NULL, "c", "a", 0, LATEST, NULL},
	{"SmallHold=NONE: of another queue", "gangway", NULL, "c", "b", 0, LATEST, NULL},
	{"defaults", "gangway", DEFAULTS, "c", "a", 0, LATEST, NULL},
	{"defaults: of another queue", "gangway", DEFAULTS, "c", "b", 0, LATEST, NULL},
	{"defaults: of a queue that used less", "gangway", DEFAULTS, "a", "b", 0, LATEST, NULL},
	{"shortest-limit", "gangway", SHORTEST, "c", "a", 0, LATEST, NULL},
	{"shortest-limit: of a queue that used less", "gangway", SHORTEST, "a", "b", 0, LATEST,
	 NULL},
	{"gaps as long as a job's limit", "gangway", GAPS, "c", "a", 0, LATEST, NULL},
	{"gaps as long as a job's limit: of a queue that used less", "gangway", GAPS, "a", "b", 0,
	 LATEST, NULL},
	{"the example: of another queue", "gangway", EXAMPLE, "c", "b", 0, LATEST, NULL},
};

/* Who comes before the gang by right has no part in what is reserved for it. */
static const struct stream before_the_gang[] = {
	{"stock: of an account that used less", "stock", NULL, "a", "b", RESERVED + 1000,
	 STREAM_ENDS, NULL},
	{"SmallHold=NONE: of a queue that used less", "gangway", NULL, "a", "b", RESERVED + 1000,
	 STREAM_ENDS, NULL},
	{"the example: of its own queue, in gaps half as long, until QueueMaxWait", "gangway",
	 EXAMPLE, "c", "a", RESERVED + 600, 10 + 3600 + 330, NULL},
	{"stock: nothing is reserved", "stock", NULL, "c", "a", STREAM_ENDS, STREAM_ENDS + 400,
	 reserve_nothing_so_late},
	{"nothing is reserved", "gangway", DEFAULTS, "c", "a", STREAM_ENDS, STREAM_ENDS + 400,
	 reserve_nothing_so_late},
};

static bool is_long(size_t job)
{
	return (job - GANG) % 5 == 0;
}

static void add(struct sim_jobs *jobs, int64_t submit, int64_t duration, int64_t limit,
		uint32_t gpus, const char *account)
{
	struct sim_row row = {.submit = submit,
			      .duration = duration,
			      .limit = limit,
			      .gpus = gpus,
			      .account = account,
			      .qos = ""};

	sim_jobs_add(jobs, &row);
}

/* early: what has the nodes at first ends after this part of its limit. */
static void add_all(struct sim_jobs *jobs, const struct stream *stream, double early)
{
	static const int64_t limit[GANG] = {1000, 1500, 2000, RESERVED};

	for (size_t i = 0; i < GANG; i++)
		add(jobs, 0, (int64_t)((double)limit[i] * early), limit[i], 8, stream->had);
	add(jobs, 10, 1000, 1000, 32, "a");
	for (int64_t at = 20; at < STREAM_ENDS; at += 10)
		add(jobs, at, 100, is_long(jobs->trace.count) ? 7200 : 300, 1, stream->small);
}

/* Jobs of the stream that start before the gang; long: those of 2 h among them. */
static size_t count_before_gang(const struct sim_jobs *jobs, size_t *long_ones)
{
	int64_t gang = sim_jobs_start(jobs, GANG);
	size_t count = 0;

	*long_ones = 0;
	for (size_t i = GANG + 1; i < jobs->trace.count; i++) {
		if (sim_jobs_start(jobs, i) >= gang)
			continue;
		count++;
		*long_ones += is_long(i);
	}
	return count;
}

static void run(struct sim_jobs *jobs, const struct stream *stream, double early)
{
	sim_jobs_make(jobs, stream->policy, "4x8", stream->conf);
	if (stream->change)
		stream->change(&jobs->model);
	add_all(jobs, stream, early);
	sim_jobs_run(jobs);
}

static void expect_start(const struct sim_jobs *jobs, const struct stream *want)
{
	int64_t start = sim_jobs_start(jobs, GANG);

	ck_assert_msg(start >= want->from && start <= want->until, "%s: the gang starts at %lld",
		      want->what, (long long)start);
}

/* Nodes do not idle for the gang either, and nobody starts who might delay it. */
static void keep_promise(const struct stream *want, double early)
{
	struct sim_jobs jobs;
	size_t long_ones;

	run(&jobs, want, early);
	expect_start(&jobs, want);
	ck_assert_uint_ge(count_before_gang(&jobs, &long_ones), 100);
	ck_assert_uint_eq(long_ones, 0);
	sim_jobs_free(&jobs);
}

START_TEST(starts_by_its_first_reservation)
{
	keep_promise(&kept[_i], 1);
	keep_promise(&kept[_i], 0.5);
}
END_TEST

START_TEST(starts_behind_who_comes_first)
{
	struct sim_jobs jobs;

	run(&jobs, &before_the_gang[_i], 1);
	expect_start(&jobs, &before_the_gang[_i]);
	sim_jobs_free(&jobs);
}
END_TEST

UNIT_MAIN("sim_stream", UNIT_ROWS(starts_by_its_first_reservation, kept);
	  UNIT_ROWS(starts_behind_who_comes_first, before_the_gang))

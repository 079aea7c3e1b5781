// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Who is next, by policy. The first job of each case runs until 100 (or 1000) and all others are
 * submitted meanwhile; then they start one after another, 3 s behind each end.
 */
#include "sim_jobs.h"

#include "unit.h"

/* Queue a has three times the weight of b. */
#define HEAVY_A SIM_HEAD SIM_POOL "QueueName=a Pool=all Weight=3\nQueueName=b Pool=all\n"

static const struct sim_case stock[] = {
	{"the highest class goes first", "stock", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "normal", .start = 206},
		 {20, 100, 100, 8, "a", "high", .start = 103}}},
	{"a QOS that is of no class is the default one", "stock", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "scavenger", .start = 206},
		 {20, 100, 100, 8, "a", "normal", .start = 309},
		 {30, 100, 100, 8, "a", "high", .start = 103}}},
	{"then the queue that used least", "stock", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "", .start = 206},
		 {20, 100, 100, 8, "b", "", .start = 103}}},
	{"class is before use", "stock", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "high", .start = 103},
		 {20, 100, 100, 8, "b", "normal", .start = 206}}},
	{"use is sampled every 5 minutes: b, which has none yet, goes on", "stock", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "", .start = 412},
		 {20, 100, 100, 8, "b", "", .start = 103},
		 {30, 100, 100, 8, "b", "", .start = 206},
		 {40, 100, 100, 8, "b", "", .start = 309},
		 {50, 100, 100, 8, "b", "", .start = 515}}},
	{"over weight: 600 s of the heavier queue count less than 400 s of the other", "stock",
	 "1x8",
	 .row = {{0, 400, 400, 8, "c", "", .start = 0},
		 {1, 600, 600, 8, "a", "", .start = 403},
		 {2, 400, 400, 8, "b", "", .start = 1006},
		 {3, 100, 100, 8, "b", "", .start = 1512},
		 {4, 100, 100, 8, "a", "", .start = 1409}},
	 .conf = HEAVY_A},
	{"jobs of no queue are last", "stock", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "nobody", "", .start = 206},
		 {20, 100, 100, 8, "a", "", .start = 103}}},
};

START_TEST(class_then_fair_share)
{
	sim_check(&stock[_i]);
}
END_TEST

/*
 * Queue b has had both nodes until 1000 and holds nothing then. DRF forgets that; what each queue
 * is given in a pass counts at once.
 */
#define B_HAD_ALL                                                                                  \
	{0, 1000, 1000, 16, "b", "", .start = 0},                                                  \
	{                                                                                          \
		10, 500, 500, 8, "a", "", .start = 1003                                            \
	}

/* Nobody has used anything at 1000. */
#define NOBODY_HAD                                                                                 \
	{0, 1000, 1000, 16, "c", "", .start = 0},                                                  \
	{                                                                                          \
		10, 500, 500, 8, "a", "", .start = 1003                                            \
	}

static const struct sim_case peers[] = {
	{"DRF: who holds least now", "drf", "2x8",
	 .row = {B_HAD_ALL,
		 {20, 500, 500, 8, "a", "", .start = 1506},
		 {30, 500, 500, 8, "b", "", .start = 1003}}},
	{"fair share remembers, and learns of a start only by the next sample", "stock", "2x8",
	 .row = {B_HAD_ALL,
		 {20, 500, 500, 8, "a", "", .start = 1003},
		 {30, 500, 500, 8, "b", "", .start = 1506}}},
	{"DRF: class is before what is held", "drf", "2x8",
	 .row = {{0, 1000, 1000, 16, "b", "", .start = 0},
		 {10, 500, 500, 8, "a", "high", .start = 1003},
		 {20, 500, 500, 8, "a", "high", .start = 1003},
		 {30, 500, 500, 8, "b", "", .start = 1506}}},
	{"DRF: over weight", "drf", "3x8",
	 .row = {{0, 1000, 1000, 24, "b", "", .start = 0},
		 {10, 500, 500, 8, "a", "", .start = 1003},
		 {20, 500, 500, 8, "a", "", .start = 1003},
		 {30, 500, 500, 8, "b", "", .start = 1003},
		 {40, 500, 500, 8, "b", "", .start = 1506}},
	 .conf = HEAVY_A},
	{"Kueue: use is before class", "kueue", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "high", .start = 206},
		 {20, 100, 100, 8, "b", "normal", .start = 103}}},
	{"Kueue: class inside a queue", "kueue", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "normal", .start = 206},
		 {20, 100, 100, 8, "a", "high", .start = 103}}},
	{"Kueue: a start counts as one sample at once", "kueue", "2x8",
	 .row = {NOBODY_HAD,
		 {20, 500, 500, 8, "a", "", .start = 1506},
		 {30, 500, 500, 8, "b", "", .start = 1003}}},
	{"Kueue: no class makes up for that", "kueue", "2x8",
	 .row = {{0, 1000, 1000, 16, "c", "", .start = 0},
		 {10, 500, 500, 8, "a", "high", .start = 1003},
		 {20, 500, 500, 8, "a", "high", .start = 1506},
		 {30, 500, 500, 8, "b", "", .start = 1003}}},
	{"fair share has no such penalty", "stock", "2x8",
	 .row = {NOBODY_HAD,
		 {20, 500, 500, 8, "a", "", .start = 1003},
		 {30, 500, 500, 8, "b", "", .start = 1506}}},
};

START_TEST(rules_of_peers)
{
	sim_check(&peers[_i]);
}
END_TEST

#define HOLD                                                                                       \
	"UsageHalfLife=7-0\nUsageWeights=gres/gpu=1\nSmallHold=12:00:00\n"                         \
	"WithinQueue=shortest-limit\n"                                                             \
	"ClassName=high QOS=high Rank=2\nClassName=normal QOS=normal Rank=1 Default=yes\n"         \
	"FlavorName=gpu Gres=gpu Partition=main\n" SIM_POOL                                        \
	"QueueName=a Pool=all\nQueueName=b Pool=all\n"

static const struct sim_case gangway[] = {
	{"the queue that used least, without samples", "gangway", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "", .start = 206},
		 {20, 100, 100, 8, "b", "", .start = 103},
		 {30, 100, 100, 8, "b", "", .start = 309}}},
	{"class is before use", "gangway", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "high", .start = 103},
		 {20, 100, 100, 8, "b", "normal", .start = 206}}},
	{"in the order of submits inside a queue", "gangway", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 900, 8, "a", "", .start = 103},
		 {20, 100, 100, 8, "a", "", .start = 206}}},
	{"WithinQueue=shortest-limit", "gangway", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 900, 8, "a", "", .start = 206},
		 {20, 100, 100, 8, "a", "", .start = 103}},
	 .conf = HOLD},
	{"SmallHold: one GPU lets a whole node go first", "gangway", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 1, "a", "", .start = 206},
		 {20, 100, 900, 8, "a", "", .start = 103}},
	 .conf = HOLD},
	{"but not of another class", "gangway", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 1, "a", "high", .start = 103},
		 {20, 100, 900, 8, "a", "", .start = 206}},
	 .conf = HOLD},
	{"a gang with a rest is no whole-node job", "gangway", "2x8",
	 .row = {{0, 100, 100, 16, "a", "", .start = 0},
		 {10, 100, 100, 5, "a", "", .start = 103},
		 {20, 100, 900, 12, "a", "", .start = 206}},
	 .conf = HOLD},
	{"jobs of no queue come behind those that may start", "gangway", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "nobody", "", .start = 206},
		 {20, 100, 100, 8, "a", "", .start = 103}}},
};

START_TEST(order_of_the_core)
{
	sim_check(&gangway[_i]);
}
END_TEST

/* --- quota --- */

#define POOLS(text) SIM_HEAD text
#define OF_8                                                                                       \
	POOLS("PoolName=x Quota=gpu=8\nPoolName=y Quota=gpu=8\nQueueName=a Pool=x\n"               \
	      "QueueName=b Pool=y\n")
#define LENDING                                                                                    \
	POOLS("CohortName=all\nPoolName=x Cohort=all Quota=gpu=8\n"                                \
	      "PoolName=y Cohort=all Quota=gpu=8\nQueueName=a Pool=x\nQueueName=b Pool=y\n")
/* The simulation begins on a Thursday at midnight, UTC. */
#define PEAK                                                                                       \
	POOLS("PoolName=x Quota=gpu=16\nPoolName=x Peak=Thu/00:00-01:00 Quota=gpu=8\n"             \
	      "QueueName=a Pool=x\n")

static const struct sim_case quota[] = {
	{"who is over quota waits while nodes idle, and blocks nobody", "gangway", "2x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "", .start = 103},
		 {20, 100, 100, 8, "b", "", .start = 20}},
	 .conf = OF_8},
	{"peers know no quota", "stock", "2x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0}, {10, 100, 100, 8, "a", "", .start = 10}},
	 .conf = OF_8},
	{"more than the pool could ever have is left out", "gangway", "2x8",
	 .row = {{0, 100, 100, 9, "a", "", .start = SIM_NEVER},
		 {10, 100, 100, 8, "a", "", .start = 10}},
	 .conf = OF_8},
	{"what others do not use is lent", "gangway", "2x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0},
		 {10, 100, 100, 8, "a", "", .start = 10},
		 {20, 100, 100, 8, "b", "", .start = 103},
		 {30, 100, 100, 8, "a", "", .start = 113}},
	 .conf = LENDING},
	{"quota is no node: with more quota than nodes they are what is lacking", "gangway", "1x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0}, {10, 100, 100, 8, "b", "", .start = 103}},
	 .conf = OF_8},
	{"jobs without GPUs need none", "gangway", "2x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0}, {10, 100, 100, 0, "a", "", .start = 10}},
	 .conf = OF_8},
	{"the same for GPUs without nodes", "gangway-pool", "2x8",
	 .row = {{0, 100, 100, 6, "a", "", .start = 0},
		 {10, 100, 100, 4, "a", "", .start = 103},
		 {20, 100, 100, 8, "b", "", .start = 20}},
	 .conf = OF_8},
	{"peak hours end: the main pass that comes every minute sees it", "gangway", "2x8",
	 .row = {{0, 100, 100, 8, "a", "", .start = 0}, {10, 100, 100, 16, "a", "", .start = 3613}},
	 .conf = PEAK},
};

START_TEST(quota_of_pools)
{
	sim_check(&quota[_i]);
}
END_TEST

/* With kinds of GPUs: by the type asked for, by partition, or the first kind. */
#define KINDS                                                                                      \
	"UsageHalfLife=7-0\nUsageWeights=gres/gpu:a=1,gres/gpu:b=1,cpu=0.1\n"                      \
	"FlavorName=a Gres=gpu:a Partition=main\nFlavorName=b Gres=gpu:b Partition=other\n"        \
	"PoolName=x Quota=a=8,b=4\nQueueName=a Pool=x\n"

static const struct sim_case kinds[] = {
	{"the type asked for", "gangway", "2x8",
	 .row = {{0, 9, 9, 8, "a", "", .start = SIM_NEVER, .gpu_type = "b"},
		 {0, 9, 9, 8, "a", "", .start = 0, .gpu_type = "a"},
		 {0, 9, 9, 4, "a", "", .start = 0, .gpu_type = "b"}},
	 .conf = KINDS},
	{"that of its partition", "gangway", "2x8",
	 .row = {{0, 9, 9, 8, "a", "", .start = SIM_NEVER, .partition = "other"},
		 {0, 9, 9, 8, "a", "", .start = 0, .partition = "main"}},
	 .conf = KINDS},
	{"the first one", "gangway", "2x8", .row = {{0, 9, 9, 8, "a", "", .start = 0}},
	 .conf = KINDS},
};

START_TEST(flavors_of_jobs)
{
	sim_check(&kinds[_i]);
}
END_TEST

/* Both have had four GPUs; one had memory, CPUs or nodes beside. */
#define WEIGHTS(text)                                                                              \
	"UsageHalfLife=7-0\nUsageWeights=gres/gpu=1," text "\nSmallHold=NONE\n"                    \
	"FlavorName=gpu Gres=gpu Partition=main\n" SIM_POOL "QueueName=a Pool=all\n"               \
	"QueueName=b Pool=all\n"
#define WEIGHED(b_first)                                                                           \
	{                                                                                          \
		{0, 100, 100, 4, "a", "", .start = 0, .cpus = 8, .memory = 4096},                  \
			{0, 100, 100, 4, "b", "", .start = 0, .cpus = 4, .memory = 1024},          \
			{10, 100, 100, 8, "a", "", .start = (b_first) ? 206 : 103},                \
			{11, 100, 100, 8, "b", "", .start = (b_first) ? 103 : 206},                \
	}

static const struct sim_case weighed[] = {
	{"GPUs alone", "gangway", "1x8", .row = WEIGHED(false), .conf = WEIGHTS("license/x=1")},
	{"CPUs", "gangway", "1x8", .row = WEIGHED(true), .conf = WEIGHTS("cpu=1")},
	{"memory", "gangway", "1x8", .row = WEIGHED(true), .conf = WEIGHTS("mem=1G")},
};

START_TEST(weights_of_others_count)
{
	sim_check(&weighed[_i]);
}
END_TEST

/* What makes the trace's times the site's: an hour east, midnight is one o'clock. */
START_TEST(peaks_are_hours_of_the_site)
{
	static const struct sim_row row = {0, 100, 100, 16, "a", "", .start = 0};
	struct sim_jobs jobs;

	for (int hour = 0; hour < 2; hour++) {
		sim_jobs_make(&jobs, "gangway", "2x8", PEAK);
		sim_jobs_add(&jobs, &row);
		jobs.options.utc_offset = hour * 3600;
		sim_jobs_run(&jobs);
		ck_assert_int_eq(sim_jobs_start(&jobs, 0), hour ? 0 : 3603);
		sim_jobs_free(&jobs);
	}
}
END_TEST

UNIT_MAIN("sim_order", UNIT_ROWS(class_then_fair_share, stock); UNIT_ROWS(rules_of_peers, peers);
	  UNIT_ROWS(order_of_the_core, gangway); UNIT_ROWS(quota_of_pools, quota);
	  UNIT_ROWS(flavors_of_jobs, kinds); UNIT_ROWS(weights_of_others_count, weighed);
	  UNIT(peaks_are_hours_of_the_site))

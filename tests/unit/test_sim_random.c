// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Made-up traces on made-up clusters under every policy. sim_jobs_run() holds each run to what must
 * always be so: nobody starts before it is eligible, no GPU is given twice, every job runs once and
 * for its duration on the GPUs it asked for, all end.
 */
#include <stdio.h>

#include "sim_jobs.h"
#include "src/sim/trace_make.h"
#include "src/util/random.h"
#include "unit.h"

#define POLICIES 19
#define CLUSTERS 3
#define JOBS     250

static const struct {
	const char *nodes;
	uint32_t gpus;
} clusters[CLUSTERS] = {{"12x8", 96}, {"6x8,6x4,2x2", 76}, {"40x4,3x16", 208}};

static const char conf[] =
	"UsageHalfLife=1-0\nUsageWeights=gres/gpu=1,cpu=0.01\nSmallHold=04:00:00\n"
	"WithinQueue=shortest-limit QueueMaxWait=2-0\n"
	"ClassName=high QOS=high Rank=2\nClassName=normal QOS=normal Rank=1 Default=yes\n"
	"FlavorName=gpu Gres=gpu Partition=main\nCohortName=all\n"
	"PoolName=x Cohort=all Quota=gpu=48 BorrowLimit=gpu=24\n"
	"PoolName=y Cohort=all Quota=gpu=24\nPoolName=y Peak=Tue/08:00-18:00 Quota=gpu=16\n"
	"QueueName=team1 Pool=x Weight=4\nQueueName=team2 Pool=x Weight=2\nQueueName=team3 "
	"Pool=y\n";

/* Domains, weights, a second partition, CPUs and memory of jobs, nodes asked for. */
static void vary(struct sim_jobs *jobs, struct gw_random *random)
{
	for (size_t i = 0; i < jobs->model.node_count; i++) {
		jobs->model.node[i].domain = (uint32_t)gw_random_below(random, 3);
		jobs->model.node[i].weight = (uint32_t)gw_random_below(random, 2);
	}
	for (size_t i = 0; i < jobs->trace.count; i++) {
		struct gw_trace_job *job = &jobs->trace.job[i];

		if (gw_random_below(random, 4) == 0)
			job->cpus = 1 + (uint32_t)gw_random_below(random, 4 + 20 * job->gpus);
		if (gw_random_below(random, 4) == 0)
			job->memory = gw_random_below(random, 200000 * (job->gpus + 1));
		if (gw_random_below(random, 8) == 0)
			job->nodes = 1 + (uint32_t)gw_random_below(random, job->gpus + 1);
		if (gw_random_below(random, 10) == 0)
			job->gpus = 0;
		if (gw_random_below(random, 20) == 0)
			job->limit = GW_TIME_INFINITE;
	}
}

static void make_with(struct sim_jobs *jobs, const char *policy, int cluster, const char *conf_text)
{
	struct gw_trace_make parameters = {.jobs = JOBS,
					   .days = 2,
					   .gpus = clusters[cluster].gpus,
					   .load = 1.1,
					   .seed = (uint64_t)cluster + 7};
	struct gw_error error = {0};
	struct gw_random random;

	sim_jobs_make(jobs, policy, clusters[cluster].nodes, conf_text);
	ck_assert_msg(!gw_trace_make(&parameters, &jobs->trace, &error), "%s", error.text);
	gw_random_seed(&random, (uint64_t)cluster);
	vary(jobs, &random);
	jobs->options.warmup = 0.1;
}

static void make(struct sim_jobs *jobs, const char *policy, int cluster)
{
	make_with(jobs, policy, cluster, conf);
}

static const char *policy_of(int row)
{
	const char *help;

	return gw_sim_policy_list((size_t)(row % POLICIES), &help);
}

/* Of equal requests of one queue, in strict order, the one that came first starts first. */
static void check_fifo(const struct sim_jobs *jobs)
{
	int64_t last = INT64_MIN;

	if (jobs->policy.order != GW_SIM_ORDER_FIFO ||
	    jobs->policy.backfill != GW_SIM_BACKFILL_NONE || jobs->policy.private_nodes)
		return;
	for (size_t i = 0; i < jobs->trace.count; i++) {
		int64_t start = sim_jobs_start(jobs, i);

		if (start == SIM_NEVER)
			continue;
		ck_assert_int_ge(start, last);
		last = start;
	}
}

/* GPUs that run at once, by starts and ends, are never more than there are. */
static void check_total(const struct sim_jobs *jobs, uint32_t total)
{
	const struct gw_sim_result *result = &jobs->result;

	for (size_t i = 0; i < result->run_count; i++) {
		int64_t at = result->run[i].start;
		uint32_t gpus = 0;

		for (size_t j = 0; j < result->run_count; j++)
			if (result->run[j].start <= at && result->run[j].end > at)
				gpus += jobs->trace.job[result->run[j].job].gpus;
		ck_assert_uint_le(gpus, total);
	}
}

START_TEST(every_policy_on_every_cluster)
{
	struct sim_jobs jobs;
	int cluster = _i / POLICIES;

	make(&jobs, policy_of(_i), cluster);
	sim_jobs_run(&jobs);
	ck_assert_uint_gt(jobs.result.run_count, JOBS / 2);
	ck_assert_uint_gt(jobs.result.outside, 0);
	ck_assert(jobs.result.metrics.util > 0.2 && jobs.result.metrics.util <= 1);
	check_total(&jobs, clusters[cluster].gpus);
	check_fifo(&jobs);
	sim_jobs_free(&jobs);
}
END_TEST

static bool same_runs(const struct gw_sim_result *a, const struct gw_sim_result *b)
{
	return a->run_count == b->run_count &&
	       !memcmp(&a->metrics, &b->metrics, sizeof(a->metrics)) &&
	       !memcmp(a->run, b->run, a->run_count * sizeof(*a->run));
}

START_TEST(the_same_seed_the_same_bytes)
{
	static const uint32_t seeds[] = {3, 3, 4};
	struct gw_sim_result result[COUNT(seeds)];
	struct sim_jobs jobs;

	for (int i = 0; i < COUNT(seeds); i++) {
		make(&jobs, policy_of(_i), 0);
		jobs.options.seed = seeds[i];
		jobs.options.jitter = 600;
		sim_jobs_run(&jobs);
		result[i] = jobs.result;
		memset(&jobs.result, 0, sizeof(jobs.result));
		sim_jobs_free(&jobs);
	}
	ck_assert(same_runs(&result[0], &result[1]));
	ck_assert(!same_runs(&result[0], &result[2]));
	for (int i = 0; i < COUNT(seeds); i++)
		gw_sim_result_free(&result[i]);
}
END_TEST

static const char *const gangways[] = {"gangway", "gangway-order", "gangway-pool"};

/* One pool of the whole cluster holds nobody back: nodes do. */
START_TEST(quota_of_all_gpus_is_no_quota)
{
	int cluster = _i % CLUSTERS;
	const uint32_t quotas[] = {clusters[cluster].gpus, 100000};
	struct gw_sim_result result[COUNT(quotas)];
	struct sim_jobs jobs;

	for (int i = 0; i < COUNT(quotas); i++) {
		char text[512];

		snprintf(text, sizeof(text),
			 SIM_HEAD "PoolName=all Quota=gpu=%u\nQueueName=team1 Pool=all Weight=4\n"
				  "QueueName=team2 Pool=all Weight=2\nQueueName=team3 Pool=all\n",
			 quotas[i]);
		make_with(&jobs, gangways[_i / CLUSTERS], cluster, text);
		sim_jobs_run(&jobs);
		result[i] = jobs.result;
		memset(&jobs.result, 0, sizeof(jobs.result));
		sim_jobs_free(&jobs);
	}
	ck_assert(same_runs(&result[0], &result[1]));
	for (int i = 0; i < COUNT(quotas); i++)
		gw_sim_result_free(&result[i]);
}
END_TEST

/* Submits move by up to the jitter, either way, and eligible times with them. */
START_TEST(jitter_moves_submits)
{
	int64_t least = 0, most = 0;
	struct sim_jobs jobs;

	make(&jobs, "stock", 0);
	jobs.options.seed = 1;
	jobs.options.jitter = 600;
	sim_jobs_run(&jobs);
	for (size_t i = 0; i < jobs.result.run_count; i++) {
		const struct gw_sim_run *run = &jobs.result.run[i];
		int64_t moved = run->eligible - jobs.trace.job[run->job].eligible;

		least = moved < least ? moved : least;
		most = moved > most ? moved : most;
	}
	ck_assert_int_ge(least, -600);
	ck_assert_int_le(most, 600);
	ck_assert_int_lt(least, -500);
	ck_assert_int_gt(most, 500);
	sim_jobs_free(&jobs);
}
END_TEST

START_TEST(there_are_so_many_policies)
{
	const char *help;

	ck_assert_ptr_nonnull(gw_sim_policy_list(POLICIES - 1, &help));
	ck_assert_ptr_null(gw_sim_policy_list(POLICIES, &help));
}
END_TEST

START_TEST(no_jobs_at_all)
{
	struct sim_jobs jobs;

	sim_jobs_make(&jobs, policy_of(_i), "2x8", NULL);
	jobs.options.samples = 5;
	sim_jobs_run(&jobs);
	ck_assert_uint_eq(jobs.result.run_count, 0);
	ck_assert_uint_eq(jobs.result.series.bins, 0);
	gw_sim_result_free(&jobs.result);
	sim_jobs_recorded(&jobs);
	sim_jobs_free(&jobs);
}
END_TEST

UNIT_MAIN("sim_random", UNIT(there_are_so_many_policies);
	  tcase_add_loop_test(tests, every_policy_on_every_cluster, 0, POLICIES *CLUSTERS);
	  tcase_add_loop_test(tests, the_same_seed_the_same_bytes, 0, POLICIES);
	  tcase_add_loop_test(tests, quota_of_all_gpus_is_no_quota, 0, CLUSTERS *COUNT(gangways));
	  tcase_add_loop_test(tests, no_jobs_at_all, 0, POLICIES); UNIT(jitter_moves_submits))

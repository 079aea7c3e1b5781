// SPDX-License-Identifier: GPL-2.0-or-later
#include "conf_text.h"
#include "src/core/conf_impl.h"
#include "src/util/file.h"
#include "unit.h"

static struct gw_conf *load_lines(const char *lines)
{
	struct gw_error error = {0};
	struct gw_conf *conf = NULL;

	ck_assert_msg(!conf_load_lines(lines, &conf, &error), "%s", error.text);
	return conf;
}

static struct gw_conf *load_full(void)
{
	struct gw_error error = {0};
	struct gw_conf *conf = NULL;

	ck_assert_msg(!conf_load_files(conf_full, &conf, &error), "%s", error.text);
	return conf;
}

START_TEST(defaults)
{
	struct gw_error error = {0};
	struct gw_conf *conf = NULL;

	ck_assert_msg(!conf_load_text("UsageHalfLife=NONE\n", &conf, &error), "%s", error.text);
	for (int subsystem = 0; subsystem < GW_SUBSYSTEM_COUNT; subsystem++)
		ck_assert_int_eq(gw_conf_mode(conf, subsystem), GW_MODE_ENFORCE);
	ck_assert_uint_eq(conf->hook_time_budget, 1000);
	ck_assert_uint_eq(conf->hook_error_budget, 10);
	ck_assert(!conf->verify);
	ck_assert_ptr_null(conf->publish_dir);
	ck_assert_int_eq(conf->usage_half_life, GW_TIME_NONE);
	ck_assert_double_eq_tol(gw_tres_weight(&conf->usage_weights, "gres/gpu:h100", 0), 1, 1e-12);
	ck_assert_double_eq_tol(conf->share_term, 1, 1e-12);
	ck_assert_int_eq(conf->charge, 0);
	ck_assert_int_eq(conf->order, GW_ORDER_USAGE);
	ck_assert_int_eq(conf->small_hold, 12 * 3600);
	ck_assert_int_eq(conf->within, GW_WITHIN_FIFO);
	ck_assert_int_eq(conf->queue_max_wait, 10 * 86400);
	ck_assert_int_eq(conf->unmatched, GW_UNMATCHED_OUTSIDE);
	ck_assert_uint_eq(conf->unmatched_queue.index, GW_NO_INDEX);
	ck_assert_uint_eq(conf->warning_count, 1);
	ck_assert_str_eq(conf->warnings[0].text, "no QueueName: every job is outside");
	gw_conf_free(conf);
	gw_conf_free(NULL);
}
END_TEST

START_TEST(queue_defaults)
{
	struct gw_conf *conf = load_lines("QueueName=nlp Pool=train\n");
	const struct gw_queue *queue = &conf->queues[0];

	ck_assert_str_eq(queue->account, "nlp");
	ck_assert_double_eq_tol(queue->weight, 1, 1e-12);
	ck_assert_uint_eq(queue->default_class.index, GW_NO_INDEX);
	ck_assert_int_eq(queue->max_time, GW_TIME_INFINITE);
	ck_assert_int_eq(queue->idle_after, GW_TIME_NONE);
	ck_assert_int_eq(queue->within, GW_WITHIN_FIFO);
	ck_assert_int_eq(queue->max_wait, 10 * 86400);
	ck_assert_uint_eq(queue->flavors.names.count, 1);
	ck_assert_uint_eq(queue->flavors.index[0], 0);
	ck_assert_uint_eq(conf->warning_count, 0);
	gw_conf_free(conf);
}
END_TEST

START_TEST(global_keys)
{
	struct gw_conf *conf = load_full();

	ck_assert_uint_eq(conf->hook_time_budget, 500);
	ck_assert_uint_eq(conf->hook_error_budget, 0);
	ck_assert(conf->verify);
	ck_assert_str_eq(conf->publish_dir, "/run/gangway");
	ck_assert_int_eq(conf->usage_half_life, 604800);
	ck_assert_double_eq_tol(gw_tres_value(&conf->usage_weights, "cpu", 0), 0.005, 1e-12);
	ck_assert_double_eq_tol(conf->share_term, 0.5, 1e-12);
	ck_assert_int_eq(conf->charge, 3600);
	ck_assert_int_eq(conf->order, GW_ORDER_USAGE_BEFORE_CLASS);
	ck_assert_int_eq(conf->small_hold, 0);
	ck_assert_uint_eq(conf->small_batch, 64);
	ck_assert_double_eq(conf->gap_match, 0.25);
	ck_assert_int_eq(conf->queue_max_wait, GW_TIME_NONE);
	ck_assert_int_eq(conf->unmatched, GW_UNMATCHED_QUEUE);
	ck_assert_uint_eq(conf->unmatched_queue.index, 1);
	ck_assert_uint_eq(conf->files.count, 3);
	gw_conf_free(conf);
}
END_TEST

START_TEST(modes)
{
	struct gw_conf *conf = load_full();
	const struct gw_pool *train = &conf->pools[0], *old = &conf->pools[1];

	ck_assert_int_eq(gw_conf_mode(conf, GW_ORDER), GW_MODE_ENFORCE);
	ck_assert_int_eq(gw_conf_mode(conf, GW_QUOTA), GW_MODE_OBSERVE);
	ck_assert_int_eq(gw_conf_mode(conf, GW_PLACEMENT), GW_MODE_ENFORCE);
	ck_assert_int_eq(gw_conf_mode(conf, GW_ROUTING), GW_MODE_OBSERVE);
	ck_assert_int_eq(gw_conf_pool_mode(conf, train, GW_ORDER), GW_MODE_OBSERVE);
	ck_assert_int_eq(gw_conf_pool_mode(conf, train, GW_ROUTING), GW_MODE_OBSERVE);
	ck_assert_int_eq(gw_conf_pool_mode(conf, old, GW_QUOTA), GW_MODE_ENFORCE);
	ck_assert_str_eq(gw_mode_name(gw_conf_mode(conf, GW_QUOTA)), "observe");
	ck_assert_str_eq(gw_mode_name(GW_MODE_ENFORCE), "enforce");
	ck_assert_str_eq(gw_subsystem_name(GW_PLACEMENT), "placement");
	gw_conf_free(conf);
}
END_TEST

START_TEST(classes_and_grants)
{
	struct gw_conf *conf = load_full();

	ck_assert_uint_eq(conf->class_count, 3);
	ck_assert_str_eq(conf->classes[0].qos, "crit");
	ck_assert_str_eq(conf->classes[1].qos, "standard");
	ck_assert(conf->classes[0].needs_grant); /* because a grant names it */
	ck_assert(!conf->classes[1].needs_grant);
	ck_assert(conf->classes[2].needs_grant);
	ck_assert_uint_eq(conf->queues[0].default_class.index, 0);
	ck_assert_uint_eq(conf->queues[1].default_class.index, 1);
	ck_assert_uint_eq(conf->grant_count, 3);
	ck_assert_int_eq(conf->grants[0].to, GW_GRANT_USER);
	ck_assert_str_eq(conf->grants[0].who, "ann");
	ck_assert_str_eq(conf->grants[0].by, "the board");
	ck_assert_int_eq(conf->grants[0].until, INT64_C(1798675200));
	ck_assert_int_eq(conf->grants[1].to, GW_GRANT_ACCOUNT);
	ck_assert_str_eq(conf->grants[1].who, "nlp");
	ck_assert_int_eq(conf->grants[2].to, GW_GRANT_ANY);
	gw_conf_free(conf);
}
END_TEST

/* Flavors stand in the order read: h100, spot, a100. */
START_TEST(pools_and_cohorts)
{
	struct gw_conf *conf = load_full();
	const struct gw_pool *train = &conf->pools[0];
	const struct gw_peak *peak = &conf->peaks[0];

	ck_assert_int_eq(conf->flavors[1].capacity, GW_CAPACITY_SPOT);
	ck_assert_uint_eq(train->cohort.index, 1);
	ck_assert_uint_eq(conf->cohorts[1].parent.index, 0);
	ck_assert_uint_eq(conf->cohorts[0].parent.index, GW_NO_INDEX);
	ck_assert_uint_eq(conf->cohorts[0].quota.gpus[0], 8);
	ck_assert_uint_eq(train->quota.gpus[0], 96);
	ck_assert_uint_eq(train->quota.gpus[1], 0);
	ck_assert_uint_eq(train->quota.gpus[2], GW_NOT_GIVEN);
	ck_assert_uint_eq(train->borrow.gpus[0], 32);
	ck_assert_uint_eq(train->borrow.gpus[1], GW_NOT_GIVEN);
	ck_assert_uint_eq(train->lend.gpus[0], 48);
	ck_assert_int_eq(train->loan_time, 12 * 3600);
	ck_assert(train->peak_strict);
	ck_assert_int_eq(conf->pools[1].loan_time, GW_TIME_INFINITE);
	ck_assert_uint_eq(conf->peak_count, 2);
	ck_assert_uint_eq(peak->pool.index, 0);
	ck_assert_uint_eq(peak->quota.gpus[0], 64);
	ck_assert_uint_eq(peak->borrow.gpus[0], 0);
	ck_assert_int_eq(peak->window.begin, 540);
	gw_conf_free(conf);
}
END_TEST

START_TEST(queues_and_shapes)
{
	struct gw_conf *conf = load_full();
	const struct gw_queue *nlp = &conf->queues[0], *notebooks = &conf->queues[1];

	ck_assert_uint_eq(nlp->pools.names.count, 2);
	ck_assert_uint_eq(nlp->pools.index[1], 1);
	ck_assert_uint_eq(nlp->flavors.names.count, 2);
	ck_assert_uint_eq(nlp->flavors.index[1], 2);
	ck_assert_int_eq(nlp->within, GW_WITHIN_FIFO);
	ck_assert_int_eq(nlp->max_wait, 4 * 86400);
	ck_assert_int_eq(nlp->max_time, 3 * 86400);
	ck_assert_int_eq(nlp->node_sharing, GW_SHARE_QUEUE);
	ck_assert_str_eq(notebooks->account, "nb");
	ck_assert_int_eq(notebooks->within, GW_WITHIN_SHORTEST_LIMIT);
	ck_assert_int_eq(notebooks->max_wait, GW_TIME_NONE);
	ck_assert_int_eq(notebooks->job_type, GW_JOB_INTERACTIVE);
	ck_assert_int_eq(notebooks->idle_action, GW_IDLE_NOTIFY);
	ck_assert_uint_eq(notebooks->flavors.names.count, 2); /* train's: h100, spot */
	ck_assert_str_eq(conf->shapes[0].hwloc, "etc/shapes/hgx-h100.xml");
	ck_assert_str_eq(conf->shapes[1].hwloc, "/share/old.xml");
	ck_assert_uint_eq(conf->shapes[0].node.count, 5);
	ck_assert_str_eq(conf->shapes[0].node.item[4], "n7");
	gw_conf_free(conf);
}
END_TEST

START_TEST(keys_have_no_case_and_places_are_kept)
{
	struct gw_conf *conf = load_lines("\nqueuename=nlp \\\n  POOL=TRAIN\n");

	ck_assert_uint_eq(conf->queues[0].pools.index[0], 0);
	ck_assert_int_eq(conf->queues[0].where.line, 5);
	ck_assert_int_eq(conf->queues[0].pools.where.line, 6);
	ck_assert_str_eq(conf->queues[0].where.file, "gangway.conf");
	gw_conf_free(conf);
}
END_TEST

static const struct {
	const char *lines;
	int line;
	const char *text;
} warnings[] = {
	{"FlavorName=a100 Gres=gpu:a100 Partition=gpu\nQueueName=q Pool=train\n", 4,
	 "no pool has a Quota of flavor a100"},
	{"UsageWeights=cpu=1\nQueueName=q Pool=train\n", 2,
	 "UsageWeights gives gres/gpu:h100 no weight: its GPUs count as no usage"},
	{"PoolName=b Quota=h100=1\nQueueName=q Pool=train\n", 4, "no queue draws from pool b"},
	{"CohortName=c\nQueueName=q Pool=train\n", 4, "cohort c has no pools"},
	{"UsageWeights=gres/gpu=1,gres/gpu:a10O=0.4\nQueueName=q Pool=train\n", 4,
	 "UsageWeights: gres/gpu:a10O has no effect: no FlavorName has Gres=gpu:a10O; there is "
	 "gpu:h100"},
	/* What nothing acts on. */
	{"QueueName=q Pool=train \\\n  IdleAction=cancel\n", 5,
	 "IdleAction=cancel has no effect in this version"},
	{"QueueName=q Pool=train IdleAfter=60\n", 4, "IdleAfter=60 has no effect in this version"},
	{"QueueName=q Pool=train NodeSharing=pool IdleAction=list IdleAfter=none\n", 4,
	 "NodeSharing=pool has no effect in this version"},
	{"QueueName=q Pool=b NodeSharing=any\nFlavorName=a Gres=gpu:a Partition=a Capacity=spot\n"
	 "PoolName=b Quota=a=1 Mode=enforce\nFlavorName=x Gres=gpu:x Partition=x "
	 "Capacity=reserved\n"
	 "QueueName=r Pool=train\nPoolName=x Quota=x=1\nQueueName=y Pool=x\n",
	 5, "Capacity=spot has no effect in this version"},
	{"QueueName=q Pool=b\nPoolName=b Quota=h100=1 ModeOrder=observe\nQueueName=r Pool=train\n",
	 5,
	 "ModeOrder=observe on a PoolName line has no effect in this version: write it on a line "
	 "of its own, for all pools"},
	{"QueueName=q Pool=b\nPoolName=b Quota=h100=1 Mode=observe\nQueueName=r Pool=train\n", 5,
	 "Mode=observe on a PoolName line is for its quota alone in this version; ModeQuota says "
	 "so"},
	{"SmallHold=0 SmallBatch=8\nQueueName=q Pool=train\n", 1,
	 "SmallBatch has no effect without SmallHold"},
};

START_TEST(surely_not_meant)
{
	struct gw_conf *conf = load_lines(warnings[_i].lines);

	ck_assert_uint_eq(conf->warning_count, 1);
	ck_assert_str_eq(conf->warnings[0].text, warnings[_i].text);
	ck_assert_int_eq(conf->warnings[0].where.line, warnings[_i].line);
	gw_conf_free(conf);
}
END_TEST

/* As sites write it for TRESBillingWeights: a suffix says for how much the weight is. */
START_TEST(weights_mean_what_slurm_means)
{
	struct gw_conf *conf = load_lines("UsageWeights=CPU=1.0,Mem=0.25G,GRES/gpu=2.0\n"
					  "QueueName=q Pool=train\n");

	ck_assert_double_eq_tol(gw_tres_value(&conf->usage_weights, "mem", 0), 0.25 / 1024, 1e-15);
	ck_assert_double_eq_tol(gw_tres_weight(&conf->usage_weights, "gres/gpu:h100", 0), 2, 1e-12);
	ck_assert_uint_eq(conf->warning_count, 0);
	gw_conf_free(conf);
}
END_TEST

START_TEST(unmatched_jobs_may_be_refused)
{
	struct gw_conf *conf = load_lines("Unmatched=reject\n");

	ck_assert_int_eq(conf->unmatched, GW_UNMATCHED_REJECT);
	gw_conf_free(conf);
	conf = load_lines("Unmatched=OUTSIDE\n");
	ck_assert_int_eq(conf->unmatched, GW_UNMATCHED_OUTSIDE);
	gw_conf_free(conf);
}
END_TEST

START_TEST(limits_without_effect_are_told)
{
	struct gw_conf *conf = load_lines("CohortName=c\n"
					  "PoolName=b Cohort=c Quota=h100=4 LendLimit=h100=8\n"
					  "PoolName=d Quota=h100=4 LoanTime=60\n"
					  "QueueName=q Pool=train\n"
					  "QueueName=r Pool=b\n"
					  "QueueName=s Pool=d\n");

	ck_assert_uint_eq(conf->warning_count, 2);
	ck_assert_str_eq(conf->warnings[0].text, "LendLimit of pool b is above its Quota of flavor "
						 "h100 (4): all of it may be lent");
	ck_assert_str_eq(conf->warnings[1].text,
			 "pool d is in no cohort: BorrowLimit, LendLimit and "
			 "LoanTime have no effect");
	gw_conf_free(conf);
}
END_TEST

/* A file of the source tree; freed by the caller. */
static char *source_path(const char *name)
{
	const char *top = getenv("GW_SRC");
	struct gw_str path = {0};

	gw_str_appendf(&path, "%s/%s", top ? top : ".", name);
	return gw_str_take(&path);
}

START_TEST(the_example_is_good)
{
	struct gw_conf_source source = {.read = gw_file_source};
	char *path = source_path("etc/gangway.conf.example");
	struct gw_error error = {0};
	struct gw_conf *conf = NULL;

	ck_assert_msg(!gw_conf_load(&source, path, &conf, &error), "%s", error.text);
	ck_assert_uint_eq(conf->warning_count, 0);
	ck_assert_uint_gt(conf->queue_count, 1);
	gw_conf_free(conf);
	free(path);
}
END_TEST

START_TEST(every_key_is_in_the_manual)
{
	char *path = source_path("man/gangway.conf.5.in"), *manual = NULL;
	struct gw_error error = {0};

	ck_assert_msg(!gw_file_read(path, &manual, &error), "%s", error.text);
	for (int kind = 0; kind < GW_KIND_COUNT; kind++)
		for (size_t i = 0; i < gw_conf_kinds[kind].key_count; i++)
			ck_assert_msg(strstr(manual, gw_conf_kinds[kind].keys[i].name) != NULL,
				      "%s is missing", gw_conf_kinds[kind].keys[i].name);
	free(manual);
	free(path);
}
END_TEST

UNIT_MAIN("conf", UNIT(defaults); UNIT(queue_defaults); UNIT(global_keys); UNIT(modes);
	  UNIT(classes_and_grants); UNIT(pools_and_cohorts); UNIT(queues_and_shapes);
	  UNIT(keys_have_no_case_and_places_are_kept); UNIT_ROWS(surely_not_meant, warnings);
	  UNIT(weights_mean_what_slurm_means); UNIT(unmatched_jobs_may_be_refused);
	  UNIT(limits_without_effect_are_told); UNIT(the_example_is_good);
	  UNIT(every_key_is_in_the_manual))

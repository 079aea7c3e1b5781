// SPDX-License-Identifier: GPL-2.0-or-later
/* A published view, another configuration, and what is said of the difference. */
#include "conf_text.h"
#include "src/tools/replay_diff_impl.h"
#include "src/core/belong.h"
#include "unit.h"

#define CONF_HEAD                                                                                  \
	"UsageHalfLife=7-00:00:00\nUsageWeights=gres/gpu:h100=1\n"                                 \
	"ClassName=standard QOS=normal Rank=1 Default=yes\nClassName=critical QOS=high Rank=2\n"   \
	"FlavorName=h100 Gres=gpu:h100 Partition=main\n"
#define CONF_POOL   "PoolName=shared Quota=gres/gpu:h100=32\n"
#define CONF_QUEUES "QueueName=nlp Pool=shared Account=nlp Weight=2\n" CONF_VISION
#define CONF_VISION "QueueName=vision Pool=shared Account=vision Weight=1\n"
#define IN_FORCE    CONF_HEAD CONF_POOL CONF_QUEUES

/*
 * 24 of 32 GPUs are held, 16 by nlp. Keys: nlp (16 + usage)/2 = 8.0, vision 8 / 1 = 8.5 with
 * usage, so that nlp comes first; then critical before all.
 */
#define USAGE_VISION "436270.87" /* half a GPU's steady usage: * ln2 / 7 days = 0.5 */
static const char view_text[] =
	"View=1 Written=1000000 Cluster=c Minute=60\n"
	"Flavor=h100 Gres=gpu:h100 Partition=main Weight=1\n"
	"Pool=shared Flavor=h100 Quota=32 BorrowLimit=none LendLimit=none Held=24 Borrowed=0 "
	"Lent=0 "
	"Reach=32 Largest=32\n"
	"Class=standard QOS=normal Rank=1\nClass=critical QOS=high Rank=2\n"
	"Queue=nlp Account=nlp Pool=shared Weight=2 Usage=0 Held=16 Key=8 Running=2 RunningGpus=16 "
	"Pending=2 PendingGpus=8\n"
	"Queue=vision Account=vision Pool=shared Weight=1 Usage=" USAGE_VISION
	" Held=8 Key=8.5 Running=1 RunningGpus=8 Pending=2 PendingGpus=9\n"
	"Line=nlp Flavor=h100 Usage=0 Held=16\nLine=nlp Flavor=\"\" Usage=0 Held=0\n"
	"Line=vision Flavor=h100 Usage=" USAGE_VISION " Held=8\n"
	"Job=14 Queue=vision Class=critical User=6 Flavor=h100 Gpus=1 Nodes=1 Tasks=1 "
	"State=pending "
	"Eligible=999 Submit=999 Start=0 Limit=3600 Rate=1 Rank=1 Number=9 Startable=yes "
	"Borrowing=no Turn=1 Why=allowed\n"
	"Job=11 Queue=nlp Class=standard User=5 Flavor=h100 Gpus=4 Nodes=1 Tasks=1 State=pending "
	"Eligible=900 Submit=900 Start=0 Limit=3600 Rate=4 Rank=2 Number=8 Startable=yes "
	"Borrowing=no Turn=1 Why=allowed\n"
	"Job=13 Queue=vision Class=standard User=6 Flavor=h100 Gpus=2 Nodes=1 Tasks=1 "
	"State=pending "
	"Eligible=901 Submit=901 Start=0 Limit=3600 Rate=2 Rank=3 Number=7 Startable=yes "
	"Borrowing=no Turn=1 Why=allowed\n"
	"Job=12 Queue=nlp Class=standard User=5 Flavor=h100 Gpus=4 Nodes=1 Tasks=1 State=pending "
	"Eligible=902 Submit=902 Start=0 Limit=3600 Rate=4 Nice=3 Rank=4 Number=6 Startable=no "
	"Borrowing=no Turn=1 Why=allowed Missing=0\n"
	"Job=1 Queue=nlp Class=standard User=5 Flavor=h100 Gpus=8 State=running Start=800 "
	"Limit=3600 "
	"Rate=8\n"
	"Job=2 Queue=nlp Class=standard User=5 Flavor=h100 Gpus=8 State=running Start=800 "
	"Limit=3600 "
	"Rate=8\n"
	"Job=3 Queue=vision Class=standard User=6 Flavor=h100 Gpus=8 State=running Start=800 "
	"Limit=3600 Rate=8 Whole=yes\n";

static struct gw_conf *load(const char *text)
{
	struct gw_conf *conf = NULL;
	struct gw_error error = {0};

	ck_assert_msg(!conf_load_text(text, &conf, &error), "%s", error.text);
	return conf;
}

/* All jobs that change, as "job:old>new why" in order, one a line. */
static void describe(const struct gw_diff *diff, struct gw_str *text)
{
	for (size_t i = 0; i < diff->job_count; i++) {
		const struct gw_diff_job *job = &diff->job[i];

		if (job->why[0])
			gw_str_appendf(text, "%u:%u>%u %s\n", job->view->id, job->view->rank,
				       job->rank, job->why);
	}
	for (size_t i = 0; i < diff->pool_count; i++)
		if (diff->pool[i].over)
			gw_str_appendf(text, "%s %u over %u\n", diff->pool[i].pool,
				       diff->pool[i].over, diff->pool[i].figures.quota);
}

static const struct gw_diff_known to_high[] = {
	{11, "nlp", "normal", true}, {12, "nlp", "high", true}, {13, "vision", "normal", true}};

static const struct {
	const char *conf;
	const struct gw_diff_known *known;
	size_t known_count;
	const char *difference;
} changes[] = {
	{IN_FORCE, NULL, 0, ""},
	/* Weights the other way round: vision is the least served. */
	{CONF_HEAD CONF_POOL "QueueName=nlp Pool=shared Account=nlp Weight=1\n"
			     "QueueName=vision Pool=shared Account=vision Weight=2\n",
	 NULL, 0,
	 "13:3>2 queue vision: weight 1 -> 2, key 8.500 -> 4.250\n"
	 "11:2>3 queue nlp: weight 2 -> 1, key 8.000 -> 16.000\n"},
	/* Less than is held: nobody may start. */
	{CONF_HEAD "PoolName=shared Quota=gres/gpu:h100=20\n" CONF_QUEUES, NULL, 0,
	 "14:1>1 quota: over-pool\n11:2>2 quota: over-pool\n13:3>3 quota: over-pool\n"
	 "shared 4 over 20\n"},
	/* Room for two GPUs: the job of four of the queue in front waits. */
	{CONF_HEAD "PoolName=shared Quota=gres/gpu:h100=27\n" CONF_QUEUES, NULL, 0,
	 "13:3>2 others moved\n11:2>3 quota: over-pool\n"},
	/* A pool of its own for vision. */
	{CONF_HEAD "PoolName=shared Quota=gres/gpu:h100=24\nPoolName=own Quota=gres/gpu:h100=8\n"
		   "QueueName=nlp Pool=shared Account=nlp Weight=2\n"
		   "QueueName=vision Pool=own Account=vision Weight=1\n",
	 NULL, 0,
	 "11:2>1 others moved\n12:4>2 quota: was allowed\n"
	 "14:1>3 pool shared -> own; quota: over-pool\n"
	 "13:3>4 pool shared -> own; quota: over-pool\n"},
	/* Both classes of one rank. */
	{"UsageHalfLife=NONE\nClassName=standard QOS=normal Rank=1 Default=yes\nClassName=critical "
	 "QOS=high Rank=1\n"
	 "FlavorName=h100 Gres=gpu:h100 Partition=main\n" CONF_POOL CONF_QUEUES,
	 NULL, 0, "11:2>1 others moved\n13:3>2 others moved\n14:1>3 class critical: rank 2 -> 1\n"},
	/* The queue has another name: its usage stays behind under the old one. */
	{CONF_HEAD CONF_POOL "QueueName=nlp Pool=shared Account=nlp Weight=2\n"
			     "QueueName=eyes Pool=shared Account=vision Weight=1\n",
	 NULL, 0, "14:1>1 queue vision -> eyes\n13:3>3 queue vision -> eyes\n"},
	/* No queue for vision. */
	{CONF_HEAD CONF_POOL "QueueName=nlp Pool=shared Account=nlp Weight=2\n", NULL, 0,
	 "11:2>1 others moved\n12:4>2 quota: was allowed\n"
	 "14:1>0 in no queue: none has its account and its GPUs\n"
	 "13:3>0 in no queue: none has its account and its GPUs\n"},
	/* No quota of that kind of GPU. */
	{"UsageHalfLife=NONE\nClassName=standard QOS=normal Rank=1 Default=yes\n"
	 "FlavorName=a100 Gres=gpu:a100 Partition=main\nPoolName=shared "
	 "Quota=gres/gpu:a100=8\n" CONF_VISION,
	 NULL, 0,
	 "14:1>0 in no queue: none has its account and its GPUs\n"
	 "11:2>0 in no queue: none has its account and its GPUs\n"
	 "13:3>0 in no queue: none has its account and its GPUs\n"
	 "12:4>0 in no queue: none has its account and its GPUs\n"},
	/* slurmctld knows more than the view: the QOS was changed since. */
	{IN_FORCE, to_high, 3, NULL},
};

START_TEST(differences)
{
	struct gw_conf *conf = load(changes[_i].conf);
	struct gw_str text = {0};
	struct gw_view view;
	struct gw_diff diff;

	ck_assert_int_eq(gw_view_read("view", view_text, &view, NULL), 0);
	ck_assert_int_eq(
		gw_diff_make(&view, conf, changes[_i].known, changes[_i].known_count, &diff, NULL),
		0);
	describe(&diff, &text);
	ck_assert_uint_eq(diff.job_count, 4);
	if (changes[_i].difference)
		ck_assert_str_eq(gw_str_text(&text), changes[_i].difference);
	else
		ck_assert_ptr_nonnull(strstr(gw_str_text(&text), "class standard -> critical"));
	gw_str_free(&text);
	gw_diff_free(&diff);
	gw_view_free(&view);
	gw_conf_free(conf);
}
END_TEST

START_TEST(running_jobs_that_leave_are_counted)
{
	struct gw_conf *conf = load(CONF_HEAD CONF_POOL CONF_VISION);
	struct gw_view view;
	struct gw_diff diff;

	ck_assert_int_eq(gw_view_read("view", view_text, &view, NULL), 0);
	ck_assert_int_eq(gw_diff_make(&view, conf, NULL, 0, &diff, NULL), 0);
	ck_assert_uint_eq(diff.running_lost, 2);
	ck_assert_uint_eq(diff.pool[0].figures.held, 8);
	ck_assert_uint_eq(diff.pool[0].view->figures.held, 24);
	gw_diff_free(&diff);
	gw_view_free(&view);
	gw_conf_free(conf);
}
END_TEST

/* 13 is of a queue, 30 has one already and is held, 31 will have one, 32 wants no GPU. */
START_TEST(jobs_that_join_are_counted)
{
	static const struct gw_diff_known known[] = {{13, "vision", "normal", true},
						     {30, "nlp", "normal", true},
						     {31, "speech", "normal", true},
						     {32, "speech", "normal", false},
						     {33, "other", "normal", true}};
	struct gw_conf *conf =
		load(IN_FORCE "QueueName=speech Pool=shared Account=speech Weight=1\n");
	struct gw_view view;
	struct gw_diff diff;

	ck_assert_int_eq(gw_view_read("view", view_text, &view, NULL), 0);
	ck_assert_int_eq(gw_diff_make(&view, conf, known, 5, &diff, NULL), 0);
	ck_assert_uint_eq(diff.joining, 1);
	ck_assert_uint_eq(diff.moved, 0);
	gw_diff_free(&diff);
	gw_view_free(&view);
	gw_conf_free(conf);
}
END_TEST

START_TEST(a_cohort_that_lacks_is_its_borrowers_matter)
{
	struct gw_conf *conf = load(CONF_HEAD "CohortName=all\n"
					      "PoolName=a Quota=gres/gpu:h100=4 Cohort=all\n"
					      "PoolName=b Quota=gres/gpu:h100=16 Cohort=all\n"
					      "QueueName=nlp Pool=a Account=nlp\n"
					      "QueueName=vision Pool=b Account=vision\n");
	struct gw_view view;
	struct gw_diff diff;

	ck_assert_int_eq(gw_view_read("view", view_text, &view, NULL), 0);
	ck_assert_int_eq(gw_diff_make(&view, conf, NULL, 0, &diff, NULL), 0);
	ck_assert_uint_eq(diff.pool_count, 2);
	/* 24 are held of 20: by a, which has 16 of its 4. b is inside its own. */
	ck_assert_uint_eq(diff.pool[0].over, 4);
	ck_assert_uint_eq(diff.pool[1].over, 0);
	ck_assert_ptr_null(diff.pool[0].view);
	gw_diff_free(&diff);
	gw_view_free(&view);
	gw_conf_free(conf);
}
END_TEST

/* CPUs and memory have weights: what a job is charged for them is known from its rate. */
START_TEST(rates_follow_the_weights)
{
	struct gw_conf *conf =
		load("UsageHalfLife=NONE\nUsageWeights=gres/gpu:h100=3,gres/gpumem=0.5\n"
		     "ClassName=standard QOS=normal Rank=1 Default=yes\n"
		     "FlavorName=h100 Gres=gpu:h100 Partition=main\n" CONF_POOL CONF_QUEUES);
	struct gw_view view;
	struct gw_view_job job;
	struct gw_job to;

	ck_assert_int_eq(gw_view_read("view", view_text, &view, NULL), 0);
	job = *gw_view_job(&view, 11);
	gw_diff_belongs(&view, conf, &job, NULL, &to);
	ck_assert_double_eq_tol(to.rate, 12, 1e-9);
	job.rate = 4 + 1.5;
	gw_diff_belongs(&view, conf, &job, NULL, &to);
	ck_assert_double_eq_tol(to.rate, 13.5, 1e-9);
	job.rate = 0;
	gw_diff_belongs(&view, conf, &job, NULL, &to);
	ck_assert_double_eq_tol(to.rate, 12, 1e-9);
	/* GPUs that UsageWeights does not name weigh nothing, as in what accounting says. */
	gw_conf_free(conf);
	conf = load("UsageHalfLife=NONE\nUsageWeights=cpu=0.5\n"
		    "ClassName=standard QOS=normal Rank=1 Default=yes\n"
		    "FlavorName=h100 Gres=gpu:h100 Partition=main\n" CONF_POOL CONF_QUEUES);
	ck_assert_double_eq_tol(gw_belong_gpu_weight(conf, 0), 0, 1e-9);
	gw_view_free(&view);
	gw_conf_free(conf);
}
END_TEST

START_TEST(a_view_tells_nice_and_whole_nodes)
{
	struct gw_view view;

	ck_assert_int_eq(gw_view_read("view", view_text, &view, NULL), 0);
	ck_assert_int_eq(gw_view_job(&view, 12)->nice, 3);
	ck_assert(gw_view_job(&view, 3)->whole_nodes && !gw_view_job(&view, 2)->whole_nodes);
	ck_assert_uint_eq(view.class_count, 2);
	ck_assert_str_eq(view.job_class[1].qos, "high");
	gw_view_free(&view);
	ck_assert_int_eq(gw_view_read("view",
				      "View=1 Written=1\nJob=1 Queue=q User=1 Gpus=1 "
				      "State=pending Limit=1 Nice=-2147483645\n",
				      &view, NULL),
			 0);
	ck_assert_int_eq(view.job[0].nice, -2147483645);
	gw_view_free(&view);
}
END_TEST

START_TEST(memory_may_run_out_anywhere)
{
	struct gw_conf *conf = load(IN_FORCE);
	struct gw_view view;
	unsigned int n = 0;
	bool failed;

	ck_assert_int_eq(gw_view_read("view", view_text, &view, NULL), 0);
	do {
		struct gw_error error = {0};
		struct gw_diff diff;
		int result;

		alloc_fail_at(++n);
		result = gw_diff_make(&view, conf, NULL, 0, &diff, &error);
		failed = alloc_failed();
		ck_assert_int_eq(result, failed ? -1 : 0);
		ck_assert_int_eq(gw_error_is_set(&error), failed);
		gw_diff_free(&diff);
	} while (failed && n < 1000);
	ck_assert_uint_gt(n, 10);
	gw_view_free(&view);
	gw_conf_free(conf);
}
END_TEST

UNIT_MAIN("replay_diff", UNIT_ROWS(differences, changes), UNIT(running_jobs_that_leave_are_counted),
	  UNIT(jobs_that_join_are_counted), UNIT(a_cohort_that_lacks_is_its_borrowers_matter),
	  UNIT(rates_follow_the_weights), UNIT(a_view_tells_nice_and_whole_nodes),
	  UNIT(memory_may_run_out_anywhere))

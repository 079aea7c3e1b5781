// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a job goes, what is filled in and said, and what is refused with which way out. */
#include "conf_text.h"
#include "src/core/belong.h"
#include "src/core/job.h"
#include "src/core/route.h"
#include "unit.h"

/* nlp has h100 and a100, of two pools; nb is interactive; cv has an untyped flavor. */
static const char site_conf[] =
	"UsageHalfLife=7-0\n"
	"ClassName=critical QOS=crit Rank=3 NeedsGrant=yes\n"
	"ClassName=standard QOS=normal Rank=2 Default=yes\n"
	"ClassName=low Rank=1\n"
	"FlavorName=h100 Gres=gpu:h100 Partition=gpu\n"
	"FlavorName=a100 Gres=gpu:a100 Partition=old\n"
	"FlavorName=any Gres=gpu Partition=mixed\n"
	"FlavorName=l4 Gres=gpu:l4 Partition=small\n"
	"FlavorName=l40 Gres=gpu:l40 Partition=small\n"
	"CohortName=r\n"
	"PoolName=train Cohort=r Quota=h100=96 BorrowLimit=h100=32\n"
	"PoolName=spare Cohort=r Quota=h100=64\n"
	"PoolName=old Quota=a100=16\n"
	"PoolName=mixed Quota=any=8,l4=8,l40=8\n"
	"QueueName=nlp Pool=train Account=nlp MaxTime=3-0\n"
	"QueueName=both Pool=train,old Account=both Flavor=h100,a100\n"
	"QueueName=notebooks Pool=train Account=nb JobType=interactive MaxTime=8:00:00\n"
	"QueueName=batch Pool=train Account=ba JobType=batch DefaultClass=low\n"
	"QueueName=cv Pool=mixed Account=cv Flavor=any\n"
	"QueueName=small Pool=mixed Account=sm Flavor=l4,l40\n"
	"ClassGrant=user:ann Class=critical Until=2026-12-31 By=board Reason=paper\n"
	"ClassGrant=account:cv Class=critical Until=2026-12-31 By=board Reason=paper\n"
	"ClassGrant=user:old Class=critical Until=2020-12-31 By=board Reason=paper\n";

static const struct gw_route_hardware hardware[5] = {{13, 8}, {2, 4}};

#define NOW      INT64_C(1790000000) /* 2026-09-21 */
#define DAY      INT64_C(86400)
#define ONE_GPU  .gpus = {.tres = {[GW_PER_NODE] = "gres:gpu:1"}}
#define GPUS(n)  .gpus = {.tres = {[GW_PER_JOB] = "gres/gpu:" n}}
#define BY(name) .user = "bob", .account = name, .associated = true, .limit = 3600

struct routed {
	struct gw_conf *conf;
	struct gw_quota *quota;
	struct gw_route_answer answer;
};

static struct routed route_in(const char *text, const struct gw_route_job *job)
{
	struct routed routed = {0};
	struct gw_error error = {0};
	struct gw_route_site site = {.hardware = hardware, .now = NOW};

	ck_assert_msg(!conf_load_text(text, &routed.conf, &error), "%s", error.text);
	routed.quota = gw_quota_new(routed.conf, &error);
	site.conf = routed.conf;
	site.quota = routed.quota;
	ck_assert_int_eq(gw_route(&site, job, &routed.answer, &error), 0);
	return routed;
}

static void routed_free(struct routed *routed)
{
	gw_route_answer_free(&routed->answer);
	gw_quota_free(routed->quota);
	gw_conf_free(routed->conf);
}

static const char *const below_nlp[] = {"lab", "nlp", "root"};

/* Queue and flavor by index; what is written and said. */
static const struct {
	struct gw_route_job job;
	int32_t queue, flavor, job_class;
	const char *set[GW_ROUTE_FIELD_COUNT];
	int64_t limit;
	const char *text;
} queued[] = {
	{{BY("nlp"), ONE_GPU},
	 0,
	 0,
	 1,
	 {[GW_ROUTE_TRES_PER_NODE] = "gres:gpu:h100:1",
	  [GW_ROUTE_PARTITION] = "gpu",
	  [GW_ROUTE_QOS] = "normal"},
	 GW_TIME_NONE,
	 "queue nlp: partition gpu, QOS normal, GPU type h100 filled in"},
	{{BY("nlp"), .gpus = {.tres = {[GW_PER_NODE] = "gres:gpu:h100:1"}}, .partition = "gpu",
	  .qos = "low"},
	 0,
	 0,
	 2,
	 {0},
	 GW_TIME_NONE,
	 ""},
	{{BY("nlp"), GPUS("h100:2"), .default_partition = "gpu", .qos = "low"},
	 0,
	 0,
	 2,
	 {0},
	 GW_TIME_NONE,
	 ""},
	{{BY("student"), .ancestors = below_nlp, .ancestor_count = 3, GPUS("h100:2"),
	  .partition = "gpu", .qos = "low"},
	 0,
	 0,
	 2,
	 {0},
	 GW_TIME_NONE,
	 ""},
	{{.user = "bob",
	  .account = "nlp",
	  .associated = true,
	  .limit = GW_TIME_NONE,
	  .limit_default = GW_TIME_NONE,
	  GPUS("h100:2"),
	  .partition = "gpu",
	  .qos = "low"},
	 0,
	 0,
	 2,
	 {0},
	 3 * DAY,
	 "queue nlp: time limit 3-00:00:00 filled in"},
	{{.user = "bob",
	  .account = "nlp",
	  .associated = true,
	  .limit = GW_TIME_NONE,
	  .limit_default = DAY,
	  GPUS("h100:2"),
	  .partition = "gpu",
	  .qos = "low"},
	 0,
	 0,
	 2,
	 {0},
	 GW_TIME_NONE,
	 ""},
	/* Several flavors: their partitions in order, and no type. */
	{{BY("both"), GPUS("2"), .qos = "low"},
	 1,
	 0,
	 2,
	 {[GW_ROUTE_PARTITION] = "gpu,old"},
	 GW_TIME_NONE,
	 "queue both: partition gpu,old filled in"},
	{{BY("both"), GPUS("a100:2"), .qos = "low"},
	 1,
	 1,
	 2,
	 {[GW_ROUTE_PARTITION] = "old"},
	 GW_TIME_NONE,
	 "queue both: partition old filled in"},
	{{BY("both"), GPUS("2"), .qos = "low", .partition = "old,debug"},
	 1,
	 1,
	 2,
	 {[GW_ROUTE_TRES_PER_JOB] = "gres/gpu:a100:2"},
	 GW_TIME_NONE,
	 "queue both: GPU type a100 filled in"},
	/* With a type the job gets no others in partitions that are not for its queue. */
	{{BY("both"), GPUS("a100:2"), .qos = "low", .partition = "old,small"},
	 1,
	 1,
	 2,
	 {0},
	 GW_TIME_NONE,
	 ""},
	{{BY("nlp"), GPUS("2"), .qos = "low", .partition = "gpu,old"},
	 0,
	 0,
	 2,
	 {[GW_ROUTE_TRES_PER_JOB] = "gres/gpu:h100:2"},
	 GW_TIME_NONE,
	 "queue nlp: GPU type h100 filled in"},
	/* Associations of partitions: the first that has one, and only that. */
	{{BY("both"), GPUS("2"), .qos = "low", .partitions_open = "old,gpu"},
	 1,
	 0,
	 2,
	 {[GW_ROUTE_TRES_PER_JOB] = "gres/gpu:h100:2", [GW_ROUTE_PARTITION] = "gpu"},
	 GW_TIME_NONE,
	 "queue both: partition gpu, GPU type h100 filled in"},
	{{BY("both"), GPUS("2"), .qos = "low", .partitions_open = "old"},
	 1,
	 1,
	 2,
	 {[GW_ROUTE_TRES_PER_JOB] = "gres/gpu:a100:2", [GW_ROUTE_PARTITION] = "old"},
	 GW_TIME_NONE,
	 "queue both: partition old, GPU type a100 filled in"},
	{{BY("nlp"), GPUS("h100:2"), .qos = "low", .partition = "gpu", .partitions_open = "old"},
	 0,
	 0,
	 2,
	 {0},
	 GW_TIME_NONE,
	 ""},
	/* Only h100 has room for 12 at all. */
	{{BY("both"), GPUS("12"), .qos = "low"},
	 1,
	 0,
	 2,
	 {[GW_ROUTE_TRES_PER_JOB] = "gres/gpu:h100:12", [GW_ROUTE_PARTITION] = "gpu"},
	 GW_TIME_NONE,
	 "queue both: partition gpu, GPU type h100 filled in"},
	{{BY("nb"), GPUS("h100:1"), .interactive = true, .partition = "gpu", .qos = "normal"},
	 2,
	 0,
	 1,
	 {0},
	 GW_TIME_NONE,
	 ""},
	{{BY("ba"), GPUS("h100:1"), .partition = "gpu"},
	 3,
	 0,
	 2,
	 {[GW_ROUTE_QOS] = "low"},
	 GW_TIME_NONE,
	 "queue batch: QOS low filled in"},
	/* A flavor of any type leaves types alone. */
	{{BY("cv"), GPUS("2"), .partition = "mixed", .qos = "low"}, 4, 2, 2, {0}, GW_TIME_NONE, ""},
	{{BY("cv"), GPUS("t4:2"), .partition = "mixed", .qos = "low"},
	 4,
	 2,
	 2,
	 {0},
	 GW_TIME_NONE,
	 ""},
	/* Two flavors in one partition: the first, and its type, so that it can be counted. */
	{{BY("sm"), GPUS("2"), .qos = "low"},
	 5,
	 3,
	 2,
	 {[GW_ROUTE_TRES_PER_JOB] = "gres/gpu:l4:2", [GW_ROUTE_PARTITION] = "small"},
	 GW_TIME_NONE,
	 "queue small: partition small, GPU type l4 filled in"},
	/* Several QOS: it may have any of them. */
	{{BY("nlp"), GPUS("h100:2"), .partition = "gpu", .qos = "low,normal"},
	 0,
	 0,
	 2,
	 {0},
	 GW_TIME_NONE,
	 ""},
	/* Grants, by user and by account. */
	{{.user = "ann",
	  .account = "nlp",
	  .associated = true,
	  .limit = 60,
	  GPUS("h100:2"),
	  .partition = "gpu",
	  .qos = "crit"},
	 0,
	 0,
	 0,
	 {0},
	 GW_TIME_NONE,
	 ""},
	{{BY("cv"), GPUS("t4:2"), .partition = "mixed", .qos = "CRIT", .qos_allowed = "low,crit"},
	 4,
	 2,
	 0,
	 {0},
	 GW_TIME_NONE,
	 ""},
};

START_TEST(goes_to_its_queue)
{
	struct routed routed = route_in(site_conf, &queued[_i].job);
	const struct gw_route_answer *answer = &routed.answer;

	ck_assert_str_eq(answer->text, queued[_i].text);
	ck_assert_int_eq(answer->verdict, GW_ROUTE_QUEUED);
	ck_assert_int_eq(answer->queue, queued[_i].queue);
	ck_assert_int_eq(answer->flavor, queued[_i].flavor);
	ck_assert_int_eq(answer->job_class, queued[_i].job_class);
	ck_assert_int_eq(answer->limit, queued[_i].limit);
	for (int i = 0; i < GW_ROUTE_FIELD_COUNT; i++) {
		if (queued[_i].set[i])
			ck_assert_str_eq(answer->set[i], queued[_i].set[i]);
		else
			ck_assert_ptr_null(answer->set[i]);
	}
	routed_free(&routed);
}
END_TEST

/* Unmatched= behind the site's configuration; who is refused, and with which words. */
static const struct {
	struct gw_route_job job;
	const char *unmatched, *text;
} refused[] = {
	{{BY("chem"), ONE_GPU},
	 "reject",
	 "GW001: account chem belongs to no queue: submit with --account= of one of nlp, both, nb, "
	 "ba, cv, sm"},
	{{.user = "eve", ONE_GPU},
	 "outside",
	 "GW002: eve has no account: ask an administrator for one, or submit with --account="},
	{{ONE_GPU},
	 "outside",
	 "GW002: this user has no association with any account: ask an administrator for one"},
	{{.account = "nlp", ONE_GPU},
	 "outside",
	 "GW002: this user has no association with any account: ask an administrator for one"},
	{{.user = "eve", .account = "nlp", ONE_GPU},
	 "outside",
	 "GW002: eve may not use account nlp: submit with --account= of your own; sacctmgr show "
	 "associations user=eve lists them"},
	{{BY("nlp"), ONE_GPU, .qos = "urgent"},
	 "outside",
	 "GW003: no class has QOS urgent: submit with --qos= of one of normal, low"},
	{{BY("nlp"), ONE_GPU, .qos = "low,urgent"},
	 "outside",
	 "GW003: no class has QOS urgent: submit with --qos= of one of normal, low"},
	{{BY("nlp"), ONE_GPU, .qos = "low,crit"},
	 "outside",
	 "GW005: no grant is in force for you to use class critical: submit with --qos= of one of "
	 "normal, low"},
	{{BY("nlp"), ONE_GPU, .qos = "normal", .qos_allowed = "low,lower"},
	 "outside",
	 "GW004: this account may not use QOS normal: submit with --qos= of one of low"},
	{{BY("nlp"), ONE_GPU, .qos_allowed = "debug"},
	 "outside",
	 "GW004: this account may not use QOS normal: ask an administrator for a class"},
	{{BY("nlp"), ONE_GPU, .qos = "crit"},
	 "outside",
	 "GW005: no grant is in force for you to use class critical: submit with --qos= of one of "
	 "normal, low"},
	{{.user = "old", .account = "nlp", .associated = true, .limit = 60, ONE_GPU, .qos = "crit"},
	 "outside",
	 "GW005: no grant is in force for you to use class critical: submit with --qos= of one of "
	 "normal, low"},
	{{BY("nlp"), GPUS("a100:1")},
	 "outside",
	 "GW006: gpu:a100 in partition old is not for queue nlp: queue nlp has gpu:h100 in "
	 "partition gpu"},
	{{BY("nlp"), ONE_GPU, .partition = "old"},
	 "outside",
	 "GW006: gpu:a100 in partition old is not for queue nlp: queue nlp has gpu:h100 in "
	 "partition gpu"},
	{{BY("nlp"), GPUS("v100:1"), .partition = "attic"},
	 "reject",
	 "GW006: no queue has these GPUs in this partition: queue nlp has gpu:h100 in partition "
	 "gpu"},
	{{BY("both"), .gpus = {.tres = {[GW_PER_NODE] = "gres:gpu:h100:1,gres:gpu:a100:1"}}},
	 "outside",
	 "GW006: one job asks for GPUs of several types: queue both has gpu:h100 in partition gpu, "
	 "gpu:a100 in partition old"},
	/* Where other partitions stand beside the queue's, untyped GPUs could be theirs. */
	{{BY("both"), GPUS("2"), .qos = "low", .partition = "gpu,old,small"},
	 "outside",
	 "GW006: gpu:l4 in partition small is not for queue both: queue both has gpu:h100 in "
	 "partition gpu, gpu:a100 in partition old"},
	{{BY("cv"), GPUS("2"), .qos = "low", .partition = "gpu,mixed"},
	 "outside",
	 "GW006: gpu:h100 in partition gpu is not for queue cv: queue cv has gpu in partition "
	 "mixed"},
	/* Case 3: 16 on one node of 8. */
	{{BY("nlp"),
	  .gpus = {.tres = {[GW_PER_JOB] = "gres/gpu:16"}, .nodes_min = 1, .nodes_max = 1}},
	 "outside",
	 "GW007: 16 GPUs never fit the nodes asked for: a node has 8 h100: submit with -N2 "
	 "--gpus-per-node=8"},
	{{BY("nlp"),
	  .gpus = {.tres = {[GW_PER_NODE] = "gres/gpu:16"}, .nodes_min = 1, .nodes_max = 1}},
	 "outside",
	 "GW007: 16 GPUs never fit the nodes asked for: a node has 8 h100: submit with -N2 "
	 "--gpus-per-node=8"},
	{{BY("nlp"), .gpus = {.tres = {[GW_PER_TASK] = "gres/gpu:13"}, .tasks = 1}},
	 "outside",
	 "GW007: 13 GPUs never fit the nodes asked for: a node has 8 h100: submit with -N2 "
	 "--gpus=13"},
	{{BY("nlp"), GPUS("105")},
	 "outside",
	 "GW007: 105 GPUs on 1 nodes never fit: there are 13 nodes of 8 h100: submit with at most "
	 "-N13 --gpus-per-node=8"},
	{{BY("sm"), GPUS("9")},
	 "outside",
	 "GW008: 9 GPUs are more than pool mixed can ever hold, quota and all it may borrow: "
	 "submit with at most 8 l4"},
	{{.user = "bob", .account = "nlp", .associated = true, .limit = 5 * DAY, ONE_GPU},
	 "outside",
	 "GW009: time limit 5-00:00:00 is above that of queue nlp: submit with --time=3-00:00:00 "
	 "or less"},
	{{.user = "bob", .account = "nlp", .associated = true, .limit = GW_TIME_INFINITE, ONE_GPU},
	 "outside",
	 "GW009: time limit INFINITE is above that of queue nlp: submit with --time=3-00:00:00 or "
	 "less"},
	{{BY("nb"), ONE_GPU},
	 "outside",
	 "GW010: queue notebooks takes interactive jobs only: use salloc or srun, or submit with "
	 "--account= of another queue"},
	{{BY("ba"), ONE_GPU, .interactive = true},
	 "outside",
	 "GW010: queue batch takes batch jobs only: use sbatch, or --account= of another queue"},
	{{BY("nlp"), .gpus = {.tres = {[GW_PER_NODE] = "gres:gpu:h100:two"}}},
	 "outside",
	 "GW011: the GPU request gres:gpu:h100:two can not be read: write --gpus=TYPE:COUNT or "
	 "--gres=gpu:TYPE:COUNT"},
};

static char *with_unmatched(const char *unmatched)
{
	struct gw_str text = {0};

	gw_str_append(&text, site_conf);
	gw_str_appendf(&text, "Unmatched=%s\n", unmatched);
	return gw_str_take(&text);
}

START_TEST(is_refused_in_one_line)
{
	char *text = with_unmatched(refused[_i].unmatched);
	struct routed routed = route_in(text, &refused[_i].job);

	ck_assert_str_eq(routed.answer.text, refused[_i].text);
	ck_assert_int_eq(routed.answer.verdict, GW_ROUTE_REFUSED);
	ck_assert_int_eq(strncmp(routed.answer.text, gw_refusal_id(routed.answer.refusal), 5), 0);
	ck_assert_ptr_nonnull(gw_refusal_meaning(routed.answer.refusal));
	for (int i = 0; i < GW_ROUTE_FIELD_COUNT; i++)
		ck_assert_ptr_null(routed.answer.set[i]);
	routed_free(&routed);
	free(text);
}
END_TEST

static const struct gw_route_job outside[] = {
	{BY("nlp"), GPUS("h100:1"), .partitions_open = "cpu"},
	{BY("chem"), ONE_GPU},
	{BY("nlp")},
	{BY("nlp"), GPUS("0"), .exclusive = true, .partition = "cpu"},
	{BY("nlp"), GPUS("v100:1"), .partition = "attic"},
	{BY("chem"), .gpus = {.tres = {[GW_PER_NODE] = "gres:gpu:"}}},
};

START_TEST(is_left_alone)
{
	struct routed routed = route_in(site_conf, &outside[_i]);

	ck_assert_int_eq(routed.answer.verdict, GW_ROUTE_OUTSIDE);
	ck_assert_str_eq(routed.answer.text, "");
	ck_assert_int_eq(routed.answer.queue, GW_INDEX_NONE);
	routed_free(&routed);
}
END_TEST

#define IS(name) .user = "bob", .account = name

/* What a job would change, and what it is told; filled: the QOS. */
static const struct {
	struct gw_route_job job;
	enum gw_route_verdict verdict;
	const char *text, *filled;
} changes[] = {
	{{IS("nlp"), .limit = GW_TIME_NONE, .qos = "low"}, GW_ROUTE_QUEUED, "", NULL},
	{{IS("nlp"), .limit = 3 * DAY}, GW_ROUTE_QUEUED, "", NULL},
	{{IS("nlp"), .limit = GW_TIME_NONE, .qos = ""}, GW_ROUTE_QUEUED, "", "normal"},
	{{.user = "ann", .account = "nlp", .limit = GW_TIME_NONE, .qos = "crit"},
	 GW_ROUTE_QUEUED,
	 "",
	 NULL},
	{{IS("nb"), .limit = GW_TIME_NONE, .qos = "low"}, GW_ROUTE_QUEUED, "", NULL},
	{{IS("chem"), .limit = 9 * DAY, .qos = "crit", .moves = true}, GW_ROUTE_OUTSIDE, "", NULL},
	{{IS("nlp"), .limit = GW_TIME_NONE, .qos = "crit"},
	 GW_ROUTE_REFUSED,
	 "GW005: no grant is in force for you to use class critical: submit with --qos= of one of "
	 "normal, low",
	 NULL},
	{{IS("nlp"), .limit = GW_TIME_NONE, .qos = "normal", .qos_allowed = "low"},
	 GW_ROUTE_REFUSED,
	 "GW004: this account may not use QOS normal: submit with --qos= of one of low",
	 NULL},
	{{IS("nlp"), .limit = 3 * DAY + 60},
	 GW_ROUTE_REFUSED,
	 "GW009: time limit 3-00:01:00 is above that of queue nlp: submit with --time=3-00:00:00 "
	 "or less",
	 NULL},
	{{IS("nb"), .limit = 60, .qos = "low", .moves = true},
	 GW_ROUTE_REFUSED,
	 "GW010: queue notebooks takes interactive jobs only: use salloc or srun, or submit with "
	 "--account= of another queue",
	 NULL},
};

START_TEST(a_change_is_asked_about)
{
	struct gw_conf *conf = NULL;
	struct gw_route_site site = {.now = NOW};
	struct gw_route_answer answer;
	const char *filled;

	ck_assert_int_eq(conf_load_text(site_conf, &conf, NULL), 0);
	site.conf = conf;
	ck_assert_int_eq(gw_route_change(&site, &changes[_i].job, &answer, NULL), 0);
	ck_assert_int_eq(answer.verdict, changes[_i].verdict);
	ck_assert_str_eq(answer.text, changes[_i].text);
	filled = answer.set[GW_ROUTE_QOS];
	ck_assert_str_eq(filled ? filled : "", changes[_i].filled ? changes[_i].filled : "");
	ck_assert_ptr_null(answer.set[GW_ROUTE_PARTITION]);
	ck_assert_int_eq(answer.limit, GW_TIME_NONE);
	gw_route_answer_free(&answer);
	gw_conf_free(conf);
}
END_TEST

START_TEST(a_queue_for_the_unmatched)
{
	const struct gw_route_job job = {BY("chem"), ONE_GPU};
	char *text = with_unmatched("cv");
	struct routed routed = route_in(text, &job);

	ck_assert_int_eq(routed.answer.verdict, GW_ROUTE_QUEUED);
	ck_assert_int_eq(routed.answer.queue, 4);
	routed_free(&routed);
	free(text);
}
END_TEST

/* Whole nodes hold whole nodes' GPUs, asked for or not. */
START_TEST(exclusive_jobs_hold_all)
{
	const struct gw_route_job job = {BY("nlp"), .gpus = {.nodes_min = 2, .nodes_max = 2},
					 .exclusive = true, .default_partition = "gpu"};
	struct routed routed = route_in(site_conf, &job);

	ck_assert_int_eq(routed.answer.verdict, GW_ROUTE_QUEUED);
	ck_assert_uint_eq(routed.answer.gpus.total, 16);
	ck_assert(routed.answer.whole_nodes);
	routed_free(&routed);
}
END_TEST

/* The flavor of a job that is there, and whether its GPUs are of any; queues and flavors by index.
 */
static const struct {
	int32_t queue;
	const char *type, *partition;
	int32_t flavor;
	bool any;
} belongs[] = {
	{1, NULL, NULL, 0, false},
	{1, NULL, "gpu", 0, true},
	{1, NULL, "old", 1, true},
	{1, "a100", "gpu", 1, true},
	{1, "h100", "small", 0, true},
	/* No flavor has the partition: it may be any that the queue has. */
	{1, NULL, "debug", 0, false},
	/* Others' partitions and types. */
	{1, NULL, "small", GW_INDEX_NONE, true},
	{1, NULL, "mixed", GW_INDEX_NONE, true},
	{1, "l4", "gpu", GW_INDEX_NONE, true},
	{1, "v100", "gpu", GW_INDEX_NONE, false},
	/* A flavor of any type is that of its partition. */
	{4, "t4", "mixed", 2, true},
	{4, "t4", "gpu", GW_INDEX_NONE, false},
	{4, "h100", "gpu", GW_INDEX_NONE, true},
	{4, NULL, "gpu", GW_INDEX_NONE, true},
	{4, NULL, "debug", 2, false},
};

START_TEST(belongs_to_a_flavor)
{
	struct gw_conf *conf = NULL;
	const char *type = belongs[_i].type, *partition = belongs[_i].partition;

	ck_assert_int_eq(conf_load_text(site_conf, &conf, NULL), 0);
	ck_assert_int_eq(gw_belong_flavor(conf, belongs[_i].queue, type, partition),
			 belongs[_i].flavor);
	ck_assert_int_eq(gw_belong_to_flavor(conf, type, partition), belongs[_i].any);
	gw_conf_free(conf);
}
END_TEST

/* Without classes QOS is not ours; without facts nothing is refused for them. */
START_TEST(a_plain_site)
{
	const struct gw_route_job job = {BY("nlp"), GPUS("500"), .qos = "whatever"};
	struct gw_conf *conf = NULL;
	struct gw_route_site site = {0};
	struct gw_route_answer answer;

	ck_assert_int_eq(conf_load_lines("QueueName=nlp Pool=train\n", &conf, NULL), 0);
	site.conf = conf;
	ck_assert_int_eq(gw_route(&site, &job, &answer, NULL), 0);
	ck_assert_int_eq(answer.verdict, GW_ROUTE_QUEUED);
	ck_assert_int_eq(answer.job_class, GW_INDEX_NONE);
	ck_assert_str_eq(answer.set[GW_ROUTE_TRES_PER_JOB], "gres/gpu:h100:500");
	gw_route_answer_free(&answer);
	gw_route_answer_free(NULL);
	gw_conf_free(conf);
}
END_TEST

/* Placement knows more of nodes than routing does. */
START_TEST(never_fits_afterwards)
{
	const struct gw_route_job job = {BY("nlp"), ONE_GPU};
	struct routed routed = route_in(site_conf, &job);

	gw_route_never_fits(&routed.answer, "no node has 4096 CPUs, the largest has 256", "-c256");
	ck_assert_str_eq(routed.answer.text, "GW007: it never fits: no node has 4096 CPUs, the "
					     "largest has 256: submit with -c256");
	ck_assert_int_eq(routed.answer.verdict, GW_ROUTE_REFUSED);
	ck_assert_ptr_null(routed.answer.set[GW_ROUTE_PARTITION]);
	gw_route_never_fits(&routed.answer, "there are no nodes", "");
	ck_assert_str_eq(routed.answer.text, "GW007: it never fits: there are no nodes");
	routed_free(&routed);
}
END_TEST

/* Lists in refusals are cut, so that a site of many queues keeps to one line. */
START_TEST(long_lists_are_cut)
{
	const struct gw_route_job job = {BY("chem"), ONE_GPU};
	struct gw_str text = {0};
	struct routed routed;

	gw_str_append(&text,
		      "UsageHalfLife=NONE\nUnmatched=reject\n"
		      "FlavorName=h100 Gres=gpu:h100 Partition=gpu\nPoolName=p Quota=h100=8\n");
	for (int i = 0; i < 60; i++)
		gw_str_appendf(&text, "QueueName=a_team_with_a_long_name_%d Pool=p\n", i);
	routed = route_in(gw_str_text(&text), &job);
	ck_assert_str_eq(routed.answer.text + strlen(routed.answer.text) - 5, ", ...");
	ck_assert_uint_lt(strlen(routed.answer.text), 300);
	routed_free(&routed);
	gw_str_free(&text);
}
END_TEST

START_TEST(no_memory)
{
	struct gw_conf *conf = NULL;
	struct gw_route_site site = {.hardware = hardware, .now = NOW};
	struct gw_route_answer answer;
	struct gw_error error = {0};
	unsigned int calls = 0;

	ck_assert_int_eq(conf_load_text(site_conf, &conf, NULL), 0);
	site.conf = conf;
	for (int job = 0; job < COUNT(queued) + COUNT(refused); job++) {
		const struct gw_route_job *one =
			job < COUNT(queued) ? &queued[job].job : &refused[job - COUNT(queued)].job;

		for (unsigned int n = 1;; n++, calls++) {
			int result;

			alloc_fail_at(n);
			result = gw_route(&site, one, &answer, &error);
			if (!alloc_failed())
				break;
			ck_assert_int_eq(result, -1);
			ck_assert(gw_error_is_set(&error));
		}
		gw_route_answer_free(&answer);
	}
	ck_assert_uint_gt(calls, 20);
	gw_conf_free(conf);
}
END_TEST

UNIT_MAIN("route", UNIT_ROWS(goes_to_its_queue, queued); UNIT_ROWS(is_refused_in_one_line, refused);
	  UNIT_ROWS(is_left_alone, outside); UNIT_ROWS(belongs_to_a_flavor, belongs);
	  UNIT_ROWS(a_change_is_asked_about, changes); UNIT(a_queue_for_the_unmatched);
	  UNIT(exclusive_jobs_hold_all); UNIT(a_plain_site); UNIT(never_fits_afterwards);
	  UNIT(long_lists_are_cut); UNIT(no_memory))

// SPDX-License-Identifier: GPL-2.0-or-later
/* What is refused, and what the admin then reads. */
#include "conf_text.h"
#include "unit.h"

/* Each line stands behind three good ones (conf_load_lines), so it is line 4. */
static const struct {
	const char *lines;
	const char *error; /* without "gangway.conf:" */
} bad[] = {
	/* Global values. */
	{"Mode=on", "4: Mode=on: must be enforce or observe"},
	{"Charge=-1", "4: Charge=-1: must be a time such as 90 (minutes), 01:30:00 or 7-00:00:00, "
		      "or NONE"},
	{"HookTimeBudget=0", "4: HookTimeBudget=0: must be milliseconds a minute from 1 to 60000"},
	{"HookTimeBudget=1e3",
	 "4: HookTimeBudget=1e3: must be milliseconds a minute from 1 to 60000"},
	{"HookErrorBudget=-1", "4: HookErrorBudget=-1: must be errors a minute from 0 to 1000000"},
	{"Verify=maybe", "4: Verify=maybe: must be yes or no"},
	{"PublishDir=run", "4: PublishDir=run: must be the absolute path of a directory"},
	{"ShareTerm=-1", "4: ShareTerm=-1: must be a number of 0 or more"},
	{"SmallBatch=-1", "4: SmallBatch=-1: must be a number of GPUs from 0 to 65536"},
	{"SmallBatch=65537", "4: SmallBatch=65537: must be a number of GPUs from 0 to 65536"},
	{"GapMatch=1.5", "4: GapMatch=1.5: must be a number from 0 to 1"},
	{"ShareTerm=nan", "4: ShareTerm=nan: must be a number of 0 or more"},
	{"OrderWithinClass=fair",
	 "4: OrderWithinClass=fair: must be usage, age or usage-before-class"},
	{"WithinQueue=lifo", "4: WithinQueue=lifo: must be fifo or shortest-limit"},
	{"QueueMaxWait=0",
	 "4: QueueMaxWait=0: must be a time above 0 such as 10-00:00:00, or NONE for no guard"},
	{"UsageWeights=gres/gpu=0",
	 "4: UsageWeights=gres/gpu=0: weight of gres/gpu must be above 0; leave it out to count "
	 "nothing"},
	{"UsageWeights=gres/gpu=-1",
	 "4: UsageWeights=gres/gpu=-1: weight of gres/gpu must be above 0; leave it out to count "
	 "nothing"},
	{"UsageWeights=gres/gpu=nan",
	 "4: UsageWeights=gres/gpu=nan: gres/gpu=nan: must be a number, without a suffix"},
	{"UsageWeights=gpu=1",
	 "4: UsageWeights=gpu=1: gpu is no TRES that jobs are allocated: these are cpu, mem, node, "
	 "billing, gres/NAME, gres/NAME:TYPE, license/NAME and bb/NAME"},
	{"UsageWeights=\"\"", "4: UsageWeights=: must be TRES=WEIGHT,..., such as gres/gpu:h100=1"},
	{"Unmatched=nowhere", "4: Unmatched=nowhere: no such QueueName; there is none"},
	{"Unmatched=a,b", "4: Unmatched=a,b: must be one name"},
	{"UsageHalfLife=NONE", "4: UsageHalfLife=NONE: given before, at gangway.conf:1"},
	/* Keys. */
	{"UsageHalflives=1", "4: UsageHalflives=1: unknown key; did you mean UsageHalfLife?"},
	{"QueName=q Pool=train", "4: QueName=q: unknown key; did you mean QueueName?"},
	{"QueueName=q Pool=train Wieght=2", "4: Wieght=2: unknown key; did you mean Weight?"},
	{"FooBar=1", "4: FooBar=1: unknown key"},
	{"Weight=2", "4: Weight=2: belongs on a line that begins with QueueName"},
	{"QueueName=q Pool=train Charge=0",
	 "4: Charge=0: must be on a line of its own, outside QueueName"},
	{"Mode=observe PoolName=x", "4: PoolName=x: must be the first on its line"},
	{"QueueName=q Pool=train Pool=train", "4: Pool=train: given before, at gangway.conf:4"},
	{"word", "4: word: must be Key=Value"},
	{"QueueName=\"q", "4: a quoted value does not end on its line"},
	{"QueueName=q \\\n\n", "4: QueueName=q: Pool= is missing"},
	/* Classes. */
	{"ClassName=c", "4: ClassName=c: Rank= is missing"},
	{"ClassName=c Rank=high",
	 "4: Rank=high: must be a whole number from 0 to 1000000; the highest goes first"},
	{"ClassName=a,b Rank=1",
	 "4: ClassName=a,b: must be one name, without blanks or any of , = \" \\ # % ; |"},
	{"ClassName=c Rank=1\nClassName=C Rank=2",
	 "5: ClassName=C: given before, at gangway.conf:4"},
	{"ClassName=c Rank=1\nClassName=d QOS=c Rank=2",
	 "5: QOS=c: given before, at gangway.conf:4"},
	{"ClassName=c Rank=1 Default=yes\nClassName=d Rank=2 Default=yes",
	 "5: ClassName=d: only one class may have Default=yes; c has it too"},
	{"ClassName=c Rank=1\nQueueName=q Pool=train",
	 "5: QueueName=q: DefaultClass= is missing, and no ClassName has Default=yes"},
	{"ClassGrant=ann Class=x Until=2026-01-01 By=a Reason=b",
	 "4: Class=x: no such ClassName; there is none"},
	{"ClassGrant=ann Class=x Until=soon By=a Reason=b",
	 "4: Until=soon: must be a date, YYYY-MM-DD or YYYY-MM-DDTHH:MM:SS"},
	{"ClassGrant=ann Class=x Until=2026-01-01 By=a Reason=\"\"",
	 "4: Reason=: must not be empty"},
	{"ClassGrant=user: Class=x",
	 "4: ClassGrant=user:: must be the name of a user or an account, or user:NAME, or "
	 "account:NAME"},
	/* Flavors, quotas. */
	{"FlavorName=f Gres=nic:x Partition=p",
	 "4: Gres=nic:x: must be gpu or gpu:TYPE, as in gres.conf"},
	{"FlavorName=f Gres=gpu:h100:8 Partition=p",
	 "4: Gres=gpu:h100:8: must be gpu or gpu:TYPE, as in gres.conf"},
	{"FlavorName=f Gres=gpu:x Partition=p Capacity=big",
	 "4: Capacity=big: must be reserved or spot"},
	{"FlavorName=f Gres=gpu Partition=gpu",
	 "4: FlavorName=f: the same GPUs as flavor h100 (gangway.conf:2), which would be counted "
	 "twice"},
	{"PoolName=b Quota=gres/gpu:a100=1", "4: Quota=gres/gpu:a100: no FlavorName has this name "
					     "or Gres; there is h100 (gres/gpu:h100)"},
	{"PoolName=b Quota=cpu=1",
	 "4: Quota=cpu: no FlavorName has this name or Gres; there is h100 (gres/gpu:h100)"},
	{"PoolName=b Quota=h100",
	 "4: Quota=h100: must be TRES=NUMBER,..., such as gres/gpu:h100=8"},
	{"PoolName=b Quota=\"\"", "4: Quota=: must be TRES=GPUS,..., such as gres/gpu:h100=8"},
	{"PoolName=b Quota=h100=1.5",
	 "4: Quota=h100=1.5: h100 must be a whole number of GPUs, 0 or more"},
	{"PoolName=b Quota=h100=-1",
	 "4: Quota=h100=-1: h100 must be a whole number of GPUs, 0 or more"},
	{"PoolName=b Quota=h100=9e9",
	 "4: Quota=h100=9e9: h100 must be a whole number of GPUs, 0 or more"},
	{"PoolName=b Quota=h100=1,gres/gpu:h100=1",
	 "4: Quota=gres/gpu:h100: flavor h100 is named twice"},
	{"FlavorName=s Gres=gpu:h100 Partition=cloud\nPoolName=b Quota=h100=1",
	 "3: Quota=gres/gpu:h100: means both flavor h100 and s: write the name of one"},
	{"FlavorName=a Gres=gpu:a Partition=a\nPoolName=b Quota=a=1 BorrowLimit=h100=1",
	 "5: BorrowLimit=h100: the pool has no Quota of flavor h100; write 0 there to let it "
	 "borrow "
	 "only"},
	{"PoolName=train Quota=h100=1", "4: PoolName=train: given before, at gangway.conf:3"},
	{"PoolName=b Quota=h100=1 Cohort=c", "4: Cohort=c: no such CohortName; there is none"},
	{"PoolName=b Quota=h100=1 LoanTime=0",
	 "4: LoanTime=0: must be a time above 0 such as 12:00:00"},
	{"CohortName=a Parent=b\nCohortName=b Parent=a",
	 "4: Parent=b: the parents of cohort a go round in a circle"},
	{"CohortName=a Parent=a", "4: Parent=a: the parents of cohort a go round in a circle"},
	{"CohortName=a Quota=x=1",
	 "4: Quota=x: no FlavorName has this name or Gres; there is h100 (gres/gpu:h100)"},
	/* Peaks. */
	{"PoolName=train Peak=Mon", "4: Peak=Mon: must be DAYS/HH:MM-HH:MM, such as "
				    "Mon-Fri/09:00-21:00 or Sat,Sun/00:00-24:00"},
	{"PoolName=train Peak=Mon/09:00-10:00", "4: PoolName=train: Quota= is missing"},
	{"PoolName=none Peak=Mon/09:00-10:00 Quota=h100=1",
	 "4: PoolName=none: no such PoolName; there is train"},
	{"PoolName=train Peak=Mon/09:00-10:00 Quota=h100=1\n"
	 "PoolName=train Peak=Sun/23:00-09:01 Quota=h100=1",
	 "5: PoolName=train: its Peak overlaps the one at gangway.conf:4"},
	/* Queues. */
	{"QueueName=q", "4: QueueName=q: Pool= is missing"},
	{"QueueName=q Pool=tarin", "4: Pool=tarin: no such PoolName; there is train"},
	{"QueueName=q Pool=train,", "4: Pool=train,: must be names with commas between"},
	{"QueueName=q Pool=train,train", "4: Pool=train,train: names train twice"},
	{"QueueName=q Pool=train Weight=0", "4: Weight=0: must be a number above 0"},
	{"QueueName=q Pool=train Weight=-2", "4: Weight=-2: must be a number above 0"},
	{"QueueName=q Pool=train Weight=inf", "4: Weight=inf: must be a number above 0"},
	{"QueueName=q Pool=train Flavor=x", "4: Flavor=x: no such FlavorName; there is h100"},
	{"QueueName=q Pool=train DefaultClass=x",
	 "4: DefaultClass=x: no such ClassName; there is none"},
	{"QueueName=q Pool=train JobType=gui", "4: JobType=gui: must be any, batch or interactive"},
	{"QueueName=q Pool=train\nQueueName=r Pool=train Account=q",
	 "5: Account=q: given before, at gangway.conf:4"},
	{"FlavorName=a Gres=gpu:a Partition=a\nQueueName=q Pool=train Flavor=a",
	 "5: Flavor=a: none of the pools of queue q has a Quota of it"},
	{"PoolName=b Quota=h100=1\nQueueName=q Pool=train,b",
	 "5: QueueName=q: flavor h100 comes from pool train and pool b: a queue draws each flavor "
	 "from one pool"},
	/* Shapes. */
	{"ShapeName=s Nodes=n[3-1] Hwloc=x",
	 "4: Nodes=n[3-1]: must be a list of nodes such as n[0-3,7],login1"},
	{"ShapeName=s Nodes=n[1-99999999] Hwloc=x",
	 "4: Nodes=n[1-99999999]: names more than 65536 nodes"},
	{"ShapeName=s Nodes=n1 Hwloc=\"\"", "4: Hwloc=: must be the path of a file"},
	{"ShapeName=s Nodes=n[1-3] Hwloc=x\nShapeName=t Nodes=n3,n4 Hwloc=x",
	 "5: ShapeName=t: node n3 has a shape already, s (gangway.conf:4)"},
	/* Includes. */
	{"Include missing.conf", "4: Include=missing.conf: cannot be read: no such file"},
	{"Include=\"\"", "4: Include=: must be the path of one file, alone on its line"},
	{"Include a.conf Mode=observe",
	 "4: Include=a.conf: must be the path of one file, alone on its line"},
	{"Include gangway.conf", "4: Include=gangway.conf: includes a file that includes it"},
};

START_TEST(refused)
{
	struct gw_conf untouched, *conf = &untouched;
	struct gw_error error = {0};
	struct gw_str expected = {0};

	ck_assert_int_eq(conf_load_lines(bad[_i].lines, &conf, &error), -1);
	gw_str_appendf(&expected, "gangway.conf:%s", bad[_i].error);
	ck_assert_str_eq(error.text, gw_str_text(&expected));
	ck_assert_ptr_eq(conf, &untouched);
	gw_str_free(&expected);
}
END_TEST

static const struct {
	const char *text, *error;
} half_lives[] = {
	{"", "gangway.conf: UsageHalfLife= is missing: write a time above 0, such as "
	     "UsageHalfLife=7-00:00:00, or NONE for no decay"},
	{"UsageHalfLife=0", "gangway.conf:1: UsageHalfLife=0: must be a time above 0 such as "
			    "7-00:00:00, or NONE for no decay"},
	{"\nUsageHalfLife=INFINITE", "gangway.conf:2: UsageHalfLife=INFINITE: must be a time above "
				     "0 such as 7-00:00:00, or NONE for no decay"},
};

START_TEST(half_life_must_be_said)
{
	struct gw_conf *conf;
	struct gw_error error = {0};

	ck_assert_int_eq(conf_load_text(half_lives[_i].text, &conf, &error), -1);
	ck_assert_str_eq(error.text, half_lives[_i].error);
	ck_assert_int_eq(conf_load_text(half_lives[_i].text, &conf, NULL), -1);
}
END_TEST

static int read_next(void *arg, const char *path, char **text, struct gw_error *error)
{
	unsigned int *files = arg;
	struct gw_str line = {0};

	(void)path;
	gw_str_appendf(&line, "Include f%u\n", (*files)++);
	*text = gw_str_take(&line);
	return *text ? 0 : gw_error_memory(error);
}

START_TEST(includes_have_a_bottom)
{
	unsigned int files = 0;
	struct gw_conf_source source = {.read = read_next, .arg = &files};
	struct gw_error error = {0};
	struct gw_conf *conf;

	ck_assert_int_eq(gw_conf_load(&source, "top", &conf, &error), -1);
	ck_assert_str_eq(error.text, "f6:1: Include=f7: more than 8 files deep");
}
END_TEST

static int read_nothing(void *arg, const char *path, char **text, struct gw_error *error)
{
	(void)arg;
	(void)text;
	return gw_error_set(error, "%s: it is gone", path);
}

START_TEST(no_file)
{
	struct gw_error error = {0};
	struct gw_conf_source source = {.read = read_nothing};
	struct gw_conf *conf;

	ck_assert_int_eq(gw_conf_load(&source, "etc/gangway.conf", &conf, &error), -1);
	ck_assert_str_eq(error.text, "etc/gangway.conf: cannot be read: it is gone");
}
END_TEST

START_TEST(errors_of_an_included_file_name_it)
{
	static const struct text_file files[TEXT_FILES_MAX] = {
		{"etc/gangway.conf", "UsageHalfLife=NONE\nInclude sub/a.conf\n"},
		{"etc/sub/a.conf", "\nInclude b.conf\n"},
		{"etc/sub/b.conf", "Mode=x\n"},
	};
	struct gw_error error = {0};
	struct gw_conf *conf;

	ck_assert_int_eq(conf_load_files(files, &conf, &error), -1);
	ck_assert_str_eq(error.text, "etc/sub/b.conf:1: Mode=x: must be enforce or observe");
}
END_TEST

START_TEST(too_many_records)
{
	struct gw_str text = {0};
	struct gw_error error = {0};
	struct gw_conf *conf;

	for (int i = 0; i < 4097; i++)
		gw_str_appendf(&text, "CohortName=c%d\n", i);
	ck_assert_int_eq(conf_load_text(gw_str_text(&text), &conf, &error), -1);
	ck_assert_str_eq(error.text, "gangway.conf:4097: CohortName=c4096: more than 4096 of them");
	gw_str_free(&text);
}
END_TEST

UNIT_MAIN("conf_bad", UNIT_ROWS(refused, bad); UNIT_ROWS(half_life_must_be_said, half_lives);
	  UNIT(includes_have_a_bottom); UNIT(no_file); UNIT(errors_of_an_included_file_name_it);
	  UNIT(too_many_records))

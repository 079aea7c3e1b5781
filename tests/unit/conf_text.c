// SPDX-License-Identifier: GPL-2.0-or-later
#include "conf_text.h"

#include <string.h>

static int read_file(void *arg, const char *path, char **text, struct gw_error *error)
{
	const struct text_file *files = arg;

	for (int i = 0; i < TEXT_FILES_MAX && files[i].path; i++) {
		if (strcmp(files[i].path, path) != 0)
			continue;
		*text = gw_strdup(files[i].text);
		return *text ? 0 : gw_error_memory(error);
	}
	return gw_error_set(error, "no such file");
}

int conf_load_files(const struct text_file files[TEXT_FILES_MAX], struct gw_conf **conf,
		    struct gw_error *error)
{
	struct text_file copy[TEXT_FILES_MAX];
	struct gw_conf_source source = {.read = read_file, .arg = copy};

	memcpy(copy, files, sizeof(copy));
	return gw_conf_load(&source, files[0].path, conf, error);
}

int conf_load_text(const char *text, struct gw_conf **conf, struct gw_error *error)
{
	const struct text_file files[TEXT_FILES_MAX] = {{"gangway.conf", text}};

	return conf_load_files(files, conf, error);
}

int conf_load_lines(const char *lines, struct gw_conf **conf, struct gw_error *error)
{
	struct gw_str text = {0};
	int result;

	gw_str_append(&text, "UsageHalfLife=7-0\n"
			     "FlavorName=h100 Gres=gpu:h100 Partition=gpu\n"
			     "PoolName=train Quota=gres/gpu:h100=96\n");
	gw_str_append(&text, lines);
	result = conf_load_text(gw_str_text(&text), conf, error);
	gw_str_free(&text);
	return result;
}

const struct text_file conf_full[TEXT_FILES_MAX] = {
	{"etc/gangway.conf",
	 "Mode=observe\n"
	 "ModeOrder=enforce ModeQuota=observe ModePlacement=enforce\n"
	 "HookTimeBudget=500 HookErrorBudget=0 Verify=yes PublishDir=/run/gangway\n"
	 "UsageHalfLife=7-00:00:00  # a week\n"
	 "UsageWeights=gres/gpu:h100=1,gres/gpu:a100=0.4,cpu=0.005\n"
	 "ShareTerm=0.5 Charge=01:00:00 OrderWithinClass=usage-before-class\n"
	 "SmallHold=NONE SmallBatch=64 GapMatch=0.25 WithinQueue=shortest-limit QueueMaxWait=NONE\n"
	 "ClassName=critical QOS=crit Rank=3\n"
	 "ClassName=standard Rank=2 Default=yes\n"
	 "ClassName=low Rank=1 NeedsGrant=yes\n"
	 "Include flavors.conf\n"
	 "CohortName=all Quota=h100=8 BorrowLimit=h100=4 LendLimit=h100=2\n"
	 "CohortName=research Parent=all\n"
	 "PoolName=train Cohort=research Quota=gres/gpu:h100=96,spot=0 \\\n"
	 "    BorrowLimit=gres/gpu:h100=32 LendLimit=gres/gpu:h100=48 LoanTime=12:00:00 \\\n"
	 "    PeakStrict=yes ModeOrder=observe ModePlacement=observe\n"
	 "PoolName=old Quota=a100=16 Mode=enforce\n"
	 "PoolName=train Peak=Mon-Fri/09:00-21:00 Quota=gres/gpu:h100=64 BorrowLimit=h100=0\n"
	 "PoolName=train Peak=Sat/09:00-21:00 Quota=gres/gpu:h100=80\n"
	 "QueueName=nlp Pool=train,old Weight=2 DefaultClass=critical MaxTime=3-0 \\\n"
	 "    Flavor=h100,a100 WithinQueue=fifo QueueMaxWait=4-0 NodeSharing=queue\n"
	 "QueueName=notebooks Pool=train Account=nb JobType=interactive IdleAfter=01:00:00 \\\n"
	 "    IdleAction=notify\n"
	 "ClassGrant=user:ann Class=critical Until=2026-12-31 By=\"the board\" Reason=\"paper "
	 "due\"\n"
	 "ClassGrant=account:nlp Class=low Until=2026-12-31T12:00 By=root Reason=test\n"
	 "ClassGrant=bob Class=low Until=2026-12-31T12:00 By=root Reason=test\n"
	 "Unmatched=notebooks\n"
	 "ShapeName=hgx-h100 Nodes=n[0-3,7] Hwloc=shapes/hgx-h100.xml\n"
	 "ShapeName=old Nodes=n[4-6] Hwloc=/share/old.xml\n"},
	{"etc/flavors.conf", "FlavorName=h100 Gres=gpu:h100 Partition=gpu\n"
			     "FlavorName=spot Gres=gpu:a100 Partition=cloud Capacity=spot\n"
			     "include more/a100.conf\n"},
	{"etc/more/a100.conf", "FlavorName=a100 Gres=gpu:a100 Partition=gpu\n"},
};

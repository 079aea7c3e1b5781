// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory that runs out at every single call of a load, and what is left then: nothing. */
#include "conf_text.h"
#include "unit.h"

START_TEST(every_call)
{
	struct gw_conf untouched;
	unsigned int n;

	for (n = 1;; n++) {
		struct gw_error error = {0};
		struct gw_conf *conf = &untouched;
		int result;

		alloc_fail_at(n);
		result = conf_load_files(conf_full, &conf, &error);
		if (!alloc_failed()) {
			ck_assert_int_eq(result, 0);
			gw_conf_free(conf);
			break;
		}
		ck_assert_int_eq(result, -1);
		ck_assert_ptr_eq(conf, &untouched);
		ck_assert_msg(strstr(error.text, "out of memory") != NULL, "call %u: %s", n,
			      error.text);
	}
	ck_assert_uint_gt(n, 100);
}
END_TEST

/* Warnings and refusals need memory too. */
static const char *const lines[] = {
	"CohortName=c\nPoolName=b Cohort=c Quota=h100=4 LendLimit=h100=8\n"
	"PoolName=d Quota=h100=4 LoanTime=60\nFlavorName=x Gres=gpu:x Partition=x\n",
	"QueueName=q Pool=nowhere\n",
	"Mode=sometimes\n",
	"ShapeName=s Nodes=n[0-3] Hwloc=a.xml\nShapeName=t Nodes=n3 Hwloc=a.xml\n",
	"QueueName=q Pool=train,,x\n",
	"ClassGrant=a,b Class=x Until=2026-01-01 By=a Reason=b\n",
	"UsageWeights=cpu=0\n",
};

START_TEST(other_ways)
{
	unsigned int n;

	for (n = 1;; n++) {
		struct gw_error error = {0};
		struct gw_conf *conf = NULL;

		alloc_fail_at(n);
		if (!conf_load_lines(lines[_i], &conf, &error))
			gw_conf_free(conf);
		if (!alloc_failed())
			break;
	}
	ck_assert_uint_gt(n, 10);
}
END_TEST

UNIT_MAIN("conf_memory", UNIT(every_call); UNIT_ROWS(other_ways, lines))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/tools/view.h"
#include "unit.h"

#define HEAD "View=1 Written=1000 Cluster=c Minute=60\n"
#define QUEUE                                                                                      \
	"Weight=2 Usage=36.5 Held=8 Key=1e-3 Running=1 RunningGpus=8 Pending=0 PendingGpus=0\n"
#define POOL "Quota=16 BorrowLimit=none LendLimit=4 Held=8 Borrowed=1 Lent=2 Reach=16 Largest=20\n"

static const char whole[] = HEAD
	"Flavor=h100 Gres=gpu:h100 Partition=gpu All=64 Free=12\n"
	"Pool=train Flavor=h100 Cohort=research " POOL "Pool=old Flavor=a100 " POOL
	"Queue=nlp Account=acc Pool=train " QUEUE "Queue=nlp Account=acc Pool=old " QUEUE
	"Line=nlp Flavor=h100 Usage=30 Held=8\nLine=nlp Usage=6.5 Held=0\n"
	"Job=7 Queue=nlp User=5 Flavor=h100 Gpus=8 State=running Start=900 Limit=-1\n"
	"Job=8 ArrayJob=8 Queue=nlp Class=high User=5 Flavor=h100 Gpus=4 Nodes=1 Tasks=3 "
	"State=pending Rank=2 Number=9 Startable=yes Borrowing=yes Gap=yes Back=yes Turn=2 "
	"Why=loan-time "
	"Missing=1 Borrow=4 Eligible=1 Submit=2 Start=0 Limit=60 Sentence=\"two \\\"words\\\"\"\n"
	"Future=1 Says=more\nTruncated=3\n";

START_TEST(all_of_it_is_read)
{
	struct gw_view view;
	const struct gw_view_job *job;

	ck_assert_int_eq(gw_view_read("view", whole, &view, NULL), 0);
	ck_assert_int_eq(view.written, 1000);
	ck_assert_str_eq(view.cluster, "c");
	ck_assert_uint_eq(view.truncated, 3);
	ck_assert_str_eq(gw_view_flavor(&view, "H100")->partition, "gpu");
	ck_assert_uint_eq(gw_view_flavor(&view, "h100")->gpus.all, 64);
	ck_assert_uint_eq(gw_view_flavor(&view, "h100")->gpus.free, 12);
	ck_assert_uint_eq(view.pool_count, 2);
	ck_assert_uint_eq(view.pool[0].figures.borrow_limit, GW_NOT_GIVEN);
	ck_assert_uint_eq(view.pool[0].figures.lend_limit, 4);
	ck_assert_str_eq(view.pool[1].cohort, "");
	ck_assert_double_eq_tol(gw_view_queue(&view, "nlp")->usage, 36.5, 1e-12);
	ck_assert_uint_eq(view.line_count, 2);
	ck_assert_str_eq(view.line[1].flavor, "");
	ck_assert(gw_view_job(&view, 7)->running);
	ck_assert_int_eq(gw_view_job(&view, 7)->limit, GW_TIME_INFINITE);
	job = gw_view_job(&view, 8);
	ck_assert(!job->running && job->startable && job->borrowing && job->gap && job->back);
	ck_assert_int_eq(job->why, GW_QUOTA_LOAN_TIME);
	ck_assert_int_eq(job->limit, 60);
	ck_assert_str_eq(job->sentence, "two \"words\"");
	ck_assert_ptr_null(gw_view_job(&view, 9));
	ck_assert_ptr_null(gw_view_queue(&view, "speech"));
	gw_view_free(&view);
}
END_TEST

/* A queue may draw each of its flavors from another pool. */
START_TEST(a_flavor_has_its_pool)
{
	struct gw_view view;

	ck_assert_int_eq(gw_view_read("view", whole, &view, NULL), 0);
	ck_assert_str_eq(gw_view_pool_of(&view, "nlp", "h100")->name, "train");
	ck_assert_str_eq(gw_view_pool_of(&view, "nlp", "a100")->name, "old");
	ck_assert_ptr_null(gw_view_pool_of(&view, "nlp", "l40"));
	ck_assert_ptr_null(gw_view_pool_of(&view, "vision", "h100"));
	gw_view_free(&view);
}
END_TEST

static const struct {
	const char *text, *error;
} bad[] = {
	{"", "view:1: is not a view of Gangway's"},
	{"Version=1\n", "view:1: is not a view of Gangway's"},
	{"View=2 Written=1\n",
	 "view:1: View=2: this gangway reads format 1 (it must be that of the plugins)"},
	{"View=1\n", "view:1: Written= is missing"},
	{HEAD "Flavor=h100\n", "view:2: Gres= is missing"},
	{HEAD "\nPool=p Flavor=f Quota=-1\n", "view:3: Quota=-1: is not what Gangway writes"},
	{HEAD "Truncated=4294967296\n", "view:2: Truncated=4294967296: is not what Gangway writes"},
	{HEAD "word\n", "view:2: word: must be Key=Value"},
};

START_TEST(bad_views_are_refused)
{
	struct gw_view view;
	struct gw_error error = {0};

	ck_assert_int_eq(gw_view_read("view", bad[_i].text, &view, &error), -1);
	ck_assert_str_eq(error.text, bad[_i].error);
	ck_assert_uint_eq(view.record_count, 0);
}
END_TEST

/* An older engine says nothing of gaps and of who steps back. */
START_TEST(what_is_not_said_is_not_so)
{
	struct gw_view view;

	ck_assert_int_eq(gw_view_read("view",
				      HEAD "Job=1 Queue=q User=0 Gpus=1 State=pending Limit=1\n",
				      &view, NULL),
			 0);
	ck_assert(!view.job[0].gap && !view.job[0].back && !view.job[0].startable &&
		  !view.job[0].borrowing);
	ck_assert_uint_eq(view.job[0].rank, 0);
	gw_view_free(&view);
}
END_TEST

/* What a newer engine may say of quota still is a reason to wait. */
START_TEST(unknown_reasons_are_reasons)
{
	struct gw_view view;

	ck_assert_int_eq(gw_view_read("view",
				      HEAD "Job=1 Queue=q User=0 Gpus=1 State=pending Limit=1 "
					   "Why=full-moon\n",
				      &view, NULL),
			 0);
	ck_assert_int_ne(view.job[0].why, GW_QUOTA_ALLOWED);
	gw_view_free(&view);
}
END_TEST

START_TEST(no_memory)
{
	for (unsigned int n = 1;; n++) {
		struct gw_view view;
		struct gw_error error = {0};
		int result;

		alloc_fail_at(n);
		result = gw_view_read("view", whole, &view, &error);
		gw_view_free(&view);
		if (!alloc_failed())
			break;
		ck_assert_int_eq(result, -1);
		ck_assert_ptr_nonnull(strstr(error.text, "out of memory"));
	}
}
END_TEST

UNIT_MAIN("view", UNIT(all_of_it_is_read); UNIT(a_flavor_has_its_pool);
	  UNIT_ROWS(bad_views_are_refused, bad); UNIT(what_is_not_said_is_not_so);
	  UNIT(unknown_reasons_are_reasons); UNIT(no_memory))

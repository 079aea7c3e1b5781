// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Quota on small trees. Pools are a, b, c in file order, and h100 is the one flavor unless
 * said otherwise.
 */
#include "conf_text.h"
#include "src/core/job.h"
#include "src/core/quota.h"
#include "unit.h"

#define HEAD   "UsageHalfLife=7-0\nFlavorName=h100 Gres=gpu:h100 Partition=gpu\n"
#define HOUR   3600
#define MON_08 (GW_MINUTES_A_DAY + 8 * 60)
#define MON_10 (GW_MINUTES_A_DAY + 10 * 60)
#define SUNDAY 0

static struct gw_conf *conf;

static struct gw_quota *quota_of(const char *lines)
{
	struct gw_str text = {0};
	struct gw_error error = {0};
	struct gw_quota *quota;

	gw_str_append(&text, HEAD);
	gw_str_append(&text, lines);
	ck_assert_msg(!conf_load_text(gw_str_text(&text), &conf, &error), "%s", error.text);
	gw_str_free(&text);
	quota = gw_quota_new(conf, &error);
	ck_assert_ptr_nonnull(quota);
	return quota;
}

static void quota_done(struct gw_quota *quota)
{
	gw_quota_free(quota);
	gw_conf_free(conf);
}

static struct gw_quota_answer ask_of(const struct gw_quota *quota, int32_t pool, uint32_t gpus,
				     int64_t limit)
{
	const struct gw_quota_ask ask = {pool, 0, gpus, limit};

	return gw_quota_ask(quota, &ask);
}

/* The tree, what a, b, c hold, who asks for how many, and the answer. */
static const struct {
	const char *what, *lines;
	int64_t held[3];
	int32_t pool;
	uint32_t gpus;
	enum gw_quota_why why;
	uint32_t borrow, missing;
	uint32_t reach;
} now[] = {
	{"a pool alone has its quota",
	 "PoolName=a Quota=h100=8\n",
	 {6},
	 0,
	 2,
	 GW_QUOTA_ALLOWED,
	 0,
	 0,
	 8},
	{"and not one more", "PoolName=a Quota=h100=8\n", {6}, 0, 3, GW_QUOTA_OVER_POOL, 1, 1, 8},
	{"more than there ever is",
	 "PoolName=a Quota=h100=8\n",
	 {0},
	 0,
	 9,
	 GW_QUOTA_NEVER,
	 1,
	 1,
	 8},
	{"no GPU is always allowed",
	 "PoolName=a Quota=h100=8\n",
	 {8},
	 0,
	 0,
	 GW_QUOTA_ALLOWED,
	 0,
	 0,
	 8},
	{"what the cohort does not use",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8\nPoolName=b Cohort=r Quota=h100=8\n",
	 {8, 2},
	 0,
	 6,
	 GW_QUOTA_ALLOWED,
	 6,
	 0,
	 14},
	{"partly borrowed",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8\nPoolName=b Cohort=r Quota=h100=8\n",
	 {6, 0},
	 0,
	 8,
	 GW_QUOTA_ALLOWED,
	 6,
	 0,
	 16},
	{"the others use it",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8\nPoolName=b Cohort=r Quota=h100=8\n",
	 {8, 3},
	 0,
	 6,
	 GW_QUOTA_COHORT_EMPTY,
	 6,
	 1,
	 13},
	{"own quota that is out on loan",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8\nPoolName=b Cohort=r Quota=h100=8\n",
	 {0, 12},
	 0,
	 6,
	 GW_QUOTA_COHORT_EMPTY,
	 0,
	 2,
	 4},
	{"LendLimit keeps the rest back",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8\n"
	 "PoolName=b Cohort=r Quota=h100=8 LendLimit=h100=3\n",
	 {8, 1},
	 0,
	 4,
	 GW_QUOTA_COHORT_EMPTY,
	 4,
	 1,
	 11},
	{"the lender still has what it keeps",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8\n"
	 "PoolName=b Cohort=r Quota=h100=8 LendLimit=h100=3\n",
	 {11, 0},
	 1,
	 5,
	 GW_QUOTA_ALLOWED,
	 0,
	 0,
	 5},
	{"and what it keeps is no use of the cohort",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8\n"
	 "PoolName=b Cohort=r Quota=h100=8 LendLimit=h100=3\n",
	 {8, 5},
	 0,
	 3,
	 GW_QUOTA_ALLOWED,
	 3,
	 0,
	 11},
	{"BorrowLimit",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8 BorrowLimit=h100=2\n"
	 "PoolName=b Cohort=r Quota=h100=8\n",
	 {9, 0},
	 0,
	 2,
	 GW_QUOTA_BORROW_LIMIT,
	 2,
	 1,
	 10},
	{"BorrowLimit 0 is a pool that can not borrow",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=8 BorrowLimit=h100=0\n"
	 "PoolName=b Cohort=r Quota=h100=8\n",
	 {8, 0},
	 0,
	 1,
	 GW_QUOTA_OVER_POOL,
	 1,
	 1,
	 8},
	{"quota 0 always borrows",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=0\nPoolName=b Cohort=r Quota=h100=8\n",
	 {0, 0},
	 0,
	 8,
	 GW_QUOTA_ALLOWED,
	 8,
	 0,
	 8},
	{"a cohort's own quota is for all in it",
	 "CohortName=r Quota=h100=4\nPoolName=a Cohort=r Quota=h100=8\n",
	 {8},
	 0,
	 4,
	 GW_QUOTA_ALLOWED,
	 4,
	 0,
	 12},
	{"from the cohort above",
	 "CohortName=top\nCohortName=r Parent=top\nPoolName=a Cohort=r Quota=h100=8\n"
	 "PoolName=b Cohort=r Quota=h100=8\nPoolName=c Cohort=top Quota=h100=8\n",
	 {8, 8, 0},
	 0,
	 8,
	 GW_QUOTA_ALLOWED,
	 8,
	 0,
	 16},
	{"as far as the cohort itself may borrow",
	 "CohortName=top\nCohortName=r Parent=top BorrowLimit=h100=4\n"
	 "PoolName=a Cohort=r Quota=h100=8\nPoolName=b Cohort=r Quota=h100=8\n"
	 "PoolName=c Cohort=top Quota=h100=8\n",
	 {8, 8, 0},
	 0,
	 5,
	 GW_QUOTA_BORROW_LIMIT,
	 5,
	 1,
	 12},
	{"and as far as a cohort lends out",
	 "CohortName=top\nCohortName=r Parent=top LendLimit=h100=6\n"
	 "PoolName=a Cohort=r Quota=h100=8\nPoolName=b Cohort=r Quota=h100=8\n"
	 "PoolName=c Cohort=top Quota=h100=0\n",
	 {0, 0, 4},
	 2,
	 3,
	 GW_QUOTA_COHORT_EMPTY,
	 3,
	 1,
	 6},
	{"a quota lowered below use: nothing underflows, starts wait",
	 "PoolName=a Quota=h100=8\n",
	 {20},
	 0,
	 1,
	 GW_QUOTA_OVER_POOL,
	 1,
	 1,
	 20},
	{"lowered in a cohort: what b keeps stays b's",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=2\n"
	 "PoolName=b Cohort=r Quota=h100=8 LendLimit=h100=3\n",
	 {30, 0},
	 1,
	 5,
	 GW_QUOTA_ALLOWED,
	 0,
	 0,
	 5},
	{"lowered below the borrow limit too",
	 "CohortName=r\nPoolName=a Cohort=r Quota=h100=2 BorrowLimit=h100=1\n"
	 "PoolName=b Cohort=r Quota=h100=8\n",
	 {30, 0},
	 0,
	 1,
	 GW_QUOTA_BORROW_LIMIT,
	 1,
	 1,
	 30},
	{"a pool that is not there",
	 "PoolName=a Quota=h100=8\n",
	 {0},
	 7,
	 1,
	 GW_QUOTA_NO_QUOTA,
	 0,
	 1,
	 0},
};

START_TEST(may_start_now)
{
	struct gw_quota *quota = quota_of(now[_i].lines);
	struct gw_quota_answer answer;

	for (int32_t pool = 0; pool < 3; pool++)
		gw_quota_hold(quota, pool, 0, now[_i].held[pool]);
	answer = ask_of(quota, now[_i].pool, now[_i].gpus, HOUR);
	ck_assert_msg(answer.why == now[_i].why, "%s: %s", now[_i].what,
		      gw_quota_why_name(answer.why));
	ck_assert_msg(answer.borrow == now[_i].borrow, "%s: borrows %u", now[_i].what,
		      answer.borrow);
	ck_assert_msg(answer.missing == now[_i].missing, "%s: misses %u", now[_i].what,
		      answer.missing);
	ck_assert_msg(gw_quota_reach(quota, now[_i].pool, 0) == now[_i].reach, "%s: reach %u",
		      now[_i].what, gw_quota_reach(quota, now[_i].pool, 0));
	quota_done(quota);
}
END_TEST

/* Case 14: eight idle, two pools that want to borrow eight each in one pass. */
START_TEST(two_borrowers_in_one_pass)
{
	struct gw_quota *quota =
		quota_of("CohortName=r\nPoolName=a Cohort=r Quota=h100=0\n"
			 "PoolName=b Cohort=r Quota=h100=0\nPoolName=c Cohort=r Quota=h100=8\n");

	ck_assert_int_eq(ask_of(quota, 0, 8, HOUR).why, GW_QUOTA_ALLOWED);
	ck_assert_int_eq(ask_of(quota, 1, 8, HOUR).why, GW_QUOTA_ALLOWED);
	gw_quota_hold(quota, 0, 0, 8);
	ck_assert_int_eq(ask_of(quota, 1, 8, HOUR).why, GW_QUOTA_COHORT_EMPTY);
	gw_quota_hold(quota, 0, 0, -8);
	ck_assert_int_eq(ask_of(quota, 1, 8, HOUR).why, GW_QUOTA_ALLOWED);
	quota_done(quota);
}
END_TEST

/* Starts, ends and the same counted anew agree at every step, and nothing goes below 0. */
START_TEST(held_comes_and_goes)
{
	static const char lines[] =
		"CohortName=top\nCohortName=r Parent=top LendLimit=h100=5\n"
		"PoolName=a Cohort=r Quota=h100=8 LendLimit=h100=3\n"
		"PoolName=b Cohort=r Quota=h100=8\nPoolName=c Cohort=top Quota=h100=8\n";
	struct gw_quota *quota = quota_of(lines);
	struct gw_quota *fresh = gw_quota_copy(quota, NULL);
	int64_t held[3] = {0};
	unsigned int random = 1;

	for (int step = 0; step < 2000; step++) {
		int32_t pool = (int32_t)((random = random * 1103515245 + 12345) >> 16) % 3;
		int64_t gpus = (int64_t)((random = random * 1103515245 + 12345) >> 16) % 15 - 7;

		gw_quota_hold(quota, pool, 0, gpus);
		held[pool] = held[pool] + gpus < 0 ? 0 : held[pool] + gpus;
		gw_quota_clear(fresh);
		for (int32_t i = 0; i < 3; i++)
			gw_quota_hold(fresh, i, 0, held[i]);
		for (int32_t i = 0; i < 3; i++) {
			ck_assert_uint_eq(gw_quota_held(quota, i, 0), (unsigned int)held[i]);
			ck_assert_uint_eq(gw_quota_reach(quota, i, 0), gw_quota_reach(fresh, i, 0));
		}
	}
	gw_quota_free(fresh);
	quota_done(quota);
}
END_TEST

/* Whatever starts when asked first, the cohort never holds more than it has. */
START_TEST(never_one_over)
{
	struct gw_quota *quota =
		quota_of("CohortName=top\nCohortName=r Parent=top LendLimit=h100=5\n"
			 "PoolName=a Cohort=r Quota=h100=8 LendLimit=h100=3\n"
			 "PoolName=b Cohort=r Quota=h100=7 BorrowLimit=h100=4\n"
			 "PoolName=c Cohort=top Quota=h100=9\n");
	unsigned int random = 7, total;

	for (int step = 0; step < 5000; step++) {
		int32_t pool = (int32_t)((random = random * 1103515245 + 12345) >> 16) % 3;
		uint32_t gpus = ((random = random * 1103515245 + 12345) >> 16) % 9 + 1;

		if (ask_of(quota, pool, gpus, HOUR).why == GW_QUOTA_ALLOWED)
			gw_quota_hold(quota, pool, 0, gpus);
		else
			gw_quota_hold(quota, pool, 0, -(int64_t)gpus);
		total = gw_quota_held(quota, 0, 0) + gw_quota_held(quota, 1, 0) +
			gw_quota_held(quota, 2, 0);
		ck_assert_uint_le(total, 24);
		ck_assert_uint_le(gw_quota_held(quota, 1, 0), 11);
	}
	quota_done(quota);
}
END_TEST

#define LOANS                                                                                      \
	"CohortName=r\nPoolName=a Cohort=r Quota=h100=8 LoanTime=12:00:00\n"                       \
	"PoolName=b Cohort=r Quota=h100=8\n"

/* A loan is lent for LoanTime at most; inside its quota a pool is free. */
static const struct {
	int64_t held;
	uint32_t gpus;
	int64_t limit;
	enum gw_quota_why why;
} loans[] = {
	{0, 8, GW_TIME_INFINITE, GW_QUOTA_ALLOWED},
	{1, 8, 12 * HOUR, GW_QUOTA_ALLOWED},
	{1, 8, 12 * HOUR + 1, GW_QUOTA_LOAN_TIME},
	{8, 1, GW_TIME_INFINITE, GW_QUOTA_LOAN_TIME},
	{8, 9, GW_TIME_INFINITE, GW_QUOTA_COHORT_EMPTY},
};

START_TEST(term_loans)
{
	struct gw_quota *quota = quota_of(LOANS);

	gw_quota_hold(quota, 0, 0, loans[_i].held);
	ck_assert_int_eq(ask_of(quota, 0, loans[_i].gpus, loans[_i].limit).why, loans[_i].why);
	quota_done(quota);
}
END_TEST

#define PEAKS(strict)                                                                              \
	"CohortName=r\nPoolName=a Cohort=r Quota=h100=16 BorrowLimit=h100=4 PeakStrict=" strict    \
	"\nPoolName=b Cohort=r Quota=h100=8\n"                                                     \
	"PoolName=a Peak=Mon-Fri/09:00-21:00 Quota=h100=8 BorrowLimit=h100=0\n"                    \
	"PoolName=a Peak=Sat/22:00-02:00 Quota=h100=4\n"

/* Peaks count at the start; with PeakStrict also for the hours that the job may reach. */
static const struct {
	const char *lines;
	unsigned int minute;
	uint32_t gpus;
	int64_t limit;
	enum gw_quota_why why;
	int32_t peak;
} peaks[] = {
	{PEAKS("no"), MON_10, 8, 20 * HOUR, GW_QUOTA_ALLOWED, -1},
	{PEAKS("no"), MON_10, 9, 1 * HOUR, GW_QUOTA_OVER_POOL, -1},
	{PEAKS("no"), MON_08, 20, 20 * HOUR, GW_QUOTA_ALLOWED, -1},
	{PEAKS("no"), MON_08, 21, 20 * HOUR, GW_QUOTA_NEVER, -1},
	{PEAKS("no"), SUNDAY + 60, 9, 1 * HOUR, GW_QUOTA_BORROW_LIMIT, -1},
	{PEAKS("yes"), MON_08, 20, HOUR - 60, GW_QUOTA_ALLOWED, -1},
	{PEAKS("yes"), MON_08, 20, HOUR + 1, GW_QUOTA_PEAK_STRICT, 0},
	{PEAKS("yes"), MON_08, 8, 20 * HOUR, GW_QUOTA_ALLOWED, -1},
	{PEAKS("yes"), MON_08, 8, 6 * 24 * HOUR, GW_QUOTA_ALLOWED, -1},
	{PEAKS("yes"), MON_08, 9, GW_TIME_INFINITE, GW_QUOTA_PEAK_STRICT, 0},
};

START_TEST(peak_hours)
{
	struct gw_quota *quota = quota_of(peaks[_i].lines);
	struct gw_quota_answer answer;

	gw_quota_at(quota, peaks[_i].minute);
	answer = ask_of(quota, 0, peaks[_i].gpus, peaks[_i].limit);
	ck_assert_str_eq(gw_quota_why_name(answer.why), gw_quota_why_name(peaks[_i].why));
	ck_assert_int_eq(answer.peak, peaks[_i].peak);
	ck_assert_uint_eq(gw_quota_largest(quota, 0, 0), 20);
	quota_done(quota);
}
END_TEST

/* Case 15: a peak lowers the quota below use; what is held stays, and comes back in the end. */
START_TEST(a_peak_kills_nothing)
{
	struct gw_quota *quota = quota_of(PEAKS("no"));
	struct gw_quota_figures figures;

	gw_quota_at(quota, MON_08);
	gw_quota_hold(quota, 0, 0, 18);
	gw_quota_at(quota, MON_10);
	figures = gw_quota_figures(quota, 0, 0);
	ck_assert_uint_eq(figures.held, 18);
	ck_assert_uint_eq(figures.quota, 8);
	ck_assert_uint_eq(figures.borrowed, 10);
	ck_assert_uint_eq(figures.reach, 18);
	ck_assert_int_eq(ask_of(quota, 0, 1, HOUR).why, GW_QUOTA_OVER_POOL);
	gw_quota_at(quota, MON_08);
	ck_assert_uint_eq(gw_quota_reach(quota, 0, 0), 20);
	quota_done(quota);
}
END_TEST

START_TEST(figures_for_people)
{
	struct gw_quota *quota =
		quota_of("CohortName=top Quota=h100=2\nCohortName=r Parent=top\n"
			 "PoolName=a Cohort=r Quota=h100=8 BorrowLimit=h100=6 LendLimit=h100=4\n"
			 "PoolName=b Cohort=r Quota=h100=8\nPoolName=c Cohort=top Quota=h100=8\n");
	struct gw_quota_figures figures;
	struct gw_quota_lender lenders[4];

	gw_quota_hold(quota, 0, 0, 10);
	gw_quota_hold(quota, 1, 0, 3);
	figures = gw_quota_figures(quota, 0, 0);
	ck_assert_uint_eq(figures.quota, 8);
	ck_assert_uint_eq(figures.borrow_limit, 6);
	ck_assert_uint_eq(figures.lend_limit, 4);
	ck_assert_uint_eq(figures.held, 10);
	ck_assert_uint_eq(figures.borrowed, 2);
	ck_assert_uint_eq(figures.lent, 0);
	ck_assert_uint_eq(figures.reach, 14);
	ck_assert_uint_eq(figures.largest, 14);
	ck_assert_uint_eq(figures.cohort_quota, 16);
	ck_assert_uint_eq(figures.cohort_held, 13);
	ck_assert_uint_eq(figures.cohort_free, 13);

	ck_assert_uint_eq(gw_quota_lenders(quota, 0, 0, lenders, 4), 3);
	ck_assert_int_eq(lenders[0].pool, 1);
	ck_assert_uint_eq(lenders[0].gpus, 5);
	ck_assert_int_eq(lenders[1].pool, 2);
	ck_assert_uint_eq(lenders[1].gpus, 8);
	ck_assert_int_eq(lenders[2].pool, GW_INDEX_NONE);
	ck_assert_int_eq(lenders[2].cohort, 0);
	ck_assert_uint_eq(lenders[2].gpus, 2);
	ck_assert_uint_eq(gw_quota_lenders(quota, 0, 0, lenders, 1), 1);
	ck_assert_uint_eq(gw_quota_lenders(quota, 9, 0, lenders, 4), 0);

	/* c has lent two of its own, to a and b. */
	gw_quota_hold(quota, 1, 0, 9);
	gw_quota_hold(quota, 2, 0, 2);
	ck_assert_uint_eq(gw_quota_figures(quota, 2, 0).lent, 4);
	ck_assert_uint_eq(gw_quota_figures(quota, 9, 0).quota, 0);
	quota_done(quota);
}
END_TEST

/* The nearest cohort that has it lends; further up only what is missing. */
START_TEST(who_lends)
{
	struct gw_quota *quota =
		quota_of("CohortName=top\nCohortName=r Parent=top\n"
			 "PoolName=a Cohort=r Quota=h100=4\nPoolName=b Cohort=r Quota=h100=4\n"
			 "PoolName=c Cohort=top Quota=h100=4\n");

	ck_assert_int_eq(ask_of(quota, 0, 4, HOUR).cohort, GW_INDEX_NONE);
	ck_assert_int_eq(ask_of(quota, 0, 8, HOUR).cohort, 1);
	ck_assert_int_eq(ask_of(quota, 0, 9, HOUR).cohort, 0);
	quota_done(quota);
}
END_TEST

/* A queue draws each flavor from one of its pools; a pool serves what it has a Quota of. */
START_TEST(flavors_apart)
{
	struct gw_quota *quota = quota_of("FlavorName=a100 Gres=gpu:a100 Partition=old\n"
					  "PoolName=a Quota=h100=8\nPoolName=b Quota=a100=4\n"
					  "QueueName=nlp Pool=b,a\n");
	const struct gw_quota_ask wrong = {0, 1, 1, HOUR};

	ck_assert_int_eq(gw_quota_pool_of(conf, 0, 0), 0);
	ck_assert_int_eq(gw_quota_pool_of(conf, 0, 1), 1);
	ck_assert_int_eq(gw_quota_pool_of(conf, 0, 2), GW_INDEX_NONE);
	ck_assert_int_eq(gw_quota_pool_of(conf, 1, 0), GW_INDEX_NONE);
	ck_assert_int_eq(gw_quota_pool_of(conf, GW_INDEX_NONE, 0), GW_INDEX_NONE);
	ck_assert_int_eq(gw_quota_ask(quota, &wrong).why, GW_QUOTA_NO_QUOTA);
	ck_assert_uint_eq(gw_quota_largest(quota, 0, 1), 0);
	ck_assert_uint_eq(gw_quota_held(quota, 0, 1), 0);
	gw_quota_hold(quota, 0, 1, 3);
	ck_assert_uint_eq(gw_quota_held(quota, 0, 1), 0);
	quota_done(quota);
}
END_TEST

START_TEST(no_memory)
{
	struct gw_quota *quota = quota_of(LOANS), *again;
	struct gw_error error = {0};

	for (unsigned int n = 1;; n++) {
		alloc_fail_at(n);
		again = n % 2 ? gw_quota_new(conf, &error) : gw_quota_copy(quota, &error);
		if (!alloc_failed())
			break;
		ck_assert_ptr_null(again);
		ck_assert(gw_error_is_set(&error));
	}
	gw_quota_free(again);
	gw_quota_free(NULL);
	quota_done(quota);
}
END_TEST

UNIT_MAIN("quota", UNIT_ROWS(may_start_now, now); UNIT(two_borrowers_in_one_pass);
	  UNIT(held_comes_and_goes); UNIT(never_one_over); UNIT_ROWS(term_loans, loans);
	  UNIT_ROWS(peak_hours, peaks); UNIT(a_peak_kills_nothing); UNIT(figures_for_people);
	  UNIT(who_lends); UNIT(flavors_apart); UNIT(no_memory))

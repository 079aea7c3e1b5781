// SPDX-License-Identifier: GPL-2.0-or-later
/* Which reason comes first, which kind of problem it is, the words, and what would change it. */
#include "src/core/explain.h"
#include "src/core/job.h"
#include "unit.h"

#define HOUR 3600

/* Job 42 asks for 8 h100 on one node for a day, in queue nlp of pool train. */
#define HIDDEN                                                                                     \
	.job = 42, .gpus = 8, .gpus_per_node = 8, .nodes = 1, .limit = 24 * HOUR, .queue = "nlp",  \
	.pool = "train", .flavor = "h100"
#define JOB HIDDEN, .may_name_others = true

#define PLACED(fits, idle, most)                                                                   \
	.placement_known = true, .fits_now = (fits), .free = (idle), .free_on_a_node = (most)

static const struct gw_quota_answer allowed = {.cohort = GW_INDEX_NONE};
static const struct gw_quota_answer over_pool = {.why = GW_QUOTA_OVER_POOL, .missing = 2};
static const struct gw_quota_answer all_over = {.why = GW_QUOTA_OVER_POOL, .missing = 8};
static const struct gw_quota_answer borrow_limit = {
	.why = GW_QUOTA_BORROW_LIMIT, .borrow = 8, .missing = 8};
static const struct gw_quota_answer cohort_empty = {
	.why = GW_QUOTA_COHORT_EMPTY, .borrow = 2, .missing = 4};
static const struct gw_quota_answer loan = {.why = GW_QUOTA_LOAN_TIME, .borrow = 6};
static const struct gw_quota_answer peak = {.why = GW_QUOTA_PEAK_STRICT};
static const struct gw_quota_answer never = {.why = GW_QUOTA_NEVER, .missing = 8};
static const struct gw_quota_answer no_quota = {.why = GW_QUOTA_NO_QUOTA, .missing = 8};

static const struct gw_quota_figures figures = {.quota = 96,
						.borrow_limit = 32,
						.held = 90,
						.reach = 94,
						.largest = 128,
						.cohort_quota = 200,
						.cohort_held = 196,
						.cohort_free = 4};

static const struct gw_explain_end ends[] = {{7, 3, 600}, {9, 4, 7200}, {11, 8, 90000}};
static const struct gw_explain_flavor flavors[] = {
	{"a100", "old", 4, 64}, {"spot", "cloud", 64, 4}, {"l4", "small", 16, 16}};

#define ENDS    .ends = ends, .end_count = 3
#define FLAVORS .flavors = flavors, .flavor_count = 3

static const struct {
	struct gw_explain_facts facts;
	enum gw_explain_tier tier;
	enum gw_problem problem;
	const char *line;
	const char *changes[GW_CHANGES_MAX];
} reasons[] = {
	/* All at once: the most fundamental is told. */
	{{JOB, .misconfigured = "gres.conf of n3 lists no GPUs", .fitting_shape = "-N2",
	  .hold = GW_HOLD_USER, .quota = &over_pool, PLACED(false, 8, 4), .rank = 3},
	 GW_TIER_MISCONFIGURED,
	 GW_PROBLEM_INVISIBLE,
	 "invisible: gres.conf of n3 lists no GPUs",
	 {0}},
	{{JOB, .unregistered_nodes = 2, PLACED(false, 0, 0), .hold = GW_HOLD_NONE},
	 GW_TIER_MISCONFIGURED,
	 GW_PROBLEM_INVISIBLE,
	 "invisible: the GPUs of 2 nodes have not registered since slurmctld started",
	 {0}},
	{{JOB, .fitting_shape = "-N2 --gpus-per-node=8", .hold = GW_HOLD_USER, .quota = &over_pool},
	 GW_TIER_NEVER_FITS,
	 GW_PROBLEM_UNAVAILABLE,
	 "unavailable: never fits: no nodes have this shape; -N2 --gpus-per-node=8 would fit",
	 {"submit it with -N2 --gpus-per-node=8"}},
	{{JOB, .hold = GW_HOLD_USER, .quota = &over_pool, .figures = &figures},
	 GW_TIER_HELD,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: held by its user",
	 {"scontrol release 42"}},
	{{JOB, .hold = GW_HOLD_ADMIN, .hold_on = "maintenance"},
	 GW_TIER_HELD,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: held by an administrator: maintenance",
	 {"an administrator's scontrol release 42"}},
	{{JOB, .hold = GW_HOLD_DEPENDENCY, .hold_on = "afterok:41"},
	 GW_TIER_HELD,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: waits for its dependency: afterok:41",
	 {0}},
	{{JOB, .hold = GW_HOLD_BEGIN_TIME, .hold_left = 90},
	 GW_TIER_HELD,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: waits for its begin time, in 00:01:30",
	 {0}},
	{{JOB, .hold = GW_HOLD_QUEUE, FLAVORS, ENDS},
	 GW_TIER_HELD,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: its queue is held",
	 {0}},
	/* Quota: each answer, its sum, and what is smaller than waiting. */
	{{JOB, .quota = &over_pool, .figures = &figures, PLACED(true, 64, 8), FLAVORS, ENDS},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: pool train holds 90 of 96 h100 and can not borrow; 8 asked",
	 {"fewer GPUs: 6 instead of 8", "another flavor: l4, --partition=small",
	  "job 7 ending, in 00:10:00 at the latest"}},
	{{JOB, .quota = &all_over, ENDS},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: 8 h100 too many for pool train now",
	 {"job 11 ending, in 1-01:00:00 at the latest"}},
	{{JOB, .quota = &borrow_limit, .figures = &figures},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: pool train holds 90 of 96 h100 and may borrow 32; 8 asked",
	 {0}},
	{{JOB, .quota = &borrow_limit, .figures = &figures, .cohort = "research"},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: pool train holds 90 of 96 h100; cohort research is at its "
	 "BorrowLimit; 8 asked",
	 {0}},
	{{JOB, .quota = &cohort_empty, .figures = &figures, .cohort = "research", ENDS},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: pool train holds 90 of 96 h100; cohort research has 4 more for "
	 "it; 8 asked",
	 {"fewer GPUs: 4 instead of 8", "job 9 ending, in 02:00:00 at the latest"}},
	{{JOB, .quota = &loan, .figures = &figures, .loan_time = 12 * HOUR},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: it would borrow 6 h100, lent for 12:00:00 at most; its limit: "
	 "1-00:00:00",
	 {"a shorter limit: scontrol update JobId=42 TimeLimit=12:00:00",
	  "fewer GPUs: 2 instead of 8"}},
	{{JOB, .quota = &peak, .figures = &figures, .until_peak = 2 * HOUR},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: peak hours of pool train begin in 02:00:00, when it does not "
	 "fit; its limit: 1-00:00:00",
	 {"a shorter limit: scontrol update JobId=42 TimeLimit=02:00:00"}},
	{{JOB, .quota = &never, .figures = &figures},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: pool train can hold 128 h100 at most; 8 asked",
	 {"fewer GPUs: 4 instead of 8"}},
	{{JOB, .quota = &no_quota},
	 GW_TIER_OVER_QUOTA,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: over quota: no pool of queue nlp has a quota of h100",
	 {0}},
	/* Case 3: the sum is there, the shape is not. */
	{{JOB, .quota = &allowed, PLACED(false, 8, 4), .rank = 1, ENDS},
	 GW_TIER_TOPOLOGY,
	 GW_PROBLEM_UNAVAILABLE,
	 "unavailable: topology: 8 h100 on a node are needed; 8 are free, at most 4 on one",
	 {"fewer GPUs: 4 instead of 8", "job 9 ending, in 02:00:00 at the latest"}},
	{{.job = 42,
	  .gpus = 16,
	  .gpus_per_node = 8,
	  .nodes = 2,
	  .flavor = "h100",
	  PLACED(false, 20, 8),
	  .free_nodes = 1},
	 GW_TIER_TOPOLOGY,
	 GW_PROBLEM_UNAVAILABLE,
	 "unavailable: topology: 2 nodes with 8 free h100 are needed; there are 1",
	 {"fewer GPUs: 8 instead of 16"}},
	{{JOB, PLACED(false, 16, 8), .free_nodes = 2},
	 GW_TIER_TOPOLOGY,
	 GW_PROBLEM_UNAVAILABLE,
	 "unavailable: topology: 16 h100 are free, but no nodes fit its cores, memory and "
	 "constraints",
	 {0}},
	{{JOB, PLACED(true, 16, 8), .rank = 3, .small_hold_left = 5 * HOUR},
	 GW_TIER_BEHIND,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: steps back for a whole-node job for 05:00:00 more (SmallHold), takes any "
	 "gap before",
	 {0}},
	{{JOB, PLACED(true, 16, 8), .rank = 3, .small_hold_left = 47 * HOUR, .small_batch = 64},
	 GW_TIER_BEHIND,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: steps back for a whole-node job for 1-23:00:00 more (SmallHold), maybe "
	 "less once jobs for 64 GPUs do (SmallBatch), takes any gap before",
	 {0}},
	{{JOB, PLACED(false, 3, 3), .rank = 3, .next_job = 41, .next_queue = "cv"},
	 GW_TIER_BEHIND,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: 2 jobs go first; right before it job 41 of queue cv",
	 {0}},
	{{HIDDEN, .rank = 2, .next_job = 41, .next_queue = "cv"},
	 GW_TIER_BEHIND,
	 GW_PROBLEM_UNCONTROLLED,
	 "uncontrolled: 1 job goes first",
	 {0}},
	{{HIDDEN, PLACED(false, 5, 3), .rank = 1, ENDS},
	 GW_TIER_BEHIND,
	 GW_PROBLEM_UNAVAILABLE,
	 "unavailable: 8 h100 are needed, 5 are free; it goes first",
	 {"fewer GPUs: 3 instead of 8", "running jobs ending, in 00:10:00 at the latest"}},
	{{.job = 42, .gpus = 8, PLACED(false, 5, 3)},
	 GW_TIER_BEHIND,
	 GW_PROBLEM_UNAVAILABLE,
	 "unavailable: 8 GPUs are needed, 5 are free; it is not ranked",
	 {0}},
	{{JOB, PLACED(true, 8, 8), .rank = 1, .unregistered_nodes = 3, .quota = &allowed},
	 GW_TIER_NONE,
	 GW_PROBLEM_NONE,
	 "may start in the next scheduling pass",
	 {0}},
};

START_TEST(the_first_reason_is_told)
{
	struct gw_explanation explanation;

	gw_explain(&reasons[_i].facts, &explanation);
	ck_assert_str_eq(explanation.line, reasons[_i].line);
	ck_assert_str_eq(gw_explain_tier_name(explanation.tier),
			 gw_explain_tier_name(reasons[_i].tier));
	ck_assert_str_eq(gw_problem_name(explanation.problem),
			 gw_problem_name(reasons[_i].problem));
	for (size_t i = 0; i < explanation.change_count; i++) {
		ck_assert_ptr_nonnull(reasons[_i].changes[i]);
		ck_assert_str_eq(explanation.change[i].text, reasons[_i].changes[i]);
		ck_assert_ptr_nonnull(gw_change_kind_name(explanation.change[i].kind));
	}
	if (explanation.change_count < GW_CHANGES_MAX)
		ck_assert_ptr_null(reasons[_i].changes[explanation.change_count]);
}
END_TEST

START_TEST(figures_are_given)
{
	const struct gw_explain_facts facts = {JOB,
					       .quota = &cohort_empty,
					       .figures = &figures,
					       PLACED(false, 8, 4),
					       .rank = 3,
					       .gap = true,
					       .key = 12.5,
					       .least_key = 3.25,
					       .least_queue = "cv",
					       .start_in = 7200,
					       .start_error = 1800};
	struct gw_explanation explanation;

	gw_explain(&facts, &explanation);
	ck_assert_str_eq(explanation.rank, "rank 3, 2 before it");
	ck_assert_str_eq(explanation.gap, "it goes earlier as it fits on a node that others keep "
					  "broken (GapMatch)");
	ck_assert_str_eq(explanation.share, "queue nlp: 12.50 weighted GPUs held and used; least: "
					    "queue cv, 3.25");
	ck_assert_str_eq(explanation.quota,
			 "pool train holds 90 of 96 h100, 0 borrowed, 0 lent; may reach 94; cohort "
			 "holds 196 of 200; this job asks 8, 2 borrowed");
	ck_assert_str_eq(explanation.placement,
			 "8 h100 are free, at most 4 on one node; no nodes for it now");
	ck_assert_str_eq(explanation.start, "in 02:00:00, give or take 00:30:00");
}
END_TEST

START_TEST(what_is_not_known_is_not_told)
{
	const struct gw_explain_facts bare = {.job = 42, .gpus = 8};
	const struct gw_explain_facts hidden = {HIDDEN, .least_queue = "cv", .quota = &no_quota,
						.figures = &figures};
	struct gw_explanation explanation;

	gw_explain(&bare, &explanation);
	ck_assert_str_eq(explanation.rank, "");
	ck_assert_str_eq(explanation.gap, "");
	ck_assert_str_eq(explanation.share, "");
	ck_assert_str_eq(explanation.quota, "");
	ck_assert_str_eq(explanation.placement, "");
	ck_assert_str_eq(explanation.start, "");
	gw_explain(&hidden, &explanation);
	ck_assert_ptr_null(strstr(explanation.share, "cv"));
	ck_assert_str_eq(explanation.quota, "no pool of queue nlp has a quota of h100");
}
END_TEST

/* The longest names a configuration may have still make one whole line. */
START_TEST(squeue_gets_one_line)
{
	char name[129], *names[] = {name};
	struct gw_explain_facts facts;
	struct gw_explanation explanation;

	memset(name, 'x', 128);
	name[128] = '\0';
	for (int i = 0; i < COUNT(reasons); i++) {
		facts = reasons[i].facts;
		facts.queue = facts.pool = facts.flavor = facts.next_queue = names[0];
		facts.cohort = facts.cohort ? name : NULL;
		facts.hold_on = facts.hold_on ? name : NULL;
		facts.misconfigured = facts.misconfigured ? name : NULL;
		gw_explain(&facts, &explanation);
		ck_assert_uint_le(strlen(explanation.line), 200);
		ck_assert_ptr_null(strchr(explanation.line, '\n'));
	}
}
END_TEST

START_TEST(no_limit_is_said_so)
{
	const struct gw_explain_facts facts = {JOB, .quota = &loan, .figures = &figures};
	struct gw_explain_facts forever = facts;
	struct gw_explanation explanation;

	forever.limit = GW_TIME_INFINITE;
	forever.loan_time = -1;
	gw_explain(&forever, &explanation);
	ck_assert_str_eq(explanation.line, "uncontrolled: over quota: it would borrow 6 h100, lent "
					   "for 00:00:00 at most; its limit: no limit");
}
END_TEST

UNIT_MAIN("explain", UNIT_ROWS(the_first_reason_is_told, reasons); UNIT(figures_are_given);
	  UNIT(what_is_not_known_is_not_told); UNIT(squeue_gets_one_line);
	  UNIT(no_limit_is_said_so))

// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "ledger_fixture.h"

/* --- the integral --- */

START_TEST(usage_halves_in_a_half_life)
{
	struct fixture f = set_up_week();

	start(&f, NLP, 1, 8, 0);
	gw_ledger_end(f.ledger, 1, START + 100);
	near(usage(&f, NLP, 100 + WEEK), usage(&f, NLP, 100) / 2);
	near(usage(&f, NLP, 100), 8 * ran(WEEK, 0, 100, 100));
	near(usage(&f, VISION, 100), 0);
	tear_down(&f);
}
END_TEST

START_TEST(running_for_ever_is_bounded)
{
	struct fixture f = set_up_week();

	start(&f, NLP, 1, 8, 0);
	near(usage(&f, NLP, 100 * WEEK), 8 * WEEK / log(2));
	tear_down(&f);
}
END_TEST

START_TEST(asking_often_changes_nothing)
{
	struct fixture f = set_up_week();
	double once;

	start(&f, NLP, 1, 8, 0);
	once = usage(&f, NLP, WEEK);
	for (int64_t i = 1; i < WEEK; i += 1000) {
		usage(&f, NLP, i);
		ck_assert(gw_ledger_resize(f.ledger, 1, 8, START + i));
	}
	near(usage(&f, NLP, WEEK), once);
	tear_down(&f);
}
END_TEST

START_TEST(one_gpu_for_one_second_counts)
{
	struct fixture f = set_up_week();

	start(&f, NLP, 1, 1, 0);
	gw_ledger_end(f.ledger, 1, START + 1);
	ck_assert_double_eq_tol(usage(&f, NLP, 1), 1, 1e-6);
	ck_assert_double_gt(usage(&f, NLP, 1), 0.99999);
	tear_down(&f);
}
END_TEST

/* A job of one GPU and one second, each second of a year: as one job of a year. */
START_TEST(a_year_of_seconds_sums_right)
{
	struct fixture f = set_up_week();

	for (int64_t i = 0; i < YEAR; i++) {
		gw_ledger_start(f.ledger, NLP, H100, 7, 1, START + i, NULL);
		gw_ledger_end(f.ledger, 7, START + i + 1);
	}
	ck_assert_double_eq_tol(usage(&f, NLP, YEAR) / ran(WEEK, 0, YEAR, YEAR), 1, 1e-9);
	tear_down(&f);
}
END_TEST

START_TEST(without_decay_it_is_a_plain_sum)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");

	for (int64_t i = 0; i < 100000; i++) {
		gw_ledger_start(f.ledger, NLP, H100, 7, 1, START + 2 * i, NULL);
		gw_ledger_end(f.ledger, 7, START + 2 * i + 1);
	}
	ck_assert_double_eq(usage(&f, NLP, YEAR), 100000);
	tear_down(&f);
}
END_TEST

/* 0.1 + 0.2 - 0.1 - 0.2 is not 0 in doubles, but nothing runs. */
START_TEST(nothing_runs_at_rate_zero)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");
	double before, lines_usage[LINES], held[LINES];

	start(&f, NLP, 1, 0.1, 0);
	start(&f, NLP, 2, 0.2, 0);
	gw_ledger_end(f.ledger, 1, START + 10);
	gw_ledger_end(f.ledger, 2, START + 10);
	before = usage(&f, NLP, 10);
	ck_assert_double_eq(usage(&f, NLP, YEAR), before);
	gw_ledger_lines(f.ledger, START, lines_usage, held);
	ck_assert_double_eq(held[0], 0);
	tear_down(&f);
}
END_TEST

START_TEST(gpu_usage_is_not_cpu_usage)
{
	struct fixture f = set_up_week();
	double all[LINES], held[LINES];

	start(&f, NLP, 1, 8, 0);
	gw_ledger_start(f.ledger, NLP, CPU, 2, 0.5, START, NULL);
	gw_ledger_start(f.ledger, VISION, A100, 3, 2, START, NULL);
	gw_ledger_lines(f.ledger, START + 10, all, held);
	near(all[line_of(&f, NLP, H100)], 8 * ran(WEEK, 0, 10, 10));
	near(all[line_of(&f, NLP, CPU)], 0.5 * ran(WEEK, 0, 10, 10));
	near(all[line_of(&f, VISION, A100)], 2 * ran(WEEK, 0, 10, 10));
	near(all[line_of(&f, VISION, H100)], 0);
	near(held[line_of(&f, NLP, H100)], 8);
	near(held[line_of(&f, NLP, CPU)], 0.5);
	tear_down(&f);
}
END_TEST

START_TEST(resized_and_suspended_jobs_accrue_what_they_hold)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");

	start(&f, NLP, 1, 8, 0);
	ck_assert(gw_ledger_resize(f.ledger, 1, 4, START + 10));
	ck_assert_double_eq(usage(&f, NLP, 20), 8 * 10 + 4 * 10);
	ck_assert(gw_ledger_suspend(f.ledger, 1, 0, START + 20));
	ck_assert_double_eq(usage(&f, NLP, 50), 120);
	ck_assert(gw_ledger_resume(f.ledger, 1, START + 50));
	ck_assert_double_eq(usage(&f, NLP, 60), 160);
	ck_assert(!gw_ledger_resize(f.ledger, 2, 4, START + 60));
	ck_assert(!gw_ledger_suspend(f.ledger, 2, 0, START + 60));
	ck_assert(!gw_ledger_resume(f.ledger, 2, START + 60));
	ck_assert(!gw_ledger_end(f.ledger, 2, START + 60));
	tear_down(&f);
}
END_TEST

START_TEST(events_told_late_are_put_where_they_belong)
{
	struct fixture f = set_up_week();

	start(&f, NLP, 1, 1, 0);
	start(&f, NLP, 2, 8, 1000);
	ck_assert_uint_eq(gw_ledger_late(f.ledger), 0);
	gw_ledger_end(f.ledger, 1, START + 900);
	start(&f, NLP, 3, 4, 950);
	ck_assert_uint_eq(gw_ledger_late(f.ledger), 2);
	near(usage(&f, NLP, 2000), ran(WEEK, 0, 900, 2000) + 8 * ran(WEEK, 1000, 2000, 2000) +
					   4 * ran(WEEK, 950, 2000, 2000));
	/* An end before the start leaves nothing; the past is answered as now. */
	gw_ledger_end(f.ledger, 2, START - 5000);
	gw_ledger_end(f.ledger, 3, START + 950);
	near(usage(&f, NLP, 1000), ran(WEEK, 0, 900, 1000));
	near(usage(&f, NLP, -1000), ran(WEEK, 0, 900, 1000));
	tear_down(&f);
}
END_TEST

START_TEST(a_start_of_a_running_job_ends_it_first)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");

	start(&f, NLP, 1, 8, 0);
	start(&f, VISION, 1, 2, 10);
	ck_assert_uint_eq(gw_ledger_running(f.ledger), 1);
	ck_assert_double_eq(usage(&f, NLP, 20), 80);
	ck_assert_double_eq(usage(&f, VISION, 20), 20);
	tear_down(&f);
}
END_TEST

START_TEST(what_has_no_line_or_no_rate_is_refused)
{
	static const struct {
		int queue, flavor;
		double rate;
	} bad[] = {{-1, 0, 1}, {2, 0, 1}, {0, 2, 1}, {0, -2, 1}, {0, 0, -1}, {0, 0, NAN}};
	struct fixture f = set_up_week();

	for (int i = 0; i < COUNT(bad); i++) {
		struct gw_error error = {0};
		struct gw_run run = {1, bad[i].queue, bad[i].flavor, bad[i].rate, START, 0};

		ck_assert_int_eq(gw_ledger_start(f.ledger, bad[i].queue, bad[i].flavor, 1,
						 bad[i].rate, START, &error),
				 -1);
		ck_assert(gw_error_is_set(&error));
		ck_assert_int_eq(gw_ledger_add(f.ledger, &run, START, NULL), -1);
	}
	ck_assert_uint_eq(gw_ledger_running(f.ledger), 0);
	ck_assert_double_eq(gw_ledger_usage(f.ledger, 9, 0, START), 0);
	tear_down(&f);
}
END_TEST

/* --- charge --- */

START_TEST(charge_becomes_real_usage_and_the_rest_goes_back)
{
	struct fixture f = set_up("UsageHalfLife=NONE Charge=01:00:00\n");
	double all[LINES], held[LINES];

	start(&f, NLP, 1, 8, 0);
	ck_assert_double_eq(usage(&f, NLP, 0), 8 * 3600);
	ck_assert_double_eq(usage(&f, NLP, 1800), 8 * 3600);
	ck_assert_double_eq(usage(&f, NLP, 7200), 8 * 7200);
	start(&f, VISION, 2, 1, 7200);
	gw_ledger_lines(f.ledger, START + 7200, all, held);
	ck_assert_double_eq(all[0], 8 * 7200);
	ck_assert_double_eq(all[line_of(&f, VISION, H100)], 3600);
	gw_ledger_end(f.ledger, 2, START + 7210);
	ck_assert_double_eq(usage(&f, VISION, 7210), 10);
	tear_down(&f);
}
END_TEST

START_TEST(credit_forgives_at_most_what_there_is)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");

	start(&f, NLP, 1, 1, 0);
	ck_assert_double_eq(gw_ledger_credit(f.ledger, NLP, H100, 30, START + 100), 30);
	ck_assert_double_eq(usage(&f, NLP, 100), 70);
	ck_assert_double_eq(gw_ledger_credit(f.ledger, NLP, H100, 1e9, START + 100), 70);
	ck_assert_double_eq(usage(&f, NLP, 110), 10);
	ck_assert_double_eq(gw_ledger_credit(f.ledger, VISION, H100, 5, START), 0);
	ck_assert_double_eq(gw_ledger_credit(f.ledger, NLP, H100, -5, START), 0);
	tear_down(&f);
}
END_TEST

/* --- configuration --- */

START_TEST(taking_a_queue_out_does_not_launder_its_usage)
{
	struct fixture f = set_up_week();
	struct gw_conf *without = conf_of("UsageHalfLife=7-0\n", "QueueName=vision Pool=train\n");

	start(&f, NLP, 1, 8, 0);
	gw_ledger_end(f.ledger, 1, START + 1000);
	ck_assert_int_eq(gw_ledger_set_conf(f.ledger, without, START + 2000, NULL), 0);
	ck_assert_double_eq(gw_ledger_usage(f.ledger, 0, H100, START + 2000), 0);
	ck_assert_int_eq(gw_ledger_set_conf(f.ledger, f.conf, START + 3000, NULL), 0);
	near(usage(&f, NLP, 3000), 8 * ran(WEEK, 0, 1000, 3000));
	gw_conf_free(without);
	tear_down(&f);
}
END_TEST

START_TEST(another_half_life_counts_from_when_it_came)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");
	struct gw_conf *week = conf_of("UsageHalfLife=7-0\n", queues);

	start(&f, NLP, 1, 1, 0);
	gw_ledger_end(f.ledger, 1, START + 1000);
	gw_ledger_set_conf(f.ledger, week, START + 5000, NULL);
	near(usage(&f, NLP, 5000), 1000);
	near(usage(&f, NLP, 5000 + WEEK), 500);
	gw_ledger_free(f.ledger);
	gw_conf_free(week);
	gw_conf_free(f.conf);
}
END_TEST

/* --- reconciliation --- */

static void reconcile(const struct fixture *f, const struct gw_run *runs, size_t count,
		      int64_t seconds)
{
	ck_assert_int_eq(gw_ledger_reconcile(f->ledger, runs, count, START + seconds, NULL), 0);
}

START_TEST(reconcile_finds_what_events_missed)
{
	struct fixture f = set_up_week();
	const struct gw_run runs[] = {
		{1, NLP, H100, 8, START, START + 700}, /* the end was missed */
		{2, NLP, H100, 4, START + 97, 0},      /* told 3 s late */
		{3, VISION, H100, 2, START + 300, 0},  /* the start was missed */
		{4, NLP, H100, 1, START + 55, 0},      /* told 5 s early */
		{5, -1, H100, 64, START, 0},           /* of no queue */
	};

	start(&f, NLP, 1, 8, 0);
	start(&f, NLP, 4, 1, 50);
	start(&f, NLP, 2, 4, 100);
	reconcile(&f, runs, COUNT(runs), 1000);
	near(usage(&f, NLP, 2000), 8 * ran(WEEK, 0, 700, 2000) + 4 * ran(WEEK, 97, 2000, 2000) +
					   ran(WEEK, 55, 2000, 2000));
	near(usage(&f, VISION, 2000), 2 * ran(WEEK, 300, 2000, 2000));
	ck_assert_uint_eq(gw_ledger_running(f.ledger), 3);
	tear_down(&f);
}
END_TEST

START_TEST(a_job_that_vanished_ended_when_last_seen)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");
	const struct gw_run run = {1, NLP, H100, 2, START, 0};

	reconcile(&f, &run, 1, 100);
	reconcile(&f, &run, 1, 160);
	reconcile(&f, NULL, 0, 220);
	ck_assert_double_eq(usage(&f, NLP, 500), 320);
	tear_down(&f);
}
END_TEST

START_TEST(a_later_start_is_another_run)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");
	const struct gw_run first = {1, NLP, H100, 1, START, 0};
	const struct gw_run second = {1, NLP, H100, 1, START + 1000, 0};
	const struct gw_run moved = {1, VISION, H100, 1, START + 1000, 0};

	reconcile(&f, &first, 1, 500);
	reconcile(&f, &second, 1, 1100);
	ck_assert_double_eq(usage(&f, NLP, 1100), 600);
	reconcile(&f, &moved, 1, 1200);
	ck_assert_double_eq(usage(&f, NLP, 1200), 500);
	ck_assert_double_eq(usage(&f, VISION, 1200), 200);
	tear_down(&f);
}
END_TEST

START_TEST(reconcile_takes_rates_and_bounds_times)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");
	const struct gw_run runs[] = {
		{1, NLP, H100, 4, START, 0},
		{2, VISION, H100, 4, START + 9000, 0}, /* in the future */
		{3, VISION, H100, 4, START + 50, START + 40},
	};

	start(&f, NLP, 1, 2, 0);
	start(&f, VISION, 3, 4, 50);
	reconcile(&f, runs, COUNT(runs), 100);
	ck_assert_double_eq(usage(&f, NLP, 150), 2 * 100 + 4 * 50);
	ck_assert_double_eq(usage(&f, VISION, 150), 4 * 50);
	tear_down(&f);
}
END_TEST

START_TEST(an_ended_run_counts_once)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");
	const struct gw_run run = {1, NLP, H100, 1, START, START + 101};

	start(&f, NLP, 1, 1, 0);
	gw_ledger_end(f.ledger, 1, START + 100);
	reconcile(&f, &run, 1, 200);
	ck_assert_double_eq(usage(&f, NLP, 200), 100);
	tear_down(&f);
}
END_TEST

START_TEST(a_run_between_two_looks_counts_once)
{
	struct fixture f = set_up("UsageHalfLife=NONE\n");
	const struct gw_run seen = {1, NLP, H100, 8, START + 90, 0};
	const struct gw_run runs[] = {
		{1, NLP, H100, 8, START + 90, START + 100},
		{2, NLP, H100, 2, START + 100, START + 103},
		{3, NLP, H100, 1, START + 50, START + 60}, /* before the ledger knew anything */
	};

	reconcile(&f, &seen, 1, 100);
	reconcile(&f, runs, COUNT(runs), 110);
	ck_assert_double_eq(usage(&f, NLP, 110), 8 * 10 + 2 * 3);
	reconcile(&f, runs, COUNT(runs), 110);
	reconcile(&f, runs, COUNT(runs), 120);
	ck_assert_double_eq(usage(&f, NLP, 120), 8 * 10 + 2 * 3);
	tear_down(&f);
}
END_TEST

START_TEST(history_alone_gives_the_same_usage)
{
	struct fixture live = set_up_week(), seeded = set_up_week();

	for (uint32_t i = 0; i < 1000; i++) {
		const struct gw_run run = {
			i, NLP, H100, i % 8, START + i * 100, START + i * 100 + i * 7};

		gw_ledger_start(live.ledger, NLP, H100, i, run.rate, run.start, NULL);
		gw_ledger_end(live.ledger, i, run.end);
		ck_assert_int_eq(gw_ledger_add(seeded.ledger, &run, START + WEEK, NULL), 0);
	}
	near(usage(&live, NLP, WEEK), usage(&seeded, NLP, WEEK));
	tear_down(&live);
	tear_down(&seeded);
}
END_TEST

/* --- text --- */

static char *text_of(const struct fixture *f, int64_t seconds)
{
	char *text = gw_ledger_text(f->ledger, START + seconds, NULL);

	ck_assert_ptr_nonnull(text);
	return text;
}

START_TEST(text_gives_the_same_ledger)
{
	struct fixture f = set_up("UsageHalfLife=7-0 Charge=01:00:00\n");
	struct fixture back = set_up("UsageHalfLife=7-0 Charge=01:00:00\n");
	char *text, *again;

	start(&f, NLP, 5, 8, 0);
	gw_ledger_start(f.ledger, VISION, CPU, 3, 1.0 / 3, START + 10, NULL);
	gw_ledger_suspend(f.ledger, 5, 0.1, START + 77);
	text = text_of(&f, 100);
	ck_assert_int_eq(gw_ledger_load(back.ledger, text, NULL), 0);
	again = text_of(&back, 100);
	ck_assert_str_eq(text, again);
	ck_assert_double_eq(usage(&f, NLP, 1234567), usage(&back, NLP, 1234567));
	ck_assert_double_eq(gw_ledger_usage(f.ledger, VISION, CPU, START + 5555),
			    gw_ledger_usage(back.ledger, VISION, CPU, START + 5555));
	ck_assert(gw_ledger_resume(back.ledger, 5, START + 200));
	free(text);
	free(again);
	tear_down(&f);
	tear_down(&back);
}
END_TEST

/* The controller was down from 1000 to 5000; before that, 50 s of events were lost. */
START_TEST(downtime_decays_and_jobs_run_through_it)
{
	struct fixture f = set_up_week(), back = set_up_week();
	const struct gw_run runs[] = {
		{1, NLP, H100, 8, START, 0},
		{2, NLP, H100, 4, START + 100, START + 3000},
		{3, VISION, H100, 2, START + 1020, START + 1040},
		{4, VISION, H100, 1, START + 1030, 0},
		{9, VISION, H100, 1, START + 10, START + 20}, /* counted before the text */
	};
	char *text;

	start(&f, NLP, 1, 8, 0);
	start(&f, VISION, 9, 1, 10);
	gw_ledger_end(f.ledger, 9, START + 20);
	start(&f, NLP, 2, 4, 100);
	text = text_of(&f, 1000);
	ck_assert_int_eq(gw_ledger_load(back.ledger, text, NULL), 0);
	reconcile(&back, runs, COUNT(runs), 5000);
	near(usage(&back, NLP, 6000),
	     8 * ran(WEEK, 0, 6000, 6000) + 4 * ran(WEEK, 100, 3000, 6000));
	near(usage(&back, VISION, 6000), ran(WEEK, 10, 20, 6000) + 2 * ran(WEEK, 1020, 1040, 6000) +
						 ran(WEEK, 1030, 6000, 6000));
	free(text);
	tear_down(&f);
	tear_down(&back);
}
END_TEST

START_TEST(text_keeps_queues_that_are_not_configured)
{
	struct fixture f = set_up_week();
	struct gw_conf *without = conf_of("UsageHalfLife=7-0\n", "QueueName=vision Pool=train\n");
	struct gw_ledger *ledger = gw_ledger_new(without, NULL);
	char *text;

	start(&f, NLP, 1, 8, 0);
	text = text_of(&f, 100);
	ck_assert_int_eq(gw_ledger_load(ledger, text, NULL), 0);
	gw_ledger_set_conf(ledger, f.conf, START + 100, NULL);
	near(gw_ledger_usage(ledger, NLP, H100, START + 200), 8 * ran(WEEK, 0, 200, 200));
	gw_ledger_free(ledger);
	gw_conf_free(without);
	free(text);
	tear_down(&f);
}
END_TEST

/* The checksum of a text, as the format says it: what a test of what follows it needs. */
static char *with_checksum(const char *records)
{
	struct gw_str text = {0};
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (const char *at = records; *at; at++)
		sum = (sum ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
	gw_str_appendf(&text, "%sChecksum=%016llx\n", records, (unsigned long long)sum);
	return gw_str_take(&text);
}

#define HEAD    "GangwayLedger=1 Time=100\n"
#define ACCOUNT "Queue=nlp Flavor=h100 Usage=5 Rate=1 At=100\n"

static const struct {
	const char *records, *error;
} bad_records[] = {
	{"", "this is not a ledger"},
	{"Time=5\n", "this is not a ledger"},
	{"GangwayLedger=2 Whatever=5\n", "version 2, newer than 1"},
	{"GangwayLedger=0 Time=5\n", "no version known here"},
	{"GangwayLedger=x Time=5\n", "no version known here"},
	{"GangwayLedger=1\n", "line 1: Time is missing"},
	{"GangwayLedger=1 Time=-5\n", "line 1: Time=-5: must be"},
	{HEAD "Flavor=h100\n", "line 2: Flavor is not a record"},
	{HEAD "Queue=nlp Usage=5 Rate=1 At=100\n", "line 2: Queue or Flavor is missing"},
	{HEAD "Queue=nlp Flavor=h100 Rate=1 At=100\n", "line 2: Usage is missing"},
	{HEAD "Queue=nlp Flavor=h100 Usage=-1 Rate=1 At=100\n", "line 2: Usage=-1: must"},
	{HEAD "Queue=nlp Flavor=h100 Usage=nan Rate=1 At=100\n",
	 "line 2: Usage=nan: must be a number from 0"},
	{HEAD "Queue=nlp Flavor=h100 Usage=1 Rate=1e30 At=100\n", "line 2: Rate=1e30: must"},
	{HEAD "Queue=nlp Flavor=h100 Usage=1 Rate=1 At=101\n", "line 2: At is after Time"},
	{HEAD ACCOUNT "Job=x Queue=nlp Flavor=h100 Rate=1 FullRate=1 Start=5\n", "line 3: "},
	{HEAD ACCOUNT "Job=4294967296 Queue=nlp Flavor=h100 Rate=1 FullRate=1 Start=5\n",
	 "line 3: Job=4294967296: must"},
	{HEAD ACCOUNT "Job=1 Flavor=h100 Rate=1 FullRate=1 Start=5\n",
	 "line 3: Queue or Flavor is missing"},
	{HEAD ACCOUNT "Job=1 Queue=nlp Flavor=h100 Rate=1 FullRate=1 Start=5\n"
		      "Job=1 Queue=nlp Flavor=h100 Rate=1 FullRate=1 Start=5\n",
	 "line 4: job 1 is there twice"},
	{HEAD "what\n", "what: must be Key=Value"},
};

START_TEST(bad_records_are_refused_and_change_nothing)
{
	struct fixture f = set_up_week();
	struct gw_error error = {0};
	char *text = with_checksum(bad_records[_i].records);
	char *before, *after;

	start(&f, NLP, 1, 8, 0);
	before = text_of(&f, 10);
	ck_assert_int_eq(gw_ledger_load(f.ledger, text, &error), -1);
	ck_assert_msg(strstr(error.text, bad_records[_i].error), "%s", error.text);
	after = text_of(&f, 10);
	ck_assert_str_eq(before, after);
	free(before);
	free(after);
	free(text);
	tear_down(&f);
}
END_TEST

/* Cut at any byte, or with any byte changed, it is refused. */
START_TEST(damage_is_seen)
{
	struct fixture f = set_up_week();
	char *text;
	size_t length;

	start(&f, NLP, 1, 8, 0);
	text = text_of(&f, 10);
	length = strlen(text);
	for (size_t i = 0; i < length; i++) {
		struct gw_error error = {0};
		char kept = text[i];

		text[i] = '\0';
		ck_assert_int_eq(gw_ledger_load(f.ledger, text, &error), -1);
		ck_assert(gw_error_is_set(&error));
		text[i] = (char)(kept ^ 1);
		ck_assert_int_eq(gw_ledger_load(f.ledger, text, NULL), -1);
		text[i] = kept;
	}
	ck_assert_int_eq(gw_ledger_load(f.ledger, text, NULL), 0);
	free(text);
	tear_down(&f);
}
END_TEST

/* --- memory --- */

/* Every function that can fail for want of memory, at every call: the ledger is as before. */
START_TEST(memory_out)
{
	struct fixture f = set_up_week();
	struct gw_run many[100];
	char *full, *before;

	start(&f, NLP, 500, 1, 0);
	full = text_of(&f, 10);
	before = text_of(&f, 10);
	for (uint32_t i = 0; i < 100; i++)
		many[i] = (struct gw_run){i, VISION, A100, 1, START, 0};
	for (unsigned int n = 1; n < 60; n++) {
		int failures = 0;
		struct gw_ledger *made;
		char *text, *after;
		bool failed;

		alloc_fail_at(n);
		failures += gw_ledger_start(f.ledger, VISION, CPU, 77, 1, START + 10, NULL) != 0;
		if (!failures)
			gw_ledger_end(f.ledger, 77, START + 10);
		alloc_failed();
		alloc_fail_at(n);
		failures += gw_ledger_reconcile(f.ledger, many, 100, START + 10, NULL) != 0;
		failures += gw_ledger_load(f.ledger, full, NULL) != 0;
		failures += gw_ledger_set_conf(f.ledger, f.conf, START + 10, NULL) != 0;
		made = gw_ledger_new(f.conf, NULL);
		text = gw_ledger_text(f.ledger, START + 10, NULL);
		failures += !made + !text;
		failed = alloc_failed();
		ck_assert(failures || !failed);
		gw_ledger_free(made);
		free(text);
		gw_ledger_free(NULL);
		ck_assert_int_eq(gw_ledger_load(f.ledger, full, NULL), 0);
		after = text_of(&f, 10);
		ck_assert_str_eq(before, after);
		free(after);
	}
	free(full);
	free(before);
	tear_down(&f);
}
END_TEST

UNIT_MAIN("ledger", tcase_set_timeout(tests, 60), UNIT(usage_halves_in_a_half_life),
	  UNIT(running_for_ever_is_bounded), UNIT(asking_often_changes_nothing),
	  UNIT(one_gpu_for_one_second_counts), UNIT(a_year_of_seconds_sums_right),
	  UNIT(without_decay_it_is_a_plain_sum), UNIT(nothing_runs_at_rate_zero),
	  UNIT(gpu_usage_is_not_cpu_usage), UNIT(resized_and_suspended_jobs_accrue_what_they_hold),
	  UNIT(events_told_late_are_put_where_they_belong),
	  UNIT(a_start_of_a_running_job_ends_it_first),
	  UNIT(what_has_no_line_or_no_rate_is_refused),
	  UNIT(charge_becomes_real_usage_and_the_rest_goes_back),
	  UNIT(credit_forgives_at_most_what_there_is),
	  UNIT(taking_a_queue_out_does_not_launder_its_usage),
	  UNIT(another_half_life_counts_from_when_it_came),
	  UNIT(reconcile_finds_what_events_missed), UNIT(a_job_that_vanished_ended_when_last_seen),
	  UNIT(a_later_start_is_another_run), UNIT(a_run_between_two_looks_counts_once),
	  UNIT(reconcile_takes_rates_and_bounds_times), UNIT(an_ended_run_counts_once),
	  UNIT(history_alone_gives_the_same_usage), UNIT(text_gives_the_same_ledger),
	  UNIT(downtime_decays_and_jobs_run_through_it),
	  UNIT(text_keeps_queues_that_are_not_configured),
	  UNIT_ROWS(bad_records_are_refused_and_change_nothing, bad_records), UNIT(damage_is_seen),
	  UNIT(memory_out))

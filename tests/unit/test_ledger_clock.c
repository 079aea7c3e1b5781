// SPDX-License-Identifier: GPL-2.0-or-later
/* The ledger when the machine's clock is set, ahead or back. */
#include "ledger_fixture.h"

/* Tells of what runs, or has ended (end above 0), by a clock that is ahead by so much. */
static void tell(const struct fixture *f, struct gw_run run, int64_t seconds, int64_t ahead)
{
	run.queue = NLP;
	run.flavor = H100;
	run.start += START;
	run.end += run.end ? START : 0;
	ck_assert_int_eq(gw_ledger_reconcile(f->ledger, &run, 1, START + seconds + ahead, NULL), 0);
}

static const int64_t clock_off[] = {YEAR, -YEAR, 100 * WEEK, -2000};

/* As long as the clock is ahead, too, usage is what it would have been; and so it is afterwards. A
 * clock that is behind the start of a job makes none of its usage. */
START_TEST(the_clock_is_set)
{
	struct fixture f = set_up_week();
	int64_t by = clock_off[_i];

	tell(&f, (struct gw_run){.id = 1, .rate = 8}, 1000, 0);
	near(usage(&f, NLP, 1000), 8 * ran(WEEK, 0, 1000, 1000));
	gw_ledger_shift(f.ledger, by);
	ck_assert_int_eq(gw_ledger_now(f.ledger), START + 1000 + by);
	tell(&f, (struct gw_run){.id = 1, .rate = 8}, 3000, by);
	if (by > 0)
		near(usage(&f, NLP, 3000 + by), 8 * ran(WEEK, 0, 3000, 3000));
	gw_ledger_shift(f.ledger, -by);
	tell(&f, (struct gw_run){.id = 1, .rate = 8}, 4000, 0);
	if (by > 0)
		near(usage(&f, NLP, 4000), 8 * ran(WEEK, 0, 4000, 4000));
	ck_assert_double_le(usage(&f, NLP, 4000), 8 * 4000);
	ck_assert_double_ge(usage(&f, NLP, 4000), 8 * 990);
	tell(&f, (struct gw_run){.id = 1, .rate = 8, .end = 5000}, 6000, 0);
	if (by > 0)
		near(usage(&f, NLP, 6000), 8 * ran(WEEK, 0, 5000, 6000));
	ck_assert_uint_eq(gw_ledger_running(f.ledger), 0);
	tear_down(&f);
}
END_TEST

/* What began or ended just before the clock was set ahead, and is told by the clock that was. */
START_TEST(told_after_the_clock_was_set)
{
	struct fixture f = set_up_week();
	const struct gw_run runs[] = {
		{.id = 1,
		 .queue = NLP,
		 .flavor = H100,
		 .rate = 8,
		 .start = START,
		 .end = START + 995},
		{.id = 2, .queue = NLP, .flavor = H100, .rate = 8, .start = START + 996},
	};

	tell(&f, (struct gw_run){.id = 1, .rate = 8}, 990, 0);
	gw_ledger_shift(f.ledger, YEAR);
	ck_assert_int_eq(gw_ledger_reconcile(f.ledger, runs, 2, START + 1000 + YEAR, NULL), 0);
	ck_assert_double_eq_tol(usage(&f, NLP, 1000 + YEAR), 8 * ran(WEEK, 0, 1000, 1000), 8 * 20);
	tear_down(&f);
}
END_TEST

/* A text of a time that was too late: without the shift usage would stand still until then. */
START_TEST(a_text_of_the_future)
{
	struct fixture f = set_up_week(), g = set_up_week();
	char *text;

	tell(&f, (struct gw_run){.id = 1, .rate = 8}, 1000, 0);
	gw_ledger_shift(f.ledger, YEAR);
	text = gw_ledger_text(f.ledger, START + 1000 + YEAR, NULL);
	ck_assert_int_eq(gw_ledger_load(g.ledger, text, NULL), 0);
	free(text);
	gw_ledger_shift(g.ledger, START + 2000 - gw_ledger_now(g.ledger));
	tell(&g, (struct gw_run){.id = 1, .rate = 8}, 3000, 0);
	near(usage(&g, NLP, 3000), 8 * ran(WEEK, 1000, 3000, 3000));
	tear_down(&f);
	tear_down(&g);
}
END_TEST

UNIT_MAIN("ledger_clock", UNIT_ROWS(the_clock_is_set, clock_off);
	  UNIT(told_after_the_clock_was_set); UNIT(a_text_of_the_future))

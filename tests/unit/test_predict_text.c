// SPDX-License-Identifier: GPL-2.0-or-later
/* A history of run times as text: the same to the last bit, or refused. */
#include "predict_runs.h"
#include "src/util/checksum.h"
#include "unit.h"

/* Writes, reads into another, writes again. */
static char *there_and_back(void)
{
	struct gw_error error = {0};
	char *first = gw_predict_text(predict, NULL), *second;
	struct gw_predict *other = gw_predict_create(77, NULL);

	ck_assert_msg(!gw_predict_load(other, first, &error), "%s", error.text);
	ck_assert(gw_predict_due(other, 0));
	second = gw_predict_text(other, NULL);
	ck_assert_str_eq(first, second);
	free(second);
	gw_predict_free(predict);
	predict = other;
	return first;
}

START_TEST(text_comes_back)
{
	float before[GW_GRID_POINTS], after[GW_GRID_POINTS];
	char *text;

	for (int n = 0; n < 3; n++) {
		static const int runs[] = {0, 50, GW_PREDICT_RUNS + 10};

		for (int i = 0; i < runs[n]; i++) {
			struct gw_predict_kind kind = {i % 7, 1, 1, i % 2 ? DAY : 0};

			gw_predict_add(predict, &kind, 1 + i * 7919 % 99991, 100000 + i, NULL);
		}
		build();
		gw_predict_survival(predict, &one_gpu, 100, before);
		text = there_and_back();
		build();
		gw_predict_survival(predict, &one_gpu, 100, after);
		ck_assert_mem_eq(before, after, sizeof(before));
		free(text);
	}
}
END_TEST

START_TEST(text_is_for_people_too)
{
	struct gw_predict_kind kind = {gw_predict_queue("nlp"), 1000, 8, DAY};
	char *text;

	gw_predict_add(predict, &kind, HOUR, 1700000000, NULL);
	text = gw_predict_text(predict, NULL);
	ck_assert_msg(!strncmp(text,
			       "GangwayRunTimes=1 Since=0\n"
			       "Run=3600 End=1700000000 Queue=531582517 User=1000 Gpus=8 "
			       "Limit=86400\nChecksum=",
			       100),
		      "%s", text);
	free(text);
}
END_TEST

static const struct {
	const char *text, *error;
} bad_texts[] = {
	{"", "this is not a history of run times: it must begin with GangwayRunTimes="},
	{"GangwayRunTimes=2 Since=0\n",
	 "the history of run times is of version 2, newer than 1, the one known here"},
	{"GangwayRunTimes=x\n", "the history of run times has no version known here"},
	{"GangwayRunTimes=1 Since=0\n",
	 "the history of run times is cut short: it has no checksum"},
	{"GangwayRunTimes=1 Since=0\nChecksum=0123456789abcdef\n",
	 "the history of run times is damaged: its checksum is wrong"},
	{"GangwayRunTimes=1 Since=-1\n*", "line 1: Since=-1: must be a whole number within bounds"},
	{"GangwayRunTimes=1 Since=0\nRun=5\n*", "line 2: End is missing"},
	{"GangwayRunTimes=1 Since=0\nWalk=5\n*", "line 2: Walk is not a record of run times"},
	{"GangwayRunTimes=1 Since=0\nRun=5 End=1 Queue=4294967296 User=1 Gpus=1 Limit=0\n*",
	 "line 2: Queue=4294967296: must be a whole number within bounds"},
};

START_TEST(bad_text_is_refused)
{
	struct gw_error error = {0};
	struct gw_str text = {0};
	size_t length = strlen(bad_texts[_i].text);

	add_runs(&one_gpu, HOUR, 3);
	/* A star stands for a checksum that is right. */
	if (length && bad_texts[_i].text[length - 1] == '*') {
		gw_str_append_n(&text, bad_texts[_i].text, length - 1);
		gw_checksum_append(&text);
	} else {
		gw_str_append(&text, bad_texts[_i].text);
	}
	ck_assert_int_eq(gw_predict_load(predict, gw_str_text(&text), &error), -1);
	ck_assert_str_eq(error.text, bad_texts[_i].error);
	ck_assert_uint_eq(gw_predict_runs(predict), 3);
	gw_str_free(&text);
}
END_TEST

/* Every single byte of a text counts. */
START_TEST(spoiled_text_is_refused)
{
	struct gw_predict *other = gw_predict_create(0, NULL);
	char *text;

	add_runs(&one_gpu, HOUR, 3);
	text = gw_predict_text(predict, NULL);
	for (size_t i = 0; text[i]; i++) {
		text[i] ^= 1;
		ck_assert_int_eq(gw_predict_load(other, text, NULL), -1);
		text[i] ^= 1;
	}
	ck_assert_int_eq(gw_predict_load(other, text, NULL), 0);
	gw_predict_free(other);
	free(text);
}
END_TEST

/* Adds, builds, writes and reads; returns whether all of it had memory. */
static bool use_memory(struct gw_error *error)
{
	struct gw_predict *own = gw_predict_create(0, error);
	char *text = NULL;
	bool done = own != NULL;

	for (int i = 0; done && i < 80; i++)
		done = !gw_predict_add(own, &one_gpu, HOUR + i, DAY, error);
	done = done && !gw_predict_build(own, NULL, 0, DAY, error);
	if (done)
		text = gw_predict_text(own, error);
	done = done && text && !gw_predict_load(own, text, error);
	free(text);
	gw_predict_free(own);
	return done;
}

START_TEST(memory_may_run_out)
{
	bool done = false;

	for (unsigned int n = 1; !done; n++) {
		struct gw_error error = {0};
		bool failed;

		alloc_fail_at(n);
		done = use_memory(&error);
		failed = alloc_failed();
		ck_assert(done != failed);
		ck_assert(done != gw_error_is_set(&error));
	}
}
END_TEST

UNIT_MAIN("predict_text", tcase_add_checked_fixture(tests, setup, teardown), UNIT(text_comes_back),
	  UNIT(text_is_for_people_too), UNIT_ROWS(bad_text_is_refused, bad_texts),
	  UNIT(spoiled_text_is_refused), UNIT(memory_may_run_out))

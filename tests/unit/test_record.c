// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/util/record.h"
#include "unit.h"

/* Everything read, as "line:key=value " for each pair and ";" after each record. */
static char *read_all(const char *text)
{
	struct gw_record_reader reader;
	struct gw_record record;
	struct gw_error error = {0};
	struct gw_str all = {0};
	int more;

	gw_record_reader_init(&reader, text);
	while ((more = gw_record_next(&reader, &record, &error)) > 0) {
		for (size_t i = 0; i < record.count; i++)
			gw_str_appendf(&all, "%d:%s=%s ", record.pair[i].line, record.pair[i].key,
				       record.pair[i].value);
		gw_str_append(&all, ";");
		gw_record_free(&record);
	}
	if (more < 0)
		gw_str_appendf(&all, "error %d: %s", reader.error_line, error.text);
	return gw_str_take(&all);
}

static const struct {
	const char *text, *read;
} texts[] = {
	{"", ""},
	{"\n  \n# only a comment\n", ""},
	{"Key=Value", "1:Key=Value ;"},
	{"A=1 B=2\nC=3\n", "1:A=1 1:B=2 ;2:C=3 ;"},
	{"\tA=1\t# said\nB=2 #=3", "1:A=1 ;2:B=2 ;"},
	{"A=1#2\n", "1:A=1 ;"},
	{"A=1\\#2\n", "1:A=1#2 ;"},
	{"Q=gres/gpu:h100=8,cpu=1\n", "1:Q=gres/gpu:h100=8,cpu=1 ;"},
	/* The last character that is no blank decides whether a line goes on. */
	{"A=1 \\\n B=2\nC=3", "1:A=1 2:B=2 ;3:C=3 ;"},
	{"A=1 \\ \n B=2\n", "1:A=1 2:B=2 ;"},
	{"A=1\\\nB=2\n", "1:A=1 2:B=2 ;"},
	{"A=1 # no \\\nB=2\n", "1:A=1 ;2:B=2 ;"},
	{"A=1 \\", "1:A=1 ;"},
	{"A=c:\\x\n", "1:A=c:\\x ;"},
	/* Blanks around =, as Slurm allows. */
	{"A = 1\n", "1:A=1 ;"},
	{"A=\n", "1:A= ;"},
	{"A=1\r\nB=2\r\n", "1:A=1 ;2:B=2 ;"},
	{"\xef\xbb\xbf"
	 "A=1",
	 "1:A=1 ;"},
	/* Quotes. */
	{"R=\"two words # no comment\" B=2", "1:R=two words # no comment 1:B=2 ;"},
	{"R=\"a \\\"b\\\" \\\\ c\"", "1:R=a \"b\" \\ c ;"},
	{"R=\"\"", "1:R= ;"},
	{"Include shapes.conf\n", "1:Include=shapes.conf ;"},
	{"include=a.conf", "1:include=a.conf ;"},
	/* Mistakes. */
	{"A=1\nR=\"open\nB=2", "1:A=1 ;error 2: a quoted value does not end on its line"},
	{"R=\"a\"b", "error 1: text follows a closing quote"},
	{"\n\nword\n", "error 3: word: must be Key=Value"},
	{"A=1 word", "error 1: word: must be Key=Value"},
	{"A=1 Include x", "error 1: Include: must be Key=Value"},
	{"=1", "error 1: a key is missing before ="},
	{"A=1 \\\n word=", "1:A=1 2:word= ;"},
	{"A=1 \\\n word", "error 2: word: must be Key=Value"},
};

START_TEST(reading)
{
	char *read = read_all(texts[_i].text);

	ck_assert_str_eq(read, texts[_i].read);
	free(read);
}
END_TEST

START_TEST(reading_goes_on_after_an_error)
{
	struct gw_record_reader reader;
	struct gw_record record;

	gw_record_reader_init(&reader, "word\nA=1\n");
	ck_assert_int_eq(gw_record_next(&reader, &record, NULL), -1);
	ck_assert_uint_eq(record.count, 0);
	ck_assert_int_eq(gw_record_next(&reader, &record, NULL), 1);
	ck_assert_str_eq(gw_record_value(&record, "a"), "1");
	ck_assert_ptr_null(gw_record_value(&record, "b"));
	ck_assert_str_eq(gw_record_text(&record, "a"), "1");
	ck_assert_str_eq(gw_record_text(&record, "b"), "");
	gw_record_free(&record);
	ck_assert_int_eq(gw_record_next(&reader, &record, NULL), 0);
	gw_record_free(NULL);
}
END_TEST

static const char *const values[] = {"",    "plain",   "two words", "q\"uo\\te",
				     "a#b", "x=1,y=2", "\ttab"};

START_TEST(what_is_written_is_read)
{
	struct gw_str text = {0};
	struct gw_record_reader reader;
	struct gw_record record;

	gw_record_append(&text, "First", values[_i]);
	gw_record_append(&text, "Second", values[_i]);
	gw_str_append(&text, "\n");
	gw_record_append(&text, "Third", values[_i]);
	gw_record_reader_init(&reader, gw_str_text(&text));
	ck_assert_int_eq(gw_record_next(&reader, &record, NULL), 1);
	ck_assert_uint_eq(record.count, 2);
	ck_assert_str_eq(gw_record_value(&record, "First"), values[_i]);
	ck_assert_str_eq(gw_record_value(&record, "Second"), values[_i]);
	gw_record_free(&record);
	ck_assert_int_eq(gw_record_next(&reader, &record, NULL), 1);
	ck_assert_str_eq(gw_record_value(&record, "Third"), values[_i]);
	gw_record_free(&record);
	gw_str_free(&text);
}
END_TEST

START_TEST(a_newline_ends_no_record)
{
	struct gw_str text = {0};

	gw_record_append(&text, "E", "two\nlines");
	ck_assert_str_eq(gw_str_text(&text), "E=\"two lines\"");
	gw_str_free(&text);
}
END_TEST

START_TEST(no_memory)
{
	for (unsigned int n = 1;; n++) {
		struct gw_record_reader reader;
		struct gw_record record;
		struct gw_error error = {0};
		int result;

		gw_record_reader_init(&reader, "A=1 B=\"2 3\" C=4 D=5 E=6");
		alloc_fail_at(n);
		result = gw_record_next(&reader, &record, &error);
		gw_record_free(&record);
		if (!alloc_failed())
			break;
		ck_assert_int_eq(result, -1);
		ck_assert_str_eq(error.text, "out of memory");
	}
}
END_TEST

UNIT_MAIN("record", UNIT_ROWS(reading, texts); UNIT(reading_goes_on_after_an_error);
	  UNIT_ROWS(what_is_written_is_read, values); UNIT(a_newline_ends_no_record);
	  UNIT(no_memory))

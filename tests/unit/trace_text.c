// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_text.h"

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t hour_east(void *arg, int64_t civil)
{
	(void)arg;
	return civil - 3600;
}

static int read_lines(struct gw_trace_reader *reader, char *text, struct gw_error *error)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		char *next = text + length + (text[length] == '\n');

		text[length] = '\0';
		if (gw_trace_reader_line(reader, text, length, error))
			return -1;
		text = next;
	}
	return gw_trace_reader_end(reader, error);
}

int trace_text_read(struct trace_text *read, const char *text, bool strict, struct gw_error *error)
{
	const struct gw_trace_clock clock = {hour_east, NULL};
	struct gw_trace_reader *reader;
	char *copy = gw_strdup(text);
	int failed;

	*read = (struct trace_text){0};
	gw_trace_intake_begin(&read->intake, &read->trace, strict);
	reader = gw_trace_reader_new(&read->intake, &clock, error);
	failed = !copy || !reader
			 ? gw_error_memory(error)
			 : gw_trace_reader_begin(reader, "jobs", error) ||
				   read_lines(reader, copy, error) ||
				   gw_trace_intake_end(&read->intake, GW_TRACE_NONE, error);
	gw_trace_reader_free(reader);
	free(copy);
	return failed ? -1 : 0;
}

void trace_text_good(struct trace_text *read, const char *text)
{
	struct gw_error error = {0};
	int result = trace_text_read(read, text, false, &error);

	ck_assert_msg(result == 0, "%s", error.text);
}

void trace_text_free(struct trace_text *read)
{
	gw_trace_intake_free(&read->intake);
	gw_trace_free(&read->trace);
}

const char *trace_text_problems(const struct gw_trace *trace)
{
	static char text[512];

	*text = '\0';
	for (int i = 0; i < GW_TRACE_PROBLEM_COUNT; i++)
		if (trace->problems[i])
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s=%" PRIu64,
				 *text ? " " : "", gw_trace_problem_name((enum gw_trace_problem)i),
				 trace->problems[i]);
	return text;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../acct/job_trace.h"
#include "../sim/trace_csv.h"
#include "../sim/trace_write.h"
#include "wall_clock.h"

static int read_lines(struct gw_trace_reader *reader, FILE *file, const char *name,
		      struct gw_error *error)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	int failed = 0;

	while (!failed && (length = getline(&line, &room, file)) >= 0)
		failed = gw_trace_reader_line(reader, line, (size_t)length, error);
	if (!failed && ferror(file))
		failed = gw_error_set(error, "%s: %s", name, strerror(errno));
	free(line);
	return failed;
}

static int read_file(struct gw_trace_reader *reader, const char *path, struct gw_error *error)
{
	bool is_input = strcmp(path, "-") == 0;
	const char *name = is_input ? "standard input" : path;
	FILE *file = is_input ? stdin : fopen(path, "re");
	int failed;

	if (!file)
		return gw_error_set(error, "%s: %s", path, strerror(errno));
	failed = gw_trace_reader_begin(reader, name, error) ||
		 read_lines(reader, file, name, error) || gw_trace_reader_end(reader, error);
	if (!is_input)
		fclose(file);
	return failed ? -1 : 0;
}

int gw_trace_file_notes(const struct gw_trace_intake *intake, struct gw_strings *notes,
			struct gw_error *error)
{
	for (int i = 0; i < GW_TRACE_PROBLEM_COUNT; i++) {
		const struct gw_strings *from = &intake->notes[i];

		for (size_t k = 0; k < from->count; k++)
			if (gw_strings_add(notes, from->item[k], strlen(from->item[k])))
				return gw_error_memory(error);
	}
	return 0;
}

static int read_files(const struct gw_trace_input *input, struct gw_trace_intake *intake,
		      struct gw_wall_clock *wall, struct gw_error *error)
{
	struct gw_trace_clock clock = {gw_wall_clock_epoch, wall};
	struct gw_trace_reader *reader = gw_trace_reader_new(intake, &clock, error);
	int failed = reader ? 0 : -1;

	for (size_t i = 0; !failed && i < input->files.count; i++)
		failed = read_file(reader, input->files.item[i], error);
	gw_trace_reader_free(reader);
	return failed;
}

int gw_trace_file_read(const struct gw_trace_input *input, struct gw_trace *trace,
		       struct gw_strings *notes, struct gw_error *error)
{
	struct gw_wall_clock wall;
	struct gw_trace_intake intake;
	int failed;

	if (gw_wall_clock_init(&wall, input->zone, error))
		return -1;
	gw_trace_intake_begin(&intake, trace, input->strict);
	failed = read_files(input, &intake, &wall, error) ||
		 gw_trace_intake_end(&intake, GW_TRACE_NONE, error) ||
		 gw_trace_file_notes(&intake, notes, error);
	gw_trace_intake_free(&intake);
	return failed ? -1 : 0;
}

int gw_trace_file_ask(const char *cluster, int64_t since, int64_t until, bool strict,
		      struct gw_trace *trace, struct gw_strings *notes, struct gw_error *error)
{
	struct gw_trace_intake intake;
	int failed;

	gw_trace_intake_begin(&intake, trace, strict);
	failed = gw_job_trace_load(cluster, since, until, &intake, error) ||
		 gw_trace_intake_end(&intake, until, error) ||
		 gw_trace_file_notes(&intake, notes, error);
	gw_trace_intake_free(&intake);
	return failed ? -1 : 0;
}

static int write_text(void *arg, const char *text, size_t length, struct gw_error *error)
{
	if (fwrite(text, 1, length, arg) == length)
		return 0;
	return gw_error_set(error, "%s", strerror(errno));
}

int gw_trace_file_write(const struct gw_trace *trace, const char *path, struct gw_error *error)
{
	bool is_output = strcmp(path, "-") == 0;
	FILE *file = is_output ? stdout : fopen(path, "we");
	struct gw_trace_sink sink = {write_text, file};
	int failed;

	if (!file)
		return gw_error_set(error, "%s: %s", path, strerror(errno));
	failed = gw_trace_write(trace, &sink, error);
	if ((is_output ? fflush(file) : fclose(file)) && !failed)
		failed = gw_error_set(error, "%s", strerror(errno));
	return failed ? gw_error_prefix(error, "%s: ", is_output ? "standard output" : path) : 0;
}

void gw_trace_file_problems(const struct gw_trace *trace, struct gw_str *text)
{
	for (int i = 0; i < GW_TRACE_PROBLEM_COUNT; i++)
		if (trace->problems[i])
			gw_str_appendf(text, "%" PRIu64 " %s: %s\n", trace->problems[i],
				       gw_trace_problem_name((enum gw_trace_problem)i),
				       gw_trace_problem_text((enum gw_trace_problem)i));
}

int gw_trace_file_random(uint64_t random[2], struct gw_error *error)
{
	if (getrandom(random, 2 * sizeof(*random), 0) == 2 * sizeof(*random))
		return 0;
	return gw_error_set(error, "no random numbers: %s", strerror(errno));
}

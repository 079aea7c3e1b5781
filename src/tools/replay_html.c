// SPDX-License-Identifier: GPL-2.0-or-later
/* The page of gangway replay: one file that loads nothing. It is also well-formed XML. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../util/file.h"
#include "replay_page.h"
#include "trace_file.h"

#define DAY 86400.0

/* As a shell would read it back. */
static void append_argument(struct gw_str *page, const char *argument)
{
	bool plain = *argument && !argument[strcspn(argument, " \t\n'\"\\$`*?[](){}<>|&;#~!")];

	gw_str_append(page, plain ? " " : " '");
	for (const char *c = argument; !plain && *c; c++) {
		char one[2] = {*c, '\0'};

		if (*c == '\'')
			gw_html_escape(page, "'\\''");
		else if ((unsigned char)*c < 0x80)
			gw_html_escape(page, one);
		else
			gw_str_append_n(page, c, 1);
	}
	if (plain)
		gw_html_escape(page, argument);
	else
		gw_str_append(page, "'");
}

static void append_fact(struct gw_str *page, const char *name, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static void append_fact(struct gw_str *page, const char *name, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	gw_str_appendf(page, "<dt>%s</dt><dd>", name);
	gw_html_escape(page, text);
	gw_str_append(page, "</dd>\n");
}

static void append_facts(struct gw_str *page, const struct gw_replay *replay)
{
	const struct gw_trace *trace = &replay->trace;
	int64_t span = trace->job[trace->count - 1].submit - trace->job[0].submit;

	gw_str_append(page, "<dl class=\"facts\">\n");
	append_fact(page, "jobs", "%.400s: %zu, submitted over %.1f days", replay->trace_name,
		    trace->count, (double)span / DAY);
	append_fact(page, "cluster", "%.400s: %zu nodes, %llu GPUs", replay->model_name,
		    replay->model.node_count, (unsigned long long)gw_replay_gpus(&replay->model));
	if (replay->options.jitter)
		append_fact(page, "seeds", "%u to %u, submits moved by up to %lld s",
			    replay->seed_first, replay->seed_first + replay->seed_count - 1,
			    (long long)replay->options.jitter);
	append_fact(page, "window",
		    "the first %g %% is left out of the metrics; it runs until the last job ends",
		    100 * replay->options.warmup);
	gw_str_append(page, "<dt>command</dt><dd><code>gangway replay");
	for (int i = 0; i < replay->request->argc; i++)
		append_argument(page, replay->request->argv[i]);
	gw_str_append(page, "</code></dd>\n</dl>\n");
}

static void append_head(struct gw_str *page, const struct gw_replay *replay)
{
	gw_str_append(page, "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" "
			    "lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
			    "<meta name=\"viewport\" content=\"width=device-width, "
			    "initial-scale=1\"/>\n<title>Gangway replay: ");
	gw_html_escape(page, replay->trace_name);
	gw_str_append(page, "</title>\n");
	gw_page_style(page);
	gw_str_append(page, "</head>\n<body>\n<header>\n<h1>Gangway replay</h1>\n"
			    "<p class=\"soft\">The same jobs under other policies, in virtual "
			    "time.</p>\n");
	append_facts(page, replay);
	gw_str_append(page, "</header>\n<main>\n");
}

static void append_foot(struct gw_str *page, const struct gw_replay *replay)
{
	struct gw_str problems = {0};

	gw_trace_file_problems(&replay->trace, &problems);
	gw_str_append(page, "</main>\n<footer>\n");
	if (problems.length) {
		gw_str_append(page, "<h2>Records that a rule changed or left out</h2>\n<p>");
		for (const char *line = problems.data; *line;) {
			size_t length = strcspn(line, "\n");
			char *one = gw_strndup(line, length);

			gw_html_escape(page, one ? one : "");
			gw_str_append(page, "<br/>\n");
			free(one);
			line += length + (line[length] == '\n');
		}
		gw_str_append(page, "</p>\n");
	}
	gw_str_append(page, "<p>What a replay can not model is listed in gangway(1).</p>\n"
			    "</footer>\n</body>\n</html>\n");
	gw_str_free(&problems);
}

static int make_page(const struct gw_replay *replay, struct gw_str *page)
{
	append_head(page, replay);
	gw_page_summary(page, replay);
	gw_page_metrics(page, replay);
	gw_page_gaps(page, replay);
	if (gw_page_waits(page, replay) || gw_page_shares(page, replay) ||
	    gw_page_series(page, replay))
		return -1;
	append_foot(page, replay);
	return page->failed ? -1 : 0;
}

int gw_replay_write_html(const struct gw_replay *replay)
{
	const char *path = replay->request->html;
	struct gw_error error = {0};
	struct gw_str page = {0};
	int code = GW_EXIT_OK;

	if (make_page(replay, &page))
		code = gw_complain(replay->command, "out of memory");
	else if (gw_file_replace(path, 0644, page.data, page.length, &error))
		code = gw_complain(replay->command, "--html: %s", error.text);
	gw_str_free(&page);
	return code;
}

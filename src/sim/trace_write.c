// SPDX-License-Identifier: GPL-2.0-or-later
#include "trace_write.h"

#include <inttypes.h>
#include <string.h>

#include "../util/parse.h"
#include "../util/str.h"

/* Text is handed over in pieces of about this size. */
#define PIECE ((size_t)64 << 10)

static const char *const state_names[] = {
	[GW_TRACE_COMPLETED] = "COMPLETED", [GW_TRACE_FAILED] = "FAILED",
	[GW_TRACE_CANCELLED] = "CANCELLED", [GW_TRACE_TIMEOUT] = "TIMEOUT",
	[GW_TRACE_NODE_FAIL] = "NODE_FAIL", [GW_TRACE_PREEMPTED] = "PREEMPTED",
	[GW_TRACE_REQUEUED] = "REQUEUED",   [GW_TRACE_RUNNING] = "RUNNING",
	[GW_TRACE_PENDING] = "PENDING",
};

/* Commas, quotes, blanks at the ends and a leading # would be read otherwise. */
static bool needs_quotes(const char *text)
{
	size_t length = strlen(text);

	return strpbrk(text, ",;|\"\t\r\n") || *text == '#' ||
	       (length && (gw_is_space(*text) || gw_is_space(text[length - 1])));
}

/* A name; the end of a line in it becomes a blank, for a field never spans lines. */
static void put_name(struct gw_str *line, const char *text)
{
	if (!needs_quotes(text)) {
		gw_str_append(line, text);
		return;
	}
	gw_str_append(line, "\"");
	for (; *text; text++) {
		if (*text == '\n' || *text == '\r')
			gw_str_append(line, " ");
		else
			gw_str_append_n(line, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
	}
	gw_str_append(line, "\"");
}

static void put_time(struct gw_str *line, int64_t time)
{
	if (time != GW_TRACE_NONE)
		gw_str_appendf(line, "%" PRId64, time);
	gw_str_append(line, ",");
}

static void put_limit(struct gw_str *line, int64_t limit)
{
	if (limit == GW_TIME_INFINITE)
		gw_str_append(line, "UNLIMITED,");
	else
		put_time(line, limit);
}

/* A number, or nothing for 0. */
static void put_number(struct gw_str *line, uint64_t number)
{
	if (number)
		gw_str_appendf(line, "%" PRIu64, number);
	gw_str_append(line, ",");
}

static const char header[] =
	"id,submit,eligible,start,end,duration,limit,gpus,nodes,cpus,memory,user,account,qos,"
	"partition,name,gpu_type,node_list,state,array\n";

static void put_job(struct gw_str *text, const struct gw_trace *trace,
		    const struct gw_trace_job *job)
{
	const uint32_t names[] = {job->user, job->account,  job->qos,      job->partition,
				  job->name, job->gpu_type, job->node_list};

	gw_str_appendf(text, "%" PRIu64 ",", job->id);
	put_time(text, job->submit);
	put_time(text, job->eligible);
	put_time(text, job->start);
	put_time(text, job->end);
	put_time(text, job->duration);
	put_limit(text, job->limit);
	gw_str_appendf(text, "%" PRIu32 ",", job->gpus);
	put_number(text, job->nodes);
	put_number(text, job->cpus);
	put_number(text, job->memory);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		put_name(text, trace->names[names[i]]);
		gw_str_append(text, ",");
	}
	gw_str_append(text, state_names[job->state]);
	gw_str_append(text, ",");
	if (job->array)
		gw_str_appendf(text, "%" PRIu64, job->array);
	gw_str_append(text, "\n");
}

static int hand_over(struct gw_str *text, const struct gw_trace_sink *sink, struct gw_error *error)
{
	int failed = text->failed ? gw_error_memory(error)
				  : sink->write(sink->arg, gw_str_text(text), text->length, error);

	text->length = 0;
	return failed;
}

int gw_trace_write(const struct gw_trace *trace, const struct gw_trace_sink *sink,
		   struct gw_error *error)
{
	struct gw_str text = {0};
	int failed = 0;

	gw_str_append(&text, header);
	for (size_t i = 0; !failed && i < trace->count; i++) {
		put_job(&text, trace, &trace->job[i]);
		if (text.length >= PIECE)
			failed = hand_over(&text, sink, error);
	}
	if (!failed && (text.length || text.failed))
		failed = hand_over(&text, sink, error);
	gw_str_free(&text);
	return failed ? -1 : 0;
}

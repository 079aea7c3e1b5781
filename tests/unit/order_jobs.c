// SPDX-License-Identifier: GPL-2.0-or-later
#include "order_jobs.h"

#include <math.h>
#include <stdio.h>

#include "conf_text.h"
#include "unit.h"

struct fixture *set_up(const char *conf_text)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct gw_error error = {0};

	ck_assert_msg(!conf_load_text(conf_text, &f->conf, &error), "%s", error.text);
	f->quota = gw_quota_new(f->conf, NULL);
	f->work = gw_order_workspace_new(NULL);
	f->in = (struct gw_order_input){.conf = f->conf,
					.jobs = f->job,
					.usage = f->usage,
					.held = f->held,
					.quota = f->quota,
					.now = NOW};
	ck_assert_uint_le(gw_lines(f->conf), LINES_MAX);
	return f;
}

struct fixture *set_up_with(const char *globals)
{
	char text[1024];

	ck_assert_int_lt(snprintf(text, sizeof(text), "%s%s", globals, PLAIN), (int)sizeof(text));
	return set_up(text);
}

size_t line_of(const struct fixture *f, int32_t queue, int32_t flavor)
{
	size_t line = gw_line(f->conf, queue, flavor);

	ck_assert(line < LINES_MAX);
	return line < LINES_MAX ? line : 0;
}

void tear_down(struct fixture *f)
{
	gw_order_workspace_free(f->work);
	gw_quota_free(f->quota);
	gw_conf_free(f->conf);
	free(f);
}

struct gw_job *add(struct fixture *f, int queue)
{
	struct gw_job *job = &f->job[f->in.job_count++];

	*job = (struct gw_job){.id = (uint32_t)f->in.job_count,
			       .tasks = 1,
			       .queue = queue,
			       .flavor = H100,
			       .job_class = STANDARD,
			       .gpus = 1,
			       .nodes = 1,
			       .rate = 1,
			       .limit = HOUR,
			       .submit = NOW - HOUR,
			       .eligible = NOW - HOUR};
	return job;
}

void resize(struct gw_job *job, uint32_t gpus)
{
	job->gpus = gpus;
	job->rate = gpus;
}

void take_whole_node(struct gw_job *job)
{
	resize(job, 8);
	job->whole_nodes = true;
}

void set_gap(struct fixture *f, const struct gw_order_gap *gap)
{
	f->in.gaps = gap;
	f->in.gap_count = 1;
}

double usage_of(double gpus)
{
	return gpus * WEEK / log(2);
}

void rank(struct fixture *f)
{
	struct gw_error error = {0};

	ck_assert_msg(!gw_order_ranks(f->work, &f->in, &f->rank, &f->count, &error), "%s",
		      error.text);
}

const char *order(struct fixture *f)
{
	size_t length = 0;
	int state = 0;

	rank(f);
	f->text[0] = '\0';
	for (size_t i = 0; i < f->count; i++) {
		int group = (int)f->rank[i].state - (int)GW_ORDER_BORROWING;

		if (group > state) {
			length += (size_t)snprintf(f->text + length, sizeof(f->text) - length,
						   group == 1 ? "| " : "! ");
			state = group;
		}
		length += (size_t)snprintf(f->text + length, sizeof(f->text) - length, "%u ",
					   f->job[f->rank[i].job].id);
		ck_assert_uint_lt(length, sizeof(f->text));
	}
	if (length)
		f->text[length - 1] = '\0';
	return f->text;
}

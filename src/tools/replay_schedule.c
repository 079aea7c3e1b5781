// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway replay --schedule: what the first row did with each job, to hold beside real ones. */
#include <inttypes.h>

#include "../util/file.h"
#include "replay.h"

static void append_run(struct gw_str *text, const struct gw_trace *trace,
		       const struct gw_sim_run *run)
{
	const struct gw_trace_job *job = &trace->job[run->job];

	gw_str_appendf(text, "%" PRIu64 "|%" PRId64 "|%" PRId64 "|%" PRId64 "|%s|%s|%" PRIu32 "\n",
		       job->id, run->eligible, run->start, run->end, trace->names[job->account],
		       trace->names[job->qos], job->gpus);
}

int gw_replay_write_schedule(const struct gw_replay *replay)
{
	const struct gw_sim_result *result = replay->row[0].result;
	const char *path = replay->request->schedule;
	struct gw_error error = {0};
	struct gw_str text = {0};
	int code = GW_EXIT_OK;

	gw_str_append(&text, "JobID|Eligible|Start|End|Account|QOS|Gpus\n");
	for (size_t i = 0; i < result->run_count; i++)
		append_run(&text, &replay->trace, &result->run[i]);
	if (text.failed)
		code = gw_complain(replay->command, "out of memory");
	else if (gw_file_replace(path, 0644, text.data, text.length, &error))
		code = gw_complain(replay->command, "--schedule: %s", error.text);
	gw_str_free(&text);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway replay --anonymise: the trace for others, without names. */
#include "replay.h"

#include "../sim/trace_write.h"
#include "slurm_conf.h"
#include "trace_file.h"

static bool keeps_known(const char *keep)
{
	struct gw_strings words = {0};
	bool known = !gw_strings_split(&words, keep);

	for (size_t i = 0; known && i < words.count; i++)
		known = gw_list_has("qos,partition,times", words.item[i]);
	gw_strings_free(&words);
	return known;
}

int gw_replay_anonymise(struct gw_replay *replay)
{
	const struct gw_replay_request *request = replay->request;
	const char *keep = request->anonymise_keep ? request->anonymise_keep : "";
	struct gw_trace_anonymise options = {.key = request->anonymise_key,
					     .keep_qos = gw_list_has(keep, "qos"),
					     .keep_partition = gw_list_has(keep, "partition"),
					     .keep_times = gw_list_has(keep, "times")};
	struct gw_error error = {0};

	if (*keep && !keeps_known(keep)) {
		gw_complain(replay->command,
			    "--keep %s: must be of qos, partition, times, "
			    "commas between",
			    keep);
		return GW_EXIT_USAGE;
	}
	if ((!options.key && gw_trace_file_random(options.random, &error)) ||
	    gw_trace_anonymise(&replay->trace, &options, &error) ||
	    gw_trace_file_write(&replay->trace, request->anonymise, &error))
		return gw_complain(replay->command, "%s", error.text);
	return GW_EXIT_OK;
}

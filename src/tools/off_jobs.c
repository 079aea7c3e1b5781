// SPDX-License-Identifier: GPL-2.0-or-later
#include "off.h"

#include <errno.h>
#include <inttypes.h>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util/file.h"
#include "../util/parse.h"
#include "slurmctld.h"

struct touched {
	uint32_t job;
	uint32_t before; /* as Slurm keeps it: NICE_OFFSET is none */
};

struct touched_list {
	struct touched *item;
	size_t count;
};

/* The file has the factor as scontrol prints it, a signed number. */
static bool parse_touched(const struct gw_record *record, struct touched *touched)
{
	double job, before;

	if (gw_parse_double(gw_record_text(record, "Job"), &job, NULL) ||
	    gw_parse_double(gw_record_text(record, "Before"), &before, NULL))
		return false;
	if (job < 1 || job >= (double)NO_VAL || before < -(double)(NICE_OFFSET - 3) ||
	    before > (double)(NICE_OFFSET - 3))
		return false;
	touched->job = (uint32_t)job;
	touched->before = (uint32_t)((int64_t)NICE_OFFSET + (int64_t)before);
	return true;
}

static int parse_list(const char *path, const char *text, struct touched_list *list,
		      struct gw_error *error)
{
	struct gw_record_reader reader;
	struct gw_record record;
	int more;

	gw_record_reader_init(&reader, text);
	while ((more = gw_record_next(&reader, &record, error)) > 0) {
		struct touched *items = gw_array_room(list->item, list->count, sizeof(*items));
		int line = record.pair[0].line;
		bool good = false;

		if (items) {
			list->item = items;
			good = parse_touched(&record, &items[list->count++]);
		} else {
			gw_error_memory(error);
		}
		gw_record_free(&record);
		if (!good)
			return gw_error_set(error, "%s:%d: must be Job=ID Before=NUMBER", path,
					    line);
	}
	return more ? gw_error_prefix(error, "%s:%d: ", path, reader.error_line) : 0;
}

static bool is_gone(int error)
{
	return error == ESLURM_INVALID_JOB_ID || error == ESLURM_ALREADY_DONE ||
	       error == ESLURM_JOB_FINISHED;
}

/*
 * By number, not by text: of an array that is its head record alone, which is what the
 * engine wrote to. slurmctld lets operators and administrators do this, nobody else.
 */
static int restore_one(const struct gw_command *command, const struct touched *touched)
{
	job_desc_msg_t update;

	slurm_init_job_desc_msg(&update);
	update.job_id = touched->job;
	update.site_factor = touched->before;
	if (!slurm_update_job(&update) || is_gone(errno))
		return GW_EXIT_OK;
	return gw_complain(command, "job %" PRIu32 " keeps its site factor: %s", touched->job,
			   slurm_strerror(errno));
}

static int restore_list(const struct gw_command *command, const struct gw_places *places,
			const struct gw_slurm_conf *slurm, const struct touched_list *list)
{
	size_t failed = 0;

	if (!gw_slurmctld_answers(places->slurm_conf, slurm))
		return gw_complain(
			command,
			"slurmctld does not answer; jobs that keep Gangway's site factor: "
			"%zu (run this again when it does)",
			list->count);
	for (size_t i = 0; i < list->count; i++)
		failed += restore_one(command, &list->item[i]) != GW_EXIT_OK;
	printf("jobs whose site factor is put back: %zu; priorities follow within "
	       "PriorityCalcPeriod\n",
	       list->count - failed);
	if (failed)
		return GW_EXIT_ERROR;
	if (unlink(places->site_factors) && errno != ENOENT)
		return gw_complain(command, "%s: %s", places->site_factors, strerror(errno));
	return GW_EXIT_OK;
}

int gw_site_factors_restore(const struct gw_command *command, const struct gw_places *places,
			    const struct gw_slurm_conf *slurm, bool dry_run)
{
	struct touched_list list = {0};
	struct gw_error error = {0};
	char *text = NULL;
	int code;

	if (gw_file_read(places->site_factors, &text, &error)) {
		if (errno != ENOENT)
			return gw_complain(command, "%s", error.text);
		printf("jobs whose site factor is put back: none has one of Gangway's\n");
		return GW_EXIT_OK;
	}
	if (parse_list(places->site_factors, text, &list, &error))
		code = gw_complain(command, "%s", error.text);
	else if (dry_run) {
		printf("jobs whose site factor would be put back: %zu\n", list.count);
		code = GW_EXIT_OK;
	} else
		code = restore_list(command, places, slurm, &list);
	free(list.item);
	free(text);
	return code;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* PartitionName lines of slurm.conf. */
#include "model_impl.h"

#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"

#define TIER_MAX 65535

static int read_time(const struct gw_model_reading *reading, size_t at, const char *key,
		     unsigned int allow, int64_t *seconds)
{
	const char *value = gw_slurm_line_value(&reading->slurm, at, key);
	struct gw_error error = {0};

	/* Slurm's third spelling of no limit. */
	if (value && allow & GW_TIME_MAY_BE_INFINITE && !strcmp(value, "-1")) {
		*seconds = GW_TIME_INFINITE;
		return 0;
	}
	if (!value || !gw_parse_time(value, allow, seconds, &error))
		return 0;
	return gw_model_fail(reading, gw_model_at_line(&reading->slurm, at), "%s=%.64s: %s", key,
			     value, error.text);
}

static int read_yes(const struct gw_model_reading *reading, size_t at, const char *key, bool *yes)
{
	const char *value = gw_slurm_line_value(&reading->slurm, at, key);

	if (!value || !gw_parse_bool(value, yes, NULL))
		return 0;
	return gw_model_fail(reading, gw_model_at_line(&reading->slurm, at),
			     "%s=%.64s: must be YES or NO", key, value);
}

/* What keeps jobs out of a partition, or changes what they get there, and is not in the model. */
static void note_left_out(const struct gw_model_reading *reading, size_t at)
{
	static const char *const keys[] = {
		"AllowAccounts", "AllowGroups",   "AllowQos",    "DenyAccounts", "DenyQos",
		"ExclusiveUser", "GraceTime",     "MaxNodes",    "MinNodes",     "MaxCPUsPerNode",
		"MaxMemPerCPU",  "MaxMemPerNode", "PreemptMode", "QOS",          "ReqResv",
		"OverSubscribe", "OverTimeLimit", "State",
	};
	struct gw_str found = {0};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (gw_slurm_line_value(&reading->slurm, at, keys[i]))
			gw_str_appendf(&found, "%s%s", found.length ? ", " : "", keys[i]);
	if (found.length)
		gw_model_note(reading, gw_model_at_line(&reading->slurm, at),
			      "PartitionName=%.64s: not simulated: %s",
			      reading->slurm.line[at].record.pair[0].value, gw_str_text(&found));
	gw_str_free(&found);
}

static int read_values(const struct gw_model_reading *reading, size_t at,
		       struct gw_model_partition *partition)
{
	const unsigned int either = GW_TIME_MAY_BE_INFINITE | GW_TIME_MAY_BE_NONE;
	const char *select = gw_slurm_value(&reading->slurm, "SelectTypeParameters", "");
	uint64_t tier;

	partition->max_time = GW_TIME_INFINITE;
	partition->default_time = GW_TIME_NONE;
	if (read_time(reading, at, "MaxTime", GW_TIME_MAY_BE_INFINITE, &partition->max_time) ||
	    read_time(reading, at, "DefaultTime", either, &partition->default_time) ||
	    read_yes(reading, at, "Default", &partition->is_default) ||
	    read_yes(reading, at, "LLN", &partition->lln) ||
	    gw_model_number(reading, at, "PriorityTier", 1, TIER_MAX, &tier))
		return -1;
	partition->tier = (uint32_t)tier;
	partition->lln = partition->lln || gw_list_has(select, "CR_LLN");
	return gw_model_mark(reading, &reading->slurm, at, "Nodes", partition->has);
}

static int add_partition(struct gw_model_reading *reading, size_t at, const char *name)
{
	struct gw_model *model = reading->model;
	struct gw_model_partition *partitions =
		gw_array_room(model->partition, model->partition_count, sizeof(*partitions));
	struct gw_model_partition *partition;

	if (!partitions)
		return gw_error_memory(reading->error);
	model->partition = partitions;
	partition = &partitions[model->partition_count++];
	partition->name = gw_strdup(name);
	partition->has = calloc(model->node_count, sizeof(*partition->has));
	if (!partition->name || !partition->has)
		return gw_error_memory(reading->error);
	note_left_out(reading, at);
	return read_values(reading, at, partition);
}

static int read_line(struct gw_model_reading *reading, size_t at)
{
	const char *list = reading->slurm.line[at].record.pair[0].value;
	struct gw_strings names = {0};
	int failed = gw_strings_split(&names, list) ? gw_error_memory(reading->error) : 0;

	for (size_t i = 0; !failed && i < names.count; i++)
		failed = add_partition(reading, at, names.item[i]);
	gw_strings_free(&names);
	return failed;
}

/* Slurm has jobs that name no partition refused then; recorded ones must go somewhere. */
static void choose_default(const struct gw_model_reading *reading)
{
	struct gw_model *model = reading->model;

	for (size_t i = 0; i < model->partition_count; i++)
		if (model->partition[i].is_default)
			return;
	model->partition[0].is_default = true;
	gw_model_note(reading, (struct gw_model_at){reading->slurm.files.item[0], 0},
		      "no partition has Default=YES: jobs of none go to %s",
		      model->partition[0].name);
}

int gw_model_read_partitions(struct gw_model_reading *reading)
{
	const struct gw_slurm_conf *slurm = &reading->slurm;

	for (size_t i = 0; i < slurm->line_count; i++) {
		const struct gw_pair *first = &slurm->line[i].record.pair[0];

		if (gw_same(first->key, "PartitionName") && !gw_same(first->value, "DEFAULT") &&
		    read_line(reading, i))
			return -1;
	}
	if (reading->refused)
		return 0;
	if (!reading->model->partition_count)
		return gw_error_set(reading->error, "%s: has no PartitionName line",
				    slurm->files.item[0]);
	choose_default(reading);
	return 0;
}

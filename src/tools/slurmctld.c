// SPDX-License-Identifier: GPL-2.0-or-later
#include "slurmctld.h"

#include <errno.h>
#include <slurm/slurm_errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"
#include "../util/str.h"

static int controllers(const struct gw_slurm_conf *slurm)
{
	int count = 0;

	for (size_t i = 0; i < slurm->setting_count; i++)
		count += gw_same(slurm->setting[i].key, "SlurmctldHost");
	return count ? count : 1;
}

bool gw_slurmctld_answers(const char *slurm_conf, const struct gw_slurm_conf *slurm)
{
	setenv("SLURM_CONF", slurm_conf, 1);
	slurm_init(slurm_conf);
	for (int controller = 0; controller < controllers(slurm); controller++)
		if (!slurm_ping(controller))
			return true;
	return false;
}

static int parse_id(const char *text, size_t length, uint32_t *id)
{
	char *copy = gw_strndup(text, length);
	uint64_t number;
	int failed = !copy || gw_parse_count(copy, &number, NULL) || number >= NO_VAL;

	free(copy);
	if (failed)
		return -1;
	*id = (uint32_t)number;
	return 0;
}

int gw_job_name_parse(const char *text, struct gw_job_name *name)
{
	size_t length = strcspn(text, "_+");
	const char *rest = text + length;

	*name = (struct gw_job_name){.task = NO_VAL, .part = NO_VAL};
	if (parse_id(text, length, &name->id) || !name->id)
		return -1;
	if (!*rest)
		return 0;
	return parse_id(rest + 1, strlen(rest + 1), *rest == '_' ? &name->task : &name->part);
}

/* Slurm's "3-5,7%2": the tasks that one record still stands for. */
static bool list_has_task(const char *list, uint32_t task)
{
	while (list && *list && *list != '%') {
		char *end;
		unsigned long first = strtoul(list, &end, 10), last = first, step = 1;

		if (end == list)
			return false;
		if (*end == '-')
			last = strtoul(end + 1, &end, 10);
		if (*end == ':')
			step = strtoul(end + 1, &end, 10);
		if (task >= first && task <= last && step && (task - first) % step == 0)
			return true;
		list = *end == ',' ? end + 1 : NULL;
	}
	return false;
}

static bool is_named(const slurm_job_info_t *info, const struct gw_job_name *name)
{
	if (name->task != NO_VAL)
		return info->array_job_id == name->id &&
		       (info->array_task_id == name->task ||
			list_has_task(info->array_task_str, name->task));
	if (name->part != NO_VAL)
		return info->het_job_id == name->id && info->het_job_offset == name->part;
	return info->job_id == name->id;
}

/*
 * Names of reasons differ by version. libslurm exports the function that knows them, under one of
 * these names and in no public header.
 */
extern const char *slurm_job_reason_string(enum job_state_reason reason) __attribute__((weak));
extern const char *slurm_job_state_reason_string(enum job_state_reason reason)
	__attribute__((weak));

static void name_reason(struct gw_asked_job *job)
{
	enum job_state_reason reason = job->info->state_reason;

	if (slurm_job_state_reason_string)
		snprintf(job->reason, sizeof(job->reason), "%s",
			 slurm_job_state_reason_string(reason));
	else if (slurm_job_reason_string)
		snprintf(job->reason, sizeof(job->reason), "%s", slurm_job_reason_string(reason));
	else
		snprintf(job->reason, sizeof(job->reason), "number %d", (int)reason);
}

static void name_state(struct gw_asked_job *job)
{
	static const char *const names[JOB_END] = {
		[JOB_PENDING] = "PENDING",     [JOB_RUNNING] = "RUNNING",
		[JOB_SUSPENDED] = "SUSPENDED", [JOB_COMPLETE] = "COMPLETED",
		[JOB_CANCELLED] = "CANCELLED", [JOB_FAILED] = "FAILED",
		[JOB_TIMEOUT] = "TIMEOUT",     [JOB_NODE_FAIL] = "NODE_FAIL",
		[JOB_PREEMPTED] = "PREEMPTED", [JOB_BOOT_FAIL] = "BOOT_FAIL",
		[JOB_DEADLINE] = "DEADLINE",   [JOB_OOM] = "OUT_OF_MEMORY",
	};
	uint32_t base = job->info->job_state & JOB_STATE_BASE;

	job->state = base < JOB_END ? names[base] : "UNKNOWN";
}

int gw_asked_job_load(const struct gw_job_name *name, struct gw_asked_job *job,
		      struct gw_error *error)
{
	*job = (struct gw_asked_job){0};
	if (slurm_load_job(&job->message, name->id, SHOW_DETAIL)) {
		if (errno == ESLURM_INVALID_JOB_ID)
			return 0;
		return gw_error_set(error, "slurmctld: %s", slurm_strerror(errno));
	}
	for (uint32_t i = 0; !job->info && i < job->message->record_count; i++)
		if (is_named(&job->message->job_array[i], name))
			job->info = &job->message->job_array[i];
	if (job->info) {
		name_state(job);
		name_reason(job);
	}
	return 0;
}

void gw_asked_job_free(struct gw_asked_job *job)
{
	if (job->message)
		slurm_free_job_info_msg(job->message);
	*job = (struct gw_asked_job){0};
}

/* Of a whole array or het job, which have one number in common, the record of this job. */
static char *record_of(const char *text, uint32_t id)
{
	char begin[32];
	const char *found, *end;

	snprintf(begin, sizeof(begin), "JobId=%u ", id);
	found = strstr(text, begin);
	end = found ? strstr(found, "\nJobId=") : NULL;
	return found ? gw_strndup(found, end ? (size_t)(end - found) : strlen(found)) : NULL;
}

char *gw_asked_job_text(const slurm_job_info_t *info)
{
	struct gw_str text = {0};
	char buffer[4096], *record;
	size_t length;
	FILE *scontrol;
	int status;

	snprintf(buffer, sizeof(buffer), "scontrol show job -d %u 2>/dev/null", info->job_id);
	scontrol = popen(buffer, "r");
	if (!scontrol)
		return NULL;
	while ((length = fread(buffer, 1, sizeof(buffer), scontrol)))
		gw_str_append_n(&text, buffer, length);
	status = pclose(scontrol);
	record = status ? NULL : record_of(gw_str_text(&text), info->job_id);
	gw_str_free(&text);
	return record;
}

int gw_asked_nodes_load(struct gw_asked_nodes *asked, struct gw_error *error)
{
	*asked = (struct gw_asked_nodes){0};
	if (slurm_load_node(0, &asked->nodes, SHOW_ALL | SHOW_DETAIL) ||
	    slurm_load_partitions(0, &asked->partitions, SHOW_ALL)) {
		gw_error_set(error, "slurmctld: %s", slurm_strerror(errno));
		gw_asked_nodes_free(asked);
		return -1;
	}
	return 0;
}

void gw_asked_nodes_free(struct gw_asked_nodes *asked)
{
	if (asked->nodes)
		slurm_free_node_info_msg(asked->nodes);
	if (asked->partitions)
		slurm_free_partition_info_msg(asked->partitions);
	*asked = (struct gw_asked_nodes){0};
}

static const partition_info_t *partition_named(const struct gw_asked_nodes *asked, const char *name)
{
	for (uint32_t i = 0; i < asked->partitions->record_count; i++)
		if (gw_same(asked->partitions->partition_array[i].name, name))
			return &asked->partitions->partition_array[i];
	return NULL;
}

static bool takes_jobs(const node_info_t *node)
{
	uint32_t base = node->node_state & NODE_STATE_BASE;

	if (node->node_state & (NODE_STATE_DRAIN | NODE_STATE_FAIL | NODE_STATE_NO_RESPOND))
		return false;
	return base == NODE_STATE_IDLE || base == NODE_STATE_ALLOCATED || base == NODE_STATE_MIXED;
}

/* To the comma that ends an item: those in "gpu:h100:2(IDX:0,3)" do not. */
static size_t item_length(const char *list)
{
	size_t length = 0;
	int depth = 0;

	for (; list[length] && (depth || list[length] != ','); length++)
		depth += (list[length] == '(') - (list[length] == ')');
	return length;
}

/* Of "gpu:h100:8(S:0-1),nic:2" the number of one GRES. */
static uint32_t gres_count(const char *list, const char *gres)
{
	size_t length = strlen(gres);
	uint32_t sum = 0;

	while (list && *list) {
		size_t item = item_length(list), name = strcspn(list, "(,");

		if (gw_same_n(list, gres, length) && list[length] == ':') {
			size_t digits = name < item ? name : item;

			while (digits > 0 && list[digits - 1] != ':')
				digits--;
			sum += (uint32_t)strtoul(list + digits, NULL, 10);
		}
		list += item + (list[item] == ',');
	}
	return sum;
}

static void count_node(const node_info_t *node, const char *gres, uint32_t per_node,
		       struct gw_gpus_free *sum)
{
	uint32_t all = gres_count(node->gres, gres), used = gres_count(node->gres_used, gres);
	uint32_t left = all > used ? all - used : 0;

	if (!node->name || !takes_jobs(node))
		return;
	sum->free += left;
	sum->on_a_node = left > sum->on_a_node ? left : sum->on_a_node;
	sum->nodes += per_node && left >= per_node;
}

struct gw_gpus_free gw_gpus_free_of(const struct gw_asked_nodes *asked, const char *gres,
				    const char *partition, uint32_t per_node)
{
	const partition_info_t *found = partition_named(asked, partition);
	struct gw_gpus_free sum = {0};

	/* Pairs of first and last position in the node table. */
	for (const int32_t *at = found ? found->node_inx : NULL; at && at[0] >= 0; at += 2)
		for (int32_t i = at[0]; i <= at[1]; i++)
			if ((uint32_t)i < asked->nodes->record_count)
				count_node(&asked->nodes->node_array[i], gres, per_node, &sum);
	return sum;
}

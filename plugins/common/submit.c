// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/submit.h"

#include <string.h>
#include <time.h>

#include "plugins/common/engine.h"
#include "plugins/common/hardware.h"
#include "plugins/common/identity.h"
#include "plugins/common/snap.h"
#include "plugins/common/weak.h"
#include "src/common/assoc_mgr.h"
#include "src/core/route.h"
#include "src/util/parse.h"

static uint32_t given32(uint32_t value)
{
	return value == NO_VAL ? 0 : value;
}

static uint32_t given16(uint16_t value)
{
	return value == NO_VAL16 || value == INFINITE16 ? 0 : value;
}

static void copy_request(const job_desc_msg_t *job_desc, struct gw_gpus_request *request)
{
	request->tres[GW_PER_JOB] = job_desc->tres_per_job;
	request->tres[GW_PER_NODE] = job_desc->tres_per_node;
	request->tres[GW_PER_SOCKET] = job_desc->tres_per_socket;
	request->tres[GW_PER_TASK] = job_desc->tres_per_task;
	request->tasks = given32(job_desc->num_tasks);
	request->tasks_per_node = given16(job_desc->ntasks_per_node);
	request->tasks_per_socket = given16(job_desc->ntasks_per_socket);
	request->tasks_per_gpu = given16(job_desc->ntasks_per_tres);
	request->cpus_per_task = given16(job_desc->cpus_per_task);
	request->sockets_per_node = given16(job_desc->sockets_per_node);
	request->nodes_min = given32(job_desc->min_nodes);
	request->nodes_max = given32(job_desc->max_nodes);
}

static int64_t minutes_to_seconds(uint32_t minutes)
{
	return minutes == INFINITE ? GW_TIME_INFINITE : (int64_t)minutes * 60;
}

/* The limit a job gets in this partition when it gives none. */
static int64_t default_limit(const char *partition)
{
	const part_record_t *part =
		partition ? find_part_record((char *)partition) : default_part_loc;

	if (!part)
		return GW_TIME_NONE;
	return minutes_to_seconds(part->default_time != NO_VAL ? part->default_time
							       : part->max_time);
}

/*
 * salloc, srun: no batch script. Of a heterogeneous job by sbatch only the first component has the
 * script by now; those of salloc and srun name a port for the answer.
 */
static bool is_interactive(const job_desc_msg_t *job_desc)
{
	if (job_desc->script)
		return false;
	return !job_desc->het_job_offset || job_desc->het_job_offset == NO_VAL ||
	       job_desc->alloc_resp_port || job_desc->other_port;
}

static void describe(const job_desc_msg_t *job_desc, const struct gw_identity *identity,
		     struct gw_route_job *job)
{
	memset(job, 0, sizeof(*job));
	gw_identity_describe(identity, job);
	job->partition = job_desc->partition;
	job->qos = job_desc->qos;
	copy_request(job_desc, &job->gpus);
	job->exclusive = job_desc->shared == 0;
	job->default_partition = default_part_name;
	job->interactive = is_interactive(job_desc);
	job->limit = job_desc->time_limit == NO_VAL ? GW_TIME_NONE
						    : minutes_to_seconds(job_desc->time_limit);
	job->limit_default = default_limit(job_desc->partition);
}

static void put(char **field, const char *text)
{
	xfree(*field);
	*field = xstrdup(text);
}

static void apply(job_desc_msg_t *job_desc, const struct gw_route_answer *answer)
{
	char **const field[GW_ROUTE_FIELD_COUNT] = {
		[GW_ROUTE_TRES_PER_JOB] = &job_desc->tres_per_job,
		[GW_ROUTE_TRES_PER_NODE] = &job_desc->tres_per_node,
		[GW_ROUTE_TRES_PER_SOCKET] = &job_desc->tres_per_socket,
		[GW_ROUTE_TRES_PER_TASK] = &job_desc->tres_per_task,
		[GW_ROUTE_PARTITION] = &job_desc->partition,
		[GW_ROUTE_QOS] = &job_desc->qos,
	};

	for (int i = 0; i < GW_ROUTE_FIELD_COUNT; i++)
		if (answer->set[i])
			put(field[i], answer->set[i]);
	if (answer->limit != GW_TIME_NONE)
		job_desc->time_limit = answer->limit == GW_TIME_INFINITE
					       ? INFINITE
					       : (uint32_t)(answer->limit / 60);
}

static int refusal_code(enum gw_refusal refusal)
{
	switch (refusal) {
	case GW_REFUSAL_NO_QUEUE:
	case GW_REFUSAL_NO_ASSOCIATION:
		return ESLURM_INVALID_ACCOUNT;
	case GW_REFUSAL_UNKNOWN_CLASS:
	case GW_REFUSAL_CLASS_NOT_ALLOWED:
	case GW_REFUSAL_CLASS_NEEDS_GRANT:
		return ESLURM_INVALID_QOS;
	case GW_REFUSAL_TIME_LIMIT:
		return ESLURM_INVALID_TIME_LIMIT;
	case GW_REFUSAL_ABOVE_QUOTA:
		return ESLURM_ACCOUNTING_POLICY;
	case GW_REFUSAL_BAD_REQUEST:
	case GW_REFUSAL_FLAVOR_NOT_IN_QUEUE:
		return ESLURM_INVALID_GRES;
	default:
		return ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE;
	}
}

/* What to do with an answer, in observe mode too. */
static int act(job_desc_msg_t *job_desc, const struct gw_route_answer *answer, char **err_msg)
{
	if (answer->verdict == GW_ROUTE_OUTSIDE)
		return SLURM_SUCCESS;
	if (!gw_engine_enforces(GW_ROUTING)) {
		if (answer->text[0])
			verbose("gangway: observe: a job of uid %u: %s", job_desc->user_id,
				answer->text);
		return SLURM_SUCCESS;
	}
	if (answer->text[0] && err_msg)
		put(err_msg, answer->text);
	if (answer->verdict == GW_ROUTE_REFUSED)
		return refusal_code(answer->refusal);
	apply(job_desc, answer);
	return SLURM_SUCCESS;
}

static void count_hardware(const struct gw_policy *policy, struct gw_call *call,
			   struct gw_route_hardware *hardware)
{
	struct gw_tres_positions positions;

	/* Waiting for Slurm's locks is not our time. */
	gw_call_stock_begin(call);
	gw_snap_positions(policy, &positions);
	gw_call_stock_end(call);
	gw_hardware_of_flavors(policy, &positions, hardware);
	gw_snap_positions_free(&positions);
}

static int route(struct gw_policy *policy, struct gw_call *call, job_desc_msg_t *job_desc,
		 char **err_msg, struct gw_error *why)
{
	struct gw_route_hardware hardware[GW_ROUTE_FLAVORS_MAX] = {{0}};
	struct gw_route_site site = {
		.conf = gw_policy_conf(policy),
		.quota = gw_policy_quota_constants(policy),
		.now = gw_civil_time(time(NULL)),
	};
	struct gw_asked asked = {
		.uid = job_desc->user_id,
		.account = job_desc->account,
		.partition = job_desc->partition,
	};
	struct gw_identity identity;
	struct gw_route_answer answer;
	struct gw_route_job job;
	int rc = -1;

	if (site.conf->flavor_count <= GW_ROUTE_FLAVORS_MAX) {
		count_hardware(policy, call, hardware);
		site.hardware = hardware;
	}
	gw_identity_look_up(site.conf, &asked, call, &identity);
	describe(job_desc, &identity, &job);
	if (!gw_route(&site, &job, &answer, why)) {
		rc = act(job_desc, &answer, err_msg);
		gw_route_answer_free(&answer);
	}
	gw_identity_free(&identity);
	return rc;
}

/* What both hooks come to; rc is below 0 without memory. */
static int end(struct gw_call *call, int rc)
{
	if (rc < 0) {
		call->error = "no memory to route a job";
		rc = SLURM_SUCCESS;
	}
	gw_call_end(call);
	return rc;
}

int gw_submit_route(job_desc_msg_t *job_desc, char **err_msg)
{
	struct gw_error why = {{0}};
	struct gw_call call;
	struct gw_policy *policy;
	int rc = SLURM_SUCCESS;

	if (gw_call_begin(&call, GW_HOOK_SUBMIT) && (policy = gw_engine_policy())) {
		if (gw_policy_conf(policy)->queue_count)
			rc = route(policy, &call, job_desc, err_msg, &why);
		gw_policy_put(policy);
	}
	return end(&call, rc);
}

static bool moves(const job_desc_msg_t *job_desc, const job_record_t *record)
{
	return job_desc->account && xstrcasecmp(job_desc->account, record->account) != 0;
}

/* Less time is always in order. */
static bool wants_more_time(const job_desc_msg_t *job_desc, const job_record_t *record)
{
	return job_desc->time_limit != NO_VAL && job_desc->time_limit > record->time_limit;
}

static bool is_of_a_queue(const struct gw_policy *policy, struct gw_call *call,
			  const job_record_t *record)
{
	assoc_mgr_lock_t locks = {.assoc = READ_LOCK, .qos = READ_LOCK};
	struct gw_tres_positions positions;
	struct gw_job job;
	bool is;

	gw_snap_lock(policy, &positions, &locks, call);
	is = gw_snap_job(policy, &positions, record, &job);
	assoc_mgr_unlock(&locks);
	gw_snap_positions_free(&positions);
	return is;
}

/* The part of a job that changes; all of it that counts where it moves. */
static void describe_change(const job_desc_msg_t *job_desc, const job_record_t *record,
			    struct gw_route_job *job)
{
	uint32_t limit = job_desc->time_limit;

	job->moves = moves(job_desc, record);
	job->interactive = !record->batch_flag;
	job->qos = job_desc->qos;
	if (job->moves && !job->qos && record->qos_ptr)
		job->qos = record->qos_ptr->name;
	if (job->moves && limit == NO_VAL)
		limit = record->time_limit;
	job->limit = GW_TIME_NONE;
	if (limit != NO_VAL && (job->moves || wants_more_time(job_desc, record)))
		job->limit = minutes_to_seconds(limit);
}

static int change(struct gw_policy *policy, struct gw_call *call, job_desc_msg_t *job_desc,
		  const job_record_t *record, char **err_msg)
{
	struct gw_route_site site = {.conf = gw_policy_conf(policy),
				     .now = gw_civil_time(time(NULL))};
	struct gw_asked asked = {
		.uid = record->user_id,
		.account = job_desc->account ? job_desc->account : record->account,
		.partition = job_desc->partition ? job_desc->partition : record->partition,
	};
	struct gw_identity identity;
	struct gw_route_answer answer;
	struct gw_route_job job = {0};
	struct gw_error why = {{0}};
	int rc = -1;

	gw_identity_look_up(site.conf, &asked, call, &identity);
	gw_identity_describe(&identity, &job);
	describe_change(job_desc, record, &job);
	if (!gw_route_change(&site, &job, &answer, &why)) {
		/* Slurm 22.05 tells the user of its own error alone. */
		if (answer.verdict == GW_ROUTE_REFUSED && gw_engine_enforces(GW_ROUTING))
			verbose("gangway: JobId=%u is not changed: %s", record->job_id,
				answer.text);
		rc = act(job_desc, &answer, err_msg);
		gw_route_answer_free(&answer);
	}
	gw_identity_free(&identity);
	return rc;
}

static bool is_exempt(uint32_t uid, struct gw_call *call)
{
	bool exempt;

	gw_call_stock_begin(call);
	exempt = validate_operator(uid);
	gw_call_stock_end(call);
	return exempt;
}

int gw_submit_change(job_desc_msg_t *job_desc, const job_record_t *record, uint32_t uid,
		     char **err_msg)
{
	struct gw_call call;
	struct gw_policy *policy;
	int rc = SLURM_SUCCESS;

	if (gw_call_begin(&call, GW_HOOK_MODIFY) && (policy = gw_engine_policy())) {
		if (gw_policy_conf(policy)->queue_count &&
		    (job_desc->qos || wants_more_time(job_desc, record) ||
		     moves(job_desc, record)) &&
		    !is_exempt(uid, &call) && is_of_a_queue(policy, &call, record))
			rc = change(policy, &call, job_desc, record, err_msg);
		gw_policy_put(policy);
	}
	return end(&call, rc);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Class, job type and time limit of a job, as its queue wants them; and what is filled in. */
#include <stdio.h>
#include <string.h>

#include "belong.h"
#include "route_impl.h"

static bool grant_is_for(const struct gw_grant *grant, const struct gw_route_job *job)
{
	bool user = grant->to != GW_GRANT_ACCOUNT, account = grant->to != GW_GRANT_USER;

	if (user && job->user && gw_same(grant->who, job->user))
		return true;
	if (account && job->account && gw_same(grant->who, job->account))
		return true;
	for (size_t i = 0; account && i < job->ancestor_count; i++)
		if (gw_same(grant->who, job->ancestors[i]))
			return true;
	return false;
}

bool gw_route_granted(const struct gw_conf *conf, int32_t job_class, const struct gw_route_job *job,
		      int64_t now)
{
	for (size_t i = 0; i < conf->grant_count; i++) {
		const struct gw_grant *grant = &conf->grants[i];

		if (grant->class_ref.index == (size_t)job_class && grant->until > now &&
		    grant_is_for(grant, job))
			return true;
	}
	return false;
}

/* Whether the association and the grants let the job use a class. */
static bool class_open(const struct gw_route_pass *pass, int32_t job_class)
{
	const struct gw_class *class = &pass->conf->classes[job_class];
	const char *allowed = pass->job->qos_allowed;

	if (allowed && !gw_route_listed(allowed, class->qos))
		return false;
	return !class->needs_grant ||
	       gw_route_granted(pass->conf, job_class, pass->job, pass->site->now);
}

/* The QOS of the classes that the job may use. Freed by the caller. */
static struct gw_str list_classes(const struct gw_route_pass *pass)
{
	struct gw_str list = {0};

	for (size_t i = 0; i < pass->conf->class_count; i++)
		if (class_open(pass, (int32_t)i))
			gw_route_list(&list, pass->conf->classes[i].qos);
	return list;
}

static bool refuse_class(struct gw_route_pass *pass, enum gw_refusal refusal, const char *what,
			 const char *name)
{
	struct gw_str list = list_classes(pass);

	pass->failed = list.failed;
	if (list.length)
		gw_route_refuse(pass, refusal, "%s %.64s: submit with --qos= of one of %s", what,
				name, gw_str_text(&list));
	else
		gw_route_refuse(pass, refusal, "%s %.64s: ask an administrator for a class", what,
				name);
	gw_str_free(&list);
	return false;
}

static bool check_class(struct gw_route_pass *pass, int32_t job_class)
{
	const struct gw_class *class = &pass->conf->classes[job_class];
	const char *allowed = pass->job->qos_allowed;

	if (allowed && !gw_route_listed(allowed, class->qos))
		return refuse_class(pass, GW_REFUSAL_CLASS_NOT_ALLOWED,
				    "this account may not use QOS", class->qos);
	if (!class_open(pass, job_class))
		return refuse_class(pass, GW_REFUSAL_CLASS_NEEDS_GRANT,
				    "no grant is in force for you to use class", class->name);
	pass->answer->job_class = job_class;
	return true;
}

/* From Slurm 24.11 on a job may give several QOS and gets any of them: it must be allowed each. */
static bool check_qos(struct gw_route_pass *pass, const char *qos, size_t length)
{
	char name[128];
	int32_t job_class;

	snprintf(name, sizeof(name), "%.*s", (int)length, qos);
	job_class = gw_belong_class(pass->conf, name);
	if (job_class == GW_INDEX_NONE)
		return refuse_class(pass, GW_REFUSAL_UNKNOWN_CLASS, "no class has QOS", name);
	return check_class(pass, job_class);
}

bool gw_route_class(struct gw_route_pass *pass)
{
	const char *qos = pass->job->qos;
	int32_t first = GW_INDEX_NONE;

	if (!pass->conf->class_count)
		return true;
	if (!qos || !*qos)
		return check_class(pass, (int32_t)pass->queue->default_class.index);
	for (; qos; qos = strchr(qos, ',')) {
		qos += *qos == ',';
		if (!check_qos(pass, qos, strcspn(qos, ",")))
			return false;
		if (first == GW_INDEX_NONE)
			first = pass->answer->job_class;
	}
	pass->answer->job_class = first;
	return true;
}

bool gw_route_job_type(struct gw_route_pass *pass)
{
	enum gw_job_type type = pass->queue->job_type;

	if (type == GW_JOB_INTERACTIVE && !pass->job->interactive)
		return gw_route_refuse(pass, GW_REFUSAL_JOB_TYPE,
				       "queue %.64s takes interactive jobs only: use salloc or "
				       "srun, or submit with --account= of another queue",
				       pass->queue->name);
	if (type == GW_JOB_BATCH && pass->job->interactive)
		return gw_route_refuse(pass, GW_REFUSAL_JOB_TYPE,
				       "queue %.64s takes batch jobs only: use sbatch, or "
				       "--account= of another queue",
				       pass->queue->name);
	return true;
}

static bool refuse_limit(struct gw_route_pass *pass)
{
	struct gw_str given = {0}, allowed = {0};

	gw_str_append_time(&given, pass->job->limit);
	gw_str_append_time(&allowed, pass->queue->max_time);
	pass->failed = given.failed || allowed.failed;
	gw_route_refuse(pass, GW_REFUSAL_TIME_LIMIT,
			"time limit %s is above that of queue %.64s: submit with --time=%s or "
			"less",
			gw_str_text(&given), pass->queue->name, gw_str_text(&allowed));
	gw_str_free(&given);
	gw_str_free(&allowed);
	return false;
}

/* Without a limit of its own, a job gets the queue's where the partition's would be longer. */
bool gw_route_limit(struct gw_route_pass *pass)
{
	const struct gw_route_job *job = pass->job;
	int64_t most = pass->queue->max_time;

	if (most == GW_TIME_INFINITE)
		return true;
	if (job->limit != GW_TIME_NONE)
		return job->limit <= most || refuse_limit(pass);
	if (job->limit_default == GW_TIME_NONE || job->limit_default > most)
		pass->answer->limit = most;
	return true;
}

static void set_field(struct gw_route_pass *pass, enum gw_route_field field, struct gw_str *text)
{
	pass->answer->set[field] = gw_str_take(text);
	if (!pass->answer->set[field])
		pass->failed = true;
}

/* The partitions of the flavors left, in their order. */
static void fill_partition(struct gw_route_pass *pass, struct gw_str *told)
{
	struct gw_route_answer *answer = pass->answer;
	const char *before = pass->job->default_partition;
	struct gw_str list = {0};

	if (pass->job->partition)
		return;
	for (uint32_t i = 0; i < answer->flavor_count; i++)
		gw_str_appendf(&list, "%s%s", i ? "," : "",
			       pass->conf->flavors[answer->flavors[i]].partition);
	if (before && gw_same(before, gw_str_text(&list))) {
		gw_str_free(&list);
		return;
	}
	gw_str_appendf(told, "%spartition %.100s", told->length ? ", " : "", gw_str_text(&list));
	set_field(pass, GW_ROUTE_PARTITION, &list);
}

void gw_route_fill_qos(struct gw_route_pass *pass, struct gw_str *told)
{
	int32_t job_class = pass->answer->job_class;
	struct gw_str qos = {0};

	if (job_class == GW_INDEX_NONE || (pass->job->qos && *pass->job->qos))
		return;
	gw_str_append(&qos, pass->conf->classes[job_class].qos);
	gw_str_appendf(told, "%sQOS %.64s", told->length ? ", " : "", gw_str_text(&qos));
	set_field(pass, GW_ROUTE_QOS, &qos);
}

/* With one flavor left, GPUs without a type get its type. */
static void fill_types(struct gw_route_pass *pass, struct gw_str *told)
{
	const struct gw_flavor *flavor = &pass->conf->flavors[pass->answer->flavors[0]];
	const char *type = gw_route_type(flavor);
	unsigned int filled = 0;

	if (!type || pass->answer->flavor_count > 1)
		return;
	for (int per = 0; per < GW_PER_COUNT; per++) {
		const char *tres = pass->job->gpus.tres[per];
		struct gw_str typed = {0};

		if (tres && gw_gpus_type_tres(tres, type, &typed)) {
			set_field(pass, (enum gw_route_field)per, &typed);
			filled++;
		}
		pass->failed |= typed.failed;
		gw_str_free(&typed);
	}
	if (filled)
		gw_str_appendf(told, "%sGPU type %.64s", told->length ? ", " : "", type);
}

static void fill_limit(struct gw_route_pass *pass, struct gw_str *told)
{
	if (pass->answer->limit == GW_TIME_NONE)
		return;
	gw_str_appendf(told, "%stime limit ", told->length ? ", " : "");
	gw_str_append_time(told, pass->answer->limit);
}

_Static_assert((int)GW_ROUTE_TRES_PER_JOB == (int)GW_PER_JOB &&
		       (int)GW_ROUTE_TRES_PER_TASK == (int)GW_PER_TASK,
	       "fields and spellings are one list");

void gw_route_fill_in(struct gw_route_pass *pass)
{
	struct gw_route_answer *answer = pass->answer;
	struct gw_str told = {0};

	fill_partition(pass, &told);
	gw_route_fill_qos(pass, &told);
	fill_types(pass, &told);
	fill_limit(pass, &told);
	if (told.failed)
		pass->failed = true;
	else if (told.length)
		snprintf(answer->text, sizeof(answer->text), "queue %.64s: %s filled in",
			 pass->queue->name, told.data);
	gw_str_free(&told);
}

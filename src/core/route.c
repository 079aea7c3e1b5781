// SPDX-License-Identifier: GPL-2.0-or-later
#include "route.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route_impl.h"

bool gw_route_refuse(struct gw_route_pass *pass, enum gw_refusal refusal, const char *format, ...)
{
	struct gw_route_answer *answer = pass->answer;
	int length = snprintf(answer->text, sizeof(answer->text), "%s: ", gw_refusal_id(refusal));
	va_list args;

	va_start(args, format);
	vsnprintf(answer->text + length, sizeof(answer->text) - (size_t)length, format, args);
	va_end(args);
	answer->verdict = GW_ROUTE_REFUSED;
	answer->refusal = refusal;
	return false;
}

const char *gw_route_type(const struct gw_flavor *flavor)
{
	const char *colon = strchr(flavor->gres, ':');

	return colon ? colon + 1 : NULL;
}

bool gw_route_listed(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (; list; list = strchr(list, ',')) {
		list += *list == ',';
		if (strcspn(list, ",") == length && gw_same_n(list, name, length))
			return true;
	}
	return false;
}

void gw_route_list(struct gw_str *list, const char *name)
{
	if (list->length < 160)
		gw_str_appendf(list, "%s%.64s", list->length ? ", " : "", name);
	else if (list->data[list->length - 1] != '.')
		gw_str_append(list, ", ...");
}

static int32_t queue_of_account(const struct gw_conf *conf, const char *account)
{
	for (size_t i = 0; account && i < conf->queue_count; i++)
		if (gw_same(conf->queues[i].account, account))
			return (int32_t)i;
	return GW_INDEX_NONE;
}

int32_t gw_route_queue_of(const struct gw_conf *conf, const char *account,
			  const char *const *ancestors, size_t ancestor_count)
{
	int32_t queue = queue_of_account(conf, account);

	for (size_t i = 0; queue == GW_INDEX_NONE && i < ancestor_count; i++)
		queue = queue_of_account(conf, ancestors[i]);
	return queue;
}

/* The flavor whose partition a job of whole nodes goes to, or GW_INDEX_NONE. */
static int32_t flavor_of_partition(const struct gw_route_pass *pass)
{
	const char *partition =
		pass->job->partition ? pass->job->partition : pass->job->default_partition;

	for (size_t i = 0; i < pass->conf->flavor_count; i++)
		if (gw_route_listed(partition, pass->conf->flavors[i].partition))
			return (int32_t)i;
	return GW_INDEX_NONE;
}

/* An exclusive job holds all GPUs of its nodes, whether it asks for them or not. */
static void count_whole_nodes(struct gw_route_pass *pass)
{
	const struct gw_route_hardware *hardware = pass->site->hardware;
	struct gw_gpus *gpus = &pass->answer->gpus;
	int32_t flavor = flavor_of_partition(pass);
	uint64_t total;

	if (!pass->job->exclusive || flavor == GW_INDEX_NONE || !hardware)
		return;
	total = (uint64_t)hardware[flavor].node_gpus * gpus->nodes_min;
	pass->answer->whole_nodes = true;
	if (total > gpus->total && total < UINT32_MAX)
		gpus->total = (uint32_t)total;
}

static void say_queues(struct gw_route_pass *pass)
{
	const struct gw_conf *conf = pass->conf;
	struct gw_str list = {0};

	for (size_t i = 0; i < conf->queue_count; i++)
		gw_route_list(&list, conf->queues[i].account);
	pass->failed = list.failed;
	gw_route_refuse(pass, GW_REFUSAL_NO_QUEUE,
			"account %.64s belongs to no queue: submit with --account= of one of %s",
			pass->job->account, gw_str_text(&list));
	gw_str_free(&list);
}

/* The queue of its account, if any. */
static bool has_queue(struct gw_route_pass *pass)
{
	const struct gw_route_job *job = pass->job;
	const struct gw_conf *conf = pass->conf;
	int32_t queue = gw_route_queue_of(conf, job->account, job->ancestors, job->ancestor_count);

	if (queue == GW_INDEX_NONE && conf->unmatched == GW_UNMATCHED_QUEUE)
		queue = (int32_t)conf->unmatched_queue.index;
	if (queue == GW_INDEX_NONE)
		return false;
	pass->answer->queue = queue;
	pass->queue = &conf->queues[queue];
	return true;
}

static bool find_queue(struct gw_route_pass *pass)
{
	if (has_queue(pass))
		return true;
	if (pass->conf->unmatched == GW_UNMATCHED_REJECT)
		say_queues(pass);
	return false;
}

static bool check_association(struct gw_route_pass *pass)
{
	const struct gw_route_job *job = pass->job;

	if (job->associated && job->account && *job->account)
		return true;
	if (!job->user)
		return gw_route_refuse(pass, GW_REFUSAL_NO_ASSOCIATION,
				       "this user has no association with any account: ask an "
				       "administrator for one");
	if (!job->account || !*job->account)
		return gw_route_refuse(pass, GW_REFUSAL_NO_ASSOCIATION,
				       "%.64s has no account: ask an administrator for one, or "
				       "submit with --account=",
				       job->user);
	return gw_route_refuse(pass, GW_REFUSAL_NO_ASSOCIATION,
			       "%.64s may not use account %.64s: submit with --account= of your "
			       "own; sacctmgr show associations user=%.64s lists them",
			       job->user, job->account, job->user);
}

/* A request that can not be read is refused where it would have been ours. */
static bool read_gpus(struct gw_route_pass *pass)
{
	struct gw_error why = {0};
	struct gw_route_answer *answer = pass->answer;

	if (gw_gpus_read(&pass->job->gpus, &answer->gpus, &why)) {
		if (find_queue(pass))
			gw_route_refuse(pass, GW_REFUSAL_BAD_REQUEST,
					"the GPU request %s: write --gpus=TYPE:COUNT or "
					"--gres=gpu:TYPE:COUNT",
					why.text);
		return false;
	}
	count_whole_nodes(pass);
	return answer->gpus.total > 0;
}

static void route(struct gw_route_pass *pass)
{
	static bool (*const steps[])(struct gw_route_pass *) = {
		read_gpus,         check_association,   find_queue,     gw_route_flavors,
		gw_route_job_type, gw_route_limit,      gw_route_class, gw_route_fits,
		gw_route_quota,    gw_route_partitions,
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (pass->failed || !steps[i](pass))
			return;
	pass->answer->verdict = GW_ROUTE_QUEUED;
	pass->answer->flavor = pass->answer->flavors[0];
	gw_route_fill_in(pass);
}

/* An outside job belongs nowhere and has nothing filled in. */
static void clear_unless_queued(struct gw_route_answer *answer)
{
	if (answer->verdict == GW_ROUTE_QUEUED)
		return;
	answer->job_class = answer->flavor = GW_INDEX_NONE;
	answer->flavor_count = 0;
	answer->limit = GW_TIME_NONE;
	if (answer->verdict == GW_ROUTE_OUTSIDE)
		answer->queue = GW_INDEX_NONE;
}

/* What the job keeps is not asked about again: a grant may have ended since. */
static void change(struct gw_route_pass *pass)
{
	struct gw_str told = {0};

	if (!has_queue(pass) || (pass->job->moves && !gw_route_job_type(pass)) ||
	    (pass->job->limit != GW_TIME_NONE && !gw_route_limit(pass)) ||
	    (pass->job->qos && !gw_route_class(pass)))
		return;
	pass->answer->verdict = GW_ROUTE_QUEUED;
	if (pass->job->qos)
		gw_route_fill_qos(pass, &told);
	gw_str_free(&told);
}

static int answer_for(struct gw_route_pass *pass, void (*ask)(struct gw_route_pass *),
		      struct gw_error *error)
{
	struct gw_route_answer *answer = pass->answer;

	*answer = (struct gw_route_answer){.queue = GW_INDEX_NONE,
					   .flavor = GW_INDEX_NONE,
					   .job_class = GW_INDEX_NONE,
					   .limit = GW_TIME_NONE};
	ask(pass);
	if (pass->failed) {
		gw_route_answer_free(answer);
		return gw_error_memory(error);
	}
	clear_unless_queued(answer);
	return 0;
}

int gw_route(const struct gw_route_site *site, const struct gw_route_job *job,
	     struct gw_route_answer *answer, struct gw_error *error)
{
	struct gw_route_pass pass = {
		.site = site, .conf = site->conf, .job = job, .answer = answer};

	return answer_for(&pass, route, error);
}

int gw_route_change(const struct gw_route_site *site, const struct gw_route_job *job,
		    struct gw_route_answer *answer, struct gw_error *error)
{
	struct gw_route_pass pass = {
		.site = site, .conf = site->conf, .job = job, .answer = answer};

	return answer_for(&pass, change, error);
}

void gw_route_never_fits(struct gw_route_answer *answer, const char *lack, const char *way)
{
	struct gw_route_pass pass = {.answer = answer};

	gw_route_refuse(&pass, GW_REFUSAL_NEVER_FITS, "it never fits: %.200s%s%.160s", lack,
			*way ? ": submit with " : "", way);
	gw_route_answer_free(answer);
	clear_unless_queued(answer);
}

void gw_route_answer_free(struct gw_route_answer *answer)
{
	if (!answer)
		return;
	for (int i = 0; i < GW_ROUTE_FIELD_COUNT; i++) {
		free(answer->set[i]);
		answer->set[i] = NULL;
	}
}

static const struct {
	const char *id, *meaning;
} refusals[GW_REFUSAL_COUNT] = {
	[GW_REFUSAL_NONE] = {"", "not refused"},
	[GW_REFUSAL_NO_QUEUE] = {"GW001", "the account belongs to no queue"},
	[GW_REFUSAL_NO_ASSOCIATION] = {"GW002", "the user has no association with the account"},
	[GW_REFUSAL_UNKNOWN_CLASS] = {"GW003", "the QOS is that of no class"},
	[GW_REFUSAL_CLASS_NOT_ALLOWED] = {"GW004", "the association does not allow the class"},
	[GW_REFUSAL_CLASS_NEEDS_GRANT] = {"GW005", "the class needs a grant, and none is in force"},
	[GW_REFUSAL_FLAVOR_NOT_IN_QUEUE] = {"GW006", "the queue has no such GPUs"},
	[GW_REFUSAL_NEVER_FITS] = {"GW007", "no nodes have this shape"},
	[GW_REFUSAL_ABOVE_QUOTA] = {"GW008", "more GPUs than the pool can hold at any time"},
	[GW_REFUSAL_TIME_LIMIT] = {"GW009", "the time limit is above that of the queue"},
	[GW_REFUSAL_JOB_TYPE] = {"GW010", "the queue does not take jobs of this type"},
	[GW_REFUSAL_BAD_REQUEST] = {"GW011", "the GPU request can not be read"},
};

const char *gw_refusal_id(enum gw_refusal refusal)
{
	return refusals[refusal].id;
}

const char *gw_refusal_meaning(enum gw_refusal refusal)
{
	return refusals[refusal].meaning;
}

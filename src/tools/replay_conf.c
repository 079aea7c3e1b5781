// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The configurations of a replay. Where none is given one is made up, so that peers and Gangway
 * have the same queues: one flavor, one pool with the whole cluster, a queue an account.
 */
#include "replay.h"

#include <stdlib.h>
#include <string.h>

#include "../util/file.h"
#include "../util/parse.h"
#include "../util/record.h"

#define MADE_UP    "--print-conf"
#define NO_QUEUE   "unmatched"
#define NO_CLASS   "normal"
#define NAME_BYTES 128  /* that a name in gangway.conf may have */
#define QUEUES_MAX 1000 /* that are told apart */

/* A list "a=64,b=32" in pieces. */
struct weights {
	struct gw_strings name;
	double *weight;
	bool *used;
};

/* As gangway.conf wants names of accounts and QOS to be. */
static bool is_name(const char *text)
{
	return *text && strlen(text) <= NAME_BYTES && !text[strcspn(text, " \t,=\"\\#%;|<>")];
}

static void free_weights(struct weights *weights)
{
	gw_strings_free(&weights->name);
	free(weights->weight);
	free(weights->used);
}

/* Cuts item at its "="; the weight goes to its place. */
static int read_weight(struct weights *weights, size_t i, struct gw_error *error)
{
	char *item = weights->name.item[i], *equals = strrchr(item, '=');

	if (!equals || equals == item || gw_parse_double(equals + 1, &weights->weight[i], NULL) ||
	    weights->weight[i] <= 0)
		return gw_error_set(error, "--weights: %s: must be ACCOUNT=WEIGHT above 0", item);
	*equals = '\0';
	return 0;
}

static int read_weights(const char *text, struct weights *weights, struct gw_error *error)
{
	if (!text)
		return 0;
	if (gw_strings_split(&weights->name, text))
		return gw_error_memory(error);
	weights->weight = calloc(weights->name.count, sizeof(*weights->weight));
	weights->used = calloc(weights->name.count, sizeof(*weights->used));
	if (!weights->weight || !weights->used)
		return gw_error_memory(error);
	for (size_t i = 0; i < weights->name.count; i++)
		if (read_weight(weights, i, error))
			return -1;
	return 0;
}

static double weight_of(struct weights *weights, const char *account)
{
	double weight = 1;

	for (size_t i = 0; i < weights->name.count; i++) {
		if (!gw_same(weights->name.item[i], account))
			continue;
		weight = weights->weight[i];
		weights->used[i] = true;
	}
	return weight;
}

static int all_used(const struct weights *weights, struct gw_error *error)
{
	for (size_t i = 0; i < weights->name.count; i++)
		if (!weights->used[i])
			return gw_error_set(error, "--weights: %s: no job has this account",
					    weights->name.item[i]);
	return 0;
}

/* Marks names that jobs have in one field; calloc'ed, by name. */
static bool *names_in(const struct gw_trace *trace, size_t offset)
{
	bool *has = calloc(trace->name_count + 1, sizeof(*has));

	for (size_t i = 0; has && i < trace->count; i++) {
		uint32_t name;

		if (!trace->job[i].gpus)
			continue;
		memcpy(&name, (const char *)&trace->job[i] + offset, sizeof(name));
		has[name] = true;
	}
	return has;
}

/* The usual names of classes, the highest first: what --classes is when nobody says it. */
static const char *const usual_classes[] = {"critical", "urgent", "high", "normal", "low", NULL};

static bool is_usual(const char *name)
{
	for (size_t i = 0; usual_classes[i]; i++)
		if (gw_same(usual_classes[i], name))
			return true;
	return false;
}

static int usual_of_trace(const struct gw_trace *trace, const bool *has, struct gw_strings *classes)
{
	for (size_t i = 1; i < trace->name_count; i++)
		if (has[i] && !is_usual(trace->names[i]))
			return 0;
	for (size_t k = 0; usual_classes[k]; k++)
		for (size_t i = 1; i < trace->name_count; i++)
			if (has[i] && gw_same(trace->names[i], usual_classes[k]) &&
			    gw_strings_add(classes, trace->names[i], strlen(trace->names[i])))
				return -1;
	return 0;
}

/* Jobs without a QOS are of the class of NO_CLASS. */
static int check_classes(const struct gw_trace *trace, const bool *has,
			 const struct gw_strings *classes, struct gw_error *error)
{
	for (size_t i = 0; i < classes->count; i++) {
		bool found = gw_same(classes->item[i], NO_CLASS) || !is_name(classes->item[i]);

		for (size_t k = 1; !found && k < trace->name_count; k++)
			found = has[k] && gw_same(trace->names[k], classes->item[i]);
		if (!found)
			return gw_error_set(error, "--classes: %s: no job has this QOS",
					    classes->item[i]);
	}
	return 0;
}

/* QOS names, the highest class first; one class for all where the trace has none we know. */
static int choose_classes(const struct gw_replay *replay, struct gw_strings *classes,
			  struct gw_error *error)
{
	bool *has = names_in(&replay->trace, offsetof(struct gw_trace_job, qos));
	int failed;

	if (has && replay->request->classes) {
		failed = gw_strings_split(classes, replay->request->classes)
				 ? gw_error_memory(error)
				 : check_classes(&replay->trace, has, classes, error);
		free(has);
		return failed;
	}
	failed = !has || usual_of_trace(&replay->trace, has, classes);
	if (!failed && !classes->count)
		failed = gw_strings_add(classes, NO_CLASS, strlen(NO_CLASS));
	free(has);
	return failed ? gw_error_memory(error) : 0;
}

/* The default is "normal" where there is one, else the lowest. */
static size_t default_class(const struct gw_strings *classes)
{
	for (size_t i = 0; i < classes->count; i++)
		if (gw_same(classes->item[i], NO_CLASS))
			return i;
	return classes->count - 1;
}

static int append_classes(const struct gw_replay *replay, struct gw_str *text,
			  struct gw_error *error)
{
	struct gw_strings classes = {0};
	int failed = choose_classes(replay, &classes, error);

	for (size_t i = 0; !failed && i < classes.count; i++)
		if (!is_name(classes.item[i]))
			failed = gw_error_set(error, "--classes: \"%s\" can not be a QOS",
					      classes.item[i]);
	for (size_t i = 0; !failed && i < classes.count; i++)
		gw_str_appendf(text, "ClassName=%s QOS=%s Rank=%zu%s\n", classes.item[i],
			       classes.item[i], classes.count - i,
			       i == default_class(&classes) ? " Default=yes" : "");
	gw_strings_free(&classes);
	return failed;
}

static const char *partition_name(const struct gw_model *model)
{
	for (size_t i = 0; i < model->partition_count; i++)
		if (model->partition[i].is_default)
			return model->partition[i].name;
	return model->partition[0].name;
}

uint64_t gw_replay_gpus(const struct gw_model *model)
{
	uint64_t gpus = 0;

	for (size_t i = 0; i < model->node_count; i++)
		gpus += model->node[i].gpus;
	return gpus;
}

/* An eighth of the GPUs, in whole nodes of 8, and not more than 64 (docs/bench.md). */
static uint64_t small_batch(uint64_t gpus)
{
	uint64_t nodes = gpus / 64;

	return 8 * (nodes < 1 ? 1 : nodes > 8 ? 8 : nodes);
}

static void append_globals(const struct gw_replay *replay, struct gw_str *text)
{
	uint64_t gpus = gw_replay_gpus(&replay->model);

	gw_str_append(text, "# Made up by gangway replay: one pool, a queue for each account.\n"
			    "UsageHalfLife=7-00:00:00\n"
			    "UsageWeights=gres/gpu=1\n"
			    "SmallHold=2-00:00:00\n"
			    "GapMatch=0.5\n");
	gw_str_appendf(text, "SmallBatch=%llu\n", (unsigned long long)small_batch(gpus));
	gw_str_append(text, "WithinQueue=shortest-limit\n"
			    "QueueMaxWait=10-00:00:00\n");
	gw_str_appendf(text, "FlavorName=gpu Gres=gpu Partition=%s\n",
		       partition_name(&replay->model));
	gw_str_appendf(text, "PoolName=all Quota=gres/gpu=%llu\n", (unsigned long long)gpus);
}

static void append_queue(struct gw_str *text, const char *account, double weight)
{
	gw_str_appendf(text, "QueueName=%s Pool=all Account=%s Weight=%g\n", account, account,
		       weight);
}

/* One queue a name, whatever its case, and no more queues than a configuration may have. */
static bool takes_queue(const struct gw_strings *queues, const char *account)
{
	if (!is_name(account) || gw_same(account, NO_QUEUE) || queues->count >= QUEUES_MAX)
		return false;
	for (size_t i = 0; i < queues->count; i++)
		if (gw_same(queues->item[i], account))
			return false;
	return true;
}

/* In the order of the names; -1 when memory is out. rest: some account has no queue. */
static int choose_queues(const struct gw_trace *trace, struct gw_strings *queues, bool *rest)
{
	bool *has = names_in(trace, offsetof(struct gw_trace_job, account));
	int failed = !has ? -1 : 0;

	*rest = !has || has[GW_TRACE_NO_NAME] || !trace->count;
	for (size_t i = 1; !failed && i < trace->name_count; i++) {
		if (!has[i])
			continue;
		if (takes_queue(queues, trace->names[i]))
			failed = gw_strings_add(queues, trace->names[i], strlen(trace->names[i]));
		else
			*rest = true;
	}
	free(has);
	return failed;
}

/* Accounts that no queue can be named after share one. */
static int append_queues(const struct gw_replay *replay, struct weights *weights,
			 struct gw_str *text, struct gw_error *error)
{
	struct gw_strings queues = {0};
	bool rest;

	if (choose_queues(&replay->trace, &queues, &rest)) {
		gw_strings_free(&queues);
		return gw_error_memory(error);
	}
	for (size_t i = 0; i < queues.count; i++)
		append_queue(text, queues.item[i], weight_of(weights, queues.item[i]));
	if (rest) {
		append_queue(text, NO_QUEUE, weight_of(weights, NO_QUEUE));
		gw_str_append(text, "Unmatched=" NO_QUEUE "\n");
	}
	gw_strings_free(&queues);
	return all_used(weights, error);
}

static int make_text(struct gw_replay *replay, struct gw_error *error)
{
	struct weights weights = {0};
	struct gw_str text = {0};
	int failed = read_weights(replay->request->weights, &weights, error);

	append_globals(replay, &text);
	failed = failed || append_classes(replay, &text, error) ||
		 append_queues(replay, &weights, &text, error);
	free_weights(&weights);
	replay->conf_text = gw_str_take(&text);
	return failed ? -1 : replay->conf_text ? 0 : gw_error_memory(error);
}

static int read_text(void *arg, const char *path, char **text, struct gw_error *error)
{
	(void)path;
	*text = gw_strdup(arg);
	return *text ? 0 : gw_error_memory(error);
}

/* "etc/strict.conf" is the row "strict". */
static char *name_of_file(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
	const char *dot = strrchr(base, '.');

	return dot && dot != base ? gw_strndup(base, (size_t)(dot - base)) : gw_strdup(base);
}

static int load(struct gw_replay *replay, const struct gw_conf_source *source, const char *path,
		char *name, struct gw_error *error)
{
	struct gw_replay_conf *confs, *conf;

	if (!name)
		return gw_error_memory(error);
	confs = gw_array_room(replay->conf, replay->conf_count, sizeof(*confs));
	if (!confs) {
		free(name);
		return gw_error_memory(error);
	}
	replay->conf = confs;
	conf = &confs[replay->conf_count++];
	conf->name = name;
	return gw_conf_load(source, path, &conf->conf, error);
}

int gw_replay_confs(struct gw_replay *replay)
{
	const struct gw_strings *files = &replay->request->confs;
	struct gw_conf_source source = {.read = gw_file_source};
	struct gw_error error = {0};
	int failed = 0;

	if (files->count && (replay->request->weights || replay->request->classes)) {
		gw_complain(replay->command, "--weights and --classes make up a configuration; "
					     "they can not stand beside --conf");
		return GW_EXIT_USAGE;
	}
	if (!files->count) {
		failed = make_text(replay, &error);
		source = (struct gw_conf_source){.read = read_text, .arg = replay->conf_text};
		failed = failed || load(replay, &source, MADE_UP, gw_strdup("gangway"), &error);
	}
	for (size_t i = 0; !failed && i < files->count; i++)
		failed =
			load(replay, &source, files->item[i], name_of_file(files->item[i]), &error);
	if (!failed)
		return GW_EXIT_OK;
	gw_complain(replay->command, "%s", error.text);
	return replay->request->weights || replay->request->classes ? GW_EXIT_USAGE : GW_EXIT_ERROR;
}

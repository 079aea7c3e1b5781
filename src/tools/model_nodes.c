// SPDX-License-Identifier: GPL-2.0-or-later
/* NodeName lines of slurm.conf, and the names by which other lines mean nodes. */
#include "model_impl.h"

#include <stdlib.h>
#include <string.h>

#include "../util/hostlist.h"
#include "../util/parse.h"

#define CPUS_MAX 65535

/* What all nodes of a line have. */
struct kind {
	uint64_t cpus, memory, weight, gpus;
	char *gpu_type;
};

/* Whether memory is shared out among jobs: 24.11's default, and what the parameters say else. */
static bool shares_memory(const struct gw_slurm_conf *slurm)
{
	const char *word = gw_slurm_value(slurm, "SelectTypeParameters", "CR_Core_Memory");

	while (*word) {
		size_t length = strcspn(word, ",");

		if (length >= 6 && gw_same_n(word + length - 6, "Memory", 6))
			return true;
		word += length + (word[length] == ',');
	}
	return false;
}

/* CPUs= or Procs=, else what the sockets have: CPUs are threads. */
static int read_cpus(const struct gw_model_reading *reading, size_t at, uint64_t *cpus)
{
	uint64_t boards, sockets, per_board, cores, threads, procs;

	if (gw_model_number(reading, at, "Procs", 0, CPUS_MAX, &procs) ||
	    gw_model_number(reading, at, "CPUs", procs, CPUS_MAX, cpus) ||
	    gw_model_number(reading, at, "Boards", 1, 1024, &boards) ||
	    gw_model_number(reading, at, "SocketsPerBoard", 1, 1024, &per_board) ||
	    gw_model_number(reading, at, "CoresPerSocket", 1, 1024, &cores) ||
	    gw_model_number(reading, at, "ThreadsPerCore", 1, 1024, &threads) ||
	    gw_model_number(reading, at, "Sockets", boards * per_board, 1024, &sockets))
		return -1;
	if (!*cpus)
		*cpus = sockets * cores * threads;
	return 0;
}

/* The count of one item of Gres=, "gpu:h100:8(S:0-1)"; without a number it is one device. */
static int item_count(const char *item, uint64_t *count)
{
	const char *colon = strrchr(item, ':');

	*count = 1;
	return colon && gw_is_digit(colon[1]) ? gw_parse_count(colon + 1, count, NULL) : 0;
}

/* The type in "gpu:h100:8", freed by the caller; NULL: untyped. -1: memory is out. */
static int item_type(const char *item, char **type)
{
	const char *colon = strchr(item, ':');

	*type = NULL;
	if (!colon || gw_is_digit(colon[1]))
		return 0;
	*type = gw_strndup(colon + 1, strcspn(colon + 1, ":"));
	return *type ? 0 : -1;
}

static int read_item(const struct gw_model_reading *reading, size_t at, const char *item,
		     struct kind *kind)
{
	uint64_t count;
	char *type;

	if (!gw_same_n(item, "gpu", 3) || (item[3] && item[3] != ':'))
		return 0;
	if (item_count(item, &count))
		return gw_model_fail(reading, gw_model_at_line(&reading->slurm, at),
				     "Gres=%.64s: its count must be a whole number", item);
	if (!reading->refused && (count > GW_GPUS_MAX || kind->gpus + count > GW_GPUS_MAX))
		return gw_model_fail(reading, gw_model_at_line(&reading->slurm, at),
				     "Gres=%.64s: a node may have at most %d GPUs", item,
				     GW_GPUS_MAX);
	if (item_type(item, &type))
		return gw_error_memory(reading->error);
	if (!kind->gpus) {
		kind->gpu_type = type;
	} else {
		if (!type || !kind->gpu_type || !gw_same(type, kind->gpu_type))
			gw_model_note(reading, gw_model_at_line(&reading->slurm, at),
				      "GPUs of several types on a node are taken as one type");
		free(type);
	}
	kind->gpus += count;
	return 0;
}

/* Gres= split at commas that stand outside of parentheses, which are left away. */
static int read_gres(const struct gw_model_reading *reading, size_t at, struct kind *kind)
{
	const char *gres = gw_slurm_line_value(&reading->slurm, at, "Gres");
	int failed = 0;

	while (gres && *gres && !failed) {
		size_t plain = strcspn(gres, "(,");
		char *item = gw_strndup(gres, plain);

		failed =
			item ? read_item(reading, at, item, kind) : gw_error_memory(reading->error);
		free(item);
		gres += plain;
		if (*gres == '(')
			gres += strcspn(gres, ")");
		gres += strcspn(gres, ",");
		gres += *gres == ',';
	}
	return failed;
}

static int read_kind(const struct gw_model_reading *reading, size_t at, struct kind *kind)
{
	if (read_cpus(reading, at, &kind->cpus) ||
	    gw_model_number(reading, at, "RealMemory", 1, GW_MODEL_MEMORY_ANY, &kind->memory) ||
	    gw_model_number(reading, at, "Weight", 1, UINT32_MAX, &kind->weight) ||
	    read_gres(reading, at, kind))
		return -1;
	if (!shares_memory(&reading->slurm))
		kind->memory = GW_MODEL_MEMORY_ANY;
	return 0;
}

static int add_node(struct gw_model_reading *reading, size_t at, const char *name,
		    const struct kind *kind)
{
	struct gw_model *model = reading->model;
	size_t *lines = gw_array_room(reading->line, model->node_count, sizeof(*lines));
	struct gw_model_node *nodes, *node;

	if (!lines)
		return gw_error_memory(reading->error);
	reading->line = lines;
	lines[model->node_count] = at;
	nodes = gw_array_room(model->node, model->node_count, sizeof(*nodes));
	if (!nodes)
		return gw_error_memory(reading->error);
	model->node = nodes;
	node = &nodes[model->node_count++];
	*node = (struct gw_model_node){
		.name = gw_strdup(name),
		.gpus = (uint32_t)kind->gpus,
		.cpus = (uint32_t)kind->cpus,
		.memory = kind->memory,
		.gpu_type = kind->gpu_type ? gw_strdup(kind->gpu_type) : NULL,
		.weight = (uint32_t)kind->weight,
		.shape = -1,
	};
	return node->name && (node->gpu_type || !kind->gpu_type) ? 0
								 : gw_error_memory(reading->error);
}

static int read_names(const struct gw_model_reading *reading, const struct gw_slurm_conf *conf,
		      size_t at, const char *key, const char *list, struct gw_strings *names)
{
	struct gw_error error = {0};

	if (!gw_hostlist_expand(list, GW_HOSTLIST_MAX, names, &error))
		return 0;
	return gw_model_fail(reading, gw_model_at_line(conf, at), "%s=%.128s: %s", key, list,
			     error.text);
}

static bool is_future(const struct gw_slurm_conf *slurm, size_t at)
{
	const char *state = gw_slurm_line_value(slurm, at, "State");

	return state && gw_same(state, "FUTURE");
}

static int read_line(struct gw_model_reading *reading, size_t at)
{
	const char *list = reading->slurm.line[at].record.pair[0].value;
	struct gw_strings names = {0};
	struct kind kind = {0};
	int failed;

	if (!reading->refused && is_future(&reading->slurm, at)) {
		gw_model_note(reading, gw_model_at_line(&reading->slurm, at),
			      "NodeName=%.64s: State=FUTURE nodes are left out", list);
		return 0;
	}
	failed = read_kind(reading, at, &kind) ||
		 read_names(reading, &reading->slurm, at, "NodeName", list, &names);
	if (!failed && !reading->refused &&
	    reading->model->node_count + names.count > GW_MODEL_NODES_MAX)
		failed = gw_model_fail(reading, gw_model_at_line(&reading->slurm, at),
				       "NodeName=%.64s: at most %d nodes are simulated", list,
				       GW_MODEL_NODES_MAX);
	for (size_t i = 0; !failed && i < names.count; i++)
		failed = add_node(reading, at, names.item[i], &kind);
	gw_strings_free(&names);
	free(kind.gpu_type);
	return failed ? -1 : 0;
}

static int compare_names(const void *a, const void *b, void *arg)
{
	const struct gw_model_node *node = arg;

	return strcmp(node[*(const size_t *)a].name, node[*(const size_t *)b].name);
}

static int sort_names(struct gw_model_reading *reading)
{
	const struct gw_model *model = reading->model;
	size_t *order = malloc(model->node_count * sizeof(*order));

	if (!order)
		return gw_error_memory(reading->error);
	reading->by_name = order;
	for (size_t i = 0; i < model->node_count; i++)
		order[i] = i;
	qsort_r(order, model->node_count, sizeof(*order), compare_names, model->node);
	for (size_t i = 1; i < model->node_count; i++)
		if (!strcmp(model->node[order[i - 1]].name, model->node[order[i]].name) &&
		    gw_model_fail(reading,
				  gw_model_at_line(&reading->slurm, reading->line[order[i]]),
				  "NodeName: %s has a line already", model->node[order[i]].name))
			return -1;
	return 0;
}

int gw_model_read_nodes(struct gw_model_reading *reading)
{
	const struct gw_slurm_conf *slurm = &reading->slurm;

	for (size_t i = 0; i < slurm->line_count; i++) {
		const struct gw_pair *first = &slurm->line[i].record.pair[0];

		if (gw_same(first->key, "NodeName") && !gw_same(first->value, "DEFAULT") &&
		    read_line(reading, i))
			return -1;
	}
	if (!reading->model->node_count && !reading->refused)
		return gw_error_set(reading->error, "%s: has no NodeName line with nodes",
				    slurm->files.item[0]);
	return sort_names(reading);
}

size_t gw_model_node_named(const struct gw_model_reading *reading, const char *name)
{
	size_t low = 0, high = reading->model->node_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		size_t node = reading->by_name[middle];
		int order = strcmp(name, reading->model->node[node].name);

		if (!order)
			return node;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return GW_NO_INDEX;
}

/* The NodeSet line of that name, or GW_NO_INDEX. */
static size_t find_set(const struct gw_slurm_conf *slurm, const char *name)
{
	for (size_t i = 0; i < slurm->line_count; i++) {
		const struct gw_pair *first = &slurm->line[i].record.pair[0];

		if (gw_same(first->key, "NodeSet") && !strcmp(first->value, name))
			return i;
	}
	return GW_NO_INDEX;
}

static bool has_feature(const struct gw_slurm_conf *slurm, size_t at, const char *feature)
{
	const char *features = gw_slurm_line_value(slurm, at, "Features");

	if (!features)
		features = gw_slurm_line_value(slurm, at, "Feature");
	return features && gw_list_has(features, feature);
}

/* slurmctld does not start with a partition of nodes that it has not (read_config.c, fatal). */
static int refuse_missing(const struct gw_model_reading *reading, struct gw_model_at at,
			  const char *key, const struct gw_strings *names)
{
	struct gw_str text = {0};
	int failed = 0;

	if (gw_slurm_missing(&reading->known, names, &text))
		failed = gw_model_fail(reading, at, "%s: %s", key, gw_str_text(&text));
	if (text.failed)
		failed = gw_error_memory(reading->error);
	gw_str_free(&text);
	return failed;
}

/* Names of nodes only; of future ones, which the model has not, nothing comes. */
static int mark_nodes(const struct gw_model_reading *reading, const struct gw_slurm_conf *conf,
		      size_t at, const char *key, const char *list, bool *has)
{
	struct gw_strings names = {0};
	int failed = read_names(reading, conf, at, key, list, &names);

	if (!failed && reading->names_known)
		failed = refuse_missing(reading, gw_model_at_line(conf, at), key, &names);
	for (size_t i = 0; !failed && i < names.count; i++) {
		size_t node = gw_model_node_named(reading, names.item[i]);

		if (node != GW_NO_INDEX)
			has[node] = true;
		else
			gw_model_note(reading, gw_model_at_line(conf, at),
				      "%s: there is no node %.64s", key, names.item[i]);
	}
	gw_strings_free(&names);
	return failed;
}

static int mark_set(const struct gw_model_reading *reading, size_t at, bool *has)
{
	const struct gw_slurm_conf *slurm = &reading->slurm;
	const char *nodes = gw_slurm_line_value(slurm, at, "Nodes");
	const char *feature = gw_slurm_line_value(slurm, at, "Feature");

	for (size_t i = 0; feature && i < reading->model->node_count; i++)
		if (has_feature(slurm, reading->line[i], feature))
			has[i] = true;
	return nodes ? mark_nodes(reading, slurm, at, "Nodes", nodes, has) : 0;
}

/* The end of the first item of a list of hosts: the next comma outside of brackets. */
static size_t item_length(const char *list)
{
	size_t length = 0;
	bool inside = false;

	for (; list[length] && (inside || list[length] != ','); length++)
		inside = list[length] == '[' || (inside && list[length] != ']');
	return length;
}

int gw_model_mark(const struct gw_model_reading *reading, const struct gw_slurm_conf *conf,
		  size_t at, const char *key, bool *has)
{
	const char *list = gw_slurm_line_value(conf, at, key);
	int failed = 0;

	if (list && gw_same(list, "ALL")) {
		for (size_t i = 0; i < reading->model->node_count; i++)
			has[i] = true;
		return 0;
	}
	while (list && *list && !failed) {
		size_t length = item_length(list);
		char *item = gw_strndup(list, length);
		size_t set = item ? find_set(&reading->slurm, item) : GW_NO_INDEX;

		if (!item)
			failed = gw_error_memory(reading->error);
		else if (set != GW_NO_INDEX)
			failed = mark_set(reading, set, has);
		else
			failed = mark_nodes(reading, conf, at, key, item, has);
		free(item);
		list += length + (list[length] == ',');
	}
	return failed;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "cluster_model.h"

#include <stdlib.h>
#include <string.h>

#include "../util/parse.h"
#include "../util/str.h"

#define NODES_MAX   65536
#define GPU_CPUS    16
#define GPU_MEMORY  (UINT64_C(128) << 10) /* MiB */
#define NODE_WEIGHT 1                     /* Slurm's own default */

/* Those of 22.05 and 24.11, which are the same. */
void gw_model_sched_default(struct gw_model_sched *sched)
{
	*sched = (struct gw_model_sched){
		.batch_sched_delay = 3,
		.sched_interval = 60,
		.default_queue_depth = 100,
		.bf_interval = 30,
		.bf_window = 86400,
		.bf_resolution = 60,
		.bf_max_job_test = 500,
		.bf_windows = true,
		.backfill = true,
	};
}

static int add_node(struct gw_model *model, uint32_t gpus, struct gw_error *error)
{
	struct gw_model_node *nodes = gw_array_room(model->node, model->node_count, sizeof(*nodes));
	struct gw_str name = {0};

	if (!nodes)
		return gw_error_memory(error);
	model->node = nodes;
	gw_str_appendf(&name, "n%zu", model->node_count);
	nodes[model->node_count] = (struct gw_model_node){
		.name = gw_str_take(&name),
		.gpus = gpus,
		.cpus = gpus * GPU_CPUS,
		.memory = gpus * GPU_MEMORY,
		.weight = NODE_WEIGHT,
		.shape = -1,
	};
	return nodes[model->node_count++].name ? 0 : gw_error_memory(error);
}

/* A number of 1 to most that is all of length bytes. */
static int read_number(const char *text, size_t length, uint64_t most, uint64_t *number)
{
	char *copy = gw_strndup(text, length);
	int failed = !copy || gw_parse_count(copy, number, NULL) || !*number || *number > most;

	free(copy);
	return failed ? -1 : 0;
}

/* "104x8" */
static int add_kind(struct gw_model *model, const char *text, struct gw_error *error)
{
	size_t x = strcspn(text, "xX");
	uint64_t nodes, gpus;

	if (!text[x] || read_number(text, x, NODES_MAX - model->node_count, &nodes) ||
	    read_number(text + x + 1, strlen(text + x + 1), GW_GPUS_MAX, &gpus))
		return gw_error_set(error,
				    "nodes \"%s\": must be nodes x GPUs a node, as 104x8; at "
				    "most %d nodes in all and %d GPUs a node",
				    text, NODES_MAX, GW_GPUS_MAX);
	for (uint64_t i = 0; i < nodes; i++)
		if (add_node(model, (uint32_t)gpus, error))
			return -1;
	return 0;
}

static int add_partition(struct gw_model *model, struct gw_error *error)
{
	struct gw_model_partition *partition = gw_array_room(NULL, 0, sizeof(*partition));

	if (!partition)
		return gw_error_memory(error);
	model->partition = partition;
	model->partition_count = 1;
	*partition = (struct gw_model_partition){
		.name = gw_strdup("main"),
		.has = malloc(model->node_count * sizeof(*partition->has)),
		.is_default = true,
		.max_time = GW_TIME_INFINITE,
		.default_time = GW_TIME_NONE,
		.tier = 1,
	};
	if (!partition->name || !partition->has)
		return gw_error_memory(error);
	for (size_t i = 0; i < model->node_count; i++)
		partition->has[i] = true;
	return 0;
}

int gw_model_of_text(const char *text, struct gw_model *model, struct gw_error *error)
{
	struct gw_strings kinds = {0};
	int failed = 0;

	*model = (struct gw_model){0};
	gw_model_sched_default(&model->sched);
	if (gw_strings_split(&kinds, text))
		failed = gw_error_memory(error);
	for (size_t i = 0; !failed && i < kinds.count; i++)
		failed = add_kind(model, kinds.item[i], error);
	gw_strings_free(&kinds);
	if (!failed && add_partition(model, error))
		failed = -1;
	if (failed)
		gw_model_free(model);
	return failed;
}

void gw_model_free(struct gw_model *model)
{
	for (size_t i = 0; i < model->node_count; i++) {
		free(model->node[i].name);
		free(model->node[i].gpu_type);
	}
	for (size_t i = 0; i < model->partition_count; i++) {
		free(model->partition[i].name);
		free(model->partition[i].has);
	}
	free(model->node);
	free(model->partition);
	free(model->shape);
	*model = (struct gw_model){0};
}

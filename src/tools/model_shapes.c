// SPDX-License-Identifier: GPL-2.0-or-later
/* gres.conf: how the GPUs of each node are linked. */
#include "model_impl.h"

#include <stdlib.h>
#include <string.h>

#include "../util/checksum.h"
#include "../util/hostlist.h"
#include "gres_shape.h"

/*
 * Nodes that the same lines of gres.conf name, in the same order, and that have as many GPUs and
 * cores, are alike: a shape is made for the first of them only.
 */
struct likeness {
	uint64_t *sum; /* by node: of all this */
	size_t *order; /* nodes, alike ones together */
};

/* NodeName= of a line of gres.conf, wherever in the line; NULL: it is for all nodes. */
static const char *names_of(const struct gw_slurm_conf *gres, size_t at)
{
	return gw_record_value(&gres->line[at].record, "NodeName");
}

static int sum_line(const struct gw_model_reading *reading, const struct gw_slurm_conf *gres,
		    size_t at, uint64_t *sum)
{
	const char *list = names_of(gres, at);
	struct gw_strings names = {0};
	struct gw_error error = {0};

	if (!list) {
		for (size_t i = 0; i < reading->model->node_count; i++)
			sum[i] = gw_checksum_add(sum[i], at + 1);
		return 0;
	}
	if (gw_hostlist_expand(list, GW_MODEL_NODES_MAX, &names, &error))
		return gw_model_fail(reading, gw_model_at_line(gres, at), "NodeName=%.128s: %s",
				     list, error.text);
	for (size_t i = 0; i < names.count; i++) {
		size_t node = gw_model_node_named(reading, names.item[i]);

		if (node != GW_NO_INDEX)
			sum[node] = gw_checksum_add(sum[node], at + 1);
	}
	gw_strings_free(&names);
	return 0;
}

static int compare_likeness(const void *a, const void *b, void *arg)
{
	const uint64_t *sum = arg;
	size_t x = *(const size_t *)a, y = *(const size_t *)b;

	if (sum[x] != sum[y])
		return sum[x] < sum[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int find_or_add(struct gw_model *model, const struct gw_shape_info *shape, int32_t *index,
		       struct gw_error *error)
{
	struct gw_shape_info *shapes;

	for (size_t i = 0; i < model->shape_count; i++) {
		if (!memcmp(&model->shape[i], shape, sizeof(*shape))) {
			*index = (int32_t)i;
			return 0;
		}
	}
	shapes = gw_array_room(model->shape, model->shape_count, sizeof(*shapes));
	if (!shapes)
		return gw_error_memory(error);
	model->shape = shapes;
	shapes[model->shape_count] = *shape;
	*index = (int32_t)model->shape_count++;
	return 0;
}

/* The shape of one node, or -1 where gres.conf does not tell or tells of other GPUs. */
static int shape_of(const struct gw_model_reading *reading, const struct gw_slurm_conf *gres,
		    size_t node, int32_t *index)
{
	struct gw_model *model = reading->model;
	struct gw_gres_cores cores = gw_gres_cores_of_line(&reading->slurm, reading->line[node]);
	struct gw_shape_info shape = {0};
	int result =
		gw_gres_shape_of_node(gres, model->node[node].name, &cores, &shape, reading->error);

	*index = -1;
	if (result)
		return result < 0 ? -1 : 0;
	if (shape.gpus != model->node[node].gpus) {
		gw_model_note(reading, gw_model_at_line(&reading->slurm, reading->line[node]),
			      "node %s has %u GPUs here and %u in gres.conf: their links are not "
			      "simulated",
			      model->node[node].name, model->node[node].gpus, shape.gpus);
		return 0;
	}
	return find_or_add(model, &shape, index, reading->error);
}

static uint64_t sum_node(const struct gw_model_reading *reading, size_t node)
{
	struct gw_gres_cores cores = gw_gres_cores_of_line(&reading->slurm, reading->line[node]);
	const uint32_t numbers[] = {reading->model->node[node].gpus, cores.sockets,
				    cores.per_socket, cores.threads};
	uint64_t sum = GW_CHECKSUM_START;

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sum = gw_checksum_add(sum, numbers[i]);
	return sum;
}

static int shape_all(const struct gw_model_reading *reading, const struct gw_slurm_conf *gres,
		     struct likeness *like)
{
	struct gw_model_node *nodes = reading->model->node;
	size_t count = reading->model->node_count;

	for (size_t i = 0; i < count; i++) {
		like->sum[i] = sum_node(reading, i);
		like->order[i] = i;
	}
	for (size_t i = 0; i < gres->line_count; i++)
		if (sum_line(reading, gres, i, like->sum))
			return -1;
	qsort_r(like->order, count, sizeof(*like->order), compare_likeness, like->sum);
	for (size_t i = 0; i < count; i++) {
		size_t node = like->order[i], before = i ? like->order[i - 1] : node;

		if (i && like->sum[node] == like->sum[before])
			nodes[node].shape = nodes[before].shape;
		else if (nodes[node].gpus && shape_of(reading, gres, node, &nodes[node].shape))
			return -1;
	}
	return 0;
}

static int read_shapes(const struct gw_model_reading *reading, const struct gw_slurm_conf *gres)
{
	size_t count = reading->model->node_count;
	struct likeness like = {calloc(count, sizeof(*like.sum)),
				calloc(count, sizeof(*like.order))};
	int failed = like.sum && like.order ? shape_all(reading, gres, &like)
					    : gw_error_memory(reading->error);

	free(like.sum);
	free(like.order);
	return failed;
}

int gw_model_read_shapes(struct gw_model_reading *reading)
{
	struct gw_slurm_conf gres;
	int found = gw_model_read_beside(reading, "gres.conf", &gres);
	int failed = found > 0 ? read_shapes(reading, &gres) : found;

	gw_slurm_conf_free(&gres);
	return failed;
}

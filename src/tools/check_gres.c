// SPDX-License-Identifier: GPL-2.0-or-later
/* gres.conf against slurm.conf, and against what hwloc says of the nodes with a shape. */
#include "check_gres.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util/checksum.h"
#include "../util/hostlist.h"

struct gres_files {
	const struct gw_check *check;
	const struct gw_slurm_conf *gres; /* NULL: there is none here */
	size_t of_lines;                  /* findings that there are of its lines as such */
	struct gw_topo_node **node;       /* by shape; NULL: not read yet, or can not be read */
	bool *tried;
};

/* Nodes of one NodeName line of slurm.conf. */
struct nodes {
	size_t at;
	struct gw_strings names;
	size_t *order; /* their indexes, sorted by name */
	uint64_t *sum; /* of the lines of gres.conf and the shapes that name the node */
	struct gw_gres_cores cores;
	uint64_t wanted;
};

static const struct gw_topo_node *shape_node(struct gres_files *files, const char *name)
{
	const struct gw_conf *conf = files->check->conf;
	struct gw_error error = {0};

	for (size_t i = 0; conf && i < conf->shape_count; i++) {
		const struct gw_shape *shape = &conf->shapes[i];

		if (!shape->hwloc || !gw_strings_have(&shape->node, name))
			continue;
		/* What can not be read is told by the check of shapes. */
		if (!files->tried[i]) {
			files->tried[i] = true;
			files->node[i] = calloc(1, sizeof(**files->node));
			if (!files->node[i])
				files->check->findings->failed = true;
			else if (gw_topo_node_read(shape->hwloc, files->node[i], &error)) {
				free(files->node[i]);
				files->node[i] = NULL;
			}
		}
		return files->node[i];
	}
	return NULL;
}

void gw_check_say(const struct gw_check_node *node, enum gw_severity severity,
		  const struct gw_slurm_line *line, struct gw_str *text)
{
	int number = line->record.pair[0].line;

	if (text->failed)
		node->check->findings->failed = true;
	else if (!gw_findings_have(node->check->findings, node->check->findings->count, line->file,
				   number, gw_str_text(text)))
		gw_findings_add(node->check->findings, severity, line->file, number, "%s",
				gw_str_text(text));
	gw_str_free(text);
}

/* Adds those that were not said already. */
static void say_all(const struct gw_check *check, const struct gw_findings *found)
{
	struct gw_findings *findings = check->findings;

	findings->failed = findings->failed || found->failed;
	for (size_t i = 0; !findings->failed && i < found->count; i++) {
		const struct gw_finding *one = &found->item[i];

		if (!gw_findings_have(findings, findings->count, one->file, one->line, one->text))
			gw_findings_add(findings, one->severity, one->file, one->line, "%s",
					one->text);
	}
}

/* The text of an error begins with its place. */
static void say_error(const struct gw_check *check, const char *file, const struct gw_error *error)
{
	struct gw_findings found = {0};

	gw_findings_add_error(&found, file, error->text);
	say_all(check, &found);
	gw_findings_free(&found);
}

/* False: not all lines of the node could be read, or which nodes they are for. */
static bool find_gpus(const struct gres_files *files, const struct gw_check_node *node,
		      struct gw_gres_gpus *gpus)
{
	struct gw_findings found = {0};
	bool all;

	gw_gres_gpus_of_node(files->gres, node->name, &found, gpus, NULL);
	all = !found.failed && !found.count;
	say_all(files->check, &found);
	gw_findings_free(&found);
	return all;
}

/* What is wrong in a line as such has been told: no more is known of its GPUs. */
static bool lines_are_good(const struct gres_files *files, const struct gw_gres_gpus *gpus)
{
	for (size_t i = 0; i < gpus->count; i++) {
		const struct gw_slurm_line *line = gpus->item[i].line;

		if (gw_findings_have(files->check->findings, files->of_lines, line->file,
				     line->record.pair[0].line, NULL))
			return false;
	}
	return true;
}

/* All that needs gres.conf: Cores= are held against the node's true cores, or not at all. */
static void check_gpus(const struct gres_files *files, struct gw_check_node *node,
		       struct gw_gres_gpus *gpus)
{
	struct gw_shape_info shape;
	struct gw_error error = {0};
	bool all = find_gpus(files, node, gpus), fit;
	int rc = 1;

	if (all && lines_are_good(files, gpus) && !gw_check_refusals(node))
		gw_check_count(node);
	gw_check_placement(node);
	if (!gw_check_hwloc_cores(node))
		return;
	fit = gw_check_cores(node);
	if (!all)
		return;
	if (fit)
		rc = gw_gres_shape(gpus, &node->cores, &shape, &error);
	if (rc < 0)
		say_error(files->check, files->gres->files.item[0], &error);
	else if (node->hwloc && gpus->count)
		gw_check_hwloc(node, rc ? NULL : &shape);
}

static void check_kind(struct gres_files *files, const struct nodes *nodes, const char *name)
{
	struct gw_gres_gpus gpus = {0};
	struct gw_check_node node = {
		.check = files->check,
		.name = name,
		.line = &files->check->slurm->line[nodes->at],
		.gres = gw_slurm_line_value(files->check->slurm, nodes->at, "Gres"),
		.wanted = nodes->wanted,
		.cores = nodes->cores,
		.gpus = &gpus,
		.hwloc = shape_node(files, name)};

	if (files->gres)
		check_gpus(files, &node, &gpus);
	else
		gw_check_placement(&node);
	if (node.hwloc)
		gw_check_hwloc_node(&node);
	gw_gres_gpus_free(&gpus);
}

static int compare_names(const void *a, const void *b, void *arg)
{
	char *const *name = arg;

	return strcmp(name[*(const size_t *)a], name[*(const size_t *)b]);
}

static void sum_name(struct nodes *nodes, const char *name, size_t number)
{
	size_t low = 0, high = nodes->names.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		size_t node = nodes->order[middle];
		int order = strcmp(name, nodes->names.item[node]);

		if (!order) {
			nodes->sum[node] = gw_checksum_add(nodes->sum[node], number + 1);
			return;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
}

/* A list that can not be read is told where GPUs are looked for. */
static void sum_list(struct nodes *nodes, const char *list, size_t number)
{
	struct gw_strings names = {0};

	if (gw_hostlist_expand(list, GW_HOSTLIST_MAX, &names, NULL))
		return;
	for (size_t i = 0; i < names.count; i++)
		sum_name(nodes, names.item[i], number);
	gw_strings_free(&names);
}

static void sum_all(const struct gres_files *files, struct nodes *nodes)
{
	const struct gw_conf *conf = files->check->conf;
	size_t lines = files->gres ? files->gres->line_count : 0;

	for (size_t i = 0; i < nodes->names.count; i++) {
		nodes->order[i] = i;
		nodes->sum[i] = GW_CHECKSUM_START;
	}
	qsort_r(nodes->order, nodes->names.count, sizeof(*nodes->order), compare_names,
		nodes->names.item);
	for (size_t i = 0; i < lines; i++) {
		const struct gw_pair *pair = &files->gres->line[i].record.pair[0];

		if (gw_same(pair->key, "NodeName"))
			sum_list(nodes, pair->value, i);
	}
	for (size_t i = 0; conf && i < conf->shape_count; i++)
		sum_list(nodes, conf->shapes[i].nodes, lines + i);
}

/* Nodes that the same lines and shapes name are alike: the first of them is checked. */
static void check_nodes(struct gres_files *files, struct nodes *nodes)
{
	sum_all(files, nodes);
	for (size_t i = 0; i < nodes->names.count; i++) {
		size_t k = 0;

		while (nodes->sum[k] != nodes->sum[i])
			k++;
		if (k == i)
			check_kind(files, nodes, nodes->names.item[i]);
	}
}

/* Of a line that has been found to be wrong nothing is known. */
static void check_line(struct gres_files *files, size_t at)
{
	const struct gw_check *check = files->check;
	const struct gw_slurm_line *text = &check->slurm->line[at];
	const struct gw_pair *pair = &text->record.pair[0];
	const char *gres = gw_slurm_line_value(check->slurm, at, "Gres");
	struct nodes nodes = {.at = at, .wanted = gres ? gw_gres_count(gres, "gpu") : 0};

	if (!gw_same(pair->key, "NodeName") || gw_same(pair->value, "DEFAULT") || !nodes.wanted ||
	    gw_findings_have(check->findings, check->findings->count, text->file, pair->line, NULL))
		return;
	if (gw_hostlist_expand(pair->value, GW_HOSTLIST_MAX, &nodes.names, NULL))
		return;
	nodes.cores = gw_gres_cores_of_line(check->slurm, at);
	nodes.order = calloc(nodes.names.count + 1, sizeof(*nodes.order));
	nodes.sum = calloc(nodes.names.count + 1, sizeof(*nodes.sum));
	if (nodes.order && nodes.sum)
		check_nodes(files, &nodes);
	else
		check->findings->failed = true;
	free(nodes.order);
	free(nodes.sum);
	gw_strings_free(&nodes.names);
}

static void check_file(const struct gw_check *check, const struct gw_slurm_conf *gres)
{
	size_t shapes = check->conf ? check->conf->shape_count : 0;
	struct gres_files files = {.check = check, .gres = gres};

	if (gres)
		gw_check_gres_lines(check, gres);
	files.of_lines = check->findings->count;
	files.node = calloc(shapes + 1, sizeof(*files.node));
	files.tried = calloc(shapes + 1, sizeof(*files.tried));
	if (files.node && files.tried)
		for (size_t i = 0; i < check->slurm->line_count; i++)
			check_line(&files, i);
	else
		check->findings->failed = true;
	for (size_t i = 0; files.node && i < shapes; i++)
		free(files.node[i]);
	free(files.node);
	free(files.tried);
}

void gw_check_gres(const struct gw_check *check, const char *given)
{
	char *path = gw_slurm_beside(check->slurm->files.item[0], given, "gres.conf");
	struct gw_slurm_conf gres = {0};
	struct gw_error error = {0};

	if (!path)
		check->findings->failed = true;
	else if (given || !access(path, F_OK)) {
		if (gw_slurm_conf_read(path, &gres, check->findings, &error))
			gw_findings_add_error(check->findings, path, error.text);
		else
			check_file(check, &gres);
	} else {
		check_file(check, NULL);
	}
	gw_slurm_conf_free(&gres);
	free(path);
}

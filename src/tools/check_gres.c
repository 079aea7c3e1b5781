// SPDX-License-Identifier: GPL-2.0-or-later
/* gres.conf against slurm.conf, and against what hwloc says of the nodes with a shape. */
#include "check_gres.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util/hostlist.h"

#define NODES_MAX 65536
#define FNV_START UINT64_C(14695981039346656037)
#define FNV_PRIME UINT64_C(1099511628211)

struct checking {
	const struct gw_check *check;
	const struct gw_slurm_conf *gres; /* NULL: there is none here */
	size_t of_lines;                  /* findings that there are of its lines as such */
	struct gw_topo_node **node;       /* by shape; NULL: not read yet, or can not be read */
	bool *tried;
};

/* Nodes of one NodeName line of slurm.conf. */
struct line {
	size_t at;
	struct gw_strings names;
	size_t *order; /* their indexes, sorted by name */
	uint64_t *sum; /* of the lines of gres.conf and the shapes that name the node (FNV-1a) */
	struct gw_gres_cores cores;
	uint64_t wanted;
};

static bool has_name(const struct gw_strings *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->item[i], name))
			return true;
	return false;
}

static const struct gw_topo_node *shape_node(struct checking *checking, const char *name)
{
	const struct gw_conf *conf = checking->check->conf;
	struct gw_error error = {0};

	for (size_t i = 0; conf && i < conf->shape_count; i++) {
		const struct gw_shape *shape = &conf->shapes[i];

		if (!shape->hwloc || !has_name(&shape->node, name))
			continue;
		/* What can not be read is told by the check of shapes. */
		if (!checking->tried[i]) {
			checking->tried[i] = true;
			checking->node[i] = calloc(1, sizeof(**checking->node));
			if (!checking->node[i])
				checking->check->findings->failed = true;
			else if (gw_topo_node_read(shape->hwloc, checking->node[i], &error)) {
				free(checking->node[i]);
				checking->node[i] = NULL;
			}
		}
		return checking->node[i];
	}
	return NULL;
}

/* Among the first count of them. */
static bool said_before(const struct gw_findings *findings, size_t count, const char *file,
			int line, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (findings->item[i].line == line && findings->item[i].file &&
		    findings->item[i].text && !strcmp(findings->item[i].file, file) &&
		    !strcmp(findings->item[i].text, text))
			return true;
	return false;
}

void gw_check_say(const struct gw_check_node *node, enum gw_severity severity,
		  const struct gw_slurm_line *line, struct gw_str *text)
{
	int number = line->record.pair[0].line;

	if (text->failed)
		node->check->findings->failed = true;
	else if (!said_before(node->check->findings, node->check->findings->count, line->file,
			      number, gw_str_text(text)))
		gw_findings_add(node->check->findings, severity, line->file, number, "%s",
				gw_str_text(text));
	gw_str_free(text);
}

/* The text of an error begins with its place. */
static void say_error(const struct gw_check_node *node, const char *file,
		      const struct gw_error *error)
{
	struct gw_findings *findings = node->check->findings;
	size_t before = findings->count;
	struct gw_finding *last;

	gw_findings_add_error(findings, file, error->text);
	last = &findings->item[before];
	if (findings->failed || !said_before(findings, before, last->file, last->line, last->text))
		return;
	free(last->file);
	free(last->text);
	findings->count = before;
}

/* What is wrong in a line as such has been told: no more is known of its GPUs. */
static bool lines_are_good(const struct checking *checking, const struct gw_gres_gpus *gpus)
{
	for (size_t i = 0; i < gpus->count; i++) {
		const struct gw_slurm_line *line = gpus->item[i].line;

		if (gw_findings_has_error(checking->check->findings, checking->of_lines, line->file,
					  line->record.pair[0].line))
			return false;
	}
	return true;
}

/* All that needs gres.conf. Without the node's true cores Cores= would be held against wrong ones.
 */
static void check_gpus(const struct checking *checking, struct gw_check_node *node,
		       struct gw_gres_gpus *gpus)
{
	const char *file = checking->gres->files.item[0];
	struct gw_shape_info shape;
	struct gw_error error = {0};
	int rc = 1;

	if (gw_gres_gpus_of_node(checking->gres, node->name, gpus, &error)) {
		say_error(node, file, &error);
		return;
	}
	if (lines_are_good(checking, gpus) && !gw_check_refused(node))
		gw_check_count(node);
	gw_check_placement(node);
	if (!gw_check_hwloc_cores(node))
		return;
	if (gw_check_cores(node))
		rc = gw_gres_shape(gpus, &node->cores, &shape, &error);
	if (rc < 0)
		say_error(node, file, &error);
	else if (node->hwloc && gpus->count)
		gw_check_hwloc(node, rc ? NULL : &shape);
}

static void check_node(struct checking *checking, const struct line *line, const char *name)
{
	struct gw_gres_gpus gpus = {0};
	struct gw_check_node node = {
		.check = checking->check,
		.name = name,
		.line = &checking->check->slurm->line[line->at],
		.gres = gw_slurm_line_value(checking->check->slurm, line->at, "Gres"),
		.wanted = line->wanted,
		.cores = line->cores,
		.gpus = &gpus,
		.hwloc = shape_node(checking, name)};

	if (checking->gres)
		check_gpus(checking, &node, &gpus);
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

static void sum_name(struct line *line, const char *name, size_t number)
{
	size_t low = 0, high = line->names.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		size_t node = line->order[middle];
		int order = strcmp(name, line->names.item[node]);

		if (!order) {
			line->sum[node] = (line->sum[node] ^ (number + 1)) * FNV_PRIME;
			return;
		}
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
}

/* A list that can not be read is told where GPUs are looked for. */
static void sum_list(struct line *line, const char *list, size_t number)
{
	struct gw_strings names = {0};

	if (gw_hostlist_expand(list, NODES_MAX, &names, NULL))
		return;
	for (size_t i = 0; i < names.count; i++)
		sum_name(line, names.item[i], number);
	gw_strings_free(&names);
}

static void sum_all(const struct checking *checking, struct line *line)
{
	const struct gw_conf *conf = checking->check->conf;
	size_t lines = checking->gres ? checking->gres->line_count : 0;

	for (size_t i = 0; i < line->names.count; i++) {
		line->order[i] = i;
		line->sum[i] = FNV_START;
	}
	qsort_r(line->order, line->names.count, sizeof(*line->order), compare_names,
		line->names.item);
	for (size_t i = 0; i < lines; i++) {
		const struct gw_pair *pair = &checking->gres->line[i].record.pair[0];

		if (gw_same(pair->key, "NodeName"))
			sum_list(line, pair->value, i);
	}
	for (size_t i = 0; conf && i < conf->shape_count; i++)
		sum_list(line, conf->shapes[i].nodes, lines + i);
}

/* Nodes that the same lines and shapes name are alike: the first of them is checked. */
static void check_kinds(struct checking *checking, struct line *line)
{
	sum_all(checking, line);
	for (size_t i = 0; i < line->names.count; i++) {
		size_t k = 0;

		while (line->sum[k] != line->sum[i])
			k++;
		if (k == i)
			check_node(checking, line, line->names.item[i]);
	}
}

/* Of a line that has been found to be wrong nothing is known. */
static void check_line(struct checking *checking, size_t at)
{
	const struct gw_check *check = checking->check;
	const struct gw_slurm_line *text = &check->slurm->line[at];
	const struct gw_pair *pair = &text->record.pair[0];
	const char *gres = gw_slurm_line_value(check->slurm, at, "Gres");
	struct line line = {.at = at, .wanted = gres ? gw_gres_count(gres, "gpu") : 0};

	if (!gw_same(pair->key, "NodeName") || gw_same(pair->value, "DEFAULT") || !line.wanted ||
	    gw_findings_has_error(check->findings, check->findings->count, text->file, pair->line))
		return;
	if (gw_hostlist_expand(pair->value, NODES_MAX, &line.names, NULL))
		return;
	line.cores = gw_gres_cores_of_line(check->slurm, at);
	line.order = calloc(line.names.count + 1, sizeof(*line.order));
	line.sum = calloc(line.names.count + 1, sizeof(*line.sum));
	if (line.order && line.sum)
		check_kinds(checking, &line);
	else
		check->findings->failed = true;
	free(line.order);
	free(line.sum);
	gw_strings_free(&line.names);
}

static void check_file(const struct gw_check *check, const struct gw_slurm_conf *gres)
{
	size_t shapes = check->conf ? check->conf->shape_count : 0;
	struct checking checking = {.check = check, .gres = gres};

	if (gres)
		gw_check_gres_lines(check, gres);
	checking.of_lines = check->findings->count;
	checking.node = calloc(shapes + 1, sizeof(*checking.node));
	checking.tried = calloc(shapes + 1, sizeof(*checking.tried));
	if (checking.node && checking.tried)
		for (size_t i = 0; i < check->slurm->line_count; i++)
			check_line(&checking, i);
	else
		check->findings->failed = true;
	for (size_t i = 0; checking.node && i < shapes; i++)
		free(checking.node[i]);
	free(checking.node);
	free(checking.tried);
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

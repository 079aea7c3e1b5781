// SPDX-License-Identifier: GPL-2.0-or-later
/* gres.conf against slurm.conf, and against what hwloc says of the nodes with a shape. */
#include "check_gres.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util/hostlist.h"

#define NODES_MAX 65536
/* From here on (as far as it was read) slurmctld drains nodes whose Cores= are no whole sockets. */
#define WHOLE_SOCKETS_SINCE GW_SLURM_VERSION(24, 11, 0)

struct checking {
	const struct gw_check *check;
	const struct gw_slurm_conf *gres;
	struct gw_topo_node **node; /* by shape; NULL: not read yet, or can not be read */
	bool *tried;
};

/* Nodes of one NodeName line of slurm.conf. */
struct line {
	size_t at;
	struct gw_strings names;
	struct gw_gres_cores cores;
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

/* One finding for all GPUs of a line. False when they are no cores of the node at all. */
static bool check_cores(const struct gw_check_node *node, const struct gw_gres_gpu *gpu)
{
	uint32_t cores = node->cores.sockets * node->cores.per_socket;
	uint8_t *marked = calloc(cores, 1);
	char right[GW_TOPO_CORES_SIZE];
	struct gw_str text = {0};
	bool are_cores = true;

	if (!marked) {
		node->check->findings->failed = true;
		return false;
	}
	if (gw_topo_cores_of_threads(gpu->cores, cores, node->cores.threads, right, sizeof(right)))
		gw_str_appendf(&text,
			       "Cores=%s: these are thread numbers, node %s has cores 0-%u: write "
			       "Cores=%s",
			       gpu->cores, node->name, cores - 1, right);
	else if (!(are_cores = gw_topo_mark_list(gpu->cores, cores, marked)))
		gw_str_appendf(
			&text,
			"Cores=%s: must be a list such as 0-15,32-47; node %s has cores 0-%u",
			gpu->cores, node->name, cores - 1);
	else if (node->check->slurm_version >= WHOLE_SOCKETS_SINCE &&
		 !gw_topo_fills_sockets(gpu->cores, node->cores.sockets, node->cores.per_socket))
		gw_str_appendf(
			&text,
			"Cores=%s: no whole sockets of %u cores, for which slurmctld drains node "
			"%s: see gangway topo --gres",
			gpu->cores, node->cores.per_socket, node->name);
	if (text.length || text.failed)
		gw_check_say(node, GW_ERROR, gpu->line, &text);
	free(marked);
	return are_cores;
}

static void check_count(const struct gw_check_node *node)
{
	struct gw_str text = {0};

	if (node->gpus->detected || !node->gpus->count || node->gpus->count == node->wanted)
		return;
	gw_str_appendf(&text, "node %s: gres.conf has %zu GPUs, its Gres= in slurm.conf %llu",
		       node->name, node->gpus->count, (unsigned long long)node->wanted);
	gw_check_say(node, GW_WARNING, node->line, &text);
}

/* The plugins leave such a node out of what they prefer (plugins/common/preference_nodes.c). */
static void check_placement(const struct gw_check_node *node)
{
	uint64_t gpus = node->wanted > node->gpus->count ? node->wanted : node->gpus->count;
	struct gw_str text = {0};

	if (gpus <= GW_GPUS_MAX)
		return;
	gw_str_appendf(
		&text,
		"node %s has %llu GPUs or slices, more than %d: jobs go to other nodes first, "
		"and which of its GPUs and cores they get is left to Slurm",
		node->name, (unsigned long long)gpus, GW_GPUS_MAX);
	gw_check_say(node, GW_NOTE, node->line, &text);
}

static void check_node(struct checking *checking, const struct line *line, const char *name,
		       uint64_t wanted)
{
	struct gw_gres_gpus gpus;
	struct gw_check_node node = {.check = checking->check,
				     .name = name,
				     .line = &checking->check->slurm->line[line->at],
				     .wanted = wanted,
				     .cores = line->cores,
				     .gpus = &gpus,
				     .hwloc = shape_node(checking, name)};
	struct gw_shape_info shape;
	struct gw_error error = {0};
	const char *file = checking->gres->files.item[0];
	bool are_cores = true;
	int rc = 1;

	if (gw_gres_gpus_of_node(checking->gres, name, &gpus, &error)) {
		say_error(&node, file, &error);
		gw_gres_gpus_free(&gpus);
		return;
	}
	check_count(&node);
	check_placement(&node);
	for (size_t i = 0; i < gpus.count; i++)
		if (gpus.item[i].cores && !check_cores(&node, &gpus.item[i]))
			are_cores = false;
	if (are_cores)
		rc = gw_gres_shape(&gpus, &line->cores, &shape, &error);
	if (rc < 0)
		say_error(&node, file, &error);
	else if (node.hwloc && gpus.count)
		gw_check_hwloc(&node, rc ? NULL : &shape);
	gw_gres_gpus_free(&gpus);
}

/* The first node that both lists name, unless the one checked already is one of them. */
static const char *first_common(const struct line *line, const char *list)
{
	struct gw_strings names = {0};
	const char *common = NULL;

	if (gw_hostlist_expand(list, NODES_MAX, &names, NULL))
		return NULL;
	for (size_t i = 0; !common && i < line->names.count; i++)
		if (has_name(&names, line->names.item[i]))
			common = line->names.item[i];
	gw_strings_free(&names);
	return common == line->names.item[0] ? NULL : common;
}

/* Not every node: the first, and the first for each line that is for some nodes only. */
static void check_some_nodes(struct checking *checking, const struct line *line, uint64_t wanted)
{
	const struct gw_conf *conf = checking->check->conf;
	const char *name;

	check_node(checking, line, line->names.item[0], wanted);
	for (size_t i = 0; i < checking->gres->line_count; i++) {
		const struct gw_pair *pair = &checking->gres->line[i].record.pair[0];

		if (!gw_same(pair->key, "NodeName"))
			continue;
		name = first_common(line, pair->value);
		if (name)
			check_node(checking, line, name, wanted);
	}
	for (size_t i = 0; conf && i < conf->shape_count; i++) {
		name = first_common(line, conf->shapes[i].nodes);
		if (name)
			check_node(checking, line, name, wanted);
	}
}

static void check_lines(struct checking *checking)
{
	const struct gw_slurm_conf *slurm = checking->check->slurm;

	for (size_t i = 0; i < slurm->line_count; i++) {
		const struct gw_pair *pair = &slurm->line[i].record.pair[0];
		const char *gres = gw_slurm_line_value(slurm, i, "Gres");
		struct line line = {.at = i, .cores = gw_gres_cores_of_line(slurm, i)};
		uint64_t wanted = gres ? gw_gres_count(gres, "gpu") : 0;

		if (!gw_same(pair->key, "NodeName") || gw_same(pair->value, "DEFAULT") || !wanted ||
		    gw_hostlist_expand(pair->value, NODES_MAX, &line.names, NULL))
			continue;
		if (line.names.count)
			check_some_nodes(checking, &line, wanted);
		gw_strings_free(&line.names);
	}
}

static void check_file(const struct gw_check *check, const struct gw_slurm_conf *gres)
{
	size_t shapes = check->conf ? check->conf->shape_count : 0;
	struct checking checking = {.check = check, .gres = gres};

	checking.node = calloc(shapes + 1, sizeof(*checking.node));
	checking.tried = calloc(shapes + 1, sizeof(*checking.tried));
	if (checking.node && checking.tried)
		check_lines(&checking);
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
	}
	gw_slurm_conf_free(&gres);
	free(path);
}

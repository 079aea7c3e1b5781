// SPDX-License-Identifier: GPL-2.0-or-later
/* topology.conf: the switch or block that each node is on. */
#include "model_impl.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NO_DOMAIN UINT32_MAX

static bool is_none(const char *plugin)
{
	return gw_same(plugin, "topology/none") || gw_same(plugin, "topology/default");
}

/* The key that begins the lines this plugin reads, or NULL. */
static const char *line_key(const char *plugin)
{
	if (gw_same(plugin, "topology/tree"))
		return "SwitchName";
	return gw_same(plugin, "topology/block") ? "BlockName" : NULL;
}

/* Nodes that one line names become a domain, those a smaller one has already excepted. */
static void take_nodes(struct gw_model *model, const bool *has, uint32_t domain, size_t *sizes)
{
	size_t size = 0;

	for (size_t i = 0; i < model->node_count; i++)
		size += has[i];
	sizes[domain] = size;
	for (size_t i = 0; i < model->node_count; i++) {
		uint32_t now = model->node[i].domain;

		if (has[i] && (now == NO_DOMAIN || size < sizes[now]))
			model->node[i].domain = domain;
	}
}

static int read_lines(const struct gw_model_reading *reading, const struct gw_slurm_conf *topology,
		      const char *key, bool *has, size_t *sizes, uint32_t *domains)
{
	struct gw_model *model = reading->model;

	for (size_t i = 0; i < topology->line_count; i++) {
		if (!gw_same(topology->line[i].record.pair[0].key, key) ||
		    !gw_slurm_line_value(topology, i, "Nodes"))
			continue;
		memset(has, 0, model->node_count * sizeof(*has));
		if (gw_model_mark(reading, topology, i, "Nodes", has))
			return -1;
		take_nodes(model, has, (*domains)++, sizes);
	}
	return 0;
}

/* Nodes of no line are far from all others and near each other, one more domain. */
static void finish(const struct gw_model_reading *reading, const char *file, uint32_t domains)
{
	struct gw_model *model = reading->model;
	size_t without = 0;

	for (size_t i = 0; i < model->node_count; i++) {
		if (model->node[i].domain != NO_DOMAIN)
			continue;
		model->node[i].domain = domains;
		without++;
	}
	if (without)
		gw_model_note(reading, (struct gw_model_at){file, 0},
			      "%zu nodes are on no switch or block: taken as one more", without);
}

static int read_topology(const struct gw_model_reading *reading,
			 const struct gw_slurm_conf *topology, const char *key)
{
	struct gw_model *model = reading->model;
	bool *has = calloc(model->node_count, sizeof(*has));
	size_t *sizes = calloc(topology->line_count + 1, sizeof(*sizes));
	uint32_t domains = 0;
	int failed;

	for (size_t i = 0; i < model->node_count; i++)
		model->node[i].domain = NO_DOMAIN;
	failed = has && sizes ? read_lines(reading, topology, key, has, sizes, &domains)
			      : gw_error_memory(reading->error);
	if (!failed)
		finish(reading, topology->files.item[0], domains);
	free(has);
	free(sizes);
	return failed;
}

/* The file that Slurm 25.05 reads in place of topology.conf. */
static int note_yaml(const struct gw_model_reading *reading)
{
	char *path = gw_slurm_beside(reading->slurm.files.item[0], NULL, "topology.yaml");

	if (!path)
		return gw_error_memory(reading->error);
	if (!access(path, F_OK))
		gw_model_note(reading, (struct gw_model_at){path, 0},
			      "is not supported: topology.conf is read");
	free(path);
	return 0;
}

int gw_model_read_domains(struct gw_model_reading *reading)
{
	const struct gw_setting *setting = gw_slurm_setting(&reading->slurm, "TopologyPlugin");
	const char *key = setting ? line_key(setting->value) : NULL;
	struct gw_slurm_conf topology;
	int result;

	if (note_yaml(reading))
		return -1;
	if (setting && !key && !is_none(setting->value))
		gw_model_note(
			reading, gw_model_at_setting(setting),
			"TopologyPlugin=%.64s is not simulated: all nodes are near each other",
			setting->value);
	if (!key)
		return 0;
	result = gw_model_read_beside(reading, "topology.conf", &topology);
	if (!result)
		gw_model_note(reading, gw_model_at_setting(setting),
			      "there is no topology.conf beside: all nodes are near each other");
	else if (result > 0)
		result = read_topology(reading, &topology, key);
	gw_slurm_conf_free(&topology);
	return result;
}

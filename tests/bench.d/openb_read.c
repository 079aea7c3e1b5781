// SPDX-License-Identifier: GPL-2.0-or-later
/* The trace's tables of nodes and pods. */
#include "openb.h"

#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 16

struct table {
	FILE *file;
	const char *path;
	char line[512];
	char *field[FIELDS_MAX];
	size_t fields;
	size_t lines;
};

static bool complain(const struct table *table, const char *text)
{
	fprintf(stderr, "openb: %s, line %zu: %s\n", table->path, table->lines, text);
	return false;
}

static bool next_line(struct table *table)
{
	char *rest = table->line;

	if (!fgets(table->line, sizeof(table->line), table->file))
		return false;
	table->lines++;
	table->line[strcspn(table->line, "\r\n")] = '\0';
	for (table->fields = 0; rest && table->fields < FIELDS_MAX; table->fields++)
		table->field[table->fields] = strsep(&rest, ",");
	return true;
}

static bool open_table(struct table *table, const char *path)
{
	*table = (struct table){.file = fopen(path, "r"), .path = path};
	if (!table->file) {
		perror(path);
		return false;
	}
	return next_line(table) || complain(table, "no header");
}

static bool number(const struct table *table, size_t field, uint32_t *value)
{
	unsigned long read;
	char *end;

	if (field >= table->fields)
		return complain(table, "too few fields");
	read = strtoul(table->field[field], &end, 10);
	if (end == table->field[field] || *end || read > UINT32_MAX)
		return complain(table, "not a number");
	*value = (uint32_t)read;
	return true;
}

/* Bits of the models in "A|B"; 0 on failure and for none. */
static uint32_t models_of(struct openb_models *models, char *names)
{
	uint32_t bits = 0, i;

	for (char *name; (name = strsep(&names, "|"));) {
		if (!*name)
			continue;
		for (i = 0; i < models->count && strcmp(models->name[i], name); i++)
			;
		if (i == models->count) {
			if (i == 32 || strlen(name) >= sizeof(*models->name))
				return 0;
			strcpy(models->name[models->count++], name);
		}
		bits |= UINT32_C(1) << i;
	}
	return bits;
}

/* sn,cpu_milli,memory_mib,gpu,model */
static bool read_node(struct table *table, struct openb_models *models, struct openb_node *node)
{
	*node = (struct openb_node){0};
	if (!number(table, 1, &node->cpu) || !number(table, 2, &node->memory) ||
	    !number(table, 3, &node->gpus))
		return false;
	if (table->fields < 5 || node->gpus > OPENB_GPUS)
		return complain(table, "no model, or too many GPUs");
	node->model = models_of(models, table->field[4]);
	node->cpu_all = node->cpu;
	node->memory_all = node->memory;
	for (uint32_t i = 0; i < node->gpus; i++)
		node->left[i] = OPENB_WHOLE;
	return true;
}

bool openb_read_nodes(const char *path, struct openb_models *models, struct openb_cluster *cluster)
{
	struct openb_node *grown, node;
	struct table table;
	bool good = open_table(&table, path);

	*cluster = (struct openb_cluster){0};
	while (good && next_line(&table)) {
		grown = realloc(cluster->node, (cluster->count + 1) * sizeof(node));
		good = grown ? read_node(&table, models, &node) : complain(&table, "no memory");
		cluster->node = grown ? grown : cluster->node;
		if (!good)
			break;
		cluster->node[cluster->count++] = node;
		cluster->gpus += (uint64_t)node.gpus * OPENB_WHOLE;
	}
	if (table.file)
		fclose(table.file);
	return good && (cluster->gpus || complain(&table, "no GPUs"));
}

bool openb_pods_add(struct openb_pods *pods, const struct openb_pod *pod)
{
	if (pods->count == pods->room) {
		size_t room = 2 * pods->room + 64;
		struct openb_pod *grown = realloc(pods->pod, room * sizeof(*grown));

		if (!grown) {
			fputs("openb: out of memory\n", stderr);
			return false;
		}
		pods->pod = grown;
		pods->room = room;
	}
	pods->pod[pods->count++] = *pod;
	return true;
}

/* name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,..] */
static bool read_pod(struct table *table, struct openb_models *models, struct openb_pod *pod)
{
	*pod = (struct openb_pod){0};
	if (!number(table, 1, &pod->cpu) || !number(table, 2, &pod->memory) ||
	    !number(table, 3, &pod->gpus) || !number(table, 4, &pod->part))
		return false;
	if (pod->gpus && !pod->part)
		return complain(table, "GPUs, but no part of them");
	if (pod->part > OPENB_WHOLE)
		pod->part = OPENB_WHOLE;
	if (!pod->gpus)
		pod->part = 0;
	else if (table->fields > 5)
		pod->models = models_of(models, table->field[5]);
	return true;
}

bool openb_read_pods(const char *path, struct openb_models *models, struct openb_pods *pods)
{
	struct openb_pod pod;
	struct table table;
	bool good = open_table(&table, path);

	*pods = (struct openb_pods){0};
	while (good && next_line(&table))
		good = read_pod(&table, models, &pod) && openb_pods_add(pods, &pod);
	if (table.file)
		fclose(table.file);
	return good && (pods->count || complain(&table, "no pods"));
}

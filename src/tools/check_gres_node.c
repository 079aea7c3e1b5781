// SPDX-License-Identifier: GPL-2.0-or-later
/* The lines of gres.conf for one node: what its slurmd and slurmctld do with them. */
#include <stdlib.h>
#include <string.h>

#include "../core/gpuset.h"
#include "../util/parse.h"
#include "check_gres.h"

/* From here on (as far as it was read) slurmctld drains nodes whose Cores= are no whole sockets. */
#define WHOLE_SOCKETS_SINCE GW_SLURM_VERSION(24, 11, 0)

static bool has_file(const struct gw_gres_gpu *gpu)
{
	return gpu->device || gpu->slice;
}

static bool has_type(const struct gw_gres_gpu *gpu)
{
	return gpu->type != NULL;
}

static void refuse(const struct gw_check_node *node, const struct gw_slurm_line *line,
		   struct gw_str *text)
{
	gw_str_append(text, ": slurmd does not start");
	gw_check_say(node, GW_ERROR, line, text);
}

/* All lines of a node have a key or none has. */
static void check_alike(const struct gw_check_node *node, bool (*has)(const struct gw_gres_gpu *),
			const char *key)
{
	const struct gw_gres_gpu *with = NULL, *without = NULL;
	struct gw_str text = {0};

	for (size_t i = 0; i < node->gpus->count; i++) {
		const struct gw_gres_gpu *gpu = &node->gpus->item[i];

		if (has(gpu))
			with = with ? with : gpu;
		else
			without = without ? without : gpu;
	}
	if (!with || !without)
		return;
	gw_str_appendf(&text, "this line of node %s has no %s, others have", node->name, key);
	refuse(node, without->line, &text);
}

/* Lines that can not be told apart. */
static void check_bare(const struct gw_check_node *node)
{
	const struct gw_gres_gpu *first = &node->gpus->item[0];
	const struct gw_gres_gpu *last = &node->gpus->item[node->gpus->count - 1];
	struct gw_str text = {0};

	if (first->line == last->line || has_file(last) || has_type(last))
		return;
	gw_str_appendf(&text, "a second line of node %s without File= and Type=", node->name);
	refuse(node, last->line, &text);
}

/* As many GPUs as files, where both are written. */
static void check_counts(const struct gw_check_node *node)
{
	size_t files;

	for (size_t i = 0; i < node->gpus->count; i += files) {
		const struct gw_gres_gpu *gpu = &node->gpus->item[i];
		const char *count = gw_record_value(&gpu->line->record, "Count");
		struct gw_str text = {0};
		uint64_t number;

		for (files = 1; i + files < node->gpus->count; files++)
			if (node->gpus->item[i + files].line != gpu->line)
				break;
		if (!count || !has_file(gpu) ||
		    (!gw_parse_count_k(count, &number, NULL) && number == files))
			continue;
		if (gpu->slice)
			gw_str_appendf(&text, "Count=%.64s: must be 1 with MultipleFiles=", count);
		else
			gw_str_appendf(&text,
				       "Count=%.64s: must be %zu, as many as there are in File=",
				       count, files);
		refuse(node, gpu->line, &text);
	}
}

static void check_devices(const struct gw_check_node *node)
{
	for (size_t i = 0; i < node->gpus->count; i++) {
		const struct gw_gres_gpu *gpu = &node->gpus->item[i];
		struct gw_str text = {0};
		size_t k = 0;

		while (k < i && (!gpu->device || !node->gpus->item[k].device ||
				 strcmp(gpu->device, node->gpus->item[k].device)))
			k++;
		if (k == i)
			continue;
		gw_str_appendf(&text, "File=%.128s: node %s has it twice", gpu->device, node->name);
		refuse(node, gpu->line, &text);
	}
}

bool gw_check_refusals(const struct gw_check_node *node)
{
	size_t before = gw_findings_of(node->check->findings, GW_ERROR);

	if (!node->gpus->count)
		return false;
	check_alike(node, has_file, "File=");
	check_alike(node, has_type, "Type=");
	check_bare(node);
	check_counts(node);
	check_devices(node);
	return gw_findings_of(node->check->findings, GW_ERROR) > before;
}

/* slurmd leaves GPUs without a file out (_find_fileless_gres). */
static uint64_t with_files(const struct gw_gres_gpus *gpus)
{
	uint64_t count = 0;

	for (size_t i = 0; i < gpus->count; i++)
		count += has_file(&gpus->item[i]);
	return count;
}

/* Says so when they are not as many as in slurm.conf; of_type is " of Type=h100", or "". */
static bool has_other_count(const struct gw_check_node *node, uint64_t count, uint64_t wanted,
			    const char *of_type)
{
	const char *files = with_files(node->gpus) == node->gpus->count ? "" : " with File=";
	struct gw_str text = {0};

	if (count == wanted)
		return false;
	gw_str_appendf(&text,
		       "node %s: gres.conf has %llu GPU%s%s%s, its Gres= in slurm.conf %llu: ",
		       node->name, (unsigned long long)count, count == 1 ? "" : "s", of_type, files,
		       (unsigned long long)wanted);
	gw_str_append(&text,
		      count < wanted ? "slurmctld drains the node" : "Slurm leaves the others out");
	gw_check_say(node, count < wanted ? GW_ERROR : GW_WARNING, node->line, &text);
	return true;
}

/* slurmd takes types for the same without regard to case, slurmctld does not. */
static void check_case(const struct gw_check_node *node, const struct gw_gres_gpu *gpu,
		       const char *type)
{
	struct gw_str text = {0};

	if (!strcmp(gpu->type, type))
		return;
	gw_str_appendf(&text,
		       "Type=%.64s is %.64s in the Gres= of node %s: slurmctld takes them for two "
		       "types, and drains the node or has no GPUs for jobs of gpu:%.64s",
		       gpu->type, type, node->name, type);
	gw_check_say(node, GW_ERROR, gpu->line, &text);
}

static void check_type(const struct gw_check_node *node, const char *item, const char *type)
{
	struct gw_str of_type = {0};
	uint64_t count = 0;
	bool other;

	for (size_t i = 0; i < node->gpus->count; i++)
		if (node->gpus->item[i].type && gw_same(node->gpus->item[i].type, type))
			count += has_file(&node->gpus->item[i]);
	gw_str_appendf(&of_type, " of Type=%.64s", type);
	other = has_other_count(node, count, gw_gres_count(node->gres, item),
				gw_str_text(&of_type));
	gw_str_free(&of_type);
	for (size_t i = 0; !other && i < node->gpus->count; i++)
		if (node->gpus->item[i].type && gw_same(node->gpus->item[i].type, type))
			check_case(node, &node->gpus->item[i], type);
}

bool gw_check_next_type(const char **gres, char type[GW_GRES_ITEM_SIZE])
{
	char item[GW_GRES_ITEM_SIZE];

	while (gw_gres_next(gres, item)) {
		size_t length;

		if (!gw_same_n(item, "gpu:", 4))
			continue;
		length = strcspn(item + 4, ":");
		/* "gpu:8" has no type. */
		if (!item[4 + length] && gw_is_digit(item[4]))
			continue;
		memcpy(type, item + 4, length);
		type[length] = '\0';
		return true;
	}
	return false;
}

void gw_check_count(const struct gw_check_node *node)
{
	const char *gres = node->gres;
	char type[GW_GRES_ITEM_SIZE];

	if (node->gpus->detected || has_other_count(node, with_files(node->gpus), node->wanted, ""))
		return;
	while (gw_check_next_type(&gres, type)) {
		struct gw_str item = {0};

		gw_str_appendf(&item, "gpu:%s", type);
		if (item.failed)
			node->check->findings->failed = true;
		else
			check_type(node, gw_str_text(&item), type);
		gw_str_free(&item);
	}
}

bool gw_check_have_slices(const struct gw_gres_gpus *gpus)
{
	for (size_t i = 0; i < gpus->count; i++)
		if (gpus->item[i].slice)
			return true;
	return false;
}

/* The plugins leave such a node out of what they prefer (plugins/common/preference_nodes.c). */
void gw_check_placement(const struct gw_check_node *node)
{
	uint64_t gpus = node->wanted > node->gpus->count ? node->wanted : node->gpus->count;
	struct gw_str text = {0};

	if (gpus > GW_GPUS_MAX)
		gw_str_appendf(&text,
			       "node %s has %llu GPUs or slices, more than %d: jobs go to other "
			       "nodes first, and which of its GPUs and cores they get is left to "
			       "Slurm",
			       node->name, (unsigned long long)gpus, GW_GPUS_MAX);
	else if (gpus > GW_GPUSET_MAX && !gw_check_have_slices(node->gpus))
		gw_str_appendf(&text,
			       "node %s: %llu GPUs are more than placement knows (%d): Slurm "
			       "chooses among them",
			       node->name, (unsigned long long)gpus, GW_GPUSET_MAX);
	else
		return;
	gw_check_say(node, GW_NOTE, node->line, &text);
}

/* One finding for all GPUs of a line. False when they are no cores of the node at all. */
static bool tell_cores(const struct gw_check_node *node, const struct gw_gres_gpu *gpu)
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

bool gw_check_cores(const struct gw_check_node *node)
{
	bool are_cores = true;

	for (size_t i = 0; i < node->gpus->count; i++)
		if (node->gpus->item[i].cores && !tell_cores(node, &node->gpus->item[i]))
			are_cores = false;
	return are_cores;
}

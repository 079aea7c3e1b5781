// SPDX-License-Identifier: GPL-2.0-or-later
/* gres.conf lines that say what hwloc says. */
#include <string.h>

#include "topo_show.h"

enum certainty {
	GIVEN,   /* by the system */
	DERIVED, /* from the driver's index */
	GUESSED, /* from the order of PCI addresses */
};

#define VENDOR_NVIDIA 0x10de

static enum certainty certainty_of(const struct gw_topo_gpu *gpu)
{
	if (!gpu->device[0])
		return GUESSED;
	return strncmp(gpu->os, "nvml", 4) ? GIVEN : DERIVED;
}

/* Files that no GPU names itself are in order of PCI addresses, per vendor. */
static void append_file(const struct gw_topo_node *node, uint32_t index, struct gw_str *text)
{
	const struct gw_topo_gpu *gpu = &node->gpu[index];
	uint32_t before = 0;

	if (gpu->device[0]) {
		gw_str_appendf(text, " File=%s", gpu->device);
		return;
	}
	for (uint32_t i = 0; i < index; i++)
		before += node->gpu[i].vendor == gpu->vendor;
	if (gpu->vendor == VENDOR_NVIDIA)
		gw_str_appendf(text, " File=/dev/nvidia%u", before);
	else
		gw_str_appendf(text, " File=/dev/dri/renderD%u", 128 + before);
}

static void append_links(const struct gw_topo_node *node, uint32_t gpu, struct gw_str *text)
{
	gw_str_append(text, " Links=");
	for (uint32_t i = 0; i < node->shape.gpus; i++) {
		gw_str_append(text, i ? "," : "");
		if (i == gpu)
			gw_str_append(text, "-1");
		else
			gw_str_appendf(text, "%u", node->shape.link[gpu][i]);
	}
}

static bool have_one_type(const struct gw_topo_node *node)
{
	for (uint32_t i = 1; i < node->shape.gpus; i++)
		if (strcmp(node->gpu[i].type, node->gpu[0].type))
			return false;
	return true;
}

static bool all_fill(const struct gw_topo_node *node, uint32_t sockets)
{
	if (!sockets || node->core_count % sockets)
		return false;
	for (uint32_t i = 0; i < node->shape.gpus; i++)
		if (!gw_topo_fills_sockets(node->cores.gpu[i], sockets, node->core_count / sockets))
			return false;
	return true;
}

static void append_node_line(const struct gw_topo_node *node, struct gw_str *text)
{
	uint32_t threads = node->core_count ? node->pu_count / node->core_count : 1;
	uint32_t sockets = node->sockets;

	if (node->core_count % sockets || !have_one_type(node))
		return;
	if (!all_fill(node, sockets) && all_fill(node, node->numas)) {
		sockets = node->numas;
		gw_str_append(text,
			      "# Slurm 24.11 drains nodes whose Cores= are no whole sockets: with "
			      "SlurmdParameters=numa_node_as_socket they are\n");
	}
	gw_str_appendf(text, "# In slurm.conf: Gres=gpu%s%s:%u Sockets=%u CoresPerSocket=%u",
		       node->gpu[0].type[0] ? ":" : "", node->gpu[0].type, node->shape.gpus,
		       sockets, node->core_count / sockets);
	gw_str_appendf(text, " ThreadsPerCore=%u\n", threads ? threads : 1);
}

static void append_doubts(const struct gw_topo_show *show, struct gw_str *text)
{
	const struct gw_topo_node *node = show->node;
	enum certainty worst = GIVEN;
	char set[GW_SET_SIZE];

	for (uint32_t i = 0; i < node->shape.gpus; i++)
		if (certainty_of(&node->gpu[i]) > worst)
			worst = certainty_of(&node->gpu[i]);
	if (worst == DERIVED)
		gw_str_append(text, "# CHECK File=: these take the driver's index for the minor "
				    "number, which nvidia-smi -q shows\n");
	if (worst == GUESSED)
		gw_str_append(text, "# CHECK File=: hwloc does not name the device files, these "
				    "follow the order of PCI addresses\n");
	if (gw_topo_unplaced(node))
		gw_str_appendf(text, "# CHECK Cores=: no locality of GPUs %s in %s\n",
			       gw_topo_set_text(gw_topo_unplaced(node), set), show->from);
	if (node->shape.links_unknown)
		gw_str_append(text, "# CHECK Links=: " GW_TOPO_LINKS_UNKNOWN
				    ", these are PCIe and NUMA alone\n");
	for (uint32_t i = 0; i < node->shape.gpus; i++) {
		if (node->gpu[i].type[0])
			continue;
		gw_str_append(text, "# CHECK Type=: hwloc does not name the model of some GPUs\n");
		return;
	}
}

void gw_topo_gres(const struct gw_topo_show *show, struct gw_str *text)
{
	const struct gw_topo_node *node = show->node;

	gw_str_appendf(text,
		       "# gangway topo of %s: Slurm's index follows these lines, larger Links= "
		       "are better\n",
		       show->from);
	append_node_line(node, text);
	append_doubts(show, text);
	for (uint32_t i = 0; i < node->shape.gpus; i++) {
		if (show->nodes)
			gw_str_appendf(text, "NodeName=%s ", show->nodes);
		gw_str_append(text, "Name=gpu");
		if (node->gpu[i].type[0])
			gw_str_appendf(text, " Type=%s", node->gpu[i].type);
		append_file(node, i, text);
		if (node->cores.gpu[i][0] && gw_topo_has_place(node, i))
			gw_str_appendf(text, " Cores=%s", node->cores.gpu[i]);
		if (node->shape.gpus > 1)
			append_links(node, i, text);
		gw_str_append(text, "\n");
	}
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/shape_gres.h"

#include <string.h>

#include "src/util/checksum.h"

/* Strengths where gres.conf has no Links=, and nearness: as src/topo makes them of gres.conf. */
enum {
	TWO_SOCKETS = 1,
	ONE_SOCKET,
	ONE_NUMA,
};

bitstr_t *gw_shape_gres_cores(const gres_node_state_t *gpus, int gpu)
{
	for (int topo = 0; topo < gpus->topo_cnt; topo++)
		if (gpus->topo_gres_bitmap && gpus->topo_gres_bitmap[topo] &&
		    bit_size(gpus->topo_gres_bitmap[topo]) > gpu &&
		    bit_test(gpus->topo_gres_bitmap[topo], gpu))
			return gpus->topo_core_bitmap ? gpus->topo_core_bitmap[topo] : NULL;
	return NULL;
}

/* The lowest of them; -1: it has none. */
static bitoff_t first_core(const gres_node_state_t *gpus, int gpu)
{
	bitstr_t *cores = gw_shape_gres_cores(gpus, gpu);

	return cores ? bit_ffs(cores) : -1;
}

/* Slurm's Links= are small counts: larger is stronger, -1 is the GPU itself, 0 no link. */
static uint8_t link_strength(int links)
{
	return links < 0 ? 0 : links > UINT8_MAX ? UINT8_MAX : (uint8_t)links;
}

static bool has_links(const gres_node_state_t *gpus, int count)
{
	return gpus->links_cnt && gpus->link_len >= count;
}

static uint8_t link_of(const gres_node_state_t *gpus, uint32_t i, uint32_t j)
{
	return gpus->links_cnt[i] ? link_strength(gpus->links_cnt[i][j]) : 0;
}

/*
 * Whether it has cores, and not all of the node's: where some GPUs have Cores=, slurmctld gives all
 * cores to those without that stand behind them in gres.conf.
 */
static bool is_placed(const gres_node_state_t *gpus, int gpu)
{
	bitstr_t *cores = gw_shape_gres_cores(gpus, gpu);

	return cores && bit_set_count(cores) < bit_size(cores);
}

/* As src/topo/topo_links.c: where some GPUs are placed, others are on no socket. */
static void find_sockets(const node_record_t *node, const gres_node_state_t *gpus, bitoff_t *core,
			 struct gw_shape_info *info)
{
	bool placed = false;

	for (uint32_t i = 0; i < info->gpus; i++)
		placed = placed || is_placed(gpus, (int)i);
	if (!placed || !node->cores || info->sockets < 2)
		return;
	for (uint32_t i = 0; i < info->gpus; i++) {
		if (!is_placed(gpus, (int)i))
			core[i] = -1;
		info->socket[i] = core[i] < 0 ? GW_SHAPE_NO_SOCKET
					      : (uint8_t)MIN((uint32_t)(core[i] / node->cores),
							     info->sockets - 1);
	}
}

static void describe_pair(const gres_node_state_t *gpus, const bitoff_t *core, int i, int j,
			  struct gw_shape_info *info)
{
	uint8_t apart = info->socket[i] == info->socket[j] && info->socket[i] != GW_SHAPE_NO_SOCKET
				? ONE_SOCKET
				: TWO_SOCKETS;

	if (i == j)
		return;
	/* Who have the same cores are in one NUMA node, as far as anybody can tell. */
	if (core[i] >= 0 && core[j] >= 0)
		info->near[i][j] = core[i] == core[j] ? ONE_NUMA : apart;
	if (!has_links(gpus, (int)info->gpus))
		info->link[i][j] = apart;
	else
		info->link[i][j] = link_of(gpus, (uint32_t)i, (uint32_t)j);
}

bool gw_shape_gres(const node_record_t *node, const gres_node_state_t *gpus,
		   struct gw_shape_info *info)
{
	int count = gpus->gres_bit_alloc ? (int)bit_size(gpus->gres_bit_alloc) : 0;
	bitoff_t core[GW_GPUSET_MAX];
	bool known = false;

	if (count < 1 || count > GW_GPUSET_MAX)
		return false;
	memset(info, 0, sizeof(*info));
	info->gpus = (uint32_t)count;
	info->sockets = MAX(node->tot_sockets, 1);
	for (int i = 0; i < count; i++) {
		core[i] = first_core(gpus, i);
		known = known || core[i] >= 0;
	}
	find_sockets(node, gpus, core, info);
	for (int i = 0; i < count; i++)
		for (int j = 0; j < count; j++)
			describe_pair(gpus, core, i, j, info);
	return known || has_links(gpus, count);
}

bool gw_shape_gres_links(const gres_node_state_t *gpus, struct gw_shape_info *info)
{
	bool differ = false;

	if (info->gpus < 2 || !has_links(gpus, (int)info->gpus))
		return false;
	for (uint32_t i = 0; i < info->gpus; i++)
		for (uint32_t j = 0; j < info->gpus; j++)
			differ = differ || (i != j && link_of(gpus, i, j) != link_of(gpus, 0, 1));
	for (uint32_t i = 0; differ && i < info->gpus; i++)
		for (uint32_t j = 0; j < info->gpus; j++)
			info->link[i][j] = i == j ? 0 : link_of(gpus, i, j);
	return differ;
}

uint64_t gw_shape_gres_sum(const gres_node_state_t *gpus, uint32_t cores)
{
	int count = gpus->gres_bit_alloc ? (int)bit_size(gpus->gres_bit_alloc) : 0;
	uint64_t sum = GW_CHECKSUM_START;

	count = MIN(count, GW_GPUSET_MAX);
	for (int i = 0; i < count; i++) {
		for (int j = 0; has_links(gpus, count) && gpus->links_cnt[i] && j < count; j++)
			sum = gw_checksum_add(sum, (uint32_t)gpus->links_cnt[i][j]);
		sum = gw_checksum_add(sum, (uint32_t)first_core(gpus, i));
		sum = gw_checksum_add(sum, is_placed(gpus, i));
	}
	return gw_checksum_add(gw_checksum_add(sum, (uint32_t)count), cores);
}

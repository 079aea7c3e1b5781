// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/shapes.h"

#include <string.h>

#include "plugins/common/weak.h"

/*
 * What a node had registered when its shape was found. A new registration has new arrays, which
 * may lie where the old ones did.
 */
struct seen {
	int **links;
	bitstr_t **cores;
	uint64_t sum; /* of what is in links */
	int32_t shape;
};

struct gw_shapes {
	struct gw_shape_info info[GW_SHAPES_MAX];
	const struct gw_gpuset_table *table[GW_SHAPES_MAX];
	int32_t count;
	struct seen *node; /* by node index */
	int node_count;
};

struct gw_shapes *gw_shapes_create(void)
{
	return xcalloc(1, sizeof(struct gw_shapes));
}

void gw_shapes_free(struct gw_shapes *shapes)
{
	if (!shapes)
		return;
	for (int32_t i = 0; i < shapes->count; i++)
		gw_gpuset_table_free((struct gw_gpuset_table *)shapes->table[i]);
	xfree(shapes->node);
	xfree(shapes);
}

const struct gw_gpuset_table *const *gw_shapes_tables(const struct gw_shapes *shapes)
{
	return shapes->table;
}

struct gw_shape_info *gw_shapes_info(struct gw_shapes *shapes, size_t *count)
{
	*count = (size_t)shapes->count;
	return shapes->info;
}

/* The bit that stands for GPU number gpu in the node's bitmaps is its index. */
static uint32_t socket_of(const gres_node_state_t *gpus, int gpu, int cores_a_socket)
{
	for (int topo = 0; topo < gpus->topo_cnt; topo++) {
		bitoff_t core;

		if (!gpus->topo_gres_bitmap || !gpus->topo_gres_bitmap[topo] ||
		    bit_size(gpus->topo_gres_bitmap[topo]) <= gpu ||
		    !bit_test(gpus->topo_gres_bitmap[topo], gpu))
			continue;
		core = gpus->topo_core_bitmap && gpus->topo_core_bitmap[topo]
			       ? bit_ffs(gpus->topo_core_bitmap[topo])
			       : -1;
		return core < 0 || cores_a_socket < 1 ? 0 : (uint32_t)(core / cores_a_socket);
	}
	return 0;
}

/* Slurm's Links= are small counts: larger is stronger, -1 is the GPU itself, 0 no link. */
static uint8_t link_strength(int links)
{
	return links < 0 ? 0 : links > UINT8_MAX ? UINT8_MAX : (uint8_t)links;
}

static bool describe(const node_record_t *node, const gres_node_state_t *gpus,
		     struct gw_shape_info *info)
{
	int count = gpus->gres_bit_alloc ? (int)bit_size(gpus->gres_bit_alloc) : 0;

	if (count < 1 || count > GW_GPUSET_MAX || !gpus->links_cnt || gpus->link_len < count)
		return false;
	memset(info, 0, sizeof(*info));
	info->gpus = (uint32_t)count;
	info->sockets = MAX(node->tot_sockets, 1);
	for (int i = 0; i < count; i++) {
		uint32_t socket = socket_of(gpus, i, node->cores);

		info->socket[i] = (uint8_t)MIN(socket, info->sockets - 1);
		for (int j = 0; gpus->links_cnt[i] && j < count; j++)
			info->link[i][j] = i == j ? 0 : link_strength(gpus->links_cnt[i][j]);
	}
	return true;
}

static int32_t find_or_add(struct gw_shapes *shapes, const struct gw_shape_info *info)
{
	struct gw_error why = {{0}};
	struct gw_gpuset_table *table;

	for (int32_t i = 0; i < shapes->count; i++)
		if (!memcmp(&shapes->info[i], info, sizeof(*info)))
			return i;
	if (shapes->count == GW_SHAPES_MAX)
		return -1;
	table = gw_gpuset_table_create(info, &why);
	if (!table) {
		debug("gangway: a shape of %u GPUs: %s", info->gpus, why.text);
		return -1;
	}
	shapes->info[shapes->count] = *info;
	shapes->table[shapes->count] = table;
	return shapes->count++;
}

static bool room_for(struct gw_shapes *shapes, int node_index)
{
	if (node_index < shapes->node_count)
		return true;
	if (node_index >= node_record_count)
		return false;
	xrealloc(shapes->node, (size_t)node_record_count * sizeof(*shapes->node));
	shapes->node_count = node_record_count;
	return true;
}

/* FNV-1a of the links, cheap beside a question about the node. */
static uint64_t sum_of(const gres_node_state_t *gpus)
{
	int count = gpus->gres_bit_alloc ? (int)bit_size(gpus->gres_bit_alloc) : 0;
	uint64_t sum = 14695981039346656037ULL;

	count = MIN(count, MIN(gpus->link_len, GW_GPUSET_MAX));
	for (int i = 0; i < count; i++)
		for (int j = 0; gpus->links_cnt[i] && j < count; j++)
			sum = (sum ^ (uint32_t)gpus->links_cnt[i][j]) * 1099511628211ULL;
	return sum ^ (uint64_t)count;
}

int32_t gw_shapes_of_node(struct gw_shapes *shapes, int node_index, const gres_node_state_t *gpus)
{
	struct gw_shape_info info;
	struct seen *seen;
	uint64_t sum;

	if (!gpus->links_cnt || !room_for(shapes, node_index))
		return -1;
	seen = &shapes->node[node_index];
	sum = sum_of(gpus);
	if (seen->links == gpus->links_cnt && seen->cores == gpus->topo_core_bitmap &&
	    seen->sum == sum)
		return seen->shape;
	seen->sum = sum;
	seen->links = gpus->links_cnt;
	seen->cores = gpus->topo_core_bitmap;
	seen->shape = describe(node_record_table_ptr[node_index], gpus, &info)
			      ? find_or_add(shapes, &info)
			      : -1;
	return seen->shape;
}

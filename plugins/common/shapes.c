// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/shapes.h"

#include <string.h>

#include "plugins/common/weak.h"

/*
 * What a node had registered when its shape was found. What is registered changes only with a
 * response of the node, so that it is looked at once for each: also of the copies that Slurm makes
 * to look into the future.
 */
struct seen {
	time_t response; /* 0: never */
	uint64_t sum;    /* of links and cores */
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

/* Strengths where gres.conf has no Links=, and nearness: as src/topo makes them of gres.conf. */
enum {
	TWO_SOCKETS = 1,
	ONE_SOCKET,
	ONE_NUMA,
};

/* The lowest of a GPU's Cores=; -1: not given. The bit for GPU number gpu is its index. */
static bitoff_t first_core(const gres_node_state_t *gpus, int gpu)
{
	for (int topo = 0; topo < gpus->topo_cnt; topo++) {
		if (!gpus->topo_gres_bitmap || !gpus->topo_gres_bitmap[topo] ||
		    bit_size(gpus->topo_gres_bitmap[topo]) <= gpu ||
		    !bit_test(gpus->topo_gres_bitmap[topo], gpu))
			continue;
		return gpus->topo_core_bitmap && gpus->topo_core_bitmap[topo]
			       ? bit_ffs(gpus->topo_core_bitmap[topo])
			       : -1;
	}
	return -1;
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

static void describe_pair(const gres_node_state_t *gpus, const bitoff_t *core, int i, int j,
			  struct gw_shape_info *info)
{
	uint8_t apart = info->socket[i] == info->socket[j] ? ONE_SOCKET : TWO_SOCKETS;

	if (i == j)
		return;
	/* Who have the same cores are in one NUMA node, as far as anybody can tell. */
	if (core[i] >= 0 && core[j] >= 0)
		info->near[i][j] = core[i] == core[j] ? ONE_NUMA : apart;
	if (!has_links(gpus, (int)info->gpus))
		info->link[i][j] = apart;
	else if (gpus->links_cnt[i])
		info->link[i][j] = link_strength(gpus->links_cnt[i][j]);
}

static bool describe(const node_record_t *node, const gres_node_state_t *gpus,
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
		if (core[i] >= 0 && node->cores > 0)
			info->socket[i] =
				(uint8_t)MIN((uint32_t)(core[i] / node->cores), info->sockets - 1);
	}
	for (int i = 0; i < count; i++)
		for (int j = 0; j < count; j++)
			describe_pair(gpus, core, i, j, info);
	return known || has_links(gpus, count);
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

static uint64_t add_to(uint64_t sum, uint32_t number)
{
	return (sum ^ number) * 1099511628211ULL;
}

/* FNV-1a of the links, and of the first core of each GPU. */
static uint64_t sum_of(const gres_node_state_t *gpus)
{
	int count = gpus->gres_bit_alloc ? (int)bit_size(gpus->gres_bit_alloc) : 0;
	uint64_t sum = 14695981039346656037ULL;

	count = MIN(count, GW_GPUSET_MAX);
	for (int i = 0; i < count; i++) {
		for (int j = 0; has_links(gpus, count) && gpus->links_cnt[i] && j < count; j++)
			sum = add_to(sum, (uint32_t)gpus->links_cnt[i][j]);
		sum = add_to(sum, (uint32_t)first_core(gpus, i));
	}
	return add_to(sum, (uint32_t)count);
}

int32_t gw_shapes_of_node(struct gw_shapes *shapes, int node_index, const gres_node_state_t *gpus)
{
	const node_record_t *node = node_record_table_ptr[node_index];
	struct gw_shape_info info;
	struct seen *seen;
	uint64_t sum;

	if ((!gpus->links_cnt && !gpus->topo_core_bitmap) || !room_for(shapes, node_index))
		return -1;
	seen = &shapes->node[node_index];
	if (seen->response && seen->response == node->last_response)
		return seen->shape;
	sum = sum_of(gpus);
	if (!seen->response || seen->sum != sum)
		seen->shape = describe(node, gpus, &info) ? find_or_add(shapes, &info) : -1;
	seen->sum = sum;
	seen->response = node->last_response;
	return seen->shape;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/shapes.h"

#include <string.h>

#include "plugins/common/bits.h"
#include "plugins/common/shape_gres.h"
#include "plugins/common/shape_source.h"
#include "plugins/common/weak.h"

/*
 * What a node had registered when its shape was found. What is registered changes only with a
 * response of the node, so that it is looked at once for each: also of the copies that Slurm makes
 * to look into the future.
 */
struct seen {
	const node_record_t *node; /* an index may be another's after a reconfigure */
	time_t response;           /* 0: never */
	uint64_t sum;              /* of links and cores */
	int32_t shape;
	struct gw_type_seen type; /* since that response */
};

struct gw_shapes {
	struct gw_shape_info info[GW_SHAPES_MAX];
	const struct gw_gpuset_table *table[GW_SHAPES_MAX]; /* own, or the set's; NULL: none */
	struct gw_gpuset_table *own[GW_SHAPES_MAX];
	bool waits[GW_SHAPES_MAX]; /* its table is being made */
	int32_t count;
	struct gw_shape_set *set; /* of ShapeName=; NULL: not there yet */
	unsigned int turn;        /* of the set */
	bool *told;               /* by shape of the set: that a node does not fit it */
	struct seen *node;        /* by node index */
	int node_count;
};

/* A table of so many GPUs takes about a millisecond: 3^10 steps. */
#define AT_ONCE_MAX 10

struct gw_shapes *gw_shapes_create(void)
{
	return xcalloc(1, sizeof(struct gw_shapes));
}

static void drop(struct gw_shapes *shapes, int32_t i)
{
	gw_gpuset_table_free(shapes->own[i]);
	shapes->own[i] = NULL;
	shapes->table[i] = NULL;
	shapes->waits[i] = false;
}

void gw_shapes_free(struct gw_shapes *shapes)
{
	if (!shapes)
		return;
	for (int32_t i = 0; i < shapes->count; i++)
		drop(shapes, i);
	gw_shape_set_put(shapes->set);
	xfree(shapes->told);
	xfree(shapes->node);
	xfree(shapes);
}

/*
 * Those of gres.conf stay, and with them their tables; so does one whose table is being made, which
 * somebody has to take.
 */
static void drop_named(struct gw_shapes *shapes)
{
	int32_t kept = 0;

	for (int32_t i = 0; i < shapes->count; i++) {
		if (shapes->info[i].name[0] && !shapes->waits[i]) {
			drop(shapes, i);
			continue;
		}
		if (kept != i) {
			shapes->info[kept] = shapes->info[i];
			shapes->table[kept] = shapes->table[i];
			shapes->own[kept] = shapes->own[i];
			shapes->waits[kept] = shapes->waits[i];
			shapes->own[i] = NULL;
		}
		kept++;
	}
	for (int32_t i = kept; i < shapes->count; i++)
		drop(shapes, i);
	shapes->count = kept;
}

void gw_shapes_refresh(struct gw_shapes *shapes)
{
	unsigned int turn = gw_shape_source_turn();
	size_t count = 0;

	if (turn == shapes->turn)
		return;
	shapes->turn = turn;
	drop_named(shapes);
	gw_shape_set_put(shapes->set);
	shapes->set = gw_shape_source_set();
	if (shapes->set)
		gw_shape_set_shapes(shapes->set, &count);
	xfree(shapes->told);
	shapes->told = xcalloc(count + 1, sizeof(*shapes->told));
	xfree(shapes->node);
	shapes->node_count = 0;
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

/* Index of the shape with this info, made without a table where it is not there; -1: no room. */
static int32_t find_or_add(struct gw_shapes *shapes, const struct gw_shape_info *info, bool *added)
{
	*added = false;
	for (int32_t i = 0; i < shapes->count; i++)
		if (!memcmp(&shapes->info[i], info, sizeof(*info)))
			return i;
	if (shapes->count == GW_SHAPES_MAX)
		return -1;
	*added = true;
	shapes->info[shapes->count] = *info;
	return shapes->count++;
}

static void make_table(struct gw_shapes *shapes, int32_t i)
{
	struct gw_error why = {{0}};

	shapes->waits[i] = shapes->info[i].gpus > AT_ONCE_MAX;
	if (shapes->waits[i])
		return;
	shapes->own[i] = gw_gpuset_table_create(&shapes->info[i], &why);
	shapes->table[i] = shapes->own[i];
	if (!shapes->own[i])
		debug("gangway: a shape of %u GPUs: %s", shapes->info[i].gpus, why.text);
}

/* Asks for all that wait: each has to be taken when it is its turn. */
static void look_for_tables(struct gw_shapes *shapes)
{
	for (int32_t i = 0; i < shapes->count; i++) {
		if (!shapes->waits[i] || !gw_shape_source_table(&shapes->info[i], &shapes->own[i]))
			continue;
		shapes->table[i] = shapes->own[i];
		shapes->waits[i] = false;
	}
}

static int32_t of_own_table(struct gw_shapes *shapes, const struct gw_shape_info *info)
{
	bool added;
	int32_t i = find_or_add(shapes, info, &added);

	if (i < 0)
		return -1;
	if (added)
		make_table(shapes, i);
	if (shapes->waits[i])
		look_for_tables(shapes);
	if (shapes->waits[i])
		return GW_SHAPES_LATER;
	return shapes->table[i] ? i : -1;
}

/* A file that does not know links between GPUs has those of gres.conf. */
static int32_t of_name(struct gw_shapes *shapes, const struct gw_named_shape *named,
		       const gres_node_state_t *gpus)
{
	struct gw_shape_info info = named->info;
	bool added;
	int32_t i;

	if (info.links_unknown && gw_shape_gres_links(gpus, &info)) {
		info.links_unknown = 0;
		return of_own_table(shapes, &info);
	}
	i = find_or_add(shapes, &named->info, &added);
	if (added)
		shapes->table[i] = named->table;
	return i;
}

/* Of struct gw_shape_claim; the argument are the node's GPUs. */
static bool is_near(const void *arg, uint32_t gpu, uint32_t core)
{
	const gres_node_state_t *gpus = arg;
	bitstr_t *cores = gw_shape_gres_cores(gpus, (int)gpu);

	return !cores || ((bitoff_t)core < bit_size(cores) && bit_test(cores, core));
}

/* Says once a shape that some node is not what it says. */
static bool fits(struct gw_shapes *shapes, const struct gw_named_shape *named,
		 const node_record_t *node, const gres_node_state_t *gpus)
{
	struct gw_shape_claim claim = {
		.node = node->name,
		.gpus = gpus->gres_bit_alloc ? (uint32_t)bit_size(gpus->gres_bit_alloc) : 0,
		.cores = node->tot_cores,
		.near = is_near,
		.arg = gpus,
	};
	struct gw_error why = {{0}};
	size_t count;
	bool *told = &shapes->told[named - gw_shape_set_shapes(shapes->set, &count)];

	if (gw_named_shape_fits(named, &claim, &why))
		return true;
	if (!*told)
		error("gangway: %s; until then the node has the links and cores of gres.conf",
		      why.text);
	*told = true;
	return false;
}

static int32_t find(struct gw_shapes *shapes, const node_record_t *node,
		    const gres_node_state_t *gpus, const struct gw_named_shape *named)
{
	struct gw_shape_info info;

	if (named && named->state == GW_SHAPE_WAITS)
		return GW_SHAPES_LATER;
	if (named && named->table && fits(shapes, named, node, gpus))
		return of_name(shapes, named, gpus);
	return gw_shape_gres(node, gpus, &info) ? of_own_table(shapes, &info) : -1;
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

int32_t gw_shapes_of_node(struct gw_shapes *shapes, int node_index, const gres_node_state_t *gpus)
{
	const node_record_t *node = node_record_table_ptr[node_index];
	const struct gw_named_shape *named;
	struct seen *seen;
	uint64_t sum;

	if (!room_for(shapes, node_index))
		return -1;
	seen = &shapes->node[node_index];
	if (seen->response && seen->response == node->last_response && seen->node == node)
		return seen->shape;
	named = shapes->set ? gw_shape_set_of_node(shapes->set, node->name) : NULL;
	if (!named && !gpus->links_cnt && !gpus->topo_core_bitmap)
		return -1;
	sum = gw_shape_gres_sum(gpus, node->tot_cores);
	if (!seen->response || seen->sum != sum || seen->node != node)
		seen->shape = find(shapes, node, gpus, named);
	seen->node = node;
	seen->sum = sum;
	seen->response = seen->shape == GW_SHAPES_LATER ? 0 : node->last_response;
	seen->type = (struct gw_type_seen){0};
	return seen->shape;
}

struct gw_type_seen *gw_shapes_type_seen(struct gw_shapes *shapes, int node_index)
{
	const node_record_t *node = node_record_table_ptr[node_index];
	struct seen *seen = node_index < shapes->node_count ? &shapes->node[node_index] : NULL;

	return seen && seen->response && seen->response == node->last_response && seen->node == node
		       ? &seen->type
		       : NULL;
}

/* The shape of ShapeName= that the node was found to have, or NULL. */
static const struct gw_named_shape *named_of(const struct gw_shapes *shapes, int node_index)
{
	const struct seen *seen = &shapes->node[node_index];

	if (!shapes->set || seen->shape < 0 || !shapes->info[seen->shape].name[0])
		return NULL;
	return gw_shape_set_of_node(shapes->set, node_record_table_ptr[node_index]->name);
}

static bool mark_named(const struct gw_named_shape *named, uint32_t gpu, uint32_t count,
		       struct gw_cores *cores)
{
	const uint8_t *near;
	bool any = false;

	if (gpu >= named->info.gpus || count != named->cores)
		return false;
	near = named->near + (size_t)gpu * named->cores;
	for (uint32_t core = 0; core < count; core++) {
		if (!near[core])
			continue;
		gw_cores_add(cores, core);
		any = true;
	}
	return any;
}

void gw_shapes_add_bits(bitstr_t *bits, struct gw_cores *cores)
{
	bool words = gw_bits_are_words();
	bitoff_t size = bit_size(bits);

	for (bitoff_t n = 0; n * GW_BITS_OF_WORD < size; n++)
		cores->word[n] |= gw_bits_word(bits, words, n);
}

static bool mark_registered(const gres_node_state_t *gpus, uint32_t gpu, uint32_t count,
			    struct gw_cores *cores)
{
	bitstr_t *near = gw_shape_gres_cores(gpus, (int)gpu);

	if (!near || bit_size(near) != (bitoff_t)count)
		return false;
	gw_shapes_add_bits(near, cores);
	return true;
}

bool gw_shapes_near(const struct gw_shapes *shapes, int node_index, const gres_node_state_t *gpus,
		    gw_gpus set, struct gw_cores *cores)
{
	uint32_t count = node_record_table_ptr[node_index]->tot_cores;
	const struct gw_named_shape *named =
		node_index < shapes->node_count ? named_of(shapes, node_index) : NULL;

	if (count > GW_CORES_MAX)
		return false;
	for (uint32_t gpu = 0; gpu < GW_GPUS_MAX; gpu++)
		if ((set >> gpu & 1) && !(named ? mark_named(named, gpu, count, cores)
						: mark_registered(gpus, gpu, count, cores)))
			return false;
	return true;
}

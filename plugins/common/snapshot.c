// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/common/bits.h"
#include "plugins/common/weak.h"

/* What a stock answer may change of one GRES of one node. */
struct saved_gres {
	const sock_gres_t *of;
	sock_gres_t scalars;
	bitstr_t *any;
	bool has_bits, has_counts; /* by socket */
	int sockets_room;
	bitstr_t **by_sock;    /* sockets_room of them */
	uint64_t *cnt_by_sock; /* sockets_room of them */
};

struct saved_node {
	bool present; /* it had resources for the job */
	avail_res_t scalars;
	bool has_cores_per_sock;
	int sockets_room;
	uint16_t *cores_per_sock; /* sockets_room of them */
	int gres_count, gres_room;
	struct saved_gres *gres; /* gres_room of them */
	bitstr_t *cores;
};

/* Grows to the largest question. A node has a place of its own: its bitmaps are written over. */
struct gw_snapshot {
	void *ask;
	size_t ask_room;
	bitstr_t *node_map;
	int node_room;
	struct saved_node *node; /* node_room of them, by index */
	int *taken;              /* indexes of those copied */
	int taken_count;
	/* Job fields that topology/tree writes while it answers. */
	bool best_switch;
	uint32_t req_switch;
	time_t wait4switch_start;
};

static bool same_bits(bitstr_t *a, bitstr_t *b)
{
	return (!a && !b) || (a && b && bit_size(a) == bit_size(b) && bit_equal(a, b));
}

/* The record without its pointers; memcpy() keeps padding, so that memcmp() may compare. */
static void gres_scalars(sock_gres_t *scalars, const sock_gres_t *gres)
{
	memcpy(scalars, gres, sizeof(*scalars));
	scalars->bits_any_sock = NULL;
	scalars->bits_by_sock = NULL;
	scalars->cnt_by_sock = NULL;
}

static void save_gres(struct saved_gres *saved, const sock_gres_t *gres)
{
	int sockets = gres->sock_cnt;

	saved->of = gres;
	gres_scalars(&saved->scalars, gres);
	gw_bits_put(&saved->any, gres->bits_any_sock);
	if (sockets > saved->sockets_room) {
		xrecalloc(saved->by_sock, sockets, sizeof(*saved->by_sock));
		xrecalloc(saved->cnt_by_sock, sockets, sizeof(*saved->cnt_by_sock));
		saved->sockets_room = sockets;
	}
	saved->has_bits = gres->bits_by_sock != NULL;
	for (int s = 0; saved->has_bits && s < sockets; s++)
		gw_bits_put(&saved->by_sock[s], gres->bits_by_sock[s]);
	saved->has_counts = gres->cnt_by_sock != NULL;
	if (saved->has_counts)
		memcpy(saved->cnt_by_sock, gres->cnt_by_sock,
		       (size_t)sockets * sizeof(*saved->cnt_by_sock));
}

static void restore_gres(const struct saved_gres *saved, sock_gres_t *gres)
{
	sock_gres_t now = *gres;

	memcpy(gres, &saved->scalars, sizeof(*gres));
	gres->bits_any_sock = now.bits_any_sock;
	gres->bits_by_sock = now.bits_by_sock;
	gres->cnt_by_sock = now.cnt_by_sock;
	gw_bits_put(&gres->bits_any_sock, saved->any);
	for (int s = 0; saved->has_bits && gres->bits_by_sock && s < gres->sock_cnt; s++)
		gw_bits_put(&gres->bits_by_sock[s], saved->by_sock[s]);
	if (saved->has_counts && gres->cnt_by_sock)
		memcpy(gres->cnt_by_sock, saved->cnt_by_sock,
		       (size_t)gres->sock_cnt * sizeof(*saved->cnt_by_sock));
}

static bool same_gres(const struct saved_gres *saved, const sock_gres_t *gres)
{
	sock_gres_t now;

	gres_scalars(&now, gres);
	if (memcmp(&now, &saved->scalars, sizeof(now)) ||
	    !same_bits(saved->any, gres->bits_any_sock) ||
	    saved->has_bits != (gres->bits_by_sock != NULL) ||
	    saved->has_counts != (gres->cnt_by_sock != NULL))
		return false;
	for (int s = 0; saved->has_bits && s < gres->sock_cnt; s++)
		if (!same_bits(saved->by_sock[s], gres->bits_by_sock[s]))
			return false;
	return !saved->has_counts || !memcmp(saved->cnt_by_sock, gres->cnt_by_sock,
					     (size_t)gres->sock_cnt * sizeof(*gres->cnt_by_sock));
}

static void free_gres(struct saved_gres *saved)
{
	FREE_NULL_BITMAP(saved->any);
	for (int s = 0; s < saved->sockets_room; s++)
		FREE_NULL_BITMAP(saved->by_sock[s]);
	xfree(saved->by_sock);
	xfree(saved->cnt_by_sock);
}

/* Walks a node's GRES list beside what was saved of it: an answer may sort the list. */
struct walk {
	struct saved_gres *gres;
	int count, at;
	bool differs;
};

static const struct saved_gres *saved_of(const struct walk *walk, const sock_gres_t *gres)
{
	for (int i = 0; i < walk->count; i++)
		if (walk->gres[i].of == gres)
			return &walk->gres[i];
	return NULL;
}

static int walk_save(void *item, void *arg)
{
	struct walk *walk = arg;

	save_gres(&walk->gres[walk->at++], item);
	return 0;
}

static int walk_restore(void *item, void *arg)
{
	struct walk *walk = arg;
	const struct saved_gres *saved = saved_of(walk, item);

	if (saved)
		restore_gres(saved, item);
	return 0;
}

static int walk_compare(void *item, void *arg)
{
	struct walk *walk = arg;
	const struct saved_gres *saved = saved_of(walk, item);

	walk->differs = walk->differs || !saved || !same_gres(saved, item);
	return 0;
}

/* Calls step for each GRES of a node; false if any differed or their number changed. */
static bool each_gres(const struct saved_node *node, const avail_res_t *resources,
		      int (*step)(void *, void *))
{
	struct walk walk = {.gres = node->gres, .count = node->gres_count};

	if (!resources->sock_gres_list)
		return node->gres_count == 0;
	if (list_count(resources->sock_gres_list) != node->gres_count)
		return false;
	list_for_each(resources->sock_gres_list, step, &walk);
	return !walk.differs;
}

/* The record without its pointers, as for a GRES. */
static void node_scalars(avail_res_t *scalars, const avail_res_t *resources)
{
	memcpy(scalars, resources, sizeof(*scalars));
	scalars->avail_cores_per_sock = NULL;
	scalars->sock_gres_list = NULL;
}

static void save_resources(struct saved_node *node, const avail_res_t *resources)
{
	int sockets = resources->sock_cnt;
	gw_list_t gres = resources->sock_gres_list;

	node_scalars(&node->scalars, resources);
	node->has_cores_per_sock = resources->avail_cores_per_sock != NULL;
	if (sockets > node->sockets_room) {
		xrecalloc(node->cores_per_sock, sockets, sizeof(*node->cores_per_sock));
		node->sockets_room = sockets;
	}
	if (node->has_cores_per_sock)
		memcpy(node->cores_per_sock, resources->avail_cores_per_sock,
		       (size_t)sockets * sizeof(*node->cores_per_sock));
	node->gres_count = gres ? list_count(gres) : 0;
	if (node->gres_count > node->gres_room) {
		xrecalloc(node->gres, node->gres_count, sizeof(*node->gres));
		node->gres_room = node->gres_count;
	}
	each_gres(node, resources, walk_save);
}

static void save_node(struct saved_node *node, int index, const struct gw_placement *question)
{
	const avail_res_t *resources = question->avail_res[index];

	gw_bits_put(&node->cores, question->avail_core[index]);
	node->present = resources != NULL;
	node->gres_count = 0;
	if (resources)
		save_resources(node, resources);
}

static void restore_node(const struct saved_node *node, avail_res_t *resources, bitstr_t **cores)
{
	avail_res_t now;

	gw_bits_put(cores, node->cores);
	if (!node->present || !resources)
		return;
	now = *resources;
	memcpy(resources, &node->scalars, sizeof(*resources));
	resources->avail_cores_per_sock = now.avail_cores_per_sock;
	resources->sock_gres_list = now.sock_gres_list;
	if (node->has_cores_per_sock && resources->avail_cores_per_sock)
		memcpy(resources->avail_cores_per_sock, node->cores_per_sock,
		       resources->sock_cnt * sizeof(*node->cores_per_sock));
	each_gres(node, resources, walk_restore);
}

static const char *differs(const struct gw_snapshot *snapshot, int index,
			   const struct gw_placement *question)
{
	const struct saved_node *node = &snapshot->node[index];
	const avail_res_t *resources = question->avail_res[index];
	avail_res_t now;

	if (!same_bits(node->cores, question->avail_core[index]))
		return "cores";
	if (node->present != (resources != NULL))
		return "nodes with resources";
	if (!resources)
		return NULL;
	node_scalars(&now, resources);
	if (memcmp(&now, &node->scalars, sizeof(now)))
		return "CPU counts";
	if (node->has_cores_per_sock != (resources->avail_cores_per_sock != NULL))
		return "cores of a socket";
	if (node->has_cores_per_sock &&
	    memcmp(node->cores_per_sock, resources->avail_cores_per_sock,
		   resources->sock_cnt * sizeof(*node->cores_per_sock)))
		return "cores of a socket";
	return each_gres(node, resources, walk_compare) ? NULL : "GPUs";
}

struct gw_snapshot *gw_snapshot_create(void)
{
	return xcalloc(1, sizeof(struct gw_snapshot));
}

/* Room for as many nodes, with all that those of this question need, so that others need none. */
static void make_room(struct gw_snapshot *snapshot, const struct gw_placement *question)
{
	int nodes = (int)bit_size(question->node_map);

	if (question->ask_size > snapshot->ask_room) {
		xrecalloc(snapshot->ask, 1, question->ask_size);
		snapshot->ask_room = question->ask_size;
	}
	if (nodes <= snapshot->node_room)
		return;
	xrecalloc(snapshot->node, nodes, sizeof(*snapshot->node));
	xrecalloc(snapshot->taken, nodes, sizeof(*snapshot->taken));
	snapshot->node_room = nodes;
	for (int i = 0; i < nodes; i++)
		save_node(&snapshot->node[i], i, question);
}

void gw_snapshot_take(struct gw_snapshot *snapshot, const struct gw_placement *question,
		      bitstr_t *nodes)
{
	int first = nodes ? (int)bit_ffs(nodes) : 0;
	int last = (int)(nodes ? bit_fls(nodes) : bit_size(question->node_map) - 1);

	make_room(snapshot, question);
	memcpy(snapshot->ask, question->ask, question->ask_size);
	gw_bits_put(&snapshot->node_map, question->node_map);
	snapshot->taken_count = 0;
	for (int i = first; i >= 0 && i <= last; i++) {
		if (nodes && !bit_test(nodes, i))
			continue;
		save_node(&snapshot->node[i], i, question);
		snapshot->taken[snapshot->taken_count++] = i;
	}
	snapshot->best_switch = question->job->best_switch;
	snapshot->req_switch = question->job->req_switch;
	snapshot->wait4switch_start = question->job->wait4switch_start;
}

void gw_snapshot_restore(const struct gw_snapshot *snapshot, struct gw_placement *question)
{
	memcpy(question->ask, snapshot->ask, question->ask_size);
	bit_copybits(question->node_map, snapshot->node_map);
	for (int i = 0; i < snapshot->taken_count; i++) {
		int index = snapshot->taken[i];

		restore_node(&snapshot->node[index], question->avail_res[index],
			     &question->avail_core[index]);
	}
	question->job->best_switch = snapshot->best_switch;
	question->job->req_switch = snapshot->req_switch;
	question->job->wait4switch_start = snapshot->wait4switch_start;
}

bitstr_t *gw_snapshot_nodes(const struct gw_snapshot *snapshot)
{
	return snapshot->node_map;
}

const char *gw_snapshot_differs(const struct gw_snapshot *snapshot,
				const struct gw_placement *question)
{
	const char *difference = NULL;

	if (!same_bits(snapshot->node_map, question->node_map))
		return "nodes";
	if (snapshot->best_switch != question->job->best_switch)
		return "switches";
	for (int i = 0; !difference && i < snapshot->taken_count; i++)
		difference = differs(snapshot, snapshot->taken[i], question);
	return difference;
}

const char *gw_snapshot_differs_outside(const struct gw_snapshot *snapshot,
					const struct gw_placement *question, bitstr_t *nodes)
{
	const char *difference = NULL;

	for (int i = 0; !difference && i < snapshot->taken_count; i++)
		if (!bit_test(nodes, snapshot->taken[i]))
			difference = differs(snapshot, snapshot->taken[i], question);
	return difference;
}

static void free_node(struct saved_node *node)
{
	for (int g = 0; g < node->gres_room; g++)
		free_gres(&node->gres[g]);
	xfree(node->gres);
	xfree(node->cores_per_sock);
	FREE_NULL_BITMAP(node->cores);
}

void gw_snapshot_free(struct gw_snapshot *snapshot)
{
	if (!snapshot)
		return;
	for (int i = 0; i < snapshot->node_room; i++)
		free_node(&snapshot->node[i]);
	xfree(snapshot->node);
	xfree(snapshot->taken);
	xfree(snapshot->ask);
	FREE_NULL_BITMAP(snapshot->node_map);
	xfree(snapshot);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* What gangway topo says of sets of GPUs and the links in them. */
#include <string.h>

#include "topo_show.h"

#define MEGABYTES 1000

const char *gw_topo_set_text(gw_gpus set, char text[GW_SET_SIZE])
{
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t first = 0; first < GW_SHAPE_GPUS_MAX; first++) {
		uint32_t last = first;
		const char *comma = used ? "," : "";

		if (!(set >> first & 1))
			continue;
		while (last + 1 < GW_SHAPE_GPUS_MAX && set >> (last + 1) & 1)
			last++;
		if (last > first)
			used += snprintf(text + used, GW_SET_SIZE - used, "%s%u-%u", comma, first,
					 last);
		else
			used += snprintf(text + used, GW_SET_SIZE - used, "%s%u", comma, first);
		first = last;
	}
	return text;
}

bool gw_topo_has_place(const struct gw_topo_node *node, uint32_t gpu)
{
	return node->gpu[gpu].local || node->shape.socket[gpu] != GW_SHAPE_NO_SOCKET;
}

gw_gpus gw_topo_unplaced(const struct gw_topo_node *node)
{
	gw_gpus set = 0;

	for (uint32_t i = 0; i < node->shape.gpus; i++)
		if (!gw_topo_has_place(node, i))
			set |= 1u << i;
	return set;
}

const char *gw_topo_path_name(enum gw_topo_path path)
{
	static const char *const names[] = {
		[GW_PATH_SYS] = "SYS",   [GW_PATH_SOCKET] = "SOC", [GW_PATH_NODE] = "NODE",
		[GW_PATH_PHB] = "PHB",   [GW_PATH_PXB] = "PXB",    [GW_PATH_PIX] = "PIX",
		[GW_PATH_XGMI] = "XGMI", [GW_PATH_NV] = "NV",
	};

	return names[path];
}

const char *gw_topo_gigabytes(uint32_t megabytes, char text[GW_LABEL_SIZE])
{
	snprintf(text, GW_LABEL_SIZE, "%.3g", (double)megabytes / MEGABYTES);
	return text;
}

static bool is_even(const struct gw_topo_node *node, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i < node->shape.gpus; i++)
		for (uint32_t k = 0; k < i; k++)
			if (node->path[i][k] == node->path[a][b] &&
			    node->bandwidth[i][k] != node->bandwidth[a][b])
				return false;
	return true;
}

const char *gw_topo_label(const struct gw_topo_node *node, uint32_t a, uint32_t b,
			  char text[GW_LABEL_SIZE])
{
	const char *name = gw_topo_path_name(node->path[a][b]);
	char width[GW_LABEL_SIZE];

	if (!node->bandwidth[a][b] || is_even(node, a, b))
		snprintf(text, GW_LABEL_SIZE, "%s", name);
	else
		snprintf(text, GW_LABEL_SIZE, "%s@%.10s", name,
			 gw_topo_gigabytes(node->bandwidth[a][b], width));
	return text;
}

/* What joins GPUs: strengths of links, or nearness. */
typedef const uint8_t (*strengths)[GW_SHAPE_GPUS_MAX];

/* All GPUs joined with one by at least this strength, however many steps it takes. */
static gw_gpus joined(strengths by, uint32_t gpus, uint32_t gpu, uint8_t strength)
{
	gw_gpus set = 1u << gpu, before;

	do {
		before = set;
		for (uint32_t a = 0; a < gpus; a++)
			for (uint32_t b = 0; b < gpus; b++)
				if (a != b && set >> a & 1 && by[a][b] >= strength)
					set |= 1u << b;
	} while (set != before);
	return set;
}

static void find_islands(strengths by, uint32_t gpus, struct gw_topo_level *level)
{
	gw_gpus seen = 0;

	level->islands = 0;
	for (uint32_t gpu = 0; gpu < gpus; gpu++) {
		gw_gpus set = joined(by, gpus, gpu, level->strength);

		if (!(seen >> gpu & 1) && gw_gpus_count(set) > 1)
			level->island[level->islands++] = set;
		seen |= set;
	}
}

static bool is_new(const struct gw_topo_level *level, const struct gw_topo_level *levels,
		   uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		if (levels[i].islands == level->islands &&
		    !memcmp(levels[i].island, level->island,
			    level->islands * sizeof(level->island[0])))
			return false;
	return true;
}

/* The strongest below a strength, and what that is called; 0: there is none. */
static uint8_t next_strength(const struct gw_topo_node *node, strengths by, uint32_t below,
			     char label[GW_LABEL_SIZE])
{
	bool links = by == (strengths)node->shape.link;
	uint8_t next = 0;

	for (uint32_t a = 0; a < node->shape.gpus; a++) {
		for (uint32_t b = 0; b < a; b++) {
			if (by[a][b] >= below || by[a][b] <= next)
				continue;
			next = by[a][b];
			if (links)
				gw_topo_label(node, a, b, label);
			else
				snprintf(label, GW_LABEL_SIZE, "%s",
					 gw_topo_path_name(node->pci_path[a][b]));
		}
	}
	return next;
}

static uint32_t add_levels(const struct gw_topo_node *node, strengths by,
			   struct gw_topo_level *levels, uint32_t count)
{
	uint32_t below = UINT8_MAX + 1, first = count;

	for (struct gw_topo_level level = {0}; count - first < GW_SHAPE_GPUS_MAX;) {
		level.strength = next_strength(node, by, below, level.label);
		if (!level.strength)
			break;
		below = level.strength;
		find_islands(by, node->shape.gpus, &level);
		if (is_new(&level, levels, count))
			levels[count++] = level;
	}
	return count;
}

uint32_t gw_topo_levels(const struct gw_topo_node *node, struct gw_topo_level levels[GW_LEVELS_MAX])
{
	uint32_t count = add_levels(node, node->shape.link, levels, 0);
	bool hidden = false;

	for (uint32_t a = 0; a < node->shape.gpus; a++)
		for (uint32_t b = 0; b < a; b++)
			hidden = hidden || node->bandwidth[a][b];
	return hidden ? add_levels(node, node->shape.near, levels, count) : count;
}

static uint32_t nearness_in(const struct gw_shape_info *shape, gw_gpus set)
{
	uint32_t sum = 0;

	for (uint32_t a = 0; a < shape->gpus; a++)
		for (uint32_t b = 0; b < a; b++)
			if (set >> a & set >> b & 1)
				sum += shape->near[a][b];
	return sum;
}

void gw_topo_given(const struct gw_topo_show *show, uint32_t size, bool gang,
		   struct gw_topo_given *given)
{
	const struct gw_shape_info *shape = &show->node->shape;
	gw_gpus idle = gw_gpus_first(shape->gpus), free = idle, set;
	uint32_t best = gw_gpuset_quality(show->table, idle, size);
	uint32_t near;

	*given = (struct gw_topo_given){0};
	while ((set = gw_gpuset_choose_as(show->table, free, size, gang))) {
		given->set[given->sets++] = set;
		free &= ~set;
	}
	near = nearness_in(shape, given->set[0]);
	for (set = 0; set <= idle; set++) {
		if (gw_gpus_count(set) != size)
			continue;
		given->all++;
		given->as_good += gw_gpuset_quality(show->table, set, size) == best &&
				  nearness_in(shape, set) == near;
	}
}

bool gw_topo_near_nics(const struct gw_topo_node *node, uint32_t gpu, struct gw_str *names,
		       enum gw_topo_path *path)
{
	*path = GW_PATH_SYS;
	for (uint32_t nic = 0; nic < node->nics; nic++)
		if (node->nic[nic].counts && node->nic_path[gpu][nic] > *path)
			*path = node->nic_path[gpu][nic];
	for (uint32_t nic = 0; nic < node->nics; nic++)
		if (node->nic[nic].counts && node->nic_path[gpu][nic] == *path)
			gw_str_appendf(names, "%s%s", names->length ? "," : "",
				       node->nic[nic].name[0] ? node->nic[nic].name
							      : node->nic[nic].bus);
	return node->nics > 0;
}

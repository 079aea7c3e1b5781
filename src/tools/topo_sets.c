// SPDX-License-Identifier: GPL-2.0-or-later
/* What gangway topo says of sets of GPUs and the links in them. */
#include <string.h>

#include "topo_show.h"

#define MEGABYTES 1000

const char *gw_topo_set_text(gw_gpus set, char text[GW_SET_SIZE])
{
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t first = 0; first < GW_GPUS_MAX; first++) {
		uint32_t last = first;
		const char *comma = used ? "," : "";

		if (!(set >> first & 1))
			continue;
		while (last + 1 < GW_GPUS_MAX && set >> (last + 1) & 1)
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

/* All GPUs that links of at least this strength join with one, however many steps it takes. */
static gw_gpus joined(const struct gw_shape_info *shape, uint32_t gpu, uint8_t strength)
{
	gw_gpus set = 1u << gpu, before;

	do {
		before = set;
		for (uint32_t a = 0; a < shape->gpus; a++)
			for (uint32_t b = 0; b < shape->gpus; b++)
				if (a != b && set >> a & 1 && shape->link[a][b] >= strength)
					set |= 1u << b;
	} while (set != before);
	return set;
}

static void find_islands(const struct gw_topo_node *node, struct gw_topo_level *level)
{
	gw_gpus seen = 0;

	level->islands = 0;
	for (uint32_t gpu = 0; gpu < node->shape.gpus; gpu++) {
		gw_gpus set = joined(&node->shape, gpu, level->strength);

		if (!(seen >> gpu & 1) && gw_gpus_count(set) > 1)
			level->island[level->islands++] = set;
		seen |= set;
	}
}

static bool same_islands(const struct gw_topo_level *a, const struct gw_topo_level *b)
{
	return a->islands == b->islands &&
	       !memcmp(a->island, b->island, a->islands * sizeof(a->island[0]));
}

/* The strongest link weaker than this one; 0: there is none. */
static uint8_t next_strength(const struct gw_topo_node *node, uint32_t below,
			     char label[GW_LABEL_SIZE])
{
	uint8_t next = 0;

	for (uint32_t a = 0; a < node->shape.gpus; a++)
		for (uint32_t b = 0; b < a; b++)
			if (node->shape.link[a][b] < below && node->shape.link[a][b] > next) {
				next = node->shape.link[a][b];
				gw_topo_label(node, a, b, label);
			}
	return next;
}

uint32_t gw_topo_levels(const struct gw_topo_node *node, struct gw_topo_level levels[GW_GPUS_MAX])
{
	struct gw_topo_level level = {0};
	uint32_t count = 0, below = UINT8_MAX + 1;

	while (count < GW_GPUS_MAX && (level.strength = next_strength(node, below, level.label))) {
		below = level.strength;
		find_islands(node, &level);
		if (!count || !same_islands(&level, &levels[count - 1]))
			levels[count++] = level;
	}
	return count;
}

void gw_topo_given(const struct gw_gpuset_table *table, uint32_t size, struct gw_topo_given *given)
{
	gw_gpus idle = (1u << gw_gpuset_gpus(table)) - 1, free = idle, set;
	uint32_t best = gw_gpuset_quality(table, idle, size);

	*given = (struct gw_topo_given){0};
	while ((set = gw_gpuset_choose(table, free, size))) {
		given->set[given->sets++] = set;
		free &= ~set;
	}
	for (set = 0; set <= idle; set++) {
		if (gw_gpus_count(set) != size)
			continue;
		given->all++;
		given->as_good += gw_gpuset_quality(table, set, size) == best;
	}
}

bool gw_topo_near_nics(const struct gw_topo_node *node, uint32_t gpu, struct gw_str *names,
		       enum gw_topo_path *path)
{
	*path = GW_PATH_SYS;
	for (uint32_t nic = 0; nic < node->nics; nic++)
		if (node->nic_path[gpu][nic] > *path)
			*path = node->nic_path[gpu][nic];
	for (uint32_t nic = 0; nic < node->nics; nic++)
		if (node->nic_path[gpu][nic] == *path)
			gw_str_appendf(names, "%s%s", names->length ? "," : "",
				       node->nic[nic].name[0] ? node->nic[nic].name
							      : node->nic[nic].bus);
	return node->nics > 0;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "why_map.h"

#include <stdlib.h>
#include <string.h>

#include "gres_shape.h"

void gw_map_source_open(struct gw_map_source *source, const struct gw_site *site,
			const struct gw_known_job *job)
{
	char *path = gw_slurm_beside(site->places.slurm_conf, NULL, "gres.conf");
	struct gw_error ignored = {{0}};

	*source = (struct gw_map_source){.site = site, .job = job};
	if (path)
		(void)gw_slurm_conf_read(path, &source->gres, NULL, &ignored);
	free(path);
}

void gw_map_source_close(struct gw_map_source *source)
{
	gw_slurm_conf_free(&source->gres);
}

static const node_info_t *node_named(const struct gw_asked_nodes *asked, const char *name)
{
	for (uint32_t i = 0; asked->nodes && i < asked->nodes->record_count; i++)
		if (asked->nodes->node_array[i].name &&
		    !strcmp(asked->nodes->node_array[i].name, name))
			return &asked->nodes->node_array[i];
	return NULL;
}

static const struct gw_shape *shape_of(const struct gw_conf *conf, const char *node)
{
	for (size_t i = 0; conf && i < conf->shape_count; i++)
		for (size_t k = 0; k < conf->shapes[i].node.count; k++)
			if (!strcmp(conf->shapes[i].node.item[k], node))
				return &conf->shapes[i];
	return NULL;
}

/* Cores of a list that are near one GPU; none where it is no list. */
static void mark(const char *list, struct gw_core_map *map, uint32_t gpu)
{
	uint8_t marked[GW_CORES_MAX] = {0};

	if (!gw_topo_mark_list(list, map->cores, marked))
		return;
	for (uint32_t core = 0; core < map->cores; core++)
		if (marked[core])
			gw_cores_add(&map->near[gpu], core);
}

static bool by_file(struct gw_map_source *source, const char *node, struct gw_core_map *map)
{
	const struct gw_shape *shape = shape_of(source->job->conf, node);
	struct gw_error ignored = {{0}};

	if (!shape || !shape->hwloc)
		return false;
	if (shape != source->shape)
		source->is_read = !gw_topo_shape_from_xml_apart(shape->hwloc, NULL, &source->info,
								&source->cores, &ignored);
	source->shape = shape;
	if (!source->is_read || source->cores.count != map->cores ||
	    source->info.gpus > GW_SHAPE_GPUS_MAX)
		return false;
	map->gpus = source->info.gpus;
	for (uint32_t gpu = 0; gpu < map->gpus; gpu++)
		mark(source->cores.gpu[gpu], map, gpu);
	return true;
}

static bool by_gres(const struct gw_map_source *source, const char *node, struct gw_core_map *map)
{
	struct gw_error ignored = {{0}};
	struct gw_gres_gpus gpus;
	bool known = !gw_gres_gpus_of_node(&source->gres, node, NULL, &gpus, &ignored);

	/* slurmd has put those that it detects in an order of its own. */
	known = known && gpus.count && gpus.count <= GW_SHAPE_GPUS_MAX && !gpus.detected;
	map->gpus = known ? (uint32_t)gpus.count : 0;
	for (uint32_t gpu = 0; gpu < map->gpus; gpu++)
		if (gpus.item[gpu].cores)
			mark(gpus.item[gpu].cores, map, gpu);
	gw_gres_gpus_free(&gpus);
	return known;
}

bool gw_map_source_ask(void *arg, const char *node, struct gw_core_map *map)
{
	struct gw_map_source *source = arg;
	const node_info_t *info = node_named(&source->job->nodes, node);

	if (!info)
		return false;
	map->per_socket = info->cores;
	map->threads = info->threads;
	map->cores = (uint32_t)info->sockets * info->cores;
	if (!map->cores || map->cores > GW_CORES_MAX)
		return false;
	return by_file(source, node, map) || by_gres(source, node, map);
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "topo_show.h"

static json_t *text_or_null(const char *text)
{
	return *text ? json_string(text) : json_null();
}

static json_t *number_or_null(int number)
{
	return number < 0 ? json_null() : json_integer(number);
}

static json_t *set_json(gw_gpus set)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < GW_SHAPE_GPUS_MAX; i++)
		if (set >> i & 1)
			json_array_append_new(array, json_integer(i));
	return array;
}

static json_t *gpus_json(const struct gw_topo_node *node)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < node->shape.gpus; i++) {
		const struct gw_topo_gpu *gpu = &node->gpu[i];
		json_t *object = json_pack("{s:i, s:s}", "index", i, "bus", gpu->bus);
		uint8_t socket = node->shape.socket[i];

		json_object_set_new(object, "socket",
				    number_or_null(socket == GW_SHAPE_NO_SOCKET ? -1 : socket));
		json_object_set_new(object, "numa", number_or_null(gpu->numa));
		json_object_set_new(object, "model", text_or_null(gpu->model));
		json_object_set_new(object, "type", text_or_null(gpu->type));
		json_object_set_new(object, "driver", text_or_null(gpu->os));
		json_object_set_new(object, "device", text_or_null(gpu->device));
		json_object_set_new(
			object, "cores",
			text_or_null(gw_topo_has_place(node, i) ? node->cores.gpu[i] : ""));
		json_object_set_new(object, "local", json_boolean(gpu->local));
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *nics_json(const struct gw_topo_node *node)
{
	json_t *array = json_array();

	for (uint32_t i = 0; i < node->nics; i++) {
		json_t *object = json_pack("{s:s}", "bus", node->nic[i].bus);
		json_t *paths = json_array();

		for (uint32_t gpu = 0; gpu < node->shape.gpus; gpu++)
			json_array_append_new(
				paths, json_string(gw_topo_path_name(node->nic_path[gpu][i])));
		json_object_set_new(object, "numa", number_or_null(node->nic[i].numa));
		json_object_set_new(object, "counts", json_boolean(node->nic[i].counts));
		json_object_set_new(object, "names", text_or_null(node->nic[i].name));
		json_object_set_new(object, "path_of_gpu", paths);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *links_json(const struct gw_topo_node *node)
{
	json_t *array = json_array();

	for (uint32_t a = 0; a < node->shape.gpus; a++) {
		for (uint32_t b = a + 1; b < node->shape.gpus; b++) {
			json_t *object = json_pack("{s:[i,i], s:s, s:i}", "gpus", a, b, "path",
						   gw_topo_path_name(node->path[a][b]), "strength",
						   node->shape.link[a][b]);

			json_object_set_new(object, "megabytes_per_second",
					    node->bandwidth[a][b]
						    ? json_integer(node->bandwidth[a][b])
						    : json_null());
			json_array_append_new(array, object);
		}
	}
	return array;
}

static json_t *islands_json(const struct gw_topo_node *node)
{
	struct gw_topo_level levels[GW_LEVELS_MAX];
	uint32_t count = gw_topo_levels(node, levels);
	json_t *array = json_array();

	for (uint32_t i = 0; i < count; i++) {
		json_t *sets = json_array();

		for (uint32_t k = 0; k < levels[i].islands; k++)
			json_array_append_new(sets, set_json(levels[i].island[k]));
		json_array_append_new(array,
				      json_pack("{s:s, s:i, s:o}", "path", levels[i].label,
						"strength", levels[i].strength, "islands", sets));
	}
	return array;
}

static json_t *given_json(const struct gw_topo_show *show, uint32_t size, bool gang)
{
	struct gw_topo_given given = {0};
	json_t *sets = json_array();

	if (show->table && size && show->node->shape.gpus > 1)
		gw_topo_given(show, size, gang, &given);
	for (uint32_t i = 0; i < given.sets; i++)
		json_array_append_new(sets, set_json(given.set[i]));
	return sets;
}

static json_t *tree_json(const struct gw_topo_node *node)
{
	static const char *const kinds[] = {
		[GW_TOPO_MACHINE] = "machine", [GW_TOPO_SOCKET] = "socket",
		[GW_TOPO_NUMA] = "numa",       [GW_TOPO_HOST_BRIDGE] = "host bridge",
		[GW_TOPO_SWITCH] = "switch",   [GW_TOPO_GPU] = "gpu",
		[GW_TOPO_NIC] = "network",
	};
	json_t *array = json_array();

	for (uint32_t i = 0; i < node->items; i++) {
		const struct gw_topo_item *item = &node->item[i];
		json_t *object =
			json_pack("{s:s, s:i}", "kind", kinds[item->kind], "number", item->number);

		json_object_set_new(object, "parent", number_or_null(item->parent));
		json_object_set_new(object, "name", text_or_null(item->name));
		json_object_set_new(object, "cores", text_or_null(item->cores));
		json_array_append_new(array, object);
	}
	return array;
}

json_t *gw_topo_json(const struct gw_topo_show *show)
{
	const struct gw_topo_node *node = show->node;
	uint32_t half = node->shape.gpus % 2 ? 0 : node->shape.gpus / 2;
	struct gw_str gres = {0};
	json_t *root = json_pack("{s:s, s:i, s:i, s:i, s:i}", "from", show->from, "sockets",
				 node->sockets, "numa_nodes", node->numas, "cores",
				 node->core_count, "threads", node->pu_count);

	json_object_set_new(root, "gpus", gpus_json(node));
	json_object_set_new(root, "nics", nics_json(node));
	json_object_set_new(root, "links_known", json_boolean(!node->shape.links_unknown));
	json_object_set_new(root, "links", links_json(node));
	json_object_set_new(root, "islands", islands_json(node));
	json_object_set_new(root, "pairs", given_json(show, 2, false));
	json_object_set_new(root, "halves", given_json(show, half, false));
	json_object_set_new(root, "gang_pairs", given_json(show, 2, true));
	json_object_set_new(root, "gang_halves", given_json(show, half, true));
	json_object_set_new(root, "tree", tree_json(node));
	gw_topo_gres(show, &gres);
	json_object_set_new(root, "gres_conf", json_string(gw_str_text(&gres)));
	if (gres.failed) {
		json_decref(root);
		root = NULL;
	}
	gw_str_free(&gres);
	return root;
}

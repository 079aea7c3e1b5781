// SPDX-License-Identifier: GPL-2.0-or-later
/* The GPUs of gres.conf against those that hwloc saw on a node of that kind. */
#include <stdlib.h>
#include <string.h>

#include "check_gres.h"
#include "topo_show.h"

/* Which GPU of hwloc each one of gres.conf is. */
struct match {
	uint32_t gpu[GW_SHAPE_GPUS_MAX];
};

static bool by_device(const struct gw_check_node *node, struct match *match)
{
	gw_gpus seen = 0;

	for (size_t i = 0; i < node->gpus->count; i++) {
		uint32_t k = 0;

		while (k < node->hwloc->shape.gpus &&
		       (!node->gpus->item[i].device ||
			strcmp(node->hwloc->gpu[k].device, node->gpus->item[i].device)))
			k++;
		if (k == node->hwloc->shape.gpus || seen >> k & 1)
			return false;
		seen |= 1u << k;
		match->gpu[i] = k;
	}
	return true;
}

static bool same_cores(const char *list, const char *other, uint32_t cores)
{
	uint8_t *marked = calloc(cores, 2);
	bool same = true;

	/* No memory is no reason to complain about cores. */
	if (!marked)
		return true;
	if (gw_topo_mark_list(list, cores, marked) &&
	    gw_topo_mark_list(other, cores, marked + cores))
		same = !memcmp(marked, marked + cores, cores);
	free(marked);
	return same;
}

/* GPUs whose Cores= are not those near the GPU of hwloc that they are taken for. */
static size_t other_cores(const struct gw_check_node *node, const struct match *match)
{
	uint32_t cores = node->cores.sockets * node->cores.per_socket;
	size_t count = 0;

	for (size_t i = 0; i < node->gpus->count; i++) {
		const char *list = node->gpus->item[i].cores;

		count += list && !same_cores(list, node->hwloc->cores.gpu[match->gpu[i]], cores);
	}
	return count;
}

/* Whether hwloc had the files from the system; NVIDIA's are the driver's index as minor number. */
static bool files_are_certain(const struct gw_check_node *node)
{
	for (uint32_t i = 0; i < node->hwloc->shape.gpus; i++)
		if (!strncmp(node->hwloc->gpu[i].os, "nvml", 4))
			return false;
	return true;
}

/* slurmctld does not hear of device files: there it goes by order. */
static void check_order(const struct gw_check_node *node, const struct match *match)
{
	const char *sure = files_are_certain(node)
				   ? ""
				   : ", if minor numbers are the driver's index (nvidia-smi -q)";
	struct gw_str text = {0};
	size_t i = 0;

	while (i < node->gpus->count && match->gpu[i] == i)
		i++;
	if (i == node->gpus->count)
		return;
	gw_str_appendf(&text,
		       "GPU %zu of node %s is %s, which by PCI address is GPU %u%s: list GPUs in "
		       "order of PCI addresses, or slurmctld takes links of the hwloc file for "
		       "those of other GPUs",
		       i, node->name, node->gpus->item[i].device, match->gpu[i], sure);
	gw_check_say(node, GW_WARNING, node->gpus->item[i].line, &text);
}

/*
 * By device file where hwloc knows all of them, else by order. NVIDIA's minor numbers need not be
 * in the driver's order: there files count only where they fit Cores= better than order does.
 */
static void match_gpus(const struct gw_check_node *node, struct match *match)
{
	struct match order;

	for (uint32_t i = 0; i < node->gpus->count; i++)
		order.gpu[i] = i;
	if (by_device(node, match) &&
	    (files_are_certain(node) || other_cores(node, match) < other_cores(node, &order)))
		check_order(node, match);
	else
		*match = order;
}

static void compare_cores(const struct gw_check_node *node, const struct match *match)
{
	uint32_t cores = node->cores.sockets * node->cores.per_socket;

	for (size_t i = 0; i < node->gpus->count; i++) {
		const struct gw_gres_gpu *gpu = &node->gpus->item[i];
		const char *right = node->hwloc->cores.gpu[match->gpu[i]];
		struct gw_str text = {0};

		if (!gpu->cores || !gw_topo_has_place(node->hwloc, match->gpu[i]) ||
		    same_cores(gpu->cores, right, cores))
			continue;
		gw_str_appendf(
			&text, "Cores=%s of GPU %zu of node %s: hwloc sees it (%s) near cores %s",
			gpu->cores, i, node->name, node->hwloc->gpu[match->gpu[i]].bus, right);
		gw_check_say(node, GW_WARNING, gpu->line, &text);
	}
}

/* hwloc's links in the order of gres.conf. */
static void reorder(const struct gw_shape_info *from, const struct match *match,
		    struct gw_shape_info *to)
{
	*to = (struct gw_shape_info){
		.gpus = from->gpus, .sockets = from->sockets, .links_unknown = from->links_unknown};
	for (uint32_t a = 0; a < from->gpus; a++) {
		to->socket[a] = from->socket[match->gpu[a]];
		for (uint32_t b = 0; b < from->gpus; b++) {
			to->link[a][b] = from->link[match->gpu[a]][match->gpu[b]];
			to->near[a][b] = from->near[match->gpu[a]][match->gpu[b]];
		}
	}
}

/* Whether two links are rated in opposite order; says so. */
static bool contradicts(const struct gw_check_node *node, const struct gw_shape_info *said,
			const struct gw_shape_info *seen, uint32_t a)
{
	struct gw_str text = {0};

	for (uint32_t b = 0; b < said->gpus; b++) {
		for (uint32_t c = 0; c < said->gpus; c++) {
			if (a == b || a == c || said->link[a][b] <= said->link[a][c] ||
			    seen->link[a][b] >= seen->link[a][c])
				continue;
			gw_str_appendf(&text,
				       "Links= of GPU %u of node %s: %u for GPU %u and %u for GPU "
				       "%u, but hwloc sees the better link to GPU %u",
				       a, node->name, said->link[a][b], b, said->link[a][c], c, c);
			gw_check_say(node, GW_WARNING, node->gpus->item[a].line, &text);
			return true;
		}
	}
	return false;
}

static uint32_t weakest(const struct gw_shape_info *shape, gw_gpus set)
{
	uint32_t least = UINT8_MAX;

	for (uint32_t a = 0; a < shape->gpus; a++)
		for (uint32_t b = 0; b < a; b++)
			if (set >> a & set >> b & 1 && shape->link[a][b] < least)
				least = shape->link[a][b];
	return least;
}

/* What would be chosen by gres.conf, looked at with hwloc's eyes. Says so when that is worse. */
static bool misleads(const struct gw_check_node *node, const struct gw_gpuset_table *said,
		     const struct gw_gpuset_table *seen, const struct gw_shape_info *links,
		     uint32_t size)
{
	gw_gpus idle = gw_gpus_first(links->gpus);
	gw_gpus chosen = gw_gpuset_choose(said, idle, size);
	gw_gpus best = gw_gpuset_choose(seen, idle, size);
	char text_of_chosen[GW_SET_SIZE], text_of_best[GW_SET_SIZE];
	const struct gw_gres_gpu *gpu;
	struct gw_str text = {0};

	if (!chosen || weakest(links, chosen) >= weakest(links, best))
		return false;
	gpu = &node->gpus->item[__builtin_ctzll(chosen)];
	gw_str_appendf(&text,
		       "%s lead to GPUs %s for a job of %u on node %s, hwloc sees better links "
		       "between %s: see gangway topo --gres",
		       gpu->links ? "Links=" : "Cores= without Links=",
		       gw_topo_set_text(chosen, text_of_chosen), size, node->name,
		       gw_topo_set_text(best, text_of_best));
	gw_check_say(node, GW_WARNING, gpu->line, &text);
	return true;
}

static bool tells_apart(const struct gw_shape_info *shape)
{
	for (uint32_t a = 0; a < shape->gpus; a++)
		for (uint32_t b = 0; b < shape->gpus; b++)
			if (a != b && shape->link[a][b] != shape->link[0][1])
				return true;
	return false;
}

/*
 * hwloc does not know links between GPUs. Those of gres.conf, said (NULL: none that are right), are
 * not to be held against it: where they differ they count (plugins/common/shapes.c).
 */
static void tell_unknown(const struct gw_check_node *node, const struct gw_shape_info *said,
			 const struct gw_shape_info *seen)
{
	const struct gw_gres_gpu *first = &node->gpus->item[0];
	enum gw_severity severity = GW_WARNING;
	struct gw_str text = {0};

	/* There are some, but not a shape. */
	if (first->links && !said)
		return;
	gw_str_appendf(&text, "node %s: " GW_TOPO_LINKS_UNKNOWN " in the hwloc file of its shape",
		       node->name);
	if (!first->links) {
		gw_str_append(&text, ", and there is no Links=: GPUs are chosen by PCIe and NUMA "
				     "alone");
	} else if (!tells_apart(said)) {
		gw_str_append(&text, ", and Links= are all equal: GPUs are chosen by PCIe and NUMA "
				     "alone");
		severity = GW_NOTE;
	} else if (!memcmp(said->link, seen->link, sizeof(said->link))) {
		gw_str_append(&text, ", and Links= say no more than PCIe and NUMA");
	} else {
		gw_str_append(&text, ": Links= decide");
		severity = GW_NOTE;
	}
	gw_check_say(node, severity, first->line, &text);
}

static void check_links(const struct gw_check_node *node, const struct gw_shape_info *shape,
			const struct gw_shape_info *links)
{
	struct gw_gpuset_table *said, *seen;

	for (uint32_t a = 0; node->gpus->item[0].links && a < links->gpus; a++)
		if (contradicts(node, shape, links, a))
			return;
	said = gw_gpuset_table_create(shape, NULL);
	seen = gw_gpuset_table_create(links, NULL);
	if (said && seen && !misleads(node, said, seen, links, 2))
		misleads(node, said, seen, links, links->gpus / 2);
	gw_gpuset_table_free(said);
	gw_gpuset_table_free(seen);
}

bool gw_check_hwloc_cores(const struct gw_check_node *node)
{
	return !node->hwloc ||
	       node->cores.sockets * node->cores.per_socket == node->hwloc->core_count;
}

/* gres.conf against slurm.conf is looked at elsewhere. */
static void check_sizes(const struct gw_check_node *node)
{
	uint32_t known = node->cores.sockets * node->cores.per_socket;
	struct gw_str gpus = {0}, cores = {0};

	/* hwloc shows whole GPUs; without gres.conf these may be slices. */
	if (node->wanted != node->hwloc->shape.gpus && node->gpus->count && !node->gpus->detected &&
	    !gw_check_have_slices(node->gpus)) {
		gw_str_appendf(&gpus,
			       "node %s: Gres= in slurm.conf has %llu GPU%s, the hwloc file of its "
			       "shape %u",
			       node->name, (unsigned long long)node->wanted,
			       node->wanted == 1 ? "" : "s", node->hwloc->shape.gpus);
		gw_check_say(node, GW_WARNING, node->line, &gpus);
	}
	if (gw_check_hwloc_cores(node))
		return;
	gw_str_appendf(&cores, "node %s: slurm.conf has %u core%s, the hwloc file of its shape %u",
		       node->name, known, known == 1 ? "" : "s", node->hwloc->core_count);
	gw_check_say(node, GW_WARNING, node->line, &cores);
}

/* A model that both the site's name of a type and hwloc name beyond doubt, but not the same. */
static void check_model(const struct gw_check_node *node, const char *type, const char *from)
{
	const char *model = gw_topo_known_type(type), *other = NULL;
	struct gw_str text = {0};

	for (uint32_t i = 0; model && i < node->hwloc->shape.gpus; i++) {
		other = gw_topo_known_type(node->hwloc->gpu[i].type);
		if (!other || !strcmp(model, other))
			return;
	}
	if (!other)
		return;
	gw_str_appendf(&text, "node %s: GPUs are %.64s by %s, %s by the hwloc file of its shape",
		       node->name, type, from, other);
	gw_check_say(node, GW_WARNING, node->line, &text);
}

static void check_models(const struct gw_check_node *node)
{
	const char *gres = node->gres;
	char type[GW_GRES_ITEM_SIZE];
	bool typed = false;

	while (gw_check_next_type(&gres, type)) {
		check_model(node, type, "Gres= in slurm.conf");
		typed = true;
	}
	for (size_t i = 0; !typed && i < node->gpus->count; i++)
		if (node->gpus->item[i].type)
			check_model(node, node->gpus->item[i].type, "Type= in gres.conf");
}

void gw_check_hwloc_node(const struct gw_check_node *node)
{
	check_sizes(node);
	check_models(node);
}

void gw_check_hwloc(const struct gw_check_node *node, const struct gw_shape_info *shape)
{
	uint32_t gpus = node->hwloc->shape.gpus;
	struct gw_shape_info links;
	struct match match;

	/* hwloc shows whole GPUs; what slurmd detects itself is not in the file. */
	if (gw_check_have_slices(node->gpus) || node->gpus->detected || node->wanted != gpus ||
	    node->gpus->count != gpus)
		return;
	match_gpus(node, &match);
	compare_cores(node, &match);
	if (gpus > GW_GPUSET_MAX)
		return;
	reorder(&node->hwloc->shape, &match, &links);
	if (links.links_unknown)
		tell_unknown(node, shape, &links);
	else if (shape && gpus > 1)
		check_links(node, shape, &links);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* The human picture of gangway topo. */
#include <string.h>

#include "topo_show.h"

/* Deeper trees are drawn without lines further left. */
#define DEPTH_MAX 16

static const char *plural(uint32_t count)
{
	return count == 1 ? "" : "s";
}

static void print_summary(const struct gw_topo_show *show)
{
	const struct gw_topo_node *node = show->node;
	uint32_t threads = node->core_count ? node->pu_count / node->core_count : 1;

	printf("%s: %u socket%s, %u NUMA node%s, %u core%s", show->from, node->sockets,
	       plural(node->sockets), node->numas, plural(node->numas), node->core_count,
	       plural(node->core_count));
	if (threads > 1)
		printf(" x %u threads", threads);
	printf(", %u GPU%s, %u network card%s\n\n", node->shape.gpus, plural(node->shape.gpus),
	       node->nics, plural(node->nics));
}

static void print_gpu(const struct gw_topo_node *node, uint32_t index)
{
	const struct gw_topo_gpu *gpu = &node->gpu[index];

	printf("GPU %u  %s", index, gpu->bus);
	if (gpu->os[0])
		printf("  %s", gpu->os);
	if (gpu->model[0] || gpu->type[0])
		printf("  %s", gpu->model[0] ? gpu->model : gpu->type);
}

static void print_item(const struct gw_topo_node *node, const struct gw_topo_item *item)
{
	switch ((enum gw_topo_kind)item->kind) {
	case GW_TOPO_MACHINE:
		printf("machine");
		break;
	case GW_TOPO_SOCKET:
		printf("socket %u  cores %s", item->number, item->cores);
		break;
	case GW_TOPO_NUMA:
		printf("NUMA %u  %s%s", item->number, item->cores[0] ? "cores " : "no cores",
		       item->cores);
		break;
	case GW_TOPO_HOST_BRIDGE:
		printf("host bridge");
		break;
	case GW_TOPO_SWITCH:
		printf("switch");
		break;
	case GW_TOPO_GPU:
		print_gpu(node, item->number);
		break;
	case GW_TOPO_NIC:
		printf("network  %s", node->nic[item->number].bus);
		if (node->nic[item->number].name[0])
			printf("  %s", node->nic[item->number].name);
		if (!node->nic[item->number].counts)
			printf("  (no RDMA, does not count)");
		break;
	}
	printf("%s%s\n", item->name[0] ? "  " : "", item->name);
}

static bool is_last(const struct gw_topo_node *node, uint32_t at)
{
	for (uint32_t i = at + 1; i < node->items; i++)
		if (node->item[i].parent == node->item[at].parent)
			return false;
	return true;
}

static void print_lines(const struct gw_topo_show *show, uint32_t at)
{
	const struct gw_topo_node *node = show->node;
	uint32_t above[DEPTH_MAX], depth = 0;

	for (int i = node->item[at].parent; i > 0 && depth < DEPTH_MAX; i = node->item[i].parent)
		above[depth++] = (uint32_t)i;
	while (depth-- > 0)
		fputs(is_last(node, above[depth]) ? "   " : show->utf8 ? "│  " : "|  ", stdout);
	if (is_last(node, at))
		fputs(show->utf8 ? "└─ " : "`- ", stdout);
	else
		fputs(show->utf8 ? "├─ " : "|- ", stdout);
}

static void print_tree(const struct gw_topo_show *show)
{
	for (uint32_t i = 0; i < show->node->items; i++) {
		if (i)
			print_lines(show, i);
		print_item(show->node, &show->node->item[i]);
	}
	putchar('\n');
}

static void cell_or_dash(struct gw_table *table, const char *text)
{
	gw_table_cell(table, *text ? text : "-");
}

static void add_nics(struct gw_table *table, const struct gw_topo_node *node, uint32_t gpu)
{
	struct gw_str names = {0};
	enum gw_topo_path path;

	if (!gw_topo_near_nics(node, gpu, &names, &path)) {
		gw_table_cell(table, "-");
		gw_table_cell(table, "-");
	} else {
		gw_table_cell(table, gw_str_text(&names));
		gw_table_cell(table, gw_topo_path_name(path));
	}
	table->failed = table->failed || names.failed;
	gw_str_free(&names);
}

static void number_or_dash(struct gw_table *table, int number)
{
	if (number < 0)
		gw_table_cell(table, "-");
	else
		gw_table_cellf(table, "%d", number);
}

static int socket_of(const struct gw_topo_node *node, uint32_t gpu)
{
	return node->shape.socket[gpu] == GW_SHAPE_NO_SOCKET ? -1 : node->shape.socket[gpu];
}

static void print_gpus(const struct gw_topo_node *node, const struct gw_output *output)
{
	static const char *const columns[] = {"Gpu",  "Type",  "Bus",  "Device",  "Socket",
					      "Numa", "Cores", "Nics", "NicPath", NULL};
	struct gw_table table = {.columns = columns};

	for (uint32_t i = 0; i < node->shape.gpus; i++) {
		gw_table_cellf(&table, "%u", i);
		cell_or_dash(&table, node->gpu[i].type);
		gw_table_cell(&table, node->gpu[i].bus);
		cell_or_dash(&table, node->gpu[i].device);
		number_or_dash(&table, socket_of(node, i));
		number_or_dash(&table, node->gpu[i].numa);
		cell_or_dash(&table, gw_topo_has_place(node, i) ? node->cores.gpu[i] : "");
		add_nics(&table, node, i);
	}
	gw_table_print(&table, output, stdout);
	gw_table_free(&table);
}

static void print_unplaced(const struct gw_topo_show *show)
{
	gw_gpus unplaced = gw_topo_unplaced(show->node);
	char text[GW_SET_SIZE];

	if (unplaced)
		printf("\nno locality in %s: sockets and cores near GPUs %s are not known\n",
		       show->from, gw_topo_set_text(unplaced, text));
}

static void print_matrix(const struct gw_topo_node *node)
{
	uint32_t count = node->shape.gpus;
	int width = 5;
	char text[GW_LABEL_SIZE];

	for (uint32_t a = 0; a < count; a++)
		for (uint32_t b = 0; b < a; b++)
			if ((int)strlen(gw_topo_label(node, a, b, text)) + 1 > width)
				width = (int)strlen(text) + 1;
	printf("%-6s", "Links");
	for (uint32_t b = 0; b < count; b++)
		printf("%*u", width, b);
	putchar('\n');
	for (uint32_t a = 0; a < count; a++) {
		printf("%-6u", a);
		for (uint32_t b = 0; b < count; b++)
			printf("%*s", width, a == b ? "-" : gw_topo_label(node, a, b, text));
		putchar('\n');
	}
}

/* Whether no pair before this one has the same way and bandwidth. */
static bool is_first(const struct gw_topo_node *node, uint32_t a, uint32_t b)
{
	for (uint32_t i = 0; i <= a; i++)
		for (uint32_t k = 0; k < i && (i < a || k < b); k++)
			if (node->path[i][k] == node->path[a][b] &&
			    node->bandwidth[i][k] == node->bandwidth[a][b])
				return false;
	return true;
}

/* What the words of a matrix mean, of those that are in it. */
static void print_legend(const struct gw_topo_node *node)
{
	static const char *const meaning[] = {
		[GW_PATH_SYS] = "across sockets",
		[GW_PATH_SOCKET] = "one socket, two NUMA nodes",
		[GW_PATH_NODE] = "one NUMA node, two host bridges",
		[GW_PATH_PHB] = "one host bridge",
		[GW_PATH_PXB] = "several PCIe switches",
		[GW_PATH_PIX] = "one PCIe switch",
		[GW_PATH_XGMI] = "XGMI",
		[GW_PATH_NV] = "NVLink",
	};
	char text[GW_LABEL_SIZE];

	for (int path = GW_PATH_NV; path >= 0; path--) {
		for (uint32_t a = 0; a < node->shape.gpus; a++) {
			for (uint32_t b = 0; b < a; b++) {
				if ((int)node->path[a][b] != path || !is_first(node, a, b))
					continue;
				printf("  %-9s %s", gw_topo_label(node, a, b, text), meaning[path]);
				if (node->bandwidth[a][b])
					printf(", %s GB/s each way",
					       gw_topo_gigabytes(node->bandwidth[a][b], text));
				putchar('\n');
			}
		}
	}
}

static void print_doubt(const struct gw_topo_node *node)
{
	if (node->shape.links_unknown)
		puts("\n" GW_TOPO_LINKS_UNKNOWN ":\nall of this is by PCIe and NUMA alone");
}

static gw_gpus gpus_of_socket(const struct gw_topo_node *node, uint32_t socket)
{
	gw_gpus set = 0;

	for (uint32_t i = 0; i < node->shape.gpus; i++)
		if (socket_of(node, i) == (int)socket)
			set |= 1u << i;
	return set;
}

static void print_sockets(const struct gw_topo_node *node)
{
	char text[GW_SET_SIZE];
	bool any = false;

	for (uint32_t i = 0; i < node->shape.gpus; i++)
		any = any || socket_of(node, i) >= 0;
	if (node->sockets < 2 || !any)
		return;
	fputs("  socket  ", stdout);
	for (uint32_t socket = 0; socket < node->sockets; socket++) {
		gw_gpus set = gpus_of_socket(node, socket);

		printf("  %s", set ? gw_topo_set_text(set, text) : "none");
	}
	putchar('\n');
}

static void print_islands(const struct gw_topo_node *node)
{
	struct gw_topo_level levels[GW_LEVELS_MAX];
	uint32_t count = gw_topo_levels(node, levels);
	char text[GW_SET_SIZE];

	printf("\nIslands\n");
	for (uint32_t i = 0; i < count; i++) {
		printf("  %-8s", levels[i].label);
		for (uint32_t k = 0; k < levels[i].islands; k++)
			printf("  %s", gw_topo_set_text(levels[i].island[k], text));
		putchar('\n');
	}
	print_sockets(node);
}

static void print_given(const struct gw_topo_show *show, const char *title, uint32_t size,
			bool gang)
{
	struct gw_topo_given given;
	char text[GW_SET_SIZE];

	gw_topo_given(show, size, gang, &given);
	printf("  %-8s", title);
	for (uint32_t i = 0; i < given.sets; i++)
		printf("  %s", gw_topo_set_text(given.set[i], text));
	if (gang)
		putchar('\n');
	else
		printf("   (%u of %u are as good as the first)\n", given.as_good, given.all);
}

static void print_pairs_and_halves(const struct gw_topo_show *show, bool gang)
{
	uint32_t gpus = show->node->shape.gpus;

	print_given(show, "pairs", 2, gang);
	if (gpus / 2 > 2 && gpus % 2 == 0)
		print_given(show, "halves", gpus / 2, gang);
}

static void print_best(const struct gw_topo_show *show)
{
	uint32_t gpus = show->node->shape.gpus;

	if (!show->table) {
		printf("\n%u GPUs are more than placement knows (%d): Slurm chooses among them\n",
		       gpus, GW_GPUSET_MAX);
		return;
	}
	if (gpus < 2)
		return;
	printf("\nGiven out on an idle node, in this order\n");
	print_pairs_and_halves(show, false);
	if (!gw_gpuset_has_gangs(show->table))
		return;
	printf("\nTo jobs of several nodes, near network cards first\n");
	print_pairs_and_halves(show, true);
}

static void print_pairs(const struct gw_topo_node *node, const struct gw_output *output)
{
	static const char *const columns[] = {"GpuA", "GpuB", "Path", "Strength", "GBs", NULL};
	struct gw_table table = {.columns = columns};
	char text[GW_LABEL_SIZE];

	for (uint32_t a = 0; a < node->shape.gpus; a++) {
		for (uint32_t b = a + 1; b < node->shape.gpus; b++) {
			gw_table_cellf(&table, "%u", a);
			gw_table_cellf(&table, "%u", b);
			gw_table_cell(&table, gw_topo_path_name(node->path[a][b]));
			gw_table_cellf(&table, "%u", node->shape.link[a][b]);
			gw_table_cell(&table,
				      node->bandwidth[a][b]
					      ? gw_topo_gigabytes(node->bandwidth[a][b], text)
					      : "-");
		}
	}
	gw_table_print(&table, output, stdout);
	gw_table_free(&table);
}

void gw_topo_print(const struct gw_topo_show *show, const struct gw_output *output)
{
	bool bare = output->parsable || output->no_header;

	if (!bare) {
		print_summary(show);
		print_tree(show);
	}
	print_gpus(show->node, output);
	if (!bare)
		print_unplaced(show);
	if (show->node->shape.gpus > 1)
		putchar('\n');
	if (bare) {
		print_pairs(show->node, output);
		return;
	}
	if (show->node->shape.gpus > 1) {
		print_matrix(show->node);
		print_legend(show->node);
		print_doubt(show->node);
		print_islands(show->node);
	}
	print_best(show);
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* gangway topo: the inside of a node, and the gres.conf that says the same. */
#include "commands.h"

#include <langinfo.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#include "../util/hostlist.h"
#include "topo_show.h"

struct request {
	const char *xml;
	const char *nodes; /* NULL: lines are for all nodes */
	bool gres;
	struct gw_output output;
};

/* By the environment alone: nothing else of the locale is wanted. */
static bool output_is_utf8(void)
{
	locale_t locale = newlocale(LC_CTYPE_MASK, "", (locale_t)0);
	bool utf8 = locale && !strcmp(nl_langinfo_l(CODESET, locale), "UTF-8");

	if (locale)
		freelocale(locale);
	return utf8;
}

static int print_gres(const struct gw_command *command, const struct gw_topo_show *show)
{
	struct gw_str text = {0};
	int code = GW_EXIT_OK;

	gw_topo_gres(show, &text);
	if (text.failed)
		code = gw_complain(command, "out of memory");
	else
		fputs(gw_str_text(&text), stdout);
	gw_str_free(&text);
	return code;
}

static int show_node(const struct gw_command *command, const struct request *request,
		     const struct gw_topo_node *node)
{
	struct gw_topo_show show = {
		.node = node,
		.from = request->xml ? request->xml : "this machine",
		.nodes = request->nodes,
		.utf8 = output_is_utf8(),
	};
	struct gw_gpuset_table *table = NULL;
	struct gw_error error = {0};
	int code = GW_EXIT_OK;

	if (node->shape.gpus <= GW_GPUSET_MAX) {
		table = gw_gpuset_table_create(&node->shape, &error);
		if (!table)
			return gw_complain(command, "%s: %s", show.from, error.text);
	}
	show.table = table;
	if (request->output.json)
		code = gw_json_print(gw_topo_json(&show), stdout);
	else if (request->gres)
		code = print_gres(command, &show);
	else
		gw_topo_print(&show, &request->output);
	gw_gpuset_table_free(table);
	return code;
}

static bool check_nodes(const struct gw_command *command, const struct request *request)
{
	struct gw_strings names = {0};
	struct gw_error error = {0};

	if (!request->nodes)
		return true;
	if (!request->gres && !request->output.json)
		gw_complain(command, "--nodes is for gres.conf lines: give --gres too");
	else if (gw_hostlist_expand(request->nodes, GW_HOSTLIST_MAX, &names, &error))
		gw_complain(command, "--nodes %s: %s", request->nodes, error.text);
	else {
		gw_strings_free(&names);
		return true;
	}
	return false;
}

int gw_cmd_topo(const struct gw_command *command, int argc, char **argv)
{
	struct request request = {0};
	const struct gw_option options[] = {
		{.name = "xml",
		 .value_name = "FILE",
		 .value = &request.xml,
		 .help = "a node's file, made there by lstopo FILE (default: this machine)"},
		{.name = "gres", .flag = &request.gres, .help = "print gres.conf lines"},
		{.name = "nodes",
		 .value_name = "LIST",
		 .value = &request.nodes,
		 .help = "nodes that the lines are for, such as n[0-3] (default: all)"},
		{0},
	};
	struct gw_topo_node *node;
	struct gw_error error = {0};
	int code;

	if (!gw_options_read(command, options, &request.output, argc, argv, &code))
		return code;
	if (!check_nodes(command, &request))
		return GW_EXIT_USAGE;
	node = calloc(1, sizeof(*node));
	if (!node)
		return gw_complain(command, "out of memory");
	if (!gw_topo_node_read(request.xml, node, &error))
		code = show_node(command, &request, node);
	else if (request.xml)
		code = gw_complain(command, "%s", error.text);
	else
		code = gw_complain(command,
				   "%s; for another one: lstopo node.xml there, then "
				   "gangway topo --xml node.xml",
				   error.text);
	free(node);
	return code;
}

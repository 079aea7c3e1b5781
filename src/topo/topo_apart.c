// SPDX-License-Identifier: GPL-2.0-or-later
/* hwloc trusts its files: some make it crash. A daemon lets a child read them. */
#include <stdlib.h>

#include "apart.h"
#include "topo_impl.h"

#define SECONDS_MAX      10
#define SECONDS_MAX_LIVE 30 /* drivers may have to wake up */

struct shape_answer {
	int rc;
	struct gw_shape_info shape;
	struct gw_topo_cores cores;
	struct gw_error error;
};

struct node_answer {
	int rc;
	struct gw_topo_node node;
	struct gw_error error;
};

static void ask_shape(const void *path, void *to)
{
	struct shape_answer *answer = to;

	answer->rc = gw_topo_shape_from_xml(path, &answer->shape, &answer->cores, &answer->error);
}

static void ask_node(const void *path, void *to)
{
	struct node_answer *answer = to;

	answer->rc = gw_topo_describe_node(path, &answer->node, &answer->error);
}

int gw_topo_shape_from_xml_apart(const char *path, const atomic_bool *stop,
				 struct gw_shape_info *shape, struct gw_topo_cores *cores,
				 struct gw_error *error)
{
	struct shape_answer answer = {0};
	const struct gw_apart apart = {.ask = ask_shape,
				       .question = path,
				       .answer = &answer,
				       .size = sizeof(answer),
				       .seconds = SECONDS_MAX,
				       .stop = stop};

	if (!gw_apart_ask(&apart))
		return gw_error_set(error, "%s: hwloc does not survive reading it", path);
	if (answer.rc < 0)
		return gw_error_set(error, "%s", answer.error.text);
	*shape = answer.shape;
	if (cores)
		*cores = answer.cores;
	return 0;
}

int gw_topo_node_read(const char *path, struct gw_topo_node *node, struct gw_error *error)
{
	struct node_answer *answer = calloc(1, sizeof(*answer));
	const struct gw_apart apart = {.ask = ask_node,
				       .question = path,
				       .answer = answer,
				       .size = sizeof(*answer),
				       .seconds = path ? SECONDS_MAX : SECONDS_MAX_LIVE};
	int rc = -1;

	if (!answer)
		return gw_error_memory(error);
	if (!gw_apart_ask(&apart))
		gw_error_set(error, "%s: hwloc does not survive reading it",
			     path ? path : "this machine");
	else if (answer->rc < 0)
		gw_error_set(error, "%s", answer->error.text);
	else
		rc = 0;
	if (!rc)
		*node = answer->node;
	free(answer);
	return rc;
}

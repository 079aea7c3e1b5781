// SPDX-License-Identifier: GPL-2.0-or-later
#include "why_shapes.h"

#include <string.h>

#include "../util/hostlist.h"

/* Names of the nodes of one job, or of one shape, at most. */
static bool contains(const struct gw_strings *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (!strcmp(names->item[i], name))
			return true;
	return false;
}

static bool has_any_of(const char *nodes, const struct gw_strings *names)
{
	struct gw_strings own = {0};
	bool any = false;

	if (!gw_hostlist_expand(nodes, GW_HOSTLIST_MAX, &own, NULL))
		for (size_t i = 0; i < names->count && !any; i++)
			any = contains(&own, names->item[i]);
	gw_strings_free(&own);
	return any;
}

static const char *by_what(const char *state)
{
	if (gw_same(state, "kept"))
		return "by the copy of its file that was read before, the file being bad";
	if (gw_same(state, "bad"))
		return "by gres.conf, its file being bad";
	if (gw_same(state, "waits"))
		return "by Slurm until its file is read";
	return "by its file";
}

static void say_shape(const struct gw_record *record, struct gw_str *text)
{
	gw_str_appendf(text, "%sShapeName=%s: GPUs of nodes %s are chosen %s, %s",
		       text->length ? "; " : "", record->pair[0].value,
		       gw_record_text(record, "Nodes"), by_what(gw_record_text(record, "State")),
		       gw_record_text(record, "File"));
}

void gw_why_shapes(const struct gw_record *record, size_t count, const char *nodes,
		   struct gw_str *text)
{
	struct gw_strings names = {0};

	if (gw_hostlist_expand(nodes, GW_HOSTLIST_MAX, &names, NULL))
		return;
	for (size_t i = 0; i < count; i++)
		if (gw_same(record[i].pair[0].key, "Shape") &&
		    has_any_of(gw_record_text(&record[i], "Nodes"), &names))
			say_shape(&record[i], text);
	gw_strings_free(&names);
}

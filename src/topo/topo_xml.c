// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/util/file.h"
#include "topo_impl.h"

#define VERSION        "<topology version=\""
#define FORMAT_LARGEST 3

/* Format 1 does not say which it is. */
static unsigned int format_of(const char *text)
{
	const char *version = strstr(text, VERSION);
	unsigned int format;

	return version && sscanf(version + strlen(VERSION), "%u", &format) == 1 ? format : 1;
}

/*
 * hwloc 2 refuses format 3 by its number alone; what a shape is made of is written the same, but
 * for the kind of OS devices, which is told by their names here.
 */
static void read_as_format_2(char *text)
{
	char *version = strstr(text, VERSION "3.");

	if (version)
		version[strlen(VERSION)] = '2';
}

/* What editors of other systems add, and hwloc's own reader (without libxml) refuses. */
static void drop_marks(char *text)
{
	static const char order[] = "\xef\xbb\xbf";
	const char *from = text;
	char *to = text;

	if (!strncmp(from, order, strlen(order)))
		from += strlen(order);
	for (; *from; from++)
		if (*from != '\r')
			*to++ = *from;
	*to = '\0';
}

/* text NULL: this machine. */
static hwloc_topology_t load(char *text)
{
	hwloc_topology_t topology;

	if (hwloc_topology_init(&topology) < 0)
		return NULL;
	/* Inside a job's cgroup, too, the whole machine is meant. */
	if (!hwloc_topology_set_flags(topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) &&
	    !hwloc_topology_set_io_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL) &&
	    (!text || !hwloc_topology_set_xmlbuffer(topology, text, strlen(text) + 1)) &&
	    !hwloc_topology_load(topology))
		return topology;
	hwloc_topology_destroy(topology);
	return NULL;
}

/* Why hwloc refuses a text. */
static void say_why(const char *path, const char *text, struct gw_error *error)
{
	if (format_of(text) > FORMAT_LARGEST)
		gw_error_set(error,
			     "%s is of format %u, here formats up to %d are read: export it again "
			     "with lstopo --of xml --export-xml-flags v2",
			     path, format_of(text), FORMAT_LARGEST);
	else if (!strstr(text, "</topology>"))
		gw_error_set(error,
			     "%s is cut off, </topology> is missing: make it again with "
			     "lstopo --of xml",
			     path);
	else
		gw_error_set(error,
			     "%s is not as lstopo wrote it (edited?): make it again with "
			     "lstopo --of xml",
			     path);
}

static hwloc_topology_t open_file(const char *path, unsigned int *format, struct gw_error *error)
{
	hwloc_topology_t topology = NULL;
	char *text;

	if (gw_file_read(path, &text, error) < 0)
		return NULL;
	if (!strstr(text, "<topology")) {
		gw_error_set(error, "%s is no hwloc XML file: make one with lstopo --of xml", path);
	} else {
		*format = format_of(text);
		drop_marks(text);
		read_as_format_2(text);
		topology = load(text);
		if (!topology)
			say_why(path, text, error);
	}
	free(text);
	return topology;
}

hwloc_topology_t gw_topo_open(const char *path, unsigned int *format, struct gw_error *error)
{
	hwloc_topology_t topology;

	if (path)
		return open_file(path, format, error);
	*format = HWLOC_API_VERSION >> 16;
	topology = load(NULL);
	if (!topology)
		gw_error_set(error, "hwloc can not look at this machine: %s", strerror(errno));
	return topology;
}

static int describe(hwloc_topology_t topology, unsigned int format, struct gw_shape_info *shape,
		    struct gw_topo_cores *cores, struct gw_error *error)
{
	struct gw_topo_gpus gpus = {.count = 0};
	struct gw_shape_info found = {0};

	if (gw_topo_find_gpus(topology, &gpus, error) < 0)
		return -1;
	if (cores && gw_topo_find_cores(topology, &gpus, cores, error) < 0)
		return -1;
	found.gpus = gpus.count;
	gw_topo_find_links(topology, &gpus, &found, NULL);
	gw_topo_doubt_links(topology, format, &gpus, &found);
	gw_topo_find_sockets(topology, &gpus, &found);
	gw_topo_find_cards(topology, &gpus, &found);
	*shape = found;
	return 0;
}

int gw_topo_shape_from_xml(const char *path, struct gw_shape_info *shape,
			   struct gw_topo_cores *cores, struct gw_error *error)
{
	unsigned int format;
	hwloc_topology_t topology = gw_topo_open(path, &format, error);
	int rc;

	if (!topology)
		return -1;
	rc = describe(topology, format, shape, cores, error);
	if (rc < 0)
		gw_error_prefix(error, "%s: ", path);
	hwloc_topology_destroy(topology);
	return rc;
}

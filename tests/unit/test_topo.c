// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <unistd.h>

#include "unit.h"

#include "src/core/gpuset.h"
#include "src/topo/topo.h"

static const char *in_source(const char *directory, const char *name)
{
	static char path[4096];
	const char *source = getenv("srcdir");

	snprintf(path, sizeof(path), "%s/%s/%s", source ? source : ".", directory, name);
	return path;
}

static const char *fixture(const char *name)
{
	return in_source("tests/fixtures/topo", name);
}

/* "0-3 0-3 4-7": the cores of each GPU. */
static const char *cores_text(const struct gw_shape_info *shape, const struct gw_topo_cores *cores)
{
	static char text[GW_SHAPE_GPUS_MAX * GW_TOPO_CORES_SIZE];
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 0; i < shape->gpus; i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%s", i ? " " : "",
				 cores->gpu[i]);
	return text;
}

static const char *sockets_text(const struct gw_shape_info *shape)
{
	static char text[2 * GW_SHAPE_GPUS_MAX];

	for (uint32_t i = 0; i < shape->gpus; i++)
		text[i] = (char)('0' + shape->socket[i]);
	text[shape->gpus] = '\0';
	return text;
}

/* Strengths from the first GPU to the others. */
static const char *links_text(const struct gw_shape_info *shape)
{
	static char text[5 * GW_SHAPE_GPUS_MAX];
	size_t used = 0;

	text[0] = '\0';
	for (uint32_t i = 1; i < shape->gpus; i++)
		used += snprintf(text + used, sizeof(text) - used, "%s%u", i > 1 ? " " : "",
				 shape->link[0][i]);
	return text;
}

static const struct row {
	const char *directory, *file, *sockets, *links, *cores;
	uint32_t count;
	gw_gpus best; /* of count GPUs on an idle node */
} rows[] = {
	{"tests/fixtures/topo", "dgx-a100.xml", "00001111", "216 216 216 216 216 216 216",
	 "6-7 6-7 2-3 2-3 14-15 14-15 10-11 10-11", 4, 0x0f},
	{"tests/fixtures/topo", "strong-pairs.xml", "00001111", "3 3 216 1 1 1 1",
	 "0-3 0-3 0-3 0-3 4-7 4-7 4-7 4-7", 2, 0x06},
	/* The same, as lstopo writes it with --export-xml-flags v1: without the links. */
	{"tests/fixtures/topo", "strong-pairs-format-1.xml", "00001111", "3 3 3 1 1 1 1",
	 "0-3 0-3 0-3 0-3 4-7 4-7 4-7 4-7", 2, 0x03},
	{"tests/fixtures/topo", "switches.xml", "00001111", "5 3 3 1 1 1 1",
	 "0-3 0-3 0-3 0-3 4-7 4-7 4-7 4-7", 2, 0x03},
	{"tests/fixtures/topo", "mi300x.xml", "00001111", "3 3 3 1 1 1 1",
	 "0-3 0-3 0-3 0-3 4-7 4-7 4-7 4-7", 4, 0x0f},
	{"tests/fixtures/topo", "one-gpu.xml", "0", "", "0-1", 1, 0x01},
	{"tests/fixtures/topo", "format-1.xml", "00", "4", "0-1 0-1", 2, 0x03},
	{"tests/fixtures/topo", "format-3.xml", "0", "", "0-1", 1, 0x01},
	/* What tells that a device is a GPU: OpenCL, level-zero, or its class alone. */
	{"tests/fixtures/topo", "opencl.xml", "01", "1", "0-1 2-3", 2, 0x03},
	{"tests/fixtures/topo", "level-zero.xml", "00", "4", "0-1 0-1", 2, 0x03},
	{"tests/fixtures/topo", "display.xml", "01", "1", "0-1 2-3", 2, 0x03},
	{"tests/fixtures/topo", "two-boards.xml", "0000000011111111",
	 "216 216 216 216 216 216 216 1 1 1 1 1 1 1 1",
	 "0-3 0-3 0-3 0-3 0-3 0-3 0-3 0-3 4-7 4-7 4-7 4-7 4-7 4-7 4-7 4-7", 8, 0x00ff},
	{"etc/shapes", "hgx-h100.xml", "00001111", "216 216 216 216 216 216 216",
	 "0-55 0-55 0-55 0-55 56-111 56-111 56-111 56-111", 2, 0x03},
	/* Real machines, where the files are at hand. */
	{"../shared/topologies", "g4dn-metal-8xT4.xml", "00001111", "4 3 3 1 1 1 1",
	 "0-23 0-23 0-23 0-23 24-47 24-47 24-47 24-47", 2, 0x03},
	{"../shared/topologies", "nvidia-dgx2-16xV100.xml", "0000000011111111",
	 "216 216 216 216 216 216 216 216 216 216 216 216 216 216 216",
	 "0-1 0-1 0-1 0-1 0-1 0-1 0-1 0-1 2-3 2-3 2-3 2-3 2-3 2-3 2-3 2-3", 8, 0x00ff},
};

static void check_symmetric(const struct gw_shape_info *shape)
{
	for (uint32_t a = 0; a < shape->gpus; a++) {
		ck_assert_uint_eq(shape->link[a][a], 0);
		for (uint32_t b = 0; b < a; b++)
			ck_assert_uint_eq(shape->link[a][b], shape->link[b][a]);
	}
}

START_TEST(shapes_from_xml)
{
	const struct row *row = &rows[_i];
	const char *path = in_source(row->directory, row->file);
	struct gw_error error = {0};
	struct gw_shape_info shape;
	struct gw_topo_cores cores;
	struct gw_gpuset_table *table;

	if (access(path, R_OK) < 0 && row->directory[0] == '.') {
		printf("SKIP: %s is not there\n", path);
		return;
	}
	ck_assert_msg(!gw_topo_shape_from_xml(path, &shape, &cores, &error), "%s", error.text);
	ck_assert_str_eq(sockets_text(&shape), row->sockets);
	ck_assert_str_eq(links_text(&shape), row->links);
	ck_assert_str_eq(cores_text(&shape, &cores), row->cores);
	check_symmetric(&shape);
	table = gw_gpuset_table_create(&shape, &error);
	ck_assert_msg(table != NULL, "%s", error.text);
	ck_assert_uint_eq(gw_gpuset_choose(table, gw_gpus_first(shape.gpus), row->count),
			  row->best);
	gw_gpuset_table_free(table);
}
END_TEST

/* Case 5 from the file to the answer, idle and with GPU 0 busy. */
START_TEST(strong_pairs_are_chosen)
{
	struct gw_error error = {0};
	struct gw_shape_info shape;
	struct gw_gpuset_table *table;

	ck_assert_int_eq(gw_topo_shape_from_xml(fixture("strong-pairs.xml"), &shape, NULL, &error),
			 0);
	ck_assert_uint_eq(shape.link[0][3], shape.link[5][6]);
	ck_assert_uint_eq(shape.link[1][2], shape.link[4][7]);
	table = gw_gpuset_table_create(&shape, &error);
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xff, 2), 0x06);
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xfe, 2), 0x06);
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xf8, 2), 0x60);
	ck_assert_uint_eq(gw_gpuset_choose(table, 0xfe, 1), 0x08);
	gw_gpuset_table_free(table);
}
END_TEST

static const struct {
	const char *file, *error; /* after the path */
} bad_files[] = {
	{"not-hwloc.xml", " is no hwloc XML file: make one with lstopo --of xml"},
	{"broken.xml", " is cut off, </topology> is missing: make it again with lstopo --of xml"},
	{"no-gpu.xml", ": no GPU among its PCI devices"},
	{"no-pci.xml", ": no PCI devices: make it without --no-io"},
	{"33-gpus.xml", ": 33 GPUs: at most 32 are supported"},
};

START_TEST(bad_files_are_named)
{
	const char *path = fixture(bad_files[_i].file);
	struct gw_error error = {0};
	struct gw_shape_info shape = {.gpus = 99};

	ck_assert_int_eq(gw_topo_shape_from_xml(path, &shape, NULL, &error), -1);
	ck_assert_msg(!strncmp(error.text, path, strlen(path)), "%s", error.text);
	ck_assert_msg(!strncmp(error.text + strlen(path), bad_files[_i].error,
			       strlen(bad_files[_i].error)),
		      "%s", error.text);
	ck_assert_uint_eq(shape.gpus, 99);
}
END_TEST

START_TEST(read_apart)
{
	struct gw_error error = {0};
	struct gw_shape_info shape, apart;
	struct gw_topo_cores cores, cores_apart;
	const char *path = fixture("dgx-a100.xml");

	ck_assert_int_eq(gw_topo_shape_from_xml(path, &shape, &cores, &error), 0);
	ck_assert_int_eq(gw_topo_shape_from_xml_apart(path, NULL, &apart, &cores_apart, &error), 0);
	ck_assert_mem_eq(&shape, &apart, sizeof(shape));
	ck_assert_mem_eq(&cores, &cores_apart, sizeof(cores));
	ck_assert_int_eq(gw_topo_shape_from_xml_apart(path, NULL, &apart, NULL, &error), 0);
	path = fixture("no-gpu.xml");
	ck_assert_int_eq(gw_topo_shape_from_xml_apart(path, NULL, &apart, NULL, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "no-gpu.xml: no GPU among its PCI devices"));
}
END_TEST

/* hwloc 2.9 crashes on it; later ones may not. What matters is that we are still here. */
START_TEST(crash_of_hwloc_stays_apart)
{
	struct gw_error error = {0};
	struct gw_shape_info shape;

	if (gw_topo_shape_from_xml_apart(fixture("crashes-hwloc.xml"), NULL, &shape, NULL, &error) <
	    0)
		ck_assert_ptr_nonnull(strstr(error.text, "crashes-hwloc.xml"));
	else
		ck_assert_uint_eq(shape.gpus, 1);
}
END_TEST

START_TEST(missing_file)
{
	struct gw_error error = {0};
	struct gw_shape_info shape;

	ck_assert_int_eq(gw_topo_shape_from_xml("no/such/file.xml", &shape, NULL, &error), -1);
	ck_assert_ptr_nonnull(strstr(error.text, "no/such/file.xml"));
}
END_TEST

static const int good[4][4] = {{-1, 4, 1, 1}, {4, -1, 1, 1}, {1, 1, -1, 4}, {1, 1, 4, -1}};

static void rows_of(const int links[4][4], struct gw_topo_row row[4])
{
	for (uint32_t i = 0; i < 4; i++)
		row[i] = (struct gw_topo_row){.link = links[i], .link_count = 4, .core = 16 * i};
}

START_TEST(shape_from_links)
{
	struct gw_topo_row row[4];
	struct gw_shape_info shape;
	struct gw_error error = {0};

	rows_of(good, row);
	row[3].core = GW_TOPO_NO_CORE;
	ck_assert_int_eq(gw_topo_shape_from_links(row, 4, 2, 32, &shape, &error), 0);
	ck_assert_uint_eq(shape.socket[2], 1);
	ck_assert_uint_eq(shape.socket[3], GW_SHAPE_NO_SOCKET);
	ck_assert_str_eq(links_text(&shape), "4 1 1");
	ck_assert_uint_eq(shape.sockets, 2);
	check_symmetric(&shape);
}
END_TEST

START_TEST(shape_from_cores_alone)
{
	struct gw_topo_row row[4] = {{.core = 0}, {.core = 8}, {.core = 32}, {.core = 40}};
	struct gw_shape_info shape;
	struct gw_error error = {0};

	ck_assert_int_eq(gw_topo_shape_from_links(row, 4, 2, 32, &shape, &error), 0);
	ck_assert_str_eq(sockets_text(&shape), "0011");
	ck_assert_str_eq(links_text(&shape), "2 1 1");
}
END_TEST

/* It is not known where a GPU without Cores= is; where none has them, all are alike. */
START_TEST(shape_without_cores)
{
	struct gw_topo_row row[4] = {
		{.core = 0}, {.core = 8}, {.core = GW_TOPO_NO_CORE}, {.core = GW_TOPO_NO_CORE}};
	struct gw_shape_info shape;

	ck_assert_int_eq(gw_topo_shape_from_links(row, 4, 2, 32, &shape, NULL), 0);
	ck_assert_uint_eq(shape.socket[2], GW_SHAPE_NO_SOCKET);
	ck_assert_uint_eq(shape.socket[3], GW_SHAPE_NO_SOCKET);
	ck_assert_str_eq(links_text(&shape), "2 1 1");
	ck_assert_uint_eq(shape.link[2][3], 1);
	ck_assert_int_eq(gw_topo_shape_from_links(row, 4, 1, 32, &shape, NULL), 0);
	ck_assert_str_eq(sockets_text(&shape), "0000");
	row[0].core = GW_TOPO_NO_CORE;
	row[1].core = GW_TOPO_NO_CORE;
	ck_assert_int_eq(gw_topo_shape_from_links(row, 4, 2, 32, &shape, NULL), 0);
	ck_assert_str_eq(sockets_text(&shape), "0000");
}
END_TEST

/* Case 8 and its kind: one change to good links each. */
static const struct {
	uint32_t gpu, place;
	int link;
	size_t count;
	const char *error;
} bad_links[] = {
	{2, 0, 1, 3, "Links of GPU 2 has 3 numbers for 4 GPUs"},
	{2, 0, 1, 5, "Links of GPU 2 has 5 numbers for 4 GPUs"},
	{1, 0, 1, 0, "Links of GPU 1 has 0 numbers for 4 GPUs"},
	{0, 0, 0, 4, "Links of GPU 0 has 0 in place 0, its own: must be -1"},
	{3, 0, 2, 4, "Links of GPU 3 says 2 of GPU 0, which says 1 of it: must be equal"},
	{3, 1, -1, 4, "Links of GPU 3 has -1 in place 1: only its own place 3 is negative"},
};

START_TEST(bad_links_are_named)
{
	int links[4][4];
	struct gw_topo_row row[4];
	struct gw_shape_info shape;
	struct gw_error error = {0};

	memcpy(links, good, sizeof(links));
	links[bad_links[_i].gpu][bad_links[_i].place] = bad_links[_i].link;
	rows_of((const int(*)[4])links, row);
	row[bad_links[_i].gpu].link_count = bad_links[_i].count;
	ck_assert_int_eq(gw_topo_shape_from_links(row, 4, 2, 32, &shape, &error), -1);
	ck_assert_str_eq(error.text, bad_links[_i].error);
}
END_TEST

START_TEST(numbers_out_of_range)
{
	int links[2][2] = {{-1, 1000}, {1000, -1}};
	struct gw_topo_row row[2] = {{.link = links[0], .link_count = 2, .core = 63},
				     {.link = links[1], .link_count = 2}};
	struct gw_shape_info shape;

	ck_assert_int_eq(gw_topo_shape_from_links(row, 2, 2, 32, &shape, NULL), 0);
	ck_assert_uint_eq(shape.link[0][1], 255);
	ck_assert_int_eq(gw_topo_shape_from_links(row, 0, 2, 32, &shape, NULL), -1);
	ck_assert_int_eq(gw_topo_shape_from_links(row, 33, 2, 32, &shape, NULL), -1);
}
END_TEST

/* Case 7: 2 x 64 cores with two threads. */
static const struct {
	const char *list, *cores; /* NULL: not thread numbers */
} thread_lists[] = {
	{"48-63,176-191", "48-63"},
	{"16-31,144-159", "16-31"},
	{"112-127,240-255", "112-127"},
	{"80-95,208-223", "80-95"},
	{"128", "0"},
	{"3,5-6,133", "3,5-6"},
	{"48-63", NULL},
	{"0-127", NULL},
	{"240-256", NULL},
	{"", NULL},
	{"200-", NULL},
	{"200-190", NULL},
	{"200,x", NULL},
	{"200 201", NULL},
};

START_TEST(thread_numbers_in_cores)
{
	const char *want = thread_lists[_i].cores;
	char text[32];

	ck_assert(gw_topo_cores_of_threads(thread_lists[_i].list, 128, 2, text, sizeof(text)) ==
		  (want != NULL));
	if (want)
		ck_assert_str_eq(text, want);
	ck_assert(!gw_topo_cores_of_threads("130-140,150", 128, 2, text, 4));
	ck_assert(!gw_topo_cores_of_threads("1", 0, 2, text, sizeof(text)));
	ck_assert(!gw_topo_cores_of_threads("1", 128, 1, text, sizeof(text)));
}
END_TEST

/* Types as sites write them. */
static const struct {
	const char *text, *type; /* NULL: none, or not certain */
} site_types[] = {
	{"a100", "a100"},
	{"A100", "a100"},
	{"nvidia_a100-sxm4-80gb", "a100"},
	{"nvidia_a100_1g.5gb", "a100"},
	{"mi300x", "mi300x"},
	{"mi300", NULL},
	{"a100x", NULL},
	{"a100_or_h100", NULL},
	{"big", NULL},
	{"", NULL},
};

START_TEST(models_in_types_of_sites)
{
	const char *type = gw_topo_known_type(site_types[_i].text);

	if (site_types[_i].type)
		ck_assert_pstr_eq(type, site_types[_i].type);
	else
		ck_assert_ptr_null(type);
}
END_TEST

UNIT_MAIN("topo", UNIT_ROWS(shapes_from_xml, rows), UNIT(strong_pairs_are_chosen),
	  UNIT_ROWS(bad_files_are_named, bad_files), UNIT(missing_file), UNIT(read_apart),
	  UNIT(crash_of_hwloc_stays_apart), UNIT(shape_from_links), UNIT(shape_from_cores_alone),
	  UNIT(shape_without_cores), UNIT_ROWS(bad_links_are_named, bad_links),
	  UNIT(numbers_out_of_range), UNIT_ROWS(thread_numbers_in_cores, thread_lists),
	  UNIT_ROWS(models_in_types_of_sites, site_types))

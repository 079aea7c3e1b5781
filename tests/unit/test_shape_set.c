// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/shape_set.h"

#include <stdio.h>
#include <unistd.h>

#include "conf_text.h"
#include "files.h"
#include "unit.h"

static char directory[64], said[2048];

static void say(const char *text)
{
	strcat(said, text);
	strcat(said, "\n");
}

static const struct gw_shape_files files = {
	.read = gw_topo_shape_from_xml_apart,
	.kept = directory,
	.say = say,
};

static const char *fixture(const char *name)
{
	static char path[4096];
	const char *source = getenv("srcdir");

	snprintf(path, sizeof(path), "%s/tests/fixtures/topo/%s", source ? source : ".", name);
	return path;
}

static void set_up(void)
{
	strcpy(directory, "shape_set.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(directory));
	said[0] = '\0';
}

static void tear_down(void)
{
	char path[96];

	snprintf(path, sizeof(path), "%s/shape-a%%b.xml", directory);
	unlink(path);
	ck_assert_int_eq(rmdir(directory), 0);
}

/* Of nodes n0 and n1, by the name a/b. */
static struct gw_conf *shape_of(const char *file)
{
	struct gw_error error = {{0}};
	struct gw_conf *conf = NULL;
	char text[8192];

	snprintf(text, sizeof(text), "UsageHalfLife=NONE\nShapeName=a/b Nodes=n[0-1] Hwloc=%s\n",
		 file);
	ck_assert_msg(!conf_load_text(text, &conf, &error), "%s", error.text);
	return conf;
}

/* What gres.conf says of the GPUs: Cores=0-3 of the first four, 4-7 of the others. */
static bool two_sockets(const void *arg, uint32_t gpu, uint32_t core)
{
	(void)arg;
	return gpu / 4 == core / 4;
}

static bool the_other_order(const void *arg, uint32_t gpu, uint32_t core)
{
	return !two_sockets(arg, gpu, core);
}

START_TEST(nodes_have_the_shape_of_their_file)
{
	struct gw_conf *conf = shape_of(fixture("switches.xml"));
	struct gw_shape_set *set;
	const struct gw_named_shape *shape;

	set_up();
	set = gw_shape_set_read(conf, &files);
	shape = gw_shape_set_of_node(set, "n1");
	ck_assert_ptr_nonnull(shape);
	ck_assert_ptr_null(gw_shape_set_of_node(set, "n2"));
	ck_assert_int_eq(shape->state, GW_SHAPE_READ);
	ck_assert_str_eq(gw_shape_state_name(shape->state), "read");
	ck_assert_str_eq(shape->nodes, "n[0-1]");
	ck_assert_str_eq(shape->info.name, "a/b");
	ck_assert_uint_eq(shape->cores, 8);
	/* With the first GPU in use: the second pair, and its lone partner for a job of one. */
	ck_assert_uint_eq(gw_gpuset_choose(shape->table, 0xfe, 2), 0x0c);
	ck_assert_uint_eq(gw_gpuset_choose(shape->table, 0xfe, 1), 0x02);
	ck_assert_str_eq(said, "");
	gw_shape_set_put(set);
	gw_conf_free(conf);
	tear_down();
}
END_TEST

START_TEST(until_a_file_is_read_its_nodes_wait)
{
	struct gw_conf *conf = shape_of(fixture("switches.xml"));
	struct gw_shape_set *set = gw_shape_set_waiting(conf);

	ck_assert_int_eq(gw_shape_set_of_node(set, "n0")->state, GW_SHAPE_WAITS);
	ck_assert_ptr_null(gw_shape_set_of_node(set, "n0")->table);
	gw_shape_set_put(set);
	gw_conf_free(conf);
}
END_TEST

static const struct fit {
	const char *what;
	struct gw_shape_claim claim;
	const char *why; /* NULL: it fits */
} fits[] = {
	{"the same", {"n0", 8, 8, two_sockets, NULL}, NULL},
	{"four GPUs", {"n0", 4, 8, two_sockets, NULL}, "node n0 has 4 GPUs and 8 cores, "},
	{"half the cores", {"n0", 8, 4, two_sockets, NULL}, "node n0 has 8 GPUs and 4 cores, "},
	{"another order of GPUs",
	 {"n0", 8, 8, the_other_order, NULL},
	 "GPU 0 of node n0 is near other cores by Cores= of gres.conf than in "},
};

START_TEST(only_a_node_that_is_what_the_file_says_has_its_shape)
{
	const struct fit *row = &fits[_i];
	struct gw_conf *conf = shape_of(fixture("switches.xml"));
	struct gw_error why = {{0}};
	struct gw_shape_set *set;
	bool fit;

	set_up();
	set = gw_shape_set_read(conf, &files);
	fit = gw_named_shape_fits(gw_shape_set_of_node(set, "n0"), &row->claim, &why);
	ck_assert_msg(fit == !row->why, "%s: %s", row->what, why.text);
	ck_assert_msg(!row->why || strstr(why.text, row->why), "%s: %s", row->what, why.text);
	gw_shape_set_put(set);
	gw_conf_free(conf);
	tear_down();
}
END_TEST

/* hwloc hangs and slurmctld ends: the reader fails, as the end has come, and that is not told. */
static int read_until_the_end(const char *path, const atomic_bool *stop,
			      struct gw_shape_info *shape, struct gw_topo_cores *cores,
			      struct gw_error *error)
{
	(void)shape;
	(void)cores;
	ck_assert_msg(!atomic_load(stop), "%s is read after the end", path);
	atomic_store((atomic_bool *)stop, true);
	return gw_error_set(error, "%s: hwloc does not survive reading it", path);
}

START_TEST(at_the_end_nothing_more_is_read_or_told)
{
	static atomic_bool ends;
	const struct gw_shape_files hanging = {
		.read = read_until_the_end, .kept = directory, .say = say, .stop = &ends};
	struct gw_conf *conf = shape_of(fixture("switches.xml"));
	struct gw_shape_set *set;

	set_up();
	set = gw_shape_set_read(conf, &hanging);
	ck_assert_int_eq(gw_shape_set_of_node(set, "n0")->state, GW_SHAPE_WAITS);
	ck_assert_str_eq(said, "");
	gw_shape_set_put(set);
	gw_conf_free(conf);
	tear_down();
}
END_TEST

/* {file, what is said}; nothing was read before. */
static const char *const bad_files[][2] = {
	{"none.xml", "none.xml"},
	{"not-hwloc.xml", "is no hwloc XML file: make one with lstopo --of xml: nodes n[0-1] have "
			  "the links and cores of gres.conf\n"},
	{"no-gpu.xml", "no GPU among its PCI devices"},
	{"33-gpus.xml", "33 GPUs: at most 32 are supported"},
};

START_TEST(a_bad_file_is_told_and_gres_conf_used)
{
	struct gw_conf *conf = shape_of(fixture(bad_files[_i][0]));
	struct gw_shape_set *set;

	set_up();
	set = gw_shape_set_read(conf, &files);
	ck_assert_int_eq(gw_shape_set_of_node(set, "n0")->state, GW_SHAPE_BAD);
	ck_assert_ptr_null(gw_shape_set_of_node(set, "n0")->table);
	ck_assert_ptr_nonnull(strstr(said, ":2: ShapeName=a/b: "));
	ck_assert_msg(strstr(said, bad_files[_i][1]) != NULL, "%s", said);
	gw_shape_set_put(set);
	gw_conf_free(conf);
	tear_down();
}
END_TEST

START_TEST(of_a_file_that_went_bad_the_last_good_one_stays)
{
	struct gw_conf *good = shape_of(fixture("switches.xml")), *bad;
	char path[96];
	struct gw_shape_set *set;

	set_up();
	gw_shape_set_put(gw_shape_set_read(good, &files));
	snprintf(path, sizeof(path), "%s/bad.xml", directory);
	write_file(path, "<topology");
	bad = shape_of(path);
	set = gw_shape_set_read(bad, &files);
	ck_assert_int_eq(gw_shape_set_of_node(set, "n0")->state, GW_SHAPE_KEPT);
	ck_assert_uint_eq(gw_gpuset_choose(gw_shape_set_of_node(set, "n0")->table, 0xfe, 2), 0x0c);
	ck_assert_ptr_nonnull(strstr(said, "the file that was read before stays in use\n"));
	gw_shape_set_put(set);
	gw_conf_free(good);
	gw_conf_free(bad);
	unlink(path);
	tear_down();
}
END_TEST

UNIT_MAIN("shape_set", UNIT(nodes_have_the_shape_of_their_file),
	  UNIT(until_a_file_is_read_its_nodes_wait),
	  UNIT_ROWS(only_a_node_that_is_what_the_file_says_has_its_shape, fits),
	  UNIT_ROWS(a_bad_file_is_told_and_gres_conf_used, bad_files),
	  UNIT(of_a_file_that_went_bad_the_last_good_one_stays),
	  UNIT(at_the_end_nothing_more_is_read_or_told))

// SPDX-License-Identifier: GPL-2.0-or-later
/* What gres.conf says of a node's GPUs, and the shape that follows. */
#include <stdio.h>
#include <unistd.h>

#include "unit.h"

#include "src/tools/gres_shape.h"
#include "src/util/file.h"

struct site {
	char path[64];
	struct gw_slurm_conf conf;
};

static void open_site(struct site *site, const char *text)
{
	struct gw_error error = {0};
	int fd;

	snprintf(site->path, sizeof(site->path), "gres-conf-XXXXXX");
	fd = mkstemp(site->path);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	close(fd);
	ck_assert_msg(!gw_slurm_conf_read(site->path, &site->conf, NULL, &error), "%s", error.text);
}

static void close_site(struct site *site)
{
	unlink(site->path);
	gw_slurm_conf_free(&site->conf);
}

/* "gpu device cores links;", with - for what is not given. */
static const char *gpus_text(const struct gw_gres_gpus *gpus)
{
	static char text[4096];
	size_t used = 0;

	text[0] = '\0';
	for (size_t i = 0; i < gpus->count; i++) {
		const struct gw_gres_gpu *gpu = &gpus->item[i];

		used += snprintf(text + used, sizeof(text) - used, "%s%s %s %s%s", i ? "; " : "",
				 gpu->type ? gpu->type : "-", gpu->device ? gpu->device : "-",
				 gpu->cores ? gpu->cores : "-", gpu->slice ? " slice" : "");
	}
	return text;
}

static const struct gpus_row {
	const char *what, *text, *node, *want;
	bool detected;
} gpus_rows[] = {
	{"a range of files is a GPU each", "Name=gpu Type=t4 File=/dev/nvidia[0-1,3] Cores=0-3",
	 "n1", "t4 /dev/nvidia0 0-3; t4 /dev/nvidia1 0-3; t4 /dev/nvidia3 0-3", false},
	{"files with commas", "Name=gpu File=/dev/a,/dev/b[1-2]", "n1",
	 "- /dev/a -; - /dev/b1 -; - /dev/b2 -", false},
	{"a count without files", "Name=gpu Count=2 CPUs=0", "n1", "- - 0; - - 0", false},
	{"a count of K", "Name=gpu Count=0K", "n1", "", false},
	{"one without either", "Name=gpu Type=x", "n1", "x - -", false},
	{"lines of other nodes and other gres",
	 "NodeName=n[2-3] Name=gpu File=/dev/a\nName=nic File=/dev/b\n"
	 "NodeName=n[1-2] Name=gpu File=/dev/c",
	 "n1", "- /dev/c -", false},
	{"slices of MIG", "Name=gpu Type=1g.5gb MultipleFiles=/dev/a,/dev/b", "n1",
	 "1g.5gb - - slice", false},
	{"AutoDetect for all", "AutoDetect=nvml", "n1", "", true},
	{"AutoDetect off for one", "AutoDetect=nvml\nNodeName=n1 AutoDetect=off Name=gpu Count=1",
	 "n1", "- - -", false},
	{"AutoDetect for another", "NodeName=n2 AutoDetect=nvml\nName=gpu Count=1", "n1", "- - -",
	 false},
};

START_TEST(gpus_of_a_node)
{
	const struct gpus_row *row = &gpus_rows[_i];
	struct gw_gres_gpus gpus;
	struct gw_error error = {0};
	struct site site;

	open_site(&site, row->text);
	ck_assert_msg(!gw_gres_gpus_of_node(&site.conf, row->node, NULL, &gpus, &error), "%s: %s",
		      row->what, error.text);
	ck_assert_str_eq(gpus_text(&gpus), row->want);
	ck_assert_int_eq(gpus.detected, row->detected);
	gw_gres_gpus_free(&gpus);
	close_site(&site);
}
END_TEST

START_TEST(bad_lines_are_left_out)
{
	struct gw_findings refused = {0};
	struct gw_gres_gpus gpus;
	struct site site;

	open_site(&site, "Name=gpu Type=a Count=2M\nName=gpu Type=b File=/dev/b[\n"
			 "NodeName=n[1 Name=gpu Type=c\nName=gpu Type=d File=/dev/d");
	ck_assert_int_eq(gw_gres_gpus_of_node(&site.conf, "n1", &refused, &gpus, NULL), 0);
	ck_assert_str_eq(gpus_text(&gpus), "d /dev/d -");
	ck_assert_uint_eq(refused.count, 3);
	ck_assert_str_eq(refused.item[0].text, "Count=2M: must be a number up to 1024");
	ck_assert_int_eq(refused.item[2].line, 3);
	gw_findings_free(&refused);
	gw_gres_gpus_free(&gpus);
	close_site(&site);
}
END_TEST

static const struct gw_gres_cores two_of_four = {.sockets = 2, .per_socket = 4, .threads = 2};

static const struct shape_row {
	const char *what, *text;
	int rc;
	const char *links; /* of GPU 0, then its sockets and nearness: "2,1/001/.." */
} shape_rows[] = {
	{"Cores alone: one socket 2, two sockets 1",
	 "Name=gpu File=/dev/a[0-1] Cores=0-3\nName=gpu File=/dev/a2 Cores=4-7", 0, "2,1/001/3,1"},
	{"Cores of two NUMA nodes of one socket",
	 "Name=gpu File=/dev/a0 Cores=0-1\nName=gpu File=/dev/a1 Cores=2-3\n"
	 "Name=gpu File=/dev/a2 Cores=4-7",
	 0, "2,1/001/2,1"},
	{"Links are taken as they are",
	 "Name=gpu File=/dev/a0 Links=-1,4,1\nName=gpu File=/dev/a1 Links=4,-1,1\n"
	 "Name=gpu File=/dev/a2 Links=1,1,-1",
	 0, "4,1/000/0,0"},
	{"thread numbers are cores",
	 "Name=gpu File=/dev/a[0-1] Cores=12-15\nName=gpu File=/dev/a2 Cores=0-3,8-11", 0,
	 "2,1/110/3,1"},
	{"what was detected is put in the order of Links",
	 "AutoDetect=nvml\nName=gpu File=/dev/a0 Links=1,4,-1 Cores=0\n"
	 "Name=gpu File=/dev/a1 Links=2,-1,4 Cores=4\nName=gpu File=/dev/a2 Links=-1,2,1 Cores=4",
	 0, "2,1/110/3,1"},
	{"one GPU with all cores of the node",
	 "Name=gpu File=/dev/a0 Cores=0-3\nName=gpu File=/dev/a1 Cores=4-7\n"
	 "Name=gpu File=/dev/a2 Cores=0-7",
	 0, "1,1/01255/1,0"},
	{"and one without", "Name=gpu File=/dev/a[0-1] Cores=0-3\nName=gpu File=/dev/a2", 0,
	 "2,1/00255/3,0"},
	{"all have all cores of the node", "Name=gpu File=/dev/a[0-2] Cores=0-7", 0, "2,2/000/3,3"},
	{"nothing is known", "Name=gpu File=/dev/a[0-2]", 1, NULL},
	{"no GPUs", "Name=nic Count=2", 1, NULL},
	{"slices", "Name=gpu MultipleFiles=/dev/a,/dev/b Cores=0-3", 1, NULL},
	{"more than a set of GPUs holds", "Name=gpu File=/dev/a[0-55] Cores=0-3", 1, NULL},
};

static const char *shape_text(const struct gw_shape_info *shape)
{
	static char text[64];

	snprintf(text, sizeof(text), "%u,%u/%u%u%u/%u,%u", shape->link[0][1], shape->link[0][2],
		 shape->socket[0], shape->socket[1], shape->socket[2], shape->near[0][1],
		 shape->near[0][2]);
	return text;
}

START_TEST(shape_of_a_node)
{
	const struct shape_row *row = &shape_rows[_i];
	struct gw_shape_info shape;
	struct gw_error error = {0};
	struct site site;

	open_site(&site, row->text);
	ck_assert_msg(gw_gres_shape_of_node(&site.conf, "n1", &two_of_four, &shape, &error) ==
			      row->rc,
		      "%s: %s", row->what, error.text);
	if (row->links)
		ck_assert_str_eq(shape_text(&shape), row->links);
	close_site(&site);
}
END_TEST

#define OTHERS "\nName=gpu File=/dev/a1 Links=4,-1,1\nName=gpu File=/dev/a2 Links=1,1,-1"

/* Case 8 and its kind; the error begins with file and line. */
static const struct {
	const char *text, *error;
} bad_rows[] = {
	{"Name=gpu File=/dev/a0 Links=-1,,1" OTHERS, ":1: Links=-1,,1: place 1 is empty"},
	{"Name=gpu File=/dev/a0 Links=-1,4," OTHERS, ":1: Links=-1,4,: place 2 is empty"},
	{"Name=gpu File=/dev/a0 Links=,4,1" OTHERS, ":1: Links=,4,1: place 0 is empty"},
	{"Name=gpu File=/dev/a0 Links=-1,x,1" OTHERS, ":1: Links=-1,x,1: place 1 is no number"},
	{"Name=gpu File=/dev/a0 Links=-1,4x,1" OTHERS, ":1: Links=-1,4x,1: place 1 is no number"},
	{"Name=gpu File=/dev/a0 Links=-1,-3,1" OTHERS,
	 ":1: Links=-1,-3,1: place 1 must be -1, for the GPU itself, or from 0 to 65535"},
	{"Name=gpu File=/dev/a0 Links=-1,4" OTHERS, ":1: Links of GPU 0 has 2 numbers for 3 GPUs"},
	{"#\nName=gpu File=/dev/a0 Links=-1,5,1" OTHERS,
	 ":3: Links of GPU 1 says 4 of GPU 0, which says 5 of it: must be equal"},
	{"Name=gpu File=/dev/a0 Links=0,4,1" OTHERS,
	 ":1: Links of GPU 0 has 0 in place 0, its own: must be -1"},
	{"Name=gpu File=/dev/a0" OTHERS, ":1: Links of GPU 0 has 0 numbers for 3 GPUs"},
	{"Name=gpu File=/dev/a[0-2] Cores=8\n\nName=gpu File=/dev/a3 Cores=16",
	 ":3: Cores=16: must be a list such as 0-15,32-47; the node has cores 0-7"},
	{"Name=gpu File=/dev/a0 Cores=abc",
	 ":1: Cores=abc: must be a list such as 0-15,32-47; the node has cores 0-7"},
	{"Name=gpu File=/dev/a0 Cores=0-500",
	 ":1: Cores=0-500: must be a list such as 0-15,32-47; the node has cores 0-7"},
	{"Name=gpu Count=1 MultipleFiles=/dev/a0 Cores=abc",
	 ":1: Cores=abc: must be a list such as 0-15,32-47; the node has cores 0-7"},
	{"Name=gpu File=/dev/a[0-1024]",
	 ":1: File=/dev/a[0-1024]: must be one device file or at most 1024, such as "
	 "/dev/nvidia[0-7]"},
	{"Name=gpu Count=x", ":1: Count=x: must be a number up to 1024"},
	{"NodeName=n[1- Name=gpu", ":1: NodeName=n[1-: must be a list of nodes such as "
				   "n[0-3,7],login1"},
};

START_TEST(bad_lines_are_named)
{
	struct gw_shape_info shape;
	struct gw_error error = {0};
	struct site site;

	open_site(&site, bad_rows[_i].text);
	ck_assert_int_eq(gw_gres_shape_of_node(&site.conf, "n1", &two_of_four, &shape, &error), -1);
	ck_assert_msg(!strncmp(error.text, site.path, strlen(site.path)), "%s", error.text);
	ck_assert_str_eq(error.text + strlen(site.path), bad_rows[_i].error);
	close_site(&site);
}
END_TEST

static const struct {
	const char *line;
	uint32_t sockets, per_socket, threads;
} core_rows[] = {
	{"NodeName=n1 Sockets=2 CoresPerSocket=64 ThreadsPerCore=2", 2, 64, 2},
	{"NodeName=n1 Boards=2 SocketsPerBoard=2 CoresPerSocket=4", 4, 4, 1},
	{"NodeName=n1 CPUs=256 CoresPerSocket=64 ThreadsPerCore=2", 2, 64, 2},
	{"NodeName=n1 CPUs=16", 16, 1, 1},
	{"NodeName=n1 Procs=112 CoresPerSocket=28 ThreadsPerCore=2", 2, 28, 2},
	{"NodeName=n1 CPUs=48 CoresPerSocket=32", 1, 32, 1},
	{"NodeName=n1", 1, 1, 1},
	{"NodeName=n1 CPUs=x Sockets=-3", 1, 1, 1},
};

START_TEST(cores_of_a_line)
{
	struct gw_gres_cores cores;
	struct site site;

	open_site(&site, core_rows[_i].line);
	cores = gw_gres_cores_of_line(&site.conf, 0);
	ck_assert_uint_eq(cores.sockets, core_rows[_i].sockets);
	ck_assert_uint_eq(cores.per_socket, core_rows[_i].per_socket);
	ck_assert_uint_eq(cores.threads, core_rows[_i].threads);
	close_site(&site);
}
END_TEST

START_TEST(memory_may_run_out)
{
	struct site site;

	open_site(&site, "NodeName=n[1-2] Name=gpu File=/dev/a[0-2] Cores=0-3");
	for (unsigned int n = 1;; n++) {
		struct gw_shape_info shape;
		struct gw_error error = {0};
		int rc;

		alloc_fail_at(n);
		rc = gw_gres_shape_of_node(&site.conf, "n1", &two_of_four, &shape, &error);
		if (!alloc_failed()) {
			ck_assert_int_eq(rc, 0);
			break;
		}
		/* Translating thread numbers does without: the list is then taken as it is. */
		ck_assert(rc == 0 || gw_error_is_set(&error));
	}
	close_site(&site);
}
END_TEST

UNIT_MAIN("gres_shape", UNIT_ROWS(gpus_of_a_node, gpus_rows), UNIT(bad_lines_are_left_out),
	  UNIT_ROWS(shape_of_a_node, shape_rows), UNIT_ROWS(bad_lines_are_named, bad_rows),
	  UNIT_ROWS(cores_of_a_line, core_rows), UNIT(memory_may_run_out))

// SPDX-License-Identifier: GPL-2.0-or-later
#include "src/tools/why_cores.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* The record of a job, as far as it matters here. */
#define RECORD(lines)                                                                              \
	"JobId=7 JobName=sh\n   NumNodes=2 NumCPUs=32 ReqNodes=2\n   NodeList=n[0-1]\n"            \
	"   JOB_GRES=gpu:h100:8\n" lines "   MinCPUsNode=4 MinMemoryNode=0\n"

/*
 * n...: 2 sockets of 16 cores, GPUs 0-3 near 0-15, 4-7 near 16-31. t...: the same with 2 threads a
 * core. d0: 2 sockets of 64, GPUs 0-1 near 48-63 and 2-3 near 16-31. x...: not known.
 */
static bool map_of(void *arg, const char *node, struct gw_core_map *map)
{
	bool large = node[0] == 'd';

	(void)arg;
	if (node[0] == 'x')
		return false;
	map->cores = large ? 128 : 32;
	map->per_socket = map->cores / 2;
	map->threads = node[0] == 't' ? 2 : 1;
	map->gpus = large ? 4 : 8;
	for (uint32_t gpu = 0; gpu < map->gpus; gpu++)
		for (uint32_t i = 0; i < 16; i++)
			gw_cores_add(&map->near[gpu],
				     large ? (gpu < 2 ? 48 : 16) + i : gpu / 4 * 16 + i);
	return true;
}

static const struct {
	const char *record, *text;
} rows[] = {
	{RECORD("     Nodes=n[0-1] CPU_IDs=0-15 Mem=0 GRES=gpu:h100:4(IDX:0-3)\n"), ""},
	{RECORD("     Nodes=n0 CPU_IDs=0-3,16-31 Mem=0 GRES=gpu:h100:2(IDX:4,6)\n"),
	 "16 of 20 CPUs are near its GPUs, 4 are of another socket"},
	{RECORD("     Nodes=d0 CPU_IDs=0-3,48-63 Mem=0 GRES=gpu:h100:2(IDX:0-1)\n"),
	 "16 of 20 CPUs are near its GPUs, 4 are of the same socket"},
	{RECORD("     Nodes=d0 CPU_IDs=0-3,48-63,64 Mem=0 GRES=gpu:h100:2(IDX:0-1)\n"),
	 "16 of 21 CPUs are near its GPUs, 4 are of the same socket, 1 is of another socket"},
	{RECORD("     Nodes=t0 CPU_IDs=0-31,32-35 Mem=0 GRES=gpu:h100:2(IDX:0-1)\n"),
	 "32 of 36 CPUs are near its GPUs, 4 are of another socket"},
	{RECORD("     Nodes=n0 CPU_IDs=0-17 Mem=0 GRES=gpu:h100:4(IDX:0-3)\n"
		"     Nodes=n1 CPU_IDs=0-15 Mem=0 GRES=gpu:h100:4(IDX:0-3)\n"),
	 "16 of 18 CPUs are near its GPUs, 2 are of another socket on n0"},
	{RECORD("     Nodes=n[0-2] CPU_IDs=0-15 Mem=0 GRES=gpu:h100:4(IDX:4-7)\n"),
	 "0 of 16 CPUs are near its GPUs, 16 are of another socket on n0 and 2 more nodes"},
	{RECORD("     Nodes=n0 CPU_IDs=0-7 Mem=0 GRES=gpu:a100:1(IDX:0),gpu:h100:1(IDX:5)\n"), ""},
	{RECORD("     Nodes=n0 CPU_IDs=0-7 Mem=0 GRES=nic:1(IDX:0),gpu:h100:1(IDX:5)\n"),
	 "0 of 8 CPUs are near its GPUs, 8 are of another socket"},
	{RECORD("     Nodes=x0 CPU_IDs=0-7 Mem=0 GRES=gpu:h100:1(IDX:5)\n"), ""},
	/* GPUs that are not known, cores that the node does not have, no GPUs, no record. */
	{RECORD("     Nodes=d0 CPU_IDs=0-7 Mem=0 GRES=gpu:h100:1(IDX:5)\n"), ""},
	{RECORD("     Nodes=n0 CPU_IDs=0-99 Mem=0 GRES=gpu:h100:1(IDX:5)\n"), ""},
	{RECORD("     Nodes=n0 CPU_IDs=0-7 Mem=0 GRES=\n"), ""},
	{RECORD("     Nodes=n0 CPU_IDs=0-7 Mem=0 GRES=gpu:h100:1\n"), ""},
	{"", ""},
};

START_TEST(cores_that_are_not_near_are_told)
{
	struct gw_str text = {0};

	gw_why_cores(rows[_i].record, map_of, NULL, &text);
	ck_assert(!text.failed);
	ck_assert_str_eq(gw_str_text(&text), rows[_i].text);
	gw_str_free(&text);
}
END_TEST

UNIT_MAIN("why_cores", UNIT_ROWS(cores_that_are_not_near_are_told, rows))

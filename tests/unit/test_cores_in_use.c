// SPDX-License-Identifier: GPL-2.0-or-later
/* Cores of a node that jobs have, in any partition and any row of it. */
#include "plugins/common/cores_in_use.h"
#include "unit.h"

enum { NODES = 2, CORES = 130, ROWS = 2 };

/* Two partitions with two rows each; the bitmaps are of node 1. */
static bitstr_t *cores[2][ROWS];
static bitstr_t *of_nodes[2][ROWS][NODES];
static part_row_data_t row[2][ROWS];
static part_res_record_t second = {.num_rows = ROWS, .row = row[1]};
static part_res_record_t first = {.num_rows = ROWS, .row = row[0], .next = &second};

static const struct {
	const char *cores[2][ROWS]; /* NULL: no bitmap of the node */
	uint32_t in_use;
} rows[] = {
	{{{NULL, NULL}, {NULL, NULL}}, 0},
	{{{"0-3", NULL}, {NULL, NULL}}, 4},
	{{{"0-3", "2-5"}, {NULL, NULL}}, 6},
	{{{NULL, "0"}, {"64", "129"}}, 3},
	{{{"60-70", NULL}, {"65-80", "127-129"}}, 24},
	{{{NULL, NULL}, {NULL, "0-129"}}, CORES},
};

static void set_rows(int i)
{
	for (int p = 0; p < 2; p++)
		for (int r = 0; r < ROWS; r++) {
			const char *list = rows[i].cores[p][r];

			cores[p][r] = list ? bit_alloc(CORES) : NULL;
			if (list)
				ck_assert_int_eq(bit_unfmt(cores[p][r], (char *)list), 0);
			of_nodes[p][r][1] = cores[p][r];
			row[p][r] = (part_row_data_t){.num_jobs = 1, .row_bitmap = of_nodes[p][r]};
		}
}

static void free_rows(void)
{
	for (int p = 0; p < 2; p++)
		for (int r = 0; r < ROWS; r++)
			FREE_NULL_BITMAP(cores[p][r]);
}

START_TEST(each_core_counts_once)
{
	set_rows(_i);
	ck_assert_uint_eq(gw_cores_in_use(&first, 1), rows[_i].in_use);
	ck_assert_uint_eq(gw_cores_in_use(&first, 0), 0);
	free_rows();
}
END_TEST

START_TEST(rows_without_jobs_do_not_count)
{
	set_rows(COUNT(rows) - 1);
	row[1][1].num_jobs = 0;
	ck_assert_uint_eq(gw_cores_in_use(&first, 1), 0);
	row[0][0].row_bitmap = NULL;
	second.row = NULL;
	ck_assert_uint_eq(gw_cores_in_use(&first, 1), 0);
	second.row = row[1];
	free_rows();
}
END_TEST

START_TEST(no_partitions)
{
	ck_assert_uint_eq(gw_cores_in_use(NULL, 1), 0);
}
END_TEST

UNIT_MAIN("cores_in_use", UNIT_ROWS(each_core_counts_once, rows),
	  UNIT(rows_without_jobs_do_not_count), UNIT(no_partitions))

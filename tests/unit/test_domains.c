// SPDX-License-Identifier: GPL-2.0-or-later
/* In how many switches nodes are, of a tree of Slurm's. */
#include "plugins/common/domains.h"
#include "plugins/common/topology_tables.h"
#include "unit.h"

/* Leaves l0 n[0-3], l1 n[4-7], l2 n[8-10]; m0 has l0 and l1, m1 l2; top both. n11 is in none. */
enum { NODES = 12, SWITCHES = 6 };

int node_record_count = NODES;

static uint16_t of_m0[] = {0, 1}, of_m1[] = {2}, of_top[] = {3, 4};
static switch_record_t table[SWITCHES] = {
	{.level = 0},
	{.level = 0},
	{.level = 0},
	{.level = 1, .num_switches = 2, .switch_index = of_m0},
	{.level = 1, .num_switches = 1, .switch_index = of_m1},
	{.level = 2, .num_switches = 2, .switch_index = of_top},
};

#if GW_HAS_TOPOLOGY_HOOK
static int count = SWITCHES;
static switch_record_t *pointer = table;

void *gw_stock_symbol(enum gw_plugin plugin, const char *name)
{
	ck_assert_int_eq(plugin, GW_PLUGIN_TOPOLOGY);
	if (!strcmp(name, "switch_record_cnt"))
		return &count;
	return strcmp(name, "switch_record_table") ? NULL : (void *)&pointer;
}
#else
switch_record_t *switch_record_table = table;
int switch_record_cnt = SWITCHES;
#endif

static bitstr_t *nodes_of(const char *list)
{
	bitstr_t *nodes = bit_alloc(NODES);

	ck_assert_int_eq(bit_unfmt(nodes, (char *)list), 0);
	return nodes;
}

static const struct {
	const char *nodes;
	uint32_t domains[3]; /* by level */
} rows[] = {
	{"0", {1, 1, 1}},   {"0-3", {1, 1, 1}},   {"0,4", {2, 1, 1}},
	{"0,8", {2, 2, 1}}, {"0-10", {3, 2, 1}},  {"0-11", {4, 3, 2}},
	{"11", {1, 1, 1}},  {"3,4,8", {3, 2, 1}}, {"4,5,6,9,10", {2, 2, 1}},
};

START_TEST(nodes_are_in_so_many_domains)
{
	static const char *const leaves[] = {"0-3", "4-7", "8-10"};
	struct gw_domains domains = {0};
	bitstr_t *nodes = nodes_of(rows[_i].nodes), *one = nodes_of("11");

	for (int i = 0; i < COUNT(leaves); i++)
		table[i].node_bitmap = nodes_of(leaves[i]);
	ck_assert(gw_domains_refresh(&domains));
	ck_assert_int_eq(domains.levels, 3);
	/* Also when the stamps of counts begin anew. */
	domains.stamp = UINT32_MAX - 1;
	for (int level = 0; level < 3; level++)
		ck_assert_uint_eq(gw_domains_count(&domains, level, nodes),
				  rows[_i].domains[level]);
	ck_assert(!gw_domains_more(&domains, one, nodes));
	ck_assert_int_eq(gw_domains_more(&domains, nodes, one), rows[_i].domains[0] > 1);
	gw_domains_free(&domains);
	for (int i = 0; i < COUNT(leaves); i++)
		FREE_NULL_BITMAP(table[i].node_bitmap);
	FREE_NULL_BITMAP(nodes);
	FREE_NULL_BITMAP(one);
}
END_TEST

UNIT_MAIN("domains", UNIT_ROWS(nodes_are_in_so_many_domains, rows))

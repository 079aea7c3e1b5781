// SPDX-License-Identifier: GPL-2.0-or-later
#include "plugins/common/domains.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/common/bits.h"
#include "plugins/common/stock.h"
#include "plugins/common/topology_tables.h"
#include "plugins/common/weak.h"

#define GW_NO_PARENT (-1)

static atomic_uint *topology_version(void)
{
	static atomic_uint version = 1;

	return &version;
}

void gw_domains_stale(void)
{
	/* 0 is what a map that was never made has. */
	if (!(atomic_fetch_add(topology_version(), 1) + 1))
		atomic_fetch_add(topology_version(), 1);
}

/* Nodes that no switch and no block has are domains of their own: stock joins them with none. */
static void set_alone(struct gw_domains *domains, uint32_t first)
{
	for (int i = 0; i < domains->nodes * domains->levels; i++)
		domains->domain[i] = first + (uint32_t)(i % domains->nodes);
}

/* The nodes of a leaf, or of a base block: the domain of each level is given. */
static void set_members(struct gw_domains *domains, bitstr_t *members, const uint32_t *domain)
{
	bitoff_t first = members ? bit_ffs(members) : -1, last = members ? bit_fls(members) : -1;

	for (bitoff_t n = first; n >= 0 && n <= last && n < domains->nodes; n++)
		for (int level = 0; bit_test(members, n) && level < domains->levels; level++)
			domains->domain[level * domains->nodes + n] = domain[level];
}

/* The switch each is directly below; those without one are below none. */
static int *parents_of(const switch_record_t *table, int count)
{
	int *parent = calloc((size_t)count, sizeof(*parent));

	for (int i = 0; parent && i < count; i++)
		parent[i] = GW_NO_PARENT;
	for (int i = 0; parent && i < count; i++)
		for (int j = 0; table[i].switch_index && j < table[i].num_switches; j++)
			if (table[i].switch_index[j] < count && table[i].switch_index[j] != i)
				parent[table[i].switch_index[j]] = i;
	return parent;
}

static int tree_levels(const switch_record_t *table, int count)
{
	int highest = 0;

	for (int i = 0; i < count; i++)
		highest = MAX(highest, table[i].level);
	return MIN(highest + 1, GW_DOMAIN_LEVELS);
}

static bool fill_from_tree(struct gw_domains *domains, const switch_record_t *table, int count)
{
	int *parent = parents_of(table, count);

	if (!parent)
		return false;
	set_alone(domains, (uint32_t)count);
	for (int i = 0; i < count; i++) {
		uint32_t domain[GW_DOMAIN_LEVELS];
		int above = i;

		if (table[i].level != 0)
			continue;
		for (int level = 0; level < domains->levels; level++) {
			domain[level] = (uint32_t)above;
			above = parent[above] == GW_NO_PARENT ? above : parent[above];
		}
		set_members(domains, table[i].node_bitmap, domain);
	}
	free(parent);
	return true;
}

#if GW_HAS_BLOCKS
/* Base blocks, and then the sizes the site allows, by twos of them. */
static int block_levels_of(bitstr_t *allowed, int shift[GW_DOMAIN_LEVELS])
{
	int levels = 0;

	shift[levels++] = 0;
	for (int s = 1; allowed && s < MAX_BLOCK_LEVELS && levels < GW_DOMAIN_LEVELS; s++)
		if (bit_test(allowed, s))
			shift[levels++] = s;
	return levels;
}

static void fill_from_blocks(struct gw_domains *domains, const block_record_t *table, int count,
			     const int shift[GW_DOMAIN_LEVELS])
{
	set_alone(domains, (uint32_t)count);
	for (int i = 0; i < count; i++) {
		uint32_t domain[GW_DOMAIN_LEVELS];

		for (int level = 0; level < domains->levels; level++)
			domain[level] = (uint32_t)(i >> shift[level]);
		set_members(domains, table[i].node_bitmap, domain);
	}
}
#endif

/* Room for another map, of so many switches or blocks; false: memory is out, nothing changed. */
static bool make_room(struct gw_domains *domains, int levels, int count)
{
	size_t nodes = (size_t)node_record_count, ids = nodes + (size_t)count;
	uint32_t *fresh = calloc((size_t)levels * nodes + 1, sizeof(*fresh));
	uint32_t *seen = calloc(ids + 1, sizeof(*seen));

	if (!fresh || !seen) {
		free(fresh);
		free(seen);
		return false;
	}
	free(domains->domain);
	free(domains->seen);
	*domains = (struct gw_domains){.domain = fresh,
				       .nodes = node_record_count,
				       .levels = levels,
				       .seen = seen,
				       .ids = ids};
	return true;
}

static bool read_topology(struct gw_domains *domains)
{
	struct gw_topology_tables tables = gw_topology_tables();

	if (tables.switches && tables.switch_count > 0)
		return make_room(domains, tree_levels(tables.switches, tables.switch_count),
				 tables.switch_count) &&
		       fill_from_tree(domains, tables.switches, tables.switch_count);
#if GW_HAS_BLOCKS
	if (tables.blocks) {
		int shift[GW_DOMAIN_LEVELS];

		if (!make_room(domains, block_levels_of(tables.block_levels, shift),
			       tables.block_count))
			return false;
		fill_from_blocks(domains, tables.blocks, tables.block_count, shift);
		return true;
	}
#endif
	return make_room(domains, 1, 0);
}

bool gw_domains_refresh(struct gw_domains *domains)
{
	unsigned int version = atomic_load(topology_version());

	if (domains->version == version && domains->nodes == node_record_count)
		return true;
	if (!read_topology(domains))
		return false;
	domains->version = version;
	debug("gangway: nodes are in %d levels of network domains", domains->levels);
	return true;
}

void gw_domains_free(struct gw_domains *domains)
{
	free(domains->domain);
	free(domains->seen);
	*domains = (struct gw_domains){0};
}

/* The stamp of a new count: no domain has it yet. */
static uint32_t next_stamp(struct gw_domains *domains)
{
	if (!++domains->stamp) {
		memset(domains->seen, 0, domains->ids * sizeof(*domains->seen));
		domains->stamp = 1;
	}
	return domains->stamp;
}

uint32_t gw_domains_count(struct gw_domains *domains, int level, bitstr_t *nodes)
{
	bool words = gw_bits_are_words();
	uint32_t stamp = next_stamp(domains), count = 0;

	for (bitoff_t n = -1; (n = gw_bits_next(nodes, words, n + 1)) >= 0;) {
		uint32_t domain = gw_domains_of(domains, level, (uint32_t)n);

		count += domains->seen[domain] != stamp;
		domains->seen[domain] = stamp;
	}
	return count;
}

bool gw_domains_more(struct gw_domains *domains, bitstr_t *some, bitstr_t *others)
{
	bool more = false;

	for (int level = 0; !more && level < domains->levels; level++)
		more = gw_domains_count(domains, level, some) >
		       gw_domains_count(domains, level, others);
	return more;
}

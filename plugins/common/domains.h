// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The network domains of nodes, from the tables of Slurm's own topology plugin: the leaf switch
 * of topology/tree, the base block of topology/block, and what those are parts of. Elsewhere
 * all nodes are in one domain.
 */
#ifndef GW_DOMAINS_H
#define GW_DOMAINS_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/export.h"

/* Levels above this are taken to be one. */
#define GW_DOMAIN_LEVELS 8

struct gw_domains {
	uint32_t *domain; /* of node n at a level: domain[level * nodes + n] */
	int nodes, levels;
	unsigned int version; /* of the topology it was made from; 0: none */
	uint32_t *seen;       /* ids of them, by domain: the stamp of the count that met it last */
	size_t ids;
	uint32_t stamp;
};

/* Slurm may have read another topology, or nodes were made or removed. From any thread. */
GW_EXPORT void gw_domains_stale(void);

/*
 * Makes domains (all zero at first) what Slurm's topology is now; cheap while it did not
 * change. The caller holds slurmctld's node lock. False: memory is out, and nothing may be asked of
 * it.
 */
bool gw_domains_refresh(struct gw_domains *domains);
void gw_domains_free(struct gw_domains *domains);

/* The domain of a node; level 0 has the smallest ones. */
static inline uint32_t gw_domains_of(const struct gw_domains *domains, int level, uint32_t node)
{
	return (int)node < domains->nodes ? domains->domain[level * domains->nodes + (int)node] : 0;
}

/* What that domain is part of; the same for all on the last level. */
static inline uint32_t gw_domains_wider(const struct gw_domains *domains, int level, uint32_t node)
{
	return level + 1 < domains->levels ? gw_domains_of(domains, level + 1, node) : 0;
}

/* In how many domains of a level these nodes are. */
uint32_t gw_domains_count(struct gw_domains *domains, int level, bitstr_t *nodes);

/* True if some nodes are in more domains than others are, on any level. */
bool gw_domains_more(struct gw_domains *domains, bitstr_t *some, bitstr_t *others);

#endif

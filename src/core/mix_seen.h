// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which kinds of jobs came of late, learned from those that started: what mix.h is made of.
 *
 * Owns: a table of kinds and how often they came. Does not own: the clock, files, which nodes there
 * are. A job counts half as much after GW_MIX_SEEN_HALF. Of more than GW_MIX_SEEN_KINDS kinds the
 * rarest is forgotten. Equal histories give equal answers. One thread at a time may change it.
 */
#ifndef GW_CORE_MIX_SEEN_H
#define GW_CORE_MIX_SEEN_H

#include <stdbool.h>

#include "mix.h"

#define GW_MIX_SEEN_HALF  (14 * 86400)
#define GW_MIX_SEEN_KINDS 256
/* Jobs, as they count now, before anything is said about them. */
#define GW_MIX_SEEN_ENOUGH 30

/* A mix is made anew after so long. */
#define GW_MIX_SEEN_INTERVAL 3600

struct gw_mix_seen;

struct gw_mix_seen *gw_mix_seen_create(struct gw_error *error);
void gw_mix_seen_free(struct gw_mix_seen *seen);

/*
 * A job started on so many nodes with this on each; its weight is not looked at. One without GPUs
 * is left out. Starts may be told in any order.
 */
void gw_mix_seen_add(struct gw_mix_seen *seen, const struct gw_mix_kind *kind, uint32_t nodes,
		     int64_t start);

/* How many kinds are known. */
size_t gw_mix_seen_kinds(const struct gw_mix_seen *seen);

/* The nodes with GPUs of a cluster. All zero: none yet. */
struct gw_mix_nodes {
	uint64_t gpus, cpus, memory; /* of all nodes; memory in MiB */
	uint32_t gpus_max, cpus_max; /* of one node */
	uint64_t memory_max;
};

void gw_mix_nodes_add(struct gw_mix_nodes *nodes, uint32_t gpus, uint32_t cpus, uint64_t memory);

/*
 * Whether CPUs or memory can run out before GPUs do: whether of the GPUs that jobs took at least
 * one in 20 came with more CPUs or memory than its share of the nodes. Where that is not so, links
 * and ends of jobs are the better guides (docs/bench.md).
 */
bool gw_mix_seen_matters(const struct gw_mix_seen *seen, const struct gw_mix_nodes *nodes);

/*
 * What free GPUs are worth to these jobs; the caller frees it. NULL: too few jobs are known, the
 * mix does not matter, or, with error, memory is out.
 */
struct gw_mix *gw_mix_seen_make(const struct gw_mix_seen *seen, const struct gw_mix_nodes *nodes,
				int64_t now, struct gw_error *error);

/*
 * All that is known as text, a checksum in the last line. NULL with error when memory is out. The
 * caller frees it.
 */
char *gw_mix_seen_text(const struct gw_mix_seen *seen, struct gw_error *error);

/*
 * Takes all from a text in place of what is there, to the last bit. A newer or damaged text is
 * refused (-1 with error), and nothing is changed.
 */
int gw_mix_seen_load(struct gw_mix_seen *seen, const char *text, struct gw_error *error);

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which nodes a job should have now: a preference, or none, and then the stock choice stands.
 * Never proposes a node that does not have what the job asks for; equal inputs give equal answers.
 *
 * How many GPUs on each node:
 *   gpus_per_node given: so many on each of min_nodes nodes. Only with min_nodes == max_nodes:
 *     when a range was asked for, how many nodes it gets is left to stock.
 *   gpus alone (GPUs without a number of nodes): the fewest nodes of the largest kind, whole nodes
 *     and at most one with the rest; when min_nodes is more than that, spread evenly.
 * Which nodes: lowest weight first, heavier ones only when all lighter ones together do not hold
 * the whole request. Then
 *   one node: the one where the least GPUs become useless, see below; then one that is broken
 *     already; then one with a set of GPUs as well linked as an idle node has; then, where it is
 *     known, the one that this job keeps from becoming whole for the shortest time, see below; then
 *     the one with the fewest free GPUs after it; then the better linked set; then, where that time
 *     is not known, the one whose jobs end when this one will; then the lowest index. An idle node
 *     comes from the domain that has the fewest idle.
 *   several nodes: the domain that holds all of them and has the fewest that could; when none does,
 *     the fewest domains, evenly; inside a domain as for one node. So does the rest of a gang, in
 *     the domain of the others if it can be: its nodes are broken each for itself, and the least
 *     sum is that of the least ones.
 *     Of domains with equally many, for one node or several, the one with the fewest in the wider
 *     domain that it is part of.
 *   no GPUs: nodes without GPUs first; then least GPUs made useless; then busy nodes; then the
 *     one with the fewest free CPUs after it.
 * A free GPU is useless when the node can not give it one CPU and a quarter of its share of memory
 * (its share is what the node has over the number of its GPUs), and, with less weight, when it
 * can not give it its whole share of both. Counted is what this job adds to that. Where it is
 * known what the site runs (gw_ask.mix), what the node's free GPUs lose in worth to that (mix.h)
 * is counted instead; and where it is known too when jobs end, what they lose while this one runs,
 * in place of the time below: as much as now while others run there, as a whole node would after.
 * The time for which a job alone keeps a node from becoming whole is the integral of the chance
 * that it still runs (gw_ask.stays) and all others there have ended (gw_node.ended), in seconds,
 * and above 1,024 to one part in 1,024. A node of which that is not known comes after the others.
 */
#ifndef GW_CORE_PLACE_H
#define GW_CORE_PLACE_H

#include "cluster.h"
#include "gpuset.h"

/* Working memory for questions, so that none is allocated while one is answered. One a thread. */
struct gw_place;

/*
 * tables[i] belongs to gw_node.shape i, NULL where links are not known; they and the array stay the
 * caller's and must outlive the result. Questions may be about up to nodes_max nodes. The caller
 * frees it. NULL when memory is out.
 */
struct gw_place *gw_place_create(const struct gw_gpuset_table *const *tables, size_t table_count,
				 size_t nodes_max, struct gw_error *error);
void gw_place_free(struct gw_place *place);

/*
 * Writes the nodes for a job into choices, which has room for `room` of them, and returns their
 * number. 0: no preference, and *reason is why, in a few words that need not be freed.
 * nodes: those the job may use, in any order; for a job without GPUs `all` and `free` are the GPUs
 * of any kind. cpus_total and memory_total leave out what no job may use.
 */
size_t gw_place_nodes(struct gw_place *place, const struct gw_ask *ask, const struct gw_node *nodes,
		      size_t count, struct gw_choice *choices, size_t room, const char **reason);

/*
 * Expected seconds for which a job alone would keep a node from becoming whole. Both grids must be
 * there.
 */
uint32_t gw_place_broken_seconds(const struct gw_ask *ask, const struct gw_node *node);

/* Seconds for which a job is expected to run, by ask->stays, which must be there. */
uint32_t gw_place_stay_seconds(const struct gw_ask *ask);

/* What an empty cluster would still lack. */
enum gw_place_lack {
	GW_PLACE_LACKS_NOTHING,
	GW_PLACE_LACKS_GPUS,   /* no node has so many; most: of one node */
	GW_PLACE_LACKS_CPUS,   /* none of those with the GPUs has so many; most: of one */
	GW_PLACE_LACKS_MEMORY, /* none of those with GPUs and CPUs; most: of one, MiB */
	GW_PLACE_LACKS_NODES,  /* too few nodes would do; most: how many */
	GW_PLACE_LACKS_TOTAL,  /* so many GPUs are nowhere; most: GPUs of all nodes that would do */
};

struct gw_place_fit {
	enum gw_place_lack lack;
	uint64_t wanted, most;
	/* The nearest request for as many GPUs that would fit; all 0: none. */
	uint32_t nodes, gpus_per_node; /* -N, --gpus-per-node */
	uint32_t gpus;                 /* --gpus, instead of gpus_per_node */
};

/* Whether a job could ever start if nothing else ran on these nodes. */
bool gw_place_fits(const struct gw_ask *ask, const struct gw_node *nodes, size_t count,
		   struct gw_place_fit *fit);

/*
 * The way out in sbatch's words ("-N2 --gpus-per-node=8"), and what is lacking ("no node has 16
 * GPUs, the largest has 8"). Cut when size is too small; empty when there is nothing to say.
 */
void gw_place_fit_way(const struct gw_place_fit *fit, char *text, size_t size);
void gw_place_fit_lack(const struct gw_place_fit *fit, char *text, size_t size);

#endif

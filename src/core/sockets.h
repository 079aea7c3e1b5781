// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * GPUs by socket (--gpus-per-socket): so many on each of so many sockets of a node. Which sockets:
 * of those that have the GPUs and their part of the cores,
 *   1. the ones whose best GPUs are best linked (gpuset.h, rules 1 to 3);
 *   2. the ones with the fewest free GPUs, so that whole sockets stay whole;
 *   3. the ones of the lowest number.
 * Of each its best GPUs, and the cores near to these. Links between sockets do not count.
 */
#ifndef GW_CORE_SOCKETS_H
#define GW_CORE_SOCKETS_H

#include "coreset.h"
#include "gpuset.h"

/* A set of sockets is one number: bit s is socket s. Larger nodes are left to the caller. */
#define GW_SOCKETS_MAX 32

/* What a socket has for the job. */
struct gw_socket {
	gw_gpus free;   /* GPUs near it */
	uint32_t cores; /* of it */
};

struct gw_sockets_ask {
	uint32_t sockets; /* of a node */
	uint32_t gpus;    /* on each */
	uint32_t cores;   /* fewest of all these sockets together, at least one of each */
	bool gang;        /* of several nodes: GPUs near network cards */
};

/*
 * The GPUs to use on a node with count sockets (at most GW_SOCKETS_MAX). 0: too few sockets have
 * what is asked. table as for gw_gpuset_choose().
 */
gw_gpus gw_sockets_choose(const struct gw_gpuset_table *table, const struct gw_socket *socket,
			  uint32_t count, const struct gw_sockets_ask *ask);

/*
 * The cores to use on the sockets used (bit s is socket s), evenly. ask->wanted: at least one a
 * socket, or 0 where it is not known how many; then, and where the number is not exact, all that
 * are free there. False: some socket has too few.
 */
bool gw_sockets_cores(const struct gw_coreset_ask *ask, uint32_t used, struct gw_cores *chosen);

#endif

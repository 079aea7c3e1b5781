// SPDX-License-Identifier: GPL-2.0-or-later
#include "sockets.h"

#include <string.h>

#include "../util/arith.h"

static bool can_serve(const struct gw_socket *socket, const struct gw_sockets_ask *ask)
{
	return gw_gpus_count(socket->free) >= ask->gpus && socket->cores &&
	       socket->cores >= gw_divide_up(ask->cores, ask->sockets);
}

static bool is_better(const struct gw_gpuset_table *table, const struct gw_socket *a,
		      const struct gw_socket *b, uint32_t gpus)
{
	uint32_t quality = gw_gpuset_quality(table, a->free, gpus);
	uint32_t other = gw_gpuset_quality(table, b->free, gpus);

	return quality != other ? quality > other : gw_gpus_count(a->free) < gw_gpus_count(b->free);
}

gw_gpus gw_sockets_choose(const struct gw_gpuset_table *table, const struct gw_socket *socket,
			  uint32_t count, const struct gw_sockets_ask *ask)
{
	gw_gpus chosen = 0;
	uint32_t used = 0;

	for (uint32_t taken = 0; taken < ask->sockets; taken++) {
		uint32_t best = count;

		for (uint32_t s = 0; s < count; s++) {
			if (used >> s & 1 || !can_serve(&socket[s], ask))
				continue;
			if (best == count || is_better(table, &socket[s], &socket[best], ask->gpus))
				best = s;
		}
		if (best == count)
			return 0;
		used |= UINT32_C(1) << best;
		chosen |= gw_gpuset_choose_as(table, socket[best].free, ask->gpus, ask->gang);
	}
	return chosen;
}

/* The free cores of one socket. */
static struct gw_cores free_of(const struct gw_coreset_ask *ask, uint32_t socket)
{
	uint32_t first = socket * ask->per_socket;
	struct gw_cores cores = {{0}};

	for (uint32_t core = first; core < first + ask->per_socket && core < GW_CORES_MAX; core++)
		if (gw_cores_have(ask->free, core))
			gw_cores_add(&cores, core);
	return cores;
}

static void add(struct gw_cores *all, const struct gw_cores *cores)
{
	for (int i = 0; i < GW_CORES_WORDS; i++)
		all->word[i] |= cores->word[i];
}

/* So many cores of a socket, the nearest first; 0: all of them. */
static bool add_of_socket(const struct gw_coreset_ask *ask, uint32_t socket, uint32_t wanted,
			  struct gw_cores *chosen)
{
	struct gw_cores free = free_of(ask, socket), some = {{0}};
	struct gw_coreset_ask of_socket = *ask;
	uint32_t have = gw_cores_count(&free);

	of_socket.free = &free;
	of_socket.wanted = wanted;
	if (!have || wanted > have)
		return false;
	if (!wanted || wanted == have)
		add(chosen, &free);
	else if (gw_coreset_choose(&of_socket, &some))
		gw_cores_add_lowest(chosen, &some, wanted);
	else
		gw_cores_add_lowest(chosen, &free, wanted);
	return true;
}

bool gw_sockets_cores(const struct gw_coreset_ask *ask, uint32_t used, struct gw_cores *chosen)
{
	uint32_t sockets = gw_gpus_count(used), wanted = ask->exact ? ask->wanted : 0;

	memset(chosen, 0, sizeof(*chosen));
	if (wanted && wanted < sockets)
		wanted = sockets;
	for (uint32_t s = 0, left = sockets; s < GW_SOCKETS_MAX; s++) {
		uint32_t part;

		if (!(used >> s & 1))
			continue;
		part = (uint32_t)gw_divide_up(wanted, left--);
		if (!add_of_socket(ask, s, part, chosen))
			return false;
		wanted -= part;
	}
	return sockets > 0;
}

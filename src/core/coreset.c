// SPDX-License-Identifier: GPL-2.0-or-later
#include "coreset.h"

#include <string.h>

#include "../util/arith.h"
#include "gpuset.h"

uint32_t gw_cores_count(const struct gw_cores *cores)
{
	uint32_t count = 0;

	for (int i = 0; i < GW_CORES_WORDS; i++)
		count += gw_gpus_count(cores->word[i]);
	return count;
}

uint32_t gw_cores_common(const struct gw_cores *a, const struct gw_cores *b)
{
	uint32_t count = 0;

	for (int i = 0; i < GW_CORES_WORDS; i++)
		count += gw_gpus_count(a->word[i] & b->word[i]);
	return count;
}

static uint32_t at_least_one(uint32_t number)
{
	return number ? number : 1;
}

uint32_t gw_core_need_worth(const struct gw_core_need *need)
{
	uint32_t tasks_use = need->tasks_per_core * at_least_one(need->cpus_per_task);

	return tasks_use && tasks_use < need->threads ? tasks_use : at_least_one(need->threads);
}

static uint32_t cores_of_tasks(const struct gw_core_need *need)
{
	uint32_t cpus = at_least_one(need->cpus_per_task), threads = at_least_one(need->threads);
	uint32_t cores = gw_divide_up((uint64_t)need->tasks * cpus, threads);

	if (need->tasks_per_core == 1)
		return need->tasks * gw_divide_up(cpus, threads);
	return need->tasks_per_core
		       ? gw_larger(cores, gw_divide_up(need->tasks, need->tasks_per_core))
		       : cores;
}

uint32_t gw_core_need_cores(const struct gw_core_need *need)
{
	if (!need->tasks)
		return 0;
	return gw_larger(cores_of_tasks(need), gw_divide_up(need->cpus, gw_core_need_worth(need)));
}

/* The cores from first on, so many. */
static void add_range(struct gw_cores *cores, uint32_t first, uint32_t count)
{
	for (uint32_t core = first; core < first + count && core < GW_CORES_MAX; core++)
		gw_cores_add(cores, core);
}

static bool any_of(const struct gw_cores *cores, uint32_t first, uint32_t count)
{
	for (uint32_t core = first; core < first + count && core < GW_CORES_MAX; core++)
		if (gw_cores_have(cores, core))
			return true;
	return false;
}

/* All cores of the sockets that some of these are on. */
static void sockets_of(const struct gw_cores *cores, uint32_t per_socket, struct gw_cores *all)
{
	memset(all, 0, sizeof(*all));
	for (uint32_t first = 0; per_socket && first < GW_CORES_MAX; first += per_socket)
		if (any_of(cores, first, per_socket))
			add_range(all, first, per_socket);
}

uint32_t gw_cores_add_lowest(struct gw_cores *chosen, const struct gw_cores *from, uint32_t count)
{
	uint32_t taken = 0;

	for (int i = 0; i < GW_CORES_WORDS; i++) {
		uint64_t left = from->word[i];

		for (; left && taken < count; taken++) {
			chosen->word[i] |= left & -left;
			left &= left - 1;
		}
	}
	return taken;
}

/* Ring 0 is the nearest. */
static void ring_of(const struct gw_coreset_ask *ask, const struct gw_cores *chosen,
		    const struct gw_cores *same, int ring, struct gw_cores *cores)
{
	for (int i = 0; i < GW_CORES_WORDS; i++) {
		uint64_t socket = ring < 2 ? same->word[i] : ~same->word[i];
		uint64_t other = ring % 2 ? ~(uint64_t)0 : ~ask->other->word[i];

		cores->word[i] = ask->free->word[i] & ~chosen->word[i] & socket & other;
	}
}

static bool take_rest(const struct gw_coreset_ask *ask, uint32_t missing, struct gw_cores *chosen)
{
	int rings = ask->bound ? 2 : 4;
	struct gw_cores same, cores;

	sockets_of(ask->near, ask->per_socket, &same);
	for (int ring = 0; missing && ring < rings; ring++) {
		ring_of(ask, chosen, &same, ring, &cores);
		missing -= gw_cores_add_lowest(chosen, &cores, missing);
	}
	return !missing;
}

bool gw_coreset_choose(const struct gw_coreset_ask *ask, struct gw_cores *chosen)
{
	uint32_t free = gw_cores_count(ask->free), have;

	for (int i = 0; i < GW_CORES_WORDS; i++)
		chosen->word[i] = ask->free->word[i] & ask->near->word[i];
	have = gw_cores_count(chosen);
	if (!ask->wanted || ask->wanted >= free || !gw_cores_count(ask->near))
		return false;
	if (have >= ask->wanted)
		return have < free;
	return ask->exact && take_rest(ask, ask->wanted - have, chosen);
}

struct gw_coreset_count gw_coreset_count(const struct gw_cores *held, const struct gw_cores *near,
					 uint32_t per_socket)
{
	struct gw_coreset_count count = {.near = gw_cores_common(held, near)};
	struct gw_cores same;

	sockets_of(near, per_socket, &same);
	for (int i = 0; i < GW_CORES_WORDS; i++) {
		uint64_t far = held->word[i] & ~near->word[i];

		count.same_socket += gw_gpus_count(far & same.word[i]);
		count.elsewhere += gw_gpus_count(far & ~same.word[i]);
	}
	return count;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which GPUs of one node, by the table of its shape: what one look-up takes. */
#include "tests/bench.d/hook.h"

#include <stdio.h>

#include "tests/unit/shapes.h"

/* In all; of each set of free GPUs every number is asked for. */
#define LOOKUPS (1 << 20)

/* Odd, so that all sets come, and far from each other: those of 16 GPUs are no cache's. */
#define STRIDE 40503

/* Their sum is kept: what nobody uses the compiler leaves out. */
static uint64_t look_up(const struct gw_gpuset_table *table, uint32_t gpus, uint64_t *lookups)
{
	uint64_t sum = 0;

	*lookups = 0;
	for (uint32_t i = 0; *lookups < LOOKUPS; i++) {
		gw_gpus free = (gw_gpus)i * STRIDE & gw_gpus_first(gpus);

		for (uint32_t count = 1; count <= gpus; count++, ++*lookups)
			sum += gw_gpuset_choose(table, free, count);
	}
	return sum;
}

bool hook_time_gpuset(uint32_t gpus, struct hook_gpuset *figures)
{
	struct gw_error error = {{0}};
	struct gw_gpuset_table *table;
	struct gw_shape_info shape;
	uint64_t begun;

	shape_two_levels(&shape, gpus, 2, 4);
	table = gw_gpuset_table_create(&shape, &error);
	if (!table) {
		fprintf(stderr, "hook: no table of %u GPUs: %s\n", gpus, error.text);
		return false;
	}
	begun = hook_thread_ns();
	figures->answers = look_up(table, gpus, &figures->lookups);
	figures->ns = (double)(hook_thread_ns() - begun) / (double)figures->lookups;
	figures->gpus = gpus;
	gw_gpuset_table_free(table);
	return true;
}

// SPDX-License-Identifier: GPL-2.0-or-later
#include "order_impl.h"

#include <stdlib.h>

struct gw_order_workspace *gw_order_workspace_new(struct gw_error *error)
{
	struct gw_order_workspace *work = calloc(1, sizeof(*work));

	if (!work)
		gw_error_memory(error);
	return work;
}

void gw_order_workspace_free(struct gw_order_workspace *work)
{
	if (!work)
		return;
	for (int i = 0; i < GW_MEMORY_COUNT; i++)
		free(work->memory[i].allocated);
	free(work);
}

#define CACHE_LINE 64

/* Doubled, so that a queue that grows job by job does not allocate each time. */
void *gw_order_memory(struct gw_order_workspace *work, enum gw_order_memory part, size_t count,
		      size_t size, struct gw_error *error)
{
	size_t wanted = (count + 1) * size;
	char *allocated;

	if (wanted <= work->memory[part].size)
		return work->memory[part].data;
	allocated = malloc(2 * wanted + CACHE_LINE);
	if (!allocated) {
		gw_error_memory(error);
		return NULL;
	}
	free(work->memory[part].allocated);
	work->memory[part].allocated = allocated;
	work->memory[part].data = allocated + CACHE_LINE - (uintptr_t)allocated % CACHE_LINE;
	work->memory[part].size = 2 * wanted;
	return work->memory[part].data;
}

static int rank_all(struct gw_order_workspace *work, const struct gw_order_input *input,
		    const struct gw_job *extra, struct gw_error *error)
{
	int result;

	work->in = input;
	work->extra = extra;
	work->rank_count = 0;
	work->stop_at = SIZE_MAX;
	work->tasks_left = GW_ORDER_TASKS_MAX;
	if (gw_order_tables(work, error) || gw_order_entries(work, error) ||
	    gw_order_sort(work, error))
		return -1;
	result = gw_order_run(work, error);
	gw_order_give_back(work);
	return result;
}

int gw_order_ranks(struct gw_order_workspace *work, const struct gw_order_input *input,
		   const struct gw_order_rank **ranks, size_t *count, struct gw_error *error)
{
	if (rank_all(work, input, NULL, error))
		return -1;
	*ranks = work->rank;
	*count = work->rank_count;
	return 0;
}

int gw_order_place(struct gw_order_workspace *work, const struct gw_order_input *input,
		   const struct gw_job *job, struct gw_order_place *place, struct gw_error *error)
{
	struct gw_order_place found = {
		.place = GW_NO_INDEX, .before = GW_NO_INDEX, .after = GW_NO_INDEX};

	if (rank_all(work, input, job, error))
		return -1;
	for (size_t i = work->rank_count; i-- > 0;) {
		if (work->rank[i].job != input->job_count)
			continue;
		found.place = i;
		found.rank = work->rank[i];
		if (i > 0)
			found.before = work->rank[i - 1].job;
		if (i + 1 < work->rank_count)
			found.after = work->rank[i + 1].job;
		break;
	}
	*place = found;
	return 0;
}

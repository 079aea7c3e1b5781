// SPDX-License-Identifier: GPL-2.0-or-later
/* A heap in place: qsort may allocate, and few of many are wanted. */
#include "place_impl.h"

static bool before(const struct gw_rank *a, const struct gw_rank *b)
{
	if (a->major != b->major)
		return a->major < b->major;
	if (a->minor != b->minor)
		return a->minor < b->minor;
	return a->index < b->index;
}

static void sift_down(struct gw_rank *ranks, size_t count, size_t at)
{
	struct gw_rank moved = ranks[at];

	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		if (child + 1 < count && before(&ranks[child + 1], &ranks[child]))
			child++;
		if (!before(&ranks[child], &moved))
			break;
		ranks[at] = ranks[child];
	}
	ranks[at] = moved;
}

void gw_heap_make(struct gw_rank *ranks, size_t count)
{
	for (size_t at = count / 2; at-- > 0;)
		sift_down(ranks, count, at);
}

struct gw_rank gw_heap_pop(struct gw_rank *ranks, size_t count)
{
	struct gw_rank first = ranks[0];

	ranks[0] = ranks[count - 1];
	ranks[count - 1] = first;
	if (count > 1)
		sift_down(ranks, count - 1, 0);
	return first;
}

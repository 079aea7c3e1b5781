// SPDX-License-Identifier: GPL-2.0-or-later
/* The figures behind an answer, for people. */
#include "quota_impl.h"

/* All that is held below a cohort, also what counts in no parent. */
static uint32_t held_below(const struct gw_quota *quota, size_t cohort, size_t flavor)
{
	int64_t sum = 0;

	for (size_t pool = 0; pool < quota->conf->pool_count; pool++) {
		size_t node = pool;

		while (node != GW_NO_INDEX && node != cohort)
			node = gw_quota_parent(quota->conf, node);
		if (node == cohort)
			sum += gw_quota_cell(quota, pool, flavor)->held;
	}
	return gw_quota_count(sum);
}

/* Quota of a cohort and all below it, also what members keep. */
static uint32_t quota_below(const struct gw_quota *quota, size_t cohort, size_t flavor)
{
	const struct gw_conf *conf = quota->conf;
	int64_t sum = 0;

	for (size_t member = 0; member < quota->nodes; member++) {
		size_t node = member;
		struct gw_quota_limits limits =
			gw_quota_limits(conf, member, flavor, quota->minute);

		while (node != GW_NO_INDEX && node != cohort)
			node = gw_quota_parent(conf, node);
		if (node == cohort && limits.quota != GW_NOT_GIVEN)
			sum += limits.quota;
	}
	return gw_quota_count(sum);
}

struct gw_quota_figures gw_quota_figures(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	struct gw_quota_figures figures = {.borrow_limit = GW_NOT_GIVEN,
					   .lend_limit = GW_NOT_GIVEN};
	size_t node = (size_t)pool, index = (size_t)flavor, parent;
	const struct gw_quota_cell *cell;
	struct gw_quota_limits limits;

	if (!gw_quota_serves(quota, pool, flavor))
		return figures;
	cell = gw_quota_cell(quota, node, index);
	limits = gw_quota_limits(quota->conf, node, index, quota->minute);
	parent = gw_quota_parent(quota->conf, node);
	figures.quota = limits.quota;
	figures.borrow_limit = limits.borrow;
	figures.lend_limit = limits.lend;
	figures.held = gw_quota_count(cell->held);
	figures.borrowed = gw_quota_count(cell->held - cell->quota);
	figures.reach = gw_quota_reach(quota, pool, flavor);
	figures.lent = gw_quota_count(cell->quota - gw_most(figures.reach, cell->held));
	figures.alone = gw_quota_count(gw_quota_potential(quota, node, index));
	figures.largest = gw_quota_largest(quota, pool, flavor);
	if (parent == GW_NO_INDEX)
		return figures;
	figures.cohort_quota = quota_below(quota, parent, index);
	figures.cohort_held = held_below(quota, parent, index);
	figures.cohort_free = gw_quota_count(gw_quota_room(quota, parent, index));
	return figures;
}

/* Unused GPUs of a node itself, without its members, as far as it may lend them to above. */
static uint32_t unused(const struct gw_quota *quota, size_t node, size_t flavor)
{
	const struct gw_quota_cell *cell = gw_quota_cell(quota, node, flavor);
	struct gw_quota_limits limits = gw_quota_limits(quota->conf, node, flavor, quota->minute);

	if (limits.quota == GW_NOT_GIVEN)
		return 0;
	if (node >= quota->conf->pool_count)
		return gw_quota_count(gw_least(limits.quota, cell->quota - cell->held));
	return gw_quota_count(cell->quota - gw_most(cell->held, cell->keeps));
}

/* Appends the lenders right below cohort that are not below `except`, and the cohort itself. */
static size_t lenders_below(const struct gw_quota *quota, size_t cohort, size_t except,
			    size_t flavor, struct gw_quota_lender *lenders, size_t size)
{
	const struct gw_conf *conf = quota->conf;
	size_t count = 0;

	for (size_t member = 0; member < quota->nodes && count < size; member++) {
		uint32_t gpus = unused(quota, member, flavor);
		size_t node = member;

		while (node != GW_NO_INDEX && node != cohort && node != except)
			node = gw_quota_parent(conf, node);
		if (node != cohort || !gpus)
			continue;
		lenders[count].pool = member < conf->pool_count ? (int32_t)member : GW_INDEX_NONE;
		lenders[count].cohort = gw_quota_cohort(conf, member);
		lenders[count++].gpus = gpus;
	}
	return count;
}

size_t gw_quota_lenders(const struct gw_quota *quota, int32_t pool, int32_t flavor,
			struct gw_quota_lender *lenders, size_t size)
{
	size_t count = 0, below, node;

	if (!gw_quota_serves(quota, pool, flavor))
		return 0;
	below = (size_t)pool;
	for (node = gw_quota_parent(quota->conf, below); node != GW_NO_INDEX && count < size;
	     node = gw_quota_parent(quota->conf, node)) {
		count += lenders_below(quota, node, below, (size_t)flavor, lenders + count,
				       size - count);
		below = node;
	}
	return count;
}

// SPDX-License-Identifier: GPL-2.0-or-later
/* May a job start, and who forbids it. */
#include "quota_impl.h"

/* What a node's own limit leaves, whatever its parent has. */
static int64_t own_room(const struct gw_quota_cell *cell)
{
	return cell->borrow == GW_QUOTA_NO_LIMIT
		       ? GW_QUOTA_NO_LIMIT
		       : gw_most(0, cell->quota + cell->borrow - cell->held);
}

int64_t gw_quota_room(const struct gw_quota *quota, size_t node, size_t flavor)
{
	const struct gw_quota_cell *cell = gw_quota_cell(quota, node, flavor);
	size_t parent = gw_quota_parent(quota->conf, node);
	int64_t kept = gw_most(0, cell->keeps - cell->held);

	if (parent == GW_NO_INDEX)
		return gw_most(0, cell->quota - cell->held);
	return gw_least(kept + gw_quota_room(quota, parent, flavor), own_room(cell));
}

/* Fills in who forbids more than there is room for: a borrow limit, else those who hold it. */
static enum gw_quota_why refused_by(const struct gw_quota *quota, size_t node, size_t flavor,
				    int64_t gpus, int32_t *cohort)
{
	const struct gw_conf *conf = quota->conf;
	const struct gw_quota_cell *pool = gw_quota_cell(quota, node, flavor);

	*cohort = GW_INDEX_NONE;
	if (gw_quota_parent(conf, node) == GW_NO_INDEX || pool->borrow == 0) {
		if (pool->held + gpus > pool->quota)
			return GW_QUOTA_OVER_POOL;
	}
	for (; gw_quota_parent(conf, node) != GW_NO_INDEX; node = gw_quota_parent(conf, node)) {
		const struct gw_quota_cell *cell = gw_quota_cell(quota, node, flavor);

		*cohort = gw_quota_cohort(conf, node);
		if (gpus > own_room(cell))
			return GW_QUOTA_BORROW_LIMIT;
		gpus -= gw_most(0, cell->keeps - cell->held);
	}
	*cohort = gw_quota_cohort(conf, node);
	return GW_QUOTA_COHORT_EMPTY;
}

/* The nearest cohort that has what a pool borrows within it. */
static int32_t lending_cohort(const struct gw_quota *quota, size_t node, size_t flavor,
			      int64_t gpus)
{
	const struct gw_conf *conf = quota->conf;

	while (gw_quota_parent(conf, node) != GW_NO_INDEX) {
		const struct gw_quota_cell *cell = gw_quota_cell(quota, node, flavor);

		gpus -= gw_most(0, cell->keeps - cell->held);
		node = gw_quota_parent(conf, node);
		cell = gw_quota_cell(quota, node, flavor);
		if (gpus <= cell->quota - cell->held)
			break;
	}
	return gw_quota_cohort(conf, node);
}

/* Minutes from now until a window begins the next time. */
static unsigned int minutes_until(const struct gw_week_window *window, unsigned int now)
{
	unsigned int soonest = GW_MINUTES_A_WEEK;

	for (unsigned int day = 0; day < 7; day++) {
		unsigned int begin = day * GW_MINUTES_A_DAY + window->begin;
		unsigned int until = (begin + GW_MINUTES_A_WEEK - now) % GW_MINUTES_A_WEEK;

		if ((window->days & (1U << day)) && until < soonest)
			soonest = until;
	}
	return soonest;
}

/* The first peak that the job would run into and not fit in, or GW_INDEX_NONE. */
static int32_t peak_in_the_way(const struct gw_quota *quota, const struct gw_quota_ask *ask)
{
	const struct gw_conf *conf = quota->conf;
	uint64_t wanted = (uint64_t)gw_quota_held(quota, ask->pool, ask->flavor) + ask->gpus;

	for (size_t i = 0; i < conf->peak_count; i++) {
		uint32_t cap = quota->peak_cap[i * quota->flavors + (size_t)ask->flavor];
		/* Up to a minute of now has passed already. */
		int64_t least_wait =
			((int64_t)minutes_until(&conf->peaks[i].window, quota->minute) - 1) * 60;

		if (conf->peaks[i].pool.index == (size_t)ask->pool && wanted > cap &&
		    ask->limit > least_wait)
			return (int32_t)i;
	}
	return GW_INDEX_NONE;
}

/* What time decides, once there is room. */
static void ask_time(const struct gw_quota *quota, const struct gw_quota_ask *ask,
		     struct gw_quota_answer *answer)
{
	const struct gw_pool *pool = &quota->conf->pools[ask->pool];

	if (answer->borrow && ask->limit > pool->loan_time) {
		answer->why = GW_QUOTA_LOAN_TIME;
		return;
	}
	if (!pool->peak_strict)
		return;
	answer->peak = peak_in_the_way(quota, ask);
	if (answer->peak != GW_INDEX_NONE)
		answer->why = GW_QUOTA_PEAK_STRICT;
}

struct gw_quota_answer gw_quota_ask(const struct gw_quota *quota, const struct gw_quota_ask *ask)
{
	struct gw_quota_answer answer = {.cohort = GW_INDEX_NONE, .peak = GW_INDEX_NONE};
	size_t node = (size_t)ask->pool, flavor = (size_t)ask->flavor;
	const struct gw_quota_cell *cell;
	int64_t room;

	if (!gw_quota_serves(quota, ask->pool, ask->flavor)) {
		answer.why = GW_QUOTA_NO_QUOTA;
		answer.missing = ask->gpus;
		return answer;
	}
	if (!ask->gpus)
		return answer;
	cell = gw_quota_cell(quota, node, flavor);
	room = gw_quota_room(quota, node, flavor);
	answer.borrow = gw_quota_count(gw_least(ask->gpus, cell->held + ask->gpus - cell->quota));
	answer.missing = gw_quota_count((int64_t)ask->gpus - room);
	if (ask->gpus > gw_quota_largest(quota, ask->pool, ask->flavor))
		answer.why = GW_QUOTA_NEVER;
	else if (answer.missing)
		answer.why = refused_by(quota, node, flavor, ask->gpus, &answer.cohort);
	else
		ask_time(quota, ask, &answer);
	if (!answer.missing && answer.borrow)
		answer.cohort = lending_cohort(quota, node, flavor, ask->gpus);
	return answer;
}

uint32_t gw_quota_reach(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	size_t node = (size_t)pool;

	if (!gw_quota_serves(quota, pool, flavor))
		return 0;
	return gw_quota_count(gw_quota_cell(quota, node, (size_t)flavor)->held +
			      gw_quota_room(quota, node, (size_t)flavor));
}

uint32_t gw_quota_largest(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	return gw_quota_serves(quota, pool, flavor)
		       ? quota->largest[(size_t)pool * quota->flavors + (size_t)flavor]
		       : 0;
}

const char *gw_quota_why_name(enum gw_quota_why why)
{
	static const char *const names[GW_QUOTA_WHY_COUNT] = {
		[GW_QUOTA_ALLOWED] = "allowed",
		[GW_QUOTA_NO_QUOTA] = "no-quota",
		[GW_QUOTA_NEVER] = "never",
		[GW_QUOTA_OVER_POOL] = "over-pool",
		[GW_QUOTA_BORROW_LIMIT] = "borrow-limit",
		[GW_QUOTA_COHORT_EMPTY] = "cohort-empty",
		[GW_QUOTA_LOAN_TIME] = "loan-time",
		[GW_QUOTA_PEAK_STRICT] = "peak-strict",
	};

	return names[why];
}

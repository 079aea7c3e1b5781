// SPDX-License-Identifier: GPL-2.0-or-later
#include "quota.h"

#include <stdlib.h>
#include <string.h>

#include "job.h"

#define NO_LIMIT INT64_MAX

/* One pool or cohort and one flavor. Pools come first, cohorts after them. */
struct cell {
	int64_t quota;  /* what it and all below it have between them */
	int64_t keeps;  /* part of quota that others never get */
	int64_t borrow; /* above quota, or NO_LIMIT */
	int64_t held;   /* of a cohort: what its members hold above what they keep */
	bool served;
};

struct gw_quota {
	const struct gw_conf *conf;
	size_t flavors, nodes;
	uint32_t *largest;  /* pools by flavors */
	uint32_t *peak_cap; /* peaks by flavors: the most the pool can hold in that peak */
	unsigned int minute;
	struct cell *cell; /* nodes by flavors */
};

static size_t node_parent(const struct gw_conf *conf, size_t node)
{
	const struct gw_ref *parent = node < conf->pool_count
					      ? &conf->pools[node].cohort
					      : &conf->cohorts[node - conf->pool_count].parent;

	return parent->index == GW_NO_INDEX ? GW_NO_INDEX : conf->pool_count + parent->index;
}

static struct cell *cell_at(const struct gw_quota *quota, size_t node, size_t flavor)
{
	return &quota->cell[node * quota->flavors + flavor];
}

static struct cell *cell_parent(const struct gw_quota *quota, size_t node, size_t flavor)
{
	size_t parent = node_parent(quota->conf, node);

	return parent == GW_NO_INDEX ? NULL : cell_at(quota, parent, flavor);
}

static int32_t node_cohort(const struct gw_conf *conf, size_t node)
{
	return node < conf->pool_count ? GW_INDEX_NONE : (int32_t)(node - conf->pool_count);
}

static int64_t least(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static uint32_t as_count(int64_t gpus)
{
	return (uint32_t)most(0, least(gpus, UINT32_MAX - 1));
}

static bool has_cell(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	return pool >= 0 && (size_t)pool < quota->conf->pool_count && flavor >= 0 &&
	       (size_t)flavor < quota->flavors &&
	       cell_at(quota, (size_t)pool, (size_t)flavor)->served;
}

/* The three limits of a pool or cohort in force at a minute. */
struct limits {
	uint32_t quota, borrow, lend; /* or GW_NOT_GIVEN */
};

static void override(uint32_t *limit, uint32_t by)
{
	if (by != GW_NOT_GIVEN)
		*limit = by;
}

static struct limits pool_limits(const struct gw_conf *conf, size_t index, size_t flavor,
				 unsigned int minute)
{
	const struct gw_pool *pool = &conf->pools[index];
	struct limits limits = {pool->quota.gpus[flavor], pool->borrow.gpus[flavor],
				pool->lend.gpus[flavor]};

	for (size_t i = 0; i < conf->peak_count; i++) {
		const struct gw_peak *peak = &conf->peaks[i];

		if (peak->pool.index != index || !gw_week_window_has(&peak->window, minute))
			continue;
		override(&limits.quota, peak->quota.gpus[flavor]);
		override(&limits.borrow, peak->borrow.gpus[flavor]);
		override(&limits.lend, peak->lend.gpus[flavor]);
	}
	return limits;
}

static struct limits node_limits(const struct gw_conf *conf, size_t node, size_t flavor,
				 unsigned int minute)
{
	const struct gw_cohort *cohort;

	if (node < conf->pool_count)
		return pool_limits(conf, node, flavor, minute);
	cohort = &conf->cohorts[node - conf->pool_count];
	return (struct limits){cohort->quota.gpus[flavor], cohort->borrow.gpus[flavor],
			       cohort->lend.gpus[flavor]};
}

/* A node whose subtree is complete: what it keeps, and the rest and its use go to its parent. */
static void close_cell(const struct gw_quota *quota, size_t node, size_t flavor,
		       unsigned int minute)
{
	struct limits limits = node_limits(quota->conf, node, flavor, minute);
	struct cell *cell = cell_at(quota, node, flavor);
	struct cell *parent = cell_parent(quota, node, flavor);

	cell->keeps = limits.lend == GW_NOT_GIVEN ? 0 : most(0, cell->quota - limits.lend);
	cell->borrow = limits.borrow == GW_NOT_GIVEN ? NO_LIMIT : limits.borrow;
	if (!parent) {
		cell->keeps = cell->quota;
		return;
	}
	parent->quota += cell->quota - cell->keeps;
	parent->held += most(0, cell->held - cell->keeps);
}

static void open_cell(const struct gw_quota *quota, size_t node, size_t flavor, unsigned int minute)
{
	struct limits limits = node_limits(quota->conf, node, flavor, minute);
	struct cell *cell = cell_at(quota, node, flavor);

	cell->served = limits.quota != GW_NOT_GIVEN;
	cell->quota = cell->served ? limits.quota : 0;
	if (node >= quota->conf->pool_count)
		cell->held = 0;
}

static size_t node_depth(const struct gw_conf *conf, size_t node)
{
	size_t depth = 0;

	for (; node != GW_NO_INDEX; node = node_parent(conf, node))
		depth++;
	return depth;
}

/* Everything but what pools hold, for the limits at one minute: deepest nodes first. */
static void build(const struct gw_quota *quota, unsigned int minute)
{
	const struct gw_conf *conf = quota->conf;
	size_t deepest = 0;

	for (size_t node = 0; node < quota->nodes; node++) {
		size_t depth = node_depth(conf, node);

		deepest = depth > deepest ? depth : deepest;
		for (size_t flavor = 0; flavor < quota->flavors; flavor++)
			open_cell(quota, node, flavor, minute);
	}
	for (size_t depth = deepest; depth > 0; depth--) {
		for (size_t node = 0; node < quota->nodes; node++) {
			if (node_depth(conf, node) != depth)
				continue;
			for (size_t flavor = 0; flavor < quota->flavors; flavor++)
				close_cell(quota, node, flavor, minute);
		}
	}
}

/* The most a node can hold with all others idle. */
static int64_t node_potential(const struct gw_quota *quota, size_t node, size_t flavor)
{
	const struct cell *cell = cell_at(quota, node, flavor);
	size_t parent = node_parent(quota->conf, node);
	int64_t potential;

	if (parent == GW_NO_INDEX)
		return cell->quota;
	potential = cell->keeps + node_potential(quota, parent, flavor);
	return cell->borrow == NO_LIMIT ? potential : least(potential, cell->quota + cell->borrow);
}

/* Takes in what pools could hold at a minute at which some limit changes. */
static void survey(struct gw_quota *quota, unsigned int minute)
{
	const struct gw_conf *conf = quota->conf;

	build(quota, minute);
	for (size_t pool = 0; pool < conf->pool_count; pool++) {
		for (size_t flavor = 0; flavor < quota->flavors; flavor++) {
			uint32_t *largest = &quota->largest[pool * quota->flavors + flavor];
			uint32_t potential = as_count(node_potential(quota, pool, flavor));

			*largest = potential > *largest ? potential : *largest;
		}
	}
	for (size_t i = 0; i < conf->peak_count; i++) {
		if (!gw_week_window_has(&conf->peaks[i].window, minute))
			continue;
		for (size_t flavor = 0; flavor < quota->flavors; flavor++) {
			uint32_t *cap = &quota->peak_cap[i * quota->flavors + flavor];
			uint32_t potential =
				as_count(node_potential(quota, conf->peaks[i].pool.index, flavor));

			*cap = potential < *cap ? potential : *cap;
		}
	}
}

/* Limits change where a peak begins or ends, so these minutes stand for the whole week. */
static void survey_week(struct gw_quota *quota)
{
	const struct gw_conf *conf = quota->conf;

	for (size_t i = 0; i < conf->peak_count * quota->flavors; i++)
		quota->peak_cap[i] = UINT32_MAX;
	survey(quota, 0);
	for (size_t i = 0; i < conf->peak_count; i++) {
		const struct gw_week_window *window = &conf->peaks[i].window;

		for (unsigned int day = 0; day < 7; day++) {
			unsigned int midnight = day * GW_MINUTES_A_DAY;

			if (!(window->days & (1U << day)))
				continue;
			survey(quota, (midnight + window->begin) % GW_MINUTES_A_WEEK);
			survey(quota, (midnight + window->end) % GW_MINUTES_A_WEEK);
		}
	}
	build(quota, 0);
}

/* calloc() that never asks for 0 bytes. */
static void *table(size_t count, size_t size)
{
	return calloc(count ? count : 1, size);
}

static struct gw_quota *quota_alloc(const struct gw_conf *conf, struct gw_error *error)
{
	struct gw_quota *quota = calloc(1, sizeof(*quota));

	if (quota) {
		quota->conf = conf;
		quota->flavors = conf->flavor_count;
		quota->nodes = conf->pool_count + conf->cohort_count;
		quota->largest = table(conf->pool_count * quota->flavors, sizeof(*quota->largest));
		quota->peak_cap =
			table(conf->peak_count * quota->flavors, sizeof(*quota->peak_cap));
		quota->cell = table(quota->nodes * quota->flavors, sizeof(*quota->cell));
	}
	if (quota && quota->largest && quota->peak_cap && quota->cell)
		return quota;
	gw_quota_free(quota);
	gw_error_memory(error);
	return NULL;
}

struct gw_quota *gw_quota_new(const struct gw_conf *conf, struct gw_error *error)
{
	struct gw_quota *quota = quota_alloc(conf, error);

	if (quota)
		survey_week(quota);
	return quota;
}

struct gw_quota *gw_quota_copy(const struct gw_quota *from, struct gw_error *error)
{
	const struct gw_conf *conf = from->conf;
	struct gw_quota *quota = quota_alloc(conf, error);

	if (!quota)
		return NULL;
	quota->minute = from->minute;
	memcpy(quota->largest, from->largest,
	       conf->pool_count * from->flavors * sizeof(*from->largest));
	memcpy(quota->peak_cap, from->peak_cap,
	       conf->peak_count * from->flavors * sizeof(*from->peak_cap));
	memcpy(quota->cell, from->cell, from->nodes * from->flavors * sizeof(*from->cell));
	return quota;
}

void gw_quota_free(struct gw_quota *quota)
{
	if (!quota)
		return;
	free(quota->largest);
	free(quota->peak_cap);
	free(quota->cell);
	free(quota);
}

void gw_quota_at(struct gw_quota *quota, unsigned int minute)
{
	bool changed = false;

	for (size_t i = 0; i < quota->conf->peak_count; i++) {
		const struct gw_week_window *window = &quota->conf->peaks[i].window;

		if (gw_week_window_has(window, minute) != gw_week_window_has(window, quota->minute))
			changed = true;
	}
	quota->minute = minute;
	if (changed)
		build(quota, minute);
}

void gw_quota_clear(struct gw_quota *quota)
{
	for (size_t i = 0; i < quota->nodes * quota->flavors; i++)
		quota->cell[i].held = 0;
}

void gw_quota_hold(struct gw_quota *quota, int32_t pool, int32_t flavor, int64_t gpus)
{
	size_t node;

	if (!has_cell(quota, pool, flavor))
		return;
	node = (size_t)pool;
	while (node != GW_NO_INDEX && gpus) {
		struct cell *cell = cell_at(quota, node, (size_t)flavor);
		int64_t before = most(0, cell->held - cell->keeps);

		cell->held = most(0, cell->held + gpus);
		gpus = most(0, cell->held - cell->keeps) - before;
		node = node_parent(quota->conf, node);
	}
}

uint32_t gw_quota_held(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	return has_cell(quota, pool, flavor)
		       ? as_count(cell_at(quota, (size_t)pool, (size_t)flavor)->held)
		       : 0;
}

/* What a node's own limit leaves, whatever its parent has. */
static int64_t own_room(const struct cell *cell)
{
	return cell->borrow == NO_LIMIT ? NO_LIMIT
					: most(0, cell->quota + cell->borrow - cell->held);
}

/* What a node may take more now: of what it keeps, then of what its parent has. */
static int64_t node_room(const struct gw_quota *quota, size_t node, size_t flavor)
{
	const struct cell *cell = cell_at(quota, node, flavor);
	size_t parent = node_parent(quota->conf, node);
	int64_t kept = most(0, cell->keeps - cell->held);

	if (parent == GW_NO_INDEX)
		return most(0, cell->quota - cell->held);
	return least(kept + node_room(quota, parent, flavor), own_room(cell));
}

/* Fills in who forbids more than there is room for: a borrow limit, else those who hold it. */
static enum gw_quota_why refused_by(const struct gw_quota *quota, size_t node, size_t flavor,
				    int64_t gpus, int32_t *cohort)
{
	const struct gw_conf *conf = quota->conf;
	const struct cell *pool = cell_at(quota, node, flavor);

	*cohort = GW_INDEX_NONE;
	if (node_parent(conf, node) == GW_NO_INDEX || pool->borrow == 0) {
		if (pool->held + gpus > pool->quota)
			return GW_QUOTA_OVER_POOL;
	}
	for (; node_parent(conf, node) != GW_NO_INDEX; node = node_parent(conf, node)) {
		const struct cell *cell = cell_at(quota, node, flavor);

		*cohort = node_cohort(conf, node);
		if (gpus > own_room(cell))
			return GW_QUOTA_BORROW_LIMIT;
		gpus -= most(0, cell->keeps - cell->held);
	}
	*cohort = node_cohort(conf, node);
	return GW_QUOTA_COHORT_EMPTY;
}

/* The nearest cohort that has what a pool borrows within it. */
static int32_t lending_cohort(const struct gw_quota *quota, size_t node, size_t flavor,
			      int64_t gpus)
{
	const struct gw_conf *conf = quota->conf;

	while (node_parent(conf, node) != GW_NO_INDEX) {
		const struct cell *cell = cell_at(quota, node, flavor);

		gpus -= most(0, cell->keeps - cell->held);
		node = node_parent(conf, node);
		cell = cell_at(quota, node, flavor);
		if (gpus <= cell->quota - cell->held)
			break;
	}
	return node_cohort(conf, node);
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
	const struct cell *cell;
	int64_t room;

	if (!has_cell(quota, ask->pool, ask->flavor)) {
		answer.why = GW_QUOTA_NO_QUOTA;
		answer.missing = ask->gpus;
		return answer;
	}
	if (!ask->gpus)
		return answer;
	cell = cell_at(quota, node, flavor);
	room = node_room(quota, node, flavor);
	answer.borrow = as_count(least(ask->gpus, cell->held + ask->gpus - cell->quota));
	answer.missing = as_count((int64_t)ask->gpus - room);
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

	if (!has_cell(quota, pool, flavor))
		return 0;
	return as_count(cell_at(quota, node, (size_t)flavor)->held +
			node_room(quota, node, (size_t)flavor));
}

uint32_t gw_quota_largest(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	return has_cell(quota, pool, flavor)
		       ? quota->largest[(size_t)pool * quota->flavors + (size_t)flavor]
		       : 0;
}

/* All that is held below a cohort, also what counts in no parent. */
static uint32_t held_below(const struct gw_quota *quota, size_t cohort, size_t flavor)
{
	int64_t sum = 0;

	for (size_t pool = 0; pool < quota->conf->pool_count; pool++) {
		size_t node = pool;

		while (node != GW_NO_INDEX && node != cohort)
			node = node_parent(quota->conf, node);
		if (node == cohort)
			sum += cell_at(quota, pool, flavor)->held;
	}
	return as_count(sum);
}

/* Quota of a cohort and all below it, also what members keep. */
static uint32_t quota_below(const struct gw_quota *quota, size_t cohort, size_t flavor)
{
	const struct gw_conf *conf = quota->conf;
	int64_t sum = 0;

	for (size_t member = 0; member < quota->nodes; member++) {
		size_t node = member;
		struct limits limits = node_limits(conf, member, flavor, quota->minute);

		while (node != GW_NO_INDEX && node != cohort)
			node = node_parent(conf, node);
		if (node == cohort && limits.quota != GW_NOT_GIVEN)
			sum += limits.quota;
	}
	return as_count(sum);
}

struct gw_quota_figures gw_quota_figures(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	struct gw_quota_figures figures = {.borrow_limit = GW_NOT_GIVEN,
					   .lend_limit = GW_NOT_GIVEN};
	size_t node = (size_t)pool, index = (size_t)flavor, parent;
	const struct cell *cell;
	struct limits limits;

	if (!has_cell(quota, pool, flavor))
		return figures;
	cell = cell_at(quota, node, index);
	limits = pool_limits(quota->conf, node, index, quota->minute);
	parent = node_parent(quota->conf, node);
	figures.quota = limits.quota;
	figures.borrow_limit = limits.borrow;
	figures.lend_limit = limits.lend;
	figures.held = as_count(cell->held);
	figures.borrowed = as_count(cell->held - cell->quota);
	figures.reach = gw_quota_reach(quota, pool, flavor);
	figures.lent = as_count(cell->quota - most(figures.reach, cell->held));
	figures.largest = gw_quota_largest(quota, pool, flavor);
	if (parent == GW_NO_INDEX)
		return figures;
	figures.cohort_quota = quota_below(quota, parent, index);
	figures.cohort_held = held_below(quota, parent, index);
	figures.cohort_free = as_count(node_room(quota, parent, index));
	return figures;
}

/* Unused GPUs of a node itself, without its members, as far as it may lend them to above. */
static uint32_t unused(const struct gw_quota *quota, size_t node, size_t flavor)
{
	const struct cell *cell = cell_at(quota, node, flavor);
	struct limits limits = node_limits(quota->conf, node, flavor, quota->minute);

	if (limits.quota == GW_NOT_GIVEN)
		return 0;
	if (node >= quota->conf->pool_count)
		return as_count(least(limits.quota, cell->quota - cell->held));
	return as_count(cell->quota - most(cell->held, cell->keeps));
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
			node = node_parent(conf, node);
		if (node != cohort || !gpus)
			continue;
		lenders[count].pool = member < conf->pool_count ? (int32_t)member : GW_INDEX_NONE;
		lenders[count].cohort = node_cohort(conf, member);
		lenders[count++].gpus = gpus;
	}
	return count;
}

size_t gw_quota_lenders(const struct gw_quota *quota, int32_t pool, int32_t flavor,
			struct gw_quota_lender *lenders, size_t size)
{
	size_t count = 0, below, node;

	if (!has_cell(quota, pool, flavor))
		return 0;
	below = (size_t)pool;
	for (node = node_parent(quota->conf, below); node != GW_NO_INDEX && count < size;
	     node = node_parent(quota->conf, node)) {
		count += lenders_below(quota, node, below, (size_t)flavor, lenders + count,
				       size - count);
		below = node;
	}
	return count;
}

int32_t gw_quota_pool_of(const struct gw_conf *conf, int32_t queue, int32_t flavor)
{
	const struct gw_refs *pools;

	if (queue < 0 || (size_t)queue >= conf->queue_count || flavor < 0 ||
	    (size_t)flavor >= conf->flavor_count)
		return GW_INDEX_NONE;
	pools = &conf->queues[queue].pools;
	for (size_t i = 0; i < pools->names.count; i++)
		if (conf->pools[pools->index[i]].quota.gpus[flavor] != GW_NOT_GIVEN)
			return (int32_t)pools->index[i];
	return GW_INDEX_NONE;
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

// SPDX-License-Identifier: GPL-2.0-or-later
#include "quota_impl.h"

#include <stdlib.h>
#include <string.h>

size_t gw_quota_parent(const struct gw_conf *conf, size_t node)
{
	const struct gw_ref *parent = node < conf->pool_count
					      ? &conf->pools[node].cohort
					      : &conf->cohorts[node - conf->pool_count].parent;

	return parent->index == GW_NO_INDEX ? GW_NO_INDEX : conf->pool_count + parent->index;
}

struct gw_quota_cell *gw_quota_cell(const struct gw_quota *quota, size_t node, size_t flavor)
{
	return &quota->cell[node * quota->flavors + flavor];
}

static struct gw_quota_cell *cell_parent(const struct gw_quota *quota, size_t node, size_t flavor)
{
	size_t parent = gw_quota_parent(quota->conf, node);

	return parent == GW_NO_INDEX ? NULL : gw_quota_cell(quota, parent, flavor);
}

bool gw_quota_serves(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	return pool >= 0 && (size_t)pool < quota->conf->pool_count && flavor >= 0 &&
	       (size_t)flavor < quota->flavors &&
	       gw_quota_cell(quota, (size_t)pool, (size_t)flavor)->served;
}

static void override(uint32_t *limit, uint32_t by)
{
	if (by != GW_NOT_GIVEN)
		*limit = by;
}

static struct gw_quota_limits pool_limits(const struct gw_conf *conf, size_t index, size_t flavor,
					  unsigned int minute)
{
	const struct gw_pool *pool = &conf->pools[index];
	struct gw_quota_limits limits = {pool->quota.gpus[flavor], pool->borrow.gpus[flavor],
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

struct gw_quota_limits gw_quota_limits(const struct gw_conf *conf, size_t node, size_t flavor,
				       unsigned int minute)
{
	const struct gw_cohort *cohort;

	if (node < conf->pool_count)
		return pool_limits(conf, node, flavor, minute);
	cohort = &conf->cohorts[node - conf->pool_count];
	return (struct gw_quota_limits){cohort->quota.gpus[flavor], cohort->borrow.gpus[flavor],
					cohort->lend.gpus[flavor]};
}

/* A node whose subtree is complete: what it keeps, and the rest and its use go to its parent. */
static void close_cell(const struct gw_quota *quota, size_t node, size_t flavor,
		       unsigned int minute)
{
	struct gw_quota_limits limits = gw_quota_limits(quota->conf, node, flavor, minute);
	struct gw_quota_cell *cell = gw_quota_cell(quota, node, flavor);
	struct gw_quota_cell *parent = cell_parent(quota, node, flavor);

	cell->keeps = limits.lend == GW_NOT_GIVEN ? 0 : gw_most(0, cell->quota - limits.lend);
	cell->borrow = limits.borrow == GW_NOT_GIVEN ? GW_QUOTA_NO_LIMIT : limits.borrow;
	if (!parent) {
		cell->keeps = cell->quota;
		return;
	}
	parent->quota += cell->quota - cell->keeps;
	parent->held += gw_most(0, cell->held - cell->keeps);
}

static void open_cell(const struct gw_quota *quota, size_t node, size_t flavor, unsigned int minute)
{
	struct gw_quota_limits limits = gw_quota_limits(quota->conf, node, flavor, minute);
	struct gw_quota_cell *cell = gw_quota_cell(quota, node, flavor);

	cell->served = limits.quota != GW_NOT_GIVEN;
	cell->quota = cell->served ? limits.quota : 0;
	if (node >= quota->conf->pool_count)
		cell->held = 0;
}

static size_t node_depth(const struct gw_conf *conf, size_t node)
{
	size_t depth = 0;

	for (; node != GW_NO_INDEX; node = gw_quota_parent(conf, node))
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

int64_t gw_quota_potential(const struct gw_quota *quota, size_t node, size_t flavor)
{
	const struct gw_quota_cell *cell = gw_quota_cell(quota, node, flavor);
	size_t parent = gw_quota_parent(quota->conf, node);
	int64_t potential;

	if (parent == GW_NO_INDEX)
		return cell->quota;
	potential = cell->keeps + gw_quota_potential(quota, parent, flavor);
	return cell->borrow == GW_QUOTA_NO_LIMIT ? potential
						 : gw_least(potential, cell->quota + cell->borrow);
}

/* Takes in what pools could hold at a minute at which some limit changes. */
static void survey(struct gw_quota *quota, unsigned int minute)
{
	const struct gw_conf *conf = quota->conf;

	build(quota, minute);
	for (size_t pool = 0; pool < conf->pool_count; pool++) {
		for (size_t flavor = 0; flavor < quota->flavors; flavor++) {
			uint32_t *largest = &quota->largest[pool * quota->flavors + flavor];
			uint32_t potential =
				gw_quota_count(gw_quota_potential(quota, pool, flavor));

			*largest = potential > *largest ? potential : *largest;
		}
	}
	for (size_t i = 0; i < conf->peak_count; i++) {
		if (!gw_week_window_has(&conf->peaks[i].window, minute))
			continue;
		for (size_t flavor = 0; flavor < quota->flavors; flavor++) {
			uint32_t *cap = &quota->peak_cap[i * quota->flavors + flavor];
			uint32_t potential = gw_quota_count(
				gw_quota_potential(quota, conf->peaks[i].pool.index, flavor));

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

	if (!gw_quota_serves(quota, pool, flavor))
		return;
	node = (size_t)pool;
	while (node != GW_NO_INDEX && gpus) {
		struct gw_quota_cell *cell = gw_quota_cell(quota, node, (size_t)flavor);
		int64_t before = gw_most(0, cell->held - cell->keeps);

		cell->held = gw_most(0, cell->held + gpus);
		gpus = gw_most(0, cell->held - cell->keeps) - before;
		node = gw_quota_parent(quota->conf, node);
	}
}

uint32_t gw_quota_held(const struct gw_quota *quota, int32_t pool, int32_t flavor)
{
	return gw_quota_serves(quota, pool, flavor)
		       ? gw_quota_count(gw_quota_cell(quota, (size_t)pool, (size_t)flavor)->held)
		       : 0;
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

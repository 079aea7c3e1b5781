// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the simulation looks up: ranks of classes, kinds of GPUs, lines, and cells with the
 * quota that is left.
 *
 * The exact room of a pool costs a walk up its cohorts. A start of g GPUs lowers the room of
 * any pool of the flavor by at most g, so a room once known bounds it from below until so much
 * has started, and only then is it asked for again.
 */
#include "order_impl.h"

#include <math.h>
#include <string.h>

/* The rank order of each class: how many higher ranks there are. */
static int make_tiers(struct gw_order_workspace *work, struct gw_error *error)
{
	const struct gw_conf *conf = work->in->conf;

	work->tier_of = gw_order_memory(work, GW_MEMORY_TIERS, conf->class_count,
					sizeof(*work->tier_of), error);
	if (!work->tier_of)
		return -1;
	work->tiers = 0;
	for (size_t i = 0; i < conf->class_count; i++) {
		work->tier_of[i] = 0;
		for (size_t j = 0; j < conf->class_count; j++) {
			bool first = true;

			for (size_t k = 0; k < j; k++)
				first = first && conf->classes[k].rank != conf->classes[j].rank;
			if (first && conf->classes[j].rank > conf->classes[i].rank)
				work->tier_of[i]++;
		}
		if (work->tier_of[i] >= work->tiers)
			work->tiers = work->tier_of[i] + 1;
	}
	work->tier_of[conf->class_count] = work->tiers;
	return 0;
}

static bool is_untyped(const struct gw_flavor *flavor)
{
	return !strchr(flavor->gres, ':');
}

/* The first flavor of the same GPUs. One without a type may be any, which joins them all. */
uint32_t gw_order_kind_of(const struct gw_conf *conf, int32_t flavor)
{
	if (flavor == GW_INDEX_NONE)
		return (uint32_t)conf->flavor_count;
	for (size_t i = 0; i < conf->flavor_count; i++)
		if (is_untyped(&conf->flavors[i]))
			return 0;
	for (size_t i = 0; i < (size_t)flavor; i++)
		if (gw_same(conf->flavors[i].gres, conf->flavors[flavor].gres))
			return (uint32_t)i;
	return (uint32_t)flavor;
}

/* Flavors of one kind may be on the same nodes: the one with the most says what is free. */
static void find_left(struct gw_order_workspace *work)
{
	const struct gw_order_gpus *gpus = work->in->gpus;
	const struct gw_conf *conf = work->in->conf;

	for (size_t i = 0; gpus && i < conf->flavor_count; i++) {
		struct gw_order_kind *kind = &work->kind[gw_order_kind_of(conf, (int32_t)i)];

		if (kind->left == INT64_MAX || kind->left < gpus[i].free)
			kind->left = gpus[i].free;
	}
}

static int make_kinds(struct gw_order_workspace *work, struct gw_error *error)
{
	work->kinds = work->in->conf->flavor_count + 1;
	work->kind =
		gw_order_memory(work, GW_MEMORY_KINDS, work->kinds, sizeof(*work->kind), error);
	if (!work->kind)
		return -1;
	for (size_t i = 0; i < work->kinds; i++)
		work->kind[i] = (struct gw_order_kind){.queue = GW_INDEX_NONE, .left = INT64_MAX};
	find_left(work);
	return 0;
}

static struct gw_order_cell cell_of(const struct gw_order_workspace *work, size_t pool,
				    size_t flavor)
{
	const struct gw_conf *conf = work->in->conf;
	struct gw_order_cell cell = {.flavor = (uint32_t)flavor,
				     .loan_time = conf->pools[pool].loan_time,
				     .exact = conf->pools[pool].peak_strict,
				     .quota = -1,
				     .free = true};
	struct gw_quota_figures figures;

	if (!work->in->quota || conf->pools[pool].quota.gpus[flavor] == GW_NOT_GIVEN)
		return cell;
	figures = gw_quota_figures(work->in->quota, (int32_t)pool, (int32_t)flavor);
	cell.quota = figures.quota;
	cell.used = figures.held;
	cell.room = (int64_t)figures.reach - figures.held;
	cell.free = gw_conf_pool_mode(conf, &conf->pools[pool], GW_QUOTA) == GW_MODE_OBSERVE;
	cell.plain = !cell.free && !cell.exact;
	cell.largest = figures.largest;
	cell.borrows = conf->pools[pool].cohort.index != GW_NO_INDEX && figures.borrow_limit != 0;
	cell.by_nodes = !cell.free && work->in->gpus && cell.room >= work->in->gpus[flavor].free &&
			figures.alone >= work->in->gpus[flavor].all;
	return cell;
}

/* Pools by flavors, then one without quota, then one that lets nothing start. */
static int make_cells(struct gw_order_workspace *work, struct gw_error *error)
{
	const struct gw_conf *conf = work->in->conf;
	size_t flavors = conf->flavor_count, count = conf->pool_count * flavors;

	work->cell_count = count;
	work->cell = gw_order_memory(work, GW_MEMORY_CELLS, count + 2, sizeof(*work->cell), error);
	work->taken = gw_order_memory(work, GW_MEMORY_TAKEN, flavors, sizeof(*work->taken), error);
	if (!work->cell || !work->taken)
		return -1;
	for (size_t i = 0; i < flavors; i++)
		work->taken[i] = 0;
	for (size_t i = 0; i < count; i++)
		work->cell[i] = cell_of(work, i / flavors, i % flavors);
	work->cell[count] = (struct gw_order_cell){.quota = -1, .free = true};
	work->cell[count + 1] = (struct gw_order_cell){.closed = true};
	return 0;
}

static uint32_t cell_index(const struct gw_order_workspace *work, int32_t queue, int32_t flavor)
{
	const struct gw_conf *conf = work->in->conf;
	int32_t pool;

	if (flavor == GW_INDEX_NONE || !work->in->quota)
		return (uint32_t)work->cell_count;
	pool = gw_quota_pool_of(conf, queue, flavor);
	if (pool != GW_INDEX_NONE)
		return (uint32_t)((size_t)pool * conf->flavor_count + (size_t)flavor);
	if (gw_conf_mode(conf, GW_QUOTA) == GW_MODE_OBSERVE)
		return (uint32_t)work->cell_count;
	return (uint32_t)work->cell_count + 1;
}

static struct gw_order_line line_of(const struct gw_order_workspace *work, size_t index)
{
	const struct gw_conf *conf = work->in->conf;
	size_t columns = conf->flavor_count + 1, column = index % columns;
	int64_t half_life =
		conf->usage_half_life == GW_TIME_NONE ? GW_ORDER_NO_DECAY : conf->usage_half_life;
	double per_usage = log(2) / (double)half_life;
	struct gw_order_line line = {.queue = (int32_t)(index / columns)};
	double weight = conf->queues[line.queue].weight;

	line.flavor = column == conf->flavor_count ? GW_INDEX_NONE : (int32_t)column;
	line.kind = gw_order_kind_of(conf, line.flavor);
	line.cell = cell_index(work, line.queue, line.flavor);
	line.key = (work->in->usage[index] * per_usage + conf->share_term * work->in->held[index]) /
		   weight;
	line.per_rate = (conf->share_term + (double)conf->charge * per_usage) / weight;
	return line;
}

/* Numbers the lines so that those of one cell stand side by side: a counting sort. */
static int place_lines(struct gw_order_workspace *work, size_t lines, struct gw_error *error)
{
	size_t cells = work->cell_count + 2;
	uint32_t *next = gw_order_memory(work, GW_MEMORY_HEAP, cells + 1, sizeof(*next), error);

	if (!next)
		return -1;
	memset(next, 0, (cells + 1) * sizeof(*next));
	for (size_t i = 0; i < lines; i++)
		next[work->line[i].cell + 1]++;
	for (size_t i = 1; i <= cells; i++)
		next[i] += next[i - 1];
	for (size_t i = 0; i < lines; i++)
		work->line[i].place = next[work->line[i].cell]++;
	return 0;
}

static int make_lines(struct gw_order_workspace *work, struct gw_error *error)
{
	size_t lines = gw_lines(work->in->conf);

	work->line = gw_order_memory(work, GW_MEMORY_LINES, lines, sizeof(*work->line), error);
	if (!work->line)
		return -1;
	for (size_t i = 0; i < lines; i++)
		work->line[i] = line_of(work, i);
	return place_lines(work, lines, error);
}

int gw_order_tables(struct gw_order_workspace *work, struct gw_error *error)
{
	if (make_tiers(work, error) || make_kinds(work, error) || make_cells(work, error))
		return -1;
	return make_lines(work, error);
}

static int32_t pool_of_cell(const struct gw_order_workspace *work, size_t cell)
{
	return (int32_t)(cell / work->in->conf->flavor_count);
}

/* Tells the quota of all starts of a flavor. */
static void flush(struct gw_order_workspace *work, uint32_t flavor)
{
	for (size_t i = flavor; i < work->cell_count; i += work->in->conf->flavor_count) {
		struct gw_order_cell *cell = &work->cell[i];

		if (!cell->pending)
			continue;
		gw_quota_hold(work->in->quota, pool_of_cell(work, i), (int32_t)flavor,
			      cell->pending);
		cell->told += cell->pending;
		cell->pending = 0;
	}
}

bool gw_order_has_room(struct gw_order_workspace *work, size_t index, uint32_t gpus)
{
	struct gw_order_cell *cell = &work->cell[index];
	int32_t pool = pool_of_cell(work, index);
	int64_t taken = work->taken[cell->flavor];

	if (gpus <= cell->room - (taken - cell->room_at))
		return true;
	if (taken == cell->room_at)
		return false;
	flush(work, cell->flavor);
	cell->room = (int64_t)gw_quota_reach(work->in->quota, pool, (int32_t)cell->flavor) -
		     gw_quota_held(work->in->quota, pool, (int32_t)cell->flavor);
	cell->room_at = taken;
	return gpus <= cell->room;
}

static enum gw_order_state ask_exactly(struct gw_order_workspace *work, size_t index, uint32_t gpus,
				       int64_t limit)
{
	const struct gw_quota_ask ask = {.pool = pool_of_cell(work, index),
					 .flavor = (int32_t)work->cell[index].flavor,
					 .gpus = gpus,
					 .limit = limit};
	struct gw_quota_answer answer;

	flush(work, work->cell[index].flavor);
	answer = gw_quota_ask(work->in->quota, &ask);
	if (answer.why != GW_QUOTA_ALLOWED)
		return GW_ORDER_BLOCKED;
	return answer.borrow ? GW_ORDER_BORROWING : GW_ORDER_INSIDE;
}

/*
 * Where nodes decide: what quota forbids whatever ends. Peaks are asked about as much of the job
 * as could start now.
 */
static enum gw_order_state ask_beside_nodes(struct gw_order_workspace *work, size_t index,
					    uint32_t gpus, int64_t limit)
{
	const struct gw_order_cell *cell = &work->cell[index];
	bool borrows = cell->borrows && cell->used + gpus > cell->quota;
	int64_t now = gpus;

	if (gpus > cell->largest || (borrows && limit > cell->loan_time))
		return GW_ORDER_BLOCKED;
	if (cell->exact && !gw_order_has_room(work, index, gpus))
		now = cell->room;
	if (cell->exact && now > 0 &&
	    ask_exactly(work, index, (uint32_t)now, limit) == GW_ORDER_BLOCKED)
		return GW_ORDER_BLOCKED;
	return borrows ? GW_ORDER_BORROWING : GW_ORDER_INSIDE;
}

enum gw_order_state gw_order_ask_quota(struct gw_order_workspace *work, uint32_t index,
				       uint32_t gpus, int64_t limit)
{
	const struct gw_order_cell *cell = &work->cell[index];
	enum gw_order_state state = GW_ORDER_INSIDE;

	if (cell->closed)
		return GW_ORDER_BLOCKED;
	if (gpus && cell->quota >= 0 && cell->used + gpus > cell->quota)
		state = GW_ORDER_BORROWING;
	if (cell->free || !gpus)
		return state;
	if (cell->by_nodes)
		return ask_beside_nodes(work, index, gpus, limit);
	if (!gw_order_has_room(work, index, gpus))
		return GW_ORDER_BLOCKED;
	if (cell->exact)
		return ask_exactly(work, index, gpus, limit);
	return state == GW_ORDER_BORROWING && limit > cell->loan_time ? GW_ORDER_BLOCKED : state;
}

void gw_order_give_back(struct gw_order_workspace *work)
{
	for (size_t i = 0; i < work->cell_count; i++)
		if (work->cell[i].told)
			gw_quota_hold(work->in->quota, pool_of_cell(work, i),
				      (int32_t)work->cell[i].flavor, -work->cell[i].told);
}

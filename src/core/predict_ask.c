// SPDX-License-Identifier: GPL-2.0-or-later
/* Answers from the tables: the group of a job, and its survival on the grid. */
#include "predict_impl.h"

/* Where fewer than this part run so long, the tables say nothing of how long they go on. */
#define TAIL 0.02F

static const struct gw_group *find_group(const struct gw_predict_tables *tables,
					 const struct gw_predict_kind *kind, uint32_t level)
{
	uint32_t slot = gw_predict_hash(kind, level) & tables->slot_mask;

	for (; tables->slot[slot]; slot = (slot + 1) & tables->slot_mask) {
		const struct gw_group *group = &tables->group[tables->slot[slot] - 1];

		if (group->level == level && gw_predict_same(&group->kind, kind))
			return group;
	}
	return NULL;
}

static const struct gw_group *group_of(const struct gw_predict_tables *tables,
				       const struct gw_predict_kind *kind)
{
	for (enum gw_predict_level level = 0; tables->slot && level <= GW_PREDICT_BY_ALL; level++) {
		struct gw_predict_kind mask = gw_predict_mask(kind, level);
		const struct gw_group *group = find_group(tables, &mask, level);

		if (group)
			return group;
	}
	return NULL;
}

/* Steps up to a time; to be asked for rising times. */
struct walk {
	const struct gw_step *step;
	uint32_t left;
	float survival;
};

static float walk_to(struct walk *walk, float time)
{
	for (; walk->left && walk->step->time <= time; walk->step++, walk->left--)
		walk->survival = walk->step->survival;
	return walk->survival;
}

static void by_group(const struct gw_predict_tables *tables, const struct gw_group *group,
		     float elapsed, float grid[GW_GRID_POINTS])
{
	struct walk walk = {&tables->step[group->first], group->count, 1};
	float base = walk_to(&walk, elapsed);

	for (int i = 0; i < GW_GRID_POINTS; i++) {
		float time = gw_grid_time[i];

		grid[i] = base < TAIL ? elapsed / (elapsed + time)
				      : walk_to(&walk, elapsed + time) / base;
	}
}

/* Evenly from 1 to 1/2 at the limit. */
static void by_limit(float limit, float elapsed, float grid[GW_GRID_POINTS])
{
	float whole = 2 * limit - elapsed;

	for (int i = 0; i < GW_GRID_POINTS; i++) {
		float left = whole - gw_grid_time[i];

		grid[i] = left > limit ? left / whole : limit / whole;
	}
}

/* A job beyond its limit is one that is not ended by it. */
static void beyond_limit(float elapsed, float grid[GW_GRID_POINTS])
{
	for (int i = 0; i < GW_GRID_POINTS; i++)
		grid[i] = elapsed / (elapsed + gw_grid_time[i]);
}

enum gw_predict_level gw_predict_survival(const struct gw_predict *predict,
					  const struct gw_predict_kind *kind, int64_t elapsed,
					  float grid[GW_GRID_POINTS])
{
	const struct gw_group *group = group_of(&predict->tables, kind);
	float limit = (float)gw_predict_limit(kind), run = elapsed > 0 ? (float)elapsed : 0;
	float guess = limit > 0 ? limit : gw_grid_time[GW_GRID_POINTS - 1];

	if (run >= guess && (limit > 0 || !group)) {
		beyond_limit(run, grid);
		return GW_PREDICT_BY_NOTHING;
	}
	if (group)
		by_group(&predict->tables, group, run, grid);
	else
		by_limit(guess, run, grid);
	for (int i = 0; limit > 0 && i < GW_GRID_POINTS; i++)
		if (run + gw_grid_time[i] >= limit)
			grid[i] = 0;
	return group ? (enum gw_predict_level)group->level : GW_PREDICT_BY_NOTHING;
}

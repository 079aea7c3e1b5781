// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Times from now at which chances of run times are kept: 36 points, evenly spaced by logarithm
 * from one minute to 60 days. A grid is an array of that many floats, one a point.
 */
#ifndef GW_CORE_GRID_H
#define GW_CORE_GRID_H

#define GW_GRID_POINTS 36

/* Seconds from now of each point. */
extern const float gw_grid_time[GW_GRID_POINTS];

/*
 * Seconds that each point stands for, so that the sum of weight times value is the integral from
 * now to the last point of a value that grows from 0 at now, by the trapezoid rule.
 */
extern const float gw_grid_weight[GW_GRID_POINTS];

#endif

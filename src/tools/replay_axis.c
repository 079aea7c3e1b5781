// SPDX-License-Identifier: GPL-2.0-or-later
#include "replay_axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOUR 3600.0
#define DAY  86400.0

static double transformed(const struct gw_axis *axis, double value)
{
	if (axis->kind != GW_AXIS_WAIT)
		return value;
	return log(value > GW_WAIT_LEAST ? value : GW_WAIT_LEAST);
}

double gw_scale_at(const struct gw_scale *scale, double value)
{
	double from = transformed(scale->axis, scale->axis->from);
	double to = transformed(scale->axis, scale->axis->to);
	double part = to > from ? (transformed(scale->axis, value) - from) / (to - from) : 0;

	part = part < 0 ? 0 : part > 1 ? 1 : part;
	return scale->start + part * (scale->end - scale->start);
}

/* The least of 1, 2, 5 times a power of ten that is at least value. */
static double round_step(double value)
{
	double power = pow(10, floor(log10(value)));

	if (value <= power)
		return power;
	if (value <= 2 * power)
		return 2 * power;
	return value <= 5 * power ? 5 * power : 10 * power;
}

static double day_step(double value)
{
	static const double steps[] = {HOUR,    2 * HOUR, 6 * HOUR, 12 * HOUR, DAY,
				       2 * DAY, 5 * DAY,  7 * DAY,  14 * DAY,  28 * DAY};

	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++)
		if (value <= steps[i])
			return steps[i];
	return DAY * round_step(value / DAY);
}

double gw_axis_round_up(enum gw_axis_kind kind, double value)
{
	double step;

	if (kind == GW_AXIS_WAIT)
		return value > 2 * HOUR ? value : 2 * HOUR;
	if (value <= 0)
		return 1;
	step = round_step(value / 5);
	return step * ceil(value / step - 1e-9);
}

static size_t linear_ticks(const struct gw_scale *scale, double room,
			   struct gw_tick ticks[GW_TICKS_MAX])
{
	const struct gw_axis *axis = scale->axis;
	double span = axis->to - axis->from, fit = fabs(scale->end - scale->start) / room;
	double step = span / fmin(fmax(fit, 1), GW_TICKS_MAX - 2);
	bool days = axis->kind == GW_AXIS_DAYS;
	size_t count = 0;

	if (!(span > 0))
		return 0;
	step = days ? day_step(step) : round_step(step);
	for (double at = axis->from; at <= axis->to + step / 1000 && count < GW_TICKS_MAX;
	     at += step) {
		double unit = !days ? 1 : step < DAY ? HOUR : DAY;

		ticks[count].at = at;
		snprintf(ticks[count].text, sizeof(ticks[count].text), "%.6g",
			 (at - (days ? axis->from : 0)) / unit);
		count++;
	}
	return count;
}

static size_t wait_ticks(const struct gw_scale *scale, double room,
			 struct gw_tick ticks[GW_TICKS_MAX])
{
	static const struct gw_tick usual[] = {
		{60, "1 min"},      {10 * 60, "10 min"}, {HOUR, "1 h"},
		{4 * HOUR, "4 h"},  {DAY, "1 d"},        {4 * DAY, "4 d"},
		{14 * DAY, "14 d"}, {60 * DAY, "60 d"},  {365 * DAY, "1 year"},
	};
	size_t count = 0;

	for (size_t i = 0; i < sizeof(usual) / sizeof(usual[0]); i++) {
		double at = usual[i].at;

		if (at < scale->axis->from || at > scale->axis->to)
			continue;
		if (count &&
		    fabs(gw_scale_at(scale, at) - gw_scale_at(scale, ticks[count - 1].at)) < room)
			continue;
		ticks[count++] = usual[i];
	}
	return count;
}

size_t gw_axis_ticks(const struct gw_scale *scale, double room, struct gw_tick ticks[GW_TICKS_MAX])
{
	if (scale->axis->kind == GW_AXIS_WAIT)
		return wait_ticks(scale, room, ticks);
	return linear_ticks(scale, room, ticks);
}

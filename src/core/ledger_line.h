// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A line: one queue and one flavor, the unit in which usage is kept, so that the GPU usage of a
 * queue never ranks its CPU jobs. Arrays by line, as ledger and order share them, have
 * gw_lines() elements.
 */
#ifndef GW_CORE_LEDGER_LINE_H
#define GW_CORE_LEDGER_LINE_H

#include "conf.h"
#include "job.h"

/* Every queue has one line more than there are flavors: its jobs without GPUs. */
static inline size_t gw_lines(const struct gw_conf *conf)
{
	return conf->queue_count * (conf->flavor_count + 1);
}

/* Flavor GW_INDEX_NONE: the line without GPUs. GW_NO_INDEX when an index is out of range. */
static inline size_t gw_line(const struct gw_conf *conf, int32_t queue, int32_t flavor)
{
	size_t column = flavor == GW_INDEX_NONE ? conf->flavor_count : (size_t)flavor;

	if (queue < 0 || (size_t)queue >= conf->queue_count || flavor < GW_INDEX_NONE ||
	    (flavor >= 0 && column >= conf->flavor_count))
		return GW_NO_INDEX;
	return (size_t)queue * (conf->flavor_count + 1) + column;
}

#endif

// SPDX-License-Identifier: GPL-2.0-or-later
/* Which cores jobs have now, by Slurm's own records of partitions. */
#ifndef GW_CORES_IN_USE_H
#define GW_CORES_IN_USE_H

#include "plugins/common/compat/compat.h"

/*
 * How many cores of node number index some job has, in any of these partitions and in any row of
 * theirs. Those of a job that has just ended may still be counted.
 */
uint32_t gw_cores_in_use(const part_res_record_t *parts, uint32_t index);

#endif

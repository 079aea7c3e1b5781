// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A job's place as Slurm's priority number. priority/multifactor adds up its factors, the
 * job's site factor and its nice; the site factor is set so that the sum is the number
 * wanted. multifactor's own later recalculations give the same number but for the drift of
 * its factors, which the gaps between our numbers absorb.
 */
#ifndef GW_NUMBER_H
#define GW_NUMBER_H

#include "plugins/common/compat/compat.h"

#include "plugins/common/export.h"

/* multifactor's priority_p_set() for this job, whose own site factor it uses. */
typedef uint32_t gw_stock_priority(job_record_t *job);

/*
 * Gives the job number (at least 1) and returns what multifactor made of it: number, or the
 * nearest it can reach. The caller holds the job write lock.
 */
GW_EXPORT uint32_t gw_number_set(job_record_t *job, uint32_t number, gw_stock_priority *stock);

#endif

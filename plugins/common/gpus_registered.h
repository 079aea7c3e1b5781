// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Nodes whose GPUs slurmctld does not know yet. After slurmctld starts, a node that is idle
 * by its saved state is offered to jobs before its slurmd has registered; stock then starts
 * a GPU job there with no GPU at all (GRES=gpu:h100:0): 22.05.8 always, 24.11.5 when the saved
 * node state is lost (tests/issues/zero-gpu-start.sh).
 */
#ifndef GW_GPUS_REGISTERED_H
#define GW_GPUS_REGISTERED_H

#include "plugins/common/placement.h"

/* Whether a node's GPUs are known; asked of every candidate, so no call. */
static inline bool gw_gpus_are_known(const gres_node_state_t *gpus)
{
	return gpus->gres_cnt_found != NO_VAL64 || gpus->topo_cnt;
}

/*
 * Whether the GPUs of this record of a node's, which the job asks for, have not registered. Never
 * for nodes under power saving: those register only because a job starts on them.
 */
bool gw_gpus_must_wait(const sock_gres_t *gres, const node_record_t *node);

/*
 * Takes the nodes whose GPUs the job asks for and that have not registered them out of the
 * question. Where placement is only observed it counts and logs them.
 */
void gw_withhold_unregistered(struct gw_placement *question);

#endif

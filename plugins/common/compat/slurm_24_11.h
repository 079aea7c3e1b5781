/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm 24.11: what differs from the other generations. Include compat.h, not this. */
#ifndef GW_COMPAT_SLURM_24_11_H
#define GW_COMPAT_SLURM_24_11_H

#include "src/common/node_conf.h"
#include "src/interfaces/gres.h"
#include "src/interfaces/select.h"
#include "src/interfaces/topology.h"
#include "src/plugins/select/cons_tres/node_data.h"
#include "src/plugins/select/cons_tres/part_data.h"
#include "src/plugins/topology/block/block_record.h"
#include "src/plugins/topology/tree/switch_record.h"

#define GW_SELECT_TABLE   "plugins/select/forward_24_11.h"
#define GW_PRIORITY_TABLE "plugins/priority/forward_24_11.h"
#define GW_TOPOLOGY_TABLE "plugins/topology/forward_24_11.h"

/* The placement hook is topology_p_eval_nodes. */
#define GW_HAS_TOPOLOGY_HOOK 1

/* topology/block is one of the topology plugins. */
#define GW_HAS_BLOCKS 1

/* slurmctld executes itself anew on a reconfigure. */
#define GW_RECONFIGURE_RESTARTS 1

#define GW_JOB_MODIFY_PARAMS                                                                       \
	job_desc_msg_t *job_desc, job_record_t *job, uint32_t submit_uid, char **err_msg
#define GW_JOB_MODIFY_ERR_MSG err_msg

/* What select_p_job_test() takes after the list of preempted jobs. */
#define GW_JOB_TEST_LAST_PARAMS resv_exc_t *reserved, will_run_data_t *will_run
#define GW_JOB_TEST_LAST_FIELDS                                                                    \
	resv_exc_t *reserved;                                                                      \
	will_run_data_t *will_run;
#define GW_JOB_TEST_LAST_ARGS(of) of reserved, of will_run
/* It asks about a time behind now. The start found may be said to be before. */
#define GW_JOB_TEST_OF_LATER(now) (will_run && will_run->start > (now))

/* Shared GRES (mps, shard) of the same devices. */
#define GW_GRES_SHARED(state) ((state)->alt_gres)

/* RestrictedCoresPerGPU= of a node: some cores are for jobs with GPUs alone. */
#define GW_RESTRICTS_CORES(node) ((node)->res_cores_per_gpu != 0)

/* --exclusive. */
#define GW_WHOLE_NODES(details) (((details)->whole_node & WHOLE_NODE_REQUIRED) != 0)

/* --segment. */
#define GW_JOB_HAS_SEGMENTS(job) ((job)->details->segment_size != 0)

typedef list_t *gw_list_t;
typedef job_details_t gw_job_details_t;

/* How many priorities a job of several partitions has, times its QOS, and where. */
#define GW_PRIORITY_ARRAY(job) ((job)->part_prio ? (job)->part_prio->priority_array : NULL)
#define GW_PRIORITY_COUNT(job)                                                                     \
	(((job)->part_ptr_list ? list_count((job)->part_ptr_list) : 1) *                           \
	 ((job)->qos_list ? list_count((job)->qos_list) : 1))

#endif

/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm 22.05: what differs from the other generations. Include compat.h, not this. */
#ifndef GW_COMPAT_SLURM_22_05_H
#define GW_COMPAT_SLURM_22_05_H

#include "src/common/gres.h"
#include "src/common/node_conf.h"
#include "src/common/select.h"
#include "src/common/slurm_topology.h"
#include "src/plugins/select/cons_common/cons_common.h"

#define GW_SELECT_TABLE   "plugins/select/forward_22_05.h"
#define GW_PRIORITY_TABLE "plugins/priority/forward_22_05.h"

/* The placement hook is choose_nodes of cons_tres: topology plugins take no part in it. */
#define GW_HAS_TOPOLOGY_HOOK 0

/* topology/block came later. */
#define GW_HAS_BLOCKS 0

/* A reconfigure happens inside the running process. */
#define GW_RECONFIGURE_RESTARTS 0

/* job_modify() has no place for a message to the user yet. */
#define GW_JOB_MODIFY_PARAMS  job_desc_msg_t *job_desc, job_record_t *job, uint32_t submit_uid
#define GW_JOB_MODIFY_ERR_MSG NULL

/* What select_p_job_test() takes after the list of preempted jobs. */
#define GW_JOB_TEST_LAST_PARAMS   bitstr_t *excluded_cores
#define GW_JOB_TEST_LAST_FIELDS   bitstr_t *excluded_cores;
#define GW_JOB_TEST_LAST_ARGS(of) of excluded_cores
/* None asks about a time behind now. */
#define GW_JOB_TEST_OF_LATER(now) ((void)(now), false)

/* Shared GRES (mps, shard) of the same devices. */
#define GW_GRES_SHARED(state) ((state)->alt_gres_ns)

/* RestrictedCoresPerGPU= came later. */
#define GW_RESTRICTS_CORES(node) ((void)(node), false)

/* --exclusive; the values for users and MCS labels share its bit here. */
#define GW_WHOLE_NODES(details) ((details)->whole_node == WHOLE_NODE_REQUIRED)

/* --segment came later. */
#define GW_JOB_HAS_SEGMENTS(job) ((void)(job), false)

typedef List gw_list_t;
typedef struct job_details gw_job_details_t;

/* How many priorities a job of several partitions has, and where. */
#define GW_PRIORITY_ARRAY(job) ((job)->priority_array)
#define GW_PRIORITY_COUNT(job) ((job)->part_ptr_list ? list_count((job)->part_ptr_list) : 0)

#endif

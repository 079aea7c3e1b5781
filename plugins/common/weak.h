// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Slurm's data the plugins read. Data binds when an object is opened, also in programs
 * that lack it (srun has no node table), so each is declared weak here, and only here.
 */
#ifndef GW_WEAK_H
#define GW_WEAK_H

#include "plugins/common/compat/compat.h"

extern slurm_conf_t slurm_conf __attribute__((weak));
extern node_record_t **node_record_table_ptr __attribute__((weak));
extern int node_record_count __attribute__((weak));
extern bitstr_t *avail_node_bitmap __attribute__((weak));
extern bitstr_t *share_node_bitmap __attribute__((weak));
extern char *default_part_name __attribute__((weak));
extern part_record_t *default_part_loc __attribute__((weak));
extern gw_list_t assoc_mgr_qos_list __attribute__((weak));
extern slurmdb_tres_rec_t **assoc_mgr_tres_array __attribute__((weak));
extern gw_list_t job_list __attribute__((weak));
extern slurmctld_config_t slurmctld_config __attribute__((weak));
extern time_t last_job_update __attribute__((weak));
#if !GW_HAS_TOPOLOGY_HOOK
extern switch_record_t *switch_record_table __attribute__((weak));
extern int switch_record_cnt __attribute__((weak));
#endif

#endif

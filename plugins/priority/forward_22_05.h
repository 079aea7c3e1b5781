/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The priority interface of Slurm 22.05, a row a function: GW_FORWARD is passed on to the
 * stock plugin as it is, GW_HOOKED is written out by our plugin, which calls stock_NAME().
 * make check holds the rows against syms[] and the stock definitions in Slurm's source.
 */
/* clang-format off */
GW_HOOKED(uint32_t, priority_p_set, (uint32_t last_prio, job_record_t *job), (last_prio, job))
GW_HOOKED(void, priority_p_reconfig, (bool assoc_clear), (assoc_clear))
GW_FORWARD(void, priority_p_set_assoc_usage, (slurmdb_assoc_rec_t *assoc), (assoc))
GW_FORWARD(double, priority_p_calc_fs_factor, (long double usage_efctv, long double shares_norm), (usage_efctv, shares_norm))
GW_FORWARD(List, priority_p_get_priority_factors_list, (priority_factors_request_msg_t *request, uid_t uid), (request, uid))
GW_FORWARD(void, priority_p_job_end, (job_record_t *job), (job))

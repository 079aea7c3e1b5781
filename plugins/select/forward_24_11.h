/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The select interface of Slurm 24.11, a row a function: GW_FORWARD is passed on to the
 * stock plugin as it is, GW_HOOKED is written out by our plugin, which calls stock_NAME().
 * make check holds the rows against syms[] and the stock definitions in Slurm's source.
 */
/* clang-format off */
GW_FORWARD(int, select_p_state_save, (char *dir_name), (dir_name))
GW_FORWARD(int, select_p_state_restore, (char *dir_name), (dir_name))
GW_FORWARD(int, select_p_job_init, (list_t *jobs), (jobs))
GW_HOOKED(int, select_p_node_init, (void), ())
GW_HOOKED(int, select_p_job_test, (job_record_t *job, bitstr_t *nodes, uint32_t min_nodes, uint32_t max_nodes, uint32_t req_nodes, uint16_t mode, list_t *preemptable, list_t **preempted, resv_exc_t *reserved, will_run_data_t *will_run), (job, nodes, min_nodes, max_nodes, req_nodes, mode, preemptable, preempted, reserved, will_run))
GW_HOOKED(int, select_p_job_begin, (job_record_t *job), (job))
GW_FORWARD(int, select_p_job_ready, (job_record_t *job), (job))
GW_FORWARD(int, select_p_job_expand, (job_record_t *from, job_record_t *to), (from, to))
GW_FORWARD(int, select_p_job_resized, (job_record_t *job, node_record_t *node), (job, node))
GW_HOOKED(int, select_p_job_fini, (job_record_t *job), (job))
GW_FORWARD(int, select_p_job_suspend, (job_record_t *job, bool indefinite), (job, indefinite))
GW_FORWARD(int, select_p_job_resume, (job_record_t *job, bool indefinite), (job, indefinite))
GW_FORWARD(bitstr_t *, select_p_step_pick_nodes, (job_record_t *job, select_jobinfo_t *info, uint32_t node_count, bitstr_t **avail_nodes), (job, info, node_count, avail_nodes))
GW_FORWARD(int, select_p_step_start, (step_record_t *step), (step))
GW_FORWARD(int, select_p_step_finish, (step_record_t *step, bool killing), (step, killing))
GW_FORWARD(int, select_p_select_nodeinfo_pack, (select_nodeinfo_t *info, buf_t *buffer, uint16_t protocol), (info, buffer, protocol))
GW_FORWARD(int, select_p_select_nodeinfo_unpack, (select_nodeinfo_t **info, buf_t *buffer, uint16_t protocol), (info, buffer, protocol))
GW_FORWARD(select_nodeinfo_t *, select_p_select_nodeinfo_alloc, (void), ())
GW_FORWARD(int, select_p_select_nodeinfo_free, (select_nodeinfo_t *info), (info))
GW_FORWARD(int, select_p_select_nodeinfo_set_all, (void), ())
GW_FORWARD(int, select_p_select_nodeinfo_set, (job_record_t *job), (job))
GW_FORWARD(int, select_p_select_nodeinfo_get, (select_nodeinfo_t *info, enum select_nodedata_type what, enum node_states state, void *data), (info, what, state, data))
GW_FORWARD(int, select_p_select_jobinfo_alloc, (void), ())
GW_FORWARD(int, select_p_select_jobinfo_free, (select_jobinfo_t *info), (info))
GW_FORWARD(int, select_p_select_jobinfo_set, (select_jobinfo_t *info, enum select_jobdata_type what, void *data), (info, what, data))
GW_FORWARD(int, select_p_select_jobinfo_get, (select_jobinfo_t *info, enum select_jobdata_type what, void *data), (info, what, data))
GW_FORWARD(select_jobinfo_t *, select_p_select_jobinfo_copy, (select_jobinfo_t *info), (info))
GW_FORWARD(int, select_p_select_jobinfo_pack, (select_jobinfo_t *info, buf_t *buffer, uint16_t protocol), (info, buffer, protocol))
GW_FORWARD(int, select_p_select_jobinfo_unpack, (select_jobinfo_t *info, buf_t *buffer, uint16_t protocol), (info, buffer, protocol))
GW_FORWARD(int, select_p_get_info_from_plugin, (enum select_plugindata_info what, job_record_t *job, void *data), (what, job, data))
GW_HOOKED(int, select_p_reconfigure, (void), ())

/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The topology interface of Slurm 24.11, a row a function: GW_FORWARD is passed on to the
 * stock plugin as it is, GW_HOOKED is written out by our plugin, which calls stock_NAME().
 * make check holds the rows against syms[] and the stock definitions in Slurm's source.
 */
/* clang-format off */
GW_FORWARD(int, topology_p_build_config, (void), ())
GW_HOOKED(int, topology_p_eval_nodes, (topology_eval_t *ask), (ask))
GW_FORWARD(int, topology_p_whole_topo, (bitstr_t *nodes), (nodes))
GW_FORWARD(bitstr_t *, topology_p_get_bitmap, (char *name), (name))
GW_FORWARD(bool, topology_p_generate_node_ranking, (void), ())
GW_FORWARD(int, topology_p_get_node_addr, (char *node, char **addr, char **pattern), (node, addr, pattern))
GW_FORWARD(int, topology_p_split_hostlist, (hostlist_t *hosts, hostlist_t ***parts, int *count, uint16_t width), (hosts, parts, count, width))
GW_FORWARD(int, topology_p_topology_free, (void *info), (info))
GW_FORWARD(int, topology_p_get, (topology_data_t what, void *data), (what, data))
GW_FORWARD(int, topology_p_topology_pack, (void *info, buf_t *buffer, uint16_t protocol), (info, buffer, protocol))
GW_FORWARD(int, topology_p_topology_print, (void *info, char *nodes, char **out), (info, nodes, out))
GW_FORWARD(int, topology_p_topology_unpack, (void **info, buf_t *buffer, uint16_t protocol), (info, buffer, protocol))
GW_FORWARD(uint32_t, topology_p_get_fragmentation, (bitstr_t *nodes), (nodes))

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Stock's own complaints about what it is asked for.
STOCK_ERRORS='b_min > nboards_nb|gres_min_cpus=[0-9]+ is greater than avail_cpus|_set_sock_bits: Inconsistent requested/allocated socket count|_set_(sock|task)_bits: Insufficient gres/gpu|sync loop not progressing|_set_job_bits1: job [0-9]+ failed to find any available GRES|_build_tasks_per_node_sock: rem_tasks not zero'
# Of a job that stock itself started with too few GPUs.
STOCK_SHORT='_set_(sock|task)_bits: Insufficient gres/gpu'

is_short() {
	grep -qE "$STOCK_SHORT" "${CLUSTER[$1]}/log/slurmctld.log"
}

# unchecked_if_short NAME: then what jobs held is not checked at the end.
unchecked_if_short() {
	! is_short "$1" || cluster_unchecked "$1" "stock by itself started a job with too few GPUs"
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of queues without GPUs stay off nodes with GPUs while others are free, though Slurm lists
# those first; when no other is free they start there all the same.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

nodes_of_job() {
	job_field c "$1" NodeList
}

policy_lines 64 >"$WORK/conf"
cluster_up c --nodes 2 --cores 8 --node-spec 'NodeName=z0 CoresPerSocket=8 Gres=' --conf "$WORK/conf"
for cpus in 1 8 7; do
	expect "a job of $cpus CPUs" z0 "$(nodes_of_job "$(run c alice -n1 -c "$cpus")")"
done
expect "z0 is full" n "$(nodes_of_job "$(run c alice -n1 -c 8)" | tr -d 01)"
note "three on z0, the fourth on a node with GPUs"

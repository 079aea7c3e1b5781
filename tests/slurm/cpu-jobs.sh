#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs of queues without GPUs stay off nodes with GPUs while others are free, though Slurm lists
# those first; when no other is free they start there all the same. Weight= of slurm.conf comes before
# that, and before packing: a job goes to a node of lower weight though another would fit it exactly.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

nodes_of_job() {
	job_field c "$1" NodeList
}

policy_lines 64 >"$WORK/conf"
cluster_up c --nodes 2 --cores 8 --node-spec 'NodeName=z0 CoresPerSocket=8 Gres=' \
	--node-spec 'NodeName=w0 CoresPerSocket=8 Gres=gpu:h100:8 Weight=5' \
	--node-spec 'NodeName=w1 CoresPerSocket=8 Gres= Weight=5' --speed 20 --conf "$WORK/conf"
for cpus in 1 8 7; do
	expect "a job of $cpus CPUs" z0 "$(nodes_of_job "$(run c alice -n1 -c "$cpus")")"
done
expect "z0 is full, and w1 is heavier" n "$(nodes_of_job "$(run c alice -n1 -c 8)" | tr -d 01)"
note "three on z0, the fourth on a node with GPUs"

end_jobs c

# w0 has two jobs and room for one GPU, n1 one job.
run c alice -w w0 --gres=gpu:4 >/dev/null
run c alice -w w0 --gres=gpu:3 >/dev/null
run c alice -w n1 --gres=gpu:1 >/dev/null
id=$(run c bob --gres=gpu:1)
expect "a GPU while w0 is heavier" n1 "$(nodes_of_job "$id")"
on c scancel "$id"
wait_for 30 "job $id to end" jobs_settled c
on c scontrol update NodeName=w0 Weight=1
expect "a GPU while w0 is not" w0 "$(nodes_of_job "$(run c bob --gres=gpu:1)")"

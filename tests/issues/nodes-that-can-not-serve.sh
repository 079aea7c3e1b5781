#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A node that looks as if it had room, and has not, must not be what is preferred: then no preference
# is left, and jobs go where stock puts them. With memory by CPU a node has few CPUs once its
# memory is short; with one task a core, half as many as threads. A job without GPUs of
# so many tasks a node strands no GPU: what stock leaves it of a node is not all that is free.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

policy_lines 64 >"$WORK/conf"
echo SelectTypeParameters=CR_Core_Memory >"$WORK/slurm.conf"
# n1 stays idle: what is to go to n2 would be there if stock chose.
cluster_up c --nodes 0 --conf "$WORK/conf" --slurm-conf "$WORK/slurm.conf" --speed 20 \
	--node-spec 'NodeName=n[0-2] CoresPerSocket=8 ThreadsPerCore=2 RealMemory=64000'

# goes_to NODE SBATCH_OPTION...
goes_to() {
	local node=$1 id
	shift
	[[ $* == *--mem-per-cpu* ]] || set -- "$@" --mem=1G
	id=$(run c bob "$@")
	expect "$*" "$node" "$(job_field c "$id" NodeList)"
	on c scancel "$id"
	wait_for 30 "job $id to end" job_gone "$id"
}

job_gone() {
	[[ -z $(on c squeue -h -j "$1" 2>/dev/null) ]]
}

# Two GPUs and 14 of 64 GB are left of n0, four and nearly all memory of n2.
run c alice -w n0 --gres=gpu:6 --mem=50G >/dev/null
run c alice -w n2 --gres=gpu:4 --mem=1G >/dev/null
goes_to n0 --gres=gpu:2
goes_to n0 --gres=gpu:2 --cpus-per-gpu=2 --mem-per-cpu=3G
goes_to n2 --gres=gpu:2 --cpus-per-gpu=2 --mem-per-cpu=5G
goes_to n2 --gpus=2 --cpus-per-gpu=2 --mem-per-cpu=5G
goes_to n2 -N1 -n4 --gpus-per-node=2 --mem-per-cpu=5G
end_jobs c

# Four cores, 8 threads, are left of n0, fourteen of n2.
run c alice -w n0 --gres=gpu:6 --mem=1G -c24 >/dev/null
run c alice -w n2 --gres=gpu:4 --mem=1G -c4 >/dev/null
goes_to n0 --gres=gpu:2 --cpus-per-gpu=3
# 22.05 by itself gives such jobs too few cores, and holds them.
if [[ $SLURM_VERSION != 22.05* ]]; then
	goes_to n0 --gres=gpu:2 --cpus-per-gpu=2 --hint=nomultithread
	goes_to n2 --gres=gpu:2 --cpus-per-gpu=3 --hint=nomultithread
	goes_to n2 --gpus=2 --cpus-per-gpu=3 --threads-per-core=1
fi
end_jobs c

# Seven GPUs with 8 CPUs are left of n0, and 12 CPUs without a GPU of n2.
run c alice -w n0 --gres=gpu:1 --mem=1G -c24 >/dev/null
run c alice -w n2 --gres=gpu:8 --mem=1G -c20 >/dev/null
goes_to n2 -N1 -n8
goes_to n2 -N1 -n8 --ntasks-per-node=8
goes_to n2 -N1 -n4 --ntasks-per-node=4 -c2
goes_to n2 -N1 -n2 -c3
end_jobs c

# No preference was in vain.
status_fresh c
expect "preferences followed" "$(status_value c Hook=placement Preferences)" "$(status_value c Hook=placement Applied)"

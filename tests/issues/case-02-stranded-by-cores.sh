#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# GPUs without a core beside them are lost. n1 has 8 GPUs and 16 CPUs, n2 8 GPUs and 32
# CPUs: a job of 12 CPUs and one GPU goes to n2, whatever its spelling, so that fifteen of one
# CPU and one GPU find room, and all sixteen run.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# Both take jobs: under the fast clock a busy machine may let a ping to one be late.
both_idle() {
	[[ $(on both sinfo -h -N -o %T | sort | uniq -c | tr -s ' ') == ' 2 idle' ]]
}

# sixteen OPTION...: of the first job.
sixteen() {
	local id
	wait_for 30 "two idle nodes" both_idle
	id=$(run both alice "$@")
	expect "$*: node" n2 "$(node_of both "$id")"
	if [[ $ORDER == array ]]; then
		submit both bob -c1 --gres=gpu:1 --array=1-15 >/dev/null
	else
		# shellcheck disable=SC2034 # a count
		for id in {1..15}; do submit both bob -c1 --gres=gpu:1 >/dev/null; done
	fi
	wait_for 20 "$*: all sixteen" running_count both 16
	end_jobs both
	note "$*: sixteen run"
}

# Gangway knows of all sixteen.
sixteen_in_view() {
	[[ $(sed -n 's/^Queue=.* Pending=\([0-9]*\) .*/\1/p' "${CLUSTER[both]}/state/gangway/view" |
		awk '{ sum += $1 } END { print sum + 0 }') == 16 ]]
}

# The other way round: the large one is the last to come, and waits when the fifteen are placed.
# Had they started before it came, nothing would tell that it needs room beside them.
fifteen_first() {
	on both scontrol update PartitionName=main State=DOWN
	submit both bob -c1 --gres=gpu:1 --array=1-15 >/dev/null
	submit both alice -c12 --gres=gpu:1 >/dev/null
	wait_for 20 "sixteen in the view" sixteen_in_view
	on both scontrol update PartitionName=main State=UP
	wait_for 20 "the large one after fifteen" running_count both 16
	end_jobs both
	note "the large one last: sixteen run"
}

policy_lines 16 >"$WORK/conf"
cluster_up both --nodes 0 --speed 20 --conf "$WORK/conf" \
	--node-spec 'NodeName=n1 Sockets=2 CoresPerSocket=8' \
	--node-spec 'NodeName=n2 Sockets=2 CoresPerSocket=16'
ORDER=single
sixteen -c12 --gres=gpu:1
ORDER=array
sixteen -c12 --gpus=1
sixteen -n12 -N1 --gres=gpu:1
sixteen -n1 --gpus-per-task=1 -c12
sixteen --gpus=1 --cpus-per-gpu=12
sixteen -n12 --gpus=1
sixteen -n2 -c6 --gpus=1
fifteen_first

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Eight idle GPUs as 1+1+4+2 on four nodes are no eight GPUs on a node: such a job waits, and
# gangway why says just that. A job of eight GPUs that does not say how many nodes may be
# spread, as Slurm's own rule is: it takes the eight that are idle, and one node where one has
# them. What no nodes ever hold is refused at once and told what would fit.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# break_nodes: leaves 1, 1, 4 and 2 GPUs idle.
break_nodes() {
	local node=0 busy
	for busy in 7 7 4 6; do
		run four alice -w "n$((node++))" --gres=gpu:"$busy" >/dev/null
	done
}

# why JOB KEY: that line of gangway why.
why() {
	on four gangway why "$1" | sed -n "s/^$2 *//p" | head -n 1
}

reason_is() {
	[[ $(why "$1" reason) == "$2" ]]
}

# slurm_says JOB REASON
slurm_says() {
	[[ $(job_field four "$1" Reason) == "$2" ]]
}

# one_node OPTION...: waits for the shape, and says so.
one_node() {
	local id line='unavailable: topology: 8 h100 on a node are needed; 8 are free, at most 4 on one'
	id=$(submit four bob "$@")
	wait_for 20 "$*: '$line' of gangway why" reason_is "$id" "$line"
	# Gangway knows before the scheduler has looked at the job.
	wait_for 20 "$*: Slurm's reason" slurm_says "$id" Resources
	expect "$*: placement" '8 h100 are free, at most 4 on one node; no nodes for it now' "$(why "$id" placement)"
	expect "$*: state" PENDING "$(job_field four "$id" JobState)"
	on four scancel "$id"
	note "$*: waits for a whole node"
}

# refused TEXT OPTION...
refused() {
	local text=$1
	shift
	expect "$*: the answer" "sbatch: error: GW007: $text
sbatch: error: Batch job submission failed: Requested node configuration is not available" "$(refusal four bob "$@")"
}

policy_lines 32 >"$WORK/conf"
cluster_up four --nodes 4 --cores 8 --speed 20 --conf "$WORK/conf"

too_many='GPUs never fit the nodes asked for: a node has 8 h100: submit with'
refused "16 $too_many -N2 --gpus-per-node=8" -N1 --gpus=16
refused "16 $too_many -N2 --gpus-per-node=8" -N1 --gres=gpu:16
refused "16 $too_many -N2 --gpus-per-node=8" -N1-1 -n1 --gpus-per-task=16
refused "12 $too_many -N2 --gpus-per-node=6" -N1 --gpus=h100:12
refused "24 $too_many -N3 --gpus-per-node=8" -N2 --gpus=24
refused '40 GPUs on 5 nodes never fit: there are 4 nodes of 8 h100: submit with at most -N4 --gpus-per-node=8' \
	-N5 --gpus-per-node=8

spread=$(run four carol --gpus=8)
expect "--gpus=8 on idle nodes" 1 "$(job_field four "$spread" NumNodes)"
end_jobs four

break_nodes
one_node -N1 --gres=gpu:8
one_node --gres=gpu:8
one_node -N1 --gpus=8
one_node -n1 --gpus-per-task=8
spread=$(run four carol --gpus=8)
expect "--gpus=8 on broken nodes" 'n[0-1]:7 n2:4-7 n3:6-7' "$(where four "$spread")"
note "--gpus=8: takes what is idle on four nodes"

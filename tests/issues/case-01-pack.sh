#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Small jobs fill broken nodes, so that whole nodes stay whole. Two nodes of four GPUs take
# jobs of 1, 2 and 2 in any order on "two share a node, the third has the other"; four nodes
# of eight keep three of them free under eight 1-GPU jobs, in whatever order and manner those
# come, and three 8-GPU jobs then start at once.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# GPUs taken on each node by running jobs, "5 -" in the order of the nodes.
taken() {
	on "$1" scontrol show node -o |
		sed -E 's/.* AllocTRES=([^ ]*) .*/\1/; s/.*gres\/gpu=([0-9]+).*/\1/; s/^[^0-9].*$/-/; s/^$/-/' | paste -sd ' '
}

# pairs JOB_SIZES: three jobs, each submitted when the one before runs.
pairs() {
	local size
	local -a ids=()
	for size; do
		ids+=("$(run two alice --gres=gpu:"$size")")
	done
	expect "sizes $*: nodes of the first two" "$(node_of two "${ids[0]}")" "$(node_of two "${ids[1]}")"
	[[ $(node_of two "${ids[2]}") != "$(node_of two "${ids[0]}")" ]] ||
		fail "sizes $*: the third shares the node of the first two"
	end_jobs two
}

# The three 8-GPU jobs come while the eight small ones run.
whole_nodes() {
	local how=$1 id
	local -a ids=()
	expect "$how: nodes the eight share" 1 "$(on four squeue -h -t R -o %N | sort -u | wc -l)"
	for id in 1 2 3; do
		ids+=("$(submit four bob --gres=gpu:8)")
	done
	wait_for 15 "$how: three 8-GPU jobs at once" all_are four RUNNING "${ids[@]}"
	expect "$how: GPUs taken" '8 8 8 8' "$(taken four)"
	end_jobs four
	note "$how: packed"
}

one_by_one() {
	local i
	for i in 1 2 3 4 5 6 7 8; do
		run four alice --gres=gpu:1 -t "$((i * 7 % 5 + 1)):00:00" >/dev/null
	done
	whole_nodes "one by one"
}

# Eight come at once, of three teams, in every spelling and with more or fewer cores.
at_once() {
	local i
	local -a users=(alice bob carol) spellings=(--gres=gpu:1 --gpus=1 '-N1 --gpus-per-node=1' '-n1 --gpus-per-task=1')
	for i in 0 1 2 3 4 5 6 7; do
		# shellcheck disable=SC2086 # options are words
		submit four "${users[i % 3]}" ${spellings[i % 4]} -c "$((i % 2 + 1))" >/dev/null
	done
	wait_for 20 "eight 1-GPU jobs" running_count four 8
	whole_nodes "at once"
}

as_array() {
	submit four alice --gres=gpu:1 --array=1-8 >/dev/null
	wait_for 20 "eight array tasks" running_count four 8
	whole_nodes "an array"
}

# Held jobs released last first.
backwards() {
	local i
	local -a ids=()
	for i in 1 2 3 4 5 6 7 8; do
		ids=("$(submit four alice -H --gres=gpu:1)" "${ids[@]}")
	done
	on four scontrol release "${ids[@]}"
	wait_for 20 "eight released jobs" running_count four 8
	whole_nodes "released backwards"
}

# Ends leave two nodes broken; what comes fills them before a whole node.
into_holes() {
	local i first second
	first=$(run four alice --gres=gpu:4)
	second=$(run four alice --gres=gpu:5)
	[[ $(node_of four "$first") != "$(node_of four "$second")" ]] || fail "nine GPUs on one node"
	for i in 1 2 3 4 5 6 7; do
		run four carol --gres=gpu:1 >/dev/null
	done
	expect "GPUs taken after the holes are filled" '- - 8 8' "$(taken four | tr ' ' '\n' | sort | paste -sd ' ')"
	end_jobs four
	note "holes: filled"
}

policy_lines 32 >"$WORK/conf"
cluster_up two --nodes 2 --gpus 4 --cores 8 --speed 20 --conf "$WORK/conf"
pairs 1 2 2
pairs 2 1 2
pairs 2 2 1
cluster_down two
cluster_up four --nodes 4 --cores 8 --speed 20 --conf "$WORK/conf"
one_by_one
at_once
as_array
backwards
into_holes

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Network domains are Slurm's own: with one small job on n0, a gang of two nodes gets one leaf
# switch, one of four the middle switch that still has four whole nodes; after topology.conf was
# changed and reconfigured they go by the new switches. On 24.11 the same by blocks.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# leaves NODES...: pairs of nodes in four leaves, two leaves to a middle switch.
tree() {
	local i=0 nodes
	for nodes; do
		printf 'SwitchName=l%d Nodes=%s\n' $((i++)) "$nodes"
	done
	printf '%s\n' 'SwitchName=m0 Switches=l[0-1]' 'SwitchName=m1 Switches=l[2-3]' 'SwitchName=top Switches=m[0-1]'
}

blocks() {
	local i=0 nodes
	for nodes; do
		printf 'BlockName=b%d Nodes=%s\n' $((i++)) "$nodes"
	done
	printf 'BlockSizes=2,4\n'
}

# gang NAME NODES: the nodes a gang of so many gets, "n[2-3]".
gang() {
	local id nodes
	id=$(run "$1" alice -N "$2" --gres=gpu:8)
	nodes=$(job_field "$1" "$id" NodeList)
	on "$1" scancel "$id"
	wait_for 20 "the gang to end" job_is "$1" "$id" CANCELLED
	wait_for 20 "its nodes" idle_but_one "$1"
	printf '%s\n' "$nodes"
}

idle_but_one() {
	(($(on "$1" scontrol show node -o | grep -c ' CPUAlloc=0 ') == 7))
}

# try NAME HOW TWO FOUR: where gangs of two and of four nodes must be.
try() {
	expect "$2: two nodes" "$3" "$(gang "$1" 2)"
	expect "$2: four nodes" "$4" "$(gang "$1" 4)"
	note "$2: gangs on $3, and on $4"
}

policy_lines 64 >"$WORK/conf"
tree 'n[0-1]' 'n[2-3]' 'n[4-5]' 'n[6-7]' >"$WORK/topology"
cluster_up t --nodes 8 --cores 8 --speed 20 --conf "$WORK/conf" --topology "$WORK/topology"
small=$(run t bob --gres=gpu:1)
expect "the small job's node" n0 "$(node_of t "$small")"
try t tree 'n[2-3]' 'n[4-7]'

tree n0,n7 n1,n4 'n[2-3]' 'n[5-6]' >"${CLUSTER[t]}/etc/topology.conf"
on t scontrol reconfigure
wait_for 30 "slurmctld to answer" on t scontrol ping
try t 'another tree' 'n[1,4]' 'n[2-3,5-6]'
cluster_down t
[[ $SLURM_VERSION != 22.05 ]] || exit 0

blocks 'n[0-1]' 'n[2-3]' 'n[4-5]' 'n[6-7]' >"$WORK/topology"
cluster_up b --nodes 8 --cores 8 --speed 20 --conf "$WORK/conf" --topology "$WORK/topology"
small=$(run b bob --gres=gpu:1)
expect "the small job's node" n0 "$(node_of b "$small")"
try b blocks 'n[2-3]' 'n[4-7]'

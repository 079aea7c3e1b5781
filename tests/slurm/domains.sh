#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Network domains are Slurm's own. With a small job on n0, a gang gets the leaf switch that is left
# with the fewest whole nodes after it, of equal ones one below the middle switch with the fewest, or
# else the middle switch that holds it; after topology.conf was changed and reconfigured it goes by
# the new switches. One that names some of its nodes gets these and others near them. What no leaf
# holds, and what no middle switch holds, is on the fewest leaves, evenly. On 24.11 the same by
# blocks, changed likewise; one that wants its block alone does not get that of the small job.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# tree NODES...: of four leaves, two leaves to a middle switch.
tree() {
	local i=0 nodes
	for nodes; do
		printf 'SwitchName=l%d Nodes=%s\n' $((i++)) "$nodes"
	done
	printf '%s\n' 'SwitchName=m0 Switches=l[0-1]' 'SwitchName=m1 Switches=l[2-3]' 'SwitchName=top Switches=m[0-1]'
}

# blocks NODES...: of four blocks, two of which are the next size.
blocks() {
	local i=0 nodes
	for nodes; do
		printf 'BlockName=b%d Nodes=%s\n' $((i++)) "$nodes"
	done
	printf 'BlockSizes=3,6\n'
}

# gang NAME SBATCH_OPTION...: the nodes a gang gets, "n[2-3]".
gang() {
	local id nodes
	id=$(run "$1" alice --gres=gpu:8 "${@:2}")
	nodes=$(job_field "$1" "$id" NodeList)
	on "$1" scancel "$id"
	wait_for 20 "the gang to end" job_is "$1" "$id" CANCELLED
	wait_for 20 "its nodes" idle_but_one "$1"
	printf '%s\n' "$nodes"
}

# A node that completes, or has not registered since 24.11 was reconfigured, takes no job.
idle_but_one() {
	(($(on "$1" scontrol show node -o | grep -c ' State=IDLE ') == 11))
}

# try NAME HOW NODES WHERE [SBATCH_OPTION...]: where a gang of so many nodes must be.
try() {
	expect "$2: $3 nodes ${*:5}" "$4" "$(gang "$1" -N "$3" "${@:5}")"
	note "$2: $3 nodes ${*:5} are $4"
}

# up NAME: with $WORK/topology, and a small job on n0.
up() {
	cluster_up "$1" --nodes 12 --cores 8 --speed 20 --conf "$WORK/conf" --topology "$WORK/topology"
	expect "the small job's node" n0 "$(node_of "$1" "$(run "$1" bob --gres=gpu:1)")"
}

# change NAME: to what stdin says.
change() {
	cat >"${CLUSTER[$1]}/etc/topology.conf"
	on "$1" scontrol reconfigure
	wait_for 30 "slurmctld to answer" on "$1" scontrol ping
	wait_for 30 "all nodes" idle_but_one "$1"
}

policy_lines 96 >"$WORK/conf"
tree 'n[0-2]' 'n[3-5]' 'n[6-8]' 'n[9-11]' >"$WORK/topology"
up t
try t tree 2 'n[1-2]'
try t tree 3 'n[3-5]'
try t tree 6 'n[6-11]'
try t tree 2 'n[3,5]' -w n5
try t tree 2 'n[1,11]' -w n1,n11
try t tree 3 'n[3-5]' -w n4
try t tree 4 'n[1-4]' -w n4

# Whole nodes: 4 and 3 below the first middle switch, 3 and 1 below the second.
tree n1,n4,n7,n10 n2,n5,n8 n3,n6,n9 n0,n11 | change t
try t 'another tree' 3 'n[3,6,9]'
try t 'another tree' 4 'n[1,4,7,10]'
try t '3 and 2 of two leaves' 5 'n[1-2,4-5,8]'
try t '3, 3 and 2 of three leaves' 8 'n[1-6,8-9]'
cluster_down t
[[ $SLURM_VERSION != 22.05 ]] || exit 0

blocks 'n[0-2]' 'n[3-5]' 'n[6-8]' 'n[9-11]' >"$WORK/topology"
up b
try b blocks 2 'n[1-2]'
try b blocks 3 'n[3-5]'
try b blocks 6 'n[6-11]'
try b blocks 2 'n[3,5]' -w n5
try b blocks 2 'n[3-4]' --exclusive=topo

blocks n0,n9,n11 n1,n4,n7 n2,n5,n8 n3,n6,n10 | change b
try b 'other blocks' 2 'n[9,11]'
try b 'other blocks' 3 'n[1,4,7]'
try b 'other blocks' 6 'n[2-3,5-6,8,10]'

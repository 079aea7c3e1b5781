#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Cores go with GPUs on sockets of four NUMA nodes, where Slurm knows sockets only: a gang of two
# nodes with half the GPUs of each has the cores of these GPUs on both, by tasks a node and by GPUs a
# task, also where the user names one of them; a job that needs more than its GPUs have gets the rest
# from the nearest, first of the same socket where no GPU is, and with enforce-binding only there, else
# it waits, as it does under Slurm's own choice; gangway why says which are not near, also where Slurm
# chose. GPUs by socket are on as many sockets as are asked for, with the cores near them, where Slurm's
# own choice has them on each socket that it takes a core of.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

FIXTURES=$(cd "$(dirname "$0")/../fixtures/topo" && pwd)

# gets WHAT WANTED SBATCH_OPTION...: a job that gets those GPUs on those cores, "n0:0-1 on 6-7".
# Its id is in JOB.
gets() {
	local what=$1 wanted=$2
	shift 2
	JOB=$(run one alice "$@")
	expect "$what" "$wanted" "$(where one "$JOB") on $(cores one "$JOB")"
}

# The line of gangway why about cores; empty if none.
why_cores() {
	on one gangway why -P "$JOB" | sed -n 's/^cores|//p'
}

known_to_why() {
	on one gangway why "$JOB" | grep -q '^shape '
}

# why_says WHAT TEXT: of JOB.
why_says() {
	wait_for 20 "the view to have job $JOB" known_to_why
	expect "why, $1" "$2" "$(why_cores)"
}

bring_up() {
	cluster_up one --nodes 0 --node-spec 'NodeName=n[0-1] CoresPerSocket=8 Links=none' --speed 20 \
		--conf "$WORK/conf" "$@"
}

reason_is() {
	[[ $(job_field one "$1" Reason) == "$2" ]]
}

# bound_waits SBATCH_OPTION...: a bound job of n1 that needs more cores than its socket has left. It
# is left in JOB.
bound_waits() {
	JOB=$(submit one alice -w n1 --gres=gpu:1 -c4 --gres-flags=enforce-binding "$@" 2>/dev/null)
	wait_for 20 "job $JOB ($*) to be left" reason_is "$JOB" Resources
}

# GPUs 6-7 of n1 are free with three cores of their socket, and two of the other. Stock, which has the
# say where nodes must be contiguous, lets a bound job wait too. (22.05 would not if the other had more.)
bound() {
	local socket
	gets 'most of a socket' 'n1:0-3 on 0-3,6-7' -w n1 --gres=gpu:4 -c6
	gets 'more than half of the other' 'n1:4-5 on 8-9,12,14-15' -w n1 --gres=gpu:2 -c5
	socket=$JOB
	bound_waits
	on one scancel "$JOB"
	bound_waits --contiguous
	on one scancel "$JOB"
	gets 'cores of both, not bound' 'n1:6 on 4,10-11,13' -w n1 --gres=gpu:1 -c4
	on one scancel "$JOB"
	bound_waits
	on one scancel "$socket"
	wait_for 20 "the bound job to start" job_is one "$JOB" RUNNING
	expect "GPUs and socket of the bound job" 'n1:4 on 8-9,14-15' "$(where one "$JOB") on $(cores one "$JOB")"
	end_jobs one
}

# Of n1 all GPUs of the first socket but one are taken.
by_socket() {
	local two=--sockets-per-node=2 one=--sockets-per-node=1
	gets 'three of a socket' 'n1:0-2 on 2-3,6-7' -w n1 --gres=gpu:3 -c4 $one --gpus-per-socket=3
	gets 'one socket, more tasks than one core' 'n0:0-1 on 6-7' -w n0 -n2 $one --gpus-per-socket=2
	on one scancel "$JOB"
	gets 'one GPU: of the broken socket' 'n1:3 on 0' -w n1 $one --gpus-per-socket=1
	on one scancel "$JOB"
	gets 'two sockets: where both have two' 'n0:0-1,4-5 on 6,14' -n2 $two --gpus-per-socket=2
	gets 'each of two nodes' 'n0:2 n1:3 on 2 0' -N2 $one --gpus-per-socket=1
	end_jobs one
	gets 'as many of the job as one node has' 'n0:0-1,4-5 on 0,8' -n2 --gpus=4 $one --gpus-per-socket=2
	end_jobs one
	gets 'tasks by socket, of which Slurm picks the cores' 'n0:0,4 on 0-1,8-9' -w n0 -n4 --ntasks-per-socket=2 $one --gpus-per-socket=1
	end_jobs one
}

policy_lines 16 "ShapeName=numa Nodes=n[0-1] Hwloc=$FIXTURES/dgx-a100.xml" >"$WORK/conf"
bring_up
# 22.05's backfill says so of a bound job that waits, without Gangway too.
cluster_errors_allowed one 'gres_min_cpus=8 is greater than avail_cpus=4'

gets 'tasks a node' 'n[0-1]:0-3 on 2-3,6-7' -N2 --gpus-per-node=4 --ntasks-per-node=4 -c1
why_says 'all near' ''
gets 'GPUs a task' 'n[0-1]:4-7 on 10-11,14-15' -N2 -n8 --gpus-per-task=1
end_jobs one
gets 'one of two nodes is named' 'n[0-1]:0-3 on 2-3,6-7' -N2 -w n1 -n8 --gpus-per-task=1
end_jobs one

gets 'more of the socket' 'n0:0-1 on 0-1,6-7' -w n0 --gres=gpu:2 -c4
why_says 'more of the socket' '2 of 4 CPUs are near its GPUs, 2 are of the same socket'
gets 'more, bound' 'n0:2-3 on 2-5' -w n0 --gres=gpu:2 -c4 --gres-flags=enforce-binding
gets 'more of both sockets' 'n1:0-1 on 0-9' -w n1 --gres=gpu:2 -c10
why_says 'more of both sockets' \
	'2 of 10 CPUs are near its GPUs, 6 are of the same socket, 2 are of another socket'
end_jobs one

bound
by_socket
JOB=$(run one alice -w n0 --gres=gpu:2 -n2 --overcommit)
wait_for 20 "the view to have job $JOB" known_to_why
[[ $(why_cores) == *' CPUs are near its GPUs, '* ]] || fail "why says of Slurm's own choice: $(why_cores)"
cluster_down one

printf '%s\n' 'SwitchName=l0 Nodes=n0' 'SwitchName=l1 Nodes=n1' 'SwitchName=top Switches=l[0-1]' >"$WORK/topology"
bring_up --topology "$WORK/topology"
gets 'two switches' 'n[0-1]:0-3 on 2-3,6-7' -N2 -n8 --gpus-per-task=1

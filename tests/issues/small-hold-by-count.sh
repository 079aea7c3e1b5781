#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# SmallHold knows a whole-node job by its GPUs, however it asks for them: -N 2 --gres=gpu:8 waits for
# two nodes, one of which is idle, and a small job of a queue that holds nothing stays behind it
# instead of breaking that node, as gangway why says; so for --exclusive and --gpus=16. Without
# SmallHold it starts at once; with GapMatch one that fits in the gap of a broken node goes first,
# and gangway why says so; with SmallBatch=2 two of them go once the second comes. Only --exclusive
# counted once, so that every job of 8 GPUs was small, found as small jobs waited less on live
# clusters than replay had said.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# behind SMALL GANG: the small job has the lower number and waits.
behind() {
	(($(job_field h "$1" Priority) < $(job_field h "$2" Priority))) && job_is h "$1" PENDING
}

# hold GANG_OPTION...
hold() {
	local gang small
	gang=$(submit h carol -t 1:00:00 "$@" 2>/dev/null)
	wait_for 20 "the gang to wait for nodes" job_reason_is "$gang" Resources
	small=$(submit h alice -t 3-0 --gres=gpu:1 2>/dev/null)
	wait_for 10 "the small job to be behind ($*)" behind "$small" "$gang"
	wait_for 20 "why it steps back" why_says "$small" 'steps back .*(SmallHold), takes any gap'
	note "$*: the small job waits behind"
	on h scancel "$gang"
	wait_for 20 "the small job to start without the gang" job_is h "$small" RUNNING
	on h scancel "$small"
	wait_for 20 "its end" nothing_on n1
}

job_reason_is() {
	[[ $(job_field h "$1" Reason) == "$2" ]]
}

nothing_on() {
	on h scontrol show node -o "$1" | grep -q ' CPUAlloc=0 '
}

# why_says JOB REGEX: some line of gangway why matches.
why_says() {
	on h gangway why -P -n "$1" >"$WORK/why" && grep -q "$2" "$WORK/why"
}

# On the broken n1 neither of two jobs starts, for want of cores. Its GPUs are a gap for the short one.
gap() {
	local busy gang long short
	busy=$(run h alice -t 3-0 --gres=gpu:1)
	gang=$(submit h carol -t 1:00:00 -N 2 --gres=gpu:8 2>/dev/null)
	long=$(submit h alice -t 8-0 -c 16 --gres=gpu:1 2>/dev/null)
	short=$(submit h alice -t 1:00:00 -c 16 --gres=gpu:1 2>/dev/null)
	wait_for 20 "the short job to have the gap" why_says "$short" '^gap|.*(GapMatch)$'
	wait_for 20 "the gang to be behind it" behind "$gang" "$short"
	wait_for 20 "the long job to step back" behind "$long" "$gang"
	wait_for 20 "the long job's rank" why_says "$long" '^rank|'
	! why_says "$long" '^gap|' || fail "the long job has a gap: $(<"$WORK/why")"
	note "GapMatch: what fits in the gap goes before the gang, and gangway why says so"
	on h scancel "$short" "$long" "$gang" "$busy"
	wait_for 20 "their end" nothing_on n1
}

# go_on VALUE: gangway.conf with SmallHold=VALUE, and more keys behind it.
go_on() {
	sed -i "s/^SmallHold=.*/SmallHold=$1/" "${CLUSTER[h]}/etc/gangway.conf"
	on h scontrol reconfigure
	wait_for 30 "slurmctld to answer" on h scontrol ping
}

both_run() {
	job_is h "$1" RUNNING && job_is h "$2" RUNNING
}

batch() {
	local gang first second
	gang=$(submit h carol -t 1:00:00 -N 2 --gres=gpu:8 2>/dev/null)
	wait_for 20 "the gang to wait for nodes" job_reason_is "$gang" Resources
	first=$(submit h alice -t 3-0 --gres=gpu:1 2>/dev/null)
	wait_for 10 "the first to be behind" behind "$first" "$gang"
	wait_for 20 "why it steps back" why_says "$first" 'once jobs for 2 GPUs do (SmallBatch)'
	second=$(submit h alice -t 2-0 --gres=gpu:1 2>/dev/null)
	wait_for 20 "both to start" both_run "$first" "$second"
	note "SmallBatch: two small jobs go together"
	on h scancel "$first" "$second" "$gang"
	wait_for 20 "their end" nothing_on n1
}

policy_lines 64 SmallHold=12:00:00 GapMatch=0.5 >"$WORK/conf"
cluster_up h --nodes 2 --cores 8 --speed 20 --conf "$WORK/conf"
expect "the running job's node" n0 "$(node_of h "$(run h carol -t 2:00:00 --gres=gpu:8)")"
hold -N 2 --gres=gpu:8
hold -N 2 --exclusive --gres=gpu:1
hold --gpus=16
gap

go_on '12:00:00 SmallBatch=2'
batch
go_on 0
gang=$(submit h carol -t 1:00:00 -N 2 --gres=gpu:8 2>/dev/null)
wait_for 20 "the gang to wait for nodes" job_reason_is "$gang" Resources
run h alice -t 3-0 --gres=gpu:1 >/dev/null
note "without SmallHold it starts"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Slices of GPUs (MIG) are a type of their own: nodes of four whole a100 and four slices. A job
# gets what it names, never the other, though both are GPUs of one node, and one that names no type
# gets the queue's first flavor; each flavor has a quota of its own, and what is held of one leaves
# the other free. Small jobs for slices go to the node that slices have broken, not to one that whole
# GPUs have, and to one of more than 64 when no other will do.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# waits_for_quota JOB HELD FLAVOR ASKED
waits_for_quota() {
	job_is m "$1" PENDING && on m gangway why "$1" |
		grep -q "over quota: pool shared holds $2 $3 and can not borrow; $4 asked"
}

reason_is() {
	[[ $(job_field m "$1" Reason) == "$2" ]]
}

sed -E 's/^(FlavorName=).*/\1whole Gres=gpu:a100 Partition=main\n\1slice Gres=gpu:1g.5gb Partition=main/
	s/^UsageWeights=.*/UsageWeights=gres\/gpu:a100=7,gres\/gpu:1g.5gb=1/
	s/^(PoolName=shared Quota=).*/\1gres\/gpu:a100=8,gres\/gpu:1g.5gb=6/' < <(policy_lines 8) >"$WORK/conf"
cluster_up m --nodes 0 --node-spec 'NodeName=m[0-1] CoresPerSocket=8 Gres=gpu:a100:4,gpu:1g.5gb:4' \
	--node-spec 'NodeName=x0 CoresPerSocket=40 Gres=gpu:1g.5gb:70' \
	--node-spec 'NodeName=y0 CoresPerSocket=40 Gres=gpu:1g.5gb:56' --speed 20 --conf "$WORK/conf"

whole=$(run m alice --gres=gpu:a100:2)
slice=$(run m bob --gres=gpu:1g.5gb:1)
expect "two whole GPUs" m0 "$(node_of m "$whole")"
[[ $(where m "$whole") =~ ^m0:[0-3][-,][0-3]$ ]] || fail "whole GPUs are $(where m "$whole")"
[[ $(where m "$slice") =~ ^m[01]:[4-7]$ ]] || fail "the slice is $(where m "$slice")"
more=$(run m carol --gres=gpu:1g.5gb:2)
expect "slices beside the slice" "$(node_of m "$slice")" "$(node_of m "$more")"
[[ $(where m "$more") =~ :[4-7][-,][4-7]$ ]] || fail "the slices are $(where m "$more")"
note "whole $(where m "$whole"), slices $(where m "$slice") and $(where m "$more")"

rest=$(run m bob --gres=gpu:1g.5gb:3)
over=$(submit m carol --gres=gpu:1g.5gb:1 2>/dev/null)
wait_for 30 "a seventh slice to wait for quota" waits_for_quota "$over" '6 of 6' slice 1
free=$(run m carol --gres=gpu:a100:4)
[[ $(where m "$free") =~ :0-3$ ]] || fail "four whole GPUs are $(where m "$free")"
expect "the seventh slice" PENDING "$(job_field m "$over" JobState)"
note "four whole GPUs start ($(where m "$free")) while a seventh slice waits: $(on m gangway why "$over" | sed -n 's/^reason *//p')"
on m scancel "$rest"
wait_for 30 "the slice to start" job_is m "$over" RUNNING
untyped=$(run m bob --gres=gpu:1)
[[ $(where m "$untyped") =~ ^m0:[0-3]$ ]] || fail "a GPU without a type is $(where m "$untyped")"
two=$(submit m carol --gres=gpu:2 2>/dev/null)
wait_for 30 "two without a type to wait for whole ones though slices are free" reason_is "$two" Resources
refusal m alice --gres=gpu:a100:5 -N 1 >/dev/null
end_jobs m
# Eight GPUs of seven slices each; more than 64 are Slurm's to choose from.
five=$(run m alice --gres=gpu:1g.5gb:5 -N 1)
expect "five slices of one node" y0:0-4 "$(where m "$five")"
on m scontrol update NodeName=y0 State=DRAIN Reason=test
end_jobs m
expect "five slices when there is no other" x0 "$(node_of m "$(run m alice --gres=gpu:1g.5gb:5 -N 1)")"
status_fresh m
expect_status m Hook=placement Errors 0

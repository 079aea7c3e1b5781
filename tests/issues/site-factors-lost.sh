#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a job's site factor was before ours is never lost.
#
# What hooks noted since the last pass was dropped when slurmctld ended, and a file that could not be
# written was not tried again. The next slurmctld then took our own site factor, which is in the
# job's state, for that of before, and gangway off put it back. The same after kill -9, where a factor
# so high is now known for ours.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# As in site-factors-off.sh.
stock_again() {
	local priority
	priority=$(on g squeue -h -j "$1" -o %Q)
	((priority > 100 && priority < 1000000))
}

ours() {
	! stock_again "$1"
}

noted() {
	grep -q "^Job=$1 " "$STATE/site_factors"
}

policy_write "$WORK/conf" 'PoolName=shared Quota=gres/gpu:h100=16' 'PoolName=small Quota=gres/gpu:h100=8' \
	'QueueName=nlp Pool=shared Account=nlp' 'QueueName=vision Pool=small Account=vision'
policy_up g "$WORK/conf" --nodes 2 --cores 16
STATE=${CLUSTER[g]}/state/gangway
cluster_errors_allowed g 'gangway: .*site_factors'

full=$(submit g alice -N1 --gres=gpu:8 -t 60)
other=$(submit g bob -N1 --gres=gpu:8 -t 60)
for id in "$full" "$other"; do
	wait_for 20 "the nodes to be taken" job_is g "$id" RUNNING
done

mkdir "$STATE/site_factors.new"
waits=$(submit g alice -N1 --gres=gpu:4 -t 60)
blocked=$(submit g bob -N1 --gres=gpu:4 -t 60)
for id in "$waits" "$blocked"; do
	wait_for 20 "a number of ours for $id" ours "$id"
done
status_fresh g
! noted "$waits" || fail "the file was written"
rmdir "$STATE/site_factors.new"
wait_for 20 "the file to be written later" noted "$waits"
noted "$blocked" || fail "the file lacks $blocked"
note "a file that can not be written is tried again"

read -r pid _ <"${CLUSTER[g]}/run/inside/slurmctld.id"
for _ in {1..5}; do
	submit g alice -N1 --gres=gpu:4 -t 60 2>/dev/null
done >"$WORK/ids"
on g kill -TERM "$pid"
wait_for 30 "slurmctld to end" slurmctld_ended g
mapfile -t ids <"$WORK/ids"
for id in "${ids[@]}"; do
	noted "$id" || fail "the file lacks $id, submitted before slurmctld ended"
done
note "what was noted last is kept when slurmctld ends"

rm "$STATE/site_factors"
cluster g restart slurmctld
wait_for 30 "slurmctld to answer" on g scontrol ping
wait_for 20 "the file to be there" noted "$waits"
touch "$STATE/off"
wait_for 20 "the site factor of before to be put back" stock_again "$waits"
note "without the file our own site factor is not taken for that of before"

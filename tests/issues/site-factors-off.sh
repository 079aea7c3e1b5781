#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# gangway off must leave nothing behind in jobs' priorities.
#
# A job's number is set by its site factor, which Slurm saves with the job. What it was before
# is noted, so that off can put it back. Noted was the site factor at the first pass of the
# ranks, but the number given at submit came before it: off "put back" our own, and the job kept
# a priority of a thousand million. Jobs that start, tasks of arrays that do, and jobs whose
# account leaves its queue kept ours too, and had it again once requeued.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# With the weights of this cluster multifactor gives hundreds and thousands; our numbers are below a hundred
# for a job that quota keeps waiting, and hundreds of millions for others.
stock_again() {
	local priority
	priority=$(on g squeue -h -j "$1" -o %Q | sort -n | tail -n 1)
	((priority > 100 && priority < 1000000)) || job_is g "$1" RUNNING
}

ours() {
	! stock_again "$1"
}

requeued() {
	on g scontrol requeue "$1"
	wait_for 20 "$1 to wait again" job_is g "$1" PENDING
}

printf 'SchedulerParameters=bf_interval=1,sched_interval=2\n' >"$WORK/slurm.conf"
policy_write "$WORK/conf" 'PoolName=shared Quota=gres/gpu:h100=16' 'QueueName=nlp Pool=shared Account=nlp'
policy_up g "$WORK/conf" --nodes 2 --cores 16 --slurm-conf "$WORK/slurm.conf"

full=$(submit g alice -N2 --gres=gpu:8 -t 60)
wait_for 20 "the nodes to be taken" job_is g "$full" RUNNING
job=$(submit g alice -N1 --requeue --gres=gpu:8 -t 60)
array=$(submit g alice -N1 --requeue --gres=gpu:8 -t 60 --array=1-3)
for id in "$job" "$array"; do
	wait_for 20 "a number of ours for $id" ours "$id"
done

on g scancel "$full"
wait_for 20 "the job to start" job_is g "$job" RUNNING
wait_for 20 "the first task to start" job_is g "${array}_1" RUNNING
# Another pass, in which both are seen to run.
status_fresh g
requeued "$job"
requeued "${array}_1"
waiting=$(on g squeue -h -r -t PD -o %A)
[[ -n $waiting ]] || fail "nothing waits"

touch "${CLUSTER[g]}/state/gangway/off"
for id in $waiting; do
	wait_for 20 "the site factor of $id to be what it was" stock_again "$id"
done
note "off puts back the site factors of $(wc -w <<<"$waiting") waiting jobs"

# A job that leaves the queue's account has stock's number from the next pass on.
rm "${CLUSTER[g]}/state/gangway/off"
moved=$(submit g alice -N2 --gres=gpu:8 -t 60)
wait_for 20 "a number of ours again" ours "$moved"
on g sacctmgr -i add user alice account=vision >/dev/null
on g scontrol update jobid="$moved" account=vision
wait_for 20 "the site factor of a job that left to be what it was" stock_again "$moved"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A pool of all GPUs of the cluster: a job that waits for nodes is then over quota too, and Slurm
# reserves nothing for a job over a limit. Long small jobs took the GPUs that a whole-node job
# waited for, again and again, and every main pass tried every job.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# job USER GPUS MINUTES: prints its id.
job() {
	submit g "$1" --gres=gpu:h100:"$2" -t "$3" 2>/dev/null
}

waits_for_nodes() {
	[[ $(on g squeue -h -j "$1" -o '%r %S') =~ ^Resources\ [0-9] ]]
}

ranked() {
	[[ -n $(view_value g "Job=$1" Rank) ]]
}

mapfile -t pool < <(policy_one_pool 16)
policy_write "$WORK/conf" "${pool[@]}"
policy_up g "$WORK/conf" --nodes 2 --cores 16
for id in $(job alice 8 600) $(job bob 4 60); do
	wait_for 30 "job $id to start" job_is g "$id" RUNNING
done
# Of the queue that has had nothing, so that it goes first.
whole=$(job carol 8 120)
wait_for 30 "the whole-node job to wait for nodes, with a start" waits_for_nodes "$whole"
long=$(job bob 4 600)
short=$(job alice 4 30)
wait_for 30 "a job that ends in time to run" job_is g "$short" RUNNING
expect "what takes the reserved node for ten hours" PENDING "$(job_field g "$long" JobState)"
on g scancel "$short"
pass_after g backfill true
expect "the same when its GPUs are free again" PENDING "$(job_field g "$long" JobState)"
expect "the whole-node job meanwhile" PENDING "$(job_field g "$whole" JobState)"

# Each reserves behind the others, also at a time that 24.11 asks about first of all.
partition g DOWN
for _ in {1..6}; do
	last=$(job carol 8 60)
done
wait_for 30 "a rank of the last job" ranked "$last"
partition g UP
pass_after g backfill true
pass_after g backfill true
expect "jobs that wait for quota" '' "$(on g squeue -h -t PD -o '%i %r' | grep -v -e Resources -e Priority || true)"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A job of a queue that holds more than its share does not start at its submit while a job
# of another queue that may start waits, although its GPUs are free and no pass of the
# scheduler has come yet, nor in later passes: by sbatch, salloc and srun, with and without
# --immediate. When nobody waits it starts at once.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# Seconds from a pass of the main scheduler to the next: time to submit in.
DELAY=15
# Longer than any reservation of backfill is away.
LONG=2880

# refused COMMAND: not at once, so not at all.
refused() {
	if as g bob "$@" --immediate=1 --gres=gpu:1 -t $LONG true >"$WORK/refused" 2>&1; then
		fail "$1 --immediate starts although another queue's job waits"
	fi
	grep -qE 'Requested nodes are busy|Unable to allocate resources' "$WORK/refused" ||
		fail "$1 --immediate says: $(<"$WORK/refused")"
}

served() {
	as g bob "$@" --immediate=5 --gres=gpu:1 -t $LONG true >"$WORK/served" 2>&1 ||
		fail "$1 --immediate does not start although nobody waits: $(<"$WORK/served")"
}

waiting() {
	[[ $(on g squeue -h -t PD -A vision -o %j | sort | paste -sd ,) == "$1" ]]
}

# Submits one job of vision by each command; none may start.
submit_all() {
	refused salloc
	refused srun
	submit g bob -J batch --gres=gpu:1 -t $LONG >/dev/null
	as g bob salloc -J allocation --gres=gpu:1 -t $LONG sleep 1 >"$WORK/salloc.out" 2>&1 &
	as g bob srun -J run --gres=gpu:1 -t $LONG sleep 1 >"$WORK/srun.out" 2>&1 &
	wait_for 10 "three waiting jobs of vision" waiting allocation,batch,run
}

expect_waiting() {
	waiting allocation,batch,run || {
		on g squeue
		fail "$1: a job of vision started before that of nlp"
	}
	note "$1: sbatch, salloc and srun wait"
}

# Every job of vision at its submit had a number below that of nlp's.
expect_places() {
	local number
	number=$(job_field g "$1" Priority)
	sed -n 's/.*_slurm_rpc_submit_batch_job: JobId=\([0-9]*\) InitPrio=\([0-9]*\) .*/\1 \2/p' \
		"${CLUSTER[g]}/log/slurmctld.log" |
		awk -v job="$1" -v of="$number" '$1 > job && $2 >= of { print; bad = 1 } END { exit bad }' ||
		fail "a submit of vision got a number above that of nlp's waiting job, $number"
}

clear_all() {
	on g scancel -u bob
	on g scancel -u alice
	wait
	wait_for 20 "no jobs" no_jobs g
}

# GPUs are free and nlp's job fits, but the pass that starts it is yet to come.
between_passes() {
	local first id hog
	scheduler g "sched_interval=3600,bf_interval=3600,sched_min_interval=${DELAY}000000"
	hog=$(submit g bob -N3 --gres=gpu:8 -t 600)
	first=$(submit g bob -N1 --gres=gpu:8 -t 600)
	wait_for 20 "a full cluster" job_is g "$first" RUNNING
	wait_for 20 "a full cluster" job_is g "$hog" RUNNING
	id=$(pass_after g main submit g alice -N1 --gres=gpu:4 -t 60 && on g squeue -h -u alice -o %i)
	job_is g "$id" PENDING || fail "the cluster is not full"
	on g scancel "$first"
	wait_for 10 "free GPUs" job_is g "$first" CANCELLED
	submit_all
	job_is g "$id" PENDING || fail "a pass came too soon to show anything"
	expect_waiting "between two passes"
	expect_places "$id"
	wait_for $((DELAY + 5)) "nlp's job to start" job_is g "$id" RUNNING
	wait_for 10 "vision's jobs after it" waiting ''
	clear_all
}

# nlp's job waits for nodes through many passes.
through_passes() {
	local id
	scheduler g "sched_interval=2,bf_interval=2"
	submit g bob -N3 --gres=gpu:8 -t 600 >/dev/null
	wait_for 20 "three full nodes" jobs_number g 1 -t R
	id=$(submit g alice -N4 --gres=gpu:8 -t 60)
	submit_all
	pass_after g main true
	pass_after g main true
	pass_after g backfill true
	pass_after g backfill true
	expect_waiting "through passes"
	on g scancel "$id"
	wait_for 20 "vision's jobs once nobody else waits" waiting ''
	served salloc
	served srun
	note "nobody else waits: they start at once"
	clear_all
}

policy_write "$WORK/conf" $'PoolName=all Quota=gres/gpu:h100=64\nQueueName=nlp Pool=all Account=nlp\nQueueName=vision Pool=all Account=vision'
policy_up g "$WORK/conf" --nodes 4 --cores 16
between_passes
through_passes

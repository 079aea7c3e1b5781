#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Forwarding is exact, seen from outside: a cluster on stock and one with Gangway
# get the same 800 random jobs and operations batch by batch with no time
# between; after each batch every job has the same state, nodes, cores and GPU
# indexes on both. FORWARDING_OTHER=stock compares stock with stock, to see what
# is not deterministic by itself: when each cluster's backfill wakes amid what a job
# leaves behind is chance, and once in some hundred batches that decides who comes
# first. So batches go in groups of six, and a group in which the clusters differ is
# done once more from empty ones. What forwarding does wrong it does wrong again: a
# group that differs twice, or a second one that differs, is a failure.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/mixed.sh
. "$TEST_LIB/mixed.sh"
# shellcheck source=tests/slurm/lib/random-jobs.sh
. "$TEST_LIB/random-jobs.sh"

BATCHES=${FORWARDING_BATCHES:-24}
GROUP=6
SUBMITS=15
# Groups that differed.
DIFFERED=0
# shellcheck source=tests/slurm/lib/stock-errors.sh
. "$TEST_LIB/stock-errors.sh"

# batch NUMBER [doubtful]: fifteen jobs and about as many operations. Without
# preemption: when a preempted job has ended, and so what starts first on its
# nodes, differs between two stock clusters too (FORWARDING_OTHER=stock showed
# it); forwarding-in-call has it.
write_batch() {
	local job
	# Make room, or most jobs would only ever wait.
	for ((job = 0; job < SUBMITS * 2 / 3; job++)); do
		echo "cancel $RANDOM"
	done
	for ((job = 0; job < SUBMITS; job++)); do
		random_submit "$(($1 * SUBMITS + job))" "${2:-}"
		! chance 80 || random_operation_on_jobs
	done | sed 's/ --qos=high//'
}

random_operation_on_jobs() {
	case $((RANDOM % 14)) in
	0 | 1 | 2 | 3 | 4 | 5 | 6) echo "cancel $RANDOM" ;;
	7) echo "requeue $RANDOM" ;;
	8) echo "hold $RANDOM" ;;
	9) echo "release $RANDOM" ;;
	10) echo "drain $RANDOM" ;;
	11 | 12) echo undrain ;;
	13) echo "nice $RANDOM $((RANDOM % 500))" ;;
	esac
}

# run_batch NUMBER: on both at once; 1 when they differ.
run_batch() {
	local name
	local -a pids=()
	for name in stock g; do
		on "$name" bash "$TEST_LIB/step.sh" "$WORK/batch.$1" "$WORK/job" >"$WORK/places.$name.$1" 2>&1 </dev/null &
		pids+=($!)
	done
	wait "${pids[@]}" || {
		tail -n 5 "$WORK/places.stock.$1" "$WORK/places.g.$1"
		fail "batch $1 can not be carried out"
	}
	diff -u "$WORK/places.stock.$1" "$WORK/places.g.$1" >"$WORK/difference" || {
		head -n 60 "$WORK/difference"
		note "the clusters differ after batch $1"
		return 1
	}
}

# run_batches FIRST END
run_batches() {
	local batch
	for ((batch = $1; batch < $2; batch++)); do
		run_batch "$batch" || return 1
	done
}

# users_gone NAME: no job is left but the two of root. A job that was asked to end amid its start is
# asked again.
users_gone() {
	local user
	[[ -n $(on "$1" squeue -h -u alice,bob,carol) ]] || return 0
	for user in alice bob carol; do
		on "$1" scancel --user="$user" 2>/dev/null || true
	done
	return 1
}

# Ends the jobs of both and gives all nodes back.
empty() {
	local name
	echo undrain >"$WORK/undrain"
	for name in stock g; do
		wait_for 60 "$name to be empty" users_gone "$name"
		on "$name" bash "$TEST_LIB/drive.sh" "$WORK/undrain" "$WORK/job" || fail "$name: nodes stay drained"
	done
}

# run_group FIRST END [doubtful]
run_group() {
	local batch
	for ((batch = $1; batch < $2; batch++)); do
		write_batch "$batch" "${3:-}" >"$WORK/batch.$batch"
	done
	! run_batches "$1" "$2" || return 0
	((DIFFERED++ == 0)) || fail "the clusters differ in a second group"
	empty
	run_batches "$1" "$2" || fail "the clusters differ again"
}

# Backfill alone starts jobs: which of two schedulers comes first is chance. On a busy machine as
# well it goes through all jobs at one go.
MIXED_SCHEDULER=bf_hetjob_immediate,sched_interval=-1,bf_max_time=3600,bf_yield_interval=10000000
printf '#!/bin/sh\nexec sleep 86400\n' >"$WORK/job"
# The clock is a little faster, because a cycle of backfill takes a second; the whole stays below
# the ten minutes by which time limits differ.
SPEED=3
mixed_up stock --stock --speed "$SPEED"
if [[ ${FORWARDING_OTHER:-} == stock ]]; then
	mixed_up g --stock --speed "$SPEED"
else
	mixed_up g --speed "$SPEED"
fi
cluster_errors_allowed stock "$STOCK_ERRORS"
cluster_errors_allowed g "$STOCK_ERRORS"
# Backfill only tells of a cycle in which something was pending.
for name in stock g; do
	submit "$name" root -w d0 -L never >/dev/null
	wait_for 20 "the first job of $name" job_is "$name" 1 RUNNING
	submit "$name" root -w d0 -L never --nice=5000 >/dev/null
done
RANDOM=20241105
for ((batch = 0; batch < BATCHES; batch += GROUP)); do
	run_group "$batch" $((batch + GROUP))
done
note "$(cat "$WORK"/places.g.* | grep -c '^accepted') jobs accepted, $(cat "$WORK"/places.g.* | grep -c '^refused') refused; $(cat "$WORK"/places.g.* | grep -c 'JobState=RUNNING') places compared"
(($(cat "$WORK"/places.g.* | grep -c '^accepted') >= BATCHES * SUBMITS * 8 / 10)) || fail "too many jobs were refused"
run_group "$batch" $((batch + 3)) doubtful
# Stock itself gives some jobs fewer GPUs than they ask for, and complains of itself: what is found
# of jobs must be the same then, and Gangway may add no complaint.
for name in stock g; do
	cluster "$name" check >/dev/null &
done
wait
for name in stock g; do
	cluster_unchecked "$name" "compared instead"
	grep -v 'not in accounting' "${CLUSTER[$name]}/run/check.found" | sed 's/:\[[^]]*\]/:/' | sort -u >"$WORK/found.$name" || true
	grep -E '^(job|gpu) ' "$WORK/found.$name" >"$WORK/found.jobs.$name" || true
done
expect "what check finds of jobs" "$(cat "$WORK/found.jobs.stock")" "$(cat "$WORK/found.jobs.g")"
expect "what check finds with Gangway alone" '' "$(comm -13 "$WORK/found.stock" "$WORK/found.g")"
note "$(wc -l <"$WORK/found.g") findings of check on both"

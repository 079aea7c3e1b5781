#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A GPU job must hold its GPUs also when it starts right after slurmctld did.
#
# Stock starts it with none (GRES=gpu:h100:0(IDX:)) on a node that is idle before its
# slurmd has registered. A node gets there when the last job on it ends within the three
# seconds before slurmctld first asks for registrations: the end of a job makes it idle
# whatever was known of it. The recipe: jobs run, others depend on their end, slurmctld
# restarts and the jobs are cancelled as soon as it answers.
# 22.05.8 does it on every restart. 24.11.5 saves the GPU devices with the node state and
# finds them again; without StateSaveLocation/node_state it does the same as 22.05.8. On
# both, what such jobs asked for stays counted as busy on the node after their end (AllocTRES
# gres/gpu=8 with no job), so that it takes no GPU job until slurmctld's next restart.
#
# With Gangway the jobs wait those seconds; with ModePlacement=observe they do not, and are
# counted. CPU jobs, and nodes that stock knows, wait for nothing.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"

# running NAME JOB...: all of them run.
running() {
	local name=$1 id
	shift
	for id; do
		job_is "$name" "$id" RUNNING || return 1
	done
}

# held NAME JOB: what slurmctld says the job holds, GRES=TYPE:COUNT(IDX:LIST).
held() {
	on "$1" scontrol show job -d "$2" | sed -n 's/.* GRES=\(gpu[^ ]*\).*/\1/p'
}

# Stops slurmctld; with lost, its saved node state goes too.
slurmctld_stop() {
	slurmctld_end "$1"
	[[ $2 != lost ]] || rm -f "${CLUSTER[$1]}"/state/node_state*
}

# cancel_at_start NAME JOB...: as soon as slurmctld answers; all of it there, to lose no time.
cancel_at_start() {
	local name=$1
	shift
	# shellcheck disable=SC2016
	on "$name" timeout 160 bash -c 'until scontrol ping | grep "is UP" >/dev/null; do sleep 0.02; done
		exec scancel "$@"' bash "$@"
}

# Runs the recipe with the node state kept or lost; the ids of the five GPU jobs and of a
# CPU job are left in GPU_JOBS and CPU_JOB.
drive() {
	local name=$1 node_state=$2 first second i canceller after
	first=$(submit "$name" alice -w n0 --gres=gpu:2)
	second=$(submit "$name" alice -w n0 --gres=gpu:2)
	wait_for 20 "the first jobs" running "$name" "$first" "$second"
	after=afterany:$first:$second
	CPU_JOB=$(submit "$name" alice -w n0 -d "$after")
	GPU_JOBS=()
	for i in 1 2 3 4 5; do
		GPU_JOBS+=("$(submit "$name" alice -d "$after" --gres=gpu:2)")
	done
	slurmctld_stop "$name" "$node_state"
	cancel_at_start "$name" "$first" "$second" &
	canceller=$!
	cluster "$name" restart slurmctld
	wait "$canceller" || fail "the first jobs are not cancelled"
	wait_for 30 "all jobs to run" running "$name" "$CPU_JOB" "${GPU_JOBS[@]}"
	note "$name, node state $node_state: $(starts "$name")"
}

starts() {
	local id
	for id in "${GPU_JOBS[@]}"; do
		printf '%s ' "$(held "$1" "$id")"
	done
}

expect_two_each() {
	local id
	for id in "${GPU_JOBS[@]}"; do
		[[ $(held "$1" "$id") =~ ^gpu:h100:2\(IDX:[0-7][-,][0-7]\)$ ]] ||
			fail "$1: job $id holds $(held "$1" "$id")"
	done
}

# Stock's bug needs the cancel within three seconds of the start: once more on a machine
# too slow for that.
expect_zero() {
	local name=$1 node_state=$2 attempt
	for attempt in 1 2 3; do
		drive "$name" "$node_state"
		[[ $(starts "$name") != *'gpu:h100:0(IDX:)'* ]] || return 0
		note "$name: not seen in attempt $attempt"
		repair "$name"
	done
	fail "$name: no job started without GPUs"
}

no_jobs() {
	[[ -z $(on "$1" squeue -h) ]]
}

clear_jobs() {
	on "$1" scancel -u alice
	wait_for 20 "the jobs to end" no_jobs "$1"
}

# GPUs that slurmctld counts as busy on n0.
busy() {
	on "$1" scontrol show node -o n0 | sed -n 's/.* AllocTRES=\([^ ]*\).*/\1/p' | grep -o 'gres/gpu=[0-9]*' || true
}

# Stock's bug leaves GPUs busy without a job; a restart counts anew.
repair() {
	clear_jobs "$1"
	note "$1: busy on n0 without any job: $(busy "$1")"
	cluster "$1" restart slurmctld
}

# Jobs were kept back for their GPUs, and the CPU job was not.
only_gpus_wait() {
	status_fresh "$1"
	(($(status_value "$1" Hook=placement Withheld) > 0)) &&
		[[ $(job_field "$1" "$CPU_JOB" StartTime) < $(job_field "$1" "${GPU_JOBS[0]}" StartTime) ]]
}

# As expect_zero: once more where the cancel came too late to see anything.
expect_wait() {
	local name=$1 node_state=$2 attempt
	for attempt in 1 2 3; do
		drive "$name" "$node_state"
		expect_two_each "$name"
		! only_gpus_wait "$name" || return 0
		note "$name: no wait seen in attempt $attempt"
		clear_jobs "$name"
	done
	fail "$name: no node was withheld from GPU jobs alone"
}

# Whether this version forgets the GPU devices with the node state kept.
forgets() {
	[[ $SLURM_VERSION == 22.05 ]]
}

stock_shows_it() {
	cluster_up stock --nodes 2 --cores 8 --stock
	cluster_unchecked stock "shows jobs without their GPUs"
	if ! forgets; then
		drive stock kept
		expect_two_each stock
		clear_jobs stock
	fi
	expect_zero stock "$LOSES"
	clear_jobs stock
	note "stock: busy on n0 without any job: $(busy stock)"
	cluster_down stock
}

gangway_waits() {
	if ! forgets; then
		drive on kept
		expect_two_each on
		status_fresh on
		expect "nodes withheld that stock knows" 0 "$(status_value on Hook=placement Withheld)"
		clear_jobs on
	fi
	expect_wait on "$LOSES"
	clear_jobs on
	expect "on: GPUs busy without a job" '' "$(busy on)"
}

observe_only_counts() {
	printf '%s\n' UsageHalfLife=7-0 ModePlacement=observe >"${CLUSTER[on]}/etc/gangway.conf"
	expect_zero on "$LOSES"
	status_fresh on
	expect_status on Subsystem=placement Mode observe
	(($(status_value on Hook=placement Withheld) > 0)) || fail "observe: nothing was counted"
}

# What makes this version forget a node's GPUs.
LOSES=kept
forgets || LOSES=lost
stock_shows_it
cluster_up on --nodes 2 --cores 8
# Once in a dozen runs slurmd of 22.05 said so of a message while others came in; no job lost.
cluster_errors_allowed on 'Credential signature check: Invalid credential format'
gangway_waits
cluster on check
cluster_unchecked on "observe lets stock's bug happen"
observe_only_counts

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Carries out a file of operations of random-jobs.sh, each after the other, and
# prints what came of each. Runs inside a cluster as: FILE JOB_SCRIPT
set -euo pipefail

# pick K LINES...: the K-th of the lines on stdin, counted around; 1 if none.
pick() {
	local -a lines
	mapfile -t lines
	((${#lines[@]})) || return 1
	printf '%s\n' "${lines[$1 % ${#lines[@]}]}"
}

# Jobs of the users as "ID STATE" in the order of their ids, each task of a
# pending array by itself.
jobs_now() {
	squeue -h -u alice,bob,carol -o '%A %T' | sort -n -u -k 1,1
}

# jobs_in STATES: ids; of the jobs there were when all began where DRIVE_FROZEN is
# set, and each only once, because what an operation does to a job takes its time.
jobs_in() {
	local id state
	{ if [[ -n ${DRIVE_FROZEN:-} ]]; then cat "$DRIVE_FROZEN"; else jobs_now; fi; } |
		while read -r id state; do
			[[ ",$1," != *",$state,"* ]] || echo "$id"
		done
}

used() {
	[[ -z ${DRIVE_FROZEN:-} ]] || sed -i "/^$1 /d" "$DRIVE_FROZEN"
}

do_submit() {
	local user=$1 answer
	shift
	if answer=$(sbatch --parsable --uid="$user" --chdir=/ -o /dev/null "$@" "$SCRIPT" 2>&1); then
		echo "accepted $answer"
	elif [[ $answer == *'Unable to contact'* ]]; then
		echo "lost slurmctld: $answer"
		exit 1
	else
		echo "refused: ${answer//$'\n'/ }"
	fi
}

# on_job STATES K COMMAND...: the job's id is put last.
on_job() {
	local states=$1 job
	job=$(jobs_in "$states" | pick "$2") || return 0
	shift 2
	used "$job"
	echo "$* $job"
	"$@" "$job" >/dev/null 2>&1 || true
}

# do_cancel K: of the jobs there were when all began, several in a row at once.
CANCELLED=()
do_cancel() {
	local job
	if [[ -z ${DRIVE_FROZEN:-} ]]; then
		on_job RUNNING,PENDING "$1" scancel
		return
	fi
	job=$(jobs_in RUNNING,PENDING | pick "$1") || return 0
	used "$job"
	echo "scancel $job"
	CANCELLED+=("$job")
}

cancel_now() {
	((${#CANCELLED[@]})) || return 0
	scancel "${CANCELLED[@]}" >/dev/null 2>&1 || true
	CANCELLED=()
}

do_operation() {
	local operation=$1 node job
	shift
	[[ $operation == cancel ]] || cancel_now
	case $operation in
	submit) do_submit "$@" ;;
	cancel) do_cancel "$1" ;;
	requeue) on_job RUNNING "$1" scontrol requeue ;;
	hold) on_job PENDING "$1" scontrol hold ;;
	release) on_job PENDING "$1" scontrol release ;;
	nice)
		job=$(jobs_in PENDING | pick "$1") || return 0
		used "$job"
		scontrol update JobId="$job" Nice="$2" >/dev/null 2>&1 || true
		;;
	drain)
		node=$(sinfo -h -N -o %N | sort -u | pick "$1")
		scontrol update NodeName="$node" State=DRAIN Reason=test
		;;
	undrain)
		# Whatever else its state says, such as that a job still ends there.
		for node in $(scontrol show node -o | sed -n 's/^NodeName=\([^ ]*\) .* State=[A-Z+]*DRAIN.*/\1/p'); do
			scontrol update NodeName="$node" State=RESUME
		done
		;;
	esac
}

main() {
	local line
	local -a words
	SCRIPT=$2
	[[ -z ${DRIVE_FROZEN:-} ]] || jobs_now >"$DRIVE_FROZEN"
	while IFS= read -r line; do
		read -ra words <<<"$line"
		do_operation "${words[@]}"
	done <"$1"
	cancel_now
}

main "$@"

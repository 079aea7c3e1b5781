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

# jobs_in STATES: ids in order; each task of a pending array by itself.
jobs_in() {
	squeue -h -t "$1" -o %A | sort -nu
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
	echo "$* $job: $("$@" "$job" 2>&1 | tr '\n' ' ')"
}

do_operation() {
	local operation=$1 node
	shift
	case $operation in
	submit) do_submit "$@" ;;
	cancel) on_job RUNNING,PENDING "$1" scancel ;;
	requeue) on_job RUNNING "$1" scontrol requeue ;;
	hold) on_job PENDING "$1" scontrol hold ;;
	release) on_job PENDING "$1" scontrol release ;;
	nice)
		node=$(jobs_in PENDING | pick "$1") || return 0
		scontrol update JobId="$node" Nice="$2" 2>&1 || true
		;;
	drain)
		node=$(sinfo -h -N -o %N | sort -u | pick "$1")
		scontrol update NodeName="$node" State=DRAIN Reason=test
		;;
	undrain)
		for node in $(sinfo -h -N -t drain -o %N | sort -u); do
			scontrol update NodeName="$node" State=RESUME
		done
		;;
	esac
}

main() {
	local line
	local -a words
	SCRIPT=$2
	while IFS= read -r line; do
		read -ra words <<<"$line"
		do_operation "${words[@]}"
	done <"$1"
}

main "$@"

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Random jobs and random operations on them, the same for the same seed. One
# operation is one line:
#   submit USER OPTION... [: OPTION...]     options of sbatch
#   cancel K | requeue K | hold K | release K | drain K | undrain | nice K N
# where K picks among the jobs (nodes) the operation can be applied to.

# How long a job waits for a single switch. While it does, it keeps others from
# the nodes it would get.
SWITCH_WAIT=7-0

# one_of VALUE...: sets R to one of them.
one_of() {
	local -a values=("$@")
	R=${values[RANDOM % ${#values[@]}]}
}

# chance PERCENT
chance() {
	((RANDOM % 100 < $1))
}

# Random options are gathered in the array JOB.
random_gpus() {
	local type nodes
	one_of '' '' h100: a100:
	type=$R
	one_of 1 1 1 1 2 2 3 4
	nodes=$R
	case $((RANDOM % 8)) in
	0 | 1 | 2)
		one_of 1 1 2 2 3 4 4 8
		JOB+=("--gres=gpu:$type$R" -N "$nodes")
		;;
	3)
		one_of 1 2 3 4 5 6 8 12
		JOB+=("--gpus=$type$R")
		! chance 50 || JOB+=(-N "$nodes")
		;;
	4)
		one_of 1 2 4 6 8
		JOB+=("--gpus-per-node=$type$R" -N "$nodes")
		;;
	5)
		one_of 1 1 2
		JOB+=("--gpus-per-task=$type$R" "--ntasks=$((RANDOM % 6 + 1))")
		;;
	6) JOB+=("--ntasks=$((RANDOM % 24 + 1))") ;;
	7) JOB+=(-N "$nodes" --exclusive) ;;
	esac
}

# Apart from the others, because stock itself starts some of these with fewer
# GPUs than asked for, or none: by socket, and of any type on nodes with two.
random_gpus_doubtful() {
	local type gpus
	one_of 1 2
	gpus=$R
	one_of '' '' h100: a100:
	type=$R
	if chance 40; then
		JOB+=(--partition=two)
		random_gpus
		return
	fi
	! chance 30 || JOB+=("--partition=main,two")
	JOB+=("--gpus-per-socket=$type$gpus" "--sockets-per-node=$((RANDOM % 2 + 1))" -N "$((RANDOM % 3 + 1))")
	! chance 40 || JOB+=(--ntasks-per-node=2 --ntasks-per-socket=1)
}

random_cores_and_memory() {
	case $((RANDOM % 6)) in
	0) JOB+=("--cpus-per-task=$((RANDOM % 8 + 1))") ;;
	1) [[ ${JOB[*]} != *gpu* ]] || JOB+=("--cpus-per-gpu=$((RANDOM % 4 + 1))") ;;
	2) [[ ${JOB[*]} == *--ntasks* ]] || JOB+=("--ntasks-per-node=$((RANDOM % 3 + 1))") ;;
	esac
	case $((RANDOM % 4)) in
	0) JOB+=("--mem=$((RANDOM % 12 + 1))G") ;;
	1) [[ ${JOB[*]} == *gpu* ]] && JOB+=("--mem-per-gpu=$((RANDOM % 4 + 1))G") || JOB+=(--mem-per-cpu=500M) ;;
	2) JOB+=(--mem-per-cpu=200M) ;;
	3) JOB+=(--mem=500M) ;;
	esac
}

random_extras() {
	one_of fast ib old 'fast|old' '[fast|old]' 'old&ib' mixed
	! chance 15 || JOB+=("--constraint=$R")
	one_of low low high
	! chance 30 || JOB+=("--qos=$R")
	! chance 10 || JOB+=(--oversubscribe)
	JOB+=("--nice=$((RANDOM % 100))")
	! chance 5 || JOB+=("--core-spec=1")
	one_of matlab:2 fluent:1 matlab:1,fluent:1
	! chance 12 || JOB+=("--licenses=$R")
	! chance 8 || JOB+=("--switches=1@$SWITCH_WAIT")
	! chance 6 || JOB+=(--gres-flags=enforce-binding)
	# With GPUs it crashes stock 24.11's slurmctld.
	[[ ${JOB[*]} == *gpu* ]] || ! chance 30 || JOB+=(--spread-job)
	! chance 4 || JOB+=(--use-min-nodes)
	! chance 6 || JOB+=(--distribution=cyclic:block)
	! chance 4 || JOB+=(--threads-per-core=1)
}

# Different for each of 997 jobs and multiples of ten minutes: what ends before
# what does not depend on a few seconds.
random_limit() {
	JOB+=(--time="$((($1 * 7919 % 997 + 3) * 10))")
}

# random_submit NUMBER [doubtful]
random_submit() {
	local user
	local -a JOB=()
	one_of alice bob carol
	user=$R
	if [[ ${2:-} == doubtful ]]; then random_gpus_doubtful; else random_gpus; fi
	random_cores_and_memory
	random_extras
	random_limit "$1"
	[[ $user != alice ]] || ! chance 15 || JOB+=(--reservation=alices)
	if chance 6; then
		JOB=("${JOB[@]/#--spread-job/--no-kill}")
		JOB+=(:)
		random_gpus
		random_limit "$1"
	elif chance 8; then
		JOB+=("--array=0-$((RANDOM % 4 + 1))")
	fi
	printf 'submit %s %s\n' "$user" "${JOB[*]}"
}

# random_operation NUMBER
random_operation() {
	case $((RANDOM % 22)) in
	0 | 1 | 2 | 3 | 4 | 5 | 6) echo "cancel $RANDOM" ;;
	7) echo "requeue $RANDOM" ;;
	8) echo "hold $RANDOM" ;;
	9) echo "release $RANDOM" ;;
	10) echo "drain $RANDOM" ;;
	11) echo undrain ;;
	12) echo "nice $RANDOM $((RANDOM % 500))" ;;
	*) random_submit "$1" ;;
	esac
}

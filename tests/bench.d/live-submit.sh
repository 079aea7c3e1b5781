# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Submits the jobs of a window, each at its time by the cluster's clock. Runs inside a cluster
# as: JOBS LOG, where JOBS has lines "ID SUBMIT DURATION MINUTES USER ACCOUNT QOS NODES GPUS"
# (GPUS a node). LOG gets "ID WANTED ACTUAL SLURM_ID", times in seconds from the first line
# "origin SECONDS".
set -euo pipefail

# submit NAME OPTION...: prints Slurm's id. Under a fast clock on a busy machine a client may fail
# although slurmctld took the job.
submit() {
	local try job
	for try in 1 2 3 4 5; do
		if job=$(sbatch --parsable -J "$@"); then
			echo "$job"
			return
		fi
		echo "job $1: sbatch failed, try $try" >&2
		job=$(squeue -h -t all -n "$1" -o %i | head -n 1) || job=
		[[ -z $job ]] || {
			echo "$job"
			return
		}
	done
	return 1
}

main() {
	local jobs=$1 log=$2 origin id wanted duration minutes user account qos nodes gpus wait actual job
	# A start a moment from now, on a whole second.
	origin=$((EPOCHSECONDS + 60))
	echo "origin $origin" >"$log"
	while read -r id wanted duration minutes user account qos nodes gpus; do
		wait=$((origin + wanted - EPOCHSECONDS))
		((wait <= 0)) || sleep "$wait"
		actual=$((EPOCHSECONDS - origin))
		job=$(submit "$id" --uid="$user" --chdir=/ -o /dev/null -A "$account" --qos="$qos" \
			-t "$minutes" -N "$nodes" --ntasks-per-node=1 --mem=1 --gres="gpu:h100:$gpus" \
			--wrap "exec sleep $duration")
		echo "$id $wanted $actual $job" >>"$log"
	done <"$jobs"
}

# All of the file is read by now: a run of an hour outlives changes of it.
main "$@"
exit

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Submits the jobs of a window, each at its time by the cluster's clock. Runs inside a cluster
# as: JOBS LOG, where JOBS has lines "ID SUBMIT DURATION MINUTES USER ACCOUNT QOS NODES GPUS"
# (GPUS a node). LOG gets "ID WANTED ACTUAL SLURM_ID", times in seconds from the first line
# "origin SECONDS".
set -euo pipefail

jobs=$1 log=$2

# A start a moment from now, on a whole second.
origin=$((EPOCHSECONDS + 60))
echo "origin $origin" >"$log"
while read -r id submit duration minutes user account qos nodes gpus; do
	wait=$((origin + submit - EPOCHSECONDS))
	((wait <= 0)) || sleep "$wait"
	actual=$((EPOCHSECONDS - origin))
	job=$(sbatch --parsable --uid="$user" --chdir=/ -o /dev/null -J "$id" -A "$account" --qos="$qos" \
		-t "$minutes" -N "$nodes" --ntasks-per-node=1 --mem=1 --gres="gpu:h100:$gpus" \
		--wrap "exec sleep $duration")
	echo "$id $submit $actual $job" >>"$log"
done <"$jobs"

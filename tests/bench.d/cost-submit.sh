# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Submits jobs in parallel. Runs inside a cluster as: JOBS SUBMITTERS, where JOBS has lines
# "USER OPTION..." of sbatch. Prints the milliseconds from the first to the last answer.
set -euo pipefail

jobs=$1 submitters=$2

# The submitter's share: every SUBMITTERS-th line from the K-th on.
submit_share() {
	local user line
	local -a options
	while read -r user line; do
		read -ra options <<<"$line"
		sbatch -Q --parsable --uid="$user" --chdir=/ -o /dev/null "${options[@]}" >/dev/null
	done < <(awk -v k="$1" -v n="$submitters" 'NR % n == k' "$jobs")
}

begin=${EPOCHREALTIME/./}
pids=()
for ((k = 0; k < submitters; k++)); do
	submit_share "$k" &
	pids+=($!)
done
for pid in "${pids[@]}"; do
	wait "$pid"
done
echo $(((${EPOCHREALTIME/./} - begin) / 1000))

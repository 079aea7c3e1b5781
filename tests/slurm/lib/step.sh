#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One batch of operations on one of two clusters that must stay alike: with the
# partitions closed, so that the scheduler sees all of the batch at once however
# fast it came, then open until the scheduler has been through it. Prints what
# came of the operations and then every job's place. Runs inside a cluster as:
# OPERATIONS JOB_SCRIPT
set -euo pipefail

HERE=$(dirname "$(readlink -f "$0")")

# Both at nearly the same moment: jobs of either take from the same licenses.
partitions() {
	printf 'update PartitionName=%s State=%s\n' main "$1" two "$1" | scontrol >/dev/null
}

# The second the last cycle of backfill began.
last_cycle() {
	local when
	when=$(sdiag | sed -nE 's/.*Last cycle when: (.*) \([0-9]+\)$/\1/p; t; s/.*Last cycle when: (.*)$/\1/p')
	date -d "$when" +%s 2>/dev/null || echo 0
}

# No grep -q: squeue would die of the closed pipe, and that is a failure here.
jobs_moving() {
	squeue -h -o %T | grep -E 'COMPLETING|CONFIGURING|REQUEUED|SIGNALING' >/dev/null
}

# A node is asked whether it responds when it is resumed, and is marked * so long.
nodes_moving() {
	sinfo -h -N -o %T | grep -E '[*]|COMPLETING|completing' >/dev/null
}

# What was cancelled or requeued is gone: that takes its own time on each cluster.
wait_still() {
	local tries=0
	while jobs_moving || nodes_moving; do
		((tries++ < 600)) || { echo "jobs or nodes do not come to rest" && exit 1; }
		sleep 0.3
	done
}

# Jobs that were requeued wait for a second of their own choice: now.
requeued_begin() {
	local job
	for job in $(squeue -h -t PENDING -o '%A %r' | awk '$2 == "BeginTime" { print $1 }' | sort -nu); do
		scontrol update JobId="$job" StartTime=now 2>/dev/null || true
	done
}

# Waits until backfill began a cycle after now; touching the partition gives it a
# reason to.
scheduled() {
	local since tries=0
	since=$(date +%s)
	while ((tries++ < 150)); do
		jobs_moving || nodes_moving || (($(last_cycle) <= since)) || return 0
		scontrol update PartitionName=main State=UP
		sleep 0.3
	done
	echo "backfill does not run"
	exit 1
}

# Until another cycle changes nothing: some starts make others possible.
settle() {
	local before='' now tries=0
	while ((tries++ < 10)); do
		scheduled
		now=$(places)
		[[ $now != "$before" ]] || return 0
		before=$now
	done
	echo "not settled"
}

# What must be the same: state, nodes, cores and GPUs of each job. The sizes of a
# pending one are estimates of when it was last looked at.
places() {
	scontrol show job -d -o 2>/dev/null | grep -E 'JobState=(PENDING|RUNNING|SUSPENDED)' | sort |
		grep -oE '(^| )(JobId|ArrayTaskId|HetJobId|Priority|JobState|Restarts|QOS|NodeList|NumNodes|NumCPUs|Partition|Nodes|CPU_IDs|Mem|GRES|ReservationName|Licenses|CoreSpec)=[^ ]*' |
		sed 's/^ *//' | paste -sd ' ' | sed 's/ JobId=/\nJobId=/g' |
		sed '/JobState=PENDING/s/ Num[A-Za-z]*=[^ ]*//g'
}

main() {
	OUT=$(mktemp -u "$1.XXXXXX")
	partitions DOWN
	requeued_begin
	DRIVE_FROZEN=$OUT.jobs "$HERE/drive.sh" "$1" "$2"
	wait_still
	partitions UP
	settle
	places
}

main "$@"

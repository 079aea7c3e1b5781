#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a team used is the same to the GPU-second in the ledger, in the view and in
# accounting, also when jobs start, run and end over a restart, kill -9, reconfigure and
# takeover by the backup controller.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

LONG='' LAST=''

# Jobs that end soon, some within the second they start in; the last ones run for some seconds of
# real time, for what disrupts them.
short_jobs() {
	local seconds
	for seconds in 0 0.3 1 20; do
		burst g bob 2 --gres=gpu:2 -t 10 --wrap="exec sleep $seconds" >/dev/null
		LAST=$(submit g carol --gres=gpu:1 -t 10 --wrap="exec sleep $seconds" 2>/dev/null)
	done
}

# All jobs up to the last one, whose number is their count, are in accounting, and of those
# of vision and speech none runs.
short_ended() {
	[[ -z $(on g squeue -h -A vision,speech) ]] || return 1
	SLURM_TIME_FORMAT=%s on g sacct -a -X -n -P -S 2000-01-01 -o Account,End |
		awk -F'|' -v jobs="$LAST" '$1 != "nlp" && $2 !~ /^[0-9]/ { runs = 1 } END { exit NR != jobs || runs }'
}

# Accounting has every start and every end.
accounting_current() {
	local running
	running=$(on g squeue -h -t R -o %i | wc -l)
	SLURM_TIME_FORMAT=%s on g sacct -a -X -n -P -S 2000-01-01 -o Start,End |
		awk -F'|' -v jobs="$LAST" -v running="$running" '$1 ~ /^[0-9]/ && $2 !~ /^[0-9]/ { n++ } END { exit NR != jobs || n != running }'
}

# used ACCOUNT NOW: GPU-seconds by accounting; what runs, until then.
used() {
	SLURM_TIME_FORMAT=%s on g sacct -a -X -D -n -P -A "$1" -S 2000-01-01 -o Start,End,AllocTRES |
		awk -F'|' -v now="$2" '
			$1 ~ /^[0-9]/ && match($3, /gres\/gpu=[0-9]+/) {
				end = $2 ~ /^[0-9]/ ? $2 : now
				sum += substr($3, RSTART + 9, RLENGTH - 9) * (end - $1)
			}
			END { print sum + 0 }'
}

# The view has what accounting has.
agrees() {
	local view written queue
	view=$(<"${CLUSTER[g]}/state/gangway/view")
	written=$(sed -n 's/^View=1 Written=\([0-9]*\) .*/\1/p' <<<"$view")
	FOUND=''
	for queue in nlp vision speech; do
		FOUND+="$queue $(sed -n "s/^Queue=$queue .* Usage=\([0-9.e+]*\) .*/\1/p" <<<"$view") $(used "$queue" "$written"); "
	done
	awk -v found="$FOUND" 'BEGIN { n = split(found, part, "; "); for (i = 1; i < n; i++) { split(part[i], f, " "); if (f[2] != f[3]) exit 1 } exit n < 2 }'
}

# expect_agreement WHAT: once all short jobs are accounted for. After a restart slurmctld
# tells slurmdbd late.
expect_agreement() {
	local end=$(($(now_ms) + 20000))
	wait_for 60 "$1: the end of short jobs" short_ended
	until agrees; do
		(($(now_ms) < end)) || fail "$1: queue, GPU-seconds of the view, of accounting: $FOUND"
		sleep 0.3
	done
	note "$1: $FOUND"
}

# expect_usage STATUS: what gangway usage says of ledger and accounting.
expect_usage() {
	local status=0
	on g gangway usage --from-sacct 2020-01-01 -P >"$WORK/usage" 2>&1 || status=$?
	expect "exit status of gangway usage --from-sacct" "$1" "$status"
}

incarnation() {
	printf "%s %s\n" "$(status_value g Version Pid)" "$(status_value g Version Started)"
}

# Another process has written the status: it is up and has read the ledger.
another_than() {
	[[ $(incarnation) != "$1" ]] && on g squeue -h
}

disrupt_restart() {
	cluster g restart slurmctld
}

disrupt_kill() {
	cluster g kill slurmctld
	sleep 2 # what ends now is told to nobody
	cluster g restart slurmctld
}

disrupt_reconfigure() {
	on g scontrol reconfigure
}

disrupt_takeover() {
	cluster g kill slurmctld
	wait_for 30 "the backup to take over" on g scontrol takeover
}

# disrupted WHAT: while jobs start, run and end.
disrupted() {
	local before saved
	before=$(incarnation)
	short_jobs
	wait_for 20 "running jobs of vision" running_of vision
	# What slurmctld has not told or saved when it dies is lost to stock itself.
	wait_for 30 "accounting to know of all jobs" accounting_current
	saved=$(stat -c %i "${CLUSTER[g]}/state/job_state")
	on g scontrol update JobId="$LONG" Comment="$1"
	wait_for 20 "slurmctld to save its state" saved_since "$saved"
	"disrupt_$1"
	[[ $1 == reconfigure && $SLURM_VERSION == 22.05 ]] || wait_for 40 "slurmctld after $1" another_than "$before"
	LAST=$(submit g bob --gres=gpu:1 -t 10 --wrap='exec sleep 1' 2>/dev/null)
	expect_agreement "$1"
	job_is g "$LONG" RUNNING || fail "$1: the long job does not run any more"
}

saved_since() {
	[[ $(stat -c %i "${CLUSTER[g]}/state/job_state") != "$1" ]]
}

running_of() {
	[[ -n $(on g squeue -h -t R -A "$1") ]]
}

mapfile -t pool < <(policy_one_pool 32)
policy_write "$WORK/conf" UsageHalfLife=NONE "${pool[@]}"
echo SchedulerParameters=bf_interval=1,sched_interval=1,batch_sched_delay=0,sched_min_interval=100000 >"$WORK/slurm.conf"
policy_up g "$WORK/conf" --nodes 4 --cores 16 --backup --speed 5 --slurm-conf "$WORK/slurm.conf"
cluster_errors_allowed g 'slurm_receive_msg|Zero Bytes|Connection (refused|reset)|Unable to (contact|register)|persist|Socket timed out|Invalid RPC received .* while in standby mode'
LONG=$(submit g alice --gres=gpu:4 -t 600)
wait_for 20 "the long job" job_is g "$LONG" RUNNING
short_jobs
expect_agreement "undisturbed"
disrupted restart
disrupted kill
disrupted reconfigure
expect_usage 0
note "$(paste -sd ' ' "$WORK/usage")"
disrupted takeover
expect_usage 0
# For the check at the end.
cluster g restart slurmctld

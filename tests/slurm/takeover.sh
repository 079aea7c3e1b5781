#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two slurmctlds. The standby has no thread of Gangway and writes none of its
# state; after takeover, and after kill -9 of the primary, it runs with Gangway's
# hooks open; jobs live; the primary takes back.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/switch.sh
. "$TEST_LIB/switch.sh"

# The standby notices a dead primary after SlurmctldTimeout seconds. The clock is fast because
# 24.11 takes half a minute to hand control back, and 22.05 pings nodes each 100 seconds.
SPEED=10
cat >"$WORK/slurm.conf" <<'CONF'
PriorityWeightAge=0
PriorityWeightFairshare=0
SlurmctldTimeout=50
SlurmdTimeout=300
CONF
printf '%s\n' UsageHalfLife=7-0 HookTimeBudget=60000 >"$WORK/gangway.conf"

pid_of() {
	on c cut -d' ' -f1 "${CLUSTER[c]}/run/inside/$1.id"
}

status_by() {
	[[ $(status_value c Version Pid) == "$1" ]]
}

in_control() {
	[[ $(on c scontrol ping) =~ $1[^$'\n']*'is UP' ]] && on c timeout $((10 * SPEED)) squeue -h
}

two_run() {
	(($(on c squeue -h -t RUNNING -o %i | wc -l) == 2))
}

# Wake-ups of the engine's thread among the files of a process.
engine_threads() {
	# shellcheck disable=SC2016
	on c sh -c 'ls -l /proc/"$1"/fd | grep -c "anon_inode:\[eventfd\]"' sh "$1" || true
}

standby_rests() {
	[[ $(engine_threads "$(pid_of slurmctld-backup)") == 0 ]]
}

same() {
	expect "running jobs $1" "$(cat "$WORK/running")" "$(running_facts c)"
	expect "processes of jobs $1" "$(cat "$WORK/processes")" "$(job_processes c)"
	note "same $1"
}

# A job goes through every hook, and the one in control counts it.
works() {
	local calls id
	status_fresh c
	calls=$(status_value c Hook=placement Calls)
	id=$(submit c bob --gres=gpu:1 --wrap=true)
	# Gangway keeps jobs with GPUs from nodes that have not registered since; the
	# second takeover by one process on 22.05 lets them wait for the next ping.
	wait_for 100 "a job under the $1" job_is c "$id" COMPLETED
	status_fresh c
	(($(status_value c Hook=placement Calls) > calls)) || fail "the placement hook of the $1 is not called"
	expect_status c Hook=placement Errors 0
	expect_status c Subsystem=placement State on
	note "the $1 works"
}

cluster_up c --nodes 2 --cores 8 --backup --speed "$SPEED" --conf "$WORK/gangway.conf" --slurm-conf "$WORK/slurm.conf"
# A takeover tells of itself by error lines.
cluster_errors_allowed c 'slurmctld.*(ControlMachine|BackupController|not responding|takeover|Takeover|primary|standby)|Invalid RPC received|Unable to contact|_shutdown_bu_thread|slurm_receive_msg|slurm_send|slurm_msg_|Connection refused|Slurmctld has been shut|controller|persist_init|PersistInit|agent_init: thread already running'
primary=$(pid_of slurmctld)
backup=$(pid_of slurmctld-backup)
status_by "$primary" || fail "the status is not the primary's"
expect "eventfds of the standby" 0 "$(engine_threads "$backup")"
[[ $(engine_threads "$primary") != 0 ]] || fail "the primary's engine has no wake-up: the witness is blind"

submit c alice --gres=gpu:h100:2 -c4 --wrap='exec sleep 86401' >/dev/null
submit c carol --gpus=3 --wrap='exec sleep 86402' >/dev/null
wait_for 20 "two running jobs" two_run
wait_for 20 "their processes" job_processes_above c 1
running_facts c >"$WORK/running"
job_processes c >"$WORK/processes"
works primary
expect "eventfds of the standby" 0 "$(engine_threads "$backup")"

on c scontrol takeover 1 || on c scontrol takeover
wait_for 60 "the backup to write the status" status_by "$backup"
wait_for 60 "the backup in control" in_control backup
same "after scontrol takeover"
works backup

cluster c restart slurmctld
primary=$(pid_of slurmctld)
wait_for 60 "the primary to take back" status_by "$primary"
wait_for 60 "the primary in control" in_control primary
same "after the primary took back"
works primary

backup=$(pid_of slurmctld-backup)
cluster c kill slurmctld
wait_for 90 "the backup after kill -9 of the primary" status_by "$backup"
wait_for 60 "the backup in control" in_control backup
same "after kill -9 of the primary"
works backup

cluster c restart slurmctld
primary=$(pid_of slurmctld)
wait_for 60 "the primary to take back again" status_by "$primary"
same "after the primary took back again"
works primary
wait_for 60 "the standby without Gangway's thread" standby_rests

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The way in and out: what pending jobs ask for, their priority and their limits
# are the same before Gangway, with it, after gangway off, and on stock again,
# with kill -9 between; running jobs live through all of it; nothing is left but
# what gangway off lists.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/switch.sh
. "$TEST_LIB/switch.sh"

# Factors that move by themselves would hide a change: with time, and the size of a pending job
# with stock's estimate of it, which a restart forgets.
cat >"$WORK/slurm.conf" <<'CONF'
PriorityWeightAge=0
PriorityWeightFairshare=0
PriorityWeightJobSize=0
CONF

limits_make() {
	on c sacctmgr -i add qos gold Priority=50 GrpTRES=gres/gpu=12 MaxTRESPerJob=gres/gpu=16
	on c sacctmgr -i modify account nlp,vision,speech set qos=normal,gold
	on c sacctmgr -i modify account vision set GrpTRES=gres/gpu=10 GrpJobs=50
	on c sacctmgr -i modify user carol set MaxJobs=40
}

jobs_make() {
	local first
	first=$(submit c alice --gres=gpu:2 -c4 --wrap='exec sleep 86401')
	submit c bob --gres=gpu:h100:3 -N2 -c2 --wrap='exec sleep 86402'
	submit c carol --gpus-per-task=1 -n2 --qos=gold --wrap='exec sleep 86403'
	submit c alice --gres=gpu:8 -N2 --qos=gold
	submit c bob --gpus=12 -N2 --nice=10 -t 100
	submit c carol --gres=gpu:8 -N2 --qos=gold
	submit c alice --gres=gpu:1 --hold
	submit c bob --gres=gpu:1 "--dependency=afterok:$first" --comment=waits
	submit c carol --gpus-per-node=8 -N2 --array=0-3
	submit c alice --gres=gpu:4 --begin=now+10hours
}

three_run() {
	(($(on c squeue -h -t RUNNING -o %i | wc -l) == 3))
}

some_run() {
	(($(on c squeue -h -t RUNNING -o %i | wc -l)))
}

# same WHEN: nothing changed for any job.
same() {
	expect "pending jobs $1" "$(cat "$WORK/pending")" "$(pending_facts c)"
	expect "limits $1" "$(cat "$WORK/limits")" "$(limit_facts c)"
	expect "running jobs $1" "$(cat "$WORK/running")" "$(running_facts c)"
	expect "processes of jobs $1" "$(cat "$WORK/processes")" "$(job_processes c)"
	note "same $1"
}

kill_and_restart() {
	cluster c kill slurmctld
	cluster c restart slurmctld
}

# Applies the lines that gangway off printed: "FILE:LINE: OLD  ->  NEW".
apply_listed_lines() {
	sed -nE 's/^  (.*):([0-9]+): (.*)  ->  (.*)$/\1\t\2\t\3\t\4/p' "$1" >"$WORK/changes"
	[[ -s $WORK/changes ]] || fail "gangway off lists no line of slurm.conf"
	awk -F '\t' '
		NR == FNR { old[$2] = $3; fresh[$2] = $4; next }
		!(FNR in fresh) { print; next }
		$0 != old[FNR] { printf "line %d is %s, not %s\n", FNR, $0, old[FNR] >"/dev/stderr"; bad = 1 }
		fresh[FNR] != "delete the line" { print fresh[FNR] }
		END { exit bad }
	' "$WORK/changes" "${CLUSTER[c]}/etc/slurm.conf" >"$WORK/slurm.conf.out" || fail "gangway off lists other lines than slurm.conf has"
	cp "$WORK/slurm.conf.out" "${CLUSTER[c]}/etc/slurm.conf"
}

# Files of Gangway in the cluster which the list does not cover, logs aside.
left_unlisted() {
	local path listed
	find "${CLUSTER[c]}" -path "${CLUSTER[c]}/log" -prune -o -iname '*gangway*' -print | while read -r path; do
		listed=
		while read -r line; do
			[[ $path != "$line" && $path != "$line"/* ]] || listed=1
		done < <(sed -nE 's/^  (\/.*) \(.*\)$/\1/p' "$1")
		[[ -n $listed ]] || echo "$path"
	done
}

cluster_up c --nodes 2 --slurm-conf "$WORK/slurm.conf"
cluster_errors_allowed c "appears to have a different slurm.conf than the slurmctld"
limits_make >/dev/null
conf_to_stock c
restart_all c
expect "priority plugin on stock" priority/multifactor "$(on c scontrol show config | awk '$1 == "PriorityType" { print $3 }')"
jobs_make >/dev/null
wait_for 20 "three running jobs" three_run
wait_for 20 "their processes" job_processes_above c 2
# Some of what stock shows of a job changes when it reads the job back.
cluster c restart slurmctld
pending_facts c >"$WORK/pending"
limit_facts c >"$WORK/limits"
running_facts c >"$WORK/running"
job_processes c >"$WORK/processes"
note "$(grep -c ^JobId "$WORK/pending") pending jobs on stock"

conf_to_gangway c
restart_all c
expect_status c Version Off no
expect_status c Plugin=priority/gangway State forwarding
same "with Gangway"
on c scontrol reconfigure
status_fresh c
same "after reconfigure"
kill_and_restart
same "after kill -9 with Gangway on"

on c gangway off >"$WORK/off" || fail "gangway off: exit code $?: $(cat "$WORK/off")"
status_fresh c
expect_status c Version Off yes
same "after gangway off"
kill_and_restart
expect_status c Version Off yes
same "after gangway off and kill -9"
on c gangway off --undo >/dev/null
status_fresh c
expect_status c Version Off no
same "after gangway off --undo"
cluster c kill slurmctld
on c gangway off >"$WORK/off" || fail "gangway off without slurmctld: exit code $?"
cluster c restart slurmctld
expect_status c Version Off yes
same "after gangway off while slurmctld was dead"

apply_listed_lines "$WORK/off"
expect "unlisted files" '' "$(left_unlisted "$WORK/off")"
restart_all c
conf_is_stock c || fail "slurm.conf still names Gangway"
expect "gangway in the configuration in force" '' "$(on c scontrol show config | grep -i 'gangway' | grep -v "${CLUSTER[c]}" || true)"
same "on stock again"
on c scancel --state=RUNNING
wait_for 30 "a job that was pending all along to run on stock" some_run
on c scancel --state=PENDING
on c scancel --state=RUNNING
new=$(submit c alice --gres=gpu:1 --wrap=true)
wait_for 30 "a new job to run on stock" job_is c "$new" COMPLETED

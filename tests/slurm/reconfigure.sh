#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# scontrol reconfigure, which 22.05 does in the process and 24.11 by running
# slurmctld anew: a changed gangway.conf comes into force, running and pending
# jobs stay as they are, and twenty of them in a row while jobs are submitted
# leave no thread and no open file behind.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/switch.sh
. "$TEST_LIB/switch.sh"

cat >"$WORK/slurm.conf" <<'CONF'
PriorityWeightAge=0
PriorityWeightFairshare=0
CONF

conf_write() {
	printf 'UsageHalfLife=NONE\n%s\n' "$1" >"$WORK/gangway.conf"
	[[ -n ${CLUSTER[c]:-} ]] || return 0
	cp "$WORK/gangway.conf" "${CLUSTER[c]}/etc/gangway.conf.new"
	mv "${CLUSTER[c]}/etc/gangway.conf.new" "${CLUSTER[c]}/etc/gangway.conf"
}

reconfigure() {
	on c scontrol reconfigure
}

two_run() {
	(($(on c squeue -h -t RUNNING -o %i | wc -l) == 2))
}

mode_is() {
	[[ $(status_value c Version Mode) == "$1" && $(status_value c Version ConfigState) == ok ]]
}

# Threads and open files of slurmctld, as "THREADS FILES".
slurmctld_holds() {
	# shellcheck disable=SC2016
	on c sh -c 'read pid _ <"$1/run/inside/slurmctld.id"; ls /proc/$pid/task | wc -l; ls /proc/$pid/fd | wc -l' sh "${CLUSTER[c]}" |
		paste -sd ' '
}

# holds_at_most THREADS FILES: threads that serve a request come and go.
holds_at_most() {
	local threads files
	read -r threads files < <(slurmctld_holds)
	((threads <= $1 && files <= $2))
}

same() {
	expect "pending jobs $1" "$(cat "$WORK/pending")" "$(pending_facts c)"
	expect "running jobs $1" "$(cat "$WORK/running")" "$(running_facts c)"
	expect "processes of jobs $1" "$(cat "$WORK/processes")" "$(job_processes c)"
}

# Submits small jobs until the file WORK/stop is there.
submit_load() {
	local count=0
	while [[ ! -e $WORK/stop ]]; do
		as c bob sbatch -Q -o /dev/null --gres=gpu:1 -t 1 --wrap=true >/dev/null 2>>"$WORK/load.errors" || true
		count=$((count + 1))
		echo "$count" >"$WORK/load"
	done
}

load_is() {
	(($(cat "$WORK/load" 2>/dev/null || echo 0) >= $1))
}

queue_is_kept_jobs() {
	(($(on c squeue -h -r -o %i | wc -l) == KEPT))
}

conf_write Mode=observe
cluster_up c --nodes 2 --conf "$WORK/gangway.conf" --slurm-conf "$WORK/slurm.conf"
expect_status c Version Mode observe
# Stock 22.05 answers no request while it reconfigures; now and then one of the
# load waits too long on a busy machine.
# While 22.05 reads slurm.conf again, a request may find the default munge socket in force, or no
# time for an answer.
cluster_errors_allowed c 'slurm_msg_sendto: address:port=.* Socket timed out|munge|slurm_(unpack_received_msg|receive_msgs): .*([Aa]uthentication|Protocol authentication)|slurm_receive_msg .*(Unspecified error|Socket timed out)|Unable to register: Zero Bytes'
submit c alice --gres=gpu:h100:2 -c4 --wrap='exec sleep 86401' >/dev/null
submit c carol --gpus=3 --wrap='exec sleep 86402' >/dev/null
wait_for 20 "two running jobs" two_run
submit c alice --gres=gpu:8 -N2 >/dev/null
submit c carol --gres=gpu:8 -N2 --nice=20 --array=0-1 >/dev/null
submit c bob --gres=gpu:1 --hold >/dev/null
KEPT=$(on c squeue -h -r -o %i | wc -l)
reconfigure
wait_for 20 "two processes of jobs" job_processes_above c 1
pending_facts c >"$WORK/pending"
running_facts c >"$WORK/running"
job_processes c >"$WORK/processes"

conf_write Mode=enforce
reconfigure
wait_for 20 "mode enforce" mode_is enforce
same "after the first change"
conf_write Mode=observe
reconfigure
wait_for 20 "mode observe" mode_is observe
same "after the second change"
status_fresh c
read -r threads files < <(slurmctld_holds)
note "slurmctld holds $threads threads, $files files"

submit_load &
load_pid=$!
wait_for 20 "load" load_is 3
for ((i = 0; i < 20; i++)); do
	conf_write "Mode=$( ((i % 2)) && echo enforce || echo observe)"
	reconfigure || fail "reconfigure $i"
done
touch "$WORK/stop"
wait "$load_pid"
note "$(cat "$WORK/load") jobs submitted meanwhile, $(wc -l <"$WORK/load.errors") lines on stderr"
wait_for 20 "mode enforce after twenty" mode_is enforce
wait_for 60 "the load to end" queue_is_kept_jobs
same "after twenty"
# The thread pool of the process may have grown by a few that now idle.
wait_for 30 "at most $threads + 3 threads and $files + 4 files, now $(slurmctld_holds)" holds_at_most "$((threads + 3))" "$((files + 4))"
note "slurmctld holds $(slurmctld_holds)"
expect_status c Hook=placement Errors 0
new=$(submit c bob --gres=gpu:1 --wrap=true)
wait_for 20 "a job after all that" job_is c "$new" COMPLETED

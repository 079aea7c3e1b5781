# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs, nodes and Gangway's figures of a test's clusters. Needs test.sh.

# submit NAME USER SBATCH_OPTION...: prints the job's id. Jobs sleep until they
# are cancelled unless a --wrap is given.
submit() {
	local name=$1 user=$2
	shift 2
	[[ " $*" == *" --wrap="* ]] || set -- "$@" --wrap='exec sleep 86400'
	as "$name" "$user" sbatch --parsable -o /dev/null "$@"
}

# job_field NAME ID FIELD: of scontrol show job -d, e.g. JobState, Priority.
job_field() {
	on "$1" scontrol show job -d -o "$2" |
		awk -v key="$3=" '{ for (i = 1; i <= NF; i++) if (index($i, key) == 1) { print substr($i, length(key) + 1); exit } }'
}

# job_is NAME ID STATE...
job_is() {
	local state
	state=$(job_field "$1" "$2" JobState)
	[[ " ${*:3} " == *" $state "* ]]
}

# Nothing is starting, ending or configuring.
jobs_settled() {
	! on "$1" squeue -h -o %T | grep -E 'COMPLETING|CONFIGURING|REQUEUED|SIGNALING|STAGE_OUT' >/dev/null
}

# status_value NAME LINE KEY: of Gangway's status file as it is; LINE is the
# first field of the line, e.g. Hook=placement, or Version for the head.
status_value() {
	awk -v first="$2" -v key="$3=" '
		$1 == first || index($1, first "=") == 1 {
			for (i = 1; i <= NF; i++) if (index($i, key) == 1) { print substr($i, length(key) + 1); exit }
		}' "${CLUSTER[$1]}/state/gangway/status"
}

# True when the status file was written at or after a time in seconds.
status_written_since() {
	local written
	written=$(status_value "$1" Version Written) && [[ -n $written ]] && ((written >= $2))
}

# Waits for a status that tells of everything up to now, by the cluster's clock.
status_fresh() {
	wait_for 30 "a fresh status file" status_written_since "$1" "$(($(on "$1" date +%s) + 1))"
}

# expect_status NAME LINE KEY WANTED
expect_status() {
	expect "$1: $2 $3 of the status" "$4" "$(status_value "$1" "$2" "$3")"
}

# status_above NAME LINE KEY NUMBER
status_above() {
	(($(status_value "$1" "$2" "$3") >= $4))
}

# slurm_conf NAME KEY VALUE: replaces the line of that key, or takes it away if
# VALUE is empty.
slurm_conf() {
	local file=${CLUSTER[$1]}/etc/slurm.conf
	sed -i "/^$2=/d" "$file"
	[[ -z $3 ]] || printf '%s=%s\n' "$2" "$3" >>"$file"
}

slurmctld_ended() {
	local pid
	read -r pid _ <"${CLUSTER[$1]}/run/inside/slurmctld.id"
	! on "$1" test -e "/proc/$pid"
}

# slurmctld_end NAME: by SIGTERM, so that it saves its state. After kill -9 it may know again, as
# running, jobs that had ended already: it saves no more often than each five seconds.
slurmctld_end() {
	cluster "$1" kill slurmctld --signal TERM
	wait_for 30 "slurmctld to end" slurmctld_ended "$1"
}

# emptied NAME: no job is left there. To be waited for: one that just then starts or is requeued
# is cancelled the next time.
emptied() {
	local state
	for state in PENDING RUNNING SUSPENDED; do
		on "$1" scancel --state="$state"
	done
	[[ -z $(on "$1" squeue -h) ]]
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the steps of pair.sh are made of. Runs inside a cluster, as root, with SLOWNESS of test.sh.
set -euo pipefail

# job USER SBATCH_OPTION...: submits one that sleeps; prints its id.
job() {
	local user=$1
	shift
	sbatch --parsable --uid="$user" --chdir=/ -o /dev/null "$@" --wrap='exec sleep 86400' 2>/dev/null
}

# until_true SECONDS WHAT COMMAND...
until_true() {
	local end=$((SECONDS + $1 * SLOWNESS)) what=$2
	shift 2
	until "$@"; do
		((SECONDS < end)) || {
			printf 'still waiting for %s\n' "$what"
			squeue -a -o '%i %u %q %T %r %N'
			sinfo -N -o '%N %T'
			exit 1
		} >&2
		sleep 0.1
	done
}

# field ID KEY: of scontrol show job.
field() {
	scontrol show job -d -o "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1
}

# is STATE ID...: all are.
is() {
	local state=$1 id
	shift
	for id; do
		[[ $(field "$id" JobState) == "$state" ]] || return 1
	done
}

running() {
	is RUNNING "$@"
}

# start USER SBATCH_OPTION...: and waits until it runs.
start() {
	local id
	id=$(job "$@")
	until_true 40 "job $id ($*) to start" running "$id"
	printf '%s\n' "$id"
}

# The scheduler looked at it and left it.
waits() {
	[[ $(field "$1" JobState) == PENDING && ! $(field "$1" Reason) =~ ^(None|Priority|BeginTime)$ ]]
}

# left USER SBATCH_OPTION...: submits, and waits until the scheduler left it.
left() {
	local id
	id=$(job "$@")
	until_true 20 "job $id ($*) to be looked at" waits "$id"
	printf '%s\n' "$id"
}

# fates ID...: each one's state and how often it was started again.
fates() {
	local id out=
	for id; do
		out+=" $(field "$id" JobState):$(field "$id" Restarts)"
	done
	echo "${out# }"
}

nodes() {
	field "$1" NodeList
}

# One a line.
each_node() {
	scontrol show hostnames "$(nodes "$1")"
}

no_jobs() {
	[[ -z $(squeue -h -a) ]] && ! scontrol show node -o | grep ' CPUAlloc=[1-9]' >/dev/null
}

# stop [ID]...: cancels these, or all, and waits until they are gone.
stop() {
	local -a ids=("$@")
	((${#ids[@]})) || mapfile -t ids < <(squeue -h -a -o %i | sed 's/[+_].*//' | sort -u)
	((${#ids[@]} == 0)) || scancel "${ids[@]}"
	if (($#)); then
		until_true 30 "job $* to end" gone "$@"
	else
		until_true 30 "all jobs to end" no_jobs
	fi
}

gone() {
	local id
	for id; do
		[[ -z $(squeue -h -a -j "$id" 2>/dev/null) ]] || return 1
	done
}

# True after the second given.
second_is_over() {
	(($(date +%s) > $1))
}

# Jobs that were requeued wait for a second of their own choice: now. A slurmd refuses a job that
# starts in the second in which it was told to end it.
begin_now() {
	local id
	until_true 10 "the next second" second_is_over "$(date +%s)"
	for id; do
		scontrol update JobId="$id" StartTime=now 2>/dev/null || true
	done
}

# passes main|backfill: since slurmctld started.
passes() {
	sdiag | awk -v kind="$1" '
		/^Main schedule/ { part = "main" } /^Backfilling stats/ { part = "backfill" }
		/Total cycles:/ && part == kind { print $3; exit }'
}

# power_is on|off NODE...: and not on its way to either.
power_is() {
	local node state want=$1
	shift
	for node; do
		state=$(scontrol show node -o "$node" | sed -n 's/.* State=\([^ ]*\) .*/\1/p')
		case $want in
		on) [[ -n $state && $state != *POWER* ]] || return 1 ;;
		off) [[ $state == *POWERED_DOWN* ]] || return 1 ;;
		esac
	done
}

# seconds ID StartTime|EndTime: since 1970.
seconds() {
	date -d "$(field "$1" "$2")" +%s
}

# Backfill knows when it will start.
expected() {
	[[ $(field "$1" StartTime) == 2* ]]
}

# run_so_many COUNT: jobs and tasks.
run_so_many() {
	(($(squeue -h -r -t R -o %A | wc -l) == $1))
}

# cycles_since COUNT: two more of backfill; touching the partition gives it a reason to. None where
# nothing waits.
cycles_since() {
	[[ -z $(squeue -h -t PD) ]] || (($(passes backfill) >= $1 + 2)) || {
		scontrol update PartitionName=main State=UP
		return 1
	}
}

# Backfill has seen all that is pending.
settle() {
	until_true 40 "two cycles of backfill" cycles_since "$(passes backfill)"
}

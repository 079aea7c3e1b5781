#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The circuit breaker of each hook: more errors or more time than gangway.conf allows within
# a minute, and that hook alone does what stock does, says so in one line, and shows it in
# the status; jobs start right all the while; reconfigure closes it. Faults are injected by
# GANGWAY_FAULT in slurmctld's environment.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"

HOOKS=(placement job_test priority submit modify)
declare -A SUBSYSTEM=([placement]=placement [job_test]=quota [priority]=order
	[submit]=routing [modify]=routing)

# Errors a minute that are borne: the next one trips. Passages with a fault of 20 ms each
# that fit in the milliseconds a minute.
ERRORS=4
MILLISECONDS=50 SLOW_CALLS=2

# The cluster a function works on.
HERE=

# Lines of slurmctld's log since the last with_fault that name a trip.
trip_lines() {
	tail -n "+$LOG_FROM" "${CLUSTER[$HERE]}/log/slurmctld.log" |
		grep -cE 'gangway: hook .*: stock until reconfigure$' || true
}

# configure LINE...: gangway.conf with these lines more.
configure() {
	printf '%s\n' UsageHalfLife=7-0 "$@" >"${CLUSTER[$HERE]}/etc/gangway.conf"
}

# with_fault HOOK:KIND: restarts slurmctld with that fault and fresh figures.
with_fault() {
	LOG_FROM=$(($(wc -l <"${CLUSTER[$HERE]}/log/slurmctld.log") + 1))
	DEVCLUSTER_CTLD_ENV="GANGWAY_FAULT=$1" cluster "$HERE" restart slurmctld
}

# Passes every hook COUNT times or more: submits, an update of each job, and starts.
drive() {
	local id
	# shellcheck disable=SC2016
	as "$HERE" alice bash -c 'for ((i = 0; i < $1; i++)); do
		sbatch --parsable -H --gres=gpu:1 -t 10 -o /dev/null --wrap=true; done' bash "$1" >"$WORK/ids.$HERE"
	while read -r id; do
		printf 'update jobid=%s timelimit=5\nrelease %s\n' "$id" "$id"
	done <"$WORK/ids.$HERE" | on "$HERE" scontrol >/dev/null
	wait_for 40 "$1 jobs to end" no_jobs
}

no_jobs() {
	[[ -z $(on "$HERE" squeue -h) ]]
}

figure() {
	status_value "$HERE" "Hook=$1" "$2"
}

state_of() {
	status_value "$HERE" "Subsystem=${SUBSYSTEM[$1]}" State
}

# expect_tripped HOOK CALLS [LEAST]: it was the last of so many calls that tripped, or of LEAST and
# more; the other hooks have been called more often and have not.
expect_tripped() {
	local hook=$1 calls other
	status_fresh "$HERE"
	expect "$hook: lines about a trip" 1 "$(trip_lines)"
	expect "$hook: trips" 1 "$(figure "$hook" Trips)"
	calls=$(figure "$hook" Calls)
	((calls >= ${3:-$2} && calls <= $2)) || expect "$hook: calls until it tripped" "$2" "$calls"
	expect "$hook: its subsystem" tripped "$(state_of "$hook")"
	for other in "${HOOKS[@]}"; do
		[[ $other == "$hook" ]] && continue
		(($(figure "$other" Calls) > $2)) || fail "$hook tripped and $other rests as well"
		expect "$hook tripped: trips of $other" 0 "$(figure "$other" Trips)"
		[[ ${SUBSYSTEM[$other]} == "${SUBSYSTEM[$hook]}" || $(state_of "$other") != tripped ]] ||
			fail "$hook tripped and the subsystem of $other as well"
	done
}

# One error more than is borne.
errors() {
	configure "HookErrorBudget=$ERRORS"
	with_fault "$1:error"
	drive $((ERRORS + 3))
	expect_tripped "$1" $((ERRORS + 1))
	note "$1: tripped by errors"
}

# Exactly as many errors as are borne, then one more. Of the hooks, submit is the one that
# is called once a job.
errors_borne() {
	configure "HookErrorBudget=$ERRORS"
	with_fault submit:error
	drive $ERRORS
	status_fresh "$HERE"
	expect "submit: errors" $ERRORS "$(figure submit Errors)"
	expect "submit: trips" 0 "$(figure submit Trips)"
	[[ $(figure submit LastError) == '"injected' ]] || fail "submit: LastError does not name the fault"
	[[ $(state_of submit) != tripped ]] || fail "submit: tripped within its budget"
	expect "submit: lines about a trip" 0 "$(trip_lines)"
	drive 3
	expect_tripped submit $((ERRORS + 1))
	note "submit: bore $ERRORS errors, tripped by the next"
}

slow() {
	configure "HookTimeBudget=$MILLISECONDS"
	with_fault "$1:slow"
	drive $((SLOW_CALLS + 3))
	# A call on a busy machine takes longer than its fault.
	expect_tripped "$1" $((SLOW_CALLS + 1)) 1
	note "$1: tripped by time"
}

closed() {
	[[ $(state_of "$1") != tripped ]]
}

# 24.11 reconfigures by starting anew, which resets the figures too.
closes_again() {
	local hook=$1 before
	before=$(figure "$hook" Calls)
	[[ $SLURM_VERSION == 22.05 ]] || before=0
	configure HookTimeBudget=60000
	on "$HERE" scontrol reconfigure
	wait_for 20 "the breaker to close" closed "$hook"
	drive 1
	status_fresh "$HERE"
	(($(figure "$hook" Calls) > before)) || fail "$hook: not called again after reconfigure"
	closed "$hook" || fail "$hook: tripped again within its budget"
	note "$hook: closed again"
}

# half NAME: each of two clusters takes one half of the cases.
half() {
	HERE=$1
	if [[ $HERE == one ]]; then
		errors placement
		errors priority
		errors modify
	else
		errors job_test
		errors_borne
		slow placement
		closes_again placement
	fi
}

for HERE in one two; do
	cluster_up "$HERE" --nodes 2 --cores 8
	cluster_errors_allowed "$HERE" "gangway: hook [a-z_]+ (used more than HookTimeBudget=$MILLISECONDS ms|failed more than HookErrorBudget=$ERRORS times) within a minute"
done
half one &
first=$!
half two &
second=$!
result=0
wait "$first" || result=$?
wait "$second" || result=$?
((result == 0)) || fail "a hook does not keep to its budget"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A half-life that is missing or 0 would make a ledger of zeros, and a weight that is 0 or
# negative a queue that is never, or always, first. Each is refused with file, line and what to
# write: by gangway check, and at reconfigure, where the configuration before stays in force,
# the ledger goes on and no figure is NaN.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

HALF_LIFE='must be a time above 0 such as 7-00:00:00, or NONE for no decay'
MISSING='UsageHalfLife= is missing: write a time above 0, such as UsageHalfLife=7-00:00:00, or NONE for no decay'
QUEUE='must be a number above 0'
UNIT='weight of gres/gpu:h100 must be above 0; leave it out to count nothing'

# conf_with LINE: the good file with that line for the one of its key, at its end.
conf_with() {
	policy_lines 8 | grep -v "^${1%%=*}=" || true
	[[ $1 == *= ]] || printf '%s\n' "$1"
}

# check_refuses LINE ERROR: gangway check names line 10, the last, unless it is missing.
check_refuses() {
	local status=0 lines
	conf_with "$1" >"$WORK/bad.conf"
	lines=:$(wc -l <"$WORK/bad.conf")
	[[ $1 != *= ]] || lines=
	on on gangway check --conf "$WORK/bad.conf" >"$WORK/answer" 2>&1 || status=$?
	expect "$1: exit status of gangway check" 3 "$status"
	expect "$1: errors of gangway check" "$WORK/bad.conf$lines: error: $2" "$(grep ': error: ' "$WORK/answer")"
}

# logged TEXT: by Gangway since the last reconfigure.
logged() {
	tail -n "+$FROM" "$LOG" | grep -qF "error: gangway: $1"
}

config_state_is() {
	[[ $(status_value on Version ConfigState) == "$1" ]]
}

# reconfigure_refuses LINE ERROR: the good configuration stays.
reconfigure_refuses() {
	local lines
	conf_with "$1" >"$CONF"
	lines=:$(wc -l <"$CONF")
	[[ $1 != *= ]] || lines=
	FROM=$(($(wc -l <"$LOG") + 1))
	on on scontrol reconfigure
	wait_for 20 "$1: an error with file and line" logged "$CONF$lines: $2"
	wait_for 20 "$1: the kept configuration in force" config_state_is kept
	expect_usage "$1"
	policy_lines 8 >"$CONF"
	on on scontrol reconfigure
	wait_for 20 "$1: the good file in force again" config_state_is ok
	note "$1: refused"
}

# The usage that nlp had stays, and every figure is one.
expect_usage() {
	local usage
	usage=$(on on gangway usage -n -P | awk -F'|' '$1 == "nlp" { print $4 }')
	awk -v usage="$usage" 'BEGIN { exit !(usage + 0 >= 0.05 && usage + 0 < 50) }' ||
		fail "$1: usage of nlp is '$usage'"
	! on on gangway queues --json | grep -i 'nan\|inf"' || fail "$1: a figure is not a number"
}

has_usage() {
	on on gangway usage -n -P | awk -F'|' '$1 == "nlp" { exit !($4 >= 0.05) }'
}

policy_lines 8 >"$WORK/conf"
cluster_up on --nodes 1 --cores 8 --speed 20 --conf "$WORK/conf"
CONF=${CLUSTER[on]}/etc/gangway.conf LOG=${CLUSTER[on]}/log/slurmctld.log
cluster_errors_allowed on 'error: gangway: .*(UsageHalfLife|Weight|weight|good configuration)'
# 24.11 starts anew at each reconfigure, sometimes before slurmdbd knows of its end.
cluster_errors_allowed on 'A new registration for cluster dev .* just came in'

check_refuses UsageHalfLife= "$MISSING"
for value in 0 -1 00:00:00 0-0 1e9 INFINITE x; do
	check_refuses "UsageHalfLife=$value" "UsageHalfLife=$value: $HALF_LIFE"
done
for value in 0 -1 -0.5 0.0 nan inf 1e-400; do
	check_refuses "QueueName=nlp Pool=shared Account=nlp Weight=$value" "Weight=$value: $QUEUE"
done
for value in 0 -1 0.0 1e-400; do
	check_refuses "UsageWeights=gres/gpu:h100=$value" "UsageWeights=gres/gpu:h100=$value: $UNIT"
done
for value in nan -inf; do
	check_refuses "UsageWeights=gres/gpu:h100=$value" \
		"UsageWeights=gres/gpu:h100=$value: gres/gpu:h100=$value: must be a number, without a suffix"
done
note "gangway check: all refused"

run on alice --gres=gpu:8 >/dev/null
wait_for 30 "some usage" has_usage
reconfigure_refuses UsageHalfLife= "$MISSING"
reconfigure_refuses UsageHalfLife=0 "UsageHalfLife=0: $HALF_LIFE"
reconfigure_refuses 'QueueName=nlp Pool=shared Account=nlp Weight=0' "Weight=0: $QUEUE"
reconfigure_refuses 'QueueName=nlp Pool=shared Account=nlp Weight=-2' "Weight=-2: $QUEUE"
reconfigure_refuses UsageWeights=gres/gpu:h100=-1 "UsageWeights=gres/gpu:h100=-1: $UNIT"

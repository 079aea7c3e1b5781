#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A ledger that is damaged, cut short or newer is kept aside as it was, one line says so
# and why, usage begins anew, and slurmctld and its jobs run.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

LEDGER='' LONG=''

incarnation() {
	printf "%s %s\n" "$(status_value g Version Pid)" "$(status_value g Version Started)"
}

another_than() {
	[[ $(incarnation) != "$1" ]] && on g squeue -h
}

# spoiled WHAT LOG_LINE COMMAND...: the command, given the file, spoils it while slurmctld is down.
spoiled() {
	local what=$1 line=$2 before
	shift 2
	before=$(incarnation)
	cluster g kill slurmctld
	wait_for 20 "slurmctld to be gone" gone
	"$@" "$LEDGER"
	cp "$LEDGER" "$WORK/spoiled"
	rm -f "$LEDGER.bad"
	cluster g restart slurmctld
	wait_for 40 "slurmctld with a $what ledger" another_than "$before"
	wait_for 20 "the $what ledger aside" test -e "$LEDGER.bad"
	cmp "$LEDGER.bad" "$WORK/spoiled" || fail "$what: what is kept aside is not what was there"
	grep -qF "$line" "${CLUSTER[g]}/log/slurmctld.log" || fail "$what: the log does not say: $line"
	wait_for 20 "a new ledger" test -e "$LEDGER"
	job_is g "$LONG" RUNNING || fail "$what: the long job does not run any more"
	note "$what: kept aside, said, and slurmctld runs"
}

gone() {
	! on g scontrol ping | grep -q 'is UP'
}

flip() {
	sed -i 's/^\(Queue=nlp .*Usage=\)/\19/' "$1"
}

cut_short() {
	truncate -s "$(($(stat -c %s "$1") - 30))" "$1"
}

newer() {
	sed -i 's/^GangwayLedger=1 /GangwayLedger=2 /' "$1"
}

usage_is_known() {
	grep -q '^Queue=nlp .*Usage=[1-9]' "$LEDGER"
}

mapfile -t pool < <(policy_one_pool 32)
policy_write "$WORK/conf" UsageHalfLife=NONE "${pool[@]}"
policy_up g "$WORK/conf" --nodes 2 --cores 16
cluster_errors_allowed g 'gangway: ledger: '
LEDGER=${CLUSTER[g]}/state/gangway/ledger
LONG=$(submit g alice --gres=gpu:4 -t 600)
submit g bob --gres=gpu:8 -t 10 --wrap='exec sleep 6' >/dev/null
wait_for 20 "the long job" job_is g "$LONG" RUNNING
wait_for 20 "the end of the short one" jobs_number g 1
wait_for 20 "usage in the ledger" usage_is_known
spoiled damaged 'its checksum is wrong' flip
wait_for 20 "the running job's usage in the new ledger" usage_is_known
spoiled cut 'the ledger is cut short' cut_short
spoiled newer 'newer than 1' newer
status=0
on g gangway usage --from-sacct 2020-01-01 >"$WORK/usage" 2>&1 || status=$?
expect "exit status of gangway usage --from-sacct: what the spoiled ledger forgot" 3 "$status"

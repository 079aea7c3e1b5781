#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# After a time that was too late usage must go on, not stand still until that time comes.
#
# Time never goes back in the ledger: a pass by a clock that was ahead, once written, kept all
# usage as it was for as long as the clock had been off, over restarts too.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

MONTH=2592000

# FNV-1a of stdin, as the last line of the ledger has it.
checksum() {
	local byte
	local -i sum=0xcbf29ce484222325
	while read -r byte; do
		sum=$(((sum ^ byte) * 0x100000001b3))
	done < <(od -An -v -tu1 -w1)
	printf '%016x\n' "$sum"
}

# The ledger as it would be had the clock been a month ahead.
month_ahead() {
	awk -v by="$MONTH" '
		/^Checksum=/ { next }
		{ for (i = 1; i <= NF; i++) if (match($i, /^(Time|At)=/)) $i = substr($i, 1, RLENGTH) (substr($i, RLENGTH + 1) + by); print }
	' OFMT=%d CONVFMT=%d "$LEDGER" >"$WORK/ledger"
	printf 'Checksum=%s\n' "$(checksum <"$WORK/ledger")" >>"$WORK/ledger"
	cat "$WORK/ledger" >"$LEDGER"
}

usage() {
	sed -n 's/^Queue=nlp .*Usage=\([0-9]*\).*/\1/p' "$LEDGER"
}

usage_above() {
	local now
	now=$(usage) && ((now > $1))
}

mapfile -t pool < <(policy_one_pool 8)
policy_write "$WORK/conf" UsageHalfLife=NONE "${pool[@]}"
policy_up g "$WORK/conf" --nodes 1 --cores 16
LEDGER=${CLUSTER[g]}/state/gangway/ledger
job=$(submit g alice --gres=gpu:4 -t 600)
wait_for 20 "the job to run" job_is g "$job" RUNNING
wait_for 20 "some usage" usage_above 20

slurmctld_end g
before=$(usage)
month_ahead
expect "usage in the ledger of the future" "$before" "$(usage)"
cluster g restart slurmctld
wait_for 20 "slurmctld to answer" on g scontrol ping
wait_for 20 "usage to go on" usage_above "$((before + 40))"
grep -q 'ledger: the clock was set back by 25919[0-9][0-9] seconds' "${CLUSTER[g]}/log/slurmctld.log" ||
	fail "slurmctld's log does not say that the clock was set back: $(grep ledger: "${CLUSTER[g]}/log/slurmctld.log")"
(($(usage) < before + 4000)) || fail "a month of usage was added: $(usage)"
[[ ! -e $LEDGER.bad ]] || fail "the ledger was refused"
note "usage goes on after a time that was too late"

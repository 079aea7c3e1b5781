#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# RecordDecisions=50: what the plugin decided on a live cluster, placements of all shapes
# and orders under full and free quota, with gaps on broken nodes, gangway repeat decides again
# with the same answer and writes with the same bytes; a file that was changed, cut off or is no
# such file is found, and so is another configuration.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

RECORD=50
DECISIONS=$WORK/decisions

# Jobs of one user in one go: the records are the first of each kind.
jobs_of() {
	# shellcheck disable=SC2016
	as g "$1" bash -c '
		for gpus in 1 2 3 8 4 1 2 5; do
			sbatch -Q -o /dev/null --gres=gpu:$gpus -t $((gpus * 10)) --wrap="exec sleep 86400"
		done
		for job in "--gpus=3" "-N2 --gpus-per-node=8" "--gpus-per-task=1 -n4" "-N2 --exclusive --gres=gpu:8" "--gres=gpu:2 -c20" "--array=1-3 --gres=gpu:2"; do
			sbatch -Q -o /dev/null $job -t 60 --wrap="exec sleep 86400"
		done' >"$WORK/jobs.$1" 2>&1 || fail "$1: $(<"$WORK/jobs.$1")"
}

recorded() {
	(($(grep -c "^Decision=$1 " "${CLUSTER[g]}/state/gangway/decisions") >= $2))
}

# repeated STATUS FILE [OPTION]...: its output is in REPEATED.
repeated() {
	local status=0
	on g gangway repeat -P -n "${@:3}" "$2" >"$WORK/repeated" 2>&1 || status=$?
	REPEATED=$(<"$WORK/repeated")
	expect "exit status of gangway repeat ${2##*/}" "$1" "$status"
}

expect_said() {
	grep -qF "$1" <<<"$REPEATED" || fail "gangway repeat does not say '$1': $(head -n 3 <<<"$REPEATED")"
}

# The file with the first line that matches changed by a sed command.
changed() {
	sed "0,/$1/s/$1/$2/" "$DECISIONS" >"$DECISIONS.changed"
	! cmp -s "$DECISIONS" "$DECISIONS.changed" || fail "no line has $1"
	repeated 1 "$DECISIONS.changed"
	expect_said "are not as they were written"
}

mapfile -t pool < <(policy_one_pool 24)
policy_write "$WORK/conf" "GapMatch=0.5" "SmallBatch=4" "${pool[@]}"
# The clock is fast because orders are made each second.
policy_up g "$WORK/conf" --nodes 4 --cores 16 --speed 10
# A node is broken from the first recorded orders on, however late that job starts.
first=$(submit g alice --gres=gpu:1 -t 30)
wait_for 30 "the first job" job_is g "$first" RUNNING
policy_write "$WORK/conf" "RecordDecisions=$RECORD" "GapMatch=0.5" "SmallBatch=4" "${pool[@]}"
cp "$WORK/conf" "${CLUSTER[g]}/etc/gangway.conf"
reconfigured g ok
for user in alice bob carol; do
	jobs_of "$user"
done
wait_for 60 "$RECORD recorded orders" recorded order "$RECORD"
wait_for 30 "recorded placements" recorded placement 20
on g scancel --state=RUNNING
wait_for 60 "$RECORD recorded placements" recorded placement "$RECORD"
cp "${CLUSTER[g]}/state/gangway/decisions" "$DECISIONS"
expect "recorded orders" "$RECORD" "$(grep -c '^Decision=order ' "$DECISIONS")"
expect "recorded placements" "$RECORD" "$(grep -c '^Decision=placement ' "$DECISIONS")"
grep -q '^GapFlavor=' "$DECISIONS" || fail "no order knew of a gap"
repeated 0 "$DECISIONS"
expect "decisions with the same answer and the same bytes" $((2 * RECORD)) "$(grep -cE '^[0-9]+\|(order|placement)\|.*\|same\|same\|' <<<"$REPEATED")"
note "$((2 * RECORD)) decisions repeated, on $(grep -c '^Node=' "$DECISIONS") nodes, of $(grep -c '^Id=' "$DECISIONS") jobs"

changed '^Rank=\([0-9]*\) Turn=1 ' 'Rank=\1 Turn=2 '
changed '^Choice=\([0-9]*\) Gpus=[0-9a-f]*' 'Choice=\1 Gpus=55'
changed ' CpusFree=[0-9]*' ' CpusFree=5'
changed ' Rate=1 ' ' Rate=1.5 '
head -c 5000 "$DECISIONS" >"$DECISIONS.short"
repeated 1 "$DECISIONS.short"
echo hello >"$DECISIONS.garbage"
repeated 1 "$DECISIONS.garbage"
expect_said 'line 1: '
sed 's/Weight=2/Weight=3/' "$WORK/conf" >"$WORK/other.conf"
repeated 1 "$DECISIONS" --conf "$WORK/other.conf"
expect_said 'made with another configuration'
note "changes, a cut, garbage and another configuration are found"

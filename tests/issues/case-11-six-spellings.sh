#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One GPU in every spelling Slurm has is one request: the same queue, the same type filled in
# and said, the same rate in the ledger, the same in sacct. Without decay, what the ledger has
# in the end is the seconds the jobs ran.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

SPELLINGS=(
	'--gres=gpu:1'
	'--gpus=1'
	'--gpus-per-node=1'
	'--gpus-per-task=1 -n1'
	'--gpus-per-socket=1 --sockets-per-node=1'
)
[[ $SLURM_VERSION == 22.05 ]] || SPELLINGS+=(
	'--tres-per-task=gres/gpu=1 -n1'
	'--tres-per-task=gres/gpu:1 -n1'
	'--tres-per-task=cpu=1,gres/gpu=1 -n1'
)

# taken OPTIONS SAID: submits it; its id goes to IDS.
taken() {
	# shellcheck disable=SC2086 # options are words
	IDS+=("$(submit on alice $1 2>"$WORK/said")")
	expect "$1: what sbatch says" "sbatch: $2" "$(cat "$WORK/said")"
}

# tres ID FIELD: of scontrol show job, without memory, sorted.
tres() {
	job_field on "$1" "$2" | tr ',' '\n' | grep '^gres' | sort | paste -sd,
}

# request ID: what scontrol shows of the GPUs asked for, without where it stands.
request() {
	on on scontrol show job "$1" | sed -n 's/^ *Tres[A-Z][A-Za-z]*=.*gpu:h100[:=]\([0-9]*\)$/\1/p' | tail -n 1
}

in_ledger() {
	local id
	for id in "${IDS[@]}"; do
		grep -q "^Job=$id " "$LEDGER" || return 1
	done
}

# same ID OPTIONS
same() {
	local alloc=TRES
	[[ $SLURM_VERSION == 22.05 ]] || alloc=AllocTRES
	expect "$2: ledger" "Queue=nlp Flavor=h100 Rate=1 FullRate=1" \
		"$(sed -n "s/^Job=$1 \(Queue.*\) Start=.*/\1/p" "$LEDGER")"
	expect "$2: type filled in" 1 "$(request "$1")"
	expect "$2: TRES" gres/gpu:h100=1,gres/gpu=1 "$(tres "$1" "$alloc")"
	expect "$2: gangway why" 'running, queue nlp, class standard, 1 h100 on 1 node' \
		"$(on on gangway why "$1" | sed -n 's/^job *//p')"
}

ledger_at_rest() {
	grep -q '^Queue=nlp .*Rate=0 ' "$LEDGER" && ! grep -q '^Job=' "$LEDGER"
}

# What the ledger charged is within a second a job of what sacct has; the seconds are whole.
same_as_sacct() {
	local usage seconds
	usage=$(sed -n 's/^Queue=nlp .*Usage=\([^ ]*\).*/\1/p' "$LEDGER")
	seconds=$(on on sacct -X -a -n -P -o ElapsedRaw | awk '{ sum += $1 } END { print sum }')
	awk -v a="$usage" -v b="$seconds" -v n="${#IDS[@]}" 'BEGIN { exit !(a - b <= n && b - a <= n) }' ||
		fail "the ledger has $usage GPU-seconds, sacct $seconds"
	note "ledger $usage GPU-seconds, sacct $seconds"
}

ended_in_sacct() {
	[[ $(on on sacct -X -a -n -P -o State | grep -c '^CANCELLED') == "${#IDS[@]}" ]]
}

policy_lines 8 UsageHalfLife=NONE | sed 1d >"$WORK/conf"
cluster_up on --nodes 1 --cores 16 --speed 20 --conf "$WORK/conf"
LEDGER=${CLUSTER[on]}/state/gangway/ledger
IDS=()
for options in "${SPELLINGS[@]}"; do
	taken "$options" 'queue nlp: QOS normal, GPU type h100 filled in'
done
wait_for 20 "all spellings to run" all_are on RUNNING "${IDS[@]}"
wait_for 20 "all spellings in the ledger" in_ledger
for i in "${!IDS[@]}"; do
	same "${IDS[i]}" "${SPELLINGS[i]}"
done
note "${#IDS[@]} spellings, one request"
on on scancel "${IDS[@]}"
wait_for 20 "all jobs in sacct" ended_in_sacct
wait_for 20 "the ledger at rest" ledger_at_rest
same_as_sacct

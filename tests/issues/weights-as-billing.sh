#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# UsageWeights as sites write TRESBillingWeights: with Mem=0.25G two GiB weigh half a GPU, in
# slurmctld as in what accounting comes to. It was taken for a size, 256 a MiB. Keys that have no
# effect are told in slurmctld's log.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# held: of nlp, weighted, as slurmctld says.
held() {
	on on gangway usage -n -P -o Queue,Held | sed -n 's/^nlp|//p'
}

holds() {
	[[ $(held) == "$1" ]]
}

in_sacct() {
	[[ $(on on sacct -X -n -P -j "$1" -o State) == COMPLETED ]]
}

agrees() {
	on on gangway usage --from-sacct 2020-01-01 >"$WORK/usage" 2>&1
}

policy_lines 8 UsageHalfLife=NONE UsageWeights=CPU=0.5,Mem=0.25G,GRES/GPU=2.0 | sed 1,2d |
	sed 's/^PoolName=.*/& ModeOrder=observe/' >"$WORK/conf"
echo SelectTypeParameters=CR_Core_Memory >"$WORK/slurm.conf"
cluster_up on --nodes 1 --cores 8 --speed 20 --conf "$WORK/conf" --slurm-conf "$WORK/slurm.conf"

# Two GPUs, a core and 2 GiB: 4 + 0.5 + 0.5.
id=$(run on alice -n1 -c1 --gres=gpu:2 --mem=2048 --wrap='sleep 300')
on on sacct -X -n -P -j "$id" -o AllocTRES >"$WORK/tres"
wait_for 10 "a weighted rate of 5" holds 5
wait_for 60 "the job in sacct" in_sacct "$id"
wait_for 30 "accounting to agree" agrees
awk '$1 == "nlp" && $4 > 0 { found = 1 } END { exit !found }' "$WORK/usage" || fail "no usage: $(<"$WORK/usage")"
note "$(<"$WORK/tres"): $(grep '^nlp' "$WORK/usage")"

grep -q 'warning: ModeOrder=observe on a PoolName line has no effect' "${CLUSTER[on]}/log/slurmctld.log" ||
	fail "slurmctld's log does not tell of a key without effect"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The TRES strings of accounting are gres/gpu=4, gres/gpu:h100=1 or both of one job, as
# AccountingStorageTRES was at the time: these are 4, 1 and 1 GPUs, never 2. gangway usage
# counts them so, and gangway check says of a slurm.conf with only one of the two that it
# needs both, and of the same strings in gangway.conf what they are.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# GPU-seconds that the jobs so far held.
WANTED=0

alloc_tres() {
	on on sacct -X -n -P -j "$1" -o AllocTRES | tr ',' '\n' | grep '^gres/gpu' | sort | paste -sd,
}

in_sacct() {
	[[ $(on on sacct -X -n -P -j "$1" -o State) == COMPLETED ]]
}

# usage_field KEY: of nlp, from accounting, in GPU-seconds.
usage_field() {
	on on gangway usage --from-sacct 2026-01-01 --json nlp 2>/dev/null |
		sed -n "s/^ *\"$1\": \([0-9.]*\),*$/\1/p" | head -n 1 | awk '{ print $1 * 3600 }'
}

# held ID GPUS: GPU-seconds of all jobs so far and of this one.
held() {
	echo $((WANTED + $2 * $(on on sacct -X -n -P -j "$1" -o ElapsedRaw)))
}

# near KEY ID GPUS: figures are rounded to a ten-thousandth of an hour. What sacct says first of a job
# that has just ended may be a second off.
near() {
	awk -v got="$(usage_field "$1")" -v wanted="$(held "$2" "$3")" \
		'BEGIN { d = got - wanted; exit !(d < 0.5 && d > -0.5) }'
}

# job STRING GPUS OPTION...: a job whose record has that string counts for so many GPUs.
job() {
	local string=$1 gpus=$2 id
	shift 2
	id=$(submit on alice "$@" --wrap='sleep 60' 2>/dev/null)
	wait_for 30 "$string: the job in sacct" in_sacct "$id"
	expect "$*: AllocTRES" "$string" "$(alloc_tres "$id")"
	wait_for 20 "$string: GPUs of sacct" near SacctGpuHours "$id" "$gpus"
	wait_for 20 "$string: usage of sacct" near SacctUsageGpuHours "$id" "$gpus"
	WANTED=$(held "$id" "$gpus")
	note "$string: $gpus"
}

# tracked TRES MISSING: from now on; gangway check misses the other one.
tracked() {
	slurm_conf on AccountingStorageTRES "$1"
	expect "$1: what gangway check misses" "$2" \
		"$(on on gangway check 2>&1 | sed -n 's/.*warning: AccountingStorageTRES has no \([^ ]*\): .*both gres\/gpu and the type are needed$/\1/p')"
	cluster on restart slurmctld
}

# conf_says KEY TEXT VALUE...: of gangway.conf with each value.
conf_says() {
	local key=$1 text=$2 value
	shift 2
	for value; do
		policy_lines 8 | sed "s|$key=.*|$key=$value|" >"$WORK/check.conf"
		[[ $(on on gangway check --conf "$WORK/check.conf" 2>&1) == *"$text"* ]] ||
			fail "$key=$value: gangway check does not say '$text'"
	done
}

policy_lines 8 UsageHalfLife=NONE UsageWeights=gres/gpu=1 | sed 1,2d >"$WORK/conf"
cluster_up on --nodes 1 --cores 8 --speed 20 --conf "$WORK/conf"
# slurmd still has the slurm.conf before; and slurmctld says what it can not count.
cluster_errors_allowed on 'appears to have a different slurm.conf than the slurmctld|AccountingStorageTRES lacks gres/gpu:'
tracked gres/gpu,gres/gpu:h100 ''
job gres/gpu:h100=1,gres/gpu=1 1 --gres=gpu:h100:1
job gres/gpu:h100=2,gres/gpu=2 2 --gpus=2
tracked gres/gpu gres/gpu:h100
job gres/gpu=4 4 --gres=gpu:4
tracked gres/gpu:h100 gres/gpu
job gres/gpu:h100=1 1 --gpus=h100:1
grep -q 'gangway: AccountingStorageTRES lacks gres/gpu:' "${CLUSTER[on]}/log/slurmctld.log" ||
	fail "slurmctld's log does not say that GPUs are not counted"

slurm_conf on AccountingStorageTRES gres/gpu,gres/gpu:h100
slurm_conf on SchedulerParameters bf_window=43200,bf_max_job_test=1000,bf_window_linear=60
conf_says Quota 'Quota=gres/gpu: no FlavorName has this name or Gres' gres/gpu=4 gres/gpu:h100=1,gres/gpu=1
conf_says Quota 'Quota=gres/gpu:x: no FlavorName has this name or Gres' gres/gpu:x=1
conf_says Quota 'names gres/gpu:h100 twice' gres/gpu:h100=1,gres/gpu:h100=1
conf_says Quota '0 errors' gres/gpu:h100=4 gres/gpu:H100=4 h100=4
conf_says UsageWeights '0 errors, 0 warnings' gres/gpu=1 gres/gpu:h100=1,gres/gpu=1
conf_says UsageWeights 'gives gres/gpu:h100 no weight' gres/gpu:x=1

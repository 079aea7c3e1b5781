#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The ways out while the policy is in force, with jobs that run, wait and are over quota:
# gangway off, also after kill -9 or before one; the lines taken out of slurm.conf; and the
# lines taken out after kill -9 without gangway off, which gangway off then puts right from
# the command alone. Each time the priorities, site factors, QOS and the limits in memory
# are those of a stock cluster with the same jobs. gangway off --undo brings all back.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

POOLS=('PoolName=full Quota=gres/gpu:h100=12' 'PoolName=large Quota=gres/gpu:h100=24'
	'QueueName=nlp Pool=full Account=nlp' 'QueueName=vision Pool=full Account=vision'
	'QueueName=speech Pool=large Account=speech')

# some NAME USER JOB...
some() {
	local name=$1 user=$2
	shift 2
	# shellcheck disable=SC2016
	as "$name" "$user" bash -c 'for job; do
		sbatch -Q -o /dev/null $job -t 60 --wrap="exec sleep 864000"; done' bash "$@" >"$WORK/said" 2>&1 || fail "$name: $(<"$WORK/said")"
}

# jobs NAME: the same on both. Two run; of nlp and vision all others are over quota, those of
# speech may start by quota, but wait for nodes, like one that is of no queue.
jobs() {
	local name=$1 user
	submit "$name" alice -N1 --gres=gpu:8 -t 600 >/dev/null
	submit "$name" bob -N1 --gres=gpu:4 -t 600 >/dev/null
	wait_for 20 "$name: two running jobs" jobs_number "$name" 2 -t R
	# After a restart slurmctld has what the file says.
	sed -i '/^PartitionName=main/s/State=UP/State=DOWN/' "${CLUSTER[$name]}/etc/slurm.conf"
	partition "$name" DOWN
	for user in alice bob; do
		some "$name" "$user" --gres=gpu:1 --gres=gpu:8 "-N2 --gres=gpu:4" "--gres=gpu:2 --qos=high" "--nice=50 --gres=gpu:1" "--array=1-3 --gres=gpu:1" -n96
	done
	some "$name" carol "-N3 --gres=gpu:8" "-N3 --gres=gpu:6 --qos=high" "--array=1-3 -N3 --gres=gpu:7" -n96
}

facts() {
	priorities "$1"
	limits "$1"
}

# The policy is in force again: all jobs of queues have numbers of ours.
in_force() {
	(($(on g sprio -h -o %S | grep -vcE '^ *-?0$') == RANKED)) && limits g | grep -qE 'GrpTRES=.*gres/gpu=[0-9]+\([0-9]+\)'
}

policy_acts() {
	# A limit stands in memory once a job was tested.
	partition g UP
	wait_for 20 "$1: numbers and limits of the policy" in_force
	partition g DOWN
}

all_have_priorities() {
	(($(on s sprio -h -o %i | wc -l) == $(on s squeue -h -t PD -o %i | wc -l)))
}

# expect_stock WHAT: priorities follow within PriorityCalcPeriod.
expect_stock() {
	local end=$(($(now_ms) + 20000))
	until [[ $(facts g) == "$STOCK" ]] || (($(now_ms) > end)); do
		sleep 0.2
	done
	expect "$1: priorities and limits" "$STOCK" "$(facts g)"
	note "$1: as on a stock cluster"
}

gone() {
	! on g scontrol ping | grep -q 'is UP'
}

off() {
	on g gangway off "$@" >"$WORK/off" 2>&1 || fail "gangway off $* fails: $(<"$WORK/off")"
}

saved_since() {
	[[ $(stat -c %i "${CLUSTER[g]}/state/job_state") != "$1" ]]
}

# killed: with kill -9, after slurmctld has saved all numbers there are.
killed() {
	local saved
	saved=$(stat -c %i "${CLUSTER[g]}/state/job_state")
	on g scontrol update JobId=3 Comment=saved
	wait_for 20 "slurmctld to save its state" saved_since "$saved"
	cluster g kill slurmctld
	wait_for 20 "slurmctld to be gone" gone
}

lines_out() {
	slurm_conf g PluginDir "$STOCK_DIR"
	slurm_conf g PriorityType priority/multifactor
	slurm_conf g JobSubmitPlugins ''
}

steady_priority >"$WORK/slurm.conf"
policy_write "$WORK/conf" "${POOLS[@]}"
policy_up g "$WORK/conf" --nodes 3 --cores 16 --speed 20 --slurm-conf "$WORK/slurm.conf"
cluster_errors_allowed g 'slurm_receive_msg|Zero Bytes'
cluster_up s --stock --nodes 3 --cores 16 --speed 20 --slurm-conf "$WORK/slurm.conf"
policy_qos s
jobs g
jobs s
wait_for 20 "stock's priorities of all jobs" all_have_priorities
STOCK=$(facts s)
STOCK_DIR=$(sed -n 's/^PluginDir=//p' "${CLUSTER[s]}/etc/slurm.conf")
cluster_down s
# The nodes keep the file they began with.
slurm_conf g DebugFlags NO_CONF_HASH
cp "${CLUSTER[g]}/etc/slurm.conf" "$WORK/with-gangway.conf"
# All waiting jobs but those of CPUs alone.
RANKED=$(on g squeue -h -t PD -o '%b' | grep -c gpu)

policy_acts "at first"
off
expect_stock "gangway off"
killed
cluster g restart slurmctld
expect_stock "gangway off, then kill -9"
off --undo
policy_acts "undone"
killed
cluster g restart slurmctld
off
expect_stock "kill -9, then gangway off"
off --undo
policy_acts "undone again"
off
expect_stock "gangway off before the lines go"
lines_out
cluster g restart slurmctld
expect_stock "without the lines"
cp "$WORK/with-gangway.conf" "${CLUSTER[g]}/etc/slurm.conf"
cluster g restart slurmctld
off --undo
policy_acts "with the lines again"
killed
lines_out
cluster g restart slurmctld
[[ $(facts g) != "$STOCK" ]] || fail "kill -9 left no site factors, so the test shows nothing"
off
expect_stock "the lines out after kill -9, then gangway off from the command alone"

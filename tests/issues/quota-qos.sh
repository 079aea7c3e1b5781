#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Settings of a QOS must not undo quota, or must be told.
#
# Quota is the GrpTRES of an account, set for the job that Slurm is about to compare. Slurm
# multiplies it by LimitFactor of the job's QOS: with 2, and 8 of 12 GPUs held, a job of 8 started. A
# QOS with GrpTRES=gres/gpu has Slurm look at that alone, and by DenyOnLimit it refuses jobs for a
# limit that was set for another: both went by without a word.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

waits_for_quota() {
	[[ $(job_field g "$1" Reason) == AssocGrpGRES ]]
}

# starts_and_waits GPUS MORE: with 8 of 12 held, jobs of QOS high.
starts_and_waits() {
	local id
	id=$(submit g alice -N1 --qos=high --gres=gpu:"$2" -t 60)
	wait_for 20 "a job over quota to wait" waits_for_quota "$id"
	on g scancel "$id"
	id=$(submit g alice -N1 --qos=high --gres=gpu:"$1" -t 60)
	wait_for 20 "a job within quota to start" job_is g "$id" RUNNING
	on g scancel "$id"
	wait_for 20 "it to end" jobs_settled g
}

# qos KEY=VALUE: of QOS high. Slurm does not show all keys; one that it shows tells that it has them.
marks=100
qos() {
	marks=$((marks + 1))
	on g sacctmgr -i modify qos high set "$1" GrpJobs=$marks >/dev/null
	wait_for 20 "slurmctld to know $1" qos_is_marked
}

qos_is_marked() {
	on g scontrol show assoc_mgr flags=qos qos=high | grep "GrpJobs=$marks("
}

# tells TEXT: what gangway status says of quota begins so; "": it says nothing.
tells() {
	local said
	said=$(on g gangway status | sed -n 's/^! quota: //p') || true
	[[ -n $1 && $said == "$1"* ]] || [[ -z $1 && -z $said ]]
}

printf 'SchedulerParameters=bf_interval=1,sched_interval=2\n' >"$WORK/slurm.conf"
policy_write "$WORK/conf" 'PoolName=shared Quota=gres/gpu:h100=12' \
	'QueueName=nlp Pool=shared Account=nlp'
policy_up g "$WORK/conf" --nodes 4 --cores 8 --slurm-conf "$WORK/slurm.conf"
cluster_errors_allowed g 'gangway: quota: QOS high has'

full=$(submit g alice -N1 --gres=gpu:8 -t 60)
wait_for 20 "8 of 12 GPUs to be held" job_is g "$full" RUNNING
starts_and_waits 4 8
for factor in 2 0.5 3; do
	qos LimitFactor=$factor
	starts_and_waits 4 5
	note "LimitFactor=$factor"
done
qos LimitFactor=-1
wait_for 20 "no problem to be told" tells ""

qos GrpTRES=gres/gpu=20
wait_for 30 "GrpTRES of a QOS to be told" tells "QOS high has GrpTRES=gres/gpu"
qos GrpTRES=gres/gpu=-1
wait_for 30 "that it is gone to be told" tells ""
qos Flags+=DenyOnLimit
wait_for 30 "DenyOnLimit to be told" tells "QOS high has DenyOnLimit"
qos Flags-=DenyOnLimit
wait_for 30 "that it is gone to be told" tells ""
expect "errors in the log" 2 "$(grep -c 'gangway: quota: QOS high' "${CLUSTER[g]}/log/slurmctld.log")"

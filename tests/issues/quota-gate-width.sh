#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Quota must let a job start whose GPUs, as Slurm counts them, are more than it asked for.
#
# Just before Slurm's accounting policy looks at a job the GrpTRES of its queue's account is
# set. It was set to what the account holds and the job's own request. Slurm compares all GPUs
# of the nodes of an exclusive job, all nodes of a range, and the components of a het job one
# after the other with no test in between: such jobs waited for ever with AssocGrpGRES.
#
# The number must not stay behind either: not for jobs of the account that quota does not
# concern, not in a pool that only observes, not on a queue that a reconfigure takes away.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

POOL=('PoolName=shared Quota=gres/gpu:h100=16' 'QueueName=nlp Pool=shared Account=nlp')
OBSERVED=('PoolName=loose Quota=gres/gpu:h100=4 ModeQuota=observe'
	'QueueName=vision Pool=loose Account=vision')

# limit ACCOUNT: its GPUs of GrpTRES in slurmctld's memory.
limit() {
	on g scontrol show assoc_mgr flags=assoc accounts="$1" |
		awk '/UserName= /{ on = 1 } on && /GrpTRES=/ { match($0, /gres\/gpu=[0-9N]*/); print substr($0, RSTART + 9, RLENGTH - 9); exit }'
}

limit_is() {
	[[ $(limit "$1") == "$2" ]]
}

waits_for_quota() {
	[[ $(job_field g "$1" Reason) == AssocGrpGRES ]]
}

printf 'SchedulerParameters=bf_interval=1,sched_interval=2\n' >"$WORK/slurm.conf"
policy_write "$WORK/conf" "${POOL[@]}" "${OBSERVED[@]}"
policy_up g "$WORK/conf" --nodes 4 --cores 16 --slurm-conf "$WORK/slurm.conf"

starts "an exclusive job" "$(submit g alice -N1 --exclusive --gres=gpu:1 -t 60)"
starts "a job of one or two nodes" "$(submit g alice -N1-2 --gres=gpu:4 -t 60)"
het=$(as g alice sbatch --parsable -o /dev/null --gres=gpu:2 -t 60 : --gres=gpu:1 -t 60 --wrap='sleep 600')
starts "a het job" "$het"
loose=$(submit g bob -N1 --gres=gpu:4 -t 60)
wait_for 20 "the observed quota to be used up" job_is g "$loose" RUNNING
starts "a job over a quota that is only observed" "$(submit g bob -N1 --gres=gpu:4 -t 60)"
on g scancel "$loose"

full=$(submit g alice -N2 --gres=gpu:8 -t 60)
wait_for 20 "the quota to be used up" job_is g "$full" RUNNING
over=$(submit g alice -N1 --gres=gpu:1 -t 60)
wait_for 20 "a job over quota to wait for it" waits_for_quota "$over"
wait_for 20 "the limit in memory" limit_is nlp 16

policy_write "${CLUSTER[g]}/etc/gangway.conf" "${OBSERVED[@]}"
reconfigured g
wait_for 20 "a removed queue to have the admin's limit" limit_is nlp N
wait_for 20 "the job to start" job_is g "$over" RUNNING

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No GPU of a queue's account escapes quota by not being asked for, or by being of a flavor that is
# not for its queue.
#
# A job that asks for no GPUs but gets whole nodes, by --exclusive or in a partition with
# OverSubscribe=EXCLUSIVE, holds all their GPUs; it was taken for a job that quota does not concern,
# and started without a limit. So was one that quota allowed by a flavor of its queue and that ran
# in the partition of another, and one whose request was changed to such GPUs: what it held was then
# nobody's. On nodes without GPUs, and on GPUs that no flavor means, jobs start as before.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

waits_for_quota() {
	[[ $(job_field g "$1" Reason) == AssocGrpGRES ]]
}

waits() {
	local what=$1 id=$2
	wait_for 20 "$what to wait for quota" waits_for_quota "$id"
	on g scancel "$id"
	note "$what waits"
}

cat >"$WORK/slurm.conf" <<'END_OF_CONF'
SchedulerParameters=bf_interval=1,sched_interval=2
PartitionName=main Nodes=n[0-3],c0 Default=YES MaxTime=INFINITE State=UP
PartitionName=own Nodes=n[0-3],c0 OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP
PartitionName=old Nodes=a0 MaxTime=INFINITE State=UP
PartitionName=mixed Nodes=b0 MaxTime=INFINITE State=UP
PartitionName=other Nodes=o0 MaxTime=INFINITE State=UP
END_OF_CONF
policy_write "$WORK/conf" ModeRouting=observe 'FlavorName=a100 Gres=gpu:a100 Partition=old' \
	'PoolName=shared Quota=gres/gpu:h100=12' 'QueueName=nlp Pool=shared,mixed Account=nlp' \
	'FlavorName=b100 Gres=gpu:b100 Partition=mixed' \
	'FlavorName=b200 Gres=gpu:b200 Partition=mixed' \
	'PoolName=olds Quota=gres/gpu:a100=8,gres/gpu:b200=8' 'PoolName=mixed Quota=gres/gpu:b100=8' \
	'QueueName=vision Pool=olds Account=vision'
policy_up g "$WORK/conf" --nodes 4 --cores 8 --slurm-conf "$WORK/slurm.conf" \
	--node-spec 'NodeName=a0 CoresPerSocket=8 Gres=gpu:a100:8' \
	--node-spec 'NodeName=o0 CoresPerSocket=8 Gres=gpu:l4:8' \
	--node-spec 'NodeName=b0 CoresPerSocket=8 Gres=gpu:b100:4,gpu:b200:4' \
	--node-spec 'NodeName=c0 CoresPerSocket=8 Gres='

# Two of them would hold 16 of 12.
one=$(submit g alice -N1 --exclusive -w n0 -t 60)
wait_for 20 "a whole node within quota" job_is g "$one" RUNNING
waits "a whole node over quota" "$(submit g alice -N1 --exclusive -w n1 -t 60)"
waits "a node of a partition of whole nodes, over quota" \
	"$(submit g alice -N1 -p own -w n1 -t 60)"
starts "a part of a node, without GPUs" "$(submit g alice -N1 -n1 -w n1 -t 60)"
starts "a whole node without GPUs" "$(submit g alice -N1 --exclusive -w c0 -t 60)"
starts "a node without GPUs, of a partition of whole nodes" "$(submit g alice -N1 -p own -w c0 -t 60)"
starts "what the quota has left" "$(submit g alice -N1 --gres=gpu:4 -t 60)"
on g scancel "$one"
wait_for 20 "the whole node to end" jobs_settled g
starts "a node of a partition of whole nodes, within quota" \
	"$(submit g alice -N1 -p own -w n1 -t 60)"

waits "a job with GPUs of others" "$(submit g alice -N1 -p old --gres=gpu:1 -t 60)"
waits "a job with a type of others" "$(submit g alice -N1 -p old --gres=gpu:a100:1 -t 60)"
waits "a whole node of others" "$(submit g alice -N1 -p old --exclusive -t 60)"
waits "a whole node with GPUs of others too" "$(submit g alice -N1 -p mixed --exclusive -t 60)"
starts "its own of that node" "$(submit g alice -N1 -p mixed --gres=gpu:b100:4 -t 60)"
starts "a job with GPUs of no flavor" "$(submit g alice -N1 -p other --gres=gpu:l4:8 -t 60)"

changed=$(submit g alice -N1 -H --gres=gpu:1 -t 60)
on g scontrol update JobId="$changed" Partition=old
on g scontrol release "$changed"
waits "a job changed to GPUs of others" "$changed"

moved=$(submit g bob -N1 -H -p old --gres=gpu:a100:1 -t 60)
on g sacctmgr -i add user bob account=nlp >/dev/null
on g scontrol update JobId="$moved" Account=nlp
on g scontrol release "$moved"
waits "a job moved to a queue without its GPUs" "$moved"

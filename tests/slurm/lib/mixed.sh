# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A small cluster of many kinds of nodes, and random jobs for it: what the
# forwarding tests drive. Needs test.sh.

# Kinds differ in sockets, threads, number and type of GPUs, links and weight;
# d has no GPUs. f has two types in one node and a partition of its own, because
# what stock tells the node of such jobs lacks one type.
MIXED_NODES=(
	"NodeName=a[0-3] CoresPerSocket=16 Gres=gpu:h100:8 Feature=fast,ib RealMemory=64000"
	"NodeName=b[0-2] CoresPerSocket=8 ThreadsPerCore=2 Gres=gpu:a100:4 Links=pairs Feature=old,ib RealMemory=64000"
	"NodeName=c[0-1] Sockets=1 CoresPerSocket=16 Gres=gpu:a100:3 Feature=mixed RealMemory=32000"
	"NodeName=d[0-1] CoresPerSocket=16 Gres= Feature=cpu RealMemory=64000"
	"NodeName=e[0-1] Sockets=4 CoresPerSocket=8 Gres=gpu:h100:8 Links=none Feature=fast Weight=5 RealMemory=64000"
	"NodeName=f[0-1] CoresPerSocket=8 Gres=gpu:a100:2,gpu:h100:2 Feature=two RealMemory=32000"
)

# The same answer must not depend on when it is asked: no factor of priority
# that moves with time or with the estimated size of a pending job, and a backfill
# window longer than any time limit.
mixed_conf() {
	cat <<-END
		SelectTypeParameters=CR_Core_Memory
		SchedulerParameters=bf_interval=1,bf_window=20160,bf_resolution=60,sched_min_interval=50000,max_rpc_cnt=0,bf_max_job_test=1000,bf_continue,$1
		PreemptType=preempt/qos
		PreemptMode=REQUEUE
		PreemptExemptTime=0
		AllowSpecResourcesUsage=yes
		Licenses=matlab:6,fluent:3,never:1
		PriorityWeightAge=0
		PriorityWeightFairshare=0
		PriorityWeightJobSize=0
		PriorityWeightPartition=5000
		PriorityCalcPeriod=60
		PartitionName=two Nodes=f[0-1] MaxTime=INFINITE State=UP
		PartitionName=main Nodes=a[0-3],b[0-2],c[0-1],d[0-1],e[0-1] Default=YES MaxTime=INFINITE State=UP OverSubscribe=YES:2
	END
}

# More SchedulerParameters.
MIXED_SCHEDULER=bf_hetjob_immediate

# mixed_up NAME [OPTION OF devcluster up]...
mixed_up() {
	local name=$1 spec
	local -a specs=()
	shift
	for spec in "${MIXED_NODES[@]}"; do
		specs+=(--node-spec "$spec")
	done
	mixed_conf "$MIXED_SCHEDULER" >"$WORK/$name.slurm.conf"
	cluster_up "$name" --nodes 0 "${specs[@]}" --slurm-conf "$WORK/$name.slurm.conf" "$@"
	on "$name" bash "$TEST_LIB/mixed-policy.sh" >"$WORK/$name.policy" 2>&1 || {
		cat "$WORK/$name.policy"
		fail "$name: QOS and reservations can not be made"
	}
}

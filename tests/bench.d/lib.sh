# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the benches on live clusters share: clusters by directory that never stay behind, and
# their policy. TOOL is the name in messages.
set -euo pipefail

CHECKOUT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=contrib/lib/common.sh
. "$CHECKOUT/contrib/lib/common.sh"
# shellcheck source=contrib/lib/version.sh
. "$CHECKOUT/contrib/lib/version.sh"

# Users of a devcluster; each team of a workload gets one.
BENCH_USERS=(alice bob carol dave)
# Weights of the teams of the Philly trace: the nodes each had.
BENCH_WEIGHTS=ee9e8c=64,7f04ca=32,2869ce=16,0e4a51=32

# A directory of the bench's own, which users of its clusters can pass; its clusters by name.
bench_begin() {
	WORK=$(mktemp -d "${TMPDIR:-/tmp}/gangway-bench.XXXXXX")
	# Jobs would inherit it, and may not write there.
	unset TMPDIR
	chmod 755 "$WORK"
	declare -gA CLUSTER=()
	trap bench_end EXIT
	trap 'exit 143' INT TERM HUP
}

bench_end() {
	local status=$? name
	trap - EXIT
	trap '' INT TERM HUP
	set +e
	for name in "${!CLUSTER[@]}"; do
		devcluster "$name" down || ((status)) || status=1
	done
	rm -rf --one-file-system "$WORK"
	exit "$status"
}

# devcluster NAME VERB...
devcluster() {
	local dir=$WORK/$1
	shift
	"$CHECKOUT/contrib/devcluster" "$dir" "$@" </dev/null
}

# cluster_up NAME OPTION...: on a busy machine, and with a fast clock, a second try may be needed.
cluster_up() {
	local name=$1
	shift
	CLUSTER[$name]=$WORK/$name
	devcluster "$name" up "$@" || devcluster "$name" up "$@" || die "cluster $name does not come up"
}

# on NAME COMMAND...: runs it there as root.
on() {
	local name=$1
	shift
	devcluster "$name" run -- "$@"
}

# ask NAME COMMAND...: the same for a client that only reads; under a fast clock on a busy machine
# it may fail now and then.
ask() {
	local try answer
	for try in 1 2 3 4 5; do
		if answer=$(on "$@"); then
			printf '%s\n' "$answer"
			return
		fi
		warn "${*:2} failed, try $try"
		sleep 2
	done
	return 1
}

# weight_of TEAM WEIGHTS
weight_of() {
	local entry
	for entry in ${2//,/ }; do
		[[ ${entry%%=*} != "$1" ]] || {
			printf '%s\n' "${entry#*=}"
			return
		}
	done
	echo 1
}

# bench_gangway_conf GPUS WEIGHTS WITHIN TEAM...: one pool of all GPUs, with the keys of the
# example; SmallBatch as replay makes it up.
bench_gangway_conf() {
	local gpus=$1 weights=$2 within=$3 team nodes=$(($1 / 64))
	shift 3
	((nodes = nodes < 1 ? 1 : nodes > 8 ? 8 : nodes))
	cat <<-END
		UsageHalfLife=7-00:00:00
		UsageWeights=gres/gpu:h100=1
		SmallHold=2-00:00:00
		SmallBatch=$((8 * nodes))
		GapMatch=0.5
		WithinQueue=$within
		QueueMaxWait=10-00:00:00
		HookTimeBudget=60000
		ClassName=standard QOS=normal Rank=1 Default=yes
		ClassName=critical QOS=high Rank=2
		FlavorName=h100 Gres=gpu:h100 Partition=main
		PoolName=shared Quota=gres/gpu:h100=$gpus
	END
	for team; do
		echo "QueueName=$team Pool=shared Account=$team Weight=$(weight_of "$team" "$weights")"
	done
}

# Slurm's side, the same for stock and Gangway: class, then fair tree, then age. The sum of the
# weights stays below the drift that the gaps between Gangway's numbers absorb. Backfill looks
# at every job up to 30 days ahead; its yields and its time are set so that a fast clock, in
# which real milliseconds are seconds, does not cut its passes short. One minute of grace
# lets no job die of the seconds by which a fast clock's start is late.
bench_slurm_conf() {
	cat <<-END
		SchedulerParameters=bf_window=43200,bf_max_job_test=1000,bf_interval=30,bf_continue,bf_resolution=60,bf_max_time=600,bf_yield_interval=10000000,bf_yield_sleep=100000,sched_min_interval=100000,max_rpc_cnt=0
		PriorityWeightQOS=100000
		PriorityWeightFairshare=10000
		PriorityWeightAge=1000
		PriorityWeightJobSize=0
		PriorityMaxAge=7-0
		PriorityDecayHalfLife=7-0
		OverTimeLimit=5
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP TRESBillingWeights="CPU=0,Mem=0,GRES/gpu=1"
	END
}

# bench_accounts NAME WEIGHTS TEAM...: an account and a user for each team, and the QOS high.
bench_accounts() {
	local name=$1 weights=$2 team i=0
	shift 2
	{
		echo 'add qos high Priority=100'
		for team; do
			echo "add account $team Fairshare=$(weight_of "$team" "$weights")"
			echo "add user ${BENCH_USERS[i]} Account=$team"
			echo "modify account $team set qos=normal,high"
			i=$((i + 1))
		done
	} >"$WORK/$name.sacctmgr"
	# shellcheck disable=SC2016
	on "$name" sh -c 'while read -r line; do sacctmgr -Q -i $line </dev/null || exit; done <"$1"' \
		sh "$WORK/$name.sacctmgr" \
		>"$WORK/$name.sacctmgr.log" 2>&1 || {
		show_log_tail "$WORK/$name.sacctmgr.log"
		die "the accounts of cluster $name can not be made"
	}
}

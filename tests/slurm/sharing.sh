#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Who may share nodes, and what else Slurm counts: a cluster on stock and one with Gangway get the
# same jobs with --exclusive=user and =mcs, core specialisation, licences, cores and memory by GPU,
# heterogeneous jobs, arrays, ranges of nodes and GPUs without a number of nodes. What stock starts
# Gangway starts, on no more nodes, and what may not start waits on both. Where GPUs are shared
# (shard, mps) all is stock's own: Gangway prefers nothing there.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/pair.sh
. "$TEST_LIB/pair.sh"

# Carol's jobs are of no queue.
write_conf() {
	printf '%s\n' UsageHalfLife=NONE HookTimeBudget=60000 'ClassName=standard QOS=normal Rank=1 Default=yes' \
		'FlavorName=h100 Gres=gpu:h100 Partition=main' 'PoolName=all Quota=gres/gpu:h100=1000' \
		'QueueName=nlp Pool=all Account=nlp' 'QueueName=vision Pool=all Account=vision' >"$WORK/gangway.conf"
	cat >"$WORK/slurm.conf" <<-END
		SelectTypeParameters=CR_Core_Memory
		MCSPlugin=mcs/user
		MCSParameters=ondemand,select
		AllowSpecResourcesUsage=yes
		Licenses=matlab:3
		SchedulerParameters=bf_interval=1,bf_window=20160,sched_interval=2,sched_min_interval=50000,batch_sched_delay=0,bf_continue,max_rpc_cnt=0,bf_hetjob_immediate
		PriorityWeightAge=0
		PriorityWeightFairshare=0
		PriorityWeightJobSize=0
	END
}

# A node of one user's, or of one label's, takes no job of another, whatever is free there.
of_one_user() {
	local a b c d way
	for way in user mcs; do
		a=$(start alice --exclusive=$way --gres=gpu:1 --mem=1G)
		b=$(start alice --exclusive=$way --gres=gpu:2 --mem=1G)
		c=$(start bob --gres=gpu:1 --mem=1G)
		echo "$way: nodes of alice's two, at most $({ each_node "$a"; each_node "$b"; } | sort -u | wc -l)"
		echo "bob is with her: $({ each_node "$a"; each_node "$b"; } | grep -cx "$(nodes "$c")" || true)"
		d=$(left bob --exclusive=$way -N 4 --gres=gpu:1 --mem=1G)
		echo "all nodes for bob: $(fates "$d")"
		stop
	done
}

# s0 and s1 keep two cores for the system; jobs may keep more, and then have the node alone.
core_specialisation() {
	local a b
	a=$(start alice -N 2 -w s0,s1 --ntasks-per-node=14 --gres=gpu:8 --mem=1G)
	echo "what is left: $(field "$a" NumCPUs)"
	stop
	a=$(job bob -w s0 --ntasks-per-node=15 --gres=gpu:1 --mem=1G) || a=refused
	echo "more: $a"
	a=$(start alice --core-spec=4 --gres=gpu:2 --mem=1G)
	b=$(start carol -N 3 --gres=gpu:8 --mem=1G)
	echo "nodes of both, at most $({ each_node "$a"; each_node "$b"; } | sort -u | wc -l)"
	echo "cores to its system: $(field "$a" CoreSpec), $(field "$a" NumNodes)"
	stop
}

licences() {
	local a b c
	a=$(start alice -L matlab:2 --gres=gpu:1 --mem=1G)
	b=$(left bob -L matlab:2 --gres=gpu:1 --mem=1G)
	c=$(start carol -L matlab:1 --gres=gpu:1 --mem=1G)
	echo "two of three: $(field "$b" Reason), $(fates "$a" "$b" "$c")"
	stop "$a"
	until_true 20 "the licences to be free" running "$b"
	echo "then: $(fates "$b" "$c")"
	stop
}

# 16 cores and 64,000 MB a node: jobs that need much of either for few GPUs, and jobs that do not.
# Of one queue, or who is next would differ.
by_gpu() {
	local i
	for i in 1 2 3 4; do
		job alice --gpus=2 -N 1 --cpus-per-gpu=4 --mem-per-gpu=8G
		job alice --gpus=1 -N 1 --cpus-per-gpu=1 --mem-per-gpu=20G
		job alice --gpus=1 -N 1 --cpus-per-gpu=6 --mem-per-gpu=1G
		job alice --gpus-per-task=2 -n 2 --mem-per-gpu=4G
	done >/dev/null
	settle
	echo "of sixteen run at least $(squeue -h -t R -o %A | wc -l)"
	echo "nodes of them, at most $(sinfo -h -N -t mixed,allocated -o %N | sort -u | wc -l)"
	stop
}

# Components together or not at all; tasks of an array beside each other.
het_and_arrays() {
	local a b
	a=$(start alice --gres=gpu:8 --mem=1G : --gres=gpu:4 --mem=2G : --mem=1G)
	echo "components: $(squeue -h -t R -o %A | wc -l), on nodes, at most $(squeue -h -o %N | sort -u | wc -l)"
	b=$(left carol --gres=gpu:8 --mem=1G : -N 4 --gres=gpu:8 --mem=1G)
	echo "too large: $(fates "$b")"
	stop
	b=$(job bob --array=1-9 --gres=gpu:4 --mem=1G)
	until_true 30 "eight tasks" run_so_many 8
	echo "tasks on nodes: $(squeue -h -t R -o %N | sort | uniq -c | awk '{ print $1 }' | paste -sd ' ')"
	stop
}

# On nodes of which one is broken: whole nodes first, and the rest together.
gpus_alone() {
	local a b c d
	a=$(start carol -w n0 --gres=gpu:2 --mem=1G)
	b=$(start alice --gpus=16 --mem=1G)
	echo "sixteen on nodes, at most $(each_node "$b" | wc -l)"
	stop "$b"
	c=$(start bob --gpus=12 --mem=1G)
	echo "twelve on nodes, at most $(each_node "$c" | wc -l)"
	d=$(start alice --gpus=6 --mem=1G)
	echo "six on nodes, at most $(each_node "$d" | wc -l)"
	stop
	a=$(start carol -w n0 --gres=gpu:2 --mem=1G)
	b=$(start alice -N 1-3 --gres=gpu:8 --mem=1G)
	echo "one to three nodes: $(each_node "$b" | wc -l)"
	stop "$b"
	b=$(start bob -N 2-4 --gpus=20 --mem=1G)
	echo "twenty on two to four, at most $(each_node "$b" | wc -l)"
	stop
}

# t0 has two GPUs and four shards of each, u0 two and four parts of each by MPS, of one GPU at a
# time: a GPU is one job's, or is in shards or parts.
shared_gpus() {
	local a b c d e way where
	while read -r way where; do
		a=$(start alice -w "$where" --gres="$way":1 --mem=1G)
		b=$(start bob -w "$where" --gres=gpu:1 --mem=1G)
		c=$(start bob -w "$where" --gres="$way":3 --mem=1G)
		echo "$way: $(field "$a" GRES) and $(field "$c" GRES), a GPU $(field "$b" GRES)"
		d=$(left alice -w "$where" --gres="$way":1 --mem=1G)
		stop "$b"
		settle
		echo "of the other GPU: $(fates "$d")"
		e=$(job bob -w "$where" --gres=gpu:1 --mem=1G)
		settle
		echo "a whole GPU: $(fates "$e")"
		stop "$a" "$c"
		until_true 30 "both" running "$d" "$e"
		echo "then $(field "$d" GRES) and $(field "$e" GRES)"
		stop
		echo "both in one: $(job alice -w "$where" --gres=gpu:1,"$way":1 --mem=1G || echo refused)"
	done <<<$'shard t0\nmps u0'
}

write_conf
pair_up --nodes 0 --node-spec 'NodeName=n[0-1] CoresPerSocket=8 RealMemory=64000' \
	--node-spec 'NodeName=s[0-1] CoresPerSocket=8 CoreSpecCount=2 RealMemory=64000' \
	--node-spec 'NodeName=t0 CoresPerSocket=8 RealMemory=64000 Gres=gpu:h100:2,shard:8' \
	--node-spec 'NodeName=u0 CoresPerSocket=8 RealMemory=64000 Gres=gpu:h100:2,mps:8'
both scontrol update NodeName=t0,u0 State=DRAIN Reason=later
status_fresh g
expect_status g Version ConfigState ok
for step in of_one_user core_specialisation licences by_gpu het_and_arrays gpus_alone; do
	same "$step"
done
status_fresh g
preferences=$(status_value g Hook=placement Preferences)
both scontrol update NodeName=t0,u0 State=RESUME
same shared_gpus
status_fresh g
expect_status g Hook=placement Preferences "$preferences"
for key in Errors Trips; do
	expect_status g Hook=placement "$key" 0
done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes that are not simply there: a cluster on stock and one with Gangway get the same jobs while
# nodes are powered down (and boot when needed), in the cloud, drained, down, planned by backfill,
# lost and back, and while the topology changes. What stock starts Gangway starts, without waking
# more nodes, on no more nodes; the big job's start is expected no later, and what would put it
# off waits on both.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/pair.sh
. "$TEST_LIB/pair.sh"

# Carol's jobs are of no queue.
write_conf() {
	local queue
	printf '%s\n' UsageHalfLife=NONE HookTimeBudget=60000 'ClassName=standard QOS=normal Rank=1 Default=yes' \
		'FlavorName=h100 Gres=gpu:h100 Partition=main' 'FlavorName=a100 Gres=gpu:a100 Partition=main' \
		'PoolName=all Quota=gres/gpu:h100=1000,gres/gpu:a100=1000' \
		'QueueName=nlp Pool=all Account=nlp' 'QueueName=vision Pool=all Account=vision' >"$WORK/gangway.conf"
	# What is set down stays down.
	cat >"$WORK/slurm.conf" <<-END
		ReturnToService=1
		PrivateData=cloud
		SuspendProgram=@DIR@.suspend
		ResumeProgram=@DIR@.resume
		SuspendTime=86400
		SuspendTimeout=3
		ResumeTimeout=120
		SuspendRate=0
		ResumeRate=0
		SlurmctldParameters=power_save_interval=1,power_save_min_interval=0
		SchedulerParameters=bf_interval=1,bf_window=20160,bf_resolution=60,sched_interval=2,sched_min_interval=50000,batch_sched_delay=0,bf_continue,max_rpc_cnt=0
		PriorityWeightAge=0
		PriorityWeightFairshare=0
		PriorityWeightJobSize=0
		PriorityWeightPartition=10000
	END
}

write_power() {
	local name verb
	for name in stock g; do
		for verb in suspend resume start; do
			# shellcheck disable=SC2016 # for the shell there
			printf '#!/bin/bash\nexec %q %q %s "$1"\n' "$TEST_LIB/power.sh" "$WORK/$name" $verb >"$WORK/$name.$verb"
			chmod 755 "$WORK/$name.$verb"
		done
	done
}

topology() {
	local i=0 nodes
	for nodes; do
		printf 'SwitchName=l%d Nodes=%s\n' $((i++)) "$nodes"
	done
	printf 'SwitchName=top Switches=l[0-%d]\n' $((i - 1))
}

# n3 is powered down, c0 in the cloud and down too; n0, n1, n2 are up.
powered_down() {
	local a b c log
	log=$(dirname "$(dirname "$SLURM_CONF")")/log/woken
	: >"$log"
	scontrol update NodeName=n3,c0 State=POWER_DOWN
	until_true 30 "two nodes to be off" power_is off n3 c0
	a=$(start alice --gres=gpu:h100:1)
	b=$(start bob -N 2 --gres=gpu:h100:8)
	echo "woken: $(wc -l <"$log")"
	c=$(start carol --gres=gpu:h100:4)
	stop "$c"
	c=$(start alice --gres=gpu:h100:4)
	echo "with the fourth: $(wc -l <"$log")"
	b=$(start alice -N 2 --gres=gpu:h100:8)
	until_true 60 "both to be on" power_is on n3 c0
	echo "all: $(nodes "$b"), woken: $(wc -l <"$log")"
	stop
	sort "$log"
}

# n0 is drained with a job on it, n1 is down.
drained_and_down() {
	local a b c d
	a=$(start alice -w n0 --gres=gpu:h100:2)
	scontrol update NodeName=n0 State=DRAIN Reason=test
	scontrol update NodeName=n1 State=DOWN Reason=test
	b=$(start bob --gres=gpu:h100:1)
	c=$(start alice -N 2 --gres=gpu:h100:8)
	d=$(left carol -N 4 --gres=gpu:h100:8)
	echo "not there: $({ each_node "$b"; each_node "$c"; } | grep -cE 'n0|n1' || true), $(fates "$a" "$d")"
	scontrol update NodeName=n0,n1 State=RESUME
	stop "$a" "$b" "$c"
	until_true 30 "the gang to start" running "$d"
	echo "four nodes: $(each_node "$d" | wc -l)"
	stop
}

# The nodes n0, n1, n2 are busy for an hour; a big job gets the rest of a hundred minutes then.
planned() {
	local a big short long
	a=$(start carol -t 60 -N 3 -w n0,n1,n2 --gres=gpu:h100:8)
	big=$(left alice -t 100 -N 4 --gres=gpu:h100:8)
	long=$(job alice -t 300 --nice=100 -N 2 --gres=gpu:h100:1)
	settle
	until_true 20 "an expected start" expected "$big"
	echo "start of the big job, minutes after a node is free, at most $((($(seconds "$big" StartTime) - $(seconds "$a" EndTime) + 59) / 60))"
	short=$(start carol -t 30 --gres=gpu:h100:1)
	fates "$a" "$big" "$long" "$short"
	stop "$a"
	stop "$short"
	until_true 30 "the big job to start" running "$big"
	stop
}

# What backfill starts it starts on the nodes of its own test: a gang on two leaves that are on, not
# on one of which a node is off (n0 of n0, n1; c0 is taken), and on no node that the site wants last.
by_backfill() {
	local big gang small log
	log=$(dirname "$(dirname "$SLURM_CONF")")/log/woken
	: >"$log"
	scontrol update NodeName=n0 State=POWER_DOWN
	until_true 30 "a node to be off" power_is off n0
	start carol -t 60 -N 2 -w n3,c0 --gres=gpu:h100:8 >/dev/null
	big=$(left alice -t 100 -N 4 -w n0,n1,n2,n3 --gres=gpu:h100:8)
	gang=$(start alice -t 10 -N 2 --nice=100 --gres=gpu:h100:8)
	echo "gang: $(each_node "$gang" | paste -sd ' '), woken: $(wc -l <"$log")"
	stop "$gang"
	scontrol update NodeName=n1 Weight=65536
	small=$(start alice -t 10 --nice=100 --gres=gpu:h100:2)
	echo "small: $(nodes "$small"), the big one: $(fates "$big")"
	scontrol update NodeName=n1 Weight=1
	stop
	big=$(start alice -w n0 --gres=gpu:h100:1)
	until_true 60 "the node to be on" power_is on n0
	stop
}

# n2 is lost with a job on it, and comes back; one waits for it.
lost_and_back() {
	local a b c dir
	dir=$(dirname "$(dirname "$SLURM_CONF")")
	a=$(start alice -w n2 --gres=gpu:h100:8)
	b=$(start bob -w n3 --gres=gpu:h100:3)
	"$dir.suspend" n2
	scontrol update NodeName=n2 State=DOWN Reason=lost
	until_true 20 "the job to be requeued" is PENDING "$a"
	c=$(left alice -w n2 --gres=gpu:h100:4)
	echo "lost: $(fates "$a" "$b" "$c")"
	stop "$a"
	"$dir.start" n2
	scontrol update NodeName=n2 State=RESUME
	until_true 40 "the other job to run" running "$c"
	echo "back: $(fates "$b" "$c")"
	stop
}

# Kinds beside each other. A job of a queue has GPUs of one kind; one outside may have both.
mixed_kinds() {
	local a b c
	a=$(start carol -N 6 --gres=gpu:4)
	echo "four GPUs of any kind: $(each_node "$a" | wc -l)"
	stop
	a=$(start bob --gres=gpu:a100:2)
	b=$(start alice --gres=gpu:a100:4)
	c=$(start alice --gpus=h100:20)
	echo "twenty GPUs on nodes, at most $(each_node "$c" | wc -l)"
	echo "a100: $({ each_node "$a"; each_node "$b"; } | sort -u | paste -sd ' ')"
	stop
}

# Leaves are n0,c0 n1,n3 n2,m0 now; a job that wants one of them waited for the topology.
other_topology() {
	local a b
	a=$(start alice -w n3 --gres=gpu:h100:1)
	b=$(start bob -N 2 --switches=1 --gres=gpu:h100:8)
	echo "of one leaf: $(each_node "$b" | paste -sd ' '), $(fates "$a")"
	stop
}

write_conf
write_power
topology 'n[0-1]' n2,c0 n3,m0 m1 >"$WORK/topology"
pair_up --nodes 4 --cores 8 --node-spec 'NodeName=c0 Gres=gpu:h100:8 State=CLOUD' \
	--node-spec 'NodeName=m[0-1] Gres=gpu:a100:4' --topology "$WORK/topology"
for name in stock g; do
	# The job of a node that was lost is still there when the node comes back.
	cluster_errors_allowed $name 'Registered PENDING JobId=|Orphan .*JobId=|Nodes n2 not responding|[*]{3} REASON'
done
status_fresh g
expect_status g Version ConfigState ok
same powered_down
same drained_and_down
same planned
same by_backfill
same lost_and_back
same mixed_kinds
for name in stock g; do
	topology n0,c0 n1,n3 n2,m0 m1 >"$WORK/$name/etc/topology.conf"
done
both scontrol reconfigure
for name in stock g; do
	wait_for 30 "slurmctld to answer" on $name scontrol ping
done
same other_topology
status_fresh g
for key in Errors Trips; do
	expect_status g Hook=placement "$key" 0
done

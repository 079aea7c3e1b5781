#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Preemption and reservations are stock's: a cluster on stock and one with Gangway get the same
# steps, and the same jobs are requeued, cancelled or suspended (preempt/qos) for the same jobs on
# the same nodes, for jobs of queues and for jobs outside; jobs that were preempted return; one
# that its queue's quota stops evicts nobody. Reservations get the same nodes and keep the same
# jobs out, and a flexible one is used before the nodes outside it.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/pair.sh
. "$TEST_LIB/pair.sh"

# Carol's jobs are of no queue. In the stock cluster vision's quota is its account's limit.
write_conf() {
	cat >"$WORK/gangway.conf" <<-END
		UsageHalfLife=NONE
		HookTimeBudget=60000
		ClassName=standard QOS=normal Rank=1 Default=yes
		ClassName=low QOS=low Rank=0
		ClassName=gone QOS=gone Rank=2
		ClassName=pause QOS=pause Rank=3
		ClassName=high QOS=high Rank=4
		FlavorName=h100 Gres=gpu:h100 Partition=main
		PoolName=a Quota=gres/gpu:h100=64
		PoolName=b Quota=gres/gpu:h100=24
		QueueName=nlp Pool=a Account=nlp
		QueueName=vision Pool=b Account=vision
	END
	cat >"$WORK/slurm.conf" <<-END
		PreemptType=preempt/qos
		PreemptMode=SUSPEND,GANG
		SchedulerTimeSlice=5
		SchedulerParameters=bf_interval=1,bf_window=20160,sched_interval=2,sched_min_interval=50000,batch_sched_delay=0,bf_continue,max_rpc_cnt=0
		PriorityWeightAge=0
		PriorityWeightFairshare=0
		PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:1
	END
}

make_qos() {
	sacctmgr -i add qos low set PreemptMode=requeue Priority=10
	sacctmgr -i add qos pause set PreemptMode=suspend Priority=20
	sacctmgr -i add qos gone set PreemptMode=cancel Priority=30
	sacctmgr -i add qos high set Preempt=low,pause,gone Priority=100
	sacctmgr -i modify account nlp,vision,speech set qos=normal,low,pause,gone,high
} >/dev/null

# Whole and half nodes; n3 has four GPUs free. Which is preempted first does not hang on seconds.
requeued() {
	local a b c d e first second third
	a=$(start alice --qos=low --nice=1 -w n0 --gres=gpu:8)
	b=$(start bob --qos=low --nice=2 -w n1 --gres=gpu:8)
	c=$(start carol --qos=low --nice=3 -w n2 --gres=gpu:4)
	d=$(start alice --qos=low --nice=4 -w n2 --gres=gpu:4)
	e=$(start bob -w n3 --gres=gpu:4)
	first=$(start alice --qos=high --gres=gpu:8)
	echo "one node: $(nodes "$first"), $(fates "$a" "$b" "$c" "$d" "$e")"
	second=$(start carol --qos=high --gres=gpu:4)
	echo "half a node, outside: $(nodes "$second"), $(fates "$a" "$b" "$c" "$d" "$e")"
	third=$(start bob --qos=high -N 2 --gres=gpu:4)
	echo "two halves: $(nodes "$third"), $(fates "$a" "$b" "$c" "$d" "$e")"
	stop "$first" "$second" "$third"
	begin_now "$a" "$b" "$c" "$d"
	until_true 30 "the preempted to return" running "$a" "$b" "$c" "$d"
	echo "back: $(fates "$a" "$b" "$c" "$d" "$e")"
	first=$(start alice --qos=high -N 3 --gres=gpu:8)
	echo "three nodes: $(nodes "$first"), $(fates "$a" "$b" "$c" "$d" "$e")"
	stop
}

# Some are cancelled, one is suspended and runs on, and one stays because nodes are free.
cancelled_and_suspended() {
	local a b c first second
	a=$(start alice --qos=gone -w n0 --gres=gpu:8)
	b=$(start bob --qos=gone -w n1 --gres=gpu:8)
	first=$(start carol --qos=high -N 2 --gres=gpu:8)
	echo "free nodes: $(nodes "$first"), $(fates "$a" "$b")"
	second=$(start alice --qos=high --gres=gpu:8)
	echo "one more: $(nodes "$second"), $(fates "$a" "$b")"
	stop
	a=$(start alice --qos=pause -w n0 -c 16)
	b=$(start carol --qos=pause -w n1 -c 16)
	c=$(start bob -N 2 -w n2,n3 -c 16)
	first=$(start alice --qos=high -c 16)
	echo "suspends: $(nodes "$first"), $(fates "$a" "$b" "$c")"
	stop "$first"
	until_true 30 "the suspended to go on" running "$a" "$b"
	echo "on: $(fates "$a" "$b" "$c")"
	stop
}

# Vision may hold 24 GPUs.
over_quota() {
	local a b first second
	a=$(start alice --qos=low -N 2 -w n0,n1 --gres=gpu:8)
	b=$(start carol --qos=low -N 2 -w n2,n3 --gres=gpu:8)
	first=$(start bob --qos=high -N 2 --gres=gpu:8)
	echo "within: $(nodes "$first"), $(fates "$a" "$b")"
	second=$(left bob --qos=high -N 2 --gres=gpu:8)
	echo "over: $(fates "$a" "$b" "$second")"
	stop
}

# One node is broken and one is full when nodes are reserved for later.
reserved() {
	local a b c name
	a=$(start alice -t 100 -w n0 --gres=gpu:2)
	b=$(start bob -t 400 -w n1 --gres=gpu:8)
	for name in one two; do
		scontrol create reservation ReservationName=$name NodeCnt=1 Users=alice StartTime=now+200minutes Duration=100 >/dev/null
		echo "$name: $(scontrol show reservation $name -o | grep -o ' Nodes=[^ ]*')"
	done
	scontrol create reservation ReservationName=cores CoreCnt=4 Users=bob StartTime=now+20minutes Duration=60 >/dev/null
	echo "cores: $(scontrol show reservation cores -o | grep -o ' Nodes=[^ ]*')"
	scontrol create reservation ReservationName=three NodeCnt=3 Users=alice Flags=IGNORE_JOBS StartTime=now+600minutes Duration=100 >/dev/null
	echo "three: $(scontrol show reservation three -o | grep -o ' Nodes=[^ ]*')"
	for name in one two cores three; do
		scontrol delete ReservationName=$name
	done
	stop
	scontrol create reservation ReservationName=now Nodes=n0,n3 Users=alice StartTime=now Duration=UNLIMITED >/dev/null
	a=$(start alice --reservation=now --gres=gpu:8)
	b=$(start bob -N 2 --gres=gpu:8)
	c=$(left carol --gres=gpu:1)
	echo "in it: $(nodes "$a"), around it: $(nodes "$b"), left: $(fates "$c")"
	stop
	scontrol update ReservationName=now Flags=FLEX Nodes=n2 >/dev/null
	a=$(start bob -w n1 --gres=gpu:4)
	b=$(start alice --reservation=now --gres=gpu:1)
	c=$(start alice --reservation=now -N 2 --gres=gpu:1)
	echo "flexible: $(nodes "$b"), of two nodes: $(each_node "$c" | grep -c n2)"
	stop
	scontrol delete ReservationName=now
}

# Six GPUs of one node are alice's: two are left to others there, and hers stay free.
gpus_reserved() {
	local a b c d e
	scontrol create reservation ReservationName=gpus TRES=cpu=6,gres/gpu:h100=6 Nodes=n1 Users=alice StartTime=now Duration=UNLIMITED >/dev/null
	a=$(start alice --reservation=gpus --gres=gpu:h100:3)
	b=$(start carol -N 3 --gres=gpu:h100:8)
	c=$(left bob --gres=gpu:h100:3)
	d=$(start bob --gres=gpu:h100:2)
	e=$(start alice --reservation=gpus --gres=gpu:h100:3)
	echo "GPUs of a node: $(nodes "$a") $(nodes "$b") $(nodes "$d") $(nodes "$e"), $(fates "$c")"
	stop
	scontrol delete ReservationName=gpus
}

write_conf
pair_up --nodes 4 --cores 8
steps make_qos
on stock sacctmgr -i modify account vision set GrpTRES=gres/gpu=24 >/dev/null
status_fresh g
expect_status g Version ConfigState ok
same requeued
same cancelled_and_suspended
same over_quota
same reserved
# Slurm 22.05 reserves no GPUs.
[[ $SLURM_VERSION == 22.05 ]] || same gpus_reserved
status_fresh g
for key in Errors Trips; do
	expect_status g Hook=placement "$key" 0
done

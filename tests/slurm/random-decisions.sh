#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Never harder to start than stock: random jobs on mixed nodes (4, 8, 3 and no GPUs, weights,
# features, a network of three levels, reservations, nodes that drain, fail and come back) are
# tested by slurmctld, and inside each test stock alone is asked from the same state. Where stock
# has an answer so have we, as early, with no more nodes and in no more domains on any level.
# On 24.11 the network is blocks then, and jobs ask for segments, which are stock's alone. Then jobs
# ask for GPUs by socket, and may have either of two partitions. A second
# cluster suspends jobs for others (OverSubscribe=FORCE, gang) and has MCS labels.
# COUNT: so many decisions (600; the full demonstration is 10000).
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/mixed.sh
. "$TEST_LIB/mixed.sh"
# shellcheck source=tests/slurm/lib/random-jobs.sh
. "$TEST_LIB/random-jobs.sh"
# shellcheck source=tests/slurm/lib/stock-errors.sh
. "$TEST_LIB/stock-errors.sh"

# A node that comes back tells of jobs that were taken from it.
ERRORS="$STOCK_ERRORS|Registered PENDING JobId=|Orphan .*JobId=|failed to satisfy gres-per-job counter"
COUNT=${COUNT:-600}
SEED=${SEED:-20261129}
# Not empty: the network is blocks; jobs ask for GPUs by socket, or have two partitions.
BLOCKS=
DOUBTFUL=

write_conf() {
	local queue
	printf '%s\n' UsageHalfLife=NONE Verify=yes HookTimeBudget=60000 HookErrorBudget=1000 \
		'ClassName=standard QOS=normal Rank=1 Default=yes' 'ClassName=low QOS=low Rank=0' \
		'ClassName=high QOS=high Rank=2' \
		'FlavorName=h100 Gres=gpu:h100 Partition=main' 'FlavorName=a100 Gres=gpu:a100 Partition=main' \
		'PoolName=all Quota=gres/gpu:h100=1000,gres/gpu:a100=1000'
	for queue in nlp vision speech; do
		printf 'QueueName=%s Pool=all Account=%s\n' "$queue" "$queue"
	done
}

write_topology() {
	printf '%s\n' 'SwitchName=l0 Nodes=a[0-1],b0' 'SwitchName=l1 Nodes=a[2-3],b1,d0' \
		'SwitchName=l2 Nodes=b2,c[0-1],e0' 'SwitchName=l3 Nodes=d1,e1,f[0-1]' \
		'SwitchName=m0 Switches=l[0-1]' 'SwitchName=m1 Switches=l[2-3]' 'SwitchName=top Switches=m[0-1]'
}

write_blocks() {
	printf '%s\n' 'BlockName=b0 Nodes=a[0-2]' 'BlockName=b1 Nodes=a3,b[0-1]' 'BlockName=b2 Nodes=b2,c[0-1]' \
		'BlockName=b3 Nodes=d[0-1],e0' 'BlockName=b4 Nodes=e1,f[0-1]' 'BlockSizes=3,6,12'
}

# What random-jobs.sh has not: ranges of nodes, nodes by name, and what else bears on placement. Here
# and below LINE is the job, so that all random numbers are of one row.
more_options() {
	case $((RANDOM % 15)) in
	0) LINE+=" --nodes=1-$((RANDOM % 3 + 2))" ;;
	1) LINE+=" --exclude=a$((RANDOM % 4)),b0" ;;
	2) LINE+=" --nodelist=a$((RANDOM % 4))" ;;
	3) LINE+=' --exclusive=user' ;;
	4) LINE+=' --contiguous' ;;
	5) LINE+=" --switches=$((RANDOM % 2 + 1))@7-0" ;;
	6) [[ $NAME != gang ]] || LINE+=' --exclusive=mcs' ;;
	7) [[ $NAME != gang ]] || LINE+=' --partition=urgent' ;;
	8) LINE+=" --nodelist=a$((RANDOM % 4)),b$((RANDOM % 3))" ;;
	esac
	[[ -z $BLOCKS ]] || ! chance 50 || segments
}

# A job of several nodes, in segments of a block at most.
segments() {
	[[ $LINE =~ \ -N\ ([2-4]) ]] || return 0
	case ${BASH_REMATCH[1]} in
	2) one_of 1 2 ;;
	3) one_of 1 3 ;;
	4) one_of 1 2 2 ;;
	esac
	LINE+=" --segment=$R"
}

# The first part fills the cluster; then jobs come, end and move while nodes come and go.
write_operations() {
	local i
	RANDOM=$1
	for ((i = 0; i < $2; i++)); do
		random_submit "$i" ${DOUBTFUL:+doubtful} >"$WORK/line"
		LINE=$(<"$WORK/line")
		[[ $LINE == *' : '* ]] || more_options
		printf '%s\n' "$LINE"
		! chance 60 || printf 'cancel %s\n' "$RANDOM"
		! chance 6 || printf 'drain %s\n' "$RANDOM"
		! chance 6 || echo undrain
		! chance 3 || printf 'requeue %s\n' "$RANDOM"
	done
}

figure() {
	status_value "$NAME" Hook=placement "$1"
}

# enough COMPARED FOLLOWED: in all. Of most jobs that wait it is asked again and again whether there
# are nodes for them, and there are none.
enough() {
	(($(figure Compared) >= $1 && $(figure Applied) >= $2))
}

# drive DECISIONS: more of them, a third of them ours. Jobs that wait are tried again in each pass,
# and other jobs end meanwhile.
drive() {
	local round=0 compared followed
	compared=$(($(figure Compared) + $1))
	followed=$(($(figure Applied) + $1 / 3))
	while ! enough "$compared" "$followed"; do
		write_operations $((SEED + round)) 60 >"$WORK/operations"
		[[ $NAME != gang ]] || sed -i 's/ --qos=[a-z]*//' "$WORK/operations"
		on "$NAME" "$TEST_LIB/drive.sh" "$WORK/operations" "$WORK/job" >>"$WORK/answers.$NAME"
		on "$NAME" scontrol update NodeName="b$((round % 3))" State=DOWN Reason=test
		round=$((round + 1))
		on "$NAME" scontrol update NodeName="b$((round % 3))" State=RESUME >/dev/null 2>&1 || true
		((round < 200)) ||
			fail "only $(figure Compared) decisions after 200 rounds, $(figure Applied) of them ours"
	done
}

# The jobs of which ours was worse, and how they were submitted.
worse() {
	local key job sum=0
	for key in Refused Later MoreNodes MoreDomains; do
		sum=$((sum + $(figure $key)))
	done
	((sum)) || return 0
	on "$NAME" grep -h 'gangway: verify' "${CLUSTER[$NAME]}/log/slurmctld.log" | tail -n 20 | tee "$WORK/worse"
	sed -n 's/.*JobId=\([0-9]*\).*/\1/p' "$WORK/worse" | sort -u |
		while read -r job; do
			on "$NAME" sacct -X -n -P -j "$job" -S 2000-01-01 -o JobId,SubmitLine
		done
}

# decide NAME DECISIONS
decide() {
	local key
	NAME=$1
	cluster_errors_allowed "$NAME" "$ERRORS"
	drive "$2"
	wait_for 90 "an empty queue" emptied "$NAME"
	status_fresh "$NAME"
	worse
	note "$NAME: $(grep -c '^accepted' "$WORK/answers.$NAME") jobs; $(figure Compared) decisions compared, $(figure StockPlaces) with a place of stock's, $(figure Preferences) preferences, $(figure Applied) followed, $(figure Retried) made again"
	unchecked_if_short "$NAME"
	# Of ranges of nodes too.
	expect_status "$NAME" Hook=placement MostStockCallsAlone 1
	for key in Refused Later MoreNodes MoreDomains Mismatches Errors Trips; do
		expect_status "$NAME" Hook=placement "$key" 0
	done
}

# by_blocks NAME: from now on.
by_blocks() {
	slurmctld_end "$1"
	slurm_conf "$1" TopologyPlugin topology/block
	# The nodes keep the file they began with.
	slurm_conf "$1" DebugFlags NO_CONF_HASH
	write_blocks >"${CLUSTER[$1]}/etc/topology.conf"
	cluster "$1" restart slurmctld
	BLOCKS=1
}

gang_conf() {
	mixed_conf "$MIXED_SCHEDULER" | sed -e 's,^PreemptType=.*,PreemptType=preempt/partition_prio,' \
		-e 's/^PreemptMode=.*/PreemptMode=SUSPEND,GANG/' -e 's/OverSubscribe=YES:2/OverSubscribe=FORCE:2/'
	printf '%s\n' 'MCSPlugin=mcs/user' 'MCSParameters=ondemand,select' \
		'PartitionName=urgent Nodes=a[0-3],b[0-2] PriorityTier=5 MaxTime=INFINITE State=UP OverSubscribe=FORCE:1'
}

write_conf >"$WORK/gangway.conf"
write_topology >"$WORK/topology.conf"
printf '#!/bin/sh\nexec sleep 6\n' >"$WORK/job"
mixed_up qos --conf "$WORK/gangway.conf" --topology "$WORK/topology.conf"
decide qos "$COUNT"
if [[ $SLURM_VERSION != 22.05 ]]; then
	by_blocks qos
	decide qos $((COUNT / 4))
	BLOCKS=''
fi
is_short qos || cluster qos check --allow "$ERRORS"
cluster_unchecked qos "Slurm by itself gives some of the jobs to come too few GPUs"
DOUBTFUL=1
decide qos $((COUNT / 4))
DOUBTFUL=''
cluster_down qos

gang_conf >"$WORK/gang.conf"
mixed_up gang --conf "$WORK/gangway.conf" --topology "$WORK/topology.conf" --slurm-conf "$WORK/gang.conf"
decide gang $((COUNT / 3))
cluster_unchecked gang "jobs share GPUs of suspended ones"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A user whose associations are for single partitions must be taken as by stock.
#
# The association was looked up with the partition as the job gave it: none, or a list. Slurm
# looks with the partition the job will be in, so a job without one was refused as GW002.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"

# Both partitions have h100; the queue nlp may use either.
two_partitions() {
	cat <<-'END_OF_CONF'
		UsageHalfLife=7-0
		UsageWeights=gres/gpu:h100=1
		HookTimeBudget=60000
		ClassName=standard QOS=normal Rank=1 Default=yes
		FlavorName=first Gres=gpu:h100 Partition=main
		FlavorName=second Gres=gpu:h100 Partition=other
		PoolName=shared Quota=first=8,second=8
		QueueName=nlp Pool=shared Account=nlp
	END_OF_CONF
}

accounts() {
	on g sacctmgr -i "$@" >"$WORK/sacctmgr" 2>&1 || fail "sacctmgr $*: $(tail -n 1 "$WORK/sacctmgr")"
}

# taken OPTION...: by sbatch --test-only for dave.
taken() {
	as g dave sbatch --test-only --gres=gpu:1 "$@" --wrap=true >"$WORK/answer" 2>&1
}

# runs_in PARTITION OPTION...
runs_in() {
	local partition=$1 id
	shift
	id=$(submit g dave --gres=gpu:1 "$@" 2>"$WORK/answer") || fail "$*: $(cat "$WORK/answer")"
	wait_for 20 "$* to run" job_is g "$id" RUNNING
	expect "$*: partition" "$partition" "$(job_field g "$id" Partition)"
	on g scancel "$id"
}

two_partitions >"$WORK/conf"
printf '%s\n' 'PartitionName=other Nodes=ALL MaxTime=INFINITE State=UP' >"$WORK/slurm.conf"
cluster_up g --nodes 1 --cores 8 --conf "$WORK/conf" --slurm-conf "$WORK/slurm.conf"

# Only for the partition that is not the default one.
accounts add user dave Account=nlp Partition=other DefaultAccount=nlp
wait_for 20 "dave's association to be known" taken -p other
runs_in other
runs_in other -p other
if taken -p main; then
	fail "taken in a partition without association"
fi
grep -q GW002 "$WORK/answer" || fail "-p main: $(cat "$WORK/answer")"

# One for each: in the first that the queue has.
accounts add user dave Account=nlp Partition=main
wait_for 20 "dave's other association to be known" taken -p main
runs_in main
runs_in other -p other
# Slurm does not take several partitions of several associations.
if taken -p main,other; then
	fail "taken in two partitions of two associations"
fi
if grep -q GW002 "$WORK/answer"; then
	fail "-p main,other: $(cat "$WORK/answer")"
fi
note "jobs of a user with associations of partitions go where they may"

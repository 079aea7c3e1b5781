#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A thousand jobs of the highest class and a het job, all over quota, use up no scheduling
# depth: with the default depths a standard job of another queue that fits starts in the
# first pass after its GPUs are free, by the main scheduler alone (100 jobs a pass) and by
# backfill alone (500). Without our order the same pass does not reach it.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

JOBS=1000
# Seconds between two passes of backfill, and within which slurmctld gathers the ends of
# jobs for one pass of the main scheduler (batch_sched_delay).
BACKFILL=5 GATHER=3
# The other scheduler rests: no pass of its own within the test.
NEVER=3600
POOLS=('PoolName=small Quota=gres/gpu:h100=8' 'PoolName=large Quota=gres/gpu:h100=32'
	'QueueName=nlp Pool=small Account=nlp' 'QueueName=vision Pool=large Account=vision')

# The number of every job over quota is below that of the job given.
expect_order() {
	local above
	above=$(on g squeue -h -t PD -A nlp -o %Q | awk -v of="$(job_field g "$1" Priority)" '$1 >= of' | wc -l)
	expect "jobs over quota whose number is above that of a job that may start" 0 "$above"
}

# Cancels what holds the other nodes; prints nothing, sets FREED.
free_nodes() {
	on g scancel "$HOG"
	wait_for 20 "the nodes to be free" accounted_is g "$HOG" End '^[0-9]'
	FREED=$(accounted g "$HOG" End)
}

# hog: takes the three nodes that nlp has not.
take_nodes() {
	HOG=$(submit g bob -N3 --gres=gpu:8 -t 600)
	wait_for 20 "the other nodes to be taken" job_is g "$HOG" RUNNING
}

# starts_within SECONDS BY: a standard job that waits for GPUs.
starts_within() {
	local id waited
	take_nodes
	id=$(submit g bob -N1 --gres=gpu:4 -t 60)
	wait_for 20 "a rank for the standard job" view_has "$id"
	job_is g "$id" PENDING || fail "job $id is not waiting"
	expect_order "$id"
	free_nodes
	wait_for 20 "the standard job to start" job_is g "$id" RUNNING
	waited=$(($(accounted g "$id" Start) - FREED))
	((waited <= $1)) || fail "$2: the standard job started $waited s after the GPUs were free, not within $1 s"
	note "$2: started $waited s after the GPUs were free, $(on g squeue -h -t PD -o %i | wc -l) jobs waiting"
	on g scancel "$id"
}

view_has() {
	[[ -n $(view_value g "Job=$1" Number) ]]
}

# In stock's order no pass of the main scheduler comes so far as the standard job.
shadowed_without_order() {
	local id
	policy_write "${CLUSTER[g]}/etc/gangway.conf" ModeOrder=observe "${POOLS[@]}"
	slurm_conf g PriorityWeightQOS 1000000
	scheduler g "sched_interval=$NEVER,bf_interval=$NEVER"
	id=$(submit g bob -N1 --gres=gpu:4 -t 60)
	# The first may have begun before the job was there; each submit makes one.
	for _ in 1 2; do
		pass_after g main submit g bob -N1 --gres=gpu:4 -t 60
	done
	job_is g "$id" PENDING || fail "the depth is no hindrance, so the test shows nothing"
	note "without our order the job waits on"
}

policy_write "$WORK/conf" "${POOLS[@]}"
policy_up g "$WORK/conf" --nodes 4 --cores 16
scheduler g "sched_interval=$NEVER,bf_interval=$NEVER"
first=$(submit g alice -N1 --gres=gpu:8 -t 600)
wait_for 20 "the quota to be used up" job_is g "$first" RUNNING
burst g alice "$JOBS" --qos=high --gres=gpu:1 -t 60 >/dev/null
as g alice sbatch -Q -J het --qos=high --gres=gpu:1 -t 60 : --gres=gpu:1 -t 60 --wrap='sleep 9'
expect "jobs waiting" $((JOBS + 2)) "$(on g squeue -h -t PD -A nlp -o %i | wc -l)"

fresh=$(submit g bob -N1 --gres=gpu:4 -t 60)
wait_for $((GATHER + 2)) "a job submitted behind them to start at once" job_is g "$fresh" RUNNING
on g scancel "$fresh"
starts_within $((GATHER + 2)) "main scheduler"
expect "jobs started by backfill" 0 "$(on g sdiag | sed -n 's/.*Total backfilled jobs (since last slurm start): //p')"
scheduler g "sched_interval=-1,bf_interval=$BACKFILL"
starts_within $((BACKFILL + 1)) backfill
expect "jobs over quota that wait" "$JOBS" "$(on g squeue -h -t PD -A nlp -n wrap -o %i | wc -l)"
expect "components of the het job that wait" 2 "$(on g squeue -h -t PD -A nlp -n het -o %i | wc -l)"
shadowed_without_order

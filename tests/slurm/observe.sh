#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Mode=observe, as a whole and for one subsystem: jobs, priorities, limits, nodes, GPUs and
# what users are told are those of a stock cluster given the same jobs, while the log says
# what would be done and the view tells; what is not observed acts.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

SUBSYSTEMS=(order quota placement routing)
QUOTA=12

# The same jobs for both: more than the quota, more than the nodes, and of all shapes.
submit_all() {
	local name=$1 user
	partition "$name" DOWN
	for user in alice bob carol; do
		# shellcheck disable=SC2016
		as "$name" "$user" bash -c '
			for job in --gres=gpu:1 "--gres=gpu:2 -c4" --gres=gpu:4 --gres=gpu:8 "-N2 --gpus-per-node=3" "-N1-2 --gpus-per-node=3" --gpus=2 "--gres=gpu:h100:1 --qos=high" "--array=1-3 --gres=gpu:1" -c3; do
				sbatch --parsable -o /dev/null $job -t 60 --wrap="exec sleep 864000"
			done' 2>&1
	done
	partition "$name" UP
}

# All that scontrol says of a job but for times and paths.
details() {
	on "$1" scontrol show job -d | grep -E 'JobId=|Priority=|JobState=|NodeList|Nodes=|TRES=|TresPer|Partition=|NumNodes' | grep -v StdOut
}

everything() {
	on "$1" squeue -h -r -o '%i|%u|%a|%q|%P|%T|%Q|%r|%N' | sort -n
	details "$1"
	priorities "$1"
	limits "$1"
}

settled_alike() {
	everything o >"$WORK/o.facts"
	everything s >"$WORK/s.facts"
	grep -q JobState=RUNNING "$WORK/s.facts" && cmp -s "$WORK/o.facts" "$WORK/s.facts"
}

# log_has TEXT
log_has() {
	grep -qE "$1" "${CLUSTER[o]}/log/slurmctld.log"
}

observes_all() {
	submit_all o >"$WORK/o.said"
	submit_all s >"$WORK/s.said"
	expect "what users are told" "$(<"$WORK/s.said")" "$(<"$WORK/o.said")"
	wait_for 60 "two clusters that look alike" settled_alike || {
		diff "$WORK/s.facts" "$WORK/o.facts"
		fail "the two differ"
	}
	note "$(grep -c . "$WORK/s.facts") lines of facts are the same, $(grep -c JobState=RUNNING "$WORK/s.facts") jobs run"
	wait_for 20 "order in the log" log_has 'gangway: observe: .* would go first'
	wait_for 20 "quota in the log" log_has 'gangway: observe: .* would wait for quota: over-pool'
	wait_for 20 "placement in the log" log_has 'gangway: observe: .* would have [0-9]+ nodes'
	wait_for 20 "routing in the log" log_has 'gangway: observe: a job of uid .* filled in'
	status_fresh o
	expect_status o Hook=placement Applied 0
	on o gangway queues | grep -qE '^shared .* 12 ' || fail "gangway queues does not tell of the pool"
	[[ $(view_value o 'Queue=nlp' Pending) -gt 0 ]] || fail "the view does not tell of waiting jobs"
	on o gangway why "$(sed -n 's/^Job=\([0-9]*\) Queue=nlp .*State=pending.*/\1/p' "${CLUSTER[o]}/state/gangway/view" | head -n 1)" >"$WORK/why"
	grep -q '^rank ' "$WORK/why" || fail "gangway why does not tell the rank: $(<"$WORK/why")"
	note "the log and the view tell what would be done"
}

# What acts of the four, as their names.
acting() {
	local first second over number before
	before=$(status_value o Hook=placement Applied)
	first=$(as o alice sbatch --parsable -o /dev/null --gres=gpu:8 -t 60 --wrap='exec sleep 864000' 2>"$WORK/said")
	second=$(submit o alice --gres=gpu:2 -t 60 2>/dev/null)
	over=$(submit o alice --gres=gpu:4 -t 60 2>/dev/null)
	wait_for 20 "two jobs within the quota" both_running "$first" "$second"
	wait_for 20 "a word on the third job" third_decided "$over"
	number=$(sed -n "s/.*JobId=$first InitPrio=\([0-9]*\) .*/\1/p" "${CLUSTER[o]}/log/slurmctld.log")
	((number < 268435456)) || echo order
	! job_is o "$over" PENDING || echo quota
	status_fresh o
	(($(status_value o Hook=placement Applied) == before)) || echo placement
	[[ ! -s $WORK/said ]] || echo routing
	on o scancel --state=PENDING
	on o scancel --state=RUNNING
	wait_for 20 "no jobs" no_jobs o
}

both_running() {
	job_is o "$1" RUNNING && job_is o "$2" RUNNING
}

third_decided() {
	job_is o "$1" RUNNING || [[ $(on o squeue -h -j "$1" -o %r) == *'over quota'* ]] ||
		[[ $(on o scontrol show job "$1") == *Reason=AssocGrpG* ]]
}

configure() {
	mapfile -t pool < <(policy_one_pool "$QUOTA")
	policy_write "${CLUSTER[o]}/etc/gangway.conf" "$@" "${pool[@]}"
	cluster o restart slurmctld
	status_fresh o
}

expect_acting() {
	local wanted=$1
	shift
	configure "$@"
	expect "what acts with ${*:-Mode=enforce}" "$wanted" "$(acting | paste -sd ' ')"
	note "${*:-all enforced}: $wanted"
}

steady_priority >"$WORK/slurm.conf"
echo SlurmctldDebug=debug >>"$WORK/slurm.conf"
mapfile -t pool < <(policy_one_pool "$QUOTA")
policy_write "$WORK/conf" Mode=observe "${pool[@]}"
policy_up o "$WORK/conf" --nodes 3 --cores 16 --speed 20 --slurm-conf "$WORK/slurm.conf"
cluster_up s --stock --nodes 3 --cores 16 --speed 20 --slurm-conf "$WORK/slurm.conf"
policy_qos s
observes_all
cluster_down s
on o scancel --state=PENDING
on o scancel --state=RUNNING
wait_for 20 "no jobs" no_jobs o
expect_acting "${SUBSYSTEMS[*]}"
for subsystem in "${SUBSYSTEMS[@]}"; do
	wanted=" ${SUBSYSTEMS[*]} "
	wanted=${wanted/ $subsystem / }
	wanted=${wanted# }
	expect_acting "${wanted% }" "Mode${subsystem^}=observe"
done

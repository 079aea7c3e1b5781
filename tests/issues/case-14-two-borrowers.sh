#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Eight GPUs are idle in a cohort; two pools without quota of their own want to borrow eight
# each, in the same scheduling pass, on nodes that would hold both: exactly one starts, the
# other waits with the reason, and starts when the first has ended. Ten times, in both orders,
# then with GPUs of a job and with an array.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

cohort() {
	cat <<-'END_OF_CONF'
		UsageHalfLife=7-0
		UsageWeights=gres/gpu:h100=1
		HookTimeBudget=60000
		ClassName=standard QOS=normal Rank=1 Default=yes
		FlavorName=h100 Gres=gpu:h100 Partition=main
		CohortName=all
		PoolName=lender Cohort=all Quota=gres/gpu:h100=8
		PoolName=a Cohort=all Quota=gres/gpu:h100=0
		PoolName=b Cohort=all Quota=gres/gpu:h100=0
		QueueName=speech Pool=lender Account=speech
		QueueName=nlp Pool=a Account=nlp
		QueueName=vision Pool=b Account=vision
	END_OF_CONF
}

# GPUs that run at this moment, by slurmctld's nodes.
gpus_held() {
	on on scontrol show node -o |
		sed -n 's/.* AllocTRES=[^ ]*gres\/gpu=\([0-9]*\).*/\1/p' | awk '{ sum += $1 } END { print sum + 0 }'
}

runs_and_waits() {
	local first second
	first=$(job_field on "$1" JobState) second=$(job_field on "$2" JobState)
	[[ $first/$second == RUNNING/PENDING && $(job_field on "$2" Reason) == AssocGrpGRES ||
		$first/$second == PENDING/RUNNING && $(job_field on "$1" Reason) == AssocGrpGRES ]]
}

# evaluated_since ID TIME: the scheduler tested it after then.
evaluated_since() {
	local at
	at=$(job_field on "$1" LastSchedEval)
	[[ $at > "$2" ]]
}

# round NUMBER OPTION...: both are held, then released by one request.
round() {
	local number=$1 a b running waiting
	shift
	a=$(submit on alice -H "$@" 2>/dev/null)
	b=$(submit on bob -H "$@" 2>/dev/null)
	if ((number % 2)); then
		on on scontrol release "$a" "$b"
	else
		on on scontrol release "$b" "$a"
	fi
	wait_for 30 "round $number: one to run and one to wait for quota" runs_and_waits "$a" "$b"
	running=$a waiting=$b
	job_is on "$a" RUNNING || running=$b waiting=$a
	# The scheduler has looked at it again after the start of the other, and left it.
	wait_for 20 "round $number: another look at the waiting job" evaluated_since "$waiting" "$(job_field on "$running" StartTime)"
	job_is on "$waiting" PENDING || fail "round $number: both run"
	expect "round $number: GPUs held" 8 "$(gpus_held)"
	on on scancel "$running"
	wait_for 30 "round $number: the other to start" job_is on "$waiting" RUNNING
	end_jobs on
	printf '%s' "$((running == a))" >>"$WORK/winners"
}

# The ends of both jobs' times never overlap in sacct.
never_both() {
	SLURM_TIME_FORMAT=%s on on sacct -X -a -n -P -o Start,End | grep -v Unknown | sort -n |
		awk -F'|' '$1 < end { print "a start at " $1 " before the end at " end; bad = 1 } { end = $2 } END { exit bad }' ||
		fail "two borrowers held the same eight GPUs"
}

said() {
	[[ $(on on gangway why "$1" | sed -n 's/^reason *//p') == "$2" ]]
}

cohort >"$WORK/conf"
cluster_up on --nodes 3 --cores 8 --speed 20 --conf "$WORK/conf"
for i in {1..10}; do
	round "$i" --gres=gpu:8
done
round 11 --gpus=8
round 12 --gres=gpu:8 --array=1
note "ten rounds and two: one borrower each; alice's first: $(cat "$WORK/winners")"
never_both

# The waiting one says why, and the lender takes back what is its own when it comes free.
first=$(run on alice --gres=gpu:8)
second=$(submit on bob --gres=gpu:8 2>/dev/null)
wait_for 20 "the sentence of the second" said "$second" \
	'uncontrolled: over quota: pool b holds 0 of 0 h100; cohort all has 0 more for it; 8 asked'
owner=$(submit on carol --gres=gpu:8 2>/dev/null)
wait_for 20 "the lender's job to wait" said "$owner" \
	'uncontrolled: over quota: pool lender holds 0 of 8 h100; cohort all has 0 more for it; 8 asked'
on on scancel "$first"
wait_for 20 "the lender's own job to start first" job_is on "$owner" RUNNING
job_is on "$second" PENDING || fail "a borrower started beside the lender"

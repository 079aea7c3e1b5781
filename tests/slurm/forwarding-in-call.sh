#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Forwarding is exact, seen inside each call: with Verify=yes every placement
# question of 500 random jobs is answered twice from the same state, by stock
# alone and as applied, and the answers are compared: nodes, cores, GPUs.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/mixed.sh
. "$TEST_LIB/mixed.sh"
# shellcheck source=tests/slurm/lib/random-jobs.sh
. "$TEST_LIB/random-jobs.sh"
# shellcheck source=tests/slurm/lib/stock-errors.sh
. "$TEST_LIB/stock-errors.sh"

JOBS=500
SWITCH_WAIT=0:01

# Some are refused whatever the cluster: ask for more.
write_operations() {
	local count
	RANDOM=20221129
	for ((count = 0; count < JOBS * 15 / 10; count++)); do
		random_submit "$count"
		! chance 8 || random_operation "$count"
	done | grep -vE '^(drain|hold)'
}

write_doubtful() {
	local count
	for ((count = 0; count < 60; count++)); do
		random_submit "$count" doubtful
	done
}

started() {
	on g sacct -a -X -D -n -P -S 2000-01-01 -o Start,AllocTRES | grep -cE '^[0-9].*[|].'
}

# most_started COUNT: so many, or half of that and no more for a while: on stock too a job that is
# planned for nodes on which it can not start keeps all others off them, and which of these jobs
# meet is chance.
LAST=0 CHANGED=$SECONDS
most_started() {
	local now
	now=$(started) || now=0
	((now == LAST)) || CHANGED=$SECONDS
	LAST=$now
	((now >= $1 || (now >= $1 / 2 && SECONDS - CHANGED > 60)))
}

# drive FILE: submits, and ends what is left when the cluster has had its turn.
drive() {
	on g "$TEST_LIB/drive.sh" "$1" "$WORK/job" >"$1.answers"
	note "$(grep -c '^accepted' "$1.answers") accepted, $(grep -c '^refused' "$1.answers") refused"
}

drain() {
	wait_for 60 "an empty queue" emptied g
}

expect_exact() {
	local hook key verified
	status_fresh g
	verified=$(status_value g Hook=placement Verified)
	note "$verified placement answers compared"
	((verified >= $1)) || fail "only $verified placement answers were compared"
	for key in Mismatches Errors Trips; do
		expect_status g Hook=placement "$key" 0
	done
	for hook in job_test priority submit modify; do
		expect_status g "Hook=$hook" Errors 0
		expect_status g "Hook=$hook" Trips 0
	done
}

printf 'UsageHalfLife=NONE\nVerify=yes\nHookTimeBudget=60000\n' >"$WORK/gangway.conf"
mixed_up g --conf "$WORK/gangway.conf"
cluster_errors_allowed g "$STOCK_ERRORS"
write_operations >"$WORK/operations"
write_doubtful >"$WORK/doubtful"
printf '#!/bin/sh\nexec sleep 0.5\n' >"$WORK/job"

drive "$WORK/operations"
accepted=$(grep -c '^accepted' "$WORK/operations.answers")
((accepted >= JOBS)) || fail "only $accepted jobs were accepted"
# Few-second jobs with limits of days: how fast they start depends on the load.
wait_for 300 "$((JOBS * 8 / 10)) starts" most_started "$((JOBS * 8 / 10))"
note "$(started) started"
drain
expect_exact "$JOBS"
# Each answer was stock's own; so was that error, now and then, on 24.11.
if grep -qE "$STOCK_SHORT" "${CLUSTER[g]}/log/slurmctld.log"; then
	note "stock by itself started a job with too few GPUs: what jobs held is not checked"
else
	cluster g check
fi

before=$(status_value g Hook=placement Verified)
drive "$WORK/doubtful"
wait_for 30 "30 more answers" status_above g Hook=placement Verified "$((before + 30))"
drain
expect_exact "$((before + 30))"
cluster_unchecked g "stock starts some of these jobs without all their GPUs"

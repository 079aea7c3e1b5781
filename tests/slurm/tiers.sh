#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# When every choice of ours fails, the answer is stock's to the last bit: with an injected fault each
# preferred tier is tried and taken to have failed, and the answer that comes out is compared,
# inside the call, with what stock says from the state before: 10,000 placements of random jobs on
# mixed nodes. Without the fault the preferences are followed, and no other node is touched.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/mixed.sh
. "$TEST_LIB/mixed.sh"
# shellcheck source=tests/slurm/lib/random-jobs.sh
. "$TEST_LIB/random-jobs.sh"
# shellcheck source=tests/slurm/lib/stock-errors.sh
. "$TEST_LIB/stock-errors.sh"

DECISIONS=10000

write_conf() {
	cat <<-END
		UsageHalfLife=NONE
		Verify=yes
		HookTimeBudget=60000
		ClassName=standard QOS=normal Rank=1 Default=yes
		ClassName=low QOS=low Rank=0
		ClassName=high QOS=high Rank=2
		FlavorName=h100 Gres=gpu:h100 Partition=main
		FlavorName=a100 Gres=gpu:a100 Partition=main
		PoolName=all Quota=gres/gpu:h100=1000,gres/gpu:a100=1000
		QueueName=nlp Pool=all Account=nlp
		QueueName=vision Pool=all Account=vision
		QueueName=speech Pool=all Account=speech
	END
}

# Jobs run long enough that many wait, and are tried again in each pass.
write_operations() {
	local count
	RANDOM=$1
	for ((count = 0; count < 700; count++)); do
		random_submit "$count"
	done
}

drive() {
	write_operations "$1" >"$WORK/operations"
	on g "$TEST_LIB/drive.sh" "$WORK/operations" "$WORK/job" >"$WORK/operations.answers"
	note "$(grep -c '^accepted' "$WORK/operations.answers") accepted"
}

figure() {
	status_value g Hook=placement "$1"
}

expect_exact() {
	local key
	status_fresh g
	note "$(figure Verified) compared, $(figure Preferences) preferences, $(figure Applied) followed"
	for key in Mismatches Errors Trips; do
		expect_status g Hook=placement "$key" 0
	done
}

partitions() {
	on g scontrol update PartitionName=main State="$1"
	on g scontrol update PartitionName=two State="$1"
}

# Closed, so that no scheduler holds the locks that scancel needs.
drain() {
	partitions DOWN
	wait_for 90 "an empty queue" emptied g
}

write_conf >"$WORK/gangway.conf"
printf '#!/bin/sh\nexec sleep 5\n' >"$WORK/job"
export DEVCLUSTER_CTLD_ENV=GANGWAY_FAULT=placement:tier
mixed_up g --conf "$WORK/gangway.conf"
cluster_errors_allowed g "$STOCK_ERRORS"
drive 20241129
wait_for 240 "$DECISIONS placements compared" status_above g Hook=placement Verified "$DECISIONS"
expect_exact
(($(figure Preferences) > DECISIONS / 10)) || fail "core hardly ever had a preference: nothing was tried"
expect_status g Hook=placement Applied 0
expect "the most that stock was asked for one placement" 3 "$(figure MostStockCalls)"
expect "the same without a preference" 1 "$(figure MostStockCallsAlone)"
drain
# Each answer was stock's own; so was that error, now and then, on 24.11.
unchecked_if_short g

unset DEVCLUSTER_CTLD_ENV
cluster g restart slurmctld
partitions UP
drive 20221129
wait_for 120 "1000 placements that follow a preference" status_above g Hook=placement Applied 1000
expect_exact
drain

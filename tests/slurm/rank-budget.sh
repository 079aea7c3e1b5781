#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Thousands of pending jobs keep their order with the time budget a site has by default: what the
# ranks do outside of slurmctld's locks holds up nobody and is not counted, and they leave the locks
# alone for long enough.
#
# Making the ranks and the view of four thousand jobs takes some 25 ms. All of it was counted, and a
# second a minute was spent before the minute was over: the order was stock until reconfigure.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

JOBS=4000 MINUTE=60000

# In the form of the benches' live-submit: at once, each job for all of the node.
jobs() {
	local i
	for ((i = 0; i < JOBS; i++)); do
		echo "job$i -60 60 60 alice nlp normal 1 8"
	done
}

minute_is_over() {
	(($(now_ms) - BEGUN >= MINUTE + 5000))
}

policy_write "$WORK/all" 'PoolName=shared Quota=gres/gpu:h100=8' 'QueueName=nlp Pool=shared Account=nlp'
grep -v '^HookTimeBudget=' "$WORK/all" >"$WORK/conf"
policy_up g "$WORK/conf" --nodes 1 --cores 16
on g "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O2 -o "$WORK/live-submit" \
	"$CHECKOUT/tests/bench.d/live-submit.c" -lslurm || fail "live-submit.c can not be compiled"
jobs >"$WORK/jobs"
BEGUN=$(now_ms)
on g "$WORK/live-submit" "$WORK/jobs" "$WORK/submitted" || fail "$JOBS jobs can not be submitted"
note "$JOBS jobs were submitted in $(($(now_ms) - BEGUN)) ms"
wait_for 70 "more than a minute to be over" minute_is_over
status_fresh g
expect_status g Hook=rank Trips 0
expect_status g Subsystem=order State on
status_above g Hook=rank Calls 20 || fail "the ranks were made $(status_value g Hook=rank Calls) times"
(($(grep -c '^Job=.*State=pending' "${CLUSTER[g]}/state/gangway/view") > JOBS / 2)) || fail "the view lacks jobs"
note "$(status_value g Hook=rank Calls) passes took $(($(status_value g Hook=rank OwnTotalNs) / 1000000)) ms, at most $(($(status_value g Hook=rank OwnMaxNs) / 1000)) us"

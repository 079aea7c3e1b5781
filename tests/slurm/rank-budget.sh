#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Thousands of pending jobs keep their order with the time budget a site has by default: what the
# ranks do outside of slurmctld's locks holds up nobody and is not counted, and they leave the locks
# alone for long enough.
#
# Making the ranks and the view of three thousand jobs takes some 20 ms. All of it was counted, and
# where jobs came all the time a second was spent in 20: the order was stock until reconfigure.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

JOBS=3000 WOKEN_MS=40000

# In the form of the benches' live-submit: at once, each job for all of the node.
jobs() {
	local i
	for ((i = 0; i < JOBS; i++)); do
		echo "job$i -60 60 60 alice nlp normal 1 8"
	done
}

# Each submit wakes the ranks.
keep_awake() {
	local begun id
	begun=$(now_ms)
	while (($(now_ms) - begun < WOKEN_MS)); do
		id=$(submit g alice -N1 --gres=gpu:8 -t 60 2>/dev/null)
		on g scancel "$id"
	done
}

# The jobs come as fast as they can, for which the budget of submits is not made.
policy_write "$WORK/conf" 'PoolName=shared Quota=gres/gpu:h100=8' 'QueueName=nlp Pool=shared Account=nlp'
policy_up g "$WORK/conf" --nodes 1 --cores 16
on g "${CC:-cc}" -std=gnu11 -D_GNU_SOURCE -O2 -o "$WORK/live-submit" \
	"$CHECKOUT/tests/bench.d/live-submit.c" -lslurm || fail "live-submit.c can not be compiled"
jobs >"$WORK/jobs"
on g "$WORK/live-submit" "$WORK/jobs" "$WORK/submitted" || fail "$JOBS jobs can not be submitted"
note "$JOBS jobs are submitted"
sed -i '/^HookTimeBudget=/d' "${CLUSTER[g]}/etc/gangway.conf"
reconfigured g
keep_awake
status_fresh g
expect_status g Hook=rank Trips 0
status_above g Hook=rank Calls 20 || fail "the ranks were made $(status_value g Hook=rank Calls) times"
(($(grep -c '^Job=.*State=pending' "${CLUSTER[g]}/state/gangway/view") > JOBS / 2)) || fail "the view lacks jobs"
note "$(status_value g Hook=rank Calls) passes took $(($(status_value g Hook=rank OwnTotalNs) / 1000000)) ms, at most $(($(status_value g Hook=rank OwnMaxNs) / 1000)) us"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# gangway replay --diff says before a reconfigure what is so after it: the place of every
# pending job under other weights and quotas, and which pool holds more than it may. The
# configuration in force makes no difference. Users are told of their own jobs only.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# conf FILE TRAIN OTHER WEIGHT: quotas of the two pools, weight of speech.
conf() {
	policy_write "$1" "PoolName=train Quota=gres/gpu:h100=$2" "PoolName=other Quota=gres/gpu:h100=$3" \
		'QueueName=nlp Pool=train Account=nlp Weight=4' \
		"QueueName=speech Pool=train Account=speech Weight=$4" \
		'QueueName=vision Pool=other Account=vision'
}

# "job rank", by job, of all pending jobs as they are published.
places() {
	sed -n 's/^Job=\([0-9]*\) .*State=pending .*Rank=\([0-9]*\) .*/\1 \2/p' "${CLUSTER[g]}/state/gangway/view" | sort -n
}

places_are() {
	(($(places | wc -l) == $1))
}

# difference COMMAND...: lines of jobs, and of pools.
difference() {
	"$@" -P -n >"$WORK/lines" || fail "$* fails"
	awk -F'|' 'NF == 12' "$WORK/lines" >"$WORK/jobs"
	awk -F'|' 'NF == 10' "$WORK/lines" >"$WORK/pools"
}

# The places that jobs should have afterwards, by job: those now, with the changes.
foretold() {
	awk -F'[| ]' 'NR == FNR { then[$1] = $9; next } { print $1, ($1 in then ? then[$1] : $2) }' \
		<(cut -d'|' -f 1-9 "$WORK/jobs") <(places)
}

quota_is() {
	grep -q "^Pool=$1 .* Quota=$2 " "${CLUSTER[g]}/state/gangway/view"
}

# Both pools hold 16, train's two queues 8 each; what waits is of three queues and two classes.
fill() {
	local user
	for user in alice carol bob bob; do
		submit g "$user" -N1 --gres=gpu:8 -t 600 >/dev/null
	done
	wait_for 20 "jobs on all nodes" jobs_number g 4 -t R
	burst g alice 3 --gres=gpu:2 -t 60 >/dev/null
	burst g carol 3 --gres=gpu:2 -t 60 >/dev/null
	burst g bob 2 --gres=gpu:1 -t 60 >/dev/null
	submit g alice --gres=gpu:4 -q high -t 60 >/dev/null
	wait_for 30 "nine pending jobs in the view" places_are 9
}

conf "$WORK/conf" 24 16 1
conf "$WORK/new" 20 12 10
policy_up g "$WORK/conf" --nodes 4 --cores 16
fill

difference on g gangway replay --diff "$WORK/conf"
expect "what the configuration in force changes" '' "$(<"$WORK/lines")"

difference on g gangway replay --diff "$WORK/new"
(($(awk -F'|' '$8 != $9' "$WORK/jobs" | wc -l) > 2)) || fail "other weights move no job: $(<"$WORK/lines")"
expect "pools over quota: name, old and new quota, too many, queues" 'other 16 12 4 vision' \
	"$(awk -F'|' '$9 > 0 { print $1, $3, $4, $9, $10 }' "$WORK/pools")"
grep -q 'queue speech: weight 1 -> 10, key ' "$WORK/jobs" || fail "no word of the weight: $(<"$WORK/lines")"
foretold >"$WORK/foretold"
note "$(on g gangway replay --diff "$WORK/new")"

install -m 644 "${CLUSTER[g]}/state/gangway/view" "$WORK/view"
difference as g carol gangway replay --diff "$WORK/new" --view "$WORK/view"
expect "queues of the jobs that carol is told of" speech "$(cut -d'|' -f 2 "$WORK/jobs" | sort -u)"

cp "$WORK/new" "${CLUSTER[g]}/etc/gangway.conf"
reconfigured g
wait_for 20 "the other quota" quota_is other 12
wait_for 30 "the places foretold" diff -q "$WORK/foretold" <(places)
expect "places after the reconfigure" "$(<"$WORK/foretold")" "$(places)"

printf 'PoolName=\n' >"$WORK/bad"
! on g gangway replay --diff "$WORK/bad" 2>"$WORK/error" || fail "a bad file is taken"
grep -q "bad:1: " "$WORK/error" || fail "no word of the bad line: $(<"$WORK/error")"

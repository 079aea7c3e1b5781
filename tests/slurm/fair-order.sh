#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Three teams of weights 2, 1 and 1 whose jobs keep coming: each start is of the queue
# whose (usage * ln2 / H + GPUs held) / weight is the least at that moment, as this test
# works it out from accounting's start and end times alone, and in the order gangway
# showed before. The same when one team's jobs are one array.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

GPUS=16 HALF_LIFE=604800
# Jobs that end in a round, and rounds.
ENDS=5 ROUNDS=4
declare -A USER_OF=([nlp]=alice [vision]=bob [speech]=carol)

# The published view knows of all that slurmctld does.
view_settled() {
	local running pending
	jobs_settled g || return 1
	running=$(on g squeue -h -r -t R -o %i | wc -l)
	pending=$(on g squeue -h -r -t PD -o %i | wc -l)
	[[ "$running $pending" == "$(sed -n 's/^Queue=.* Running=\([0-9]*\) .* Pending=\([0-9]*\) .*/\1 \2/p' \
		"${CLUSTER[g]}/state/gangway/view" | awk '{ r += $1; p += $2 } END { print r, p }')" ]]
}

# add QUEUE COUNT [OPTION]...
add() {
	burst g "${USER_OF[$1]}" "$2" --gres=gpu:1 -t 600 "${@:3}" >/dev/null
}

# Jobs of accounting as "queue start end", end 0 while it runs.
runs() {
	SLURM_TIME_FORMAT=%s on g sacct -a -X -n -P -S 2000-01-01 -o Account,Start,End |
		awk -F'|' '$2 ~ /^[0-9]/ { print $1, $2, ($3 ~ /^[0-9]/ ? $3 : 0) }'
}

# slurmctld tells slurmdbd late, above all of array tasks.
accounted_for() {
	[[ $(runs | awk '!$3 { print $1 }' | sort | uniq -c) == "$(on g squeue -h -r -t R -o %a | sort | uniq -c)" ]]
}

# Starts since line $1 of slurmctld's log, by queue.
started_since() {
	tail -n "+$1" "${CLUSTER[g]}/log/slurmctld.log" |
		sed -n 's/.*\(Allocate\|Started\) JobId=\([0-9]*\).*/\2/p' |
		awk 'NR == FNR { queue[$1] = $2; next } { print queue[$1] }' <(on g squeue -h -o '%A %a'; on g squeue -h -o '%F %a') -
}

# Checks the queues on stdin, in order of start: $1 holds the runs before, $2 is the time. The queue
# $3, of an array, may be late by one task: backfill that yields goes on with the jobs behind it.
check_order() {
	awk -v now="$2" -v half="$HALF_LIFE" -v array="${3:-}" '
		BEGIN { weight["nlp"] = 2; weight["vision"] = weight["speech"] = 1; ln2 = log(2) }
		FILENAME == ARGV[1] {
			end = $3 ? $3 : now
			usage[$1] += half / ln2 * (exp((end - now) * ln2 / half) - exp(($2 - now) * ln2 / half))
			if (!$3) held[$1]++
			next
		}
		function key(q) { return (usage[q] * ln2 / half + held[q]) / weight[q] }
		{
			for (q in weight)
				# In the seconds until the pass usage grows: 2e-5 is that of 17 s of one GPU.
				if (key(q) < key($1) - 2e-5 - (q == array ? 1 / weight[q] : 0)) {
					printf "start %d was of %s, key %.9f; %s had %.9f\n", FNR, $1, key($1), q, key(q)
					bad = 1
				}
			held[$1]++
		}
		END { exit bad }' "$1" -
}

# The queues of the jobs of the view that may start, the first first.
view_order() {
	grep '^Job=.* State=pending .* Startable=yes ' "${CLUSTER[g]}/state/gangway/view" |
		sed -n 's/.* Queue=\([a-z]*\) .* Rank=\([0-9]*\) .*/\2 \1/p' | sort -n | cut -d ' ' -f 2
}

filled() {
	jobs_number g "$GPUS" -t R
}

# expect_fair WHAT NOW: of the queues on stdin; vision's jobs may be an array.
expect_fair() {
	local array=''
	cat >"$WORK/checked"
	[[ $1 != *array* ]] || array=vision
	check_order "$WORK/runs" "$2" "$array" <"$WORK/checked" || fail "$1 is not the fair one: $(paste -sd ' ' "$WORK/checked")"
}

# open_and_check WHAT: the free GPUs are given out. The tasks of an array have one rank
# together, so the view alone does not tell their order.
open_and_check() {
	local mark now
	wait_for 20 "a view of all jobs" view_settled
	wait_for 30 "accounting to know what runs" accounted_for
	runs >"$WORK/runs"
	view_order >"$WORK/view-order"
	mark=$(($(wc -l <"${CLUSTER[g]}/log/slurmctld.log") + 1))
	now=$(date +%s)
	partition g UP
	wait_for 30 "all GPUs to be given out" filled
	started_since "$mark" >"$WORK/order"
	expect_fair "$1: the order of starts" "$now" <"$WORK/order"
	# Behind those that nodes are free for a queue may have no job left to be fair to.
	[[ $1 == *array* ]] || head -n "$(wc -l <"$WORK/order")" "$WORK/view-order" | expect_fair "$1: the order gangway shows" "$now"
	note "$1: $(paste -sd ' ' "$WORK/order")"
}

# So many running jobs end, chosen by chance; the nodes wait.
end_some() {
	local -a ids
	mapfile -t ids < <(on g squeue -h -r -t R -o %i | shuf --random-source=<(yes "$1") -n "$ENDS")
	partition g DOWN
	on g scancel "${ids[@]}"
}

# keep_coming WHAT OPTION...: rounds of ends, new jobs and starts.
keep_coming() {
	local round
	open_and_check "$1 at first"
	[[ $1 == *array* ]] || expect "$1: GPUs of the three" '8 4 4' "$(for queue in nlp vision speech; do grep -c "^$queue$" "$WORK/order"; done | paste -sd ' ')"
	for ((round = 1; round <= ROUNDS; round++)); do
		end_some "$round"
		add nlp $((ENDS - 1))
		add speech 2
		[[ $1 == *array* ]] || add vision 2
		open_and_check "$1, round $round"
	done
}

# What speech used alone decides for long between queues that hold the same.
use_much() {
	add speech "$GPUS" --wrap='exec sleep 12'
	wait_for 30 "jobs of speech" filled
	wait_for 40 "their end" no_jobs g
	partition g DOWN
}

clear_all() {
	partition g DOWN
	on g scancel --state=PENDING
	on g scancel --state=RUNNING
	wait_for 20 "no jobs" no_jobs g
}

mapfile -t pool < <(policy_one_pool "$GPUS")
policy_write "$WORK/conf" "${pool[@]}"
policy_up g "$WORK/conf" --nodes 2 --cores 16
use_much
for queue in vision speech nlp; do
	add "$queue" 20
done
keep_coming jobs
clear_all
as g bob sbatch -Q --array=1-60 --gres=gpu:1 -t 600 -o /dev/null --wrap='exec sleep 86400'
add speech 20
add nlp 20
keep_coming "one array"

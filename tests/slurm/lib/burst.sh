# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Case 16, a burst within one moment, as single jobs or as an array. nlp has used a little
# more than vision; vision submits a hundred whole-node jobs at once, nlp a few: with room for
# one job, vision starts one, then nlp, then vision, and so on, as what each holds and has used
# says; with room for four, each has its share. Needs test.sh and cases.sh.

# Seconds of virtual time that a job of the burst runs, and by how much nlp is ahead.
LENGTH=80 AHEAD=40

usage_of() {
	sed -n "s/^Queue=$1 .* Usage=\([0-9.]*\) .*/\1/p" "${CLUSTER[$NAME]}/state/gangway/view"
}

# In GPU-seconds of eight: nlp ahead of vision by about AHEAD.
unequal() {
	awk -v a="$(usage_of nlp)" -v b="$(usage_of vision)" -v ahead="$AHEAD" \
		'BEGIN { exit !(b > 0 && a - b > 8 * (ahead - 20) && a - b < 8 * (ahead + 30)) }'
}

ended() {
	job_is "$NAME" "$1" COMPLETED && job_is "$NAME" "$2" COMPLETED
}

# Short jobs of both, which leave unequal usage.
make_unequal() {
	local a b
	a=$(submit "$NAME" alice -t 60 --gres=gpu:8 --wrap="sleep $((60 + AHEAD))" 2>/dev/null)
	wait_for 30 "nlp's first job to end" job_is "$NAME" "$a" COMPLETED
	b=$(submit "$NAME" bob -t 60 --gres=gpu:8 --wrap='sleep 60' 2>/dev/null)
	wait_for 30 "vision's first job to end" job_is "$NAME" "$b" COMPLETED
	wait_for 20 "unequal usage in the view" unequal
}

# burst HOW MANY FEW NODES: vision's many and nlp's few, all released by the end of a job
# that holds every node.
burst() {
	local how=$1 many=$2 count=$3 nodes=$4 blocker i
	blocker=$(run "$NAME" carol -t 60 -N "$nodes" --gres=gpu:8)
	if [[ $how == array ]]; then
		submit "$NAME" bob -t 60 --gres=gpu:8 --array="1-$many" --wrap="sleep $LENGTH" >/dev/null 2>&1
	else
		# shellcheck disable=SC2016 # for the shell there
		as "$NAME" bob bash -c 'for ((i = 0; i < $2; i++)); do
			sbatch -t 60 --gres=gpu:8 -o /dev/null --wrap="sleep $1"; done' bash "$LENGTH" "$many" >/dev/null 2>&1
	fi
	for ((i = 0; i < count; i++)); do
		submit "$NAME" alice -t 60 --gres=gpu:8 --wrap="sleep $LENGTH" >/dev/null 2>&1
	done
	FROM=$(job_field "$NAME" "$blocker" StartTime)
	wait_for 20 "the burst in the view" pending_in_view $((many + count))
	on "$NAME" scancel "$blocker"
}

pending_in_view() {
	local sum
	sum=$(sed -n 's/^Queue=.* Pending=\([0-9]*\) .*/\1/p' "${CLUSTER[$NAME]}/state/gangway/view" | awk '{ s += $1 } END { print s + 0 }')
	((sum == $1))
}

# started COUNT: the accounts of the first starts since FROM, "v n v n", in order of time.
started() {
	on "$NAME" sacct -X -a -n -P -S "$FROM" -o Start,Account |
		awk -F'|' -v from="$FROM" '$1 > from && $1 !~ /Unknown|None/' | sort | head -n "$1" |
		awk -F'|' '{ printf "%s%s", sep, substr($2, 1, 1); sep = " " }'
}

count_started() {
	[[ $(started "$1" | wc -w) == "$1" ]]
}

# by_turns HOW: on one node.
by_turns() {
	NAME=one-$1
	cluster_up "$NAME" --nodes 1 --cores 8 --speed 20 --conf "$WORK/conf"
	make_unequal
	burst "$1" 100 4 1
	wait_for 60 "four starts" count_started 4
	expect "$1, one node: the first starts" 'v n v n' "$(started 4)"
	note "$1, one node: $(started 4)"
	cluster_down "$NAME"
}

# share COUNT LEAST: of the first COUNT starts each queue has LEAST or more.
share() {
	local starts vision
	starts=$(started "$1")
	vision=$(tr ' ' '\n' <<<"$starts" | grep -c v) || true
	((vision >= $2 && $1 - vision >= $2)) || fail "$NAME: the starts are $starts"
}

# together HOW: on four nodes that come free at once. Of single jobs two of each start in
# one pass. An array has its turn in each pass, and the others take the rest of it: whatever
# is free is used.
together() {
	local least=3
	[[ $1 == singles ]] || least=2
	NAME=four-$1
	cluster_up "$NAME" --nodes 4 --cores 8 --speed 20 --conf "$WORK/conf"
	make_unequal
	burst "$1" 20 10 4
	wait_for 40 "eight starts" count_started 8
	[[ $1 != singles ]] || share 4 2
	share 4 1
	share 8 "$least"
	note "$1, four nodes: $(started 8)"
	cluster_down "$NAME"
}

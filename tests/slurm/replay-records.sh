#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# gangway replay reads the same jobs from slurmdbd and from a dump of sacct: GPUs, nodes,
# limits, arrays, het jobs, a requeued job, one that still runs and one that never
# started. Under one key both traces without names are the same text.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"

COLUMNS_READ=JobID,JobIDRaw,Submit,Eligible,Start,End,Elapsed,Timelimit,AllocTRES,ReqTRES
COLUMNS_READ+=,NNodes,User,Account,QOS,Partition,State,NodeList,JobName

submit() {
	as r "$1" sbatch -Q -o /dev/null "${@:2}" >"$WORK/submit" 2>&1 || fail "sbatch ${*:2}: $(<"$WORK/submit")"
}

submit_all() {
	submit alice --gres=gpu:8 -t 10 -J again --requeue --wrap='exec sleep 86400'
	submit alice -N2 --gpus-per-node=h100:8 -t 1:00:00 --wrap=true
	submit bob --array=1-2 --gres=gpu:1 -t 5 --wrap=true
	submit bob -n1 --gres=gpu:1 -t 5 : -n1 --gres=gpu:2 -t 5 --wrap=true
	submit carol --gpus=16 -t 1-00:00:00 -J 'a|b' --wrap=true
	submit carol --gres=gpu:8 -t 20 -J runs --wrap='exec sleep 86400'
	submit carol --gres=gpu:8 -t 20 -J never --begin=now+1hour --wrap=true
}

running() {
	[[ $(on r squeue -h -n "$1" -t R -o %A | wc -l) == 1 ]]
}

# Only the job that runs, the one put back and the one that waits are left.
rest_ended() {
	[[ $(on r squeue -h -a -r -o %j | sort | tr '\n' ' ') == "again never runs " ]]
}

sacct_has() {
	[[ $(on r sacct -a -X -D -P -n -S now-1days -o "$1" | grep -c "^$2\$") == "$3" ]]
}

make_history() {
	submit_all
	wait_for 30 "the first jobs" running again
	wait_for 30 "the last job" running runs
	wait_for 40 "the short ones to end" rest_ended
	on r scontrol requeue "$(on r squeue -h -n again -o %A)"
	on r scancel -n never
	wait_for 20 "the requeue in accounting" sacct_has JobName,State 'again|REQUEUED' 1
	wait_for 20 "six jobs in accounting" sacct_has State COMPLETED 6
}

# What stays of a trace: of the job that runs, the end depends on when one asks.
trace() {
	on r gangway replay --nodes 16x8 --anonymise - --key k --keep qos,times "$@" \
		2>"$WORK/problems" | grep -v ',RUNNING,' | sort -t, -k1,1n -k4,4
}

compare() {
	on r sacct -a -D -P -S now-1days -o "$COLUMNS_READ" >"$WORK/dump"
	trace "$WORK/dump" >"$WORK/of-dump"
	trace --from-sacct "$(date -d yesterday +%F)" >"$WORK/of-slurmdbd"
	cmp -s "$WORK/of-dump" "$WORK/of-slurmdbd" ||
		fail "sacct and slurmdbd differ: $(diff "$WORK/of-dump" "$WORK/of-slurmdbd" | head -n 4)"
	note "$(wc -l <"$WORK/of-dump") lines agree"
}

# column GPUS NODES: the lines with so many of each.
column() {
	awk -F, -v gpus="$1" -v nodes="$2" '$8 == gpus && $9 == nodes' "$WORK/of-dump" | wc -l
}

contents() {
	expect "runs that ended" 7 "$(($(wc -l <"$WORK/of-dump") - 1))"
	expect "jobs of two nodes" 1 "$(column 16 2)"
	expect "tasks of the array" 2 "$(awk -F, 'NR > 1 && $NF' "$WORK/of-dump" | wc -l)"
	expect "put back" 1 "$(grep -c ,REQUEUED, "$WORK/of-dump")"
	expect "names" 0 "$(grep -cE 'alice|bob|carol|again|a\|b' "$WORK/of-dump")"
}

cluster_up r --nodes 6
make_history
compare
contents

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A big job under an endless stream of small ones starts by its first estimated time, as with
# stock: all four nodes are busy with known ends, the job for all of them waits, and 1-GPU jobs
# come, of its own queue and of another. Those that end before it is to start take the nodes
# that come free early; those that would not wait.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/pair.sh
. "$TEST_LIB/pair.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

declare -A BUSY=() BIG=() ESTIMATE=() LONG=()

# Each node has a job with an hour to go.
fill() {
	local node
	for node in n0 n1 n2 n3; do
		BUSY[$1.$node]=$(submit "$1" carol -t 60 -w $node --gres=gpu:4 2>/dev/null)
	done
	wait_for 20 "$1: four busy nodes" running_count "$1" 4
}

estimated() {
	[[ $(job_field "$1" "${BIG[$1]}" StartTime) == 2* ]]
}

# The big job comes, and is told when it will start.
big_job() {
	BIG[$1]=$(submit "$1" alice -t 60 -N 4 --gres=gpu:4 2>/dev/null)
	wait_for 20 "$1: an estimated start" estimated "$1"
	ESTIMATE[$1]=$(job_field "$1" "${BIG[$1]}" StartTime)
}

# Far more than can run before the big one: of a minute, and of hours.
stream() {
	LONG[$1]=$(submit "$1" alice -t 180 --gres=gpu:1 --array=1-20 2>/dev/null)
	# shellcheck disable=SC2016 # for the shell there
	submit "$1" bob -t 1 --gres=gpu:1 --array=1-900 \
		--wrap='exec sleep $((10 + SLURM_ARRAY_TASK_ID % 7 * 5))' >/dev/null 2>&1
	# shellcheck disable=SC2016
	as "$1" alice bash -c 'for i in {1..12}; do
		sbatch -t 1 --gres=gpu:1 -o /dev/null --wrap="exec sleep $((20 + i * 2))"; done' >/dev/null 2>&1
}

small_on() {
	(($(on "$1" squeue -h -r -t R -w "$2" -o %i | wc -l) >= 3))
}

# The node's job ends early: small ones take the node.
free() {
	on "$1" scancel "${BUSY[$1.$2]}"
	[[ -z ${3:-} ]] || wait_for 20 "$1: small jobs on $2" small_on "$1" "$2"
}

# So many jobs have started since the cluster came up, each on one node.
started() {
	(($(wc -l <"${CLUSTER[$1]}/log/held") >= $2))
}

# The stream goes on and on.
endless() {
	wait_for 20 "$1: three dozen jobs" started "$1" 40
}

# Of the jobs that would delay the big one none has started.
long_wait() {
	expect "$1: long jobs that run" '' "$(on "$1" squeue -h -r -t R -j "${LONG[$1]}" -o %i)"
}

starts() {
	local start
	wait_for 25 "$1: the big job to start" job_is "$1" "${BIG[$1]}" RUNNING
	start=$(job_field "$1" "${BIG[$1]}" StartTime)
	[[ ! $start > ${ESTIMATE[$1]} ]] || fail "$1: the big job starts at $start, not by ${ESTIMATE[$1]}"
	long_wait "$1"
	[[ -n $(on "$1" squeue -h -t PD -u bob -o %i) ]] || fail "$1: the stream was not endless"
	note "$1: starts at ${start#*T}, estimated for ${ESTIMATE[$1]#*T}"
}

each() {
	local name
	for name in stock g; do
		"$1" "$name" "${@:2}"
	done
}

policy_lines 16 >"$WORK/gangway.conf"
echo 'SchedulerParameters=bf_interval=5,bf_window=2880,bf_resolution=60,sched_interval=5,sched_min_interval=100000,max_rpc_cnt=0,bf_continue' >"$WORK/slurm.conf"
pair_up --nodes 4 --gpus 4 --cores 4 --speed 20
each fill
each big_job
each stream
for node in n0 n1 n2; do
	each free $node taken
done
each endless
each long_wait
each free n3
each starts

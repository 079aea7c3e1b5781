# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What the tests of single cases share: a plain policy, where jobs are and how they end.
# Needs test.sh.

# policy_lines QUOTA [LINE]...: a gangway.conf in which the queues nlp, vision and speech
# share one pool of so many h100. The clock may be fast, so no hook trips for its time.
policy_lines() {
	local queue quota=$1
	shift
	printf '%s\n' UsageHalfLife=7-00:00:00 UsageWeights=gres/gpu:h100=1 HookTimeBudget=60000 \
		'ClassName=standard QOS=normal Rank=1 Default=yes' \
		'FlavorName=h100 Gres=gpu:h100 Partition=main' \
		"PoolName=shared Quota=gres/gpu:h100=$quota"
	for queue in nlp vision speech; do
		printf 'QueueName=%s Pool=shared Account=%s\n' "$queue" "$queue"
	done
	printf '%s\n' "$@"
}

# where NAME JOB: the nodes and GPUs it holds, "n0:0,3 n1:0-7"; empty if none.
where() {
	on "$1" scontrol show job -d "$2" |
		sed -n 's/^ *Nodes=\([^ ]*\) .*GRES=.*(IDX:\([^)]*\)).*/\1:\2/p' | paste -sd ' '
}

# node_of NAME JOB: of a job of one node.
node_of() {
	local place
	place=$(where "$1" "$2")
	printf '%s\n' "${place%%:*}"
}

# cores NAME JOB: the CPUs it holds on its node, "0-3".
cores() {
	on "$1" scontrol show job -d "$2" | sed -n 's/^ *Nodes=[^ ]* CPU_IDs=\([^ ]*\) .*/\1/p' | paste -sd ' '
}

# all_are NAME STATE JOB...
all_are() {
	local name=$1 state=$2 id
	shift 2
	for id; do
		job_is "$name" "$id" "$state" || return 1
	done
}

# running_count NAME COUNT: so many jobs and array tasks run.
running_count() {
	[[ $(on "$1" squeue -h -r -t R -o %A | wc -l) == "$2" ]]
}

# run NAME USER SBATCH_OPTION...: submits a job and waits for its start; prints its id.
run() {
	local id
	id=$(submit "$@" 2>"$WORK/submit.err") || fail "not submitted: $*: exit $?: $(tail -n 2 "$WORK/submit.err")" >&2
	wait_for 30 "job $id ($*) to start" job_is "$1" "$id" RUNNING >&2
	printf '%s\n' "$id"
}

no_jobs() {
	[[ -z $(on "$1" squeue -h) ]]
}

# No job is there and no CPU taken any more.
all_idle() {
	no_jobs "$1" && [[ $(on "$1" scontrol show node -o) != *' CPUAlloc='[1-9]* ]]
}

end_jobs() {
	local -a ids
	mapfile -t ids < <(on "$1" squeue -h -o %A | sort -u)
	((${#ids[@]} == 0)) || on "$1" scancel "${ids[@]}"
	wait_for 30 "all jobs to end" all_idle "$1"
}

# refusal NAME USER SBATCH_OPTION...: what sbatch says to a job that must be refused; fails
# if it is taken.
refusal() {
	local status=0 text
	text=$(submit "$@" 2>&1) || status=$?
	((status)) || fail "not refused: $*" >&2
	printf '%s\n' "$text"
}

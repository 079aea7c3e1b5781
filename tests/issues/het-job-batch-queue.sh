#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A queue with JobType=batch must take a heterogeneous job by sbatch.
#
# A job without script was taken to be interactive, and of such a job only the first component
# has the script when it is submitted: the second was refused as GW010.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# refused_type USER COMMAND...
refused_type() {
	local user=$1
	shift
	if as g "$user" "$@" >"$WORK/answer" 2>&1; then
		fail "$*: not refused"
	fi
	grep -q GW010 "$WORK/answer" || fail "$*: $(cat "$WORK/answer")"
}

policy_write "$WORK/conf" 'PoolName=shared Quota=gres/gpu:h100=8' \
	'QueueName=nlp Pool=shared Account=nlp JobType=batch' \
	'QueueName=vision Pool=shared Account=vision JobType=interactive'
policy_up g "$WORK/conf" --nodes 2 --cores 16

as g alice sbatch --parsable -o /dev/null --gres=gpu:1 : --gres=gpu:2 --wrap='exec sleep 86400' >"$WORK/id" 2>"$WORK/answer" ||
	fail "a het job by sbatch: $(cat "$WORK/answer")"
read -r id <"$WORK/id"
wait_for 40 "both components to run" jobs_number g 2 -t R
on g scancel "$id"

# What is interactive is so in each component.
refused_type alice salloc --gres=gpu:1 : --gres=gpu:2 true
refused_type alice salloc -n1 : --gres=gpu:2 true
refused_type alice srun -n1 : --gres=gpu:2 true
refused_type bob sbatch --gres=gpu:1 : --gres=gpu:2 --wrap=true
refused_type bob sbatch -n1 : --gres=gpu:2 --wrap=true
as g bob salloc --gres=gpu:1 : --gres=gpu:2 true >"$WORK/answer" 2>&1 ||
	fail "a het job by salloc: $(cat "$WORK/answer")"
note "het jobs have the type of the command that submits them"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A job keeps its place however far multifactor's own factors move.
#
# Only numbers that changed were written, and multifactor adds its factors anew every
# PriorityCalcPeriod: at a site with a large PriorityWeightAge the priority of a job that waits
# grows away from its number, past those of jobs that go before it. A priority that is off by
# more than a part of the gap between two numbers is written again.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# The most that a priority may be off: the sixteenth part of the gap.
DRIFT=4096

aged() {
	(($(on g sprio -h -j "$1" -o %A | head -n 1) >= 1000000))
}

near_its_number() {
	local priority number
	priority=$(on g squeue -h -j "$1" -o %Q)
	number=$(view_value g "Job=$1" Number)
	((priority - number <= DRIFT && number - priority <= DRIFT))
}

printf '%s\n' PriorityWeightAge=1000000000 PriorityMaxAge=1-0 PriorityCalcPeriod=1 >"$WORK/slurm.conf"
policy_write "$WORK/conf" 'PoolName=shared Quota=gres/gpu:h100=8' 'QueueName=nlp Pool=shared Account=nlp'
policy_up g "$WORK/conf" --nodes 1 --cores 16 --speed 20 --slurm-conf "$WORK/slurm.conf"

on g scontrol create partitionname=also nodes=ALL >/dev/null
full=$(submit g alice -N1 --gres=gpu:8 -t 600)
wait_for 20 "the node to be taken" job_is g "$full" RUNNING
first=$(submit g alice -N1 --gres=gpu:8 -t 60)
both=$(submit g alice -p main,also -N1 --gres=gpu:8 -t 60)
expect "its partitions" main,also "$(on g squeue -h -j "$both" -o %P)"
for id in "$first" "$both"; do
	wait_for 30 "multifactor to age the job" aged "$id"
	wait_for 20 "the priority to be its number again" near_its_number "$id"
	note "age $(on g sprio -h -j "$id" -o %A | head -n 1), priority $(on g squeue -h -j "$id" -o %Q)"
done

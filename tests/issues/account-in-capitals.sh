#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Account=NLP in gangway.conf must mean Slurm's account nlp wherever it counts.
#
# Submits were routed, for routing compares without regard to case; order, quota and ledger did
# not, so the jobs of that queue were neither ordered nor held to quota nor counted.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

waits_for_quota() {
	[[ $(job_field g "$1" Reason) == AssocGrpGRES ]]
}

held_is() {
	[[ $(view_value g Pool=shared Held) == "$1" ]]
}

policy_write "$WORK/conf" 'PoolName=shared Quota=gres/gpu:h100=4' \
	'QueueName=Apple Pool=shared' 'QueueName=NLP Pool=shared' 'QueueName=vision Pool=shared Account=Vision'
policy_up g "$WORK/conf" --nodes 1 --cores 16

first=$(submit g alice --gres=gpu:4)
wait_for 20 "the first job to run" job_is g "$first" RUNNING
wait_for 20 "the pool to hold 4 GPUs" held_is 4
second=$(submit g alice --gres=gpu:2)
wait_for 20 "the second job to wait for quota" waits_for_quota "$second"
third=$(submit g bob --gres=gpu:2)
wait_for 20 "another queue's job to wait for quota" waits_for_quota "$third"
note "accounts in capitals are held to quota"

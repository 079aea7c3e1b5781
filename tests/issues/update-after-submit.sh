#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a job must not be submitted with, its user must not give it by scontrol update.
#
# Grants of classes and MaxTime of queues were asked about at submit alone: a job submitted in
# the default class could be moved to one that needs a grant, and be given any time limit.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# updates USER JOB WHAT...
updates() {
	local user=$1 id=$2
	shift 2
	as g "$user" scontrol update jobid="$id" "$@" >"$WORK/answer" 2>&1
}

# may_not ID JOB WHAT...: alice's update is refused and says so.
may_not() {
	local refusal=$1 id=$2
	shift 2
	if updates alice "$id" "$@"; then
		fail "$*: not refused"
	fi
	# Slurm 22.05 has no place for our words in its answer.
	[[ $SLURM_VERSION != 24.* ]] || grep -q "$refusal" "$WORK/answer" || fail "$*: $(cat "$WORK/answer")"
	grep -q "JobId=$id is not changed: $refusal" "${CLUSTER[g]}/log/slurmctld.log" || fail "$*: not in slurmctld's log"
}

# may USER JOB WHAT...
may() {
	updates "$@" || fail "$*: $(cat "$WORK/answer")"
}

# is JOB FIELD WANTED
is() {
	expect "$2 of $1" "$3" "$(job_field g "$1" "$2")"
}

conf() {
	policy_write "$WORK/conf" 'PoolName=shared Quota=gres/gpu:h100=8' "$@" \
		'QueueName=nlp Pool=shared Account=nlp MaxTime=1:00:00' \
		'QueueName=vision Pool=shared Account=vision JobType=interactive' \
		'ClassGrant=account:vision Class=critical Until=2099-01-01 By=test Reason=test'
}

conf
printf 'SlurmctldDebug=verbose\n' >"$WORK/slurm.conf"
policy_up g "$WORK/conf" --nodes 1 --cores 16 --slurm-conf "$WORK/slurm.conf"
on g sacctmgr -i add user alice account=vision >/dev/null

job=$(submit g alice --hold --gres=gpu:1 -t 30)
may_not GW005 "$job" qos=high
may_not GW009 "$job" timelimit=1-0
may_not GW010 "$job" account=vision
is "$job" QOS normal
is "$job" TimeLimit 00:30:00
is "$job" Account nlp
may alice "$job" timelimit=50
may alice "$job" qos=normal
# An operator may do anything, and less time than that is in order again.
may root "$job" qos=high timelimit=2-0
is "$job" QOS high
may alice "$job" timelimit=1-0
is "$job" TimeLimit 1-00:00:00
# Jobs of no queue are Slurm's.
other=$(submit g alice --hold -t 30)
may alice "$other" timelimit=1-0 qos=high

# Observed it is said and not done.
conf ModeRouting=observe
cp "$WORK/conf" "${CLUSTER[g]}/etc/gangway.conf"
reconfigured g
observed=$(submit g alice --hold --gres=gpu:1 -t 30)
may alice "$observed" qos=high
is "$observed" QOS high
grep -q 'observe: .*GW005' "${CLUSTER[g]}/log/slurmctld.log" || fail "observe: not in slurmctld's log"
note "updates are held to what submits are held to"

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A quota lowered below what its pool holds kills nothing and makes nothing negative: new
# starts wait with a sentence that says so until use has fallen below it or it is raised.
# A peak-hour quota that is in force now counts at starts in the same way.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/policy.sh
. "$TEST_LIB/policy.sh"

# configure LINE...: the pools; reconfigures and waits until they are in force.
configure() {
	policy_write "${CLUSTER[g]}/etc/gangway.conf" "$@" \
		'QueueName=nlp Pool=train Account=nlp' 'QueueName=vision Pool=other Account=vision'
	reconfigured g ok
}

quota_is() {
	[[ $(view_value g "Pool=train" Quota) == "$1" ]]
}

set_quota() {
	configure "PoolName=train Quota=gres/gpu:h100=$1" 'PoolName=other Quota=gres/gpu:h100=8'
	wait_for 20 "a quota of $1" quota_is "$1"
}

# Days and hours in which we are now, and half a day away from now.
peak_now() {
	date +%H | awk '{ print $1 < 12 ? "Mon-Sun/00:00-13:00" : "Mon-Sun/11:00-24:00" }'
}

peak_later() {
	date +%H | awk '{ print $1 < 11 ? "Mon-Sun/13:00-24:00" : $1 < 22 ? "Mon-Sun/00:00-09:00" : "Mon-Sun/11:00-20:00" }'
}

described() {
	[[ $(on g squeue -h -j "$1" -o %r) == *"$2"* ]]
}

# waits_for JOB TEXT: it waits and its sentence has the text.
waits_for() {
	wait_for 20 "job $1 to say: $2" described "$1" "$2"
	job_is g "$1" PENDING || fail "job $1 does not wait"
}

# In scontrol show assoc_mgr no limit or count of the account is out of range.
expect_no_underflow() {
	local wrong
	wrong=$(on g scontrol show assoc_mgr flags=assoc | grep -oE 'gres/gpu[^=]*=[0-9N]*\([0-9]*\)' | grep -E '[0-9]{6,}' || true)
	expect "limits and counts that underflowed" '' "$wrong"
	! grep -qE 'underflow' "${CLUSTER[g]}/log/slurmctld.log" || fail "slurmctld's log tells of an underflow"
}

all_running() {
	local id
	for id in "$@"; do
		job_is g "$id" RUNNING || return 1
	done
}

lowered_and_raised() {
	local -a held=()
	local waiting other count
	for count in 1 2 3; do
		held+=("$(submit g alice -N1 --gres=gpu:8 -t 600)")
	done
	wait_for 20 "three jobs" all_running "${held[@]}"
	set_quota 8
	waiting=$(submit g alice -N1 --gres=gpu:2 -t 60)
	waits_for "$waiting" 'pool train holds 24 of 8 h100'
	other=$(submit g bob -N1 --gres=gpu:2 -t 60)
	wait_for 20 "another pool's job" job_is g "$other" RUNNING
	all_running "${held[@]}" || fail "a running job ended when the quota was lowered"
	note "24 of 8: $(on g squeue -h -j "$waiting" -o %r)"
	on g scancel "${held[0]}" "${held[1]}"
	waits_for "$waiting" 'pool train holds 8 of 8 h100'
	expect_no_underflow
	set_quota 10
	wait_for 20 "the job after the quota was raised" job_is g "$waiting" RUNNING
	job_is g "${held[2]}" RUNNING || fail "a running job ended when the quota was raised"
	note "raised: it runs"
	on g scancel "${held[2]}" "$waiting" "$other"
	wait_for 20 "no jobs" no_jobs g
}

# To zero and back, while jobs run.
to_zero() {
	local held waiting
	set_quota 24
	held=$(submit g alice -N1 --gres=gpu:4 -t 60)
	wait_for 20 "a job" job_is g "$held" RUNNING
	# Submitted before: what could never start is refused.
	waiting=$(submit g alice -N3 --gres=gpu:8 -t 60)
	set_quota 0
	waits_for "$waiting" 'over quota'
	job_is g "$held" RUNNING || fail "a running job ended when the quota became 0"
	if submit g alice --gres=gpu:1 >"$WORK/refused" 2>&1; then
		fail "a job above the largest quota there ever is was not refused"
	fi
	grep -q 'GW[0-9]*: ' "$WORK/refused" || fail "refused without a clear line: $(<"$WORK/refused")"
	note "0: $(grep -o 'GW[0-9]*: .*' "$WORK/refused")"
	expect_no_underflow
	set_quota 28
	wait_for 20 "the job after the quota was raised" job_is g "$waiting" RUNNING
	on g scancel "$held" "$waiting"
	wait_for 20 "no jobs" no_jobs g
}

peak() {
	local held waiting gang
	configure 'PoolName=train Quota=gres/gpu:h100=24' 'PoolName=other Quota=gres/gpu:h100=8' \
		"PoolName=train Peak=$(peak_later) Quota=gres/gpu:h100=4"
	held=$(submit g alice -N1 --gres=gpu:8 -t 600)
	wait_for 20 "a job outside the peak" job_is g "$held" RUNNING
	configure 'PoolName=train Quota=gres/gpu:h100=24' 'PoolName=other Quota=gres/gpu:h100=8' \
		"PoolName=train Peak=$(peak_now) Quota=gres/gpu:h100=8"
	wait_for 20 "the peak's quota" quota_is 8
	waiting=$(submit g alice -N1 --gres=gpu:1 -t 60)
	waits_for "$waiting" 'pool train holds 8 of 8 h100'
	job_is g "$held" RUNNING || fail "a running job ended at the peak"
	# Above the peak's quota, but not above the largest of the week: it may wait.
	gang=$(submit g alice -N2 --gres=gpu:8 -t 60) || fail "a job that fits outside the peak was refused"
	# It would come first, and fill the quota.
	on g scancel "$gang"
	note "peak: $(on g squeue -h -j "$waiting" -o %r)"
	configure 'PoolName=train Quota=gres/gpu:h100=24' 'PoolName=other Quota=gres/gpu:h100=8' \
		"PoolName=train Peak=$(peak_later) Quota=gres/gpu:h100=4"
	wait_for 20 "the job after the peak" job_is g "$waiting" RUNNING
	note "after the peak it runs"
}

policy_write "$WORK/conf" 'PoolName=train Quota=gres/gpu:h100=24' 'PoolName=other Quota=gres/gpu:h100=8' \
	'QueueName=nlp Pool=train Account=nlp' 'QueueName=vision Pool=other Account=vision'
policy_up g "$WORK/conf" --nodes 4 --cores 16
lowered_and_raised
to_zero
peak

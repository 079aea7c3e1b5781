#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No gangway.conf, however bad, stops slurmctld or a job. With no good one ever seen all
# hooks are stock; once one was good it stays in force through reconfigure, restart and
# kill -9, until the file is good again. Each time one line says what is wrong and where.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"

# Gangway's error lines since the last mark.
errors_since() {
	tail -n "+$FROM" "$LOG" | sed -n 's/^\[[^]]*\] error: gangway: //p'
}

# mark: what is logged from now on counts.
mark() {
	FROM=$(($(wc -l <"$LOG") + 1))
}

logged() {
	errors_since | grep -qE "$1"
}

job_runs() {
	local id
	id=$(submit on alice --gres=gpu:1 -t 5 --wrap=true)
	wait_for 20 "a job to end" job_is on "$id" COMPLETED
}

# Reads the file again, or starts anew, and waits until Gangway said what it made of it.
reconfigure() {
	mark
	on on scontrol reconfigure
	wait_for 20 "Gangway to read the bad file" logged "$1"
}

restart() {
	mark
	cluster on restart slurmctld
	wait_for 20 "Gangway to read the bad file" logged "$1"
}

# expect_errors WHAT TEXT FOLLOWS: one line that has TEXT, one that has FOLLOWS, no other.
expect_errors() {
	local got
	got=$(errors_since)
	[[ $(wc -l <<<"$got") == 2 && $(head -n 1 <<<"$got") == *"$2"* && $(tail -n 1 <<<"$got") == *"$3"* ]] ||
		fail "$1: wanted one line with '$2' and one with '$3', got: $got"
}

STOCK='all hooks stay stock'
STAYS='the last good configuration stays in force'

# bad NAME TEXT: as configured by the lines before, at a reconfigure with none in force.
bad() {
	reconfigure "$STOCK"
	expect_errors "$1" "$2" "$STOCK"
	[[ ! -e $STATE/gangway.conf.kept ]] || fail "$1: a bad file was kept as good"
	note "$1: $(errors_since | head -n 1 | sed "s|$ETC/||")"
	rm -rf "$CONF"
}

# lines LINE...: makes them gangway.conf.
lines() {
	rm -rf "$CONF"
	printf '%s\n' "$@" >"$CONF"
}

expect_off() {
	status_fresh on
	expect_status on Version ConfigState none
	for hook in placement job_test priority submit modify; do
		expect_status on "Hook=$hook" Calls 0
	done
	expect_status on Subsystem=placement State off
}

never_good() {
	rm -f "$STATE/gangway.conf.kept"
	lines UsageHalfLife=7-0 'Mode=enforce NoSuchKey=1'
	restart "$STOCK"
	expect_errors "first start" "$CONF:2: " "$STOCK"
	job_runs
	# An edit in each of the ways an editor, a copy or a disk can spoil it.
	lines UsageHalfLife=7-0 NoSuchKey=1 && bad "unknown key" "$CONF:2: NoSuchKey"
	lines UsageHalfLife=7-0 '' 'this is not a setting' && bad "malformed line" "$CONF:3: "
	lines Mode=enforce && bad "no half-life" "UsageHalfLife"
	lines UsageHalfLife=0 && bad "half-life 0" "$CONF:1: UsageHalfLife=0"
	lines UsageHalfLife=7-0 HookTimeBudget=0 && bad "budget 0" "$CONF:2: HookTimeBudget=0"
	lines UsageHalfLife=7-0 Mode=observed && bad "unknown mode" "$CONF:2: Mode=observed"
	lines UsageHalfLife=7-0 "Include none.conf" && bad "Include of nothing" "none.conf"
	lines UsageHalfLife=7-0 "Include gangway.conf" && bad "Include of itself" "$CONF:2: "
	rm -f "$CONF" && bad "no file" "$CONF: cannot be read: No such file"
	mkdir "$CONF" && bad "directory" "is not a regular file"
	mkfifo "$CONF" && bad "FIFO" "is not a regular file"
	ln -s gangway.conf "$CONF" && bad "symlink to itself" "Too many levels"
	head -c 4096 /dev/urandom >"$CONF" && bad "binary" "is not a text file"
	truncate -s 1G "$CONF" && bad "huge" "is larger than"
	: >"$CONF" && bad "empty" "UsageHalfLife"
	printf 'UsageHalfLife=7-' >"$CONF" && bad "cut off" "$CONF:1: UsageHalfLife=7-"
	job_runs
	expect_off
}

config_state_is() {
	[[ $(status_value on Version ConfigState) == "$1" ]]
}

expect_kept() {
	wait_for 20 "$1: the state of the configuration" config_state_is kept
	expect "$1: mode" observe "$(status_value on Version Mode)"
	grep -q "^Version=.*ConfigError=\"$CONF:2: " "$STATE/status" || fail "$1: the status does not name the error"
}

good_then_bad() {
	lines UsageHalfLife=7-0 Mode=observe
	on on scontrol reconfigure
	wait_for 20 "a good file to be in force" config_state_is ok
	expect "mode of a good file" observe "$(status_value on Version Mode)"
	lines UsageHalfLife=7-0 Mood=enforce
	reconfigure "$STAYS"
	expect_errors "reconfigure" "$CONF:2: Mood" "$STAYS"
	expect_kept "reconfigure"
	restart "$STAYS"
	expect_errors "restart" "$CONF:2: Mood" "$STAYS"
	cluster on kill slurmctld
	restart "$STAYS"
	expect_kept "kill -9"
	job_runs
	lines UsageHalfLife=7-0 Mode=enforce
	on on scontrol reconfigure
	wait_for 20 "the repaired file to be in force" config_state_is ok
	expect "mode of the repaired file" enforce "$(status_value on Version Mode)"
	note "the last good configuration stayed until the file was repaired"
}

# damaged NAME TEXT: neither the file nor the copy is good, at a start.
damaged() {
	lines UsageHalfLife=7-0 Mood=enforce
	restart "$STOCK"
	expect_errors "$1" "$CONF:2: Mood" "$STOCK"
	[[ $(errors_since | tail -n 1) == *"$2"* ]] || fail "$1: $(errors_since | tail -n 1)"
	note "$1: $(errors_since | tail -n 1 | sed "s|$STATE/||")"
	lines UsageHalfLife=7-0
	on on scontrol reconfigure
	wait_for 20 "a good file to be in force" config_state_is ok
	wait_for 20 "a new copy" grep -q 'UsageHalfLife=7-0' "$STATE/gangway.conf.kept"
}

damaged_copies() {
	local kept=$STATE/gangway.conf.kept
	cp "$kept" "$WORK/kept"
	head -c $(($(wc -c <"$WORK/kept") - 4)) "$WORK/kept" >"$kept" && damaged "truncated copy" "damaged"
	head -c 300 /dev/urandom >"$kept" && damaged "garbage" "gangway.conf.kept"
	sed 's/version 1/version 9/' "$WORK/kept" >"$kept" && damaged "other version" "not a kept configuration of this version"
}

# Where state can not be written the file is in force all the same.
no_state() {
	mv "$STATE" "$STATE.away"
	: >"$STATE"
	mkdir "$WORK/publish"
	lines UsageHalfLife=7-0 Mode=observe "PublishDir=$WORK/publish"
	restart 'the copy of the configuration: '
	job_runs
	wait_for 20 "a status in PublishDir" grep -q 'ConfigState=ok' "$WORK/publish/status"
	expect "mode without a state directory" Mode=observe "$(head -n 1 "$WORK/publish/status" | grep -o 'Mode=observe')"
	note "no state directory: $(errors_since)"
}

cluster_up on --nodes 1 --cores 8
ETC=${CLUSTER[on]}/etc CONF=${CLUSTER[on]}/etc/gangway.conf
STATE=${CLUSTER[on]}/state/gangway LOG=${CLUSTER[on]}/log/slurmctld.log
cluster_errors_allowed on 'error: gangway: '
# 24.11 starts anew at each reconfigure, sometimes before slurmdbd knows of its end.
cluster_errors_allowed on 'A new registration for cluster dev .* just came in'
never_good
good_then_bad
damaged_copies
no_state

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# slurmctld under valgrind through jobs of all kinds, answers computed twice (Verify=yes), a
# good and a bad reconfigure, a restart and a clean end: no invalid access, no use of
# uninitialised memory and no leak of Gangway's.
# Whose an error is: the innermost frame that is neither of the allocator nor of libslurmfull's
# containers says it: a Gangway object, or slurmctld or a plugin of its own.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/mixed.sh
. "$TEST_LIB/mixed.sh"
# shellcheck source=tests/slurm/lib/random-jobs.sh
. "$TEST_LIB/random-jobs.sh"
# shellcheck source=tests/slurm/lib/stock-errors.sh
. "$TEST_LIB/stock-errors.sh"

JOBS=60
REPORTS=$WORK/valgrind
TO_START=0
WAKE_AT=0

# Errors of Gangway in valgrind's XML, as one line each: kind and functions.
ours() {
	awk '
		function text(line) { gsub(/.*<[a-z]+>|<\/[a-z]+>.*/, "", line); return line }
		/<error>/ { kind = owner = trace = ""; stack = 0 }
		/<stack>/ { stack++ }
		/<kind>/ { kind = text($0) }
		/<frame>/ { object = "" }
		/<obj>/ { object = text($0) }
		/<fn>/ && stack == 1 { trace = trace " " text($0) }
		/<\/frame>/ && stack == 1 && owner == "" {
			if (object ~ /(libgangway|libgangway_topo|priority_gangway|job_submit_gangway)\.so$|\/lib\/gangway\//) owner = "gangway"
			else if (object ~ /slurmctld|slurm[^\/]*\/[a-z_]+\.so$/ && object !~ /libslurm/) owner = "slurm"
		}
		/<\/error>/ && owner == "gangway" && kind !~ /PossiblyLost|StillReachable/ { print kind ":" trace }
	' "$@"
}

# The sieve itself: an error of each side.
sieve_works() {
	frames() {
		echo "<error><kind>$1</kind>"
		printf '%s\n' '<stack>' '<frame>' '<obj>/usr/libexec/valgrind/vgpreload_memcheck.so</obj>' '<fn>malloc</fn>' '</frame>' \
			'<frame>' '<obj>/usr/lib/slurm-wlm/libslurmfull.so</obj>' '<fn>bit_copy</fn>' '</frame>' \
			'<frame>' "<obj>$2</obj>" '<fn>culprit</fn>' '</frame>' \
			'<frame>' '<obj>/x/lib/gangway/libgangway.so</obj>' '<fn>outer</fn>' '</frame>' '</stack>' '</error>'
	}
	expect "an error of ours" 'Leak_DefinitelyLost: malloc bit_copy culprit outer' \
		"$(frames Leak_DefinitelyLost /x/lib/gangway/select_cons_tres.so | sed 's/<error>/&\n/' | ours)"
	expect "an error of stock below us" '' \
		"$(frames InvalidRead /usr/lib/slurm-wlm/select_cons_tres.so | sed 's/<error>/&\n/' | ours)"
}

started_all_of() {
	local started
	started=$(on g sacct -a -X -D -n -P -S 2000-01-01 -o Start,AllocTRES | grep -cE '^[0-9].*[|].') || true
	((started >= $1))
}

gone() {
	! on g scontrol ping | grep -q 'is UP'
}

# Every report is complete: valgrind writes its end when the process has ended.
complete() {
	local file
	for file in "$REPORTS"/*.xml; do
		grep -q '</valgrindoutput>' "$file" || return 1
	done
}

# Slurm 24.11.5 now and then sleeps through its end (its 24.11.6: "can cause slurmctld to hang forever
# when trying to shutdown"), until another signal comes.
complete_or_waken() {
	complete && return
	((SECONDS < WAKE_AT)) || {
		cluster g kill slurmctld --signal TERM || true
		WAKE_AT=$((SECONDS + 1000))
	}
	return 1
}

drive() {
	local count
	RANDOM=$1
	TO_START=$((TO_START + JOBS / 2))
	for ((count = 0; count < JOBS; count++)); do
		random_submit "$count"
		! chance 8 || random_operation "$count"
	done | grep -vE '^(drain|hold)' >"$WORK/operations"
	on g "$TEST_LIB/drive.sh" "$WORK/operations" "$WORK/job" >"$WORK/answers"
	count=$(grep -c '^accepted' "$WORK/answers") || fail "no job was accepted"
	wait_for 60 "$TO_START starts" started_all_of "$TO_START"
	note "$count jobs accepted, $TO_START and more started so far"
	wait_for 90 "an empty queue" emptied g
}

expect_clean() {
	local found
	found=$(ours "$REPORTS"/*.xml | sort | uniq -c)
	[[ -z $found ]] || {
		printf '%s\n' "$found" | cut -c1-400 | head -n 20
		mkdir -p "$TEST_LOGS" && cp "$REPORTS"/*.xml "$TEST_LOGS/"
		fail "valgrind finds errors of Gangway"
	}
	grep -q '<obj>.*/libgangway.so' "$REPORTS"/*.xml || fail "valgrind did not see Gangway at all"
	note "$(find "$REPORTS" -name '*.xml' | wc -l) processes, $(cat "$REPORTS"/*.xml | grep -c '<error>') reports, none against Gangway"
}

command -v valgrind >/dev/null || skip "valgrind is not installed"
sieve_works
mkdir "$REPORTS"
export DEVCLUSTER_CTLD_WRAPPER="valgrind --xml=yes --xml-file=$REPORTS/%p.xml --leak-check=full --show-leak-kinds=all --keep-debuginfo=yes --num-callers=40 --child-silent-after-fork=yes"
mixed_up g
printf '#!/bin/sh\nexec sleep 0.5\n' >"$WORK/job"
cluster_errors_allowed g 'gangway: .*gangway.conf|the last good configuration|High latency'
# Stock's complaints of odd jobs, and of what a reconfigure of 22.05 breaks off: for a moment
# it knows no socket of munge.
cluster_errors_allowed g "$STOCK_ERRORS"
cluster_errors_allowed g 'slurm_persist_conn_recv_server_fini|munge|auth_g_verify|Protocol authentication|slurm_receive_msg|Unable to register'
printf '%s\n' UsageHalfLife=7-0 Verify=yes HookTimeBudget=60000 >"${CLUSTER[g]}/etc/gangway.conf"
cluster g restart slurmctld
drive 1
if [[ $SLURM_VERSION == 22.05 ]]; then
	# 24.11 reconfigures by starting its own program, without valgrind.
	on g scontrol reconfigure
	drive 2
	printf '%s\n' UsageHalfLife=never >"${CLUSTER[g]}/etc/gangway.conf"
	on g scontrol reconfigure
	drive 3
fi
printf '%s\n' UsageHalfLife=never >"${CLUSTER[g]}/etc/gangway.conf"
cluster g restart slurmctld
printf '%s\n' UsageHalfLife=7-0 >"${CLUSTER[g]}/etc/gangway.conf"
cluster g restart slurmctld
cluster g check
cluster_unchecked g "checked before its end"
cluster g kill slurmctld --signal TERM
wait_for 60 "slurmctld to end" gone
WAKE_AT=$((SECONDS + 20 * SLOWNESS))
wait_for 60 "valgrind's report" complete_or_waken
expect_clean

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What every test on a real cluster stands on: clusters by name, bounded waits,
# expectations, and an end that checks and takes down all of them. Sourced first
# by tests/slurm/*.sh and tests/issues/*.sh; CONTRIBUTING.md says how to write one.
set -euo pipefail

CHECKOUT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
TEST_LIB=$CHECKOUT/tests/slurm/lib
TEST_NAME=$(basename "$0" .sh)
SLURM_VERSION=${SLURM_VERSION:-22.05}
# Where the logs of a failed test are kept.
TEST_LOGS=$CHECKOUT/build/test-logs/$SLURM_VERSION/$TEST_NAME
# A directory of the test's own, which users of its clusters can pass.
WORK=$(mktemp -d "${TMPDIR:-/tmp}/gangway-test.XXXXXX")
# Jobs would inherit it, and may not write there.
unset TMPDIR
chmod 755 "$WORK"

# A bound costs nothing when what is waited for comes.
SLOWNESS=4

declare -A CLUSTER=() ERRORS_ALLOWED=() UNCHECKED=()

note() {
	printf '%(%T)T %s\n' -1 "$*"
}

# Ends the test; the last lines it printed are what the runner shows.
fail() {
	printf 'FAILED: %s\n' "$*"
	exit 1
}

skip() {
	printf 'skipped: %s\n' "$*"
	exit 77
}

# expect WHAT WANTED GOT
expect() {
	[[ $2 == "$3" ]] && return
	printf '%s differs:\n' "$1"
	diff -u --label wanted --label got <(printf '%s\n' "$2") <(printf '%s\n' "$3") | head -n 40 || true
	fail "$1"
}

# The last lines of every controller's log.
show_logs() {
	local name log
	for name in "${!CLUSTER[@]}"; do
		for log in "${CLUSTER[$name]}"/log/slurmctld*.log; do
			[[ -s $log ]] || continue
			printf -- '--- %s: last lines of %s\n' "$name" "${log##*/}"
			tail -n 12 "$log"
		done
	done
}

now_ms() {
	local up
	read -r up _ </proc/uptime
	printf '%s\n' "$((10#${up/./} * 10))"
}

# wait_for SECONDS WHAT COMMAND...: repeats the command until it succeeds. The seconds are those of
# a machine that has nothing else to do; a busy one has SLOWNESS times as long.
wait_for() {
	local seconds=$(($1 * SLOWNESS)) what=$2 end
	shift 2
	end=$(($(now_ms) + seconds * 1000))
	until "$@" >/dev/null 2>&1; do
		if (($(now_ms) >= end)); then
			show_logs
			fail "after $seconds s still waiting for $what"
		fi
		sleep 0.1
	done
}

# cluster_up NAME [OPTION OF devcluster up]...
cluster_up() {
	local name=$1
	shift
	CLUSTER[$name]=$WORK/$name
	"$CHECKOUT/contrib/devcluster" "$WORK/$name" up --slurm "$SLURM_VERSION" "$@" </dev/null ||
		fail "cluster $name does not come up"
}

# on NAME COMMAND...: runs it there as root, as NAME USER COMMAND... as a user. devcluster run
# does the same in twenty times the time.
on() {
	as "$1" root "${@:2}"
}

as() {
	local -a words
	mapfile -t words <"${CLUSTER[$1]}/run/enter/$2"
	"${words[@]}" "${@:3}"
}

# cluster NAME check|kill|restart ...
cluster() {
	local name=$1 verb=$2
	local -a allowed=()
	shift 2
	if [[ $verb == check && -n ${ERRORS_ALLOWED[$name]:-} ]]; then
		allowed=(--allow "${ERRORS_ALLOWED[$name]}")
	fi
	"$CHECKOUT/contrib/devcluster" "${CLUSTER[$name]}" "$verb" "$@" "${allowed[@]}" </dev/null
}

# cluster_errors_allowed NAME REGEX: error lines that this test provokes.
cluster_errors_allowed() {
	ERRORS_ALLOWED[$1]+=${ERRORS_ALLOWED[$1]:+|}$2
}

# cluster_unchecked NAME WHY: no check of this cluster at the end.
cluster_unchecked() {
	UNCHECKED[$1]=$2
}

# Checks a cluster and takes it down; its files are kept if the test failed.
# cluster_down NAME [STATUS OF THE TEST]
cluster_down() {
	local name=$1 status=${2:-0} dir=${CLUSTER[$1]}
	if [[ -e $dir && -z ${UNCHECKED[$name]:-} ]]; then
		cluster "$name" check || {
			printf 'FAILED: check of cluster %s at the end\n' "$name"
			((status)) || status=1
		}
	fi
	if ((status)) && [[ -d $dir ]]; then
		mkdir -p "$TEST_LOGS/$name"
		cp -a "$dir/log/." "$dir/etc" "$TEST_LOGS/$name/" 2>/dev/null || true
		cp -a "$dir/state/gangway" "$TEST_LOGS/$name/" 2>/dev/null || true
	fi
	"$CHECKOUT/contrib/devcluster" "$dir" down </dev/null || status=1
	unset "CLUSTER[$name]"
	return "$status"
}

test_end() {
	local status=$? name
	trap - EXIT
	trap '' INT TERM HUP
	set +e
	# A skip is no failure, and a signal leaves no time to check.
	for name in "${!CLUSTER[@]}"; do
		((status < 128)) || UNCHECKED[$name]=stopped
		cluster_down "$name" "$((status == 77 ? 0 : status))" || ((status)) || status=1
	done
	if ((status && status != 77 && status < 128)); then
		mkdir -p "$TEST_LOGS"
		cp -a "$WORK" "$TEST_LOGS/work" 2>/dev/null
		printf 'logs: %s\n' "${TEST_LOGS#"$CHECKOUT/"}"
	fi
	rm -rf --one-file-system "$WORK"
	exit "$status"
}
trap test_end EXIT
trap 'exit 143' INT TERM HUP

rm -rf "${TEST_LOGS:?}"/*/
# shellcheck source=tests/slurm/lib/jobs.sh
. "$TEST_LIB/jobs.sh"

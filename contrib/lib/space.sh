# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The space a cluster lives in: one set of PID, mount and UTS namespaces, kept
# by one init process. Killing that process ends everything that was started
# inside, mounts included, and nothing else. Needs common.sh.
#
# DIR/run/init holds the init process as "PID START" seen from the host.

# Name of the machine inside, and of the one the backup slurmctld believes to
# be on.
SPACE_HOST=ctl1
SPACE_HOST_BACKUP=ctl2

# Prints the init's pid when it is alive.
space_pid() {
	local pid start
	read -r pid start 2>/dev/null <"$1/run/init" || return 1
	process_is "$pid" "$start" || return 1
	printf '%s\n' "$pid"
}

space_is_ready() {
	[[ -e $1/run/ready ]]
}

space_ready_or_dead() {
	space_is_ready "$1" || ! process_is "$2" "$3"
}

# space_start DIR ROOT STAGE PATH...: starts the init; STAGE, if any, is shown
# at DIR/stage; the PATHs are kept visible inside where ROOT's own directories
# would hide them.
space_start() {
	local dir=$1 pid start
	rm -f "$dir/run/init" "$dir/run/ready"
	setsid unshare --mount --pid --uts --fork --kill-child --propagation private \
		bash "$LIB/space-init.sh" "$SPACE_HOST" "$@" >"$dir/log/init.log" 2>&1 </dev/null &
	pid=$!
	start=$(process_start "$pid") || true
	wait_until 30 space_ready_or_dead "$dir" "$pid" "$start" || true
	if ! space_is_ready "$dir"; then
		kill -9 "$pid" 2>/dev/null || true
		show_log_tail "$dir/log/init.log"
		die "no private namespaces here: unshare and mount must be permitted"
	fi
}

# space_enter DIR COMMAND...: runs a command inside, as root, with the caller's
# stdin, stdout and exit code.
space_enter() {
	local pid
	pid=$(space_pid "$1") || die "the cluster in $1 is not running"
	shift
	nsenter --target "$pid" --mount --pid --uts --root --wd -- "$@"
}

# Ends everything inside at once; bounded, idempotent.
space_stop() {
	local pid start
	read -r pid start 2>/dev/null <"$1/run/init" || return 0
	if process_is "$pid" "$start"; then
		kill -9 "$pid" 2>/dev/null || true
		wait_until 30 space_gone "$pid" "$start" ||
			die "process $pid of the cluster in $1 does not die"
	fi
	rm -f "$1/run/init" "$1/run/ready"
}

space_gone() {
	! process_is "$1" "$2"
}

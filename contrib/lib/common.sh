# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Messages, bounded waits and the identity of processes. Sourced by every tool
# under contrib/.

# Name of the tool in messages; a tool may set it before sourcing this file.
TOOL=${TOOL:-$(basename "$0")}

say() {
	printf '%s\n' "$*"
}

warn() {
	printf '%s: %s\n' "$TOOL" "$*" >&2
}

# The one error line; wrong usage exits 2, everything else 1.
die() {
	warn "$*"
	exit 1
}

die_usage() {
	warn "$* (see $TOOL --help)"
	exit 2
}

need_root() {
	((EUID == 0)) || die "must be run as root"
}

# need_command COMMAND PACKAGE
need_command() {
	command -v "$1" >/dev/null ||
		die "$1 is missing: apt-get install $2"
}

# Where sources, the Debian 13 tree and templates are kept between runs.
cache_dir() {
	printf '%s\n' "${GANGWAY_CACHE:-/var/cache/gangway}"
}

# The cache directory, made if need be; dies where it can not be written.
cache_make() {
	local dir
	dir=$(cache_dir)
	mkdir -p "$dir" 2>/dev/null || true
	[[ -w $dir ]] ||
		die "cache directory $dir can not be written (set GANGWAY_CACHE)"
	chmod 755 "$dir"
}

# Milliseconds since boot: unlike the date, not moved by faketime or NTP.
now_ms() {
	local up
	read -r up _ </proc/uptime
	printf '%s\n' "$((10#${up/./} * 10))"
}

# Seconds with one decimal between two now_ms values.
seconds_between() {
	local tenths=$((($2 - $1 + 50) / 100))
	printf '%d.%d\n' "$((tenths / 10))" "$((tenths % 10))"
}

# wait_until SECONDS COMMAND...: repeats the command until it succeeds; 1 when
# the time is over.
wait_until() {
	local end=$(($(now_ms) + $1 * 1000))
	shift
	until "$@" >/dev/null 2>&1; do
		(($(now_ms) < end)) || return 1
		sleep 0.05
	done
}

# Start time of a process in clock ticks since boot, which with the pid names
# one process for ever. The command name may hold spaces and parentheses.
process_start() {
	local stat
	IFS= read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
	stat=${stat##*) }
	local -a field
	read -ra field <<<"$stat"
	printf '%s\n' "${field[19]}"
}

# process_is PID START: whether that very process still runs (a zombie does
# not).
process_is() {
	local stat
	IFS= read -r stat 2>/dev/null <"/proc/$1/stat" || return 1
	stat=${stat##*) }
	[[ $stat != Z* && $(process_start "$1") == "$2" ]]
}

# Last lines of a log with its name, for the reader of an error.
show_log_tail() {
	[[ -s $1 ]] || return 0
	printf -- '--- last lines of %s\n' "$1" >&2
	tail -n "${2:-15}" "$1" >&2
}

# The first directory on the way to $1 that other users can not pass, if any.
untraversable_parent() {
	local path=$1 mode
	while [[ $path != / ]]; do
		mode=$(stat -c %a "$path")
		if ! ((8#$mode & 1)); then
			printf '%s\n' "$path"
			return 0
		fi
		path=$(dirname "$path")
	done
	return 1
}

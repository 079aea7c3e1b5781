# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Ranges of loopback ports for clusters. A range is reserved by a file in the
# cache, valid as long as the process named in it lives, and checked against
# what is bound on the machine. Needs common.sh.

# Below the kernel's ephemeral ports, above the well-known ones.
PORTS_FIRST=12000
PORTS_LAST=31999

# All local TCP ports in use, one a line.
ports_used() {
	local file local_address
	for file in /proc/net/tcp /proc/net/tcp6; do
		[[ -r $file ]] || continue
		while read -r _ local_address _; do
			[[ $local_address == *:* ]] && printf '%d\n' "0x${local_address##*:}"
		done < <(tail -n +2 "$file")
	done
}

# Live reservations as "BASE COUNT"; those of dead processes are removed.
ports_reserved() {
	local file base count pid start
	for file in "$1"/*; do
		[[ -e $file ]] || continue
		read -r base count pid start <"$file" || continue
		if process_is "$pid" "$start"; then
			printf '%s %s\n' "$base" "$count"
		else
			rm -f "$file"
		fi
	done
}

# First base at or after $1 with $2 free ports; taken ports come in on stdin
# as "BASE COUNT" lines.
ports_search() {
	awk -v base="$1" -v count="$2" -v last="$PORTS_LAST" '
		{ for (p = $1; p < $1 + $2; p++) taken[p] = 1 }
		END {
			for (p = base; p < base + count; p++) {
				if (base + count - 1 > last) exit 1
				if (p in taken) base = p + 1
			}
			print base
		}'
}

# ports_take COUNT PID START: reserves a free range for that process and prints
# its base. DEVCLUSTER_PORTS asks for a certain base.
ports_take() {
	local count=$1 pid=$2 start=$3 dir lock base first=${DEVCLUSTER_PORTS:-$PORTS_FIRST}
	[[ $first =~ ^[0-9]+$ ]] || die "DEVCLUSTER_PORTS must be a port number, not '$first'"
	dir=$(cache_dir)/ports
	mkdir -p "$dir"
	exec {lock}>"$(cache_dir)/ports.lock"
	flock -w 120 "$lock" || die "another cluster holds the lock on ports"
	base=$({
		ports_reserved "$dir"
		ports_used | sed 's/$/ 1/'
	} | ports_search "$first" "$count") || base=
	[[ -n $base ]] || die "no $count free ports between $first and $PORTS_LAST"
	[[ -z ${DEVCLUSTER_PORTS:-} || $base == "$first" ]] ||
		die "ports $first-$((first + count - 1)) are busy (DEVCLUSTER_PORTS=$first)"
	printf '%s %s %s %s\n' "$base" "$count" "$pid" "$start" >"$dir/$base"
	exec {lock}>&-
	printf '%s\n' "$base"
}

ports_release() {
	rm -f "$(cache_dir)/ports/$1"
}

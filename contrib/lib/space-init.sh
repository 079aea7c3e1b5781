# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# First process of a cluster's namespaces: mounts what the cluster sees, then
# stays to reap orphans. Run by space.sh as: HOSTNAME DIR ROOT PATH...
set -euo pipefail

host=$1 dir=$2 root=${3%/}
shift 3

# Directories a Debian root brings itself; all others are the host's own.
ROOT_DIRS=(bin sbin lib lib32 lib64 libx32 usr etc var)

# /proc is still the host's here: this is our pid as the host sees it.
record_self() {
	local stat
	IFS= read -r stat </proc/self/stat
	local pid=${stat%% *}
	stat=${stat##*) }
	local -a field
	read -ra field <<<"$stat"
	printf '%s %s\n' "$pid" "${field[19]}" >"$dir/run/init.new"
	mv "$dir/run/init.new" "$dir/run/init"
}

is_root_dir() {
	local name
	for name in "${ROOT_DIRS[@]}"; do
		[[ $name != "$1" ]] || return 0
	done
	return 1
}

# bind_into SOURCE TARGET: a directory with all its mounts, or a symlink.
bind_into() {
	if [[ -L $1 ]]; then
		cp -P "$1" "$2"
	elif [[ -d $1 ]]; then
		mkdir -p "$2"
		mount --rbind "$1" "$2" 2>/dev/null || true
	fi
}

# A root of its own on tmpfs: ROOT's system directories, and beside them the
# host's /home, /tmp, /dev and so on, so that paths mean the same inside.
make_root() {
	local new=$dir/run/root name path
	mkdir -p "$new"
	mount -t tmpfs -o mode=755 tmpfs "$new"
	# Else --rbind of the directory that holds it would copy it into itself.
	mount --make-unbindable "$new"
	for name in "${ROOT_DIRS[@]}"; do
		bind_into "$root/$name" "$new/$name"
	done
	for path in /*; do
		name=${path#/}
		is_root_dir "$name" || [[ $name == proc ]] || bind_into "$path" "$new/$name"
	done
	mkdir -p "$new/proc"
	for path; do
		name=${path#/}
		! is_root_dir "${name%%/*}" || bind_into "$path" "$new$path"
	done
	root=$new
}

# Users, names and clock segments of the cluster's own, in front of the
# system's.
private_files() {
	local name
	mount -t proc proc "$root/proc"
	mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
	for name in passwd group hosts; do
		[[ -e $root/etc/$name ]] || : >"$root/etc/$name"
		mount --bind "$dir/etc/$name" "$root/etc/$name"
	done
}

record_self
printf '%s\n' "$host" >/proc/sys/kernel/hostname
[[ -z $root ]] || make_root "$@"
private_files
touch "$dir/run/ready"
# bash reaps the orphans it inherits while it waits.
# shellcheck disable=SC2016
exec chroot "${root:-/}" /bin/bash -c 'while :; do sleep 86400 & wait $!; done' "devcluster $dir"

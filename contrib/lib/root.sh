# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A root directory made of another Debian's system and this host's data. Used
# inside a private mount namespace, where nothing of it outlives the processes.

# Directories a Debian root brings itself; all others are the host's own.
ROOT_DIRS=(bin sbin lib lib32 lib64 libx32 usr etc var)

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

# root_make ROOT PATH...: a root on tmpfs at ROOT/mnt: ROOT's system directories, and beside them the
# host's /home, /tmp, /dev and so on, so that paths mean the same inside;
# the PATHs too, where ROOT's directories would hide them.
root_make() {
	local root=$1 new=$1/mnt name path
	shift
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
}

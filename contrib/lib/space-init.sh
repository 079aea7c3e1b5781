# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# First process of a cluster's namespaces: mounts what the cluster sees, then
# stays to reap orphans. Run by space.sh as: HOSTNAME DIR ROOT STAGE PATH...
set -euo pipefail

host=$1 dir=$2 root=${3%/} stage=$4
shift 4
# shellcheck source=/dev/null
. "$(dirname "${BASH_SOURCE[0]}")/root.sh"

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
if [[ -n $root ]]; then
	root_make "$root" "$@"
	root=$root/mnt
fi
private_files
[[ -z $stage ]] || mount --bind "$stage" "$root$dir/stage"
touch "$dir/run/ready"
# bash reaps the orphans it inherits while it waits.
# shellcheck disable=SC2016
exec chroot "${root:-/}" /bin/bash -c 'while :; do sleep 86400 & wait $!; done' "devcluster $dir"

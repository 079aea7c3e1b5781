# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The Debian 13 tree: a root directory made once in the cache, in which Slurm
# 24.11 runs and Gangway is built for it. Needs common.sh, apt.sh, packages.sh.

TREE_SUITE=trixie
# Part of the stamp: a tree made from another list is remade.
TREE_FORMAT=1

tree_dir() {
	printf '%s/debian13\n' "$(cache_dir)"
}

tree_stamp() {
	printf '%s %s\n' "$TREE_FORMAT" "${PACKAGES_CLUSTER[*]} ${PACKAGES_BUILD[*]}"
}

tree_ready() {
	[[ "$(cat "$(tree_dir)/.gangway-tree" 2>/dev/null)" == "$(tree_stamp)" ]]
}

# Runs a command in a root that is being made. Its mounts and processes vanish
# with the namespaces, also after kill -9.
tree_chroot() {
	local root=$1
	shift
	# shellcheck disable=SC2016
	unshare --mount --pid --fork --kill-child --propagation private sh -c '
		root=$1; shift
		mount -t proc proc "$root/proc" && mount -o bind,ro /sys "$root/sys" &&
			mount --rbind /dev "$root/dev" && exec chroot "$root" "$@"
	' sh "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C \
		PATH=/usr/sbin:/usr/bin:/sbin:/bin "$@" </dev/null
}

tree_debootstrap() {
	local root=$1 log=$2 uri key
	read -r uri key < <(apt_need_mirror) || exit 1
	local -a keyring=()
	[[ $key == - ]] || keyring=(--keyring="$key")
	debootstrap --variant=minbase "${keyring[@]}" "$TREE_SUITE" "$root" "$uri" >"$log" 2>&1 </dev/null
}

tree_packages() {
	local root=$1 log=$2
	packages_forbid_services "$root" >/dev/null
	{
		tree_chroot "$root" apt-get -qq update &&
			tree_chroot "$root" apt-get -qq -y --no-install-recommends install \
				"${PACKAGES_CLUSTER[@]}" "${PACKAGES_BUILD[@]}" &&
			tree_chroot "$root" apt-get clean
	} >>"$log" 2>&1
}

# Makes the tree beside its place and renames it there; the stamp is written
# last, so that a half-made one is never used.
tree_make() {
	local dir log start
	dir=$(tree_dir) log=$(cache_dir)/debian13.log
	start=$(now_ms)
	say "debian 13 tree: making it in $dir (once)"
	rm -rf --one-file-system "$dir.new" "$dir"
	if ! { tree_debootstrap "$dir.new" "$log" && tree_packages "$dir.new" "$log"; }; then
		show_log_tail "$log"
		rm -rf --one-file-system "$dir.new"
		die "the Debian 13 tree could not be made (log: $log)"
	fi
	tree_stamp >"$dir.new/.gangway-tree"
	mv "$dir.new" "$dir"
	say "debian 13 tree: ready ($(seconds_between "$start" "$(now_ms)") s)"
}

# The tree, made if it is not there; one maker at a time.
tree_need() {
	tree_ready && return
	need_root
	need_command debootstrap debootstrap
	need_command unshare util-linux
	cache_make
	local lock
	exec {lock}>"$(cache_dir)/debian13.lock"
	flock "$lock"
	tree_ready || tree_make
	exec {lock}>&-
}

# tree_run DIRECTORY COMMAND...: runs a command in the tree, where DIRECTORY
# and the cache are as on the host.
tree_run() {
	unshare --mount --pid --fork --kill-child --propagation private \
		bash "$LIB/tree-run.sh" "$(tree_dir)" "$(cache_dir)" "$@" </dev/null
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Installing Debian packages without starting any of their services. Needs
# common.sh.

# What building Gangway and running a cluster needs, on both Debian releases.
PACKAGES_CLUSTER=(
	slurmctld slurmd slurmdbd slurm-client slurm-wlm-basic-plugins
	slurm-wlm-mysql-plugin munge mariadb-server mariadb-client faketime
)
PACKAGES_BUILD=(
	gcc make autoconf automake libtool pkg-config dpkg-dev bzip2 xz-utils
	patch check libhwloc-dev libjansson-dev libslurm-dev libmunge-dev
	binutils valgrind
)
# For the Debian 13 tree and for entering it.
PACKAGES_TREE=(debootstrap util-linux)

# Those of the given packages that are not installed under ROOT, one a line.
packages_missing() {
	local root=$1 package
	shift
	for package; do
		dpkg-query --admindir="${root%/}/var/lib/dpkg" -W -f '${db:Status-Status}\n' \
			"$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
	done
}

# Puts a policy that forbids service starts under ROOT; prints its path when it
# was not there before, for the caller to remove.
packages_forbid_services() {
	local policy=${1%/}/usr/sbin/policy-rc.d
	[[ -e $policy ]] && return
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
	printf '%s\n' "$policy"
}

# packages_install LOG PACKAGE...: installs what is missing on this system. The
# subshell's trap takes the policy away again however it ends.
packages_install() (
	log=$1
	shift
	mapfile -t missing < <(packages_missing / "$@")
	((${#missing[@]})) || exit 0
	need_root
	policy=$(packages_forbid_services /)
	trap '[[ -z $policy ]] || rm -f "$policy"' EXIT
	trap 'exit 130' INT TERM
	export DEBIAN_FRONTEND=noninteractive
	if ! {
		apt-get -qq update &&
			apt-get -qq -y --no-install-recommends install "${missing[@]}"
	} >"$log" 2>&1 </dev/null; then
		show_log_tail "$log"
		die "apt-get install ${missing[*]} failed (log: $log)"
	fi
)

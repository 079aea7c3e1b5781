# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Facts about each supported generation of Slurm, and where its binaries are.
# Needs common.sh.

# "22.05.8" or "22.05" -> "22.05"; 1 when it is not a Slurm version at all.
slurm_generation() {
	[[ $1 =~ ^([0-9]{2}\.[0-9]{2})(\.[0-9]+)?$ ]] || return 1
	printf '%s\n' "${BASH_REMATCH[1]}"
}

# Debian release that packages a generation.
slurm_suite() {
	case $1 in
	22.05) echo bookworm ;;
	24.11) echo trixie ;;
	*) return 1 ;;
	esac
}

# Dies with the one line for a version we do not support.
slurm_need_supported() {
	local generation
	generation=$(slurm_generation "$1") && slurm_suite "$generation" >/dev/null ||
		die_usage "Slurm '$1' is not supported: 22.05 (Debian 12) or 24.11 (Debian 13)"
}

# Root directory with the installed Slurm of a generation: / when the system
# itself has it, else the tree in the cache.
slurm_root() {
	local native
	native=$(slurm_installed /) || true
	if [[ $native == "$1".* ]]; then
		echo /
	else
		tree_dir
	fi
}

# slurm_installed ROOT -> 22.05.8, from the package database, so that nothing
# of another root has to be run; 1 when no slurmctld is installed there.
slurm_installed() {
	local version
	version=$(dpkg-query --admindir="${1%/}/var/lib/dpkg" -W -f '${Version}' slurmctld 2>/dev/null) || return 1
	[[ $version =~ ^([0-9.]+) ]] || return 1
	printf '%s\n' "${BASH_REMATCH[1]}"
}

# The stock plugin directory, as seen from inside ROOT.
slurm_plugin_dir() {
	local root=${1%/} dir
	for dir in "$root"/usr/lib/*/slurm-wlm "$root"/usr/lib/*/slurm; do
		if [[ -e $dir/select_cons_tres.so ]]; then
			printf '%s\n' "${dir#"$root"}"
			return 0
		fi
	done
	return 1
}

# What a cluster is made of: a program and the Debian package that has it.
SLURM_PROGRAMS=(
	/usr/sbin/slurmctld:slurmctld
	/usr/sbin/slurmd:slurmd
	/usr/sbin/slurmdbd:slurmdbd
	/usr/bin/sbatch:slurm-client
	/usr/sbin/munged:munge
	/usr/sbin/mariadbd:mariadb-server
	/usr/bin/mariadb-admin:mariadb-client
)

# Dies naming the first program that is missing under ROOT. -L: an
# alternatives link of another root points outside it and still counts.
slurm_need_programs() {
	local entry program package
	for entry in "${SLURM_PROGRAMS[@]}"; do
		program=${1%/}${entry%%:*} package=${entry##*:}
		[[ -e $program || -L $program ]] ||
			die "$program is missing: apt-get install $package"
	done
	slurm_plugin_dir "$1" >/dev/null ||
		die "no select_cons_tres.so under ${1%/}/usr/lib: apt-get install slurm-wlm-basic-plugins"
}

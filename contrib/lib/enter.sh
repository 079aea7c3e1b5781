# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What stands before a command to run it in a cluster's environment and clock as one of its
# users. Needs record.sh, users.sh, clock.sh; DIR and C are set.

# The record of the cluster, see record.sh.
declare -gA C

# enter_words USER DIRECTORY: fills WORDS; for use inside the space. A user can not write where
# root stands, and begins at home; root may stand where this root has no such directory.
enter_words() {
	local user=$1 cwd=$2 home
	home=$(users_home "$DIR" "$user")
	[[ $user == root ]] || cwd=$home
	WORDS=(
		/usr/bin/env "--chdir=$cwd" "SLURM_CONF=$DIR/etc/slurm.conf"
		"PATH=${C[stage]:+${C[stage]}/bin:}/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
	)
	[[ $user == root ]] || WORDS+=("HOME=$home" "USER=$user" "LOGNAME=$user")
	WORDS+=("${CLOCK[@]}")
	[[ $user == root ]] || WORDS+=(/usr/bin/setpriv --reuid "$user" --regid "$user" --init-groups)
}

# enter_save PID: one file DIR/run/enter/USER of words, one a line, for use outside the space,
# whose init is PID: a short cut for those who run thousands of commands.
enter_save() {
	local user
	local -a WORDS
	mkdir -p "$DIR/run/enter"
	for user in root "${CLUSTER_USERS[@]%%:*}"; do
		enter_words "$user" "$DIR/home"
		printf '%s\n' nsenter --target "$1" --mount --pid --uts --root --wd -- "${WORDS[@]}" >"$DIR/run/enter/$user"
	done
}

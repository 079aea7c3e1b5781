# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The cluster's accounts and associations. Runs inside the space. Needs
# users.sh, record.sh, daemons.sh.

# The record of the cluster, see record.sh.
declare -gA C

# The whole as a sacctmgr dump, loaded by one call.
accounts_dump() {
	local account entry user owner
	echo "Cluster - '${C[name]}':Fairshare=1:QOS='normal'"
	echo "Parent - 'root'"
	echo "User - 'root':AdminLevel='Administrator':DefaultAccount='root':Fairshare=1"
	for account in "${CLUSTER_ACCOUNTS[@]}"; do
		echo "Account - '$account':Description='$account':Organization='$account':Fairshare=1"
	done
	for account in "${CLUSTER_ACCOUNTS[@]}"; do
		echo "Parent - '$account'"
		for entry in "${CLUSTER_USERS[@]}"; do
			IFS=: read -r user _ owner <<<"$entry"
			[[ $owner != "$account" ]] || echo "User - '$user':DefaultAccount='$account':Fairshare=1"
		done
	done
}

# slurmdbd makes the cluster's tables first, and gives up on a database that is slow at it, as on a
# busy machine, or that ends then (see database_again); what is there already is left alone by
# another try.
accounts_make() {
	local try
	accounts_dump >"$DIR/etc/accounts"
	for try in 1 2 3; do
		! env "${CLOCK[@]}" timeout 600 sacctmgr -i load "$DIR/etc/accounts" >"$DIR/log/sacctmgr.log" 2>&1 </dev/null || return 0
		say "sacctmgr could not load the accounts, try $try"
		database_again || true
		sleep 1
	done
	show_log_tail "$DIR/log/slurmdbd.log"
	inside_die "sacctmgr can not load the accounts" sacctmgr.log
}

# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The cluster's accounts and associations. Runs inside the space. Needs
# users.sh, record.sh.

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

accounts_make() {
	accounts_dump >"$DIR/etc/accounts"
	env "${CLOCK[@]}" timeout 600 sacctmgr -i load "$DIR/etc/accounts" >"$DIR/log/sacctmgr.log" 2>&1 </dev/null ||
		inside_die "sacctmgr can not load the accounts" sacctmgr.log
}

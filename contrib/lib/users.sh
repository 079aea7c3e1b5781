# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The cluster's own users, in files that stand in front of the system's inside
# the space. Needs common.sh.

# NAME:UID:ACCOUNT; dave has no association, for the refusals.
CLUSTER_USERS=(alice:20001:nlp bob:20002:vision carol:20003:speech dave:20004:)
CLUSTER_ACCOUNTS=(nlp vision speech)

# The system's file without entries of our names or ids, then ours made from
# a format with @NAME and @ID.
users_file() {
	local source=$1 format=$2 entry name id names ids format_entry
	names=$(printf '%s\n' "${CLUSTER_USERS[@]%%:*}" | paste -sd '|')
	ids=$(printf '%s\n' "${CLUSTER_USERS[@]}" | cut -d: -f2 | paste -sd '|')
	awk -F: -v names="^($names)\$" -v ids="^($ids)\$" '$1 !~ names && $3 !~ ids' "$source"
	for entry in "${CLUSTER_USERS[@]}"; do
		IFS=: read -r name id _ <<<"$entry"
		format_entry=${format//@NAME/$name}
		printf '%s\n' "${format_entry//@ID/$id}"
	done
}

# users_write DIR ROOT: passwd, group, hosts and the home directories.
users_write() {
	local dir=$1 root=${2%/} entry name id
	users_file "$root/etc/passwd" "@NAME:x:@ID:@ID::$dir/home/@NAME:/bin/bash" >"$dir/etc/passwd"
	users_file "$root/etc/group" @NAME:x:@ID: >"$dir/etc/group"
	printf '127.0.0.1 localhost %s\n127.0.0.2 %s\n' "$SPACE_HOST" "$SPACE_HOST_BACKUP" >"$dir/etc/hosts"
	for entry in "${CLUSTER_USERS[@]}"; do
		IFS=: read -r name id _ <<<"$entry"
		install -d -m 755 -o "$id" -g "$id" "$dir/home/$name"
	done
}

# Home directory of a user of the cluster; 1 when there is no such user.
users_home() {
	awk -F: -v name="$2" '$1 == name { print $6; found = 1 } END { exit !found }' "$1/etc/passwd"
}

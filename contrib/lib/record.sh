# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is fixed about one cluster when it is made: the array C, kept in
# DIR/cluster.env. Needs common.sh.

RECORD_MARK='gangway devcluster 1'

declare -gA C=()

# record_save DIR
record_save() {
	{
		printf '# %s\n' "$RECORD_MARK"
		declare -p C
	} >"$1/cluster.env.new"
	mv "$1/cluster.env.new" "$1/cluster.env"
}

record_ours() {
	local line
	read -r line 2>/dev/null <"$1/.devcluster" && [[ $line == "$RECORD_MARK" ]]
}

# Loads C, or dies when DIR holds no cluster.
record_load() {
	[[ -d $1 ]] || die "no cluster in $1"
	record_ours "$1" || die "$1 is not a cluster of devcluster"
	[[ -r $1/cluster.env ]] || die "the cluster in $1 was not made completely: take it down"
	# shellcheck source=/dev/null
	. <(sed 's/^declare -A C=/C=/' "$1/cluster.env")
}

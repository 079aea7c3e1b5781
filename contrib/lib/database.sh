# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# An empty MariaDB data directory, made once for each root and copied for each
# cluster, because making one takes seconds. Runs inside the space. Needs
# common.sh, record.sh.

# The record of the cluster, see record.sh.
declare -gA C

database_template() {
	printf '%s/mariadb-%s\n' "$(cache_dir)" "${C[generation]}"
}

database_template_make() {
	local template=$1 log=$DIR/log/mariadb-install.log
	rm -rf "$template.new"
	mkdir -p "$template.new"
	if ! mariadb-install-db --no-defaults --user=root --datadir="$template.new" \
		--auth-root-authentication-method=normal --skip-test-db --innodb-log-file-size=64M >"$log" 2>&1 </dev/null; then
		show_log_tail "$log"
		die "mariadb-install-db failed"
	fi
	mv "$template.new" "$template"
}

# Fills DIR/db.
database_make() {
	local template lock
	template=$(database_template)
	exec {lock}>"$template.lock"
	flock "$lock"
	[[ -d $template ]] || database_template_make "$template"
	cp -a --reflink=auto "$template" "$DIR/db"
	exec {lock}>&-
}

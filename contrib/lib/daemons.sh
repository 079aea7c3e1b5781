# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Starting and stopping the daemons. Everything here runs inside the cluster's
# space. All run in the foreground of a session of their own, so that their pid
# is known at once; run/inside/NAME.id keeps it with its start time. Needs
# common.sh, record.sh, clock.sh; DIR and C are set.

# The record of the cluster, see record.sh.
declare -gA C

# Seconds a daemon may take to come up, or to end after SIGTERM.
START_SECONDS=90
STOP_SECONDS=30

# inside_die TEXT LOG: the end of a failed start.
inside_die() {
	[[ -z ${2:-} ]] || show_log_tail "$DIR/log/$2"
	die "$1"
}

# daemon_start NAME COMMAND...: output goes to log/NAME.err.
daemon_start() {
	local name=$1 pid start
	shift
	setsid "$@" >>"$DIR/log/${name/:/.}.err" 2>&1 </dev/null &
	pid=$!
	start=$(process_start "$pid") || start=0
	printf '%s %s\n' "$pid" "$start" >"$DIR/run/inside/$name.id"
}

daemon_alive() {
	local pid start
	read -r pid start 2>/dev/null <"$DIR/run/inside/$1.id" && process_is "$pid" "$start"
}

daemon_dead() {
	! daemon_alive "$1"
}

# daemon_signal NAME SIGNAL
daemon_signal() {
	local pid
	daemon_alive "$1" || return 0
	read -r pid _ <"$DIR/run/inside/$1.id"
	kill -s "$2" "$pid" 2>/dev/null || true
}

# daemon_stop NAME [SECONDS]: SIGTERM, then SIGKILL.
daemon_stop() {
	daemon_signal "$1" TERM
	if ! wait_until "${2:-$STOP_SECONDS}" daemon_dead "$1"; then
		daemon_signal "$1" KILL
		wait_until 20 daemon_dead "$1" || die "$1 does not die"
	fi
}

# daemon_answers "NAME..." COMMAND...: waits until the command succeeds, and
# fails as soon as one of the daemons is gone.
daemon_answers() {
	local names=$1 name end=$(($(now_ms) + START_SECONDS * 1000 * ${WAIT_FACTOR:-1}))
	shift
	until env "${CLOCK[@]}" timeout -k 1 "$((10 * C[speed]))" "$@" >/dev/null 2>&1; do
		for name in $names; do
			daemon_alive "$name" || return 1
		done
		(($(now_ms) < end)) || return 1
		sleep 0.05
	done
}

munged_start() {
	daemon_start munged env "${CLOCK[@]}" /usr/sbin/munged --foreground --force \
		--key-file="$DIR/etc/munge.key" --socket="$DIR/run/munge.socket" \
		--pid-file="$DIR/run/inside/munged.pid" --log-file="$DIR/log/munged.log" \
		--seed-file="$DIR/run/inside/munged.seed" --num-threads=4
}

munged_wait() {
	wait_until "$START_SECONDS" test -S "$DIR/run/munge.socket" &&
		daemon_answers munged munge -n -S "$DIR/run/munge.socket" ||
		inside_die "munged does not start" munged.err
}

# Not under the cluster's clock: InnoDB's timers misbehave there.
mariadbd_start() {
	daemon_start mariadbd mariadbd --no-defaults --user=root --datadir="$DIR/db" \
		--socket="$DIR/run/mysql.sock" --pid-file="$DIR/run/inside/mariadbd.pid" \
		--skip-networking --skip-log-bin --performance-schema=OFF \
		--innodb-buffer-pool-size=256M --innodb-log-file-size=64M \
		--innodb-lock-wait-timeout=900 --innodb-flush-log-at-trx-commit=0 \
		--loose-innodb-flush-method=nosync --loose-innodb-doublewrite=OFF --loose-sync-frm=OFF \
		--loose-innodb-snapshot-isolation=OFF
}

mariadbd_ping() {
	mariadb-admin --no-defaults -uroot -S "$DIR/run/mysql.sock" ping
}

mariadbd_wait() {
	local end=$(($(now_ms) + START_SECONDS * 1000))
	until mariadbd_ping >/dev/null 2>&1; do
		daemon_alive mariadbd && (($(now_ms) < end)) || inside_die "mariadbd does not start" mariadbd.err
		sleep 0.05
	done
}

# MariaDB 11.8 (Debian 13) refuses slurmdbd's first probe of an empty server
# now and then, and slurmdbd exits; or see database_again: once more. What it
# said of that is set aside.
slurmdbd_start() {
	local attempt
	for attempt in 1 2 3; do
		if daemon_dead mariadbd; then
			mariadbd_start
			mariadbd_wait
		fi
		daemon_start slurmdbd env "${CLOCK[@]}" MYSQL_UNIX_PORT="$DIR/run/mysql.sock" /usr/sbin/slurmdbd -D
		! daemon_answers 'slurmdbd mariadbd' sacctmgr -n show cluster || return 0
		daemon_dead slurmdbd || daemon_dead mariadbd || break
		daemon_stop slurmdbd
		((attempt == 3)) || mv "$DIR/log/slurmdbd.log" "$DIR/log/slurmdbd.try$attempt" 2>/dev/null || true
	done
	inside_die "slurmdbd does not answer" slurmdbd.log
}

# Seldom, on a busy machine, MariaDB ends with a segmentation fault while it has
# its first clients: once more. False: it has not. Not once there are accounts:
# what was written last is lost with it.
database_again() {
	daemon_dead mariadbd || return 1
	daemon_stop slurmdbd
	mv "$DIR/log/slurmdbd.log" "$DIR/log/slurmdbd.before" 2>/dev/null || true
	slurmdbd_start
}

# A machine of the backup's own, as far as slurmctld can see: another host name,
# and another directory for the pid file, whose owner it would end otherwise.
# shellcheck disable=SC2016
BACKUP_MACHINE=(unshare --uts --mount sh -c '
	mount --bind "$0/ctl-backup" "$0/ctl" && echo "$1" >/proc/sys/kernel/hostname && shift && exec "$@"
' "$DIR/run/inside" "$SPACE_HOST_BACKUP")

# slurmctld_start [backup]. DEVCLUSTER_CTLD_WRAPPER is put in front of the
# program, DEVCLUSTER_CTLD_ENV holds NAME=VALUE words for it.
slurmctld_start() {
	local name=slurmctld
	local -a wrapper vars machine=()
	read -ra wrapper <<<"${DEVCLUSTER_CTLD_WRAPPER:-}"
	read -ra vars <<<"${DEVCLUSTER_CTLD_ENV:-}"
	if [[ ${1:-} == backup ]]; then
		name=slurmctld-backup
		machine=("${BACKUP_MACHINE[@]}")
	fi
	[[ -z ${DEVCLUSTER_CTLD_WRAPPER:-} ]] || touch "$DIR/run/inside/wrapped"
	daemon_start "$name" "${machine[@]}" env "${CLOCK[@]}" "${vars[@]}" "${wrapper[@]}" /usr/sbin/slurmctld -D \
		${1:+-L "$DIR/log/slurmctld-backup.log"}
}

# slurmctld_wait [backup]
slurmctld_wait() {
	local name=slurmctld${1:+-$1} WAIT_FACTOR=1
	# valgrind and its like take twenty times as long.
	[[ -z ${DEVCLUSTER_CTLD_WRAPPER:-} ]] || WAIT_FACTOR=10
	# 24.11 takes half a minute to hand control back.
	[[ -z ${C[backup]} ]] || WAIT_FACTOR=$((WAIT_FACTOR * 3))
	# shellcheck disable=SC2016
	daemon_answers "$name mariadbd" sh -c 'scontrol ping | grep -q "(${1:-primary}).* is UP"' sh "${1:-}" ||
		inside_die "$name does not answer" "$name.log"
}

slurmd_start() {
	daemon_start "slurmd:$1" env "${CLOCK[@]}" /usr/sbin/slurmd -D -N "$1"
}

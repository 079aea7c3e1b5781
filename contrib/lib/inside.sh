# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What devcluster does inside a cluster's space. Run as: DIR OPERATION ARG...
set -euo pipefail

LIB=$(dirname "${BASH_SOURCE[0]}")
# shellcheck disable=SC2034 # read by common.sh
TOOL=devcluster
DIR=$1
shift
for part in common record space users clock daemons database accounts check; do
	# shellcheck source=/dev/null
	. "$LIB/$part.sh"
done
record_load "$DIR"
export SLURM_CONF=$DIR/etc/slurm.conf PATH=/usr/sbin:/usr/bin:/sbin:/bin
clock_load

# The record of the cluster, see record.sh.
declare -gA C

# Names of nodes that registered since slurmctld started, with their states.
# Before, they show what was saved, and no start time of slurmd.
nodes_registered() {
	env "${CLOCK[@]}" timeout "$((10 * C[speed]))" scontrol show node -o |
		awk '!/SlurmdStartTime=None/ && match($0, / State=[^ ]+/) { print substr($1, 10), substr($0, RSTART + 7, RLENGTH - 7) }'
}

nodes_idle() {
	(($(nodes_registered | grep -cE ' IDLE([+]CLOUD)?$') == C[count]))
}

# Every node whose slurmd runs has registered, in whatever state it is.
nodes_back() {
	local registered node
	registered=" $(nodes_registered | cut -d' ' -f1 | paste -sd ' ') "
	for node in ${C[nodes]}; do
		[[ $registered == *" $node "* ]] || daemon_dead "slurmd:$node" || return 1
	done
}

# node_since NODE TIME: its slurmd registered and was not started before TIME.
node_since() {
	env "${CLOCK[@]}" timeout "$((10 * C[speed]))" scontrol show node -o "$1" |
		awk -v time="$2" 'match($0, /SlurmdStartTime=[^ ]+/) {
			start = substr($0, RSTART + 16, RLENGTH - 16)
			exit !(start != "None" && start >= time)
		}'
}

nodes_settled() {
	"$@" || daemon_dead slurmctld
}

# nodes_wait CONDITION ARG...: bounded, and over at once when slurmctld is.
nodes_wait() {
	if ! wait_until "$((60 + C[count] / 4))" nodes_settled "$@" || daemon_dead slurmctld; then
		inside_die "not all ${C[count]} nodes come up" slurmctld.log
	fi
}

op_start() {
	local node
	mkdir -p "$DIR"/run/inside/{ctl,ctl-backup}
	clock_start
	sanitizer_start
	munged_start
	database_make
	mariadbd_start
	munged_wait
	mariadbd_wait
	slurmdbd_start
	accounts_make
	slurmctld_start
	slurmctld_wait
	for node in ${C[nodes]}; do
		slurmd_start "$node"
	done
	if [[ -n ${C[backup]} ]]; then
		slurmctld_start backup
		slurmctld_wait backup
	fi
	nodes_wait nodes_idle
}

# Daemons whose end has something to say (leaks, saved state) get the time.
op_stop() {
	local seconds=$STOP_SECONDS
	[[ ! -e $DIR/run/inside/wrapped ]] || seconds=120
	daemon_stop slurmctld-backup "$seconds"
	daemon_stop slurmctld "$seconds"
}

op_signal() {
	daemon_alive "$1" || die "$1 is not running"
	daemon_signal "$1" "$2"
	[[ $2 != KILL ]] || wait_until 20 daemon_dead "$1" || die "$1 does not die"
}

op_restart() {
	local name=$1 signal=${2:-TERM}
	daemon_signal "$name" "$signal"
	daemon_stop "$name" "$([[ -e $DIR/run/inside/wrapped ]] && echo 120 || echo 30)"
	case $name in
	slurmctld) slurmctld_start && slurmctld_wait && nodes_wait nodes_back ;;
	slurmctld-backup) slurmctld_start backup && slurmctld_wait backup ;;
	slurmdbd) slurmdbd_start ;;
	slurmd:*)
		local since
		since=$(env "${CLOCK[@]}" date +%Y-%m-%dT%H:%M:%S)
		slurmd_start "${name#slurmd:}" && nodes_wait node_since "${name#slurmd:}" "$since"
		;;
	esac
}

"op_$1" "${@:2}"

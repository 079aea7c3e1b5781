#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What SuspendProgram and ResumeProgram are to a cluster of devcluster: a node is off when its
# slurmd is. Runs inside it as: DIR suspend|resume|start NODES, where what is only started did
# not boot.
set -euo pipefail

LIB=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../contrib/lib" && pwd)
# shellcheck disable=SC2034 # read by common.sh
TOOL=power DIR=$1
export SLURM_CONF=$DIR/etc/slurm.conf PATH=/usr/sbin:/usr/bin:/sbin:/bin
for part in common record space users clock daemons; do
	# shellcheck source=/dev/null
	. "$LIB/$part.sh"
done
record_load "$DIR"
clock_load

# Slurm kills what is left of the program's process group when it ends.
has_left_group() {
	local pid
	read -r pid _ <"$DIR/run/inside/slurmd:$1.id"
	[[ $(ps -o sid= -p "$pid") -eq $pid ]]
}

# To slurmctld a node booted when a slurmd with -b started. It counts in seconds, and does not
# take a node that seems to have booted before it was asked to.
boot=()
[[ $2 != resume ]] || {
	boot=(-b)
	sleep 1.5
}
for node in $(scontrol show hostnames "$3"); do
	daemon_stop "slurmd:$node"
	[[ $2 != suspend ]] || continue
	[[ $2 != resume ]] || echo "$node" >>"$DIR/log/woken"
	daemon_start "slurmd:$node" env "${CLOCK[@]}" /usr/sbin/slurmd -D "${boot[@]}" -N "$node"
	wait_until 10 has_left_group "$node"
done

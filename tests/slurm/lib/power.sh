#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What SuspendProgram and ResumeProgram are to a cluster of devcluster: a node is off when its
# slurmd is. Runs inside it as: DIR suspend|resume NODES
set -euo pipefail

LIB=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../contrib/lib" && pwd)
# shellcheck disable=SC2034 # read by common.sh
TOOL=power DIR=$1
export SLURM_CONF=$DIR/etc/slurm.conf PATH=/usr/sbin:/usr/bin:/sbin:/bin
for part in common record space users daemons; do
	# shellcheck source=/dev/null
	. "$LIB/$part.sh"
done
record_load "$DIR"
clock_load

# Booting takes time: slurmctld counts in seconds, and does not take a node that seems to have
# booted before it was asked to.
[[ $2 != resume ]] || sleep 1.5
for node in $(scontrol show hostnames "$3"); do
	daemon_stop "slurmd:$node"
	[[ $2 == resume ]] || continue
	echo "$node" >>"$DIR/log/woken"
	# To slurmctld the node booted when this slurmd started.
	daemon_start "slurmd:$node" env "${CLOCK[@]}" /usr/sbin/slurmd -D -b -N "$node"
done

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Waiting for a node's GPUs to register must never be waiting for ever: a cloud node under
# power saving registers only because a GPU job starts it, also right after a restart of
# slurmctld; a node that was drained or down over the restart gives its GPUs once it is back;
# and none of them keeps a job from the other nodes.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"

# The programs of power saving: to resume a node is to start its slurmd (-b: as if just
# booted), to suspend it does nothing, since its slurmd never runs otherwise.
write_programs() {
	local dir=${CLUSTER[on]}
	cat >"$WORK/resume" <<-END
		#!/bin/bash
		. $CHECKOUT/contrib/lib/common.sh
		export SLURM_CONF=$dir/etc/slurm.conf
		leads_session() {
		    local field
		    read -ra field </proc/\$1/stat
		    ((field[5] == \$1))
		}
		for node in \$(scontrol show hostnames "\$1"); do
		    setsid /usr/sbin/slurmd -D -b -N "\$node" >>"$dir/log/slurmd:\$node.err" 2>&1 </dev/null &
		    echo "\$! \$(process_start \$!)" >"$dir/run/inside/slurmd:\$node.id"
		    # slurmctld kills this program's process group when the program ends.
		    wait_until 20 leads_session "\$!"
		done
	END
	printf '#!/bin/sh\n' >"$WORK/suspend"
	chmod 755 "$WORK/resume" "$WORK/suspend"
}

# True when the node's state has the word.
node_has() {
	on on scontrol show node -o "$1" | sed -n 's/.* State=\([^ ]*\).*/\1/p' | grep -qE "(^|[+])$2([+]|$)"
}

# c0 becomes a cloud node that is powered down, and slurmctld forgets its registration.
to_cloud() {
	write_programs
	cluster on kill slurmd:c0
	sed -i '/^NodeName=c0 /s/State=UNKNOWN/State=CLOUD/' "${CLUSTER[on]}/etc/slurm.conf"
	slurm_conf on ResumeProgram "$WORK/resume"
	slurm_conf on SuspendProgram "$WORK/suspend"
	slurm_conf on SuspendTime 3600
	slurm_conf on SuspendTimeout 1
	slurm_conf on ResumeTimeout 60
	# Seconds between looks at what is to be resumed or suspended; 10 else.
	slurm_conf on SlurmctldParameters power_save_interval=1
	# Else 22.05 does not show cloud nodes that are down.
	slurm_conf on PrivateData cloud
	cluster on restart slurmctld
	on on scontrol update nodename=c0 state=power_down_force
	wait_for 40 "c0 to be powered down" node_has c0 POWERED_DOWN
}

expect_gpus() {
	wait_for 60 "job $1 on $2" job_is on "$1" RUNNING
	[[ $(on on scontrol show job -d "$1") =~ \ Nodes=$2\ .*GRES=gpu:h100:2\(IDX:[0-9] ]] ||
		fail "job $1 does not hold two GPUs of $2: $(on on scontrol show job -d "$1" | grep GRES=)"
}

cluster_up on --nodes 3 --cores 8 --node-spec NodeName=c0
# The other slurmds read slurm.conf before c0 became a cloud node.
cluster_errors_allowed on 'appears to have a different slurm.conf'
to_cloud
on on scontrol update nodename=n1 state=drain reason=test
cluster on kill slurmd:n2
on on scontrol update nodename=n2 state=down reason=test
wait_for 20 "n1 to drain" node_has n1 DRAIN
cluster on restart slurmctld

cloud=$(submit on alice -w c0 --gres=gpu:2)
here=$(submit on alice -w n0 --gres=gpu:2)
drained=$(submit on alice -w n1 --gres=gpu:2)
down=$(submit on alice -w n2 --gres=gpu:2)
expect_gpus "$here" n0
expect_gpus "$cloud" c0
job_is on "$drained" PENDING || fail "a job starts on a drained node"
job_is on "$down" PENDING || fail "a job starts on a node that is down"
on on scontrol update nodename=n1 state=resume
cluster on restart slurmd:n2
expect_gpus "$drained" n1
expect_gpus "$down" n2

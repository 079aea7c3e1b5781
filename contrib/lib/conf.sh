# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Writers of a cluster's configuration files from its record C and its KINDS of
# nodes. Needs common.sh, nodes.sh, record.sh.

# The record of the cluster, see record.sh.
declare -gA C

# Seconds of a time-out that must hold in real time: under an accelerated clock
# they pass C[speed] times as fast. Slurm wants at most $2 where given.
conf_seconds() {
	local seconds=$(($1 * C[speed]))
	[[ -z ${2:-} ]] || ((seconds <= $2)) || seconds=$2
	printf '%s\n' "$seconds"
}

conf_plugins() {
	if [[ -n ${C[stage]} ]]; then
		cat <<-END
			PluginDir=${C[stage]}/lib/gangway:${C[plugin_dir]}
			PriorityType=priority/gangway
			JobSubmitPlugins=gangway
		END
	else
		cat <<-END
			PluginDir=${C[plugin_dir]}
			PriorityType=priority/multifactor
		END
	fi
	cat <<-END
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		TopologyPlugin=${C[topology_plugin]}
		SchedulerType=sched/backfill
		SchedulerParameters=bf_interval=5,bf_window=2880,bf_resolution=60,sched_interval=5,sched_min_interval=100000,max_rpc_cnt=0
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		JobAcctGatherType=jobacct_gather/none
		MpiDefault=none
		PriorityDecayHalfLife=1-0
		PriorityWeightAge=1000
		PriorityWeightFairshare=10000
		PriorityWeightJobSize=1000
		PriorityWeightQOS=2000
	END
}

conf_controllers() {
	echo "SlurmctldHost=$SPACE_HOST(127.0.0.1)"
	if [[ -n ${C[backup]} ]]; then
		echo "SlurmctldHost=$SPACE_HOST_BACKUP(127.0.0.2)"
		echo CommunicationParameters=NoCtldInAddrAny
	fi
	echo "SlurmctldPort=$((C[port] + 1))"
}

conf_daemons() {
	local dir=$1 takeover=120
	# slurmd waits half of it after meeting the controller that stood back.
	[[ -z ${C[backup]} ]] || takeover=20
	cat <<-END
		ClusterName=${C[name]}
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$dir/run/munge.socket,ttl=$(conf_seconds 300 3600),cred_expire=$(conf_seconds 120)
		CredType=${C[cred_type]}
		StateSaveLocation=$dir/state
		SlurmdSpoolDir=$dir/spool/%n
		SlurmctldPidFile=$dir/run/inside/ctl/slurmctld.pid
		SlurmdPidFile=$dir/run/inside/slurmd.%n.pid
		SlurmctldLogFile=$dir/log/slurmctld.log
		SlurmdLogFile=$dir/log/slurmd.%n.log
		SlurmctldDebug=info
		SlurmdDebug=info
		Prolog=$dir/etc/prolog
		GresTypes=gpu$(nodes_shared_types | sed 's|^|,|' | tr -d '\n')
		SlurmdParameters=config_overrides
		ReturnToService=2
		TreeWidth=16
		MaxJobCount=200000
		KillWait=5
		InactiveLimit=0
		SlurmctldTimeout=$(conf_seconds "$takeover")
		SlurmdTimeout=$(conf_seconds 300)
		MessageTimeout=$(conf_seconds 60)
		TCPTimeout=$(conf_seconds 2)
		BatchStartTimeout=$(conf_seconds 30)
		UnkillableStepTimeout=$(conf_seconds 300)
		MailProg=/bin/true
	END
}

conf_accounting() {
	local types
	types=$({ nodes_gpu_types | sed 's|^|gpu:|' && nodes_shared_types; } | sed 's|^|,gres/|' | tr -d '\n')
	cat <<-END
		AccountingStorageType=accounting_storage/slurmdbd
		AccountingStorageHost=127.0.0.1
		AccountingStoragePort=${C[port]}
		AccountingStoragePass=$1/run/munge.socket
		AccountingStorageTRES=gres/gpu$types
		AccountingStorageEnforce=associations,limits,qos
	END
}

# Our lines on stdin without those the extra file $1 sets again. Lines that may
# come several times are replaced by name, the others by key.
conf_override() {
	[[ -n $1 ]] || {
		cat
		return
	}
	awk '
		function id(line,   key) {
			key = tolower(line); sub(/^[ \t]+/, "", key); sub(/=.*/, "", key)
			if (key ~ /^(nodename|partitionname|nodeset|downnodes|slurmctldhost)$/) {
				sub(/[ \t].*/, "", line); return tolower(line)
			}
			return key
		}
		NR == FNR { if ($0 !~ /^[ \t]*(#|$)/) set[id($0)] = 1; next }
		!(id($0) in set)
	' "$1" -
	cat "$1"
}

# conf_slurm DIR EXTRA
conf_slurm() {
	local dir=$1
	{
		conf_daemons "$dir"
		conf_controllers
		conf_plugins
		conf_accounting "$dir"
		nodes_slurm_conf "$((C[port] + 2))"
		echo 'PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP'
	} | conf_override "$2" >"$dir/etc/slurm.conf"
	[[ ${C[generation]} == 22.05 ]] || echo CgroupPlugin=disabled >"$dir/etc/cgroup.conf"
}

conf_slurmdbd() {
	local dir=$1
	(
		umask 077
		cat >"$dir/etc/slurmdbd.conf" <<-END
			DbdHost=localhost
			DbdAddr=127.0.0.1
			DbdPort=${C[port]}
			SlurmUser=root
			AuthType=auth/munge
			AuthInfo=socket=$dir/run/munge.socket,ttl=$(conf_seconds 300 3600)
			LogFile=$dir/log/slurmdbd.log
			PidFile=$dir/run/inside/slurmdbd.pid
			DebugLevel=info
			MessageTimeout=$(conf_seconds 60)
			PluginDir=${C[plugin_dir]}
			StorageType=accounting_storage/mysql
			StorageHost=localhost
			StorageUser=root
			StorageLoc=slurm_acct_db
		END
	)
}

# What each node was really given, seen by slurmd: one short line, in one
# write. Read by check.
conf_prolog() {
	cat >"$1/etc/prolog" <<-END
		#!/bin/sh
		echo "\$SLURM_JOB_ID \$SLURMD_NODENAME \$SLURM_JOB_GPUS" >>$1/log/held
	END
	chmod 755 "$1/etc/prolog"
	: >"$1/log/held"
}

# conf_gangway DIR CONF HWLOC
conf_gangway() {
	local dir=$1 kind
	if [[ -n $2 ]]; then
		cp "$2" "$dir/etc/gangway.conf"
		return
	fi
	# An accelerated clock counts the waits of a busy machine manifold: no hook trips for time.
	printf '%s\n' UsageHalfLife=7-00:00:00 HookTimeBudget=60000 >"$dir/etc/gangway.conf"
	[[ -n $3 ]] || return 0
	cp "$3" "$dir/etc/shape.xml"
	for kind in "${KINDS[@]}"; do
		echo "ShapeName=${kind%%[\[|]*} Nodes=${kind%%|*} Hwloc=$dir/etc/shape.xml"
	done >>"$dir/etc/gangway.conf"
}

# conf_topology DIR HOW: HOW is tree, block, flat or a file.
conf_topology() {
	case $2 in
	flat) ;;
	tree | block) nodes_topology "$2" >"$1/etc/topology.conf" ;;
	*) cp "$2" "$1/etc/topology.conf" ;;
	esac
}

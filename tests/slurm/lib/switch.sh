# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Turning a running cluster from Gangway to stock and back by its slurm.conf, as
# an administrator would. Needs test.sh, jobs.sh.

nodes_of() {
	on "$1" scontrol show node -o | sed 's/^NodeName=\([^ ]*\).*/\1/'
}

# restart_all NAME: slurmctld and every slurmd.
restart_all() {
	local node
	local -a nodes
	mapfile -t nodes < <(nodes_of "$1")
	cluster "$1" restart slurmctld
	for node in "${nodes[@]}"; do
		cluster "$1" restart "slurmd:$node"
	done
}

conf_value() {
	sed -n "s/^$2=//p" "${CLUSTER[$1]}/etc/slurm.conf"
}

# Takes Gangway's lines out; remembers them in WORK.
conf_to_stock() {
	local name=$1
	cp "${CLUSTER[$name]}/etc/slurm.conf" "$WORK/$name.with-gangway"
	slurm_conf "$name" PluginDir "$(conf_value "$name" PluginDir | sed 's/^[^:]*://')"
	slurm_conf "$name" PriorityType priority/multifactor
	slurm_conf "$name" JobSubmitPlugins ''
	conf_is_stock "$name" || fail "slurm.conf still names Gangway"
}

conf_is_stock() {
	local key
	for key in PluginDir PriorityType JobSubmitPlugins; do
		[[ $(conf_value "$1" "$key") != *gangway* ]] || return 1
	done
}

conf_to_gangway() {
	cp "$WORK/$1.with-gangway" "${CLUSTER[$1]}/etc/slurm.conf"
}

# What must not change for jobs that wait: one line a job.
pending_facts() {
	on "$1" scontrol show job -o | grep 'JobState=PENDING' | tr ' ' '\n' |
		grep -E '^(JobId|UserId|Account|QOS|Priority|Nice|TimeLimit|Partition|NumNodes|NumCPUs|TRES|ReqTRES|TresPer[A-Za-z]*|Dependency|Features|SubmitTime|Comment|AdminComment|Licenses)='
}

# The limits slurmctld holds and what counts against them, without what moves
# by itself: time used up, and jobs that gather age.
limit_facts() {
	on "$1" scontrol show assoc_mgr flags=assoc,qos |
		grep -E '^(ClusterName|QOS)=|(Grp|Max)(TRES|Jobs|SubmitJobs|Wall)[A-Za-z]*=' | grep -v 'RunMins\|TRESMins' |
		sed -E 's/((Wall|Accrue[A-Z]*)=[^ (]*)\([^)]*\)/\1/g'
}

# Where jobs run and since when: nodes, cores, GPUs, starts.
running_facts() {
	on "$1" scontrol show job -d -o | grep 'JobState=RUNNING' | tr ' ' '\n' |
		grep -E '^(JobId|Restarts|StartTime|NodeList|CPU_IDs|GRES|Nodes)='
}

# The processes of jobs, which must live through everything.
job_processes() {
	on "$1" pgrep -f '^sleep 8640[0-9]$' | sort -n
}

# job_processes_above NAME NUMBER
job_processes_above() {
	(($(job_processes "$1" | wc -l) > $2))
}

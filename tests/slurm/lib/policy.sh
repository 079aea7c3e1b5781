# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Clusters with a policy of three teams, and what is asked of them. Needs test.sh.

# policy_write FILE LINE...: a gangway.conf with classes, one flavor and the lines
# of the test. Times under an accelerated clock hold the waits of a busy machine
# too, so no hook trips for time.
policy_write() {
	local file=$1
	shift
	printf '%s\n' UsageWeights=gres/gpu:h100=1 HookTimeBudget=60000 \
		'ClassName=standard QOS=normal Rank=1 Default=yes' \
		'ClassName=critical QOS=high Rank=2' \
		'FlavorName=h100 Gres=gpu:h100 Partition=main' "$@" >"$file"
	grep -q '^UsageHalfLife=' "$file" || echo UsageHalfLife=7-0 >>"$file"
}

# One pool of so many GPUs for all three, weights 2, 1 and 1.
policy_one_pool() {
	printf '%s\n' "PoolName=shared Quota=gres/gpu:h100=$1" \
		'QueueName=nlp Pool=shared Account=nlp Weight=2' \
		'QueueName=vision Pool=shared Account=vision Weight=1' \
		'QueueName=speech Pool=shared Account=speech Weight=1'
}

# policy_up NAME FILE [OPTION OF devcluster up]...: a cluster with this gangway.conf
# and the QOS its classes name.
policy_up() {
	local name=$1 file=$2
	shift 2
	cluster_up "$name" --conf "$file" "$@"
	policy_qos "$name"
}

policy_qos() {
	on "$1" sacctmgr -i add qos high Priority=100 >/dev/null &&
		on "$1" sacctmgr -i modify account nlp,vision,speech set qos=normal,high >/dev/null ||
		fail "$1: the QOS high can not be made"
}

# reconfigured NAME: 24.11 starts its program again, 22.05 wakes the engine.
reconfigured() {
	local sum=${2:-}
	on "$1" scontrol reconfigure
	wait_for 20 "slurmctld to answer" on "$1" scontrol ping
	status_fresh "$1"
	[[ -z $sum ]] || expect_status "$1" Version ConfigState "$sum"
}

# view_value NAME RECORD KEY: of the published view; RECORD begins its line, e.g.
# "Job=12" or "Queue=nlp".
view_value() {
	sed -n "s/^$2 \(.* \)\{0,1\}$3=\(\"[^\"]*\"\|[^ ]*\).*/\2/p" "${CLUSTER[$1]}/state/gangway/view" | head -n 1
}

# accounted NAME ID FIELD: of sacct; times in seconds since 1970.
accounted() {
	SLURM_TIME_FORMAT=%s on "$1" sacct -X -n -P -j "$2" -o "$3" | head -n 1
}

accounted_is() {
	[[ $(accounted "$1" "$2" "$3") =~ $4 ]]
}

# jobs_number NAME COUNT [OPTION OF squeue]...: so many jobs are there.
jobs_number() {
	local name=$1 count=$2
	shift 2
	(($(on "$name" squeue -h -r "$@" -o %i | wc -l) == count))
}

no_jobs() {
	[[ -z $(on "$1" squeue -h) ]]
}

# burst NAME USER COUNT SBATCH_OPTION...: prints the ids.
burst() {
	local name=$1 user=$2 count=$3
	shift 3
	[[ " $*" == *" --wrap="* ]] || set -- "$@" --wrap='exec sleep 86400'
	# shellcheck disable=SC2016
	as "$name" "$user" bash -c 'n=$1; shift
		for ((i = 0; i < n; i++)); do sbatch -Q --parsable -o /dev/null "$@" || exit 1; done' bash "$count" "$@"
}

# scheduler NAME PARAMETERS: restarts slurmctld with these; the first of a kind counts.
scheduler() {
	slurm_conf "$1" SchedulerParameters "$2,sched_min_interval=100000"
	# The nodes keep the file they began with.
	slurm_conf "$1" DebugFlags NO_CONF_HASH
	cluster "$1" restart slurmctld
}

# passes NAME main|backfill: since slurmctld started.
passes() {
	on "$1" sdiag | awk -v kind="$2" '
		/^Main schedule/ { part = "main" } /^Backfilling stats/ { part = "backfill" }
		/Total cycles:/ && part == kind { print $3; exit }'
}

passes_above() {
	(($(passes "$1" "$2") > $3))
}

# pass_after NAME main|backfill COMMAND...: and a pass that ended after it.
pass_after() {
	local name=$1 kind=$2 before
	shift 2
	before=$(passes "$name" "$kind")
	"$@" >/dev/null
	wait_for 40 "a pass of the $kind scheduler" passes_above "$name" "$kind" "$before"
}

# No factor of priority that moves with time: two clusters can be compared.
steady_priority() {
	printf '%s\n' PriorityWeightAge=0 PriorityWeightFairshare=0
}

partition() {
	on "$1" scontrol update PartitionName=main State="$2"
}

# priorities NAME: of pending jobs, with what is Gangway's share of it and the class.
priorities() {
	on "$1" sprio -h -o '%i %Y %S' | sort -n
	on "$1" squeue -h -r -t PD -o '%i %q' | sort -n
}

# limits NAME: of the accounts, in slurmctld's memory, with what they hold.
limits() {
	on "$1" scontrol show assoc_mgr flags=assoc | grep -E 'ClusterName=|GrpTRES='
}

# starts WHAT JOB: in the cluster g; the job is ended then.
starts() {
	local what=$1 id=$2
	wait_for 20 "$what to start" job_is g "$id" RUNNING
	on g scancel "$id"
	wait_for 20 "$what to end" jobs_settled g
	note "$what starts"
}

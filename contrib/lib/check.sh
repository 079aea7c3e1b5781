# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# devcluster check: did every job hold the GPUs it asked for, are there error
# lines, are the daemons alive. Runs inside the space; each finding is one line
# on stdout. Needs common.sh, record.sh, daemons.sh.
#
# Three witnesses, because each is blind somewhere:
#   sacct      ReqTRES is what was asked, also after a start without GPUs, where
#              slurmctld rewrites the job's own request to gpu:0; AllocTRES is
#              what slurmctld counted.
#   log/held   written by slurmd's Prolog: what the node was told the job holds.
#              On each node at the job's first step there.
#   scontrol   GRES=...(IDX:...) of each running job on each node.

# The record of the cluster, see record.sh.
declare -gA C

# Error lines of stock Slurm that mean no harm.
CHECK_HARMLESS=(
	# First start of slurmctld: nothing was saved yet.
	'Could not open .* state file .*: No such file or directory'
	'NOTE: Trying backup state save file'
	'No fed_mgr state file'
	'No last decay .* to recover'
	# Optional MPI libraries of the packages are not installed.
	'mpi/pmix'
	# A small database does.
	'Database settings not recommended values'
	# Accounts loaded in one transaction are announced before they are there.
	"We can't find assoc [0-9]+ on cluster"
	# MariaDB 11.8 refuses slurmdbd's first probe; devcluster starts it again.
	'mysql_query failed: 5027 '
	'_check_mysql_concat_is_sane: null result'
	# The machine is busy for a moment.
	'High latency for 1000 calls to gettimeofday'
	# 24.11 ends its connections to slurmdbd while one of them ends by itself.
	'slurm_persist_conn_recv_server_fini: pthread_join'
	# A job is cancelled while its step starts.
	'Unable to unlink domain socket .*: No such file or directory'
	# A client did not wait for the answer.
	'slurm_bufs_sendto\(msg_type=(SRUN_[A-Z_]+|RESPONSE_SLURM_RC)\) failed'
	'slurm_msg_sendto: address:port=127\.[^ ]* msg_type=70[0-9]+: '
	# A task's exit code or end by a signal, told by slurmstepd or srun.
	'\*\*\* (JOB|STEP) .* (CANCELLED|ON) '
	# A job was cancelled while it was on its way to its node.
	'Job [0-9]+ already killed, do not launch batch job'
	# slurmctld ends, as 24.11 does at each reconfigure, while its own thread that saves state
	# copies jobs, nodes or partitions; that thread saves all once more after it. Stock does so
	# too. The second line follows the first, which must not name other locks: Gangway takes
	# that of jobs, never that of the configuration.
	'Locks left set config:R, job:(R, node:|, node:R?), partition:R?, federation:$'
	'Semaphores still set after [0-9]+ seconds, can not save state'
	# Its calls to nodes get three seconds when it ends.
	'agent_fini: left [0-9]+ agent threads active'
	# A client, or slurmctld to slurmdbd, was ended amid a connection. A daemon that ended by
	# itself is found by its absence.
	'persistent connection for fd [0-9]+ experienced error'
	'slurm_receive_msg \[127[^]]*\]: Zero Bytes were transmitted or received'
	# slurmctld is sooner than a slurmdbd that is busy; it tries again.
	'No response to persist_init'
	'Sending message type DBD_'
	'DBD_SEND_MULT_[A-Z_]+ failure'
	'Getting response to message type: DBD_'
	# A client of 22.05's slurmdbd asks for jobs while they are written.
	"We should have gotten a result: 'No error' ''"
	'Problem getting jobs for cluster '
)

# The same where control may pass to a backup slurmctld.
CHECK_HARMLESS_BACKUP=(
	'_shutdown_(bu_thread|controller): ?send/recv'
	'while in standby mode'
	'not responding, BackupController[0-9]+ .* taking over'
	'A new registration for cluster .* just came in'
	'REQUEST_CONTROL reply but backup not completely done'
	'agent_init: thread already running'
)

# The same under an accelerated clock: files keep real time, and a busy machine
# is slower by as much as the clock is faster.
CHECK_HARMLESS_SPEED=(
	'The modification time of .* moved backwards'
	'The clock of the file system and this computer'
	'MessageTimeout is too high'
	'Nodes .* not responding$'
)

# Job records as "ID STATE NODES ASKED ALLOCATED" of those that started; the ids
# of all to the file $1.
check_accounting() {
	env "${CLOCK[@]}" sacct -a -X -D -n -P -S 2000-01-01 -o JobIDRaw,State,NNodes,Start,ReqTRES,AllocTRES,NodeList |
		awk -F'|' -v ids="$1" '
		# Typed and untyped entries are the same GPUs: count once.
		function gpus(tres,   n, i, part, kv, typed) {
			n = split(tres, part, ",")
			for (i = 1; i <= n; i++) {
				split(part[i], kv, "=")
				if (kv[1] == "gres/gpu") return kv[2] + 0
				if (kv[1] ~ /^gres\/gpu:/) typed += kv[2]
			}
			return typed + 0
		}
		{ print $1 >ids }
		# A share of a GPU is no GPU, but its node is told of the device.
		$6 ~ /gres\/(shard|mps)/ { next }
		# Refused or cancelled before its start: never had a node. AllocTRES may yet be set.
		$4 !~ /^(None|Unknown|)$/ && $6 != "" && $7 !~ /^(None assigned|)$/ { sub(/ .*/, "", $2); print $1, $2, $3, gpus($5), gpus($6) }'
}

# Running jobs as "ID NODE COUNT INDEXES", one line for each node with GPUs.
check_running() {
	env "${CLOCK[@]}" scontrol show job -d -o 2>/dev/null | awk '
		function nodes(list, out,   n, p, a, i, j, r, w, pre) {
			n = 0
			while (match(list, /^[^,\[]+(\[[^\]]*\])?/)) {
				p = substr(list, 1, RLENGTH); list = substr(list, RLENGTH + 2)
				if (!match(p, /\[/)) { out[++n] = p; continue }
				pre = substr(p, 1, RSTART - 1); p = substr(p, RSTART + 1, length(p) - RSTART - 1)
				j = split(p, a, ",")
				for (i = 1; i <= j; i++) {
					if (split(a[i], r, "-") == 1) r[2] = r[1]
					w = length(r[1])
					for (r[1] += 0; r[1] <= r[2] + 0; r[1]++) out[++n] = sprintf("%s%0*d", pre, w, r[1])
				}
			}
			return n
		}
		/JobState=RUNNING/ {
			match($0, /JobId=[0-9]+/); id = substr($0, RSTART + 6, RLENGTH - 6)
			for (f = 1; f <= NF; f++) {
				if ($f ~ /^Nodes=/) { node = substr($f, 7) }
				if ($f !~ /^GRES=.*gpu/) continue
				rest = substr($f, 6)
				n = nodes(node, names)
				total = 0
				list = ""
				# One entry for each type; a type of which it holds none says 0.
				while (match(rest, /gpu(:[^:(,]+)?:[0-9]+\(IDX:[^)]*\)/)) {
					entry = substr(rest, RSTART, RLENGTH); rest = substr(rest, RSTART + RLENGTH)
					idx = entry; sub(/.*IDX:/, "", idx); sub(/\).*/, "", idx)
					count = entry; sub(/\(.*/, "", count); sub(/.*:/, "", count)
					total += count
					if (idx ~ /^[0-9]/) list = list (list == "" ? "" : ",") idx
				}
				for (i = 1; i <= n; i++) print id, names[i], total, (list == "" ? "-" : list)
			}
		}'
}

# Compares the three. Files: accounting, held, running.
check_gpus_compare() {
	awk '
		function indexes(list,   n, i, a, r, total) {
			n = split(list, a, ",")
			for (i = 1; i <= n; i++)
				total += (split(a[i], r, "-") == 2) ? r[2] - r[1] + 1 : (a[i] ~ /^[0-9]+$/)
			return total + 0
		}
		function each(list, node, id,   n, i, a, r, g) {
			n = split(list, a, ",")
			for (i = 1; i <= n; i++) {
				if (split(a[i], r, "-") == 1) r[2] = r[1]
				for (g = r[1] + 0; g <= r[2] + 0; g++) {
					if ((node, g) in owner) printf "gpu %d of %s: held by jobs %s and %s\n", g, node, owner[node, g], id
					owner[node, g] = id
				}
			}
		}
		FNR == 1 { file++ }
		FILENAME == ARGV[1] {
			asked[$1] = $4; size[$1] = $3; allocated[$1] = $5; runs[$1]++
			if ($5 < $4) printf "job %s (%s): asked for %d GPUs, was allocated %d\n", $1, $2, $4, $5
			next
		}
		FILENAME == ARGV[2] {
			lines[$1]++; held[$1] += indexes($3); where[$1] = where[$1] " " $2
			if (size[$1] > 1 && asked[$1] > 0 && indexes($3) == 0)
				printf "job %s: asked for %d GPUs, holds none on %s\n", $1, asked[$1], $2
			next
		}
		{
			if ($4 != "-") each($4, $2, $1)
			if (indexes($4) != $3 || (asked[$1] > 0 && $3 == 0))
				printf "job %s: runs on %s with %d GPUs and indexes %s, asked for %d in all\n", $1, $2, $3, $4, asked[$1]
		}
		END {
			for (id in lines) {
				# Each run of a job whose nodes all reported, in one sum.
				if (!(id in size) || size[id] < 1 || lines[id] % size[id]) continue
				starts = lines[id] / size[id]
				if (held[id] < asked[id] * starts)
					printf "job %s: asked for %d GPUs, held %s on%s\n", id, asked[id], held[id] / starts, where[id]
				else if (runs[id] == 1 && starts == 1 && held[id] > allocated[id])
					printf "job %s: was allocated %d GPUs, held %d on%s\n", id, allocated[id], held[id], where[id]
			}
		}' "$@"
}

# Reads the witnesses into $1; true when sacct knows every job the others saw.
# slurmctld tells slurmdbd of starts only every five seconds.
check_witnesses() {
	cp "$DIR/log/held" "$1/held"
	check_running >"$1/running"
	: >"$1/known"
	check_accounting "$1/known" >"$1/accounting"
	awk '{ print $1 }' "$1/held" "$1/running" | sort -u >"$1/seen"
	# A start that is requeued before slurmdbd hears of it leaves no record of its
	# own, only the job.
	sort -u "$1/known" | comm -23 "$1/seen" - >"$1/unknown"
	[[ ! -s $1/unknown ]]
}

check_gpus() {
	local work=$DIR/run/check
	mkdir -p "$work"
	if daemon_dead slurmctld || daemon_dead slurmdbd; then
		echo "jobs not checked: slurmctld or slurmdbd is not running"
		return
	fi
	wait_until 60 check_witnesses "$work" ||
		sed 's/^/job not in accounting: /' "$work/unknown"
	check_gpus_compare "$work/accounting" "$work/held" "$work/running"
}

# check_errors ALLOWED_REGEX
check_errors() {
	local pattern
	[[ -z ${C[backup]} ]] || CHECK_HARMLESS+=("${CHECK_HARMLESS_BACKUP[@]}")
	((C[speed] == 1)) || CHECK_HARMLESS+=("${CHECK_HARMLESS_SPEED[@]}")
	pattern=$(printf '%s|' "${CHECK_HARMLESS[@]}")
	pattern=${pattern%|}${1:+|$1}
	(cd "$DIR/log" && grep -HE '\] (\[[0-9.a-z]+\] )?(error|fatal):' slurm*.log | grep -vE "$pattern") || true
}

check_sanitizers() {
	local file
	for file in "$DIR"/log/asan.*; do
		[[ ! -e $file ]] || echo "sanitizer report: $file: $(grep -m 1 -E 'ERROR|runtime error' "$file" || echo 'see there')"
	done
}

check_daemons() {
	local name
	# shellcheck disable=SC2086 # the names are words
	for name in munged mariadbd slurmdbd slurmctld ${C[backup]:+slurmctld-backup} $(printf 'slurmd:%s ' ${C[nodes]}); do
		daemon_alive "$name" || echo "$name is not running"
	done
}

# op_check ALLOWED_REGEX: 1 when anything was found.
op_check() {
	local found=$DIR/run/check.found count jobs
	{
		check_daemons
		check_gpus
		check_errors "${1:-}"
		check_sanitizers
	} >"$found"
	count=$(wc -l <"$found")
	if ((count)); then
		head -n 40 "$found"
		((count <= 40)) || echo "... and $((count - 40)) more in $found"
		return 1
	fi
	jobs=$(awk '{ n++; g += ($4 > 0) } END { print n + 0, g + 0 }' "$DIR/run/check/accounting")
	echo "check: ${jobs% *} starts, ${jobs#* } with GPUs, all held what they asked for; no errors; all daemons alive"
}

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Clients and node daemons with Gangway in PluginDir: every command prints on
# stderr what it prints on stock, jobs, steps and allocations run, and the
# configuration differs in the three lines of slurm.conf only.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"

# Commands whose stdout must be the same too, but for times, ports and paths.
SAME_OUTPUT=(
	"sinfo" "sinfo -N -l" "sinfo -o %n_%G_%f" "squeue -o %i_%P_%j_%u_%t_%l_%D_%b" "sacct -a -X -n -o JobID,State,ReqTRES%60,AllocTRES%60"
	"scontrol show nodes" "scontrol show partitions" "scontrol show job 1" "scontrol show hostnames n[0-1]"
	"scontrol show licenses" "sacctmgr -n -P show assoc format=account,user,qos,grptres" "sacctmgr -n -P show qos format=name,preempt"
	"sshare -a -n -P -o Account,User,RawShares" "sprio -n -o %i_%A"
	"sbatch --test-only --gres=gpu:1 --wrap=true" "sbatch --gres=gpu:nosuch:1 --wrap=true" "srun -N1 --gres=gpu:99 true"
	"scontrol show reservation" "scontrol update JobId=99999 Nice=1" "scancel 99999"
)
# Those that only must be as silent on stderr.
SAME_SILENCE=("sdiag" "squeue" "squeue -l" "squeue --start" "scontrol show config" "scontrol ping" "scontrol show daemons" "scontrol show topology" "scontrol show assoc_mgr" "sstat -a -j 1" "sprio -l" "strigger --get" "sinfo --version" "scontrol show slurmd n0")

# What differs between two clusters whatever is in PluginDir.
normal() {
	sed -E -e "s|${CLUSTER[$1]}|CLUSTER|g" \
		-e 's/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}/TIME/g' \
		-e 's/([A-Z][a-z]{2} [A-Z][a-z]{2} +[0-9]+ )?[0-9]{2}:[0-9]{2}:[0-9]{2}( [0-9]{4})?/TIME/g' \
		-e 's/(Port|Pid|PID|port|pid|CPULoad|FreeMem|AllocMem|SLURMD_PID)( *=|:)? *[0-9.]+/\1/g' \
		-e 's/\b[0-9]+:[0-9]{2}\b/TIME/g' -e 's/(OS=|RunTime=|AccrueTime=|Version=).*//' -e 's/ +/ /g'
}

# answers NAME: every command's exit code, stderr, and stdout where it counts.
answers() {
	local name=$1 line
	local -a words
	for line in "${SAME_OUTPUT[@]}" "${SAME_SILENCE[@]}"; do
		read -ra words <<<"$line"
		echo "== $line"
		as "$name" alice "${words[@]}" >"$WORK/stdout" 2>"$WORK/stderr" && echo "exit 0" || echo "exit $?"
		sed 's/^/stderr: /' "$WORK/stderr"
		[[ " ${SAME_SILENCE[*]} " == *" $line "* ]] || sed 's/^/stdout: /' "$WORK/stdout"
	done | normal "$name"
}

# shellcheck disable=SC2016
JOB='srun printenv CUDA_VISIBLE_DEVICES; srun --overlap --gres=gpu:1 printenv CUDA_VISIBLE_DEVICES; squeue -h -j $SLURM_JOB_ID -o %T; exit 3'

# Jobs, steps and allocations by a user, with all they print.
work() {
	local name=$1
	{
		as "$name" alice srun -N2 --gres=gpu:2 -l printenv SLURM_JOB_GPUS SLURM_STEP_GPUS CUDA_VISIBLE_DEVICES
		as "$name" bob salloc -Q -n2 --gpus-per-task=1 srun -l printenv CUDA_VISIBLE_DEVICES
		as "$name" carol sbatch -W -Q -o "${CLUSTER[$name]}/home/carol/out" --gres=gpu:h100:3 \
			--wrap="$JOB" || echo "exit $?"
		cat "${CLUSTER[$name]}/home/carol/out"
		as "$name" alice srun --gres=gpu:2 --pty -Q true </dev/null || echo "exit $?"
		as "$name" alice srun -n1 sh -c 'echo to stderr >&2; exit 5' || echo "exit $?"
	} 2>&1 | sort
}

configuration() {
	on "$1" scontrol show config |
		grep -vE '^(Configuration data|BOOT_TIME|HASH_VAL|NEXT_JOB_ID|SLURM_CONF|StateSaveLocation|.*Port |PluginDir|PriorityType|JobSubmitPlugins)' | normal "$1"
}

start_known() {
	on "$1" sacct -a -X -n -o State | grep RUNNING >/dev/null
}

cluster_up stock --nodes 2 --stock
cluster_up g --nodes 2
expect "what jobs print" "$(work stock)" "$(work g)"
for name in stock g; do
	submit "$name" alice --gres=gpu:8 -N2 -t 60 >/dev/null
	submit "$name" bob --gres=gpu:8 -N2 -t 60 --hold >/dev/null
	# Accounting hears of starts some seconds later.
	wait_for 20 "accounting of $name" start_known "$name"
	answers "$name" >"$WORK/answers.$name"
	configuration "$name" >"$WORK/configuration.$name"
done
note "$(grep -c '^==' "$WORK/answers.g") commands compared"
expect "answers of commands" "$(cat "$WORK/answers.stock")" "$(cat "$WORK/answers.g")"
expect "configuration" "$(cat "$WORK/configuration.stock")" "$(cat "$WORK/configuration.g")"
expect "plugins of the configuration" "gangway priority/gangway select/cons_tres" \
	"$(on g scontrol show config | awk '$1 ~ /^(JobSubmitPlugins|PriorityType|SelectType)$/ { print $3 }' | paste -sd ' ')"
for log in "${CLUSTER[g]}"/log/slurmd.*.log; do
	! grep -i gangway "$log" | grep -vF "${CLUSTER[g]}" || fail "slurmd speaks of Gangway"
done

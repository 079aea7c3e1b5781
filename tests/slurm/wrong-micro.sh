#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Gangway's plugins and a slurmctld of another micro version, and PluginDir in the wrong
# order. What 22.05.8 and 24.11.5 both do:
# - a select or topology shadow of another micro is passed over and stock's is loaded: jobs
#   run. Not silently: slurmctld, slurmd and every client that loads it (srun and sinfo too)
#   write a line "Incompatible Slurm plugin FILE version (V)".
# - priority/gangway or job_submit/gangway of another micro: slurmctld ends at its start with
#   such a line and "fatal: failed to initialize priority (job_submit) plugin". slurmd and
#   running jobs live on.
# - Gangway's directory after Slurm's: stock's select and topology are loaded, the other two
#   of Gangway's; the status says absent.
# - an empty directory first: stock; with PriorityType=priority/gangway slurmctld ends.
# - a missing directory: every daemon and client refuses slurm.conf: "PluginDir: DIR: No such
#   file or directory". It must exist wherever slurm.conf is read.
# gangway check --slurm foretells the wrong micro.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"

STAGE=$CHECKOUT/build/$SLURM_VERSION/stage

# Adds one to the micro version in a plugin: the low byte of plugin_version.
next_micro() {
	local file=$1 address section start offset at byte
	read -r address section < <(readelf -sW --dyn-syms "$file" |
		awk '$8 == "plugin_version" { print $2, $7; exit }')
	read -r start offset < <(readelf -SW "$file" | sed 's/\[ */[/' |
		awk -v section="[$section]" '$1 == section { print $4, $5 }')
	at=$((16#$address - 16#$start + 16#$offset))
	byte=$(od -An -tu1 -j "$at" -N 1 "$file")
	# shellcheck disable=SC2059
	printf "\\x$(printf %02x "$((byte + 1))")" | dd of="$file" bs=1 seek="$at" conv=notrunc status=none
}

make_wrong() {
	local file
	cp -a "$STAGE/lib/gangway" "$WORK/wrong"
	for file in "$WORK"/wrong/*.so; do
		[[ $file == */libgangway*.so ]] || next_micro "$file"
	done
}

# plugins DIRS PRIORITY JOB_SUBMIT: into slurm.conf. slurmctld ends first: as long as it runs it may
# write its status anew.
plugins() {
	! on on scontrol ping 2>/dev/null | grep 'is UP' >/dev/null || slurmctld_end on
	slurm_conf on PluginDir "$1"
	slurm_conf on PriorityType "priority/$2"
	slurm_conf on JobSubmitPlugins "$3"
	FROM=$(($(wc -l <"$LOG") + 1))
	rm -f "$STATUS"
}

# since TEXT: lines of slurmctld's log with it, since the last change of plugins.
since() {
	tail -n "+$FROM" "$LOG" | grep -F "$1" || true
}

# GPUs a job sees, and what srun says beside it.
srun_gpus() {
	# shellcheck disable=SC2016
	as on alice timeout 120 srun -w n0 --gres=gpu:2 sh -c 'echo $CUDA_VISIBLE_DEVICES' 2>"$WORK/srun.err"
}

expect_stock_runs() {
	expect "$1: GPUs of a job" 0,1 "$(srun_gpus)"
	[[ ! -e $STATUS ]] || fail "$1: Gangway runs"
}

wrong_shadows() {
	local shadow what=Incompatible
	plugins "$WORK/wrong:$STOCK" multifactor ''
	cluster on restart slurmctld
	cluster on restart slurmd:n0
	expect_stock_runs "wrong shadows"
	for shadow in "${SHADOWS[@]}"; do
		[[ $(since "$what Slurm plugin $WORK/wrong/$shadow.so version ($NEXT)") ]] ||
			fail "slurmctld does not say that it passes over $shadow"
	done
	grep -q "^srun: .*$what Slurm plugin $WORK/wrong/.* ($NEXT)" "$WORK/srun.err" || fail "srun is silent"
	note "wrong shadows: stock runs; srun says: $(grep -c "$what" "$WORK/srun.err") line"
}

slurmctld_gone() {
	[[ $(since 'fatal: ') ]] && ! on on scontrol ping | grep -q 'is UP'
}

# expect_refused WHAT FATAL: slurmctld ends at its start, the slurmds live on.
expect_refused() {
	local out
	out=$(cluster on restart slurmctld 2>&1) && fail "$1: slurmctld starts"
	slurmctld_gone || fail "$1: slurmctld did not end by itself: $out"
	expect "$1: fatal lines" 1 "$(since 'fatal: ' | wc -l)"
	[[ $(since "fatal: $2") ]] || fail "$1: $(since 'fatal: ')"
	note "$1: $(since 'fatal: ' | sed 's/^[^ ]* //')"
}

wrong_plugins() {
	plugins "$WORK/wrong:$STOCK" gangway ''
	expect_refused "wrong priority/gangway" "failed to initialize priority plugin"
	[[ $(since "Incompatible Slurm plugin $WORK/wrong/priority_gangway.so version ($NEXT)") ]] ||
		fail "slurmctld does not say why it refuses priority/gangway"
	plugins "$WORK/wrong:$STOCK" multifactor gangway
	expect_refused "wrong job_submit/gangway" "failed to initialize job_submit plugin"
	[[ $(since "Incompatible Slurm plugin $WORK/wrong/job_submit_gangway.so version ($NEXT)") ]] ||
		fail "slurmctld does not say why it refuses job_submit/gangway"
}

stock_first() {
	plugins "$STOCK:$STAGE/lib/gangway" gangway gangway
	cluster on restart slurmctld
	expect "stock first: GPUs of a job" 0,1 "$(srun_gpus)"
	status_fresh on
	expect_status on Plugin=select/cons_tres State absent
	expect_status on Plugin=priority/gangway State forwarding
	expect_status on Plugin=job_submit/gangway State forwarding
	[[ $SLURM_VERSION == 22.05 ]] || expect_status on Plugin=topology State absent
	expect_status on Hook=placement Calls 0
	(($(status_value on Hook=priority Calls) > 0)) || fail "stock first: priority/gangway is not called"
	note "stock first: only priority and job_submit are Gangway's"
}

empty_directory() {
	mkdir "$WORK/empty"
	plugins "$WORK/empty:$STOCK" multifactor ''
	cluster on restart slurmctld
	expect_stock_runs "empty directory"
	expect "empty directory: srun says" '' "$(cat "$WORK/srun.err")"
	plugins "$WORK/empty:$STOCK" gangway ''
	expect_refused "empty directory" "failed to initialize priority plugin"
}

missing_directory() {
	local out
	plugins "$WORK/none:$STOCK" multifactor ''
	out=$(cluster on restart slurmctld 2>&1) && fail "missing directory: slurmctld starts"
	out=$(as on alice srun hostname 2>&1) && fail "missing directory: srun runs"
	[[ $out == *"PluginDir: $WORK/none: No such file or directory"* ]] || fail "missing directory: srun says $out"
	tail -n 3 "${CLUSTER[on]}/log/slurmctld.err" | grep -q "PluginDir: $WORK/none: No such file" ||
		fail "missing directory: slurmctld does not name it"
}

foretold() {
	local out status=0
	out=$(on on gangway check --slurm "$NEXT") || status=$?
	expect "exit of gangway check --slurm $NEXT" 3 "$status"
	[[ $out == *"$NEXT"* ]] || fail "gangway check --slurm $NEXT says: $out"
	status=0
	out=$(on on gangway check --slurm "$VERSION") || status=$?
	[[ $status == 0 || $out != *" is built for "* ]] || fail "gangway check --slurm $VERSION finds: $out"
}

cluster_up on --nodes 1 --cores 8
LOG=${CLUSTER[on]}/log/slurmctld.log STATUS=${CLUSTER[on]}/state/gangway/status
STOCK=$(sed -n 's/^PluginDir=.*://p' "${CLUSTER[on]}/etc/slurm.conf")
VERSION=$(on on slurmctld -V | awk '{ print $2 }')
VERSION=${VERSION%-wlm*}
NEXT=${VERSION%.*}.$((${VERSION##*.} + 1))
SHADOWS=(select_cons_tres)
[[ $SLURM_VERSION == 22.05 ]] || SHADOWS+=(topology_tree)
# slurmctld may say what else it looked at, and the slurmd keeps its first slurm.conf.
cluster_errors_allowed on "(priority|job_submit)(/gangway| plugin|_gangway)|mpi_pmix|different slurm.conf|High latency for 1000 calls"
foretold
make_wrong
wrong_shadows
wrong_plugins
stock_first
empty_directory
missing_directory

plugins "$STAGE/lib/gangway:$STOCK" gangway gangway
cluster on restart slurmctld
expect "at the end: GPUs of a job" 0,1 "$(srun_gpus)"
expect_status on Plugin=select/cons_tres State forwarding

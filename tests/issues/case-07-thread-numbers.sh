#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Cases 7 and 8 on a live node like a DGX A100: a gres.conf with thread numbers as cores and those
# with a broken Links= are named by gangway check, line by line; with the cores that it prints, and
# the rest as gangway topo prints it, no finding is left, the node registers all GPUs, and jobs get
# them with their own cores, pairs of one NUMA node though all links are equal. NUMA nodes are
# sockets here: 24.11 wants Cores= to be whole ones.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

XML=$CHECKOUT/etc/shapes/dgx-a100.xml

# As gangway topo prints it, with the device files of this cluster.
right_lines() {
	on on gangway topo --xml "$XML" --gres |
		sed "s|File=/dev/nvidia|File=${CLUSTER[on]}/dev/gpu|; s/Type=a100/Type=h100/"
}

# Of cores A-B of 128 also the second threads, as nvidia-smi shows them.
with_threads() {
	sed -E 's/Cores=48-63/&,176-191/; s/Cores=16-31/&,144-159/; s/Cores=112-127/&,240-255/
		s/Cores=80-95/&,208-223/'
}

# What check says of gres.conf: line|severity|text.
findings() {
	on on gangway check -P -n | sed -n 's/^[^|]*gres\.conf|//p' || true
}

# Writes into gres.conf the cores that the findings tell to write.
obey() {
	local line text
	while IFS='|' read -r line _ text; do
		sed -i -E "${line}s/Cores=[^ ]*/${text##*write }/" "$GRES"
	done
}

# bad_links WHAT SED FINDING [GPU]: one change to the right file, found in the line of that GPU, or of
# the first.
bad_links() {
	local line
	sed "$2" "$WORK/right" >"$GRES"
	line=$(($(grep -n -m1 ^Name "$GRES" | cut -d: -f1) + ${4:-0}))
	expect "Links, $1" "$line|error|$3" "$(findings)"
}

idle() {
	on on scontrol show node -o n0 | grep -q ' State=IDLE.* CfgTRES=.*gres/gpu=8'
}

# slurmd first: slurmctld keeps the cores that it hears of first. No GPU job starts before.
restart_all() {
	cluster on restart slurmd:n0
	cluster on restart slurmctld
	wait_for 40 "n0 to be idle with eight GPUs" idle
}

# gpus COUNT GPUS CORES: the next job of so many GPUs gets these, and cores out of these.
gpus() {
	local id first=${3%-*} last=${3#*-} cpus
	id=$(run on alice --gres="gpu:$1" -N1 -c2)
	expect "GPUs of job $id" "n0:$2" "$(where on "$id")"
	cpus=$(cores on "$id")
	# CPUs are threads here: two for each core.
	((${cpus%%[-,]*} >= 2 * first && ${cpus##*[-,]} <= 2 * last + 1)) ||
		fail "job $id has CPUs $cpus, not those of cores $3"
}

policy_lines 8 "ShapeName=dgx Nodes=n0 Hwloc=$XML" >"$WORK/conf"
cluster_up on --nodes 0 --conf "$WORK/conf" \
	--node-spec 'NodeName=n0 Sockets=8 CoresPerSocket=16 ThreadsPerCore=2 Links=none'
GRES=${CLUSTER[on]}/etc/gres.conf
right_lines >"$WORK/right"

bad_links 'an empty place' 's/=-1,216,/=-1,,/' 'Links=-1,,216,216,216,216,216,216: place 1 is empty'
bad_links 'too short' 's/,216$//' 'Links of GPU 0 has 7 numbers for 8 GPUs'
bad_links 'not symmetric' '1,/^Name=/s/=-1,216/=-1,217/' \
	'Links of GPU 1 says 216 of GPU 0, which says 217 of it: must be equal' 1
bad_links 'no -1' 's/=-1,/=0,/' 'Links of GPU 0 has 0 in place 0, its own: must be -1'

with_threads <"$WORK/right" >"$GRES"
expect "lines with thread numbers" 8 "$(findings | grep -c 'these are thread numbers')"
findings >"$WORK/findings"
obey <"$WORK/findings"
expect "the cores it prints" "$(cat "$WORK/right")" "$(cat "$GRES")"
expect "findings of the right file" "" "$(findings)"

restart_all
gpus 1 0 48-63
gpus 2 2-3 16-31
gpus 1 1 48-63
gpus 2 4-5 112-127
gpus 2 6-7 80-95
note "ok"

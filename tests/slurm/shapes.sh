#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A ShapeName= acts in slurmctld: on a node whose gres.conf has no Links=, and whose GPUs of a
# socket differ in nothing else, jobs of two get the pairs that share a PCIe switch by the hwloc
# file, and jobs of one the rest of a broken pair. Decisions name the shape. Of a socket with
# several NUMA nodes a job gets the cores near its GPUs. The part of a node that a gang gets is the
# one near its network card. A node of 16 GPUs gets its shape from gres.conf, by a table that is
# made beside slurmctld; its jobs do not wait for that. Where a file does not know links between
# GPUs, those of gres.conf count. Where one GPU has no Cores= there, a job of one gets that one. A
# file that went bad is told, by status and why too, and the shape read before stays; a file of
# another machine is told, and the choice is that of gres.conf, which does not know the pairs.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

FIXTURES=$(cd "$(dirname "$0")/../fixtures/topo" && pwd)

# shape FILE: the gangway.conf, where n0 has that hwloc file.
shape() {
	policy_lines 16 RecordDecisions=20 "ShapeName=switched Nodes=n0 Hwloc=$1" \
		"ShapeName=numa Nodes=n1 Hwloc=$FIXTURES/dgx-a100.xml" \
		"ShapeName=unlinked Nodes=n3 Hwloc=$WORK/unlinked.xml"
}

# logged TEXT
logged() {
	grep -qF "$1" "${CLUSTER[one]}/log/slurmctld.log"
}

# chosen BUSY PAIR SINGLE: beside a job of one, which has GPU BUSY, a job of two gets PAIR and
# then one of one gets SINGLE.
chosen() {
	local first pair single
	first=$(run one alice -w n0 --gres=gpu:1)
	pair=$(run one bob -w n0 --gres=gpu:2)
	single=$(run one carol -w n0 --gres=gpu:1)
	expect "$1: the first GPU" n0:0 "$(where one "$first")"
	expect "$1: two GPUs" "n0:$2" "$(where one "$pair")"
	expect "$1: one more" "n0:$3" "$(where one "$single")"
	end_jobs one
}

# On n1: of the socket with cores 0-7, where GPUs 0-1 are near 6-7 and 2-3 near 2-3.
near() {
	local first second
	first=$(run one alice -w n1 --gres=gpu:2 -c2)
	second=$(run one bob -w n1 --gres=gpu:1 -c1)
	expect "a pair" "n1:0-1 on 6-7" "$(where one "$first") on $(cores one "$first")"
	expect "one GPU" "n1:2 on 2" "$(where one "$second") on $(cores one "$second")"
	end_jobs one
}

# On n0 the network card is beside GPUs 4-7, on n1 no card is known: a gang's part is near it, and
# two GPUs for a job of one node are still the first.
gang() {
	local both
	both=$(run one alice -N2 -w 'n[0-1]' --gres=gpu:2)
	expect "a gang" "n0:4-5 n1:0-1" "$(where one "$both")"
	end_jobs one
}

# gets USER PLACE SBATCH_OPTION...: a job on n2 starts and holds that.
gets() {
	local user=$1 wanted=$2
	shift 2
	[[ $(where one "$(run one "$user" -w n2 "$@")") == "$wanted" ]]
}

# A pair with its best link, not the first two GPUs: the table is in use. The first job asks for it.
pair_of_16() {
	local found=1
	gets bob n2:1-2 --gres=gpu:2 && found=0
	end_jobs one
	return "$found"
}

# On n2: eight GPUs a socket, in each four of them the pairs 0,3 and 1,2 are linked best.
sixteen() {
	wait_for 30 "the table of 16 GPUs" pair_of_16
	gets alice n2:0 --gres=gpu:1 || fail "one of 16 GPUs is not the first"
	gets bob n2:8-15 --gres=gpu:8 || fail "half of 16 GPUs is not the whole socket"
	gets carol n2:1-2 --gres=gpu:2 || fail "a pair is not of the broken socket"
	end_jobs one
}

# On n3, whose file does not know links between GPUs: those of gres.conf, pairs 0,3 and 1,2.
unlinked() {
	expect "a pair by gres.conf" n3:1-2 "$(where one "$(run one alice -w n3 --gres=gpu:2)")"
	expect "the other one" "n3:0 n3:3" "$(where one "$(run one bob -w n3 --gres=gpu:1)") $(where one "$(run one carol -w n3 --gres=gpu:1)")"
	end_jobs one
}

# On n4, by gres.conf: GPUs 0-1 are on one socket, 3 is on the other, of 2 nobody knows where it is.
bare() {
	expect "the one without Cores=" n4:2 "$(where one "$(run one alice -w n4 --gres=gpu:1)")"
	expect "a pair" n4:0-1 "$(where one "$(run one bob -w n4 --gres=gpu:2)")"
	end_jobs one
}

# shape_is STATE: as gangway status shows it, which exits with 3 where a file is bad.
shape_is() {
	{ on one gangway status --json || true; } | jq -e --arg state "$1" \
		'.shapes[] | select(.Shape == "switched") | .State == $state' >/dev/null
}

# says JOB TEXT: gangway why does.
says() {
	on one gangway why "$1" | grep -qF "$2"
}

# told STATE WHAT: by status and by why of a job that runs on n0.
told() {
	local job
	wait_for 20 "status to say $1" shape_is "$1"
	job=$(run one alice -w n0 --gres=gpu:1)
	wait_for 20 "why to say $2" says "$job" "ShapeName=switched: GPUs of nodes n0 are chosen $2"
	end_jobs one
}

reconfigured() {
	on one scontrol reconfigure
	wait_for 20 "slurmctld to answer" on one scontrol ping
	wait_for 20 "a line in the log: $1" logged "$1"
}

shape "$WORK/node.xml" >"$WORK/conf"
sed '/<distances2/,/<\/distances2>/d; s/name="nvml/name="cuda/' "$FIXTURES/strong-pairs.xml" >"$WORK/unlinked.xml"
cp "$FIXTURES/switches.xml" "$WORK/node.xml"
cluster_up one --nodes 0 --node-spec 'NodeName=n0 CoresPerSocket=4 Links=none' \
	--node-spec 'NodeName=n1 CoresPerSocket=8 Links=none' \
	--node-spec 'NodeName=n2 CoresPerSocket=8 Gres=gpu:h100:16 Links=pairs' \
	--node-spec 'NodeName=n3 CoresPerSocket=4 Links=pairs' \
	--node-spec 'NodeName=n4 CoresPerSocket=4 Gres=gpu:h100:4 Links=none NoCores=2' --speed 20 --conf "$WORK/conf"
cluster_errors_allowed one 'ShapeName=switched'
# Slurm says so of n4.
cluster_errors_allowed one 'has CPUs configured for only some of the records'
chosen 'the file' 2-3 1
gang
sixteen
grep -q ' Name=switched' "${CLUSTER[one]}/state/gangway/decisions" || fail "no decision names its shape"
on one gangway repeat "${CLUSTER[one]}/state/gangway/decisions" >/dev/null || fail "decisions do not repeat"

near
unlinked
bare

echo '<topology' >"$WORK/node.xml"
reconfigured 'the file that was read before stays in use'
chosen 'a bad file' 2-3 1
told kept "by the copy of its file that was read before"

shape "$FIXTURES/dgx-a100.xml" >"${CLUSTER[one]}/etc/gangway.conf"
on one scontrol reconfigure
wait_for 20 "slurmctld to answer" on one scontrol ping
wait_for 20 "the new file to be kept" cmp -s "$FIXTURES/dgx-a100.xml" "${CLUSTER[one]}/state/gangway/shape-switched.xml"
chosen 'a file of another machine' 1-2 3
logged 'ShapeName=switched: node n0 has 8 GPUs and 8 cores, ' || fail "nothing is said of a file of another machine"

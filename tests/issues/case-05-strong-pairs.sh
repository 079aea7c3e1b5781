#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two GPUs on a node of two sockets with strong pairs (0,3)(1,2)(4,7)(5,6) are a strong pair,
# however they are asked for, on an idle node and with GPU 0 in use, and their cores are on
# their socket. Stock's own choice is shown beside it, wrong answers as stock's: 22.05 finds
# the pair for --gres=gpu:2 on an idle node, 24.11 does not (it sorts by links the wrong way
# round and skips the first slot), and neither does for GPUs by task or with spilling cores.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# CPUs of the job that has GPU 0.
BUSY=0
SPEC='NodeName=n0 Sockets=2 CoresPerSocket=16 Links=pairs'

ROWS=(
	'--gres=gpu:2 -c4'
	'--gpus=2 -c4'
	'--gpus=2 -N1 -n1 -c4'
	'--gpus-per-node=2 -N1'
	'-n1 --gpus-per-task=2'
	'-n2 -N1 --gpus-per-task=1'
	'--gres=gpu:2 -c20'
	'--gres=gpu:2 -N1-2 -n2 -c2'
	'--gpus=2 --cpus-per-gpu=4'
)

# choice NAME OPTION...: a job; leaves what it got in GPUS and CORES, "0,3" and "0-3".
choice() {
	local name=$1 id
	shift
	id=$(run "$name" alice "$@")
	GPUS=$(where "$name" "$id" | cut -d: -f2) CORES=$(cores "$name" "$id")
	on "$name" scancel "$id"
	wait_for 20 "job $id to be gone" gone "$name" "$id"
}

# gone NAME JOB: it has given back what it held on the one node.
gone() {
	job_is "$1" "$2" CANCELLED && ! on "$1" squeue -h -o %A | grep -x "$2" >/dev/null &&
		on "$1" scontrol show node -o n0 | grep " CPUAlloc=$BUSY " >/dev/null
}

is_strong() {
	[[ $1 =~ ^(0,3|1-2|4,7|5-6)$ ]]
}

# on_socket GPUS CORES: all cores are on the socket of the GPUs.
on_socket() {
	local first=0 core
	[[ $1 == [0-3]* ]] || first=16
	for core in ${2//[,-]/ }; do
		((core >= first && core < first + 16)) || return 1
	done
}

# spills GPUS CORES: all free cores of the GPUs' socket are among the twenty.
spills() {
	if [[ $1 == [0-3]* ]]; then
		[[ $2 == "$BUSY"-$((BUSY + 19)) ]]
	else
		[[ $2 =~ (^|,|-)(1[0-6]-31|16-31)$ ]]
	fi
}

# right WHEN OPTIONS GPUS CORES
right() {
	is_strong "$3" || fail "$1, $2: GPUs $3 are no strong pair"
	# The middle pair: what remains of the four is a strong pair too, or GPU 0's partner.
	expect "$1, $2: GPUs" 1-2 "$3"
	if [[ $2 == *-c20* ]]; then
		spills "$3" "$4" || fail "$1, $2: cores $4 do not begin on the socket of GPUs $3"
	else
		on_socket "$3" "$4" || fail "$1, $2: cores $4 are not on the socket of GPUs $3"
	fi
}

# table NAME WHEN: a line for each row; of Gangway's, every one must be right.
table() {
	local name=$1 when=$2 options
	for options in "${ROWS[@]}"; do
		# shellcheck disable=SC2086 # options are words
		choice "$name" $options
		printf '%-5s %-10s %-26s GPUs %-5s cores %s%s\n' "$name" "$when" "$options" "$GPUS" "$CORES" \
			"$(is_strong "$GPUS" || echo ': no strong pair')"
		FOUND[$name,$when,$options]=$GPUS
		[[ $name == stock ]] || right "$when" "$options" "$GPUS" "$CORES"
	done
}

# both NAME: the table on an idle node, and with GPU 0 in use.
both() {
	local name=$1 busy
	BUSY=0
	table "$name" idle
	BUSY=1
	busy=$(run "$name" bob --gres=gpu:1)
	expect "$name: the GPU of a 1-GPU job on an idle node" n0:0 "$(where "$name" "$busy")"
	table "$name" '0 in use'
}

# stock_chose GPUS OPTIONS: on the idle node.
stock_chose() {
	expect "stock, idle, $2" "$1" "${FOUND[stock,idle,$2]}"
}

declare -A FOUND=()
policy_lines 8 >"$WORK/conf"
cluster_up ours --nodes 0 --node-spec "$SPEC" --speed 20 --conf "$WORK/conf"
both ours
cluster_down ours
cluster_up stock --nodes 0 --node-spec "$SPEC" --speed 20 --stock
both stock
stock_chose 0,3 '--gpus=2 -c4'
stock_chose 0-1 '-n1 --gpus-per-task=2'
if [[ $SLURM_VERSION == 22.05 ]]; then
	stock_chose 0,3 '--gres=gpu:2 -c4'
	stock_chose 0,4 '--gres=gpu:2 -c20'
else
	stock_chose 0-1 '--gres=gpu:2 -c4'
fi

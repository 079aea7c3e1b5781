# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Kinds of nodes: from the --nodes options and --node-spec lines to the
# NodeName lines of slurm.conf, gres.conf and topology.conf. Needs common.sh.
#
# Each kind is one line of KINDS:
#   NAMES|COUNT|SOCKETS|CORES_PER_SOCKET|THREADS|GRES|LINKS|GPUS WITHOUT CORES|OTHER ATTRIBUTES

KINDS=()

# "m[0-1,3]" -> m0 m1 m3, one a line. One bracket, as slurmd -N names are.
nodes_expand() {
	local names=$1 prefix suffix part first last width
	local -a parts
	if [[ ! $names =~ ^([A-Za-z][A-Za-z0-9-]*)\[([0-9,-]+)\]([A-Za-z0-9-]*)$ ]]; then
		[[ $names =~ ^[A-Za-z][A-Za-z0-9-]*$ ]] || return 1
		printf '%s\n' "$names"
		return
	fi
	prefix=${BASH_REMATCH[1]} suffix=${BASH_REMATCH[3]}
	IFS=, read -ra parts <<<"${BASH_REMATCH[2]}"
	for part in "${parts[@]}"; do
		first=${part%-*} last=${part#*-} width=${#first}
		[[ -n $first && -n $last ]] || return 1
		printf "$prefix%0${width}d$suffix\n" $(seq "$((10#$first))" "$((10#$last))")
	done
}

# nodes_add NAMES SOCKETS CORES THREADS GRES LINKS GPUS_WITHOUT_CORES OTHER
nodes_add() {
	local names=$1 list count
	list=$(nodes_expand "$names") && [[ -n $list ]] ||
		die_usage "node names '$names' are not like n[0-15]"
	count=$(wc -l <<<"$list")
	shift
	local IFS='|'
	KINDS+=("$names|$count|$*")
}

# nodes_spec LINE SOCKETS CORES THREADS GRES: a --node-spec line; what it does
# not say is as for the other nodes.
nodes_spec() {
	local line=$1 sockets=$2 cores=$3 threads=$4 gres=$5 names='' links=socket bare='' other='' word
	local -a words
	read -ra words <<<"$line"
	for word in "${words[@]}"; do
		case ${word,,} in
		nodename=*) names=${word#*=} ;;
		sockets=*) sockets=${word#*=} ;;
		corespersocket=*) cores=${word#*=} ;;
		threadspercore=*) threads=${word#*=} ;;
		gres=*) gres=${word#*=} ;;
		links=*) links=${word#*=} ;;
		nocores=*) bare=${word#*=} ;;
		port=* | nodeaddr=* | nodehostname=*) die_usage "--node-spec: ${word%%=*} is set by devcluster" ;;
		*=*) other+=" $word" ;;
		*) die_usage "--node-spec: '$word' is not KEY=VALUE" ;;
		esac
	done
	[[ -n $names ]] || die_usage "--node-spec '$line' has no NodeName="
	[[ $sockets$cores$threads =~ ^[0-9]+$ ]] || die_usage "--node-spec '$line': socket, core and thread counts must be numbers"
	[[ $links =~ ^(socket|pairs|none)$ || -r $links ]] ||
		die_usage "--node-spec: Links=$links is none of socket, pairs, none, nor a readable file"
	[[ $bare =~ ^[0-9,]*$ ]] || die_usage "--node-spec: NoCores=$bare is no list of GPUs such as 0,2"
	nodes_add "$names" "$sockets" "$cores" "$threads" "$gres" "$links" "$bare" "$other"
}

nodes_all() {
	local kind
	for kind in "${KINDS[@]}"; do
		nodes_expand "${kind%%|*}"
	done
}

# Total of nodes; dies when a name is given twice.
nodes_count() {
	local twice
	twice=$(nodes_all | sort | uniq -d | head -n 1)
	[[ -z $twice ]] || die_usage "node $twice is defined twice"
	nodes_all | wc -l
}

# slurm.conf lines; ports follow from $1 in the order of nodes_all.
nodes_slurm_conf() {
	local port=$1 kind names count sockets cores threads gres _links _bare other
	for kind in "${KINDS[@]}"; do
		IFS='|' read -r names count sockets cores threads gres _links _bare other <<<"$kind"
		[[ $other == *RealMemory=* ]] || other+=' RealMemory=1000000'
		[[ $other == *State=* ]] || other+=' State=UNKNOWN'
		printf 'NodeName=%s NodeHostname=%s NodeAddr=127.0.0.1 Port=%s Sockets=%s CoresPerSocket=%s ThreadsPerCore=%s%s%s\n' \
			"$names" "$SPACE_HOST" "$([[ $count == 1 ]] && echo "$port" || echo "$port-$((port + count - 1))")" \
			"$sockets" "$cores" "$threads" "${gres:+ Gres=$gres}" "$other"
		port=$((port + count))
	done
}

# GPU entries of a Gres= value as "TYPE COUNT" ("-" without a type).
gres_gpus() {
	local entry
	local -a entries parts
	IFS=, read -ra entries <<<"$1"
	for entry in "${entries[@]}"; do
		IFS=: read -ra parts <<<"${entry%%(*}"
		[[ ${parts[0]} == gpu ]] || continue
		case ${#parts[@]} in
		1) echo '- 1' ;;
		2) if [[ ${parts[1]} =~ ^[0-9]+$ ]]; then echo "- ${parts[1]}"; else echo "${parts[1]} 1"; fi ;;
		*) echo "${parts[1]} ${parts[2]}" ;;
		esac
	done
}

# Links of GPU $1 of $2 with $3 sockets in the manner of $4: socket (4 within a
# socket, 2 across), pairs (each four: first with last, middle two: 8 strong),
# a file with one such line for each GPU, or none.
gres_links() {
	local gpu=$1 total=$2 sockets=$3 manner=$4 other value out='' per
	case $manner in
	none) return ;;
	socket | pairs) ;;
	*)
		sed -n "$((gpu + 1))p" "$manner"
		return
		;;
	esac
	per=$(((total + sockets - 1) / sockets))
	for ((other = 0; other < total; other++)); do
		value=2
		((other / per != gpu / per)) || value=4
		[[ $manner != pairs ]] || ((other / 4 != gpu / 4 || other % 4 + gpu % 4 != 3)) || value=8
		((other != gpu)) || value=-1
		out+=${out:+,}$value
	done
	printf '%s\n' "$out"
}

# gres.conf lines of what is shared on GPUs of one kind: a plain count, which Slurm spreads over them.
gres_shared() {
	local entry
	local -a entries
	IFS=, read -ra entries <<<"$2"
	for entry in "${entries[@]}"; do
		[[ ! $entry =~ ^(shard|mps):([0-9]+)$ ]] ||
			printf 'NodeName=%s Name=%s Count=%s\n' "$1" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
	done
}

# gres.conf lines of one kind; device K is DEV/gpuK.
gres_kind() {
	local dev=$1 names=$2 sockets=$3 cores=$4 gres=$5 manner=$6 bare=$7
	local total=0 gpu=0 type count first links socket near
	while read -r _ count; do total=$((total + count)); done < <(gres_gpus "$gres")
	while read -r type count; do
		for ((first = gpu; gpu < first + count; gpu++)); do
			socket=$((gpu * sockets / total))
			links=$(gres_links "$gpu" "$total" "$sockets" "$manner")
			near=" Cores=$((socket * cores))-$((socket * cores + cores - 1))"
			[[ ,$bare, != *,$gpu,* ]] || near=''
			printf 'NodeName=%s Name=gpu%s File=%s/gpu%d%s%s\n' "$names" \
				"$([[ $type == - ]] || echo " Type=$type")" "$dev" "$gpu" "$near" "${links:+ Links=$links}"
		done
	done < <(gres_gpus "$gres")
	gres_shared "$names" "$gres"
}

# The whole gres.conf, its device files under $1.
nodes_gres_conf() {
	local kind names sockets cores gres links bare
	echo AutoDetect=off
	for kind in "${KINDS[@]}"; do
		IFS='|' read -r names _ sockets cores _ gres links bare _ <<<"$kind"
		gres_kind "$1" "$names" "$sockets" "$cores" "$gres" "$links" "$bare"
	done
}

# Device files for the largest kind: clones of /dev/null.
nodes_devices() {
	local dev=$1 path
	mkdir -p "$dev"
	while read -r path; do
		mknod -m 666 "$path" c 1 3 || die "device files can not be made in $dev"
	done < <(nodes_gres_conf "$dev" | sed -n 's/.* File=\([^ ]*\).*/\1/p' | sort -u)
}

# Types of GPU of all kinds, one a line.
nodes_gpu_types() {
	local kind gres
	for kind in "${KINDS[@]}"; do
		IFS='|' read -r _ _ _ _ _ gres _ <<<"$kind"
		gres_gpus "$gres"
	done | awk '$1 != "-" { print $1 }' | sort -u
}

# What GPUs are shared by in any kind, one a line.
nodes_shared_types() {
	printf '%s\n' "${KINDS[@]}" | { grep -oE '\b(shard|mps):[0-9]' || true; } | sed 's/:.*//' | sort -u
}

# Nodes of a group: four, but blocks must all be full.
nodes_group_size() {
	local count=$2 size=4
	while [[ $1 == block ]] && ((count % size)); do
		size=$((size / 2))
	done
	printf '%s\n' "$size"
}

# topology.conf for tree or block, in groups of up to four nodes.
nodes_topology() {
	local group=0 names count size
	count=$(nodes_count)
	size=$(nodes_group_size "$1" "$count")
	while read -r names; do
		names=${names// /,}
		case $1 in
		tree) echo "SwitchName=leaf$group Nodes=$names" ;;
		block) echo "BlockName=block$group Nodes=$names" ;;
		esac
		group=$((group + 1))
	done < <(nodes_all | xargs -n "$size")
	case $1 in
	tree) echo "SwitchName=spine Switches=leaf[0-$((group - 1))]" ;;
	block) echo "BlockSizes=$size$( ((group < 2)) || echo ",$((size * 2))")" ;;
	esac
}

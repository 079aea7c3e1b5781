#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A quota of gres/gpu:a100=1 counts jobs that name no type, too: Slurm's own limits do not, for
# they keep typed and untyped GPUs apart. Nodes of two types, nodes that have both, and another
# gres of two types beside them: what a pool holds is exact, above its quota a job waits, and
# what can never be within it is refused.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

# nlp may have one a100 and two h100, vision one a100 alone.
two_types() {
	cat <<-'END_OF_CONF'
		UsageHalfLife=7-0
		UsageWeights=gres/gpu:h100=1,gres/gpu:a100=0.5
		HookTimeBudget=60000
		ClassName=standard QOS=normal Rank=1 Default=yes
		FlavorName=a100 Gres=gpu:a100 Partition=main
		FlavorName=h100 Gres=gpu:h100 Partition=main
		PoolName=both Quota=gres/gpu:a100=1,gres/gpu:h100=2
		PoolName=one Quota=gres/gpu:a100=1
		QueueName=nlp Pool=both Account=nlp
		QueueName=vision Pool=one Account=vision
	END_OF_CONF
}

# held POOL FLAVOR: of gangway queues.
held() {
	sed -n "s/^Pool=$1 Flavor=$2 .* Held=\([0-9]*\) .*/\1/p" "${CLUSTER[on]}/state/gangway/view"
}

held_is() {
	[[ $(held "$1" "$2") == "$3" ]]
}

# holds POOL FLAVOR COUNT
holds() {
	wait_for 20 "pool $1 to hold $3 $2, not $(held "$1" "$2")" held_is "$@"
}

waits_for_quota() {
	[[ $(job_field on "$1" Reason) == AssocGrpGRES ]]
}

# over_quota USER SENTENCE OPTION...: it waits, and that is why.
over_quota() {
	local user=$1 sentence=$2 id
	shift 2
	id=$(submit on "$user" "$@" 2>/dev/null)
	wait_for 20 "$*: the reason AssocGrpGRES" waits_for_quota "$id"
	wait_for 20 "$*: its sentence" said "$id" "uncontrolled: over quota: $sentence"
	on on scancel "$id"
	note "$user $*: waits"
}

said() {
	[[ $(on on gangway why "$1" | sed -n 's/^reason *//p') == "$2" ]]
}

# refused USER TEXT OPTION...
refused() {
	local user=$1 text=$2
	shift 2
	expect "$user $*: the answer" "sbatch: error: $text" "$(refusal on "$user" "$@" | head -n 1)"
	note "$user $*: refused"
}

# type_of JOB: what it holds, "a100:1".
type_of() {
	on on scontrol show job -d "$1" | sed -n 's/^ *Nodes=.*GRES=\(.*\)/\1/p' | grep -oE 'gpu:[a-z0-9]+:[1-9][0-9]*' | paste -sd ' '
}

# one_within OPTION...: vision's one a100, asked for in that way.
one_within() {
	local id
	id=$(run on bob "$@")
	expect "$*: GPUs" gpu:a100:1 "$(type_of "$id")"
	holds one a100 1
	over_quota bob 'pool one holds 1 of 1 a100 and can not borrow; 1 asked' --gres=gpu:1
	over_quota bob 'pool one holds 1 of 1 a100 and can not borrow; 1 asked' --gpus=a100:1
	on on scancel "$id"
	holds one a100 0
}

two_types >"$WORK/conf"
echo GresTypes=gpu,nic >"$WORK/slurm.conf"
cluster_up on --nodes 0 --speed 20 --conf "$WORK/conf" --slurm-conf "$WORK/slurm.conf" \
	--node-spec 'NodeName=a[0-1] CoresPerSocket=8 Gres=gpu:a100:4' \
	--node-spec 'NodeName=h0 CoresPerSocket=8 Gres=gpu:h100:4' \
	--node-spec 'NodeName=m0 CoresPerSocket=8 Gres=gpu:h100:2,gpu:a100:2,nic:ib:2,nic:eth:1'

one_within --gres=gpu:1
one_within --gpus=1
one_within --gres=gpu:a100:1
one_within --gres=gpu:1,nic:ib:1
one_within --gres=nic:1,gpu:1
over='GW008: 2 GPUs are more than pool one can ever hold, quota and all it may borrow: submit with at most 1 a100'
refused bob "$over" --gres=gpu:2
refused bob "$over" --gpus=2
refused bob "$over" --gres=gpu:2,nic:ib:1
refused bob 'GW006: gpu:h100 in partition main is not for queue vision: queue vision has gpu:a100 in partition main' \
	--gres=gpu:h100:1

id=$(run on alice --gres=gpu:h100:2,nic:eth:1)
expect "node of two h100 and a nic" m0 "$(node_of on "$id" | tail -n 1)"
holds both h100 2
holds both a100 0
over_quota alice 'pool both holds 2 of 2 h100 and can not borrow; 1 asked' --gpus=h100:1
run on alice --gres=gpu:a100:1 >/dev/null
holds both a100 1
holds both h100 2
over_quota alice 'pool both holds 1 of 1 a100 and can not borrow; 1 asked' --gres=gpu:1

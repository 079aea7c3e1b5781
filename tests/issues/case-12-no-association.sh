#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A user without association, with one of no queue as default, of an account that was deleted:
# one line of Gangway's says so, whatever command submits; slurmctld lives, and its log has no
# errors, not even after many. A queue whose account Slurm does not know does no harm.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

NOBODY='GW002: this user has no association with any account: ask an administrator for one'
QUEUES='submit with --account= of one of nlp, vision, speech, ghost'

may_not() {
	printf 'GW002: dave may not use account %s: submit with --account= of your own; sacctmgr show associations user=dave lists them\n' "$1"
}

# refused TEXT COMMAND...: dave's command ends with Gangway's line and Slurm's own.
refused() {
	local text=$1 status=0
	shift
	as on dave "$@" >"$WORK/answer" 2>&1 || status=$?
	((status)) || fail "$*: not refused"
	expect "$*: Gangway's line" "$1: error: $text" "$(head -n 1 "$WORK/answer")"
	expect "$*: lines" 2 "$(wc -l <"$WORK/answer")"
	[[ $(tail -n 1 "$WORK/answer") == *': Invalid account or account/partition combination specified' ]] ||
		fail "$*: Slurm says $(tail -n 1 "$WORK/answer")"
}

# all_commands TEXT OPTION...
all_commands() {
	local text=$1
	shift
	refused "$text" sbatch --gres=gpu:1 "$@" --wrap=true
	refused "$text" srun --gpus=1 "$@" true
	refused "$text" salloc --gpus-per-node=1 -N1 "$@" true
	note "$*: $text"
}

accounts() {
	on on sacctmgr -i "$@" >"$WORK/sacctmgr" 2>&1 || fail "sacctmgr $*: $(tail -n 1 "$WORK/sacctmgr")"
}

# knows TEXT OPTION...: sbatch is answered so by now.
knows() {
	local text=$1 answer
	shift
	answer=$(as on dave sbatch --gres=gpu:1 "$@" --wrap=true 2>&1) || true
	[[ $answer == *"$text"* ]]
}

errors_logged() {
	grep -c '\] error: ' "${CLUSTER[on]}/log/slurmctld.log" || true
}

policy_lines 8 Unmatched=reject 'QueueName=ghost Pool=shared Account=ghost' >"$WORK/conf"
cluster_up on --nodes 1 --cores 8 --conf "$WORK/conf"
errors=$(errors_logged)

all_commands "$NOBODY"
all_commands "$NOBODY" -A nlp
all_commands "$NOBODY" -A ghost

accounts add account none Description=none Organization=none
accounts add user dave Account=none DefaultAccount=none
wait_for 20 "the account none" knows GW001
all_commands "GW001: account none belongs to no queue: $QUEUES"
all_commands "$(may_not nlp)" -A nlp

accounts add account gone Description=gone Organization=gone Parent=nlp
accounts add user dave Account=gone
wait_for 20 "the account gone" knows 'queue nlp: ' -A gone --test-only
accounts delete account gone
wait_for 20 "the account gone to be deleted" knows GW002 -A gone
all_commands "$(may_not gone)" -A gone

accounts delete user dave
wait_for 20 "dave to be unknown" knows "$NOBODY"
for ((i = 0; i < 50; i++)); do
	as on dave sbatch --gres=gpu:1 --wrap=true >/dev/null 2>&1 && fail "attempt $i was not refused"
done
expect "errors in slurmctld's log" "$errors" "$(errors_logged)"
run on alice --gres=gpu:1 >/dev/null

#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Small jobs go where they keep a node broken for the shortest time, by what slurmctld has learned
# of run times: alice's jobs end soon and carol's do not, whatever their equal time limits say.
# With one of alice's on n0 and one of carol's on n1, carol's next goes to n1 though n0 comes
# first. What is learned outlives slurmctld; a spoiled file is put aside, and learned anew; gangway
# learn makes one of the records in accounting. So are the kinds of jobs that came.
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"

RUNTIMES=

# known COUNT: so many run times are kept.
known() {
	[[ -f $RUNTIMES ]] && (($(grep -c '^Run=' "$RUNTIMES") >= $1))
}

# One of carol's on n1 and one of alice's on n0, which by its time limit ends a little later, so that
# n0 it is for who knows nothing but limits; the node of carol's next.
next_of_carol() {
	run d carol -w n1 --gres=gpu:1 -t 1-0 >/dev/null
	run d alice -w n0 --gres=gpu:1 -t 1-0 >/dev/null
	node_of d "$(run d carol --gres=gpu:1 -t 1-0)"
}

in_accounting() {
	(($(on d sacct -a -X -n -P -S 2000-01-01 -o State | grep -c COMPLETED) >= $1))
}

# Slurmctld that ends while it tells slurmdbd of starts may lose them.
all_told() {
	[[ -z $(comm -23 <(on d squeue -h -t all -o %A | sort) <(on d sacct -a -X -n -P -S 2000-01-01 -o JobIDRaw | sort)) ]]
}

policy_lines 64 >"$WORK/conf"
cluster_up d --nodes 2 --cores 8 --speed 20 --conf "$WORK/conf"
RUNTIMES=${CLUSTER[d]}/state/gangway/runtimes
expect "nothing is learned: carol's next" n0 "$(next_of_carol)"
end_jobs d

submit d alice --array=1-16 --gres=gpu:1 -t 1-0 --wrap='sleep 10' >/dev/null 2>&1
wait_for 60 "alice's to end" no_jobs d
submit d carol --array=1-16 --gres=gpu:1 -t 1-0 --wrap='sleep 400' >/dev/null 2>&1
wait_for 60 "carol's to end" no_jobs d
cluster d restart slurmctld
wait_for 30 "35 run times to be kept" known 35
grep -q '^Gpus=1 Shared=0 Cpus=[1-9]' "${RUNTIMES%/*}/jobmix" || fail "no kind of job is kept"
wait_for 30 "slurmctld to answer" on d scontrol ping
expect "learned, kept over a restart: carol's next" n1 "$(next_of_carol)"
note "carol's next is on n1"
end_jobs d
wait_for 30 "slurmdbd to know all jobs" all_told

slurmctld_end d
sed -i '2s/Run=/Run=9/' "$RUNTIMES"
cluster_errors_allowed d 'gangway: run times: '
cluster d restart slurmctld
wait_for 30 "the spoiled file to be put aside" test -f "$RUNTIMES.bad"
expect "learned anew: carol's next" n0 "$(next_of_carol)"
end_jobs d

wait_for 30 "all in accounting" in_accounting 32
note "$(on d gangway learn)"
expect "the kinds in accounting are those seen" "$(sed -n 's/ Weight=.*//p' "${RUNTIMES%/*}/jobmix")" \
	"$(sed -n 's/ Weight=.*//p' "${RUNTIMES%/*}/jobmix.seed")"
slurmctld_end d
rm -f "$RUNTIMES"
cluster d restart slurmctld
wait_for 30 "slurmctld to answer" on d scontrol ping
expect "learned from accounting: carol's next" n1 "$(next_of_carol)"

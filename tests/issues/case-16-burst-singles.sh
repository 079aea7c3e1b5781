#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A burst of a hundred whole-node jobs of one queue goes by turns with the few of another, on
# one node and on four that come free at once. Here it is single jobs.
# slow
# shellcheck source=tests/slurm/lib/test.sh
. "$(dirname "$0")/../slurm/lib/test.sh"
# shellcheck source=tests/slurm/lib/cases.sh
. "$TEST_LIB/cases.sh"
# shellcheck source=tests/slurm/lib/burst.sh
. "$TEST_LIB/burst.sh"

policy_lines 32 >"$WORK/conf"
by_turns singles
together singles

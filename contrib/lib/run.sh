# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Becomes a command inside a cluster's space, in its environment and clock. Run
# as: DIR USER WORKING_DIRECTORY COMMAND...
set -euo pipefail

LIB=$(dirname "${BASH_SOURCE[0]}")
# shellcheck disable=SC2034 # read by common.sh
TOOL=devcluster
DIR=$1 user=$2 cwd=$3
shift 3
for part in common record users clock enter; do
	# shellcheck source=/dev/null
	. "$LIB/$part.sh"
done
record_load "$DIR"
clock_load
[[ -d $cwd && -x $cwd ]] || cwd=$DIR/home
enter_words "$user" "$cwd"
exec "${WORDS[@]}" "$@"
